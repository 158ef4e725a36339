// Package conflict counts conflicts in set-associative caches where they happen: for reuses drawn from a stream of loop nests, what each
// level of a hierarchy has seen of the line's own set between use and reuse.
//
// Only accesses to lines that can fall into that set are looked at. Inner loops move by constant strides, so that of a whole inner loop
// those are found by arithmetic of remainders. They pass through one set of each level as package cache simulates it, so that what an inner
// level serves is not seen further out. A walk begins some time before the use, since inner levels are not empty then.
//
// Positions and intervals are in accesses, distances and sizes in lines, work in steps of about 10 ns.
package conflict
