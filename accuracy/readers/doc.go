// Package readers measures how well the loop nests that are read of LLVM IR tell which accesses a program makes: the same IR is compiled with a
// call in front of each load and store, run, and what it logs is compared with the nests, access by access. Kernels in C, which package csource
// reads as well, are compared by their miss ratio curves besides.
package readers
