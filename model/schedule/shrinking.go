package schedule

// Shrinking are iterations dealt in chunks that shrink: guided. Chunk k goes to thread k mod T when threads ask in turn.
type Shrinking struct {
	n      int64
	starts []int64 // by chunk
}

// NewShrinking deals n iterations in chunks of at least so many. It keeps every chunk: there are some T·ln(n/(T·least))
// of them and T more, 190 of a million iterations for 16 threads.
func NewShrinking(n, threads, least int64) Shrinking {
	s := Shrinking{n: n}
	r := Rule{Guided, least}
	for at := int64(0); at < n; at += r.Size(n-at, threads) {
		s.starts = append(s.starts, at)
	}
	return s
}

// N is the number of iterations.
func (s Shrinking) N() int64 { return s.n }

// Chunks is the number of chunks.
func (s Shrinking) Chunks() int64 { return int64(len(s.starts)) }

// Start is the first iteration of a chunk; n of those that come after the last one. It grows with the number of the
// chunk and with n.
func (s Shrinking) Start(chunk int64) int64 {
	if chunk < int64(len(s.starts)) {
		return s.starts[chunk]
	}
	return s.n
}
