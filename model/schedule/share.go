package schedule

// Algebra is what bounds are computed with: numbers, or expressions in which the thread or the number of iterations is
// not known yet.
type Algebra[E any] interface {
	Int(v int64) E
	Add(a, b E) E
	Sub(a, b E) E
	Mul(a, b E) E
	Min(a, b E) E
	Max(a, b E) E
	FloorDiv(a, b E) E // rounds down; b > 0
	// BlockStart is NewBlocks(n, threads).Start(thread).
	BlockStart(thread, n E, threads int64) E
	// GuidedStart is NewShrinking(n, threads, least).Start(chunk).
	GuidedStart(chunk, n E, threads, least int64) E
}

// Extent is how often a loop runs.
type Extent[E any] struct {
	N    E     // iterations
	Last E     // the number of the last one: N − 1, or any other negative value where there is none
	Most int64 // N is at most this
}

// Share is what one thread is dealt when threads ask in turn: ranges, one in each round, which may be empty.
type Share[E any] struct {
	Block bool // it is one range, in round 0
	Last  E    // the number of its last round, counted from 0; below 0: it gets nothing
	Range func(round E) (first, last E)
}

// ShareOf gives a thread's share of a loop.
func ShareOf[E any](a Algebra[E], r Rule, n Extent[E], thread E, threads int64) Share[E] {
	least := min(r.Least(), max(n.Most, 1))
	switch {
	case r.Kind == Guided:
		return shrinkingOf(a, least, n, thread, threads)
	case least > 0:
		return turnsOf(a, least, n, thread, threads)
	}
	return Share[E]{true, a.Int(0), func(E) (first, last E) {
		first = a.BlockStart(thread, n.N, threads)
		return first, a.Sub(a.BlockStart(a.Add(thread, a.Int(1)), n.N, threads), a.Int(1))
	}}
}

func turnsOf[E any](a Algebra[E], chunk int64, n Extent[E], thread E, threads int64) Share[E] {
	begin, stride := a.Mul(thread, a.Int(chunk)), a.Int(threads*chunk)
	return Share[E]{false, a.FloorDiv(a.Sub(n.Last, begin), stride), func(round E) (first, last E) {
		first = a.Add(begin, a.Mul(stride, round))
		return first, a.Min(a.Add(first, a.Int(chunk-1)), n.Last)
	}}
}

// shrinkingOf has as many rounds as the longest loop takes; of shorter ones the last are empty.
func shrinkingOf[E any](a Algebra[E], least int64, n Extent[E], thread E, threads int64) Share[E] {
	chunks := NewShrinking(n.Most, threads, least).Chunks()
	return Share[E]{false, a.FloorDiv(a.Sub(a.Int(chunks-1), thread), a.Int(threads)), func(round E) (first, last E) {
		chunk := a.Add(thread, a.Mul(a.Int(threads), round))
		first = a.GuidedStart(chunk, n.N, threads, least)
		return first, a.Sub(a.GuidedStart(a.Add(chunk, a.Int(1)), n.N, threads, least), a.Int(1))
	}}
}

// LastIteration is the number of the last iteration of a loop whose variable goes from lo to hi, which is included, in
// steps that are not 0; below 0 where there is none: ⌊(hi − lo)/step⌋, 4 of 1, 3, 5, 7, 9.
func LastIteration[E any](a Algebra[E], lo, hi E, step int64) E {
	if step < 0 {
		lo, hi, step = hi, lo, -step
	}
	span := a.Sub(hi, lo)
	if step == 1 {
		return span
	}
	return a.FloorDiv(span, a.Int(step))
}

// Iterations is how many a loop has, by the number of its last one.
func Iterations[E any](a Algebra[E], last E) E { return a.Max(a.Int(0), a.Add(last, a.Int(1))) }

// Collapsed is how many iterations loops have that are dealt as one, by those of each.
func Collapsed[E any](a Algebra[E], counts []E) E {
	n := counts[0]
	for _, c := range counts[1:] {
		n = a.Mul(n, c)
	}
	return n
}

// numbers is the Algebra of whole numbers.
type numbers struct{}

func (numbers) Int(v int64) int64    { return v }
func (numbers) Add(a, b int64) int64 { return a + b }
func (numbers) Sub(a, b int64) int64 { return a - b }
func (numbers) Mul(a, b int64) int64 { return a * b }
func (numbers) Min(a, b int64) int64 { return min(a, b) }
func (numbers) Max(a, b int64) int64 { return max(a, b) }
func (numbers) FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func (numbers) BlockStart(thread, n, threads int64) int64 { return NewBlocks(n, threads).Start(thread) }

func (numbers) GuidedStart(chunk, n, threads, least int64) int64 {
	return NewShrinking(n, threads, least).Start(chunk)
}
