// Package nest holds loop nests as plain data and answers questions about the stream of memory accesses that
// they make, without running them: how many there are, which is the r-th, and when the line that it touches
// is used next.
//
// A Program is made of loops whose bounds, conditions and subscripts are integer expressions of the loop
// variables; where these are affine the answers come in closed form. OpenMP parallel regions are part of it.
// A Stream is what one cache sees: the accesses of one thread, or those of a group of threads interleaved
// round robin between barriers. Time is logical: one access is one unit. Offsets and sizes are in bytes.
//
// The next use of a line is found by solving, for each reference and each depth of shared loops, for the
// lexicographically first iteration whose offset lies in the line, by search with interval propagation.
// Ranks are prefix sums, closed (Faulhaber) where the counts are polynomials, tabulated otherwise.
//
// Package expr holds the expressions and their affine and polynomial forms; package portable writes programs as JSON.
package nest
