package readers

import (
	"context"
	"fmt"
	"math"

	"foresee/accuracy"
	"foresee/application"
	"foresee/application/ir"
	"foresee/application/nest"
	"foresee/model/reuse"
	"foresee/predict"
)

// curveSizes are the cache sizes that curves are compared at, in bytes.
func curveSizes() (sizes []int64) {
	for b := int64(1 << 10); b <= 1<<20; b *= 2 {
		sizes = append(sizes, b)
	}
	return sizes
}

// lineShift is the logarithm of the length of a line, of 64 bytes.
const lineShift = 6

// tracedCurve is the miss ratio curve of accesses that were made, where they were made.
func tracedCurve(made []access) []float64 {
	stack, h := reuse.NewStack(1), reuse.NewHistogram(reuse.Full)
	for _, a := range made {
		stack.Add([]uint64{a.Address >> lineShift}, h)
	}
	var lines []float64
	for _, b := range curveSizes() {
		lines = append(lines, float64(b>>lineShift))
	}
	ratios, _ := h.MissRatios(lines)
	return ratios
}

// curvesOf are tables of how far predicted curves are from those of runs.
type curvesOf struct {
	table accuracy.Table
	means map[ir.Language][]float64
}

func newCurvesOf() *curvesOf {
	return &curvesOf{means: map[ir.Language][]float64{}, table: accuracy.Table{
		Title: "Programs in C++, Fortran and Rust, miss ratio curves",
		Text: "The curves that `foresee mrc` gives of the regions above, by samples and with all objects at the begin of a line, against exact ones of the accesses that their runs made, at the addresses that they had: " +
			"absolute differences of the miss ratio of fully associative caches of 1 KiB to 1 MiB with lines of 64 bytes, one thread.",
		Columns: []string{"program", "region", "accesses", "mean", "worst"},
	}}
}

// add compares one region.
func (c *curvesOf) add(ctx context.Context, language ir.Language, name string, p *nest.Program, made []access, seed uint64) error {
	r, err := predict.Curves(ctx, predict.CurveRequest{
		Signature: application.OfLoops(p.Region, p), Threads: []int{1}, Scope: "shared", Sizes: curveSizes(), Line: 1 << lineShift, Options: predict.Options{Seed: seed},
	})
	if err != nil {
		return err
	}
	want := tracedCurve(made)
	mean, worst := 0.0, 0.0
	for i, x := range r.Curves[0].Points {
		d := math.Abs(x.MissRatio - want[i])
		mean, worst = mean+d/float64(len(want)), max(worst, d)
	}
	c.means[language] = append(c.means[language], mean)
	c.table.Rows = append(c.table.Rows, []string{name, p.Region, fmt.Sprint(len(made)), fmt.Sprintf("%.4f", mean), fmt.Sprintf("%.4f", worst)})
	return nil
}

// summed is the table with its summary.
func (c *curvesOf) summed() *accuracy.Table {
	var all []float64
	for _, how := range compilations {
		if found := c.means[how.language]; len(found) > 0 {
			c.table.Summary = append(c.table.Summary, string(how.language)+": mean of the regions' means and the worst of them: "+worst(found))
			all = append(all, found...)
		}
	}
	c.table.Summary = append(c.table.Summary, "all: "+worst(all))
	return &c.table
}
