package advise

import (
	"fmt"
	"slices"
	"strings"

	"foresee/advise/transform"
	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/predict"
)

// walk is how an access goes through memory in the loop around it.
type walk struct {
	array, text, loop string
	step              int64 // bytes
	runs              int64 // times that it is made
	line              int
	write             bool
	elements          int   // of one line that are used with it, itself counted
	bytes             int64 // of them
	least             int64 // bytes, by the loop in which the access goes on least
}

// walks are those of a region in its innermost loops, the most frequent first.
func (s *search) walks(source *transform.Source) (all []walk) {
	for _, p := range source.Programs {
		if p.Region != s.region {
			continue
		}
		runs, err := nest.CountRuns(p)
		if err != nil {
			return nil
		}
		var visit func(nodes []nest.Node, inner *nest.Loop)
		visit = func(nodes []nest.Node, inner *nest.Loop) {
			for _, n := range nodes {
				switch n := n.(type) {
				case *nest.Loop:
					visit(n.Body, n)
				case *nest.If:
					visit(n.Then, inner)
					visit(n.Else, inner)
				case *nest.Parallel:
					visit(n.Body, inner)
				case *nest.Single:
					visit(n.Body, inner)
				case *nest.Critical:
					visit(n.Body, inner)
				case *nest.Stmt:
					for _, a := range n.Accesses {
						if inner != nil {
							elements, bytes := near(a, inner, s.line())
							all = append(all, walk{a.Object.Name, a.Text, p.Vars[inner.Var], max(a.Advance(inner), -a.Advance(inner)), runs.Statement[n], a.Pos.Line, a.Write, elements, bytes, leastStep(a)})
						}
					}
				}
			}
		}
		visit(p.Body, nil)
	}
	slices.SortStableFunc(all, func(a, b walk) int { return int(min(max(b.runs-a.runs, -1), 1)) })
	return all
}

// near counts the elements that a loop uses within a line's length of an access, by their distances: those that lie in its line at once.
func near(a *nest.Access, inner *nest.Loop, line int64) (elements int, bytes int64) {
	at, ok := expr.AffineOf(a.Offset)
	if !ok {
		return 1, a.Size
	}
	offsets := map[int64]int64{}
	nest.Walk(inner.Body, func(n nest.Node) {
		st, isStmt := n.(*nest.Stmt)
		if !isStmt {
			return
		}
		for _, b := range st.Accesses {
			if b.Object != a.Object {
				continue
			}
			if o, ok := expr.AffineOf(b.Offset); ok {
				if d := o.Plus(at, -1); len(d.Terms) == 0 && d.K > -line && d.K < line {
					offsets[d.K] = b.Size
				}
			}
		}
	})
	for _, n := range offsets {
		bytes += n
	}
	return max(len(offsets), 1), max(bytes, a.Size)
}

// leastStep is by how many bytes an access goes on in that loop in which it is the least.
func leastStep(a *nest.Access) (least int64) {
	form, _ := expr.AffineOf(a.Offset)
	for _, t := range form.Terms {
		if c := max(t.C, -t.C); least == 0 || c < least {
			least = c
		}
	}
	return least
}

// causes say of what the time is, and which accesses waste lines.
func (s *search) causes(source *transform.Source) (all []string) {
	for i := range s.before {
		p := &s.before[i]
		if i > 0 && i < len(s.before)-1 {
			continue
		}
		all = append(all, fmt.Sprintf("%s: %s", threadsOf(p.Threads), spent(p)))
	}
	line := s.line()
	seen := map[string]bool{}
	for _, w := range s.walks(source) {
		if w.step < line || seen[w.array+w.loop] || len(seen) == 4 {
			continue
		}
		seen[w.array+w.loop] = true
		all = append(all, fmt.Sprintf("%s:%d: %s", s.Name, w.line, w.said(line)))
	}
	return all
}

func threadsOf(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return fmt.Sprintf("%d threads", n)
}

// spent says where the time of a prediction goes.
func spent(p *predict.Prediction) string {
	from, share := levelsOf(p)
	switch from {
	case "":
		return "nothing tells where the time goes"
	case teams:
		return fmt.Sprintf("%s takes the longest, %.0f %% of what all takes one after another", teams, 100*share)
	case "the core":
		return fmt.Sprintf("the core takes the longest, %.0f %% of what all takes one after another", 100*share)
	}
	return fmt.Sprintf("lines from %s take the longest, %.0f %% of what all takes one after another", from, 100*share)
}

func (s *search) line() int64 { return int64(s.Machine.Line(&s.Machine.Levels[0])) }

// said is a walk that uses little of each line.
func (w *walk) said(line int64) string {
	used := "one element is used"
	if w.elements > 1 {
		used = fmt.Sprintf("%d elements are used", w.elements)
	}
	if w.step > line {
		return fmt.Sprintf("%s goes on by %s when %s does: each time another line, of which %s before the next", w.text, bytesOf(w.step), w.loop, used)
	}
	return fmt.Sprintf("%s goes on by %s when %s does: of each line %s", w.text, bytesOf(w.step), w.loop, used)
}

func bytesOf(n int64) string {
	if n >= 10_000 {
		return fmt.Sprintf("%.3g kB", float64(n)/1000)
	}
	return fmt.Sprintf("%d bytes", n)
}

// why is the reason of a change.
func (s *search) why(source *transform.Source, c *candidate) string {
	last := len(s.before) - 1
	now, then := &s.before[last], &c.after[last]
	var parts []string
	if w := s.wasteful(source, c); w != "" {
		parts = append(parts, w)
	}
	switch c.Kind {
	case transform.TimeTiling:
		parts = append(parts, "each iteration in time goes through all of the data before the next, which then takes it from memory or an outer cache again")
	case transform.Interleaving:
		parts = append(parts, "of each line of these arrays one element is used before the next, and those at one place lie in one line then")
	case transform.Arrays:
		if m := s.unused(source, c.Array); m != "" {
			parts = append(parts, m)
		}
	case transform.Parallel:
		if now.Threads > 1 {
			parts = append(parts, "its iterations are independent, and run on one thread now")
		}
	case transform.Skewing:
		parts = append(parts, "each iteration waits for those before it in both loops, and those of one diagonal for none of one another")
	case transform.Schedule, transform.Collapse:
		parts = append(parts, "threads get other iterations")
	case transform.Temporary:
		parts = append(parts, "the element is loaded and stored in each iteration, though it is the same one")
	}
	if before, after := spent(now), spent(then); before == after {
		parts = append(parts, before+", before and after")
	} else {
		parts = append(parts, before+" now, then "+after)
	}
	if m := missesOf(now, then); m != "" {
		parts = append(parts, m)
	}
	return strings.Join(parts, "; ")
}

// unused says how much of the structures of an array the region uses, by the bytes of its accesses in the most frequent loop.
func (s *search) unused(source *transform.Source, array string) string {
	for _, w := range s.walks(source) {
		if w.array == array && w.bytes < w.least {
			return fmt.Sprintf("of each structure of %s, of %d bytes, %d are used", array, w.least, w.bytes)
		}
	}
	return ""
}

// wasteful is the access with the longest steps that a change of loops is about.
func (s *search) wasteful(source *transform.Source, c *candidate) string {
	if c.Kind != transform.Interchange && c.Kind != transform.Tiling && c.Kind != transform.Distribution {
		return ""
	}
	line := s.line()
	for _, w := range s.walks(source) {
		if w.step >= line && w.line >= c.Line {
			return w.said(line)
		}
	}
	return ""
}

// missesOf says how many fewer lines pass a level.
func missesOf(now, then *predict.Prediction) string {
	most, said := 1.0, ""
	for i, h := range now.HitRates {
		if i >= len(then.HitRates) {
			break
		}
		a, b := (1-h.HitRate)*float64(now.Accesses), (1-then.HitRates[i].HitRate)*float64(then.Accesses)
		if b <= 0 || a/b < most*1.2 {
			continue
		}
		most = a / b
		said = fmt.Sprintf("%.3g times fewer misses in %s", most, h.Level)
	}
	return said
}
