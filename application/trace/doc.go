// Package trace holds streams of memory accesses and their file formats.
//
// A trace is a sequence of events in the order in which they happened: loads and stores, each of a thread, with an
// address and a number of bytes, and marks between them (where a region begins and ends, where threads wait for
// each other). A Source hands events out in batches and may be endless: nothing here keeps a trace in memory.
//
// Open reads any of the formats, told apart by their content; docs/formats.md describes them.
package trace
