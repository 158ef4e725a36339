// Package record builds, runs and traces programs.
//
// Build stands in for a C or C++ compiler: it compiles with clang (or gcc, see below), with the user's own flags, adds
// recording to the optimised code (package instrument) and links the recorder and a virtual OpenMP (folder runtime).
// Run starts such a program and hands out what it records (package recording).
//
// The virtual OpenMP runs all threads of a team as fibers of one operating-system thread. Schedules of worksharing loops
// are rewritten in the preprocessed source, so that one thread's run hands out iterations in chunks which can be dealt
// to any number of threads afterwards.
//
// With gcc, accesses are seen through its ThreadSanitizer callbacks: the code stays scalar, arrays that are private to
// a function may be missed, and operations are not counted.
package record
