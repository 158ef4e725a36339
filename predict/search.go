package predict

import (
	"maps"
	"math"
	"slices"

	"foresee/application/nest"
	"foresee/machine"
	"foresee/model/reuse"
)

// trial is the predictions of one region on one machine, each made once.
type trial struct {
	request *Request
	demands demands
	known   map[int]*Prediction
}

// at is the prediction at a number of threads; nil where it did not run with that number.
func (t *trial) at(threads int) (*Prediction, error) {
	if p, ok := t.known[threads]; ok {
		return p, nil
	}
	p, err := t.request.predict(t.demands, threads)
	if err == nil {
		t.known[threads] = p
	}
	return p, err
}

// within are the numbers of threads that a machine has cores for, where only those are wanted.
func (r *Request) within(m *machine.Machine) []int {
	cores := m.TotalCores()
	if !r.WithinCores || cores == 0 {
		return r.Threads
	}
	out := slices.DeleteFunc(slices.Clone(r.Threads), func(t int) bool { return t > cores })
	if !slices.Contains(out, cores) && r.Fastest {
		out = append(out, cores)
	}
	return out
}

// Coarse are numbers of threads from 1 to a machine's cores, each a third to a half more than the one before: 1, 2, 3, 4, 6, 8, 12, …
func Coarse(cores int) (out []int) {
	for n := 1; n < cores; n *= 2 {
		out = append(out, n)
		if more := n + n/2; n > 1 && more < cores {
			out = append(out, more)
		}
	}
	return append(out, max(cores, 1))
}

// mostTried is how many numbers of threads are tried at a time between two that were. Chosen: dealing iterations evenly makes times jump by as
// much as the remainder of a division, so that few would miss the best.
const mostTried = 8

// Enough is the share of the best speed that is nearly as good. Chosen: what is left is less than the models are off by.
const Enough = 0.9

// fastest searches the number of threads with the least time: among some, then between the neighbours of the best, ever closer. It gives one
// thread, the best, those beside it, those next to it among the first, and the fewest that are nearly as good; without times all that were tried.
func (t *trial) fastest(counts []int) ([]int, error) {
	best, err := t.least(counts)
	if err != nil || best == 0 {
		return counts, err
	}
	shown := []int{1, best}
	i := slices.Index(counts, best)
	for _, j := range []int{i - 1, i + 1} {
		if j >= 0 && j < len(counts) {
			shown = append(shown, counts[j])
		}
	}
	if t.request.Signature.Streams == nil {
		if best, err = t.closeIn(counts, best); err != nil {
			return nil, err
		}
		shown = append(shown, best)
		for _, n := range []int{best - 1, best + 1} {
			if n >= 1 && n <= counts[len(counts)-1] {
				shown = append(shown, n)
			}
		}
		few, err := t.enough(best)
		if err != nil {
			return nil, err
		}
		shown = append(shown, few)
	}
	slices.Sort(shown)
	return slices.Compact(shown), nil
}

// closeIn tries numbers between the neighbours of the best until all beside it were tried.
func (t *trial) closeIn(counts []int, best int) (int, error) {
	for {
		tried := slices.Sorted(maps.Keys(t.known))
		i := slices.Index(tried, best)
		low, high := tried[max(i-1, 0)], tried[min(i+1, len(tried)-1)]
		step := max((high-low)/mostTried, 1)
		var next []int
		for n := low + step; n < high; n += step {
			next = append(next, n)
		}
		for _, n := range []int{best - 1, best + 1} {
			if n > low && n < high {
				next = append(next, n)
			}
		}
		next = slices.DeleteFunc(next, func(n int) bool { _, tried := t.known[n]; return tried })
		if len(next) == 0 {
			return best, nil
		}
		found, err := t.least(append(next, best))
		if err != nil {
			return 0, err
		}
		best = found
	}
}

// least is the number of threads with the least time, the smallest of equals; 0 where there is no time.
func (t *trial) least(counts []int) (int, error) {
	best, least := 0, 0.0
	for _, n := range counts {
		p, err := t.at(n)
		if err != nil {
			return 0, err
		}
		if p == nil || p.TimeS == nil {
			continue
		}
		if best == 0 || *p.TimeS < least || *p.TimeS == least && n < best {
			best, least = n, *p.TimeS
		}
	}
	return best, nil
}

// enough is the fewest threads that are nearly as fast as the best, by halving the distance to the most that are not.
func (t *trial) enough(best int) (int, error) {
	nearly := func(n int) bool {
		p := t.known[n]
		return p != nil && p.TimeS != nil && *p.TimeS*Enough <= *t.known[best].TimeS
	}
	low, high := 0, best
	for _, n := range slices.Sorted(maps.Keys(t.known)) {
		if nearly(n) {
			high = n
			break
		}
		low = n
	}
	for high-low > 1 {
		middle := (low + high) / 2
		if _, err := t.at(middle); err != nil {
			return 0, err
		}
		if nearly(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high, nil
}

// overflow is when the last shared level of a machine is too small for a program.
type overflow struct {
	level   *machine.Level
	lines   float64
	ratio   float64 // bound of the miss ratio
	threads *int    // that miss more
}

// onePoint is how much more than one thread a team may miss where no bound was asked for: a percentage
// point. Chosen.
const onePoint = 0.01

// mostSharers bounds the search for the number of threads that a level is too small for. Chosen: more than cores share a
// cache.
const mostSharers = 1024

// sharedCache answers for a prediction made from a signature.
func (q *query) sharedCache(p *Prediction) (*SharedCache, error) {
	if p.ThreadsModel != ThreadsSymbolic || p.Accesses == 0 || q.analysis.options.Warm { // first uses, which it is about, are none then
		return nil, nil
	}
	if q.overflow == nil {
		o, err := q.findOverflow()
		if err != nil || o == nil {
			return nil, err
		}
		q.overflow = o
	}
	o := q.overflow
	line := int64(q.on.Line(o.level))
	d, err := q.distancesOf(p.Threads, p.Threads, line)
	if err != nil {
		return nil, err
	}
	out := &SharedCache{
		Level: o.level.Name, Bytes: int64(o.lines) * line, Cores: o.level.SharedBy.Or(1), MissRatio: o.ratio, OverflowThreads: o.threads,
	}
	if lines, ok := d.Smallest(o.ratio); ok {
		bytes := int64(lines) * line
		out.SmallestBytes = &bytes
	}
	return out, nil
}

// distancesOf are those of caches that groups of that many threads share.
func (q *query) distancesOf(count, group int, line int64) (*reuse.Distribution, error) {
	s, err := q.analysis.places.sampled(q.analysis.program, nest.Options{Threads: count, Group: group, Line: line})
	if err != nil {
		return nil, err
	}
	return s.Distances, nil
}

// findOverflow looks for the fewest threads that miss too often in the last shared level; nil when there is none, or
// its size is not known.
func (q *query) findOverflow() (*overflow, error) {
	var o overflow
	for i := range q.on.Levels {
		l := &q.on.Levels[i]
		if size, ok := l.Capacity(); ok && l.SharedBy.Or(1) > 1 {
			o.level, o.lines = l, math.Floor(float64(size)/float64(q.on.Line(l)))
		}
	}
	if o.level == nil {
		return nil, nil
	}
	misses := func(n int) (float64, error) {
		d, err := q.distancesOf(n, n, int64(q.on.Line(o.level)))
		if err != nil {
			return 0, err
		}
		return d.MissRatios([]float64{o.lines})[0], nil
	}
	one, err := misses(1)
	if err != nil {
		return nil, err
	}
	if o.ratio = q.analysis.options.MissRatio; o.ratio == 0 {
		o.ratio = min(one+onePoint, 1)
	}
	most := min(o.level.SharedBy.Or(1), mostSharers)
	fits := 0 // threads known to miss no more
	for n := 1; n <= most; n = min(n+max(n/2, 1), max(most, n+1)) {
		more, err := misses(n)
		if err != nil {
			return nil, err
		}
		if more > o.ratio {
			o.threads, err = firstAbove(fits, n, o.ratio, misses)
			return &o, err
		}
		fits = n
	}
	return &o, nil
}

// firstAbove narrows fits < n ≤ above to the fewest threads that miss more.
func firstAbove(fits, above int, ratio float64, misses func(int) (float64, error)) (*int, error) {
	for above-fits > 1 {
		mid := (fits + above) / 2
		m, err := misses(mid)
		if err != nil {
			return nil, err
		}
		if m > ratio {
			above = mid
		} else {
			fits = mid
		}
	}
	return &above, nil
}
