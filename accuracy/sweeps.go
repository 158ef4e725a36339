package accuracy

import (
	"bufio"
	"context"
	"embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/machine/bandwidth/fit"
	tikir "foresee/machine/bandwidth/published"
	"foresee/machine/probe"
)

//go:embed sweeps
var sweeps embed.FS

// sweeps adds the tables of fits to recorded sweeps.
func (s *Section) sweeps(ctx context.Context, o Options) error {
	data, err := recordedSweeps()
	if err != nil {
		return err
	}
	forms, held, parts, columns := formsTable(), heldTable(), partsTable(), columnsTable()
	for _, d := range data {
		if err := d.fit(forms, held, parts, o.Seed); err != nil {
			return err
		}
		if err := d.withColumns(forms, columns, o.Seed); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	s.Tables = append(s.Tables, forms, held, parts, columns)
	return nil
}

// dataSet is a sweep with the caches that it ran on.
type dataSet struct {
	name      string
	hierarchy *bandwidth.Hierarchy
	points    []bandwidth.Point // of MultiMAPS
	all       []bandwidth.Point // those and walks down columns; nil where there are none
	cycles    []float64         // latencies, for equation 5
}

// recordedSweeps are that of a machine of the library, an earlier one of that machine, and one recorded on another with other code.
func recordedSweeps() ([]dataSet, error) {
	var out []dataSet
	for _, d := range []struct{ name, machine, file string }{
		{"granite-rapids-vm", "granite-rapids-vm", ""},
		{"granite-rapids-vm, earlier", "granite-rapids-vm", "granite-rapids-vm-without-columns.txt"},
		{"emerald-rapids-vm", "emerald-rapids-vm", "emerald-rapids-vm.txt"},
	} {
		m, err := machine.Load(d.machine)
		if err != nil {
			return nil, err
		}
		set := dataSet{name: d.name}
		if d.file == "" {
			set.points, set.all = m.Measured.SweepPoints(machine.SweepRead), m.Measured.FitPoints(machine.SweepRead)
		} else if set.points, err = readSweep(d.file); err != nil {
			return nil, err
		}
		if set.hierarchy, err = m.Hierarchy(4096); err != nil {
			return nil, err
		}
		for _, l := range m.Levels {
			set.cycles = append(set.cycles, l.LatencyCycles.Or(1))
		}
		ns, _ := m.Cycles(m.Memory.LatencyNs.Or(100))
		set.cycles = append(set.cycles, ns)
		out = append(out, set)
	}
	return out, nil
}

func readSweep(name string) (points []bandwidth.Point, err error) {
	text, err := sweeps.ReadFile("sweeps/" + name)
	if err != nil {
		return nil, err
	}
	for scan := bufio.NewScanner(strings.NewReader(string(text))); scan.Scan(); {
		if strings.HasPrefix(scan.Text(), "#") {
			continue
		}
		var p bandwidth.Point
		if _, err := fmt.Sscan(scan.Text(), &p.Stride, &p.Bytes, &p.GBs); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		points = append(points, p)
	}
	return points, nil
}

func formsTable() *Table {
	return &Table{
		Title: "Bandwidth as a function of hit rates",
		Text: "Relative errors of the bandwidth over all points of three recorded MultiMAPS sweeps, in %. Published: equation 1 of Tikir et al. (SC 2007) with cumulative hit rates of least recently used " +
			"replacement on the described caches, fitted by each method on the same objective (the genetic algorithm with the parameters of table 2); equation 5 is not fitted. Paper, on machines of 2007, in-sample: 3.6–8.2, mean 6.4. " +
			"Extended: foresee's form, whose arguments are lines by level and by step, and page walks; with columns: of all that `machine measure` sweeps now, strides that are no powers of two, walks down columns and from page to page, passes with work and in tiles included.",
		Columns: []string{"data", "form", "method", "mean", "standard deviation", "median", "90th percentile", "worst", "n", "evaluations", "seconds"},
	}
}

func heldTable() *Table {
	return &Table{
		Title:   "Strides held out",
		Text:    "Mean relative errors of the bandwidth, in %, of the points of one stride by the fit to all other strides. The outermost strides are extrapolated.",
		Columns: []string{"data", "form", "1", "2", "4", "8", "16", "32", "64", "mean"},
	}
}

func partsTable() *Table {
	return &Table{
		Title:   "Plateaus and drops",
		Text:    "Mean relative errors of the bandwidth, in %, by stride, of fits to all points. A point is on a plateau where the array is smaller than the cache that serves it, and larger than the one before, by a factor of 1.6; else on a drop.",
		Columns: []string{"data", "form", "part", "1", "2", "4", "8", "16", "32", "64", "all", "n"},
	}
}

func columnsTable() *Table {
	return &Table{
		Title:   "Rows held out",
		Text:    "Mean relative errors of the bandwidth, in %, of walks down the columns of matrices with rows of one length, or from page to page by one stride, by the fit to all other points.",
		Columns: []string{"data", "sweep", "row", "mean", "worst", "n"},
	}
}

// withColumns fits to all that is swept, and to all but rows of one length.
func (d *dataSet) withColumns(forms, t *Table, seed uint64) error {
	if d.all == nil {
		return nil
	}
	began := time.Now()
	own, err := d.extended(d.all, seed)
	if err != nil {
		return err
	}
	d.row(forms, "extended, with columns", "Levenberg-Marquardt", own, d.all, 0, time.Since(began))
	var f Errors
	for _, stride := range rowsOf(d.all) {
		var in, rest []bandwidth.Point
		for _, p := range d.all {
			if p.Stride == stride {
				in = append(in, p)
			} else {
				rest = append(rest, p)
			}
		}
		own, err := d.extended(rest, seed)
		if err != nil {
			return err
		}
		e := bandwidth.ErrorsOf(d.errors(own, in))
		sweep, row := "pages", machine.FormatSize(int64(bandwidth.WordBytes*stride))
		if in[0].Columns {
			sweep = "columns"
		}
		f.Add(row, 100*e.Mean)
		t.Rows = append(t.Rows, []string{d.name, sweep, row, percent(e.Mean), percent(e.Worst), fmt.Sprint(e.N)})
	}
	t.Summary = append(t.Summary, f.line(d.name+", rows held out, %", "%.1f"))
	return nil
}

// rowsOf are the strides past those of MultiMAPS, in order.
func rowsOf(points []bandwidth.Point) (out []int) {
	for _, p := range points {
		if !slices.Contains(probe.Strides, p.Stride) && !slices.Contains(out, p.Stride) {
			out = append(out, p.Stride)
		}
	}
	return out
}

// predictor is a form, ready to be asked.
type predictor func(bandwidth.Point) float64

// extended is foresee's own form, fitted to some points.
func (d *dataSet) extended(points []bandwidth.Point, seed uint64) (predictor, error) {
	f, err := fit.Extended(d.hierarchy, points, seed)
	if err != nil {
		return nil, err
	}
	return func(p bandwidth.Point) float64 { return f.GBs(p, d.hierarchy.Line, d.hierarchy.Page) }, nil
}

func (d *dataSet) errors(f predictor, points []bandwidth.Point) (out []float64) {
	for _, p := range points {
		out = append(out, math.Abs(f(p)-p.GBs)/p.GBs)
	}
	return out
}

func (d *dataSet) fit(forms, held, parts *Table, seed uint64) error {
	plateaus, err := tikir.Plateaus(d.hierarchy, d.points, d.cycles)
	if err != nil {
		return err
	}
	byEquation1 := func(f *tikir.Form) predictor {
		return func(p bandwidth.Point) float64 { return f.GBs(d.hierarchy.Hits(p)) }
	}
	d.row(forms, "equation 5", "–", byEquation1(plateaus), d.points, 0, 0)
	var genetic predictor
	for _, method := range tikir.Methods {
		fitted, err := tikir.Fit(d.hierarchy, d.points, method, tikir.GeneticOptions{Seed: seed})
		if err != nil {
			return err
		}
		d.row(forms, "published", method, byEquation1(fitted.Form), d.points, fitted.Evaluations, fitted.Time)
		if method == tikir.Genetic {
			genetic = byEquation1(fitted.Form)
		}
	}
	extended := func(points []bandwidth.Point) (predictor, error) { return d.extended(points, seed) }
	began := time.Now()
	own, err := extended(d.points)
	if err != nil {
		return err
	}
	d.row(forms, "extended", "Levenberg-Marquardt", own, d.points, 0, time.Since(began))
	d.split(parts, "published", genetic)
	d.split(parts, "extended", own)
	if err := d.holdOut(held, "extended", extended); err != nil {
		return err
	}
	return d.holdOut(held, "published, local search", func(points []bandwidth.Point) (predictor, error) {
		fitted, err := tikir.Fit(d.hierarchy, points, tikir.LocalSearch, tikir.GeneticOptions{Seed: seed})
		if err != nil {
			return nil, err
		}
		return byEquation1(fitted.Form), nil
	})
}

func percent(v float64) string { return fmt.Sprintf("%.1f", 100*v) }

func (d *dataSet) row(t *Table, form, method string, f predictor, points []bandwidth.Point, evaluations int, took time.Duration) {
	errs := d.errors(f, points)
	e := bandwidth.ErrorsOf(errs)
	deviation := 0.0
	for _, x := range errs {
		deviation += (x - e.Mean) * (x - e.Mean) / float64(len(errs))
	}
	evaluated, seconds := "–", "–"
	if evaluations > 0 {
		evaluated = fmt.Sprint(evaluations)
	}
	if took > 0 {
		seconds = fmt.Sprintf("%.1f", took.Seconds())
	}
	t.Rows = append(t.Rows, []string{d.name, form, method, percent(e.Mean), percent(math.Sqrt(deviation)), percent(e.Median), percent(e.P90), percent(e.Worst), fmt.Sprint(e.N), evaluated, seconds})
	t.Summary = append(t.Summary, fmt.Sprintf("%s, %s (%s): mean %.1f %%, median %.1f %%, worst %.0f %%, n = %d", d.name, form, method, 100*e.Mean, 100*e.Median, 100*e.Worst, e.N))
}

func (d *dataSet) of(stride int) (in, out []bandwidth.Point) {
	for _, p := range d.points {
		if p.Stride == stride {
			in = append(in, p)
		} else {
			out = append(out, p)
		}
	}
	return in, out
}

func (d *dataSet) holdOut(t *Table, form string, fit func([]bandwidth.Point) (predictor, error)) error {
	row := []string{d.name, form}
	var f Errors
	for _, stride := range probe.Strides {
		in, rest := d.of(stride)
		p, err := fit(rest)
		if err != nil {
			return err
		}
		e := bandwidth.ErrorsOf(d.errors(p, in))
		f.Add(fmt.Sprintf("stride %d", stride), 100*e.Mean)
		row = append(row, percent(e.Mean))
	}
	t.Rows = append(t.Rows, append(row, fmt.Sprintf("%.1f", f.Mean())))
	t.Summary = append(t.Summary, f.line(d.name+", "+form+", %", "%.1f"))
	return nil
}

func (d *dataSet) split(t *Table, form string, f predictor) {
	for _, part := range []string{"plateaus", "drops"} {
		row := []string{d.name, form, part}
		var all []float64
		for _, stride := range probe.Strides {
			in, _ := d.of(stride)
			in = slices.DeleteFunc(in, func(p bandwidth.Point) bool { return d.hierarchy.OnPlateau(p) != (part == "plateaus") })
			errs := d.errors(f, in)
			all = append(all, errs...)
			row = append(row, percent(bandwidth.ErrorsOf(errs).Mean))
		}
		e := bandwidth.ErrorsOf(all)
		t.Rows = append(t.Rows, append(row, percent(e.Mean), fmt.Sprint(e.N)))
	}
}
