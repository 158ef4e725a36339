package threads

import (
	"math"
	"slices"
	"sort"

	"foresee/model/schedule"
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
	length  []float64 // accesses by thread; nil where iterations are of even work and dealt in blocks or in turn
	rising  []float64 // the same, ascending, where many will ask
	sums    []float64 // of the first of these, by how many
	even    [3]alikes // these then, by how many threads make them
	inBlock bool      // each thread has one block
	blocks  schedule.Blocks
	before  []float64      // of blocks of uneven work: accesses of the iterations before each thread's
	turns   schedule.Turns // of chunks of even work that threads take in turn; without a chunk for others
	chunks  []chunk        // of others, by first iteration
	of      [][]int32      // by thread: its chunks, ascending
	// slack bounds how far threads drift apart, in accesses: where iterations are dealt to whoever is free, a thread that
	// is late gets fewer. 0: there is no bound.
	slack float64
}

// mostChunks bounds a plan: of loops with more, neighbouring chunks are taken together. Chosen: 640 KiB.
const mostChunks = 1 << 14

// arrange lets many ask how far all threads are.
func (p *plan) arrange() {
	if p.length == nil {
		return
	}
	p.rising, p.sums = slices.Sorted(slices.Values(p.length)), make([]float64, len(p.length)+1)
	for i, v := range p.rising {
		p.sums[i+1] = p.sums[i] + v
	}
}

// alikes are threads that make as many accesses.
type alikes struct {
	threads    int64
	iterations int64
	length     float64
}

// newPlan deals an execution.
func newPlan(w *work, l *Loop, threads int) plan {
	p := plan{work: w, threads: int64(threads)}
	rule := l.rule()
	chunk := rule.Least()
	switch {
	case w.even > 0 && chunk > 0 && rule.Kind != schedule.Guided:
		p.inTurn(chunk)
	case rule.Kind.OnDemand():
		p.greedy(rule)
	case chunk > 0:
		p.roundRobin(max(chunk, p.coarse()))
	default:
		p.inBlocks()
	}
	if rule.Kind.OnDemand() && p.dealt() > 0 {
		each := w.total / float64(p.dealt())
		p.slack = phaseSpread * each
		if !p.evenly() { // chunks of different length begin one by one, in order; drift begins anew with each
			p.slack = min(p.slack, math.Sqrt(each))
		}
	}
	return p
}

// coarse is the smallest chunk of which an execution has no more than mostChunks.
func (p *plan) coarse() int64 { return (p.work.n + mostChunks - 1) / mostChunks }

// phaseSpread is the standard deviation of a place drawn at random in a chunk, over the chunk: 1/√12.
const phaseSpread = 0.288675

// dealt is the number of chunks.
func (p *plan) dealt() int64 {
	if p.evenly() {
		return p.turns.Chunks()
	}
	return int64(len(p.chunks))
}

// evenly tells whether threads take chunks of even work in turn.
func (p *plan) evenly() bool { return p.turns.Chunk() > 0 }

// inBlocks gives each thread one block.
func (p *plan) inBlocks() {
	p.inBlock, p.blocks = true, schedule.NewBlocks(p.work.n, p.threads)
	if p.work.even > 0 {
		long := p.blocks.Long()
		each := p.blocks.Start(p.threads) / p.threads
		p.even[0] = p.alikes(long, each+1)
		p.even[1] = p.alikes(p.threads-long, each)
		return
	}
	space := make([]float64, 2*p.threads+1)
	p.length, p.before = space[:p.threads:p.threads], space[p.threads:]
	for t := range p.length {
		p.before[t+1] = p.work.before(p.blocks.Start(int64(t) + 1))
		p.length[t] = p.before[t+1] - p.before[t]
	}
}

func (p *plan) alikes(threads, iterations int64) alikes {
	return alikes{threads, iterations, float64(iterations) * p.work.even}
}

// inTurn lets threads take chunks of even work one after another: some have one chunk more than the others, and one of these the rest.
func (p *plan) inTurn(size int64) {
	p.turns = schedule.NewTurns(p.work.n, p.threads, size)
	whole := p.work.n / p.turns.Chunk()
	rounds, more := whole/p.threads*p.turns.Chunk(), whole%p.threads
	p.even[0] = p.alikes(more, rounds+p.turns.Chunk())
	p.even[1] = p.alikes(1, rounds+p.work.n%p.turns.Chunk())
	p.even[2] = p.alikes(p.threads-more-1, rounds)
}

// iterations is how many a thread has where work is even.
func (p *plan) iterations(thread int) int64 {
	t := int64(thread)
	for i := range p.even {
		if t -= p.even[i].threads; t < 0 {
			return p.even[i].iterations
		}
	}
	return 0
}

// accesses is how many a thread makes.
func (p *plan) accesses(thread int) float64 {
	if p.length != nil {
		return p.length[thread]
	}
	return float64(p.iterations(thread)) * p.work.even
}

// longest is the most accesses of a thread.
func (p *plan) longest() float64 {
	if p.length != nil {
		return slices.Max(p.length)
	}
	most := 0.0
	for _, a := range p.even {
		if a.threads > 0 {
			most = max(most, a.length)
		}
	}
	return most
}

// turn is a chunk that comes in turn.
func (p *plan) turn(number int64) chunk {
	first, end := p.turns.Range(number)
	before := p.turns.Round(number) * p.turns.Chunk()
	return chunk{first, end, int(p.turns.Owner(number)), float64(before) * p.work.even, float64(first) * p.work.even}
}

// block is the one chunk of a thread.
func (p *plan) block(thread int) chunk {
	first := p.blocks.Start(int64(thread))
	c := chunk{first, p.blocks.Start(int64(thread) + 1), thread, 0, p.work.even * float64(first)}
	if p.before != nil {
		c.begin = p.before[thread]
	}
	return c
}

// add gives a chunk to a thread, whose length is still that before it, and tells the chunk's own.
func (p *plan) add(first, end int64, thread int) (length float64) {
	begin := p.work.before(first)
	p.of[thread] = append(p.of[thread], int32(len(p.chunks)))
	p.chunks = append(p.chunks, chunk{first, end, thread, p.length[thread], begin})
	return p.work.before(end) - begin
}

// roundRobin deals chunks of uneven work to the threads in turn.
func (p *plan) roundRobin(size int64) {
	p.length = make([]float64, p.threads)
	p.of = make([][]int32, p.threads)
	turns := schedule.NewTurns(p.work.n, p.threads, size)
	for k := range turns.Chunks() {
		first, end := turns.Range(k)
		owner := int(turns.Owner(k))
		p.length[owner] += p.add(first, end, owner)
	}
}

// greedy gives each chunk to the thread that is free first.
func (p *plan) greedy(rule schedule.Rule) {
	p.length = make([]float64, p.threads)
	p.of = make([][]int32, p.threads)
	if rule.Kind == schedule.Dynamic {
		rule.Chunk = max(rule.Chunk, p.coarse())
	}
	deal, team := schedule.NewDeal(rule, p.work.n, int(p.threads)), schedule.NewTeam(p.length)
	for {
		thread := team.Next()
		first, end := deal.Next(thread)
		if first >= end {
			return
		}
		team.Add(thread, p.add(first, end, thread))
	}
}

// elapsed is what all threads together have done when each that still runs has made u accesses.
func (p *plan) elapsed(u float64) (sum float64) {
	if p.length == nil {
		for i := range p.even {
			sum += float64(p.even[i].threads) * min(u, p.even[i].length)
		}
		return sum
	}
	if p.rising != nil {
		k := sort.SearchFloat64s(p.rising, u)
		return p.sums[k] + u*float64(len(p.rising)-k)
	}
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
	if p.length == nil {
		for i := range p.even {
			if p.even[i].length > u {
				n += int(p.even[i].threads)
			}
		}
		return n
	}
	if p.rising != nil {
		return len(p.rising) - sort.SearchFloat64s(p.rising, math.Nextafter(u, math.Inf(1)))
	}
	for _, v := range p.length {
		if v > u {
			n++
		}
	}
	return n
}

// chunkOf is the chunk that an iteration is in.
func (p *plan) chunkOf(iteration int64) chunk {
	if p.inBlock {
		return p.block(int(p.blocks.Owner(iteration)))
	}
	if p.evenly() {
		return p.turn(p.turns.At(iteration))
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
	case p.inBlock:
		c = p.block(thread)
	case p.evenly():
		c = p.turn(int64(v/(float64(p.turns.Chunk())*p.work.even))*p.threads + int64(thread))
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
	if p.inBlock {
		first, end := p.blocks.Start(int64(thread)), p.blocks.Start(int64(thread)+1)
		j, r := nextOf(runs, max(from, first))
		if j < 0 || j >= end {
			return chunk{}, -1, nil
		}
		return p.block(thread), j, r
	}
	if p.evenly() {
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

// nextInTurn is nextOwn of chunks that threads take in turn.
func (p *plan) nextInTurn(thread int64, runs []Run, from int64, most float64) (chunk, int64, *Run) {
	limit := p.turnsUntil(most)
	for range triesOfChunks {
		j, r := nextOf(runs, from)
		if j < 0 {
			break
		}
		number := p.turns.At(j)
		if number >= limit {
			break
		}
		next := p.turns.NextOf(thread, number)
		if next == number {
			return p.turn(number), j, r
		}
		from, _ = p.turns.Range(next)
	}
	return chunk{}, -1, nil
}

// turnsUntil is the number of the first chunk that begins when its thread has made so many accesses or more.
func (p *plan) turnsUntil(accesses float64) int64 {
	rounds := math.Ceil(accesses / (float64(p.turns.Chunk()) * p.work.even))
	if rounds >= float64(math.MaxInt64/p.threads) {
		return math.MaxInt64
	}
	return int64(max(rounds, 0)) * p.threads
}

// triesOfChunks bounds the search for an iteration that is in the runs and in a thread's chunks, which need not meet. Chosen: where they do, a
// few suffice.
const triesOfChunks = 64

// span is from the first to the last iteration of runs; that of none ends before it begins.
func span(runs []Run) (lo, hi int64) {
	lo, hi = math.MaxInt64, -1
	for i := range runs {
		lo, hi = min(lo, runs[i].First), max(hi, runs[i].last())
	}
	return lo, hi
}

// reach lists the threads of a range that may have iterations between the first and the last of the runs, ascending,
// in place of what list holds.
func (p *plan) reach(lo, hi int64, first, end int, list []int) []int {
	list = list[:0]
	if hi < lo {
		return list
	}
	switch {
	case p.inBlock:
		first, end = max(first, int(p.blocks.Owner(lo))), min(end, int(p.blocks.Owner(hi))+1)
	case p.evenly() && p.turns.At(hi)-p.turns.At(lo) < p.threads-1:
		for n := p.turns.At(lo); n <= p.turns.At(hi); n++ {
			list = within(list, int(p.turns.Owner(n)), first, end)
		}
		return ascending(list)
	case !p.evenly():
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

// within adds a thread to a list if it is in a range.
func within(list []int, thread, first, end int) []int {
	if thread < first || thread >= end {
		return list
	}
	return append(list, thread)
}

// ascending sorts a list and takes each thread once.
func ascending(list []int) []int {
	slices.Sort(list)
	return slices.Compact(list)
}
