package advise

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"foresee/advise/transform"
	"foresee/predict"
)

// mostShown is how many changes of a region a result has. Chosen: a page.
const mostShown = 8

// report says what was found.
func (s *search) report(single []*candidate, best *candidate) *Region {
	out := &Region{Region: s.region, Before: timings(s.before), Tried: s.tried}
	source, err := s.source(s.Text)
	if err == nil {
		out.Causes = s.causes(source)
	}
	for _, c := range single {
		out.Changes = append(out.Changes, s.advice(source, c))
	}
	if best != nil && len(best.kinds) > 1 {
		a := s.advice(source, best)
		out.Together = &a
	}
	out.Apart = s.apart()
	return out
}

// advice is a candidate in words.
func (s *search) advice(source *transform.Source, c *candidate) Advice {
	var kinds []string
	for _, k := range c.kinds {
		kinds = append(kinds, string(k))
	}
	a := Advice{
		Change: strings.Join(kinds, ", "), Title: c.Title, File: s.Name, Line: c.Line, Conditions: c.Conditions, Reorders: c.Reorders,
		Gain: c.gain, GainLow: c.gain / noise, GainHigh: c.gain * noise, After: timings(c.after), Text: c.Text, loops: c.Loops, array: c.Array,
		Patch: Patch(s.Name, s.Text, c.Text),
	}
	a.Gains = a.GainLow > 1
	a.Why = s.why(source, c)
	return a
}

// Patch is the unified difference between two texts of a file.
func Patch(name, before, after string) string {
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
	sum := p.Terms.ComputeS + p.Terms.MemoryS + p.Terms.ParallelS
	return from, most / max(sum, 1e-30)
}

// apart is what is no change of the source.
func (s *search) apart() (all []string) {
	first, last := s.before[0], s.before[len(s.before)-1]
	if last.Threads > first.Threads {
		switch gain := *first.TimeS / *last.TimeS; {
		case gain < further:
			all = append(all, fmt.Sprintf("%d threads are no faster than %d as it stands", last.Threads, first.Threads))
		default:
			all = append(all, fmt.Sprintf("%d threads instead of %d: %.3g times as fast as it stands", last.Threads, first.Threads, gain))
		}
	}
	return all
}
