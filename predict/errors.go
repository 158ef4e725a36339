package predict

import "fmt"

// Conflict is a wish that the chosen model or method cannot fulfil, and why.
type Conflict string

func (c Conflict) Error() string { return string(c) }

// Wishes that do not go together.
const (
	PublishedShared    Conflict = "the published model of threads is of a cache that all threads share"
	PublishedIntervals Conflict = "the published model of threads knows intervals, no distances"
	PublishedCurves    Conflict = "the published model of threads gives curves of shared caches, no hit rates of a machine"
	PublishedRandom    Conflict = "the published model of threads is of threads interleaved at random"
	SymbolicRandom     Conflict = "the symbolic model of threads is of threads interleaved at random"
	ExactTurns         Conflict = "the exact model of threads solves for threads that take turns"
	SampledDistances   Conflict = "sampled lines (the method shards) estimate reuse distances, no intervals"
)

// WalkError is a method that walks through accesses, together with a model of threads that does not.
type WalkError struct{ Method, ThreadsModel string }

func (e *WalkError) Error() string {
	return fmt.Sprintf("the method %s walks through every access of each number of threads, the model of threads %s through none", e.Method, e.ThreadsModel)
}

// MethodError is a method that takes loops, asked for accesses that were made.
type MethodError struct{ Method string }

func (e *MethodError) Error() string {
	return fmt.Sprintf("method %q is for C sources; accesses that were made are analysed by %s or %s", e.Method, MethodExact, MethodShards)
}

// LinesError is an input that touches more lines than can be told apart.
type LinesError struct{ Most int64 }

func (e *LinesError) Error() string { return fmt.Sprintf("more than %d million lines", e.Most>>20) }

// ThreadError is an access of a thread that there is not.
type ThreadError struct {
	Thread  int // numbered from 0
	Threads int // how many there are
}

func (e *ThreadError) Error() string {
	return fmt.Sprintf("an access of thread %d, numbered from 0, but the threads are %d", e.Thread, e.Threads)
}

// LevelError is a level of a machine of which simulation needs to know more.
type LevelError struct {
	Level string
	Lacks string // "size" or "ways"
}

func (e *LevelError) Error() string {
	if e.Lacks == "ways" {
		return "how many ways it has is not known; add it to a file of the machine"
	}
	return "the machine file does not say its size; add it to a file of the machine"
}
