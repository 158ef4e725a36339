// Package ir reads LLVM's intermediate representation, which compilers write of C++, Fortran and Rust, and gives its loop nests: for every
// region the objects in memory, the loops with their bounds, and in each statement the loads and stores of the compiled code in their order
// together with the operations between them.
//
// Package text reads the module, package lower makes the nests.
package ir
