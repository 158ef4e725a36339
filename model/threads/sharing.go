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
