package conflict

import (
	"cmp"
	"context"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"foresee/application/nest"
	"foresee/model/cache"
	"foresee/model/reuse"
)

// Options say which caches conflicts are counted in, and how much may be spent.
type Options struct {
	Levels  []cache.Level // innermost first
	Page    int64         // bytes of the pages that lie anywhere in memory; 0: data lie in order
	Seed    uint64
	Work    int64 // in steps of about 10 ns; default defaultWork
	Workers int   // default: one a core
	// Prior is the probability of a hit in a level, or one further in, of a reuse that was not followed to its end.
	Prior func(level int, distance float64, class int32) float64
}

// How much is spent. All are chosen.
const (
	defaultWork = 15_000_000
	firstWalks  = 4   // reuses of a stratum that are followed before the rest is split
	fewest      = 400 // strata have at least one in so many of the reuses, if there are as many of a kind
	mostOfAll   = 30  // one walk takes at most one part in so many of the work
)

// spread is the number of sets that all levels and pages agree on: a power of two.
func (o *Options) spread(line int64) int64 {
	spread := int64(1) << 40
	least := func(n int64) { spread = min(spread, n&-n) }
	for _, l := range o.Levels {
		least(l.Lines / l.Ways)
	}
	if o.Page > line {
		least(o.Page / line)
	}
	return spread
}

// Hits are the hit rates of classes of reuses, cumulative, by level and class; NaN where they were not counted.
type Hits [][]float64

// Count follows reuses of a sample through the levels.
func Count(ctx context.Context, s *nest.Stream, sampled *reuse.Sampled, o Options) (Hits, error) {
	if o.Work <= 0 {
		o.Work = int64(workEnv)
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	c := &counter{ctx: ctx, stream: s, sampled: sampled, o: o}
	c.stratify()
	c.lifetimes()
	if err := c.follow(c.first()); err != nil {
		return nil, err
	}
	for round := range rounds {
		if err := c.follow(c.more((o.Work - c.spent) / int64(rounds-round))); err != nil {
			return nil, err
		}
	}
	return c.hits(), nil
}

// rounds is how often the rest of the work is split by what is known. Chosen.
const rounds = 3

// stratum is reuses of the same kind whose intervals are alike.
type stratum struct {
	classes []int32
	members []int // draws, by position
	next    int   // members that were followed
	order   []int // of members, so that any number of the first are spread evenly
	sum     []float64
	n       float64
	work    int64
}

// counter holds the state of one Count.
type counter struct {
	ctx     context.Context
	stream  *nest.Stream
	sampled *reuse.Sampled
	o       Options
	strata  []*stratum
	warm    int64 // accesses before a use that a walk begins
	spent   int64
	done    atomic.Int64
}

// stratify joins neighbouring classes of a kind until they have enough members. Reuses of so few accesses that no set can overflow are hits,
// and left out.
func (c *counter) stratify() {
	members := make([][]int, len(c.sampled.Kinds))
	for i, d := range c.sampled.Draws {
		if d.Class >= 0 && d.Interval > c.o.Levels[0].Ways {
			members[d.Class] = append(members[d.Class], i)
		}
	}
	var order []int32
	for class := range members {
		if len(members[class]) > 0 {
			order = append(order, int32(class))
		}
	}
	kinds := c.sampled.Kinds
	compare := func(a, b int32) int {
		x, y := &kinds[a], &kinds[b]
		return cmp.Or(x.Source-y.Source, x.Sink-y.Sink, x.Level-y.Level, x.Bin-y.Bin)
	}
	slices.SortFunc(order, compare)
	enough := len(c.sampled.Draws) / fewest
	for i, class := range order {
		var s *stratum
		if i > 0 {
			x, y := &kinds[order[i-1]], &kinds[class]
			s = c.strata[len(c.strata)-1]
			if len(s.members) >= enough || x.Source != y.Source || x.Sink != y.Sink || x.Level != y.Level {
				s = nil
			}
		}
		if s == nil {
			s = &stratum{sum: make([]float64, len(c.o.Levels))}
			c.strata = append(c.strata, s)
		}
		s.classes = append(s.classes, class)
		s.members = append(s.members, members[class]...)
	}
	for _, s := range c.strata {
		slices.Sort(s.members)
		s.order = scattered(len(s.members))
	}
}

// scattered lists 0 … n−1 so that the first of them are spread over all: by the van der Corput sequence.
func scattered(n int) []int {
	out := make([]int, 0, n)
	span := 1
	for span < n {
		span *= 2
	}
	for i := range span {
		x, r := i, 0
		for b := 1; b < span; b *= 2 {
			r, x = r*2+x&1, x/2
		}
		if r < n {
			out = append(out, r)
		}
	}
	return out
}

// lifetimes finds how long the levels keep a line.
func (c *counter) lifetimes() {
	levels := c.o.Levels
	outer := levels[max(len(levels)-2, 0)]
	c.warm = int64(math.Min(warmFactor*c.sampled.Intervals.Lifetime(float64(outer.Lines)), float64(c.stream.Len())))
}

var warmFactor = env("WARM", 1)
var perInterval = env("PER", 4)
var workEnv = env("WORK", defaultWork)

func env(name string, d float64) float64 {
	if v, err := strconv.ParseFloat(os.Getenv(name), 64); err == nil {
		return v
	}
	return d
}

// walk is a reuse to be followed.
type walk struct {
	stratum *stratum
	draw    int
	most    int64 // work
	out     outcome
}

// first are the walks of the first round.
func (c *counter) first() (out []walk) {
	most := c.o.Work / mostOfAll
	for _, s := range c.strata {
		out = s.take(firstWalks, most, out)
	}
	return out
}

// take lists the next n reuses of a stratum.
func (s *stratum) take(n int, most int64, out []walk) []walk {
	for ; n > 0 && s.next < len(s.members); n-- {
		out = append(out, walk{stratum: s, draw: s.members[s.order[s.next]], most: most})
		s.next++
	}
	return out
}

// more splits work over the strata by their weight, by how much they differ, and by what a walk costs.
func (c *counter) more(work int64) (out []walk) {
	if work <= 0 {
		return nil
	}
	total := 0.0
	need := make([]float64, len(c.strata))
	cost := make([]float64, len(c.strata))
	for i, s := range c.strata {
		if s.next == len(s.members) {
			continue
		}
		cost[i] = math.Max(float64(s.work)/s.n, 100)
		need[i] = float64(len(s.members)) * s.deviation() / math.Sqrt(cost[i])
		total += need[i] * cost[i]
	}
	for i, s := range c.strata {
		if n := int(need[i] * float64(work) / total); n > 0 {
			out = s.take(n, c.o.Work/mostOfAll, out)
		}
	}
	return out
}

// deviation is the greatest standard deviation of an outcome at any level, with half a hit and half a miss more than were seen.
func (s *stratum) deviation() float64 {
	most := 0.0
	for _, sum := range s.sum {
		p := (sum + 0.5) / (s.n + 1)
		most = math.Max(most, math.Sqrt(p*(1-p)))
	}
	return most
}

// follow walks, in parallel, and takes down what was found.
func (c *counter) follow(walks []walk) error {
	var next atomic.Int64
	errs := make([]error, min(c.o.Workers, len(walks)))
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() {
			w := newWalker(c.stream, &c.o)
			for {
				n := int(next.Add(1)) - 1
				if n >= len(walks) || errs[i] != nil {
					return
				}
				d := &c.sampled.Draws[walks[n].draw]
				w.most = walks[n].most
				walks[n].out, errs[i] = w.reuse(d.Position, d.Position+d.Interval, min(c.warm, int64(perInterval*float64(d.Interval))+1000))
				if errs[i] == nil {
					errs[i] = c.ctx.Err()
				}
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

// note adds the outcome of a walk.
func (c *counter) note(w *walk) {
	s, d := w.stratum, &c.sampled.Draws[w.draw]
	s.n++
	s.work += w.out.work
	c.spent += w.out.work
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
func (c *counter) hits() Hits {
	out := make(Hits, len(c.o.Levels))
	for l := range out {
		out[l] = make([]float64, len(c.sampled.Kinds))
		for i := range out[l] {
			out[l][i] = math.NaN()
		}
		for _, s := range c.strata {
			for _, class := range s.classes {
				if s.n > 0 {
					out[l][class] = s.sum[l] / s.n
				}
			}
		}
	}
	return out
}
