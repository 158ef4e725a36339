package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"foresee/predict"
)

// TextOptions choose what the tables show.
type TextOptions struct {
	Verbose bool // also standard errors and the lines that each level serves
}

// PredictionText writes, for each region and machine, a table with a row for each thread count.
func PredictionText(w io.Writer, r *predict.PredictionResult, o TextOptions) error {
	var b strings.Builder
	b.WriteString(partLine(r.Partial))
	for i, g := range groups(r) {
		if i > 0 {
			b.WriteString("\n")
		}
		first := g.Rows[0]
		fmt.Fprintf(&b, "%s on %s: %s accesses%s%s\n%s\n", g.Region, g.Machine, Count(first.Accesses), flopsOf(first), modelOf(first), g.threadsLine())
		b.WriteString(rateTable(g, o).String())
		if g.hasTerms() {
			b.WriteString("\nwhere the time goes, on the slowest thread\n\n")
			b.WriteString(termTable(g, o).String())
		}
		b.WriteString(g.sharedCaches().String())
	}
	if len(r.Predictions) == 0 {
		b.WriteString("nothing to predict\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func rateTable(g group, o TextOptions) *table {
	levels := g.levels()
	header := []string{"threads"}
	for _, l := range levels {
		header = append(header, l+" hits")
		if o.Verbose {
			header = append(header, "± points")
		}
	}
	t := &table{left: map[int]bool{}}
	if g.hasTime() {
		header = append(header, "time", "interval", "speed-up", "bound by")
		t.left[len(header)-1] = true
	}
	t.row(header...)
	for _, p := range g.Rows {
		cells := []string{strconv.Itoa(p.Threads)}
		for _, l := range levels {
			h, ok := hitRate(p, l)
			cells = append(cells, known(ok, Percent(h.HitRate)))
			if o.Verbose {
				cells = append(cells, known(ok, strconv.FormatFloat(100*h.StandardError, 'f', 3, 64)))
			}
		}
		if g.hasTime() {
			cells = append(cells, secondsOr(p.TimeS), Interval(p.TimeLowS, p.TimeHighS), speedup(p.Speedup), p.BoundBy)
		}
		t.row(cells...)
	}
	return t
}

func termTable(g group, o TextOptions) *table {
	sources := g.termLevels()
	header := []string{"threads", "compute", "memory"}
	for _, l := range sources {
		header = append(header, "from "+l)
		if o.Verbose {
			header = append(header, "lines")
		}
	}
	t := &table{}
	t.row(append(header, "parallel")...)
	for _, p := range g.Rows {
		if p.Terms == nil {
			continue
		}
		cells := []string{strconv.Itoa(p.Threads), Seconds(p.Terms.ComputeS), Seconds(p.Terms.MemoryS)}
		for _, l := range sources {
			s, ok := levelTime(p.Terms, l)
			cells = append(cells, known(ok, Seconds(s)))
			if o.Verbose {
				cells = append(cells, known(ok, Count(int64(levelLines(p.Terms, l)+0.5))))
			}
		}
		t.row(append(cells, Seconds(p.Terms.ParallelS))...)
	}
	return t
}

func levelLines(t *predict.Terms, level string) float64 {
	i := slices.IndexFunc(t.Levels, func(l predict.LevelTerm) bool { return l.Level == level })
	if i < 0 {
		return 0
	}
	return t.Levels[i].Lines
}

// Interval prints two times in one unit: "1.10 – 1.40 ms".
func Interval(low, high *float64) string {
	if low == nil || high == nil {
		return "–"
	}
	size, unit := secondsUnit(*low)
	return significant(*low/size, 3) + " – " + significant(*high/size, 3) + " " + unit
}

func secondsOr(s *float64) string {
	if s == nil {
		return "–"
	}
	return Seconds(*s)
}

func speedup(s *float64) string {
	if s == nil {
		return "–"
	}
	return strconv.FormatFloat(*s, 'f', 2, 64)
}

func known(ok bool, s string) string {
	if !ok {
		return "–"
	}
	return s
}

// modelOf names the model of the time, where it is not the usual one.
func modelOf(p predict.Prediction) string {
	if p.Model == predict.ModelOverlap || p.TimeS == nil {
		return ""
	}
	return "; time by the " + p.Model + " model"
}

// flopsOf counts floating-point operations; of accesses alone, which have no time, none are known.
func flopsOf(p predict.Prediction) string {
	if p.Flops == 0 && p.TimeS == nil {
		return ""
	}
	return ", " + Count(p.Flops) + " flops"
}
