package advise

import (
	"fmt"
	"slices"
	"strings"

	"foresee/advise/transform"
	"foresee/application/nest"
	"foresee/predict"
)

// walk is how an access goes through memory in the loop around it.
type walk struct {
	array, text, loop string
	step              int64 // bytes
	runs              int64 // times that it is made
	line              int
	write             bool
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
							all = append(all, walk{a.Object.Name, a.Text, p.Vars[inner.Var], max(a.Advance(inner), -a.Advance(inner)), runs.Statement[n], a.Pos.Line, a.Write})
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
	case "the core":
		return fmt.Sprintf("the core takes the longest, %.0f %% of what all takes one after another", 100*share)
	}
	return fmt.Sprintf("lines from %s take the longest, %.0f %% of what all takes one after another", from, 100*share)
}

func (s *search) line() int64 { return int64(s.Machine.Line(&s.Machine.Levels[0])) }

// said is a walk that uses little of each line.
func (w *walk) said(line int64) string {
	used := int64(1)
	if w.step > line {
		return fmt.Sprintf("%s goes on by %s when %s does: each time another line, of which one element is used", w.text, bytesOf(w.step), w.loop)
	}
	return fmt.Sprintf("%s goes on by %s when %s does: %d element of each line is used", w.text, bytesOf(w.step), w.loop, used)
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
	parts = append(parts, fmt.Sprintf("%s now, then %s", spent(now), spent(then)))
	if m := missesOf(now, then); m != "" {
		parts = append(parts, m)
	}
	return strings.Join(parts, "; ")
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
