package advise

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"foresee/advise/transform"
	"foresee/predict"
)

// mostShown is how many changes of a region a result has. Chosen: a page.
const mostShown = 8

// worthSaying is the least gain that a result has. Chosen: of less there is no end.
const worthSaying = 1.02

// report says what was found.
func (s *search) report(single []*candidate, best *candidate) *Region {
	out := &Region{Region: s.region, Before: timings(s.before), Tried: s.tried}
	source, err := s.source(s.Text)
	if err == nil {
		out.Causes = s.causes(source)
	}
	now := s.shared(s.Text)
	for _, x := range now {
		out.Causes = append(out.Causes, x.said(s.Name))
	}
	for i, c := range single {
		if len(now) == 0 && outdone(c, single[:i]) {
			continue
		}
		a := s.advice(source, c)
		a.Sharing = len(now) > 0 && (c.gain > 1/further || c.Unshared && !c.all.loses()) && len(s.shared(c.Text)) < len(now)
		if a.Sharing {
			a.Why = "threads write one line in turn no longer, which the times leave out; " + a.Why
			if s.before[0].LeftOut > 0 && !a.Gains {
				a.Why, a.Untimed = "the loop that writes them is in no time here; "+a.Why, true
			}
		}
		if a.Sharing || c.gain >= worthSaying {
			out.Changes = append(out.Changes, a)
		}
	}
	slices.SortStableFunc(out.Changes, func(a, b Advice) int {
		switch {
		case a.Sharing && !b.Sharing:
			return -1
		case b.Sharing && !a.Sharing:
			return 1
		case a.Sharing && a.Change == string(transform.Temporary) && b.Change != a.Change:
			return -1 // it leaves the threads what they have
		case b.Sharing && b.Change == string(transform.Temporary) && b.Change != a.Change:
			return 1
		}
		return 0
	})
	if best != nil && len(best.kinds) > 1 {
		a := s.advice(source, best)
		out.Together = &a
	}
	out.Apart = s.apart()
	return out
}

// outdone tells a change of the kind and place of one that gains more than the noise leaves open: another order of the same loops, another set of tiles.
func outdone(c *candidate, better []*candidate) bool {
	return slices.ContainsFunc(better, func(b *candidate) bool {
		return b.Kind == c.Kind && b.Line == c.Line && b.Array == c.Array && b.gain > c.gain*noise
	})
}

// advice is a candidate in words.
func (s *search) advice(source *transform.Source, c *candidate) Advice {
	var kinds []string
	for _, k := range c.kinds {
		kinds = append(kinds, string(k))
	}
	a := Advice{
		Change: strings.Join(kinds, ", "), Title: c.Title, File: s.Name, Line: c.Line, Conditions: c.Conditions, Reorders: c.Reorders,
		Gain: c.gain, Code: c.after[0].Code, After: timings(c.after), Text: c.Text, loops: c.Loops, array: c.Array,
		Patch: Patch(s.Name, s.Text, c.Text), Everywhere: c.all.said(),
	}
	a.Conditions = joined(a.Conditions, c.all.uncertain(c.arrays))
	a.GainLow, a.GainHigh = interval(c.gain)
	a.Gains = a.GainLow > 1
	if c.Kind != transform.Schedule {
		a.Conditions = joined(joined(a.Conditions, s.assumed), s.taken)
	}
	a.Why = s.why(source, c)
	return a
}

// Patch is the unified difference between two texts of a file.
func Patch(name, before, after string) string {
	if filepath.IsAbs(name) { // patches name files from where they are applied
		name = filepath.Base(name)
	}
	text := string(diff.Diff("a/"+name, []byte(before), "b/"+name, []byte(after)))
	_, text, _ = strings.Cut(text, "\n") // the line that names the command
	return text
}

// levelsOf says where the time of a prediction goes: the largest share.
func levelsOf(p *predict.Prediction) (from string, share float64) {
	if p.Terms == nil || p.TimeS == nil {
		return "", 0
	}
	from, most := "the core", p.Terms.ComputeS
	for _, l := range p.Terms.Levels {
		if l.TimeS > most {
			from, most = l.Level, l.TimeS
		}
	}
	if p.Terms.ParallelS > most {
		from, most = teams, p.Terms.ParallelS
	}
	sum := p.Terms.ComputeS + p.Terms.MemoryS + p.Terms.ParallelS
	return from, most / max(sum, 1e-30)
}

// teams is where time goes that threads take to begin and end parallel loops.
const teams = "beginning and ending parallel loops"
