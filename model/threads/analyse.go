package threads

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"foresee/application/nest"
	"foresee/model/reuse"
)

// AnalyseOptions steer Analyse. The zero value takes the defaults.
type AnalyseOptions struct {
	Line    int64 // bytes; default 64
	Samples int   // accesses that the signature holds, about; default 3072
	Seed    uint64
	Workers int // default: one a core
	// Progress is called now and then with what is done and what there is to do.
	Progress func(done, total int)
}

const (
	defaultSamples = 3072
	knots          = 9
	mostLater      = 3
)

// Analyse makes the signature of a program. A *nest.RedundantError tells code that no signature can stand for.
func Analyse(ctx context.Context, p *nest.Program, o AnalyseOptions) (*Signature, error) {
	if o.Line == 0 {
		o.Line = 64
	}
	if o.Samples <= 0 {
		o.Samples = defaultSamples
	}
	s, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: o.Line, Undealt: true})
	if err != nil {
		return nil, err
	}
	drawn, err := reuse.Sample(ctx, s, reuse.SampleOptions{Seed: o.Seed, Workers: o.Workers, Draws: true, Progress: o.Progress})
	if err != nil {
		return nil, err
	}
	a := &analysis{
		stream: s, loops: map[*nest.Loop]int32{}, shapes: map[string]int32{},
		out: &Signature{Line: o.Line, Accesses: s.Len(), Lines: drawn.Distances.Cold},
	}
	chosen := choose(drawn.Draws, o.Samples)
	scale := float64(s.Len()) / float64(max(1, len(drawn.Draws)))
	a.out.Samples = make([]Sample, len(chosen))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, o.Workers))
	if o.Workers <= 0 {
		group.SetLimit(4)
	}
	const piece = 64
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

// weighted is a draw that stands for several.
type weighted struct {
	reuse.Draw
	weight float64
}

// choose takes about n of the draws: of every class in proportion to its size, and as many again of all classes alike,
// so that rare ones are seen as well.
func choose(draws []reuse.Draw, n int) []weighted {
	classes := map[int32][]int{}
	for i, d := range draws {
		key := d.Class
		if d.Class < 0 && d.Interval == 0 {
			key = -2
		}
		classes[key] = append(classes[key], i)
	}
	var keys []int32
	for k := range classes {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	rate := min(1, float64(n)/2/float64(max(1, len(draws))))
	each := (n/2 + len(keys) - 1) / max(1, len(keys))
	var out []weighted
	for _, k := range keys {
		members := classes[k]
		take := min(len(members), int(rate*float64(len(members)))+each)
		for j := range take {
			i := members[(2*j+1)*len(members)/(2*take)]
			out = append(out, weighted{draws[i], float64(len(members)) / float64(take)})
		}
	}
	slices.SortFunc(out, func(a, b weighted) int { return int(a.Position - b.Position) })
	return out
}

// analysis gathers a signature.
type analysis struct {
	stream *nest.Stream
	out    *Signature
	loops  map[*nest.Loop]int32
	shapes map[string]int32
	mu     sync.Mutex
}

// rawSample is a Sample whose shapes are not numbered yet.
type rawSample struct {
	Sample
	shape  rawShape
	places []rawShape // of Later
}

type rawShape struct {
	loop       *nest.Loop
	iterations int64
	before     []int64
}

// look finds who else touches the line of a drawn access.
func (a *analysis) look(k *nest.Cursor, d reuse.Draw) (rawSample, error) {
	place := k.At(d.Position)
	r := rawSample{Sample: Sample{
		Reference: int32(place.Reference), Position: d.Position, Interval: d.Interval, Distance: d.Distance,
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
	for range mostLater {
		ok, err := k.Leave()
		if err != nil {
			return r, err
		}
		if !ok {
			break
		}
		e, _ := k.Execution()
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

func shapeOf(k *nest.Cursor, e nest.Execution) rawShape {
	s := rawShape{loop: e.Loop, iterations: e.Iterations}
	for i := range int64(knots) {
		s.before = append(s.before, k.Before(e.Iterations*i/(knots-1)))
	}
	return s
}

func runsOf(k *nest.Cursor, e nest.Execution, home int64, among func(int64) (int64, bool, error)) ([]Run, error) {
	each := e.Accesses / max(1, e.Iterations)
	f := &finder{from: k.TouchFrom, n: e.Iterations, slack: max(8, each/64), among: among, wide: max(8, each/8), home: home}
	return f.runs()
}

// touches lists uses of the line in an iteration on both sides of a place in it, at distances that double.
func touches(k *nest.Cursor, t nest.Touch) ([]Use, error) {
	var at []int64
	find := func(local int64) (int64, bool, error) { return k.TouchIn(t.Iteration, max(local, 0)) }
	first, _, err := find(0)
	if err != nil {
		return nil, err
	}
	at = append(at, first)
	for far := int64(1); t.Local-far > first; far *= 2 {
		x, ok, err := find(t.Local - far)
		if err != nil {
			return nil, err
		}
		if ok {
			at = append(at, x)
		}
	}
	for from := t.Local; ; {
		x, ok, err := find(from)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		at = append(at, x)
		from = max(x+1, t.Local+2*(x-t.Local))
	}
	slices.Sort(at)
	at = slices.Compact(at)
	var out []Use
	for i, x := range at {
		limit := int64(math.MaxInt64)
		if i+1 < len(at) {
			limit = at[i+1]
		}
		u, err := row(find, x, limit)
		if err != nil {
			return nil, err
		}
		out = append(out, u)
	}
	return out, nil
}

// mostInner bounds the uses that are looked at for a period.
const mostInner = 12

// row finds how the uses go on after one, before a limit: evenly, or with a short period.
func row(find func(int64) (int64, bool, error), from, limit int64) (Use, error) {
	at := []int64{from}
	more := func() (bool, error) {
		next, ok, err := find(at[len(at)-1] + 1)
		if ok = ok && err == nil && next < limit; ok {
			at = append(at, next)
		}
		return ok, err
	}
	for {
		ok, err := more()
		if err != nil {
			return Use{}, err
		}
		if !ok || len(at) > mostInner {
			return listed(at), nil
		}
		period := periodOf(at)
		if period == 0 {
			continue
		}
		u := listed(at[:period+1])
		if err := u.grow(find, limit); err != nil {
			return u, err
		}
		if from+u.Count*u.Step > at[len(at)-1] { // farther than was looked
			return u, nil
		}
	}
}

// listed is a row of one period: all of the uses.
func listed(at []int64) Use {
	u := Use{Local: at[0]}
	if last := len(at) - 1; last > 0 {
		u.Step, u.Count = at[last]-at[0], 1
		for _, x := range at[1:last] {
			u.Inner = append(u.Inner, x-at[0])
		}
	}
	return u
}

// grow finds how often the period repeats, by ever longer strides.
func (u *Use) grow(find func(int64) (int64, bool, error), limit int64) error {
	gap := u.Step // before the last use of a period
	if n := len(u.Inner); n > 0 {
		gap -= u.Inner[n-1]
	}
	for more := int64(1); more > 0; {
		x, next, ok := u.Local+(u.Count+more)*u.Step, int64(-1), false
		if x < limit {
			var err error
			if next, ok, err = find(x - gap + 1); err != nil {
				return err
			}
		}
		if ok && next == x {
			u.Count += more
			more *= 2
		} else {
			more /= 2
		}
	}
	return nil
}

// periodOf is after how many of a list of numbers their differences repeat, seen twice; 0: they do not yet.
func periodOf(at []int64) int {
	n := len(at) - 1
	for k := 1; 2*k <= n; k++ {
		same := true
		for i := 0; i+k <= n; i++ {
			same = same && at[i+k]-at[i] == at[k]-at[0]
		}
		if same {
			return k
		}
	}
	return 0
}

// intern numbers the shapes of a sample.
func (a *analysis) intern(r *rawSample) Sample {
	r.Shape = a.number(r.shape)
	for i := range r.Later {
		r.Later[i].Shape = a.number(r.places[i])
	}
	return r.Sample
}

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
	var key []byte
	for _, v := range append([]int64{int64(loop), s.iterations}, s.before...) {
		key = binary.AppendVarint(key, v)
	}
	id, ok := a.shapes[string(key)]
	if !ok {
		id = int32(len(a.out.Shapes))
		a.shapes[string(key)] = id
		a.out.Shapes = append(a.out.Shapes, Shape{loop, s.iterations, s.before})
	}
	return id
}

// mostApart bounds the differences that are kept of a class.
const mostApart = 64

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

func (a *analysis) countPrivate() {
	for _, e := range a.stream.Extents() {
		if e.Object.Private {
			a.out.Private += float64(e.Lines)
		}
	}
	a.out.Private = min(a.out.Private, a.out.Lines)
}
