// Package rewrite adds recording to the assembly that a compiler writes for x86-64, whichever compiler that is and with whichever flags: the
// machine code stays as the compiler made it, and between its instructions stands code that logs which straight-line stretches run and which
// addresses they access, in the form that package instrument's segments have.
//
// What is added keeps all registers, the flags, and the 128 bytes below the stack pointer that a function may use. Assembly that people wrote
// runs as it is, unrecorded. The instructions themselves are told along with the segments, so that they can be followed through a core
// (package model/core).
package rewrite
