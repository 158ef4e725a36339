// Package probe finds where a C source can be made to tell the values that its analysis lacks, and writes the source that does: what a run of it
// tells is the same as without, since nothing but calls that only look is added.
package probe
