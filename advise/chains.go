package advise

import (
	"fmt"
	"slices"
	"strings"

	"foresee/advise/syntax"
	"foresee/advise/transform"
)

// mostInOne is how many changes of one kind are made as one. Chosen: longer patches nobody reads.
const mostInOne = 8

// parallels are those of loops that follow one another, each by itself, and first all of them as one change: who deals one loop deals its neighbours too.
func (s *search) parallels(source *transform.Source, roots []*syntax.Node) (all []*transform.Change) {
	for _, r := range roots {
		all = append(all, source.Parallels(r)...)
	}
	if len(all) < 2 {
		return all
	}
	return append(s.repeated(all[0], func(next *transform.Source) []*transform.Change {
		var found []*transform.Change
		for _, r := range s.roots(next) {
			found = append(found, next.Parallels(r)...)
		}
		return found
	}), all...)
}

// fusions are those of two loops, and first all that follow one another as one change, with the loops in them.
func (s *search) fusions(source *transform.Source, roots []*syntax.Node) (all []*transform.Change) {
	for _, l := range everyLoop(roots) {
		for _, c := range source.Fusions(l) {
			all = append(all, s.repeated(c, func(next *transform.Source) (found []*transform.Change) {
				for _, l := range everyLoop(s.roots(next)) {
					if next.Line(l.Begin) >= c.Line {
						found = append(found, next.Fusions(l)...)
					}
				}
				return found
			})...)
			all = append(all, c)
		}
	}
	return all
}

// interleavings are those of arrays that a loop walks side by side in steps of a line or more.
func (s *search) interleavings(source *transform.Source) (all []*transform.Change) {
	type group struct {
		loop, subscripts string
		step             int64
	}
	var order []group
	found := map[group][]string{}
	for _, w := range s.walks(source) {
		g := group{w.loop, strings.TrimPrefix(w.text, w.array), w.step}
		if w.step < s.line() || slices.Contains(found[g], w.array) {
			continue
		}
		if found[g] == nil {
			order = append(order, g)
		}
		found[g] = append(found[g], w.array)
	}
	for _, g := range order {
		if c := source.Interleaving(found[g]); c != nil {
			all = append(all, c)
		}
	}
	return all
}

// repeated makes a change and those that can be made on top of it, by what gives them, as one; none where there is nothing more.
func (s *search) repeated(first *transform.Change, more func(*transform.Source) []*transform.Change) []*transform.Change {
	whole := *first
	whole.Parts = 1
	titles := []string{first.Title}
	for whole.Parts < mostInOne {
		next, err := s.source(whole.Text)
		if err != nil {
			break
		}
		found := more(next)
		if len(found) == 0 {
			break
		}
		c := found[0]
		whole.Text = c.Text
		whole.Conditions = joined(whole.Conditions, c.Conditions)
		whole.Reorders = whole.Reorders || c.Reorders
		whole.Parts++
		titles = append(titles, c.Title)
	}
	if whole.Parts < 2 {
		return nil
	}
	if same := slices.Compact(slices.Clone(titles)); len(same) == 1 {
		titles = []string{fmt.Sprintf("%s, %d times", same[0], whole.Parts)}
	}
	whole.Title = strings.Join(titles, "; ")
	return []*transform.Change{&whole}
}

// within tells a change that is part of another one of its kind which gains as much.
func within(c *candidate, better []*candidate) bool {
	return slices.ContainsFunc(better, func(b *candidate) bool { return b.Kind == c.Kind && c.Parts < b.Parts && c.Line >= b.Line })
}
