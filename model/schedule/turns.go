package schedule

// Turns are iterations dealt in chunks of one size to the threads in turn: static with a chunk, and dynamic where
// chunks take equally long.
type Turns struct{ n, threads, chunk int64 }

// NewTurns deals n iterations. A chunk below 1 is taken as 1, one above n as n.
func NewTurns(n, threads, chunk int64) Turns { return Turns{n, threads, max(min(chunk, n), 1)} }

// Chunk is the size of a chunk; 0 only of Turns{}, which deal nothing.
func (t Turns) Chunk() int64 { return t.chunk }

// Chunks is the number of chunks.
func (t Turns) Chunks() int64 { return ceil(t.n, t.chunk) }

// At is the number of the chunk that an iteration is in.
func (t Turns) At(iteration int64) int64 { return iteration / t.chunk }

// Range gives the iterations first … end−1 of a chunk.
func (t Turns) Range(chunk int64) (first, end int64) {
	first = chunk * t.chunk
	return first, min(first+t.chunk, t.n)
}

// Owner is the thread that gets a chunk.
func (t Turns) Owner(chunk int64) int64 { return chunk % t.threads }

// Round is how many chunks the owner of a chunk had before it.
func (t Turns) Round(chunk int64) int64 { return chunk / t.threads }

// NextOf is the first of a thread's chunks from a number on, whether the loop has as many or not.
func (t Turns) NextOf(thread, chunk int64) int64 {
	return chunk + ((thread-chunk)%t.threads+t.threads)%t.threads
}

// Iterations is how many a thread gets in all.
func (t Turns) Iterations(thread int64) int64 {
	whole := t.n / t.chunk
	n := t.chunk * ((whole + t.threads - 1 - thread) / t.threads)
	if t.Owner(whole) == thread {
		n += t.n % t.chunk
	}
	return n
}
