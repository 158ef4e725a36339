// Package threads says what the caches of a machine see when a program runs on a number of threads: which
// threads share an instance of a level, and so which of the program's streams it serves.
//
// Threads are placed on cores in order, one a core: thread i on core i. A level that c cores share serves groups
// of c neighbouring threads; a level of one core serves private streams. The streams themselves, dealt by
// OpenMP's schedules and interleaved round robin between barriers, are those of nest.Stream.
package threads

import "foresee/application/nest"

// Scope says whether a stream is of one thread or of several.
func Scope(group int) string {
	if group > 1 {
		return "shared"
	}
	return "private"
}

// Stream gives the options of the stream that a level sees when sharedBy cores share an instance.
func Stream(threads, sharedBy int, line int64) nest.Options {
	return nest.Options{Threads: threads, Group: max(1, min(threads, sharedBy)), Line: line}
}
