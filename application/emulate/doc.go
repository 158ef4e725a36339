// Package emulate carries out the machine code that a compiler wrote for x86-64, as package assembly reads it, on registers and memory
// of its own. The machine that does so executes none of it: code for another processor, with AVX-512 or without, runs everywhere, and
// nothing that the code would do to files or a network is done.
//
// It gives, instruction by instruction, what is executed and where memory is accessed, which is what a model of a core needs.
package emulate
