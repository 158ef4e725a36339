package accuracy

import (
	"context"
	"fmt"
	"math"
	"time"

	"foresee/application/nest"
	"foresee/internal/oracle/kernels"
	"foresee/model/reuse"
)

// Curves is the accuracy of miss ratio curves.
type Curves struct {
	Table   Table
	Class   Errors        // mean absolute error of each curve, by class stack distance
	AET     Errors        // the same by average eviction time
	Slowest time.Duration // of one analysis; not part of the table
	threads int
}

// NewCurves begins a comparison of sampled miss ratio curves with exact stack distances.
func NewCurves(threads int, size string) *Curves {
	return &Curves{threads: threads, Table: Table{
		Title: fmt.Sprintf("Miss ratio curves, %d thread%s", threads, plural(threads)),
		Text: fmt.Sprintf("Class stack distance on samples, and AET on the same sampled intervals, against the exact stack distances of every access, kernels at %s, one cache shared by all threads. "+
			"Errors are absolute, of the miss ratio, over cache sizes from 1 KiB to the footprint, eight an octave.", size),
		Columns: []string{"kernel", "accesses", "lines", "class mean", "class max", "AET mean", "AET max"},
	}}
}

// Finish gives the table.
func (c *Curves) Finish() *Table {
	c.Table.Summary = []string{
		c.Class.line("class stack distance, mean absolute error of a curve", "%.5f"),
		c.AET.line("AET, mean absolute error of a curve", "%.5f"),
	}
	return &c.Table
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// measure compares one kernel's curves; what it returns adds them.
func (c *Curves) measure(ctx context.Context, k kernels.Kernel, seed uint64) (func(), error) {
	begin := time.Now()
	s, err := nest.NewStream(k.Program, nest.Options{Threads: c.threads, Group: c.threads, Line: 64})
	if err != nil {
		return nil, err
	}
	sampled, err := reuse.Sample(ctx, s, reuse.SampleOptions{Seed: seed})
	if err != nil {
		return nil, err
	}
	took := time.Since(begin)
	exact, lines := exactDistances(s)
	var sizes []float64
	for b := 16.0; b <= max(16, float64(lines)*1.02); b *= math.Pow(2, 1.0/8) {
		sizes = append(sizes, math.Floor(b))
	}
	want := exact.MissRatios(sizes)
	mean, worst := deviation(sampled.Distances.MissRatios(sizes), want)
	meanAET, worstAET := deviation(sampled.Intervals.AET(sizes), want)
	return func() {
		c.Slowest = max(c.Slowest, took)
		c.Class.add(k.Name, mean)
		c.AET.add(k.Name, meanAET)
		c.Table.Rows = append(c.Table.Rows, []string{
			k.Name, fmt.Sprint(s.Len()), fmt.Sprint(lines),
			fmt.Sprintf("%.5f", mean), fmt.Sprintf("%.4f", worst), fmt.Sprintf("%.5f", meanAET), fmt.Sprintf("%.4f", worstAET),
		})
	}, nil
}

// exactDistances walks the stream.
func exactDistances(s *nest.Stream) (*reuse.Distribution, int) {
	e := reuse.NewStack(1)
	counts := map[int64]int64{}
	d := &reuse.Distribution{}
	s.Each(func(p nest.Place) bool {
		if distance, ok := e.Touch(uint64(s.Address(p))); ok {
			counts[distance]++
		} else {
			d.Cold++
		}
		return true
	})
	for v, n := range counts {
		d.Points = append(d.Points, reuse.Point{Value: float64(v), Weight: float64(n)})
	}
	d.Sort()
	return d, int(e.Lines())
}

func deviation(got, want []float64) (mean, worst float64) {
	for i := range got {
		e := math.Abs(got[i] - want[i])
		mean += e / float64(len(got))
		worst = math.Max(worst, e)
	}
	return mean, worst
}
