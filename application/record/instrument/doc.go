// Package instrument adds recording to a module of LLVM IR, after the compiler has optimised it.
//
// Code is divided into segments: straight-line stretches without calls that could run other instrumented code. Each
// segment appends the address of its descriptor, and the addresses that it accesses, to the buffer of the recorder
// (application/record/runtime). Loads, stores, atomics, block copies and masked, gathering and scattering vector
// accesses are seen; what the code generator adds later (register spills, saved registers, return addresses) and what
// other libraries do is not.
//
// What each segment does (its operations, the accesses with their sizes and source lines) goes as text into the object
// file, from where the recorder puts it in front of the recording: see ParseModule.
//
// This takes the text of the IR, as clang 13 and later print it, since that is the one form that all of them share.
package instrument
