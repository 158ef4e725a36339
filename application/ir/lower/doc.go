// Package lower makes loop nests of a module of LLVM IR: it follows main, and functions that nobody calls, with what is known of each value,
// finds natural loops by dominators and what they count, and gives for each function of the source its loops, its accesses by object and offset,
// and the operations between them.
//
// A value is an integer expression of the loops' counters, an address (an object and an offset), or data, of which only how it is computed is
// known. Memory is followed where addresses are constant, so that pointers kept in members of structures lead to what was stored there. A loop
// whose end is not an expression of the counters around it is followed iteration by iteration as long as what decides is known, and refused
// else, with its place.
//
// Loops run from 0 in steps of 1; offsets and sizes are in bytes. Distinct objects are taken not to overlap. Exceptions are taken not to be
// thrown, and conversions between integers to keep their values where nothing is known against it.
package lower
