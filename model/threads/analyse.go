package threads

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"

	"foresee/application/nest"
	"foresee/model/reuse"
)

// AnalyseOptions steer Analyse. The zero value takes the defaults.
type AnalyseOptions struct {
	Line    int64 // bytes; default 64
	Samples int   // accesses that the signature holds, about; default 3072
	Seed    uint64
	Effort  float64 // share of the default samples and searches that is taken, above 0 and at most 1; 0: all
	Workers int     // default: one a core
	// Stream is that of the program, of one thread and undealt, with lines of this length, where it was made before; nil: it is made.
	Stream *nest.Stream
	Lines  float64 // that the program touches, where they were counted before; 0: they are counted
	// Progress is called now and then with what is done and what there is to do.
	Progress func(done, total int)
}

// How much a signature holds. All are chosen: what more would tell makes a signature larger and slower to ask.
const (
	defaultSamples = 3072 // accesses
	leastSamples   = 256  // with however little effort
	// A shape tells how many accesses come before some iterations of a loop, its knots: knots of them where they suffice, else manyKnots,
	// and mostKnots where the iterations differ without order, until there are allKnots in a signature; then manyKnots must do.
	knots     = 9
	manyKnots = 33
	mostKnots = 2049
	allKnots  = 1 << 18
	mostLater = 3  // later executions of loops that are looked at for the next use of a line
	mostLeaps = 40 // leaps to such uses, of which many may be by one piece of serial code
)

// Analyse makes the signature of a program. A *nest.RedundantError tells code that no signature can stand for.
func Analyse(ctx context.Context, p *nest.Program, o AnalyseOptions) (*Signature, error) {
	if o.Line == 0 {
		o.Line = 64
	}
	if o.Samples <= 0 {
		o.Samples = defaultSamples
		if o.Effort > 0 {
			o.Samples = max(int(defaultSamples*min(o.Effort, 1)), leastSamples)
		}
	}
	s := o.Stream
	if s == nil {
		var err error
		if s, err = nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: o.Line, Undealt: true}); err != nil {
			return nil, err
		}
	}
	drawn, err := reuse.Sample(ctx, s, reuse.SampleOptions{Seed: o.Seed, Effort: o.Effort, Workers: o.Workers, Draws: true, Lines: o.Lines, Progress: o.Progress})
	if err != nil {
		return nil, err
	}
	a := &analysis{
		stream: s, loops: map[*nest.Loop]int32{}, shapes: map[string]int32{},
		out: &Signature{Line: o.Line, Accesses: s.Len(), Lines: drawn.Distances.Cold, LinesError: drawn.Distances.ColdError},
	}
	chosen := choose(drawn.Draws, o.Samples)
	scale := float64(s.Len()) / float64(max(1, len(drawn.Draws)))
	a.out.Samples = make([]Sample, len(chosen))
	group, ctx := errgroup.WithContext(ctx)
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	group.SetLimit(o.Workers)
	const piece = 64 // samples of a task; chosen: so few that all cores end at about the same time
	found := make([]rawSample, len(chosen))
	for first := 0; first < len(chosen); first += piece {
		group.Go(func() error {
			k := s.Cursor()
			for i := first; i < min(first+piece, len(chosen)); i++ {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				r, err := a.look(k, chosen[i].Draw)
				if err != nil {
					return fmt.Errorf("access %d: %w", chosen[i].Position, err)
				}
				r.Weight = chosen[i].weight * scale
				found[i] = r
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for i := range found {
		a.out.Samples[i] = a.intern(&found[i])
	}
	a.countPrivate()
	a.classify(chosen, drawn.Distances.Classes)
	return a.out, nil
}

// analysis gathers a signature.
type analysis struct {
	stream *nest.Stream
	out    *Signature
	loops  map[*nest.Loop]int32
	shapes map[string]int32
	knots  int // of all shapes
}

// rawSample is a Sample whose shapes are not numbered yet.
type rawSample struct {
	Sample
	shape  rawShape
	places []rawShape // of Later
}

// rawShape is a Shape whose loop is not numbered yet.
type rawShape struct {
	loop       *nest.Loop
	iterations int64
	before     []int64
}

// look finds who else touches the line of a drawn access.
func (a *analysis) look(k *nest.Cursor, d reuse.Draw) (rawSample, error) {
	reference := k.At(d.Position + d.Interval).Reference
	place := k.At(d.Position)
	r := rawSample{Sample: Sample{
		Reference: int32(reference), Position: d.Position, Interval: d.Interval, Distance: d.Distance,
		Private: a.stream.Reference(place.Reference).Object.Private,
	}}
	e, t := k.Execution()
	r.Begin, r.Iteration, r.Local = e.Begin, t.Iteration, t.Local
	var err error
	if e.Loop != nil {
		r.shape = shapeOf(k, e)
		r.Runs, err = runsOf(k, e, t.Iteration, func(iteration int64) (int64, bool, error) { return k.TouchIn(iteration, t.Local) })
		if err != nil {
			return r, err
		}
		next, ok, err := k.TouchIn(t.Iteration, t.Local+1)
		if err != nil {
			return r, err
		}
		if ok {
			r.Next = next - t.Local
		}
		if len(r.Runs) > 1 || r.Runs[0].Count*r.Runs[0].Repeat > 1 {
			for i := range r.Runs {
				u := &r.Runs[i]
				if u.Model = u.neighbour(t.Iteration); u.Model < 0 {
					u.Model = t.Iteration
					continue
				}
				if u.Touches, err = touches(k, nest.Touch{Iteration: u.Model, Local: t.Local}); err != nil {
					return r, err
				}
			}
		}
	}
	if d.Interval == 0 { // no thread uses the line after this execution
		return r, nil
	}
	for leaps := 0; len(r.Later) < mostLater && leaps < mostLeaps; leaps++ {
		ok, err := k.Leave()
		if err != nil {
			return r, err
		}
		if !ok {
			break
		}
		e, _ := k.Execution()
		if n := len(r.Later); e.Loop == nil && n > 0 && r.places[n-1].loop == nil {
			continue // the first use by serial code is what counts
		}
		l := Later{Begin: e.Begin}
		shape := rawShape{}
		if e.Loop != nil {
			shape = shapeOf(k, e)
			if l.Runs, err = runsOf(k, e, 0, nil); err != nil {
				return r, err
			}
		}
		r.Later = append(r.Later, l)
		r.places = append(r.places, shape)
	}
	return r, nil
}

// shapeOf is how the work of an execution is spread over its iterations, by as few knots as tell it.
func shapeOf(k *nest.Cursor, e nest.Execution) rawShape {
	s := rawShape{loop: e.Loop, iterations: e.Iterations}
	for _, n := range []int64{knots, manyKnots, mostKnots} {
		s.before = s.before[:0]
		if n == mostKnots && e.Iterations < mostKnots {
			n = e.Iterations + 1 // exact
		}
		for i := range n {
			s.before = append(s.before, k.Before(e.Iterations*i/(n-1)))
		}
		if e.Iterations < knots || n > manyKnots || s.fits(k) {
			break
		}
	}
	return s
}

// fits tells whether the knots say what the accesses before iterations in between are, to a quarter of an iteration.
func (s *rawShape) fits(k *nest.Cursor) bool {
	w := newWork(&Shape{Iterations: s.iterations, Before: s.before})
	slack := max(0.25*w.total/float64(w.n), 1)
	const tries = 61 // a prime, so that no period of the loop hides between
	for i := range int64(tries) {
		at := s.iterations * (2*i + 1) / (2 * tries)
		if math.Abs(w.before(at)-float64(k.Before(at))) > slack || math.Abs(w.before(at+1)-float64(k.Before(at+1))) > slack {
			return false
		}
	}
	return true
}

// runsOf finds the iterations of an execution that touch the line of the cursor, as runs. First touches may be off by a 64th of an
// iteration, and in what comes after the sample's place, home, by an eighth: chosen, as nothing else lies so near as a rule.
func runsOf(k *nest.Cursor, e nest.Execution, home int64, among func(int64) (int64, bool, error)) ([]Run, error) {
	each := e.Accesses / max(1, e.Iterations)
	f := &finder{from: k.TouchFrom, n: e.Iterations, each: each, slack: max(8, each/64), among: among, wide: max(8, each/8), home: home}
	return f.runs()
}

// intern numbers the shapes of a sample.
func (a *analysis) intern(r *rawSample) Sample {
	r.Shape = a.number(r.shape)
	for i := range r.Later {
		r.Later[i].Shape = a.number(r.places[i])
	}
	return r.Sample
}

// number is the index of a shape in the signature, which takes each shape once; −1 in serial code.
func (a *analysis) number(s rawShape) int32 {
	if s.loop == nil {
		return -1
	}
	loop, ok := a.loops[s.loop]
	if !ok {
		loop = int32(len(a.out.Loops))
		a.loops[s.loop] = loop
		a.out.Loops = append(a.out.Loops, Loop{s.loop.Work.Schedule, s.loop.Work.Chunk, s.loop.Pos.String()})
	}
	if len(s.before) > manyKnots && a.knots+len(s.before) > allKnots {
		s.before = everyKnot(s.before, manyKnots)
	}
	var key []byte
	for _, v := range append([]int64{int64(loop), s.iterations}, s.before...) {
		key = binary.AppendVarint(key, v)
	}
	id, ok := a.shapes[string(key)]
	if !ok {
		id = int32(len(a.out.Shapes))
		a.shapes[string(key)] = id
		a.knots += len(s.before)
		a.out.Shapes = append(a.out.Shapes, Shape{loop, s.iterations, s.before})
	}
	return id
}

// everyKnot keeps n of the knots, as they would be if there were no more.
func everyKnot(before []int64, n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = before[(len(before)-1)*i/(n-1)]
	}
	return out
}

// mostApart bounds the differences that are kept of a class. Chosen: they tell a share of conflicts to a percentage point.
const mostApart = 4096

// classify numbers the classes of the samples and keeps what is known of where their lines lie.
func (a *analysis) classify(chosen []weighted, apart [][]int64) {
	number := map[int32]int32{}
	for i, d := range chosen {
		y := &a.out.Samples[i]
		y.Class = -1
		if d.Class < 0 {
			continue
		}
		n, ok := number[d.Class]
		if !ok {
			n = int32(len(a.out.Apart))
			number[d.Class] = n
			a.out.Apart = append(a.out.Apart, thin(apart[d.Class], mostApart))
		}
		y.Class = n
	}
}

// thin keeps at most n of a list, spread evenly.
func thin(list []int64, n int) []int64 {
	if len(list) <= n {
		return list
	}
	out := make([]int64, n)
	for i := range out {
		out[i] = list[(2*i+1)*len(list)/(2*n)]
	}
	return out
}

// countPrivate counts the lines of objects that every thread has a copy of.
func (a *analysis) countPrivate() {
	for _, e := range a.stream.Extents() {
		if e.Object.Private {
			a.out.Private += float64(e.Lines)
		}
	}
	a.out.Private = min(a.out.Private, a.out.Lines)
}
