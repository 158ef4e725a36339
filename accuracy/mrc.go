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
			"Errors are absolute, of the miss ratio, over cache sizes from 1 KiB to about the footprint, eight an octave.", size),
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

// smallestCurve is the smallest cache of a curve, in lines: 1 KiB of lines of 64 bytes.
const smallestCurve = 16

// curveSizes are the sizes of caches at which curves are compared, in lines: eight an octave, up to so many, and 2 % more, so that rounding
// does not leave out the last one. Both are chosen; neighbouring sizes are 9 % apart.
func curveSizes(most float64) (sizes []float64) {
	for b := float64(smallestCurve); b <= max(smallestCurve, most*1.02); b *= math.Pow(2, 1.0/8) {
		sizes = append(sizes, math.Floor(b))
	}
	return sizes
}

// measure compares one kernel's curves. It takes long and may run beside others; the function that it gives adds the result to the table, which
// one does after the other.
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
	sizes := curveSizes(float64(lines))
	want := exact.MissRatios(sizes)
	mean, worst := deviation(sampled.Distances.MissRatios(sizes), want)
	meanAET, worstAET := deviation(sampled.Intervals.AET(sizes), want)
	return func() {
		c.Slowest = max(c.Slowest, took)
		c.Class.Add(k.Name, mean)
		c.AET.Add(k.Name, meanAET)
		c.Table.Rows = append(c.Table.Rows, []string{
			k.Name, fmt.Sprint(s.Len()), fmt.Sprint(lines),
			fmt.Sprintf("%.5f", mean), fmt.Sprintf("%.4f", worst), fmt.Sprintf("%.5f", meanAET), fmt.Sprintf("%.4f", worstAET),
		})
	}, nil
}

// exactDistances walks the stream: the distribution of its reuse distances, and how many lines it has.
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

// deviation is the mean and the largest absolute difference of two curves.
func deviation(got, want []float64) (mean, worst float64) {
	for i := range got {
		e := math.Abs(got[i] - want[i])
		mean += e / float64(len(got))
		worst = math.Max(worst, e)
	}
	return mean, worst
}
