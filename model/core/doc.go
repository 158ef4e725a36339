// Package core gives the cycles that a stream of instructions takes on an out-of-order core: instructions enter in order, at most so many
// a cycle; each begins when its operands are there and what it needs is free; loads take what stores before them wrote; branches that are
// predicted wrongly stop the stream; and no more are in flight than the core's buffers hold.
//
// Nothing in it is a vendor's: what an instruction needs was measured by how much it slows down others (its use of what addition,
// multiplication, loads and so on need), so that a core is a table of numbers. A core of another kind is another table.
//
// Units: cycles of the core; bytes.
package core
