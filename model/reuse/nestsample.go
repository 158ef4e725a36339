package reuse

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"foresee/application/nest"
)

// SampleOptions steer Sample. The zero value takes the defaults.
type SampleOptions struct {
	Seed     uint64
	Reuses   int     // reuses drawn; default 60 000, less in a stream of many threads
	Searches int     // next uses solved for to estimate distances; default 400 000, less in a stream of many threads
	Effort   float64 // share of the defaults that is taken, above 0 and at most 1; 0: all
	Workers  int     // default: one a core
	Draws    bool    // keep the draws
	Lines    float64 // that the stream touches, of all groups together, where they were counted before; 0: they are counted
	// Progress is called now and then with what is done and what there is to do.
	Progress func(done, total int)
}

// How large a sample is. All are chosen: with these the miss ratio curves of the 61 kernels are off by 0.1
// percentage points in the mean (docs/accuracy/cache.md).
const (
	defaultReuses   = 60_000  // reuses drawn
	defaultSearches = 400_000 // next uses solved for
	parts           = 16      // of a sample, for standard errors; also the unit of parallel work
	windowsAtFirst  = 16      // reuses of a class that are looked into before the budget is split
	searchesAtFirst = 48      // places looked at in each
	binWidth        = 1.05    // factor between the longest and the shortest interval of a class
)

// withDefaults fills in what is not set. A search in a stream of g threads looks into g streams, so that the work
// would grow with g; with √g fewer searches it grows half as fast.
func (o SampleOptions) withDefaults(group int) SampleOptions {
	share := 1 / math.Sqrt(float64(group))
	if o.Effort > 0 {
		share *= min(o.Effort, 1)
	}
	if o.Reuses <= 0 {
		o.Reuses = max(int(defaultReuses*share), parts)
	}
	if o.Searches <= 0 {
		o.Searches = int(defaultSearches * share)
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	return o
}

// Sampled is what Sample finds: distributions of reuse distance and reuse interval, in lines and accesses.
// Weights are shares of the stream's accesses times its length.
type Sampled struct {
	Distances *Distribution
	Intervals *Distribution
	Accesses  int64
	Reuses    int // drawn
	// Last counts, by reference, the drawn accesses whose line is never used again. As every line has one first
	// and one last use, and both belong to the same walk over an object as a rule, it stands for the cold ones.
	Last []int
	// Elsewhere counts, by reference, the accesses that come to a line which only other groups of threads have used before: first uses of their
	// group, of lines that are not new. Their weight is that of Last; nil where there are none or they are not told apart.
	Elsewhere []int
	// Draws are the accesses that were drawn, by position; empty unless SampleOptions.Draws.
	Draws []Draw
	Kinds []Kind // of the classes
}

// Kind is what the reuses of a class have in common.
type Kind struct {
	Source, Sink int // references that make the use and the reuse
	Level        int // number of loops that both share iterations of
	Bin          int // of the interval: neighbouring bins differ by a factor of 1.05
}

// Draw is one access drawn from a stream.
type Draw struct {
	Position int64
	Interval int64   // to the next use of its line; 0: never used again
	Distance float64 // the same in distinct lines
	Class    int32   // of reuses that are alike; −1 where the interval is 0 or 1
	Source   int32   // the reference that makes the access
	Sink     int32   // the one that uses the line next; of no meaning where the interval is 0
	Level    int16   // number of loops that both share iterations of
}

// drawn is an access that was drawn, and the next use of its line.
type drawn struct {
	at       int64
	interval int64 // 0: never used again
	source   int32 // reference
	key      classKey
	class    int32
}

// classKey tells classes of reuses apart.
type classKey struct {
	source, sink int32 // references that make the use and the reuse
	level        int16 // number of loops that both share iterations of
	bin          int16 // of the interval: its logarithm to the base binWidth
}

// sampler holds the state of one Sample.
type sampler struct {
	ctx     context.Context
	s       *nest.Stream
	o       SampleOptions
	reuses  []drawn
	classes []*class
	done    atomic.Int64
	total   int64
}

// Sample estimates the distributions of a stream by class stack distance. It gives the same answer for the same
// seed, whatever the number of workers.
func Sample(ctx context.Context, s *nest.Stream, o SampleOptions) (*Sampled, error) {
	o = o.withDefaults(s.Options().Group)
	z := &sampler{ctx: ctx, s: s, o: o, total: int64(o.Reuses + o.Searches)}
	out := &Sampled{Accesses: s.Len(), Distances: &Distribution{}, Intervals: &Distribution{}}
	if s.Len() == 0 {
		return out, nil
	}
	if err := z.draw(); err != nil {
		return nil, err
	}
	z.classify()
	if err := z.measure(); err != nil {
		return nil, err
	}
	cold, off, err := z.cold()
	if err != nil {
		return nil, err
	}
	z.collect(out, cold, off)
	return out, nil
}

// cold is the number of first uses and its standard error: counted, when every access was drawn, since a line has as many as last uses.
func (z *sampler) cold() (number, standardError float64, err error) {
	if z.o.Lines > 0 {
		return z.o.Lines, 0, nil
	}
	if int64(len(z.reuses)) < z.s.Len() {
		return z.s.Footprint(z.o.Seed)
	}
	n := 0.0
	for i := range z.reuses {
		if z.reuses[i].interval == 0 {
			n++
		}
	}
	return n, 0, nil
}

// draw takes one access at random from each of many equal pieces of the stream and solves for its next use.
func (z *sampler) draw() error {
	n := z.o.Reuses
	if int64(n) > z.s.Len() {
		n = int(z.s.Len())
	}
	z.reuses = make([]drawn, n)
	length := float64(z.s.Len())
	return z.parallel(parts, func(part int, k *nest.Cursor) error {
		rng := rand.New(rand.NewPCG(z.o.Seed, uint64(part)))
		for i := part; i < n; i += parts {
			at := int64((float64(i) + rng.Float64()) / float64(n) * length)
			d, err := z.drawAt(k, min(at, z.s.Len()-1))
			if err != nil {
				return err
			}
			z.reuses[i] = d
		}
		z.progress(n / parts)
		return z.ctx.Err()
	})
}

// drawAt is the access at a position, with the next use of its line.
func (z *sampler) drawAt(k *nest.Cursor, at int64) (drawn, error) {
	place := k.At(at)
	use, err := k.Next()
	if err != nil || use.Position == nest.Never {
		return drawn{at: at, class: -1, source: int32(place.Reference)}, err
	}
	interval := use.Position - at
	return drawn{at: at, interval: interval, class: -1, source: int32(place.Reference), key: classKey{
		source: int32(place.Reference), sink: int32(use.Reference), level: int16(use.Level),
		bin: int16(math.Log(float64(interval)) / math.Log(binWidth)),
	}}, nil
}

// parallel runs n tasks, each with a cursor of its worker's.
func (z *sampler) parallel(n int, task func(i int, k *nest.Cursor) error) error {
	var next atomic.Int64
	errs := make([]error, n)
	var group sync.WaitGroup
	for range min(z.o.Workers, n) {
		group.Go(func() {
			k := z.s.Cursor()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if errs[i] = task(i, k); errs[i] != nil {
					next.Add(int64(n)) // let the others stop
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
	return nil
}

// progress counts n searches as done.
func (z *sampler) progress(n int) {
	done := z.done.Add(int64(n))
	if z.o.Progress != nil {
		z.o.Progress(int(min(done, z.total)), int(z.total))
	}
}

// classify groups the reuses that need an estimate of their distance.
func (z *sampler) classify() {
	index := map[classKey]int32{}
	for i := range z.reuses {
		d := &z.reuses[i]
		if d.interval <= 1 {
			continue
		}
		id, ok := index[d.key]
		if !ok {
			id = int32(len(z.classes))
			index[d.key] = id
			z.classes = append(z.classes, &class{key: d.key})
		}
		d.class = id
		z.classes[id].members = append(z.classes[id].members, i)
	}
}

// collect turns reuses and class estimates into distributions. cold is the number of cold accesses, off its standard error.
func (z *sampler) collect(out *Sampled, cold, off float64) {
	out.Reuses = len(z.reuses)
	finite := 0
	for i := range z.reuses {
		if z.reuses[i].interval > 0 {
			finite++
		}
	}
	length := float64(z.s.Len())
	cold = min(cold, length)
	if finite == 0 {
		cold = length
	}
	weight := 0.0
	if finite > 0 {
		weight = (length - cold) / float64(finite)
	}
	out.Last = make([]int, z.s.References())
	for i := range z.reuses {
		if z.reuses[i].interval == 0 {
			out.Last[z.reuses[i].source]++
		}
	}
	for _, d := range []*Distribution{out.Distances, out.Intervals} {
		d.Cold, d.ColdError = cold, off
		d.Parts = make([]float64, parts)
		for i := range d.Parts {
			d.Parts[i] = cold / parts
		}
	}
	most := math.Inf(1) // there are no more lines than the stream touches
	if z.s.Groups() == 1 {
		most = math.Max(math.Ceil(cold)-1, 0)
	}
	out.Intervals.Points, out.Distances.Points = make([]Point, 0, finite), make([]Point, 0, finite)
	if z.o.Draws {
		out.Draws = make([]Draw, 0, len(z.reuses))
	}
	rank := make([]int, len(z.classes))
	for i, d := range z.reuses {
		if z.o.Draws {
			out.Draws = append(out.Draws, Draw{Position: d.at, Interval: d.interval, Class: d.class, Source: d.source, Sink: d.key.sink, Level: d.key.level})
		}
		if d.interval == 0 {
			continue
		}
		p := Point{Weight: weight, Reference: d.key.sink, Class: d.class, Part: uint8(i % parts)}
		p.Value = float64(d.interval)
		out.Intervals.Points = append(out.Intervals.Points, p)
		p.Value = 0
		if d.class >= 0 {
			p.Value = math.Min(z.classes[d.class].distance(rank[d.class], d.interval), most)
			rank[d.class]++
		}
		if z.o.Draws {
			out.Draws[len(out.Draws)-1].Distance = p.Value
		}
		out.Distances.Points = append(out.Distances.Points, p)
	}
	for i, c := range z.classes {
		q := c.doubt(weight, z.reuses)
		q.Class = int32(i)
		out.Distances.Doubts = append(out.Distances.Doubts, q)
		out.Distances.Classes = append(out.Distances.Classes, c.apart())
		out.Kinds = append(out.Kinds, Kind{int(c.key.source), int(c.key.sink), int(c.key.level), int(c.key.bin)})
	}
	out.Distances.Sort()
	out.Intervals.Sort()
}
