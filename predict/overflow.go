package predict

import (
	"math"

	"foresee/application/nest"
	"foresee/machine"
	"foresee/model/reuse"
)

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
	if p.ThreadsModel != ThreadsSymbolic || p.Accesses == 0 {
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
