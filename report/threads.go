package report

import (
	"fmt"
	"strings"

	"foresee/predict"
)

// threadsLine says how the locality of several threads was found; empty when nothing of the kind is among them.
func threadsLine(models, interleaves []string) string {
	var said []string
	for i, interleave := range interleaves {
		if interleave == "" {
			continue
		}
		how := "taking turns"
		if interleave == "uniform" {
			how = "interleaved at random"
		}
		said = appendNew(said, models[i]+", threads "+how)
	}
	if len(said) == 0 {
		return ""
	}
	return "threads model: " + strings.Join(said, "; ") + "\n"
}

func (g group) threadsLine() string {
	var models, interleaves []string
	for _, p := range g.Rows {
		models, interleaves = append(models, p.ThreadsModel), append(interleaves, p.Interleave)
	}
	return threadsLine(models, interleaves)
}

func curvesThreadsLine(curves []predict.Curve) string {
	var models, interleaves []string
	for _, c := range curves {
		models, interleaves = append(models, c.ThreadsModel), append(interleaves, c.Interleave)
	}
	return threadsLine(models, interleaves)
}

// sharedCaches are what the threads of a group of predictions need together, as text.
type sharedCaches struct {
	Title, Level string
	Rows         [][]string // threads, size
}

func (g group) sharedCaches() *sharedCaches {
	var out *sharedCaches
	for _, p := range g.Rows {
		c := p.SharedCache
		if c == nil {
			continue
		}
		if out == nil {
			out = &sharedCaches{
				Title: fmt.Sprintf("smallest cache, shared by all threads, that misses at most %s of the accesses", Percent(c.MissRatio)),
				Level: fmt.Sprintf("%s (%s, %d cores): %s", c.Level, Bytes(c.Bytes), c.Cores, levelSays(c)),
			}
		}
		size := "none: first uses are more"
		if c.SmallestBytes != nil {
			size = Bytes(*c.SmallestBytes)
		}
		out.Rows = append(out.Rows, []string{fmt.Sprint(p.Threads), size})
	}
	return out
}

// levelSays says whether the machine's own level misses no more.
func levelSays(c *predict.SharedCache) string {
	switch {
	case c.OverflowThreads == nil:
		return fmt.Sprintf("misses no more with up to %s", plural(c.Cores, "thread"))
	case *c.OverflowThreads == 1:
		return "misses more even with one thread"
	}
	return fmt.Sprintf("overflows, missing more, from %s on", plural(*c.OverflowThreads, "thread"))
}

func (s *sharedCaches) String() string {
	if s == nil {
		return ""
	}
	t := &table{}
	t.row("threads", "cache")
	for _, r := range s.Rows {
		t.row(r...)
	}
	return fmt.Sprintf("\n%s\n\n%s\n%s\n", s.Title, t.String(), s.Level)
}
