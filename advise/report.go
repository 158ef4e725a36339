package advise

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"foresee/advise/transform"
	"foresee/application/nest"
	"foresee/machine"
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
		out.Causes = append(out.Causes, fmt.Sprintf("%s:%d: %s is written by neighbouring iterations of %s, which belong to different threads, in one line: false sharing, which the times leave out", s.Name, x.line, x.text, x.loop))
	}
	for _, c := range single {
		a := s.advice(source, c)
		a.Sharing = len(now) > 0 && c.gain > 1/further && len(s.shared(c.Text)) < len(now)
		if a.Sharing {
			a.Why = "threads write one line in turn no longer, which the times leave out; " + a.Why
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

// advice is a candidate in words.
func (s *search) advice(source *transform.Source, c *candidate) Advice {
	var kinds []string
	for _, k := range c.kinds {
		kinds = append(kinds, string(k))
	}
	a := Advice{
		Change: strings.Join(kinds, ", "), Title: c.Title, File: s.Name, Line: c.Line, Conditions: c.Conditions, Reorders: c.Reorders,
		Gain: c.gain, Code: c.after[0].Code, After: timings(c.after), Text: c.Text, loops: c.Loops, array: c.Array,
		Patch: Patch(s.Name, s.Text, c.Text),
	}
	a.GainLow, a.GainHigh = interval(c.gain)
	a.Gains = a.GainLow > 1
	if c.Kind != transform.Schedule {
		a.Conditions = joined(a.Conditions, s.assumed)
	}
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
	return append(append(all, s.streamed()...), touched(&last, s.Machine)...)
}

// touched says where arrays should be written first, on machines of which each socket has memory of its own.
func touched(p *predict.Prediction, m *machine.Machine) []string {
	sockets, known := m.Sockets.Get()
	from, share := levelsOf(p)
	if !known || sockets < 2 || from != memoryLevel || p.Threads <= m.TotalCores()/sockets {
		return nil
	}
	return []string{fmt.Sprintf("memory takes %.0f %%, and the machine has %d sockets: pages lie where they are written first, so initialise arrays by the loops and schedules that use them; not predicted", 100*share, sockets)}
}

// streamed are arrays that a region only writes, and that no cache holds: they are read from memory before they are written.
func (s *search) streamed() (all []string) {
	last := &s.before[len(s.before)-1]
	from, share := levelsOf(last)
	read, err := s.read(s.Text, []string{s.region})
	if err != nil || from != memoryLevel {
		return nil
	}
	cache := int64(0)
	for _, l := range s.Machine.Levels {
		if size, ok := l.Size.Get(); ok {
			cache = max(cache, int64(size))
		}
	}
	for _, p := range only(read.Loops, s.region) {
		loaded := map[*nest.Object]bool{}
		nest.Walk(p.Body, func(n nest.Node) {
			if st, ok := n.(*nest.Stmt); ok {
				for _, a := range st.Accesses {
					loaded[a.Object] = loaded[a.Object] || !a.Write
				}
			}
		})
		for _, o := range p.Objects {
			if !loaded[o] && o.Bytes > cache && !o.Private {
				all = append(all, fmt.Sprintf("%s is written and not read, and larger than the caches; memory takes %.0f %%: stores past the caches (#pragma omp simd nontemporal(%s), or the compiler's intrinsics) spare reading its lines first; not predicted", o.Name, 100*share, o.Name))
			}
		}
	}
	return all
}

// memoryLevel is where lines come from that no cache has, as predictions name it.
const memoryLevel = "memory"
