// Package csource reads C source with OpenMP and gives its loop nests: for every region the objects in memory,
// the loops with their bounds, and in each statement the loads and stores in order of evaluation together with
// the operations between them.
//
// No compiler is needed: modernc.org/cc/v4 parses, and tiny system headers of our own stand in for those of
// the host. What a nest cannot express (subscripts that depend on data, while loops, tasks) is refused with its
// place, the reason and a way out; what is assumed is written to the warnings.
//
// The order of accesses: operands of the right side from left to right, then the left side's read when the
// assignment is compound, then its write. Scalars live in registers and make no access; a scalar member of a
// structure variable counts as a scalar, one reached through a pointer is an access. Offsets and sizes are in
// bytes, laid out as on x86-64 Linux. Within one data-dependent ?: an element that was already read is not
// read again.
//
// The Type of a Compare is that of what it compares.
//
// Package parse reads the file, package value evaluates integers and pointers, package lower makes the nests, and package tree walks the
// syntax tree for all three.
package csource
