package compiled

import (
	"path/filepath"
	"slices"

	"foresee/application/assembly"
	"foresee/application/nest"
	"foresee/model/timing"
)

// region is the blocks of one region.
type region struct {
	function    string // as linkers know it; "" where that is not told
	runs        float64
	callers     []*region // in whose code its function has work
	file        string    // of its function
	first, last int       // lines of that: where its body begins and ends
	lines       map[assembly.Place][]weight
}

// placed is a line without the folders of its file, which compilers and the parser may write in other ways.
func placed(file string, line int) assembly.Place {
	return assembly.Place{File: filepath.Base(file), Line: line}
}

// weight is a block with statements on a line, and the work of the whole block by its source, in instructions: of an execution of its region.
type weight struct {
	of    *region
	block *timing.Block
	work  float64
}

// calls says whether a region's code has work in the function of another.
func (r *region) calls(other *region) bool {
	if r.function == other.function && r.file == other.file && r.first == other.first {
		return false // the same function, entered with other values
	}
	for line := range r.lines {
		if other.holds(line) {
			return true
		}
	}
	return false
}

// copied are blocks with nothing known of their code yet, and where their statements stand.
func copied(blocks []*timing.Block) ([]*timing.Block, *region) {
	r := &region{lines: map[assembly.Place][]weight{}}
	var out []*timing.Block
	for _, b := range blocks {
		own := *b
		own.Compiled = &timing.Compiled{}
		out = append(out, &own)
		work := b.Executions * max(b.Instructions(), 1)
		seen := map[assembly.Place]bool{}
		for _, w := range b.Statements {
			r.line(&own, w.Stmt.Pos, work, seen)
		}
		if b.Loop != nil {
			r.line(&own, b.Loop.Pos, work, seen)
		}
	}
	return out, r
}

// line notes that a block has work in a line.
func (r *region) line(b *timing.Block, at nest.Pos, work float64, seen map[assembly.Place]bool) {
	p := placed(at.File, at.Line)
	if at.Line <= 0 || seen[p] {
		return
	}
	seen[p] = true
	r.lines[p] = append(r.lines[p], weight{r, b, work})
}

// before are the blocks of the last line with work up to one of the region's function, and that line; 0 where there is none.
func (r *region) before(at assembly.Place) ([]weight, int) {
	for line := at.Line; r.holds(at) && line >= r.first && line > 0; line-- {
		if found := r.lines[assembly.Place{File: r.file, Line: line}]; len(found) > 0 {
			return found, line
		}
	}
	return nil, 0
}

// at are the blocks with work in a line of any function, or, of a region that others hold the lines of, in the nearest line before it in the same one, else behind it.
func (r *region) at(place assembly.Place, all []*region) []weight {
	if found := r.lines[place]; len(found) > 0 || r.holds(place) {
		return found
	}
	for _, o := range all {
		if !o.holds(place) || !slices.Contains(o.callers, r) {
			continue
		}
		for _, to := range []struct{ end, step int }{{o.first - 1, -1}, {o.last + 1, 1}} {
			for line := place.Line; line != to.end; line += to.step {
				if found := r.lines[assembly.Place{File: place.File, Line: line}]; len(found) > 0 {
					return found
				}
			}
		}
	}
	return nil
}

// behind are the blocks of the first line with work behind one of the region's function, as compilers give ends of loops the line where the function
// begins.
func (r *region) behind(at assembly.Place) []weight {
	for line := at.Line + 1; r.holds(at) && line <= r.last; line++ {
		if found := r.lines[assembly.Place{File: r.file, Line: line}]; len(found) > 0 {
			return found
		}
	}
	return nil
}

// holds says whether a line is one of the region's function.
func (r *region) holds(at assembly.Place) bool {
	return at.File == r.file && at.Line >= r.first && at.Line <= r.last
}

// owners are the blocks that a line belongs to: those with work there, else those of the nearest before it in the same function, else of the first
// behind it there.
func owners(place assembly.Place, all []*region) (to []weight) {
	for _, r := range all {
		to = append(to, r.lines[place]...)
	}
	if len(to) > 0 {
		return to
	}
	last := 0
	for _, r := range all {
		switch found, line := r.before(place); {
		case line > last:
			last, to = line, slices.Clone(found)
		case line == last:
			to = append(to, found...)
		}
	}
	for i := 0; len(to) == 0 && i < len(all); i++ {
		to = all[i].behind(place)
	}
	return to
}

// within are the blocks that code belongs to which was put into functions: those of the regions whose functions are among them, with work in the
// innermost of the lines where there is any, and of these those of the last loop up to the line in the region's function, as loops may share what is
// put into them.
func within(all []frame, regions []*region) (to []weight) {
	for _, r := range regions {
		i := slices.IndexFunc(all, func(f frame) bool { return f.function.is(r.function) })
		if i < 0 {
			continue
		}
		var found []weight
		for _, f := range all[:i+1] {
			if found = r.at(f.Place, regions); len(found) > 0 {
				break
			}
		}
		if len(found) == 0 {
			found, _ = r.before(all[i].Place)
		}
		if len(found) == 0 {
			found = r.behind(all[i].Place)
		}
		to = append(to, r.nearest(found, all[i].Place)...)
	}
	return to
}

// calling are the blocks of regions that call those which code belongs to, and have work in its lines, but are not among the functions that it was put into.
func calling(stack []frame, of []weight, all []*region) (to []weight) {
	for _, r := range all {
		if slices.ContainsFunc(of, func(w weight) bool { return w.of == r }) || !slices.ContainsFunc(of, func(w weight) bool { return slices.Contains(w.of.callers, r) }) {
			continue
		}
		for _, f := range stack {
			if found := r.at(f.Place, all); len(found) > 0 {
				to = append(to, found...)
				break
			}
		}
	}
	return to
}

// nearest are of some blocks those of the last loop of the region's function that begins up to a line, and those of loops of functions that it calls; all where
// there is no such loop.
func (r *region) nearest(all []weight, at assembly.Place) []weight {
	last := 0
	begin := func(w weight) (line int, own bool) {
		l := w.block.Loop
		if l == nil || at.File != r.file || filepath.Base(l.Pos.File) != r.file {
			return 0, true
		}
		if own = r.holds(placed(l.Pos.File, l.Pos.Line)); own && l.Pos.Line <= at.Line {
			line = l.Pos.Line
		}
		return line, own
	}
	for _, w := range all {
		line, _ := begin(w)
		last = max(last, line)
	}
	return slices.DeleteFunc(slices.Clone(all), func(w weight) bool {
		line, own := begin(w)
		return own && line < last
	})
}
