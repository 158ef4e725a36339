package report

import (
	"fmt"
	"strings"

	"foresee/predict"
)

// ThreadsLine says how the locality of several threads was found; empty when nothing of the kind is among them.
func ThreadsLine(models, interleaves []string) string {
	var said []string
	for i, interleave := range interleaves {
		if interleave == "" {
			continue
		}
		how := "taking turns"
		if interleave == "uniform" {
			how = "interleaved at random"
		}
		said = AppendNew(said, models[i]+", threads "+how)
	}
	if len(said) == 0 {
		return ""
	}
	return "threads model: " + strings.Join(said, "; ") + "\n"
}

// ThreadsLine says how the locality of several threads was found in a group of predictions.
func (g Group) ThreadsLine() string {
	var models, interleaves []string
	for _, p := range g.Rows {
		models, interleaves = append(models, p.ThreadsModel), append(interleaves, p.Interleave)
	}
	return ThreadsLine(models, interleaves)
}

// CurvesThreadsLine says it of curves.
func CurvesThreadsLine(curves []predict.Curve) string {
	var models, interleaves []string
	for _, c := range curves {
		models, interleaves = append(models, c.ThreadsModel), append(interleaves, c.Interleave)
	}
	return ThreadsLine(models, interleaves)
}

// SharedCaches are what the threads of a group of predictions need together, as text.
type SharedCaches struct {
	Title, Level string
	Rows         [][]string // threads, size
}

// SharedCaches says which cache all threads together need; nil where no prediction asked for it.
func (g Group) SharedCaches() *SharedCaches {
	var out *SharedCaches
	for _, p := range g.Rows {
		c := p.SharedCache
		if c == nil {
			continue
		}
		if out == nil {
			out = &SharedCaches{
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
		return fmt.Sprintf("misses no more with up to %s", Plural(c.Cores, "thread"))
	case *c.OverflowThreads == 1:
		return "misses more even with one thread"
	}
	return fmt.Sprintf("overflows, missing more, from %s on", Plural(*c.OverflowThreads, "thread"))
}
