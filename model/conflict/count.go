package conflict

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"foresee/application/nest"
	"foresee/model/cache"
	"foresee/model/reuse"
)

// Options say which caches conflicts are counted in, and how much may be spent.
type Options struct {
	Levels  []cache.Level // innermost first; each serves one thread, and replaces by LRU or tree-PLRU
	Page    int64         // bytes of the pages that lie anywhere in memory; 0: data lie in order
	Work    int64         // in steps of some 10 ns; default defaultWork
	Effort  float64       // share of the default that is taken, above 0 and at most 1; 0: all
	Workers int           // default: one a core
	// Prior is the probability of a hit in a level, or one further in, of a reuse that was not followed to its end.
	Prior func(level int, distance float64, class int32) float64
}

// How much is spent. All are chosen: so that a prediction takes at most half as long again, with errors below those of the sample.
const (
	defaultWork = 9_000_000
	rounds      = 3      // in which work is split by what the one before has shown
	wantedError = 0.0007 // of a hit rate, one standard error, from which on no more is done
	mostOfAll   = 40     // one walk takes at most one part in so many of the work
	// A walk begins before the use by as long as the last level but one keeps a line, and at most by so many times the interval, and so many
	// accesses.
	warmIntervals = 2
	warmAccesses  = 1000
	// Which line a level loses that does not replace by LRU depends on the order of all that came into the set: a walk begins longer before, by so many times, until the
	// set was filled so many times.
	timesFilled = 3
	warmLonger  = 4
	surelyLost  = 2 // so many times filled after the use, a set has lost the line in any case
)

// Hits are what was counted.
type Hits struct {
	Rates  [][]float64 // cumulative hit rates by level and class of reuses; NaN where nothing was counted
	Errors []float64   // by level: the standard error, of the whole stream's hit rate, that counting some of the reuses makes
}

// Count follows reuses of a sample, which has its draws, through the levels. Work is counted, not timed: the same options give the same result
// with any number of workers.
func Count(ctx context.Context, s *nest.Stream, sampled *reuse.Sampled, o Options) (*Hits, error) {
	if o.Work <= 0 {
		o.Work = defaultWork
		if o.Effort > 0 {
			o.Work = int64(defaultWork * min(o.Effort, 1))
		}
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	c := &counter{ctx: ctx, stream: s, sampled: sampled, o: o, strata: stratify(sampled, o.Levels)}
	c.warm, c.longest = c.lifetime(max(len(o.Levels)-2, 0)), c.lifetime(len(o.Levels)-1)
	if slices.ContainsFunc(o.Levels, func(l cache.Level) bool { return l.Replacement != cache.LRU }) {
		c.warm = c.longest
	}
	if err := c.follow(c.first()); err != nil {
		return nil, err
	}
	for round := range rounds {
		if err := c.follow(c.more(float64(o.Work) * float64(round+1) / rounds)); err != nil {
			return nil, err
		}
	}
	return c.hits(), nil
}

// counter holds the state of one Count.
type counter struct {
	ctx     context.Context
	stream  *nest.Stream
	sampled *reuse.Sampled
	o       Options
	strata  []*stratum
	warm    int64 // accesses before a use that a walk begins, at most
	longest int64 // the same, where the outcome hangs on what the sets held before
}

// lifetime is for how many accesses a level keeps a line that is not used.
func (c *counter) lifetime(level int) int64 {
	lines := float64(c.o.Levels[level].Lines)
	return int64(math.Min(c.sampled.Intervals.Lifetime(lines), float64(c.stream.Len())))
}

// walk is a reuse to be followed.
type walk struct {
	stratum *stratum
	draw    int
	most    int64 // work
	out     outcome
}

// follow walks, in parallel, and takes down what was found.
func (c *counter) follow(walks []walk) error {
	var next atomic.Int64
	errs := make([]error, min(c.o.Workers, len(walks)))
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() {
			w := newWalker(c.stream, &c.o)
			for n := next.Add(1) - 1; int(n) < len(walks) && errs[i] == nil; n = next.Add(1) - 1 {
				errs[i] = c.walk(w, &walks[n])
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	for i := range walks {
		c.note(&walks[i])
	}
	return nil
}

// walk follows one reuse.
func (c *counter) walk(w *walker, x *walk) (err error) {
	d := &c.sampled.Draws[x.draw]
	w.most = x.most
	warm := min(c.warm, warmIntervals*d.Interval+warmAccesses)
	x.out, err = w.reuse(d.Position, d.Position+d.Interval, warm)
	for work := x.out.work; err == nil && x.out.ended && warm < c.longest && w.doubtful(); {
		warm *= warmLonger
		var longer outcome
		longer, err = w.reuse(d.Position, d.Position+d.Interval, warm)
		if work += longer.work; longer.ended {
			x.out = longer
		}
		x.out.work = work
	}
	if err == nil {
		err = c.ctx.Err()
	}
	return err
}

// note adds the outcome of a walk.
func (c *counter) note(w *walk) {
	s, d := w.stratum, &c.sampled.Draws[w.draw]
	s.n++
	s.work += w.out.work
	for l := range s.sum {
		hit, known := w.out.hit(l)
		switch {
		case !known:
			s.sum[l] += c.o.Prior(l, d.Distance, d.Class)
		case hit:
			s.sum[l]++
		}
	}
}

// hits gives the shares by class.
func (c *counter) hits() *Hits {
	out := &Hits{Rates: make([][]float64, len(c.o.Levels)), Errors: make([]float64, len(c.o.Levels))}
	for l := range out.Rates {
		out.Rates[l] = make([]float64, len(c.sampled.Kinds))
		for i := range out.Rates[l] {
			out.Rates[l][i] = math.NaN()
		}
		variance := 0.0
		for _, s := range c.strata {
			if s.n == 0 {
				continue
			}
			for _, class := range s.classes {
				out.Rates[l][class] = s.sum[l] / s.n
			}
			x := c.weight(s) * s.deviation(l)
			variance += x * x / s.n * (1 - s.n/float64(len(s.members)))
		}
		out.Errors[l] = math.Sqrt(variance)
	}
	return out
}

// weight is the share of all accesses that a stratum stands for.
func (c *counter) weight(s *stratum) float64 {
	return float64(len(s.members)) / float64(len(c.sampled.Draws))
}
