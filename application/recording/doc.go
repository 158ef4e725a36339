// Package recording reads what a traced program tells, and makes of one run the accesses of any number of threads.
//
// A recording is a sequence of records (docs/formats.md): what each segment of the program's code does, pieces of what
// a virtual thread ran with the encoded accesses, barriers, and the ends of parallel regions. A piece says who would
// run it with another number of threads: iterations of a worksharing loop are dealt by the loop's schedule, code that
// each thread runs is run by each, with its private data elsewhere.
//
// The paper's way of doing this with labels of basic blocks (PPT-Multicore, algorithms 1 and 2) is there as well.
package recording
