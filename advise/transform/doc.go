// Package transform holds changes of a program's loops and data, as changes of its source text: what comes out is C that is read again, so that what
// is predicted is what a patch makes.
//
// A change is made only where it is legal: where the dependences of the nests as they are keep their order (package dependence), in all places that the
// source's loop is part of, and where what the text tells of scalars, calls and jumps allows it. What is not proved is refused, or said
// as a condition with the change. The order in which elements are computed may change, that of the operations of each element does not,
// unless Change.Reorders says so. Names are those of Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001.
package transform
