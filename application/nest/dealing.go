package nest

// Deal hands out the iterations of one execution of a worksharing loop to a team, as libgomp does.
type Deal struct {
	work       *Work
	iterations int64
	threads    int64
	taken      int64   // of dynamic and guided schedules
	rounds     []int64 // of the others, by thread
}

// NewDeal begins the dealing of a number of iterations to a number of threads.
func NewDeal(w *Work, iterations int64, threads int) *Deal {
	return &Deal{work: w, iterations: iterations, threads: int64(threads), rounds: make([]int64, threads)}
}

// Next gives the iterations first … end−1 that a thread runs next; first ≥ end when there are none.
func (d *Deal) Next(thread int) (first, end int64) {
	switch d.work.Schedule {
	case Dynamic:
		return d.take(max(d.work.Chunk, 1))
	case Guided:
		left := d.iterations - d.taken
		return d.take(max((left+d.threads-1)/d.threads, d.work.Chunk, 1))
	}
	round := d.rounds[thread]
	d.rounds[thread]++
	if d.work.Schedule == StaticChunk && d.work.Chunk > 0 {
		first = (round*d.threads + int64(thread)) * d.work.Chunk
		return first, min(first+d.work.Chunk, d.iterations)
	}
	if round > 0 {
		return 0, 0
	}
	return blockStart(int64(thread), d.iterations, d.threads), blockStart(int64(thread)+1, d.iterations, d.threads)
}

func (d *Deal) take(n int64) (first, end int64) {
	first = d.taken
	d.taken = min(d.taken+n, d.iterations)
	return first, d.taken
}
