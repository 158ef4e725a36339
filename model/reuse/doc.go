// Package reuse measures how far apart the uses of a line are in a stream of accesses.
//
// The reuse distance of an access is the number of distinct other lines touched since the last access to its
// line; the reuse interval is the number of accesses from a use to the reuse. A first access is cold: both are
// infinite.
//
// Stack and Intervals measure every access of a stream as it is fed, Parallel on several cores; Shards follows a part
// of the lines (shards.go). Sample (nestsample.go) estimates the distribution for a nest.Stream that is far too long to walk: next uses are
// solved for at random places, and the distance of a reuse (p, q) is estimated as the number of places x between p and q whose line is not
// used again before q, by solving for random x. Reuses are pooled in classes (same source and sink reference, same loop that carries the
// reuse, intervals within 5 %), because their distances are alike.
//
// Everything is counted in lines and accesses.
package reuse
