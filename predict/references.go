package predict

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"foresee/application"
	"foresee/application/nest"
	"foresee/machine"
	"foresee/model/reuse"
	"foresee/model/threads"
	"foresee/model/timing"
	"foresee/model/traffic"
)

// AccessRequest asks what becomes of each access of a source.
type AccessRequest struct {
	Signature *application.Signature // of loops
	Machine   *machine.Machine
	Threads   int
	Model     string // one of Models; "": ModelAuto
	Options   Options
}

// ErrNoReferences is a signature that holds accesses that were made, and no text that makes them.
var ErrNoReferences = fmt.Errorf("only loops that are analysed tell what each access of their text does")

// Accesses tells of each access in the text of the loops where it is served, and who used its line before; of each loop and each array the time.
func Accesses(ctx context.Context, a AccessRequest) (*AccessResult, error) {
	if a.Signature.Streams != nil {
		return nil, ErrNoReferences
	}
	r := Request{Signature: a.Signature, Machines: []*machine.Machine{a.Machine}, Threads: []int{a.Threads}, Model: cmp.Or(a.Model, ModelAuto), Options: a.Options}
	var err error
	if r.Options, err = r.Options.of(r.Signature); err != nil {
		return nil, err
	}
	if err := r.Options.checkThreads(); err != nil {
		return nil, err
	}
	said := &PredictionResult{}
	out := &AccessResult{Header: newHeader(AccessSchema, a.Signature), Machine: a.Machine.Name, Threads: a.Threads, LineBytes: int64(a.Machine.LineBytes.Or(64))}
	for i := range a.Machine.Levels {
		out.Levels = append(out.Levels, a.Machine.Levels[i].Name)
	}
	out.Levels = append(out.Levels, traffic.Memory)
	err = r.ofLoops(ctx, said, func(d demands) error {
		q := d.(*query) //nolint:forcetypeassert // ofLoops gives nothing else
		region, err := r.region(q, a.Threads)
		if region != nil {
			out.Regions = append(out.Regions, *region)
		}
		q.done()
		return err
	})
	for _, w := range said.Warnings {
		out.warn(w)
	}
	return out, err
}

// region is what becomes of a region's accesses; nil where it makes none.
func (r *Request) region(q *query, count int) (*AccessRegion, error) {
	p, err := r.predict(q, count)
	if err != nil || p == nil {
		return nil, err
	}
	out := &AccessRegion{Region: p.Region, Accesses: p.Accesses, TimeS: p.TimeS}
	if p.Accesses == 0 {
		return out, nil
	}
	levels, err := q.analysis.hits(q.on, count, q.analysis.options.HitModel)
	if err != nil {
		return nil, err
	}
	alone, err := q.analysis.get(threads.Stream(1, 1, int64(q.on.Line(&q.on.Levels[0]))))
	if err != nil {
		return nil, err
	}
	d, err := q.of(count)
	if err != nil {
		return nil, err
	}
	balance, err := q.balance(d)
	if err != nil {
		return nil, err
	}
	single := levels
	if count > 1 {
		if single, err = q.analysis.hits(q.on, 1, q.analysis.options.HitModel); err != nil {
			return nil, err
		}
	}
	run := runOn(q.on, d, levels, balance)
	t := &tally{query: q, prediction: p, levels: levels, single: single, alone: alone, nest: nestOf(q.analysis.program), run: run}
	out.References = t.references()
	walks, err := q.walks(count)
	if err != nil {
		return nil, err
	}
	t.phases = run.Phases(q.blocks, walks)
	out.Loops = t.loops(balance)
	out.Arrays = t.arrays()
	return out, nil
}

// tally adds up what is known of one region.
type tally struct {
	query      *query
	prediction *Prediction
	levels     []levelHits
	single     []levelHits     // with one thread
	alone      *traffic.Stream // of one thread
	nest       *surroundings
	run        *traffic.Run
	phases     []timing.Phase
}

// surroundings are the loops around each access of a program, the outermost first, and all loops in the order of the text.
type surroundings struct {
	around   map[*nest.Access][]*nest.Loop
	accesses []*nest.Access
	loops    []*nest.Loop
	parents  map[*nest.Loop]*nest.Loop
}

func nestOf(p *nest.Program) *surroundings {
	s := &surroundings{around: map[*nest.Access][]*nest.Loop{}, parents: map[*nest.Loop]*nest.Loop{}}
	s.add(p.Body, nil)
	return s
}

func (s *surroundings) add(nodes []nest.Node, around []*nest.Loop) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *nest.Loop:
			s.loops = append(s.loops, n)
			if len(around) > 0 {
				s.parents[n] = around[len(around)-1]
			}
			s.add(n.Body, append(slices.Clone(around), n))
		case *nest.If:
			s.add(n.Then, around)
			s.add(n.Else, around)
		case *nest.Parallel:
			s.add(n.Body, around)
		case *nest.Single:
			s.add(n.Body, around)
		case *nest.Critical:
			s.add(n.Body, around)
		case *nest.Stmt:
			for _, a := range n.Accesses {
				s.around[a] = around
				s.accesses = append(s.accesses, a)
			}
		}
	}
}

// references are those of the text in the order in which it makes them.
func (t *tally) references() (out []Reference) {
	uses := t.uses()
	for _, a := range t.nest.accesses {
		made := t.alone.Made(a)
		x := Reference{
			File: a.Pos.File, Line: a.Pos.Line, Column: a.Pos.Column, Text: a.Text, Array: a.Object.Name, Write: a.Write, Bytes: a.Size,
			Accesses: made * float64(t.prediction.Accesses),
		}
		if around := t.nest.around[a]; len(around) > 0 {
			inner := around[len(around)-1]
			x.StrideBytes = a.Advance(inner)
			x.LoopLine = inner.Pos.Line
		}
		x.Served = t.served(a, made)
		if made > 0 {
			x.New = min(t.alone.New(a)/made, 1)
		}
		x.Reuses = t.reuses(uses[a], 1-x.New)
		out = append(out, x)
	}
	return out
}

// served are the shares of a reference's accesses that each level serves, and memory.
func (t *tally) served(a *nest.Access, made float64) (out []float64) {
	above := 1.0 // share that comes to the level
	for _, l := range t.levels {
		missed := 0.0
		if made > 0 {
			missed = min(l.Missed.Of(a)/made, above)
		}
		out = append(out, told(above-missed))
		above = missed
	}
	return append(out, told(above))
}

// useKey is a way in which a reference comes to a line again: after which reference, and how many loops both share iterations of.
type useKey struct {
	source *nest.Access
	level  int
}

// use is the reuses of one kind.
type use struct {
	useKey
	distances, intervals []float64
	within               []float64 // how many of them each level or one above it serves
}

// uses are those of each reference of the program, by one thread.
func (t *tally) uses() map[*nest.Access]map[useKey]*use {
	all := map[*nest.Access]map[useKey]*use{}
	for _, d := range t.alone.Sampled.Draws {
		if d.Interval == 0 {
			continue
		}
		sink := t.alone.Nest.Reference(int(d.Sink)).Origin()
		key := useKey{t.alone.Nest.Reference(int(d.Source)).Origin(), int(d.Level)}
		if all[sink] == nil {
			all[sink] = map[useKey]*use{}
		}
		u := all[sink][key]
		if u == nil {
			u = &use{useKey: key, within: make([]float64, len(t.single))}
			all[sink][key] = u
		}
		t.serve(u, d)
		u.distances = append(u.distances, d.Distance)
		u.intervals = append(u.intervals, float64(d.Interval))
	}
	return all
}

// serve adds up which levels serve a reuse. Classes are of lines like those of the first level; of longer ones the distance alone tells, in their number.
func (t *tally) serve(u *use, d reuse.Draw) {
	above := 0.0
	for i := range t.single {
		l := &t.single[i]
		distance, class := d.Distance, d.Class
		if line := t.single[0].Line; l.Line != line {
			distance, class = distance*float64(line)/float64(l.Line), -1
		}
		above = max(above, l.model(distance, class))
		u.within[i] += above
	}
}

// served are the shares of reuses of one kind that each level serves, and memory.
func (u *use) served() (out []float64) {
	above := 0.0
	for _, within := range u.within {
		part := within / float64(len(u.intervals))
		out = append(out, told(part-above))
		above = part
	}
	return append(out, told(max(1-above, 0)))
}

// shareSteps is one over the smallest share of accesses that is told: what is left of two shares near one is not known more exactly. A power of two, as
// the numbers of draws are: shares of counts lie on steps, never between two.
const shareSteps = 1 << 32

// told is a difference of shares without what is only rounding.
func told(share float64) float64 { return math.Round(share*shareSteps) / shareSteps }

// leastShare is the share of a reference's accesses from which a kind of reuse is told. Chosen: what is rarer nobody reads.
const leastShare = 0.001

// reuses are those of a reference, the commonest first; they are so much of its accesses together.
func (t *tally) reuses(found map[useKey]*use, share float64) (out []Reuse) {
	all := 0
	for _, u := range found {
		all += len(u.intervals)
	}
	for _, u := range found {
		part := share * float64(len(u.intervals)) / float64(all)
		if part < leastShare {
			continue
		}
		x := Reuse{
			File: u.source.Pos.File, Line: u.source.Pos.Line, Column: u.source.Pos.Column, Text: u.source.Text, Write: u.source.Write, Share: part, Served: u.served(),
			Distance: median(u.distances), Interval: median(u.intervals),
		}
		if around := t.nest.around[u.source]; u.level < len(around) {
			x.Loop = t.variable(around[u.level])
			x.LoopLine = around[u.level].Pos.Line
		}
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b Reuse) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.LoopLine, b.LoopLine), cmp.Compare(a.Interval, b.Interval))
	})
	return out
}

// variable is that of a loop, as the source calls it.
func (t *tally) variable(l *nest.Loop) string {
	if names := t.query.analysis.program.Vars; int(l.Var) < len(names) {
		return names[l.Var]
	}
	return ""
}

// median is the middle value, the lower one of two.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}

// loops are those of the program with their times: each block of code by itself, as if it were alone, and all made to add up to the time of the
// region without the opening of parallel regions, which belongs to no loop.
func (t *tally) loops(balance nest.Balance) (out []LoopTime) {
	own := map[*nest.Loop]*ownTime{}
	sum := 0.0
	for _, b := range t.query.blocks {
		o := own[b.Loop]
		if o == nil {
			o = &ownTime{}
			own[b.Loop] = o
		}
		e := t.alike(b, balance)
		o.add(e)
		sum += e.time
	}
	scale := t.scale(sum)
	for _, l := range t.nest.loops {
		x := LoopTime{File: l.Pos.File, Line: l.Pos.Line, Column: l.Pos.Column, Variable: t.variable(l)}
		if l.Work != nil {
			x.Schedule = l.Work.Schedule.String()
		}
		if parent := t.nest.parents[l]; parent != nil {
			x.InLine = parent.Pos.Line
		}
		if scale > 0 {
			var o, all ownTime
			for _, inner := range t.nest.loops { // in this order, as sums of rounded numbers depend on it
				time := own[inner]
				switch {
				case time == nil:
				case inner == l:
					o = *time
					all.add(*time)
				case t.within(inner, l):
					all.add(*time)
				}
			}
			x.OwnS, x.TimeS, x.CoreS, x.MemoryS = ptr(o.time*scale), ptr(all.time*scale), ptr(all.core*scale), ptr(all.memory*scale)
		}
		out = append(out, x)
	}
	return out
}

func ptr(v float64) *float64 { return &v }

// within says whether a loop is inside another one.
func (t *tally) within(inner, outer *nest.Loop) bool {
	for l := t.nest.parents[inner]; l != nil; l = t.nest.parents[l] {
		if l == outer {
			return true
		}
	}
	return false
}

// scale makes times of blocks add up to that of the region; 0 where there is none.
func (t *tally) scale(sum float64) float64 {
	p := t.prediction
	if p.TimeS == nil || p.Terms == nil || sum <= 0 {
		return 0
	}
	return math.Max(*p.TimeS-p.Terms.ParallelS, 0) / sum
}

// ownTime is that of code by itself, in seconds.
type ownTime struct{ time, core, memory float64 }

func (o *ownTime) add(x ownTime) {
	o.time += x.time
	o.core += x.core
	o.memory += x.memory
}

// alike is the time of one block as if it were all of the program; nothing where the machine lacks what that needs.
func (t *tally) alike(b *timing.Block, balance nest.Balance) ownTime {
	q, p := t.query, t.prediction
	in := timing.Input{Program: q.analysis.program, Blocks: []*timing.Block{b}, Threads: p.Threads, Imbalance: balance.Imbalance}
	for _, phase := range t.phases {
		if len(phase.Blocks) == 1 && phase.Blocks[0] == b {
			in.Traffic, in.Phases = phase.Traffic, []timing.Phase{phase}
		}
	}
	estimate := timing.Overlap
	if p.Model == ModelBandwidth {
		estimate = timing.Bandwidth
	}
	e, err := estimate(in, q.on)
	if err != nil {
		return ownTime{}
	}
	return ownTime{time: e.Time - e.Parallel, core: e.Compute, memory: e.Memory}
}

// arrays are those of the program in the order of first use: by level the lines that they take from it, and their part of the time of memory.
func (t *tally) arrays() (out []ArrayTime) {
	served := t.run.Served()
	for _, o := range t.query.analysis.program.Objects {
		x := ArrayTime{Array: o.Name, Bytes: o.Bytes, Lines: make([]float64, len(served))}
		for _, a := range t.nest.accesses {
			if a.Object != o {
				continue
			}
			x.Accesses += t.alone.Made(a) * float64(t.prediction.Accesses)
			for i := range served {
				x.Lines[i] += served[i][a]
			}
		}
		if terms := t.prediction.Terms; terms != nil && t.prediction.TimeS != nil {
			x.TimeS = ptr(0)
			by := 0
			for i, level := range terms.Levels {
				if t.sum(served[i]) > 0 { // else it is time of translations, of the same arrays
					by = i
				}
				if all := t.sum(served[by]); all > 0 {
					*x.TimeS += level.TimeS * x.Lines[by] / all
				}
			}
		}
		out = append(out, x)
	}
	return out
}

// sum adds values of all accesses up, in the order of the text.
func (t *tally) sum(values map[*nest.Access]float64) (all float64) {
	for _, a := range t.nest.accesses {
		all += values[a]
	}
	return all
}
