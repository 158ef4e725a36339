// Package advise says what to change in a program: changes of its source, each made, read again and predicted by the same models as the program
// itself, ranked by what they gain.
//
// Package syntax holds the text, dependence what may be reordered, transform the changes. Here they are searched: each change by itself, tiles in
// several sizes, then one on top of the other as long as that gains (Request.Most bounds how many predictions that takes, never the clock). A gain is a ratio of two predictions of
// one model, whose errors mostly cancel: its interval is that of such ratios, not of times. What is no change of the source (threads, machines) stands apart.
package advise
