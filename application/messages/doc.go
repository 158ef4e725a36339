// Package messages holds what the ranks of an MPI program say to each other, in order: for each rank its calls, as a sequence in which
// what repeats stands once, with how often. Bytes and times are sums over the repetitions. [Read] reads the file that the recorder writes
// for one rank, [NewProgram] puts the ranks together.
//
// Folding is that of M. Noeth, P. Ratn, F. Mueller, M. Schulz and B. R. de Supinski: ScalaTrace: Scalable compression and replay of
// communication traces for high-performance computing, JPDC 69, 2009, within each rank.
package messages
