package advise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"foresee/advise/syntax"
	"foresee/advise/transform"
	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/predict"
	"foresee/predict/compiled"
)

// Run looks for changes of every region.
func Run(ctx context.Context, r Request) (*Result, error) {
	if r.Most == 0 {
		r.Most = Usual
	}
	r.known, r.times = map[string]*csource.Unit{}, map[string]float64{}
	whole, err := r.read(r.Text, r.Source.Regions)
	if err != nil {
		return nil, err
	}
	r.assumed = assumed(r.Source.Defines, whole.Code.Macros)
	out := &Result{Header: predict.Header{Schema: Schema, Version: predict.Version, Input: r.Name}, Machine: r.Machine.Name}
	if most := max(fewest, mostText*r.Most/Usual/max(1, len(r.Text))); most < r.Most {
		r.Most = most
		out.Warnings = append(out.Warnings, fmt.Sprintf("%s has %d bytes, which are read anew for each change: only %d are tried of a region", r.Name, len(r.Text), most))
	}
	for i, p := range whole.Loops {
		s := &search{Request: &r, ctx: ctx, region: p.Region, taken: taken(p.Warnings), seen: map[string]bool{r.Text: true}, done: i * r.Most, total: len(whole.Loops) * r.Most}
		found, err := s.run(out)
		if err != nil {
			return nil, err
		}
		out.Regions = append(out.Regions, *found)
	}
	return out, nil
}

// search is that for changes of one region.
type search struct {
	*Request
	ctx         context.Context
	region      string
	before      []predict.Prediction
	stand       []predict.Prediction       // of the source that changes are tried on: as it stands, or with those that were best before
	uncompiled  []predict.Prediction       // of the source as it stands, of code as foresee makes it; nil: not asked for yet
	quick       map[int]predict.Prediction // of the source as it stands, by number of threads, as changes are sorted out
	seen        map[string]bool            // texts that were predicted
	taken       []string                   // conditions of all changes of its loops
	callers     []string                   // regions that call the one that is looked at, where it is none of the program's by itself
	onTop       bool                       // changes are tried on top of others
	outweighed  []string                   // changes that gain in the region and lose in all that they touch
	tried       int
	done, total int
}

// candidate is a change with what it comes to.
type candidate struct {
	*transform.Change
	kinds  []transform.Kind // of the changes that it is made of
	arrays []string         // that they lay out otherwise
	after  []predict.Prediction
	all    *spread // with the other regions that it touches, with most threads; nil: there are none
	gain   float64 // of all that
	saved  float64 // seconds of all that, with most threads, of predictions in full
}

func (s *search) run(out *Result) (*Region, error) {
	before, predicted, err := s.predicted(s.ctx, s.Text, s.region, s.Threads, inFull)
	if err != nil {
		return nil, err
	}
	for _, w := range predicted.Warnings {
		if !slices.Contains(out.Warnings, w) {
			out.Warnings = append(out.Warnings, w)
		}
	}
	s.reordered = predicted.Reordered
	s.before, s.stand, s.quick = before, before, map[int]predict.Prediction{}
	for _, t := range s.Threads {
		p, _, err := s.predicted(s.ctx, s.Text, s.region, []int{t}, quickly)
		if err != nil {
			return nil, err
		}
		s.quick[t] = p[0]
	}
	single, err := s.round(s.Text, nil, s.Most*2/3, mostShown, mostCompiled)
	if err != nil {
		return nil, err
	}
	best, err := s.greedy(single)
	if err != nil {
		return nil, err
	}
	return s.report(single, best), s.ctx.Err()
}

// round predicts the changes of a text, the best first, of which so many are shown and so many compiled.
func (s *search) round(text string, arrays []string, most, shown, compile int) (found []*candidate, err error) {
	source, err := s.source(text)
	if err != nil {
		return nil, err
	}
	budget := min(s.tried+most, s.Most)
	var tiles []*candidate
	for _, c := range s.changes(source) {
		if s.tried >= budget {
			break
		}
		x, err := s.try(c, arrays)
		if err != nil {
			return nil, err
		}
		if x == nil {
			continue
		}
		found = append(found, x)
		if c.Kind == transform.Tiling {
			tiles = append(tiles, x)
		}
	}
	if found, err = s.sizes(source, arrays, found, tiles, budget); err != nil {
		return nil, err
	}
	ranked(found)
	return s.full(found, shown, compile)
}

func ranked(all []*candidate) {
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(b.gain, a.gain) })
}

// source reads the nests of a text: of all its regions, and of the one that is looked at where it is none of them, as of a function that main calls.
func (s *search) source(text string) (*transform.Source, error) {
	var loops []*nest.Program
	read, err := s.read(text, nil)
	if err == nil {
		loops = read.Loops
	}
	if !slices.ContainsFunc(loops, func(p *nest.Program) bool { return p.Region == s.region }) {
		if read, err = s.read(text, []string{s.region}); err != nil {
			return nil, err
		}
		if s.callers == nil {
			s.callers = holding(loops, read.Loops)
		}
		loops = slices.Concat(loops, read.Loops)
	}
	return transform.NewSource(s.Name, text, loops), nil
}

// holding are the regions that call others, whose loops are among theirs, and that no other of them calls.
func holding(all, others []*nest.Program) (names []string) {
	callers := slices.DeleteFunc(slices.Clone(all), func(p *nest.Program) bool {
		return !slices.ContainsFunc(others, func(o *nest.Program) bool { return holds(p, o) })
	})
	for _, p := range callers {
		inner := slices.ContainsFunc(callers, func(c *nest.Program) bool { return c.Region != p.Region && holds(c, p) && !holds(p, c) })
		if !inner && !slices.Contains(names, p.Region) {
			names = append(names, p.Region)
		}
	}
	return names
}

// firstTile is the size that tilings are tried with first. Chosen: the middle of transform.TileSizes.
const firstTile = 64

// changes are those of the region's loops, in the order of their usual worth.
func (s *search) changes(source *transform.Source) (all []*transform.Change) {
	bands := s.bands(source)
	each := func(f func(*syntax.Node) []*transform.Change, loops []*syntax.Node) {
		for _, l := range loops {
			all = append(all, f(l)...)
		}
	}
	roots := s.roots(source)
	each(source.Interchanges, bands)
	each(source.Distributions, bands)
	all = append(all, s.summed(source, roots)...)
	all = append(all, s.parallels(source, roots)...)
	each(source.Skewings, everyLoop(roots))
	each(func(l *syntax.Node) []*transform.Change { return source.TimeTilings(l, transform.TimeTiles) }, everyLoop(roots))
	each(source.Temporaries, roots)
	each(source.UnrollJams, tileable(bands))
	each(func(l *syntax.Node) []*transform.Change { return source.Tilings(l, firstTile) }, tileable(bands))
	all = append(all, s.tiledParts(source, bands)...)
	each(source.Schedules, roots)
	all = append(all, source.StructuresOfArrays()...)
	all = append(all, s.interleavings(source)...)
	all = append(all, source.Paddings(s.line())...)
	all = append(all, s.paddings(source)...)
	all = append(all, source.TransposedArrays()...)
	all = append(all, s.fusions(source, roots)...)
	return all
}

// roots are the outermost loops that the region runs.
func (s *search) roots(source *transform.Source) (all []*syntax.Node) {
	in := map[int]bool{}
	for _, p := range source.Programs {
		if p.Region != s.region {
			continue
		}
		nest.Walk(p.Body, func(n nest.Node) {
			if l, ok := n.(*nest.Loop); ok && l.Pos.File == source.Name {
				if o, ok := source.Offset(l.Pos); ok {
					in[o] = true
				}
			}
		})
	}
	for _, l := range source.Roots() {
		if slices.ContainsFunc(l.Loops(), func(n *syntax.Node) bool { return in[n.Begin] }) {
			all = append(all, l)
		}
	}
	return all
}

// bands are the loops that bands begin with: the outermost ones, and those that are not all of a loop's body.
func (s *search) bands(source *transform.Source) (all []*syntax.Node) {
	for _, l := range everyLoop(s.roots(source)) {
		if outer := parentLoop(l); outer == nil || outer.Inner() != l {
			all = append(all, l)
		}
	}
	return all
}

func parentLoop(l *syntax.Node) *syntax.Node {
	for n := l.Parent; n != nil; n = n.Parent {
		if n.Kind == syntax.For {
			return n
		}
	}
	return nil
}

func everyLoop(roots []*syntax.Node) (all []*syntax.Node) {
	for _, r := range roots {
		all = append(all, r.Loops()...)
	}
	return all
}

// tileable are the loops of bands that have one more loop within: where the outer ones cannot be tiled, the inner ones may be.
func tileable(bands []*syntax.Node) (all []*syntax.Node) {
	for _, b := range bands {
		band := b.Band()
		for i := range max(len(band)-1, 0) {
			all = append(all, band[i])
		}
	}
	return all
}

// summed are distributions and interchanges of what has its sums in arrays.
func (s *search) summed(source *transform.Source, roots []*syntax.Node) (all []*transform.Change) {
	for _, l := range roots {
		for _, c := range source.SumsInArrays(l) {
			next, err := s.source(c.Text)
			if err != nil {
				continue
			}
			for _, b := range s.bands(next) {
				for _, d := range slices.Concat(next.Distributions(b), next.Interchanges(b)) {
					if d.Kind == transform.Interchange {
						d.Title = c.Title + ", " + d.Title
						d.Conditions = joined(c.Conditions, d.Conditions)
						d.Reorders = d.Reorders || c.Reorders
						d.Array = c.Array
						all = append(all, d)
					}
				}
			}
		}
	}
	return all
}

// tiledParts are tilings of what a distribution leaves perfectly nested.
func (s *search) tiledParts(source *transform.Source, bands []*syntax.Node) (all []*transform.Change) {
	for _, b := range bands {
		for _, c := range source.Distributions(b) {
			if c.Kind != transform.Distribution {
				continue
			}
			next, err := s.source(c.Text)
			if err != nil {
				continue
			}
			for _, piece := range s.bands(next) {
				for _, d := range next.Tilings(piece, firstTile) {
					if len(piece.Band()) > len(b.Band()) {
						d.Title, d.Conditions = c.Title+", "+d.Title, joined(c.Conditions, d.Conditions)
						all = append(all, d)
					}
				}
			}
		}
	}
	return all
}

func joined(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// try predicts a change on top of others that lay out some arrays otherwise; nil where it was tried before, or cannot be read.
func (s *search) try(c *transform.Change, arrays []string) (*candidate, error) {
	if s.seen[c.Text] {
		return nil, nil
	}
	s.seen[c.Text] = true
	threads := s.Threads[0]
	if c.Kind == transform.Parallel || c.Kind == transform.Collapse || c.Kind == transform.Schedule || c.Kind == transform.Skewing {
		threads = s.Threads[len(s.Threads)-1]
	}
	after, _, err := s.predicted(s.ctx, c.Text, s.region, []int{threads}, quickly)
	if s.ctx.Err() != nil {
		return nil, s.ctx.Err()
	}
	s.tried++
	if s.Progress != nil {
		s.Progress(s.done+s.tried, s.total)
	}
	if err != nil || !sameWork(c, s.before[0].Flops, after[0].Flops) || after[0].LeftOut > s.before[0].LeftOut {
		return nil, nil //nolint:nilerr // what cannot be read again is no advice
	}
	s.bounded(c.Kind, &after[0])
	x := &candidate{Change: c, kinds: []transform.Kind{c.Kind}, arrays: joined(arrays, laidOut(c)), gain: *s.quick[threads].TimeS / *after[0].TimeS}
	if x.gain < 1/further {
		return x, nil // it loses where it is looked at: others that it is for find it
	}
	if len(x.arrays) == 0 { // it changes no other region but those that call this one, in the same way
		return x, nil
	}
	all, err := s.everywhere(x, threads, quickly, *s.quick[threads].TimeS, *after[0].TimeS)
	if err != nil {
		return nil, s.ctx.Err() // what cannot be read again is no advice
	}
	if all != nil {
		own := x.gain
		x.gain = all.before / all.after
		s.judged(x, own, all)
	}
	return x, nil
}

// mostSpared is the share of the operations that sums spare which are added up in their elements: those that added them there. Chosen: of sums of three.
const mostSpared = 0.2

// sameWork says whether a change leaves the floating-point operations as they are, but for those of sums that need not be added to their elements any more.
func sameWork(c *transform.Change, before, after int64) bool {
	return before == after || c.Reorders && after < before && float64(after) > (1-mostSpared)*float64(before)
}

// bounded keeps a time after tiling from being below what the core alone takes without: tiles spare lines, not work. A core that is simulated runs short loops at
// once more than real ones do, whose schedulers hold fewer operations that wait for one another than their windows (measured: docs/accuracy/advise.md).
func (s *search) bounded(k transform.Kind, then *predict.Prediction) {
	i := slices.IndexFunc(s.stand, func(p predict.Prediction) bool { return p.Threads == then.Threads })
	if k != transform.Tiling && k != transform.TimeTiling || i < 0 || s.stand[i].Terms == nil {
		return
	}
	least := min(s.stand[i].Terms.ComputeS, *s.stand[i].TimeS)
	if least <= *then.TimeS {
		return
	}
	then.TimeS, then.BoundBy = &least, "compute"
	low, high := min(*then.TimeLowS, least), max(*then.TimeHighS, least)
	then.TimeLowS, then.TimeHighS = &low, &high
}

// full predicts the first of some changes, each kind at each place once, in full, the best first; their gains count from here on for the whole source.
// Those that gain nothing at a first look are left, but where threads share lines falsely, which no time shows.
func (s *search) full(all []*candidate, most, compile int) (out []*candidate, err error) {
	seen := map[string]bool{}
	least := noise
	if len(s.shared(s.Text)) > 0 {
		least = 1 / noise
	}
	for i, c := range all {
		key := fmt.Sprint(c.Kind, c.Line, c.Loops, c.Array, c.Parts)
		if seen[key] || len(out) == most || c.gain < least && !c.Unshared || within(c, all[:i]) {
			continue // the same with another size, part of another one, or a loss
		}
		seen[key] = true
		if err := s.gained(c, len(out) < compile); err != nil {
			return nil, err
		}
		if c.after != nil {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *candidate) int { return cmp.Compare(b.saved, a.saved) })
	return out, nil
}

// mostCompiled is how many changes are compiled, the first ones, beside all together. Chosen: following the code of one takes seconds.
const mostCompiled = 2

// gained predicts a change in full, and what it gains; nothing where it cannot be compiled. Both times are of code by the same maker: where the change is not to be
// compiled, or the compiler's code of one cannot be followed, both are of code as foresee makes it, and the times after are those before over that ratio.
func (s *search) gained(c *candidate, compile bool) error {
	how, before := inFull, s.before
	if !compile {
		how = uncompiled
	}
	after, _, err := s.predicted(s.ctx, c.Text, s.region, s.Threads, how)
	if errors.As(err, new(*compiled.CompilerError)) {
		return nil //nolint:nilerr // what does not compile is no advice
	}
	if err == nil && after[0].Code != before[0].Code {
		if before, err = s.made(); err != nil {
			return err
		}
		after, _, err = s.predicted(s.ctx, c.Text, s.region, s.Threads, uncompiled)
	}
	if err != nil {
		return err
	}
	for i := range after {
		s.bounded(c.Kind, &after[i])
		if scale := *s.before[i].TimeS / *before[i].TimeS; scale != 1 {
			for _, t := range []**float64{&after[i].TimeS, &after[i].TimeLowS, &after[i].TimeHighS} {
				x := **t * scale
				*t = &x
			}
		}
	}
	last := len(after) - 1
	now, then := *s.before[last].TimeS, *after[last].TimeS
	all, err := s.everywhere(c, s.Threads[last], uncompiled, now, then)
	if err != nil {
		return s.ctx.Err()
	}
	c.after, c.gain, c.saved = after, now/then, now-then
	switch {
	case all == nil:
	case len(c.arrays) == 0: // what it saves is compared with what layouts save in those that call the region
		c.saved = all.before - all.after
	default:
		c.all, c.gain, c.saved = all, all.before/all.after, all.before-all.after
	}
	return nil
}

// made are the predictions of the source as it stands, of code as foresee makes it.
func (s *search) made() ([]predict.Prediction, error) {
	if s.uncompiled == nil {
		p, _, err := s.predicted(s.ctx, s.Text, s.region, s.Threads, uncompiled)
		if err != nil {
			return nil, err
		}
		s.uncompiled = p
	}
	return s.uncompiled, nil
}

// sizes tries other sizes of the tilings that were best.
func (s *search) sizes(source *transform.Source, arrays []string, found, tiles []*candidate, budget int) ([]*candidate, error) {
	ranked(tiles)
	for _, t := range tiles[:min(len(tiles), 1)] {
		for _, size := range transform.TileSizes {
			for _, l := range tileable(s.bands(source)) {
				for _, c := range source.Tilings(l, size) {
					if s.tried >= budget || c.Line != t.Line || !slices.Equal(c.Loops, t.Loops) {
						continue
					}
					x, err := s.try(c, arrays)
					if err != nil {
						return nil, err
					}
					if x != nil {
						found = append(found, x)
					}
				}
			}
		}
	}
	return found, nil
}
