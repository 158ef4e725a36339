package threads

import (
	"slices"
	"sort"

	"foresee/application/nest"
)

// before is the number of accesses of the iterations before number i.
func (s *Shape) before(i int64) float64 {
	n, last := s.Iterations, len(s.Before)-1
	if i <= 0 || n == 0 {
		return 0
	}
	if i >= n {
		return float64(s.Before[last])
	}
	if n <= int64(last) {
		return float64(s.Before[s.knotOf(i)])
	}
	at := float64(i) * float64(last) / float64(n)
	k := min(int(at), last-1)
	x0, x1 := float64(n*int64(k)/int64(last)), float64(n*int64(k+1)/int64(last))
	y0, y1 := float64(s.Before[k]), float64(s.Before[k+1])
	return y0 + (y1-y0)*(float64(i)-x0)/(x1-x0)
}

// knotOf is the knot of an iteration where there are no more iterations than knots.
func (s *Shape) knotOf(i int64) int {
	last := int64(len(s.Before) - 1)
	return int((i*last + s.Iterations - 1) / s.Iterations)
}

// at is the last iteration that begins at or before a number of accesses.
func (s *Shape) at(accesses float64) int64 {
	lo, hi := int64(0), s.Iterations
	if total := float64(s.Before[len(s.Before)-1]); total > 0 { // most often the work is even
		guess := int64(accesses / total * float64(s.Iterations))
		if guess > 0 && guess < s.Iterations {
			if b := s.before(guess); b <= accesses {
				lo = guess
				if s.before(guess+1) > accesses {
					return guess
				}
			} else {
				hi = guess
				if b := s.before(guess - 1); b <= accesses {
					return guess - 1
				}
			}
		}
	}
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; s.before(mid) <= accesses {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// chunk is a range of iterations that one thread runs without a break.
type chunk struct {
	first, end int64
	thread     int32
	start      float64 // accesses that the thread made in the execution before
}

// plan is an execution dealt to a number of threads.
type plan struct {
	shape  *Shape
	chunks []chunk   // by first iteration
	of     [][]int32 // by thread: its chunks, ascending; nil when thread t has chunk t alone
	length []float64 // accesses by thread
	sorted []float64 // lengths, ascending
	sums   []float64 // sums[i]: of sorted[:i]
	active int       // threads with work
}

// mostChunks bounds a plan: of loops with more, neighbouring chunks are taken together.
const mostChunks = 1 << 14

func newPlan(s *Shape, l *Loop, threads int) *plan {
	p := &plan{shape: s, length: make([]float64, threads)}
	switch {
	case l.Schedule == nest.Dynamic || l.Schedule == nest.Guided:
		p.greedy(l, threads)
	case l.Schedule == nest.StaticChunk && l.Chunk > 0:
		p.roundRobin(max(l.Chunk, (s.Iterations+mostChunks-1)/mostChunks), threads)
	default:
		p.blocks(threads)
	}
	p.sorted = slices.Clone(p.length)
	slices.Sort(p.sorted)
	p.sums = make([]float64, threads+1)
	for i, v := range p.sorted {
		p.sums[i+1] = p.sums[i] + v
		if v > 0 {
			p.active++
		}
	}
	return p
}

func (p *plan) blocks(threads int) {
	n, t := p.shape.Iterations, int64(threads)
	begin := 0.0
	for i := range t {
		first := i*(n/t) + min(i, n%t)
		end := (i+1)*(n/t) + min(i+1, n%t)
		next := p.shape.before(end)
		p.chunks = append(p.chunks, chunk{first, end, int32(i), 0})
		p.length[i] = next - begin
		begin = next
	}
}

func (p *plan) add(first, end int64, thread int) {
	if p.of == nil {
		p.of = make([][]int32, len(p.length))
	}
	p.of[thread] = append(p.of[thread], int32(len(p.chunks)))
	p.chunks = append(p.chunks, chunk{first, end, int32(thread), p.length[thread]})
	p.length[thread] += p.shape.before(end) - p.shape.before(first)
}

func (p *plan) roundRobin(size int64, threads int) {
	p.of = make([][]int32, threads)
	t := 0
	for first := int64(0); first < p.shape.Iterations; first += size {
		p.add(first, min(first+size, p.shape.Iterations), t)
		t = (t + 1) % threads
	}
}

// greedy gives each chunk to the thread that is free first.
func (p *plan) greedy(l *Loop, threads int) {
	p.of = make([][]int32, threads)
	work := &nest.Work{Schedule: l.Schedule, Chunk: max(l.Chunk, 1)}
	if l.Schedule == nest.Dynamic {
		work.Chunk = max(work.Chunk, (p.shape.Iterations+mostChunks-1)/mostChunks)
	}
	deal := nest.NewDeal(work, p.shape.Iterations, threads)
	free := make([]int, threads) // a heap of threads by what they have done
	for i := range free {
		free[i] = i
	}
	less := func(a, b int) bool {
		return p.length[a] < p.length[b] || p.length[a] == p.length[b] && a < b
	}
	for {
		t := free[0]
		first, end := deal.Next(t)
		if first >= end {
			return
		}
		p.add(first, end, t)
		for i := 0; ; {
			c := 2*i + 1
			if c+1 < threads && less(free[c+1], free[c]) {
				c++
			}
			if c >= threads || !less(free[c], free[i]) {
				break
			}
			free[i], free[c] = free[c], free[i]
			i = c
		}
	}
}

// elapsed is what all threads together have done when each that still runs has made u accesses.
func (p *plan) elapsed(u float64) float64 {
	i := sort.SearchFloat64s(p.sorted, u)
	return p.sums[i] + u*float64(len(p.sorted)-i)
}

// chunkOf is the chunk that an iteration is in.
func (p *plan) chunkOf(iteration int64) *chunk {
	i := sort.Search(len(p.chunks), func(i int) bool { return p.chunks[i].end > iteration })
	return &p.chunks[min(i, len(p.chunks)-1)]
}

// begins is when, in accesses of the thread that runs it, an iteration of a chunk begins.
func (p *plan) begins(c *chunk, iteration int64) float64 {
	return c.start + p.shape.before(iteration) - p.shape.before(c.first)
}

// doing is the iteration that a thread is at after v accesses of its own.
func (p *plan) doing(thread int, v float64) (c *chunk, iteration int64) {
	if p.of == nil {
		c = &p.chunks[thread]
	} else {
		mine := p.of[thread]
		i := sort.Search(len(mine), func(i int) bool { return p.chunks[mine[i]].start > v }) - 1
		c = &p.chunks[mine[max(i, 0)]]
	}
	i := p.shape.at(p.shape.before(c.first) + v - c.start)
	return c, min(max(i, c.first), c.end-1)
}

// nextOwn is the first of a thread's iterations from a number on that is in the runs.
func (p *plan) nextOwn(thread int, runs []Run, from int64) (*chunk, int64, *Run) {
	if p.of == nil {
		c := &p.chunks[thread]
		j, r := nextOf(runs, max(from, c.first))
		if j < 0 || j >= c.end {
			return nil, -1, nil
		}
		return c, j, r
	}
	mine := p.of[thread]
	for tries := 0; tries < 64; tries++ {
		i := sort.Search(len(mine), func(i int) bool { return p.chunks[mine[i]].end > from })
		if i == len(mine) {
			return nil, -1, nil
		}
		c := &p.chunks[mine[i]]
		j, r := nextOf(runs, max(from, c.first))
		if j < 0 {
			return nil, -1, nil
		}
		if j < c.end {
			return c, j, r
		}
		from = j
	}
	return nil, -1, nil
}
