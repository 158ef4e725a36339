package predict

import (
	"context"
	"fmt"
	"math"

	"foresee/application/nest"
	"foresee/machine"
	"foresee/model/reuse"
)

// Methods of analysis.
const (
	MethodClass = "class" // class stack distance on samples
	MethodAET   = "aet"   // average eviction time on sampled intervals
	MethodExact = "exact" // every access, enumerated
)

// exactLimit is the longest stream that MethodExact enumerates.
const exactLimit = 2_000_000_000

// Curves computes miss ratio curves.
func Curves(ctx context.Context, r CurveRequest) (*CurveResult, error) {
	line := lineOf(r.Line, r.Machines)
	out := &CurveResult{Header: newHeader(CurveSchema, r.Input, r.Warnings, r.Programs), LineBytes: line, Levels: marks(r.Machines)}
	job := &job{ctx: ctx, options: r.Options, meter: newMeter(r.Options.Progress, len(r.Programs)*len(r.Threads))}
	for _, p := range r.Programs {
		for _, t := range r.Threads {
			o, scope, err := streamOptions(t, r.Scope, line)
			if err != nil {
				return nil, err
			}
			c, err := job.curve(p, o, r)
			if err != nil {
				return nil, err
			}
			c.Scope = scope
			out.Curves = append(out.Curves, *c)
			job.meter.next()
		}
	}
	return out, nil
}

// job runs the analyses of one request.
type job struct {
	ctx     context.Context
	options Options
	meter   *meter
}

func (j *job) curve(p *nest.Program, o nest.Options, r CurveRequest) (*Curve, error) {
	s, err := nest.NewStream(p, o)
	if err != nil {
		return nil, err
	}
	c := &Curve{Region: p.Region, Threads: o.Threads, Accesses: s.Len(), Points: []CurvePoint{}}
	d, err := j.distribution(s, r.Method)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Region, err)
	}
	sizes := r.Sizes
	if len(sizes) == 0 {
		sizes = grid(d, o.Line, r.Machines)
	}
	lines := make([]float64, len(sizes))
	for i, b := range sizes {
		lines[i] = math.Floor(float64(b) / float64(o.Line))
	}
	ratios, errs := d.MissRatios(lines), d.MissErrors(lines)
	if r.Method == MethodAET {
		ratios, errs = d.AET(lines), make([]float64, len(lines))
	}
	for i := range sizes {
		c.Points = append(c.Points, CurvePoint{sizes[i], ratios[i], errs[i]})
	}
	return c, nil
}

// distribution is of distances, or of intervals for AET.
func (j *job) distribution(s *nest.Stream, method string) (*reuse.Distribution, error) {
	switch method {
	case MethodExact:
		h, err := j.exact(s, "distance")
		if err != nil {
			return nil, err
		}
		return h.Distribution(), nil
	case "", MethodClass, MethodAET:
	default:
		return nil, fmt.Errorf("unknown method %q; there are %s, %s and %s", method, MethodClass, MethodAET, MethodExact)
	}
	sampled, err := j.sample(s)
	if err != nil {
		return nil, err
	}
	if method == MethodAET {
		return sampled.Intervals, nil
	}
	return sampled.Distances, nil
}

func (j *job) sample(s *nest.Stream) (*reuse.Sampled, error) {
	return reuse.Sample(j.ctx, s, reuse.SampleOptions{
		Seed: j.options.Seed, Reuses: j.options.Samples, Workers: j.options.Workers,
		Progress: func(done, total int) { j.meter.part(float64(done) / float64(total)) },
	})
}

// exact enumerates a stream; the groups of threads have caches of their own.
func (j *job) exact(s *nest.Stream, measure string) (*reuse.Histogram, error) {
	if s.Len() > exactLimit {
		return nil, fmt.Errorf("%d accesses are too many to enumerate; use --method class or a smaller size", s.Len())
	}
	h := &reuse.Histogram{}
	e := reuse.NewExact()
	group, end := 0, s.GroupStart(1)
	s.Each(func(p nest.Place) bool {
		for p.Position >= end {
			group++
			end = s.GroupStart(group + 1)
			e = reuse.NewExact()
		}
		distance, interval, ok := e.Touch(LineID(p))
		switch {
		case !ok:
			h.Cold++
		case measure == "interval":
			h.Add(interval, 1)
		default:
			h.Add(distance, 1)
		}
		return p.Position%65536 != 0 || j.ctx.Err() == nil
	})
	return h, j.ctx.Err()
}

// LineID numbers the lines of all objects apart.
func LineID(p nest.Place) uint64 { return uint64(p.Object)<<44 + uint64(p.Line+1<<43) }

func lineOf(line int64, machines []*machine.Machine) int64 {
	if line != 0 {
		return line
	}
	if len(machines) > 0 {
		return int64(machines[0].LineBytes.Or(64))
	}
	return 64
}

func streamOptions(count int, scope string, line int64) (nest.Options, string, error) {
	switch scope {
	case "", "shared":
		return nest.Options{Threads: count, Group: count, Line: line}, "shared", nil
	case "private":
		return nest.Options{Threads: count, Group: 1, Line: line}, "private", nil
	}
	return nest.Options{}, "", fmt.Errorf("unknown scope %q; there are private and shared", scope)
}

// grid is geometric, four sizes an octave, from 16 lines to twice what the program touches or the largest cache.
func grid(d *reuse.Distribution, line int64, machines []*machine.Machine) []int64 {
	largest := float64(16 * line * 4)
	if n := len(d.Points); n > 0 {
		largest = max(largest, 2*(d.Points[n-1].Value+1)*float64(line))
	}
	for _, m := range marks(machines) {
		largest = max(largest, 1.5*float64(m.Bytes))
	}
	var sizes []int64
	for i := 0; ; i++ {
		b := int64(math.Round(16*math.Pow(2, float64(i)/4))) * line
		sizes = append(sizes, b)
		if float64(b) >= largest {
			return sizes
		}
	}
}

func marks(machines []*machine.Machine) []LevelMark {
	var out []LevelMark
	for _, m := range machines {
		for _, l := range m.Levels {
			if size, ok := l.Size.Get(); ok {
				out = append(out, LevelMark{m.Name, l.Name, int64(size)})
			}
		}
	}
	return out
}
