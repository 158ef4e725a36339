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
	length  []float64 // accesses by thread
	blocks  schedule.Blocks
	before  []float64      // of blocks: accesses of the iterations before each thread's; nil for others
	turns   schedule.Turns // of chunks of even work that threads take in turn; without a chunk for others
	chunks  []chunk        // of others, by first iteration
	of      [][]int32      // by thread: its chunks, ascending
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
	p := &plan{work: w, threads: int64(threads), length: space[:threads:threads]}
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
		p.inBlocks(space[threads : 2*threads+1])
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

// inBlocks gives each thread one block; space is room for a number by thread and one more.
func (p *plan) inBlocks(space []float64) {
	p.blocks, p.before = schedule.NewBlocks(p.work.n, p.threads), space
	for t := range p.length {
		p.before[t+1] = p.work.before(p.blocks.Start(int64(t) + 1))
		p.length[t] = p.before[t+1] - p.before[t]
	}
}

// inTurn lets threads take chunks of even work one after another.
func (p *plan) inTurn(size int64) {
	p.turns = schedule.NewTurns(p.work.n, p.threads, size)
	for t := range p.length {
		p.length[t] = float64(p.turns.Iterations(int64(t))) * p.work.even
	}
}

// turn is a chunk that comes in turn.
func (p *plan) turn(number int64) chunk {
	first, end := p.turns.Range(number)
	before := p.turns.Round(number) * p.turns.Chunk()
	return chunk{first, end, int(p.turns.Owner(number)), float64(before) * p.work.even, float64(first) * p.work.even}
}

func (p *plan) block(thread int) chunk {
	return chunk{p.blocks.Start(int64(thread)), p.blocks.Start(int64(thread) + 1), thread, 0, p.before[thread]}
}

// add gives a chunk to a thread, whose length is still that before it, and tells the chunk's own.
func (p *plan) add(first, end int64, thread int) (length float64) {
	begin := p.work.before(first)
	p.of[thread] = append(p.of[thread], int32(len(p.chunks)))
	p.chunks = append(p.chunks, chunk{first, end, thread, p.length[thread], begin})
	return p.work.before(end) - begin
}

func (p *plan) roundRobin(size int64) {
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
	if p.before != nil {
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
	case p.before != nil:
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
	if p.before != nil {
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
	case p.before != nil:
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
