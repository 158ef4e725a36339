package threads

import (
	"math"
	"slices"
	"sort"

	"foresee/application/nest"
)

// chunk is a range of iterations that one thread runs without a break.
type chunk struct {
	first, end int64
	thread     int
	start      float64 // accesses that the thread made in the execution before
	begin      float64 // accesses of all iterations before first
}

// plan is an execution dealt to a number of threads.
type plan struct {
	work    *work
	threads int64
	each    int64     // iterations of a block, and
	more    int64     // how many blocks have one more
	length  []float64 // accesses by thread
	blocks  []float64 // of static schedules: accesses of the iterations before each thread's; nil for others
	cycle   int64     // of chunks of even work that threads take in turn: iterations of a chunk; 0 for others
	chunks  []chunk   // of others, by first iteration
	of      [][]int32 // by thread: its chunks, ascending
	// slack bounds how far threads drift apart, in accesses: where iterations are dealt to whoever is free, a thread that
	// is late gets fewer. 0: there is no bound.
	slack float64
}

// mostChunks bounds a plan: of loops with more, neighbouring chunks are taken together.
const mostChunks = 1 << 14

// planSpace is how many numbers a plan needs room for.
func planSpace(threads int) int { return 2*threads + 1 }

// newPlan deals an execution; space is room for its numbers, all 0.
func newPlan(w *work, l *Loop, threads int, space []float64) *plan {
	p := &plan{
		work: w, threads: int64(threads), each: w.n / int64(threads), more: w.n % int64(threads), length: space[:threads:threads],
	}
	free := l.Schedule == nest.Dynamic || l.Schedule == nest.Guided
	switch {
	case w.even > 0 && (l.Schedule == nest.Dynamic || l.Schedule == nest.StaticChunk && l.Chunk > 0):
		p.inTurn(max(l.Chunk, 1))
	case free:
		p.greedy(l)
	case l.Schedule == nest.StaticChunk && l.Chunk > 0:
		p.roundRobin(max(l.Chunk, (w.n+mostChunks-1)/mostChunks))
	default:
		p.blocks = space[threads : 2*threads+1]
		for t := range p.length {
			p.blocks[t+1] = w.before(p.blockStart(int64(t) + 1))
			p.length[t] = p.blocks[t+1] - p.blocks[t]
		}
	}
	if free && p.dealt() > 0 {
		each := w.total / float64(p.dealt())
		p.slack = phaseSpread * each
		if p.cycle == 0 { // chunks of different length begin one by one, in order; drift begins anew with each
			p.slack = min(p.slack, math.Sqrt(each))
		}
	}
	return p
}

// phaseSpread is the standard deviation of a place drawn at random in a chunk, over the chunk: 1/√12.
const phaseSpread = 0.288675

// dealt is the number of chunks.
func (p *plan) dealt() int64 {
	if p.cycle > 0 {
		return (p.work.n + p.cycle - 1) / p.cycle
	}
	return int64(len(p.chunks))
}

// inTurn lets threads take chunks of even work one after another.
func (p *plan) inTurn(size int64) {
	p.cycle = size
	rounds := p.work.n / (size * p.threads)
	rest := p.work.n - rounds*size*p.threads
	for t := range p.length {
		mine := rounds*size + min(max(rest-int64(t)*size, 0), size)
		p.length[t] = float64(mine) * p.work.even
	}
}

// turn is a chunk that comes in turn.
func (p *plan) turn(number int64) chunk {
	first := number * p.cycle
	return chunk{
		first, min(first+p.cycle, p.work.n), int(number % p.threads),
		float64(number/p.threads*p.cycle) * p.work.even, float64(first) * p.work.even,
	}
}

// blockStart is the first iteration of a thread's block.
func (p *plan) blockStart(thread int64) int64 { return thread*p.each + min(thread, p.more) }

// blockOf is the thread whose block an iteration is in.
func (p *plan) blockOf(iteration int64) int64 {
	if long := p.more * (p.each + 1); iteration >= long {
		return p.more + (iteration-long)/max(p.each, 1)
	}
	return iteration / (p.each + 1)
}

func (p *plan) block(thread int) chunk {
	return chunk{p.blockStart(int64(thread)), p.blockStart(int64(thread) + 1), thread, 0, p.blocks[thread]}
}

func (p *plan) add(first, end int64, thread int) {
	begin := p.work.before(first)
	p.of[thread] = append(p.of[thread], int32(len(p.chunks)))
	p.chunks = append(p.chunks, chunk{first, end, thread, p.length[thread], begin})
	p.length[thread] += p.work.before(end) - begin
}

func (p *plan) roundRobin(size int64) {
	p.of = make([][]int32, p.threads)
	t := 0
	for first := int64(0); first < p.work.n; first += size {
		p.add(first, min(first+size, p.work.n), t)
		t = (t + 1) % int(p.threads)
	}
}

// greedy gives each chunk to the thread that is free first.
func (p *plan) greedy(l *Loop) {
	p.of = make([][]int32, p.threads)
	rule := &nest.Work{Schedule: l.Schedule, Chunk: max(l.Chunk, 1)}
	if l.Schedule == nest.Dynamic {
		rule.Chunk = max(rule.Chunk, (p.work.n+mostChunks-1)/mostChunks)
	}
	deal := nest.NewDeal(rule, p.work.n, int(p.threads))
	free := make([]int, p.threads) // a heap of threads by what they have done
	for i := range free {
		free[i] = i
	}
	for {
		first, end := deal.Next(free[0])
		if first >= end {
			return
		}
		p.add(first, end, free[0])
		p.sink(free)
	}
}

// sink moves the head of a heap of threads to its place.
func (p *plan) sink(free []int) {
	less := func(a, b int) bool {
		return p.length[a] < p.length[b] || p.length[a] == p.length[b] && a < b
	}
	for i := 0; ; {
		c := 2*i + 1
		if c+1 < len(free) && less(free[c+1], free[c]) {
			c++
		}
		if c >= len(free) || !less(free[c], free[i]) {
			return
		}
		free[i], free[c] = free[c], free[i]
		i = c
	}
}

// elapsed is what all threads together have done when each that still runs has made u accesses.
func (p *plan) elapsed(u float64) (sum float64) {
	for _, v := range p.length {
		sum += min(u, v)
	}
	return sum
}

// drift is how far, one standard deviation, a thread is from where threads drawn at random are on average after u
// accesses.
func (p *plan) drift(u float64) float64 {
	if p.slack > 0 {
		return min(math.Sqrt(u), p.slack)
	}
	return math.Sqrt(u)
}

// live is the number of threads that make more than u accesses.
func (p *plan) live(u float64) (n int) {
	for _, v := range p.length {
		if v > u {
			n++
		}
	}
	return n
}

// chunkOf is the chunk that an iteration is in.
func (p *plan) chunkOf(iteration int64) chunk {
	if p.blocks != nil {
		return p.block(int(p.blockOf(iteration)))
	}
	if p.cycle > 0 {
		return p.turn(iteration / p.cycle)
	}
	i := sort.Search(len(p.chunks), func(i int) bool { return p.chunks[i].end > iteration })
	return p.chunks[min(i, len(p.chunks)-1)]
}

// begins is when, in accesses of the thread that runs it, an iteration of a chunk begins.
func (p *plan) begins(c *chunk, iteration int64) float64 {
	return c.start + p.work.before(iteration) - c.begin
}

// doing is the iteration that a thread is at after v accesses of its own.
func (p *plan) doing(thread int, v float64) (c chunk, iteration int64) {
	switch {
	case p.blocks != nil:
		c = p.block(thread)
	case p.cycle > 0:
		c = p.turn(int64(v/(float64(p.cycle)*p.work.even))*p.threads + int64(thread))
	default:
		mine := p.of[thread]
		i := sort.Search(len(mine), func(i int) bool { return p.chunks[mine[i]].start > v }) - 1
		c = p.chunks[mine[max(i, 0)]]
	}
	i := p.work.at(c.begin + v - c.start)
	return c, min(max(i, c.first), c.end-1)
}

// nextOwn is the first of a thread's iterations from a number on that is in the runs; −1: none. Iterations of chunks that begin when the
// thread has made so many accesses or more need not be found.
func (p *plan) nextOwn(thread int, runs []Run, from int64, most float64) (chunk, int64, *Run) {
	if p.blocks != nil {
		first, end := p.blockStart(int64(thread)), p.blockStart(int64(thread)+1)
		j, r := nextOf(runs, max(from, first))
		if j < 0 || j >= end {
			return chunk{}, -1, nil
		}
		return p.block(thread), j, r
	}
	if p.cycle > 0 {
		return p.nextInTurn(int64(thread), runs, from, most)
	}
	mine := p.of[thread]
	for range triesOfChunks {
		i := sort.Search(len(mine), func(i int) bool { return p.chunks[mine[i]].end > from })
		if i == len(mine) {
			break
		}
		c := &p.chunks[mine[i]]
		if c.start >= most {
			break
		}
		j, r := nextOf(runs, max(from, c.first))
		if j < 0 {
			break
		}
		if j < c.end {
			return *c, j, r
		}
		from = j
	}
	return chunk{}, -1, nil
}

func (p *plan) nextInTurn(thread int64, runs []Run, from int64, most float64) (chunk, int64, *Run) {
	limit := p.turnsUntil(most)
	for range triesOfChunks {
		j, r := nextOf(runs, from)
		if j < 0 {
			break
		}
		number := j / p.cycle
		if number >= limit {
			break
		}
		late := (number - thread) % p.threads
		if late < 0 {
			late += p.threads
		}
		if late == 0 {
			return p.turn(number), j, r
		}
		from = (number + p.threads - late) * p.cycle // where the thread's next chunk begins
	}
	return chunk{}, -1, nil
}

// turnsUntil is the number of the first chunk that begins when its thread has made so many accesses or more.
func (p *plan) turnsUntil(accesses float64) int64 {
	rounds := math.Ceil(accesses / (float64(p.cycle) * p.work.even))
	if rounds >= float64(math.MaxInt64/p.threads) {
		return math.MaxInt64
	}
	return int64(max(rounds, 0)) * p.threads
}

// triesOfChunks bounds the search for an iteration that is in the runs and in a thread's chunks, which need not meet.
const triesOfChunks = 64

// reach lists the threads of a range that may have iterations between the first and the last of the runs, ascending,
// in place of what list holds.
func (p *plan) reach(runs []Run, first, end int, list []int) []int {
	list = list[:0]
	if len(runs) == 0 {
		return list
	}
	lo, hi := runs[0].First, runs[0].last()
	for i := range runs[1:] {
		lo, hi = min(lo, runs[i+1].First), max(hi, runs[i+1].last())
	}
	switch {
	case p.blocks != nil:
		first, end = max(first, int(p.blockOf(lo))), min(end, int(p.blockOf(hi))+1)
	case p.cycle > 0 && hi/p.cycle-lo/p.cycle < p.threads-1:
		for n := lo / p.cycle; n <= hi/p.cycle; n++ {
			list = within(list, int(n%p.threads), first, end)
		}
		return ascending(list)
	case p.cycle == 0:
		a := sort.Search(len(p.chunks), func(i int) bool { return p.chunks[i].end > lo })
		b := sort.Search(len(p.chunks), func(i int) bool { return p.chunks[i].first > hi })
		if int64(b-a) < p.threads {
			for _, c := range p.chunks[a:b] {
				list = within(list, c.thread, first, end)
			}
			return ascending(list)
		}
	}
	for t := first; t < end; t++ {
		list = append(list, t)
	}
	return list
}

func within(list []int, thread, first, end int) []int {
	if thread < first || thread >= end {
		return list
	}
	return append(list, thread)
}

func ascending(list []int) []int {
	slices.Sort(list)
	return slices.Compact(list)
}
