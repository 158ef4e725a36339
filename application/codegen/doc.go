// Package codegen makes of loop nests the instructions that a compiler like gcc makes of them, for where there is no compiler: operands in
// memory, scalars and what does not change in registers, addresses counted up, inner loops in vectors where gcc's rules let it. The code is in
// the instructions of x86-64, and is walked with the addresses of the nest; nothing carries it out.
//
// What is left out: the compiler's own allocation of registers (values beyond what there is room for lie on the stack), interchange, unrolling
// of long loops, and vectors of straight-line code and of sums that keep their order.
package codegen
