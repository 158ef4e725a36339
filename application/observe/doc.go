// Package observe runs a C program once for the values that the analysis of its source lacks: how often each region was entered, and with which
// sizes. The program is built from copies of its sources that tell these values where they stop changing, and runs at its own speed.
package observe
