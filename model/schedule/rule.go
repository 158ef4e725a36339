package schedule

// Kind is a way to deal iterations.
type Kind int

// The kinds of schedules. Saved signatures and programs hold their numbers.
const (
	Static      Kind = iota // a block to each thread
	StaticChunk             // chunks of one size to the threads in turn
	Dynamic                 // chunks of one size to whoever asks
	Guided                  // chunks that shrink to whoever asks
)

var kindText = [...]string{Static: "static", StaticChunk: "static,chunk", Dynamic: "dynamic", Guided: "guided"}

func (k Kind) String() string { return kindText[k] }

// Known tells whether k is one of the kinds.
func (k Kind) Known() bool { return k >= Static && k <= Guided }

// OnDemand tells whether threads ask for iterations while the loop runs, so that it depends on their speed who gets
// which.
func (k Kind) OnDemand() bool { return k == Dynamic || k == Guided }

// Rule is a schedule clause.
type Rule struct {
	Kind  Kind
	Chunk int64 // iterations; 0 where the clause gives none
}

// Least is the size in iterations of the smallest chunk, a loop's last one left out; 0 where threads get blocks.
func (r Rule) Least() int64 {
	switch r.Kind {
	case Static:
		return 0
	case StaticChunk:
		return max(r.Chunk, 0)
	}
	return max(r.Chunk, 1)
}

// Size is how many iterations the next chunk has when so many are left for all threads.
func (r Rule) Size(left, threads int64) int64 {
	size := r.Least()
	if r.Kind == Guided {
		size = max(size, ceil(left, threads))
	}
	return min(size, left)
}

// ceil is a/b rounded up, for a ≥ 0 and b > 0.
func ceil(a, b int64) int64 {
	q := a / b
	if q*b < a {
		q++
	}
	return q
}
