package accuracy

import (
	"bufio"
	"context"
	"embed"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/machine/probe"
)

//go:embed sweeps
var sweeps embed.FS

// Bandwidth measures how well bandwidth follows from how memory is used: fits to recorded sweeps, the steadiness of latencies, and
// the times of kernels on this machine.
func Bandwidth(ctx context.Context, o Options) (*Section, error) {
	s := &Section{Name: "bandwidth"}
	tables := []func(context.Context, Options, *machine.Machine) (*Table, error){tracedTimes, memoryBound}
	if len(o.Kernels) > 0 { // of the kernels alone
		if o.Machine.Fit(machine.SweepRead) == nil {
			s.Notes = append(s.Notes, "Times of single kernels need a machine that was measured: foresee machine measure -o my.yaml, then --machine my.yaml.")
			return s, nil
		}
	} else {
		tables = append([]func(context.Context, Options, *machine.Machine) (*Table, error){steadiness}, tables...)
		if err := s.sweeps(ctx, o); err != nil {
			return nil, err
		}
	}
	measured, err := measuredHere(ctx, o)
	switch {
	case errors.Is(err, probe.ErrNoCompiler):
		s.Notes = append(s.Notes, "Nothing was measured on the machine at hand: it has no C compiler.")
		return s, nil
	case err != nil:
		return nil, err
	}
	for _, table := range tables {
		t, err := table(ctx, o, measured)
		if err != nil {
			return nil, err
		}
		if t == nil {
			s.Notes = append(s.Notes, "Times of traced runs were not measured: they need clang and its OpenMP.")
			continue
		}
		s.Tables = append(s.Tables, t)
	}
	return s, nil
}

// sweeps adds the tables of fits to recorded sweeps.
func (s *Section) sweeps(ctx context.Context, o Options) error {
	data, err := recordedSweeps()
	if err != nil {
		return err
	}
	forms, held, parts := formsTable(), heldTable(), partsTable()
	for _, d := range data {
		if err := d.fit(forms, held, parts, o.Seed); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	s.Tables = append(s.Tables, forms, held, parts)
	return nil
}

// dataSet is a sweep with the caches that it ran on.
type dataSet struct {
	name      string
	hierarchy *bandwidth.Hierarchy
	points    []bandwidth.Point
	cycles    []float64 // latencies, for equation 5
}

// recordedSweeps are one of a machine of the library and one recorded on another with other code.
func recordedSweeps() ([]dataSet, error) {
	granite, err := machine.Load("granite-rapids-vm")
	if err != nil {
		return nil, err
	}
	emerald, err := machine.Load("emerald-rapids-vm")
	if err != nil {
		return nil, err
	}
	text, err := sweeps.ReadFile("sweeps/emerald-rapids-vm.txt")
	if err != nil {
		return nil, err
	}
	var points []bandwidth.Point
	for scan := bufio.NewScanner(strings.NewReader(string(text))); scan.Scan(); {
		if strings.HasPrefix(scan.Text(), "#") {
			continue
		}
		var p bandwidth.Point
		if _, err := fmt.Sscan(scan.Text(), &p.Stride, &p.Bytes, &p.GBs); err != nil {
			return nil, err
		}
		points = append(points, p)
	}
	var out []dataSet
	for _, d := range []struct {
		m      *machine.Machine
		points []bandwidth.Point
	}{{granite, granite.Measured.SweepPoints(machine.SweepRead)}, {emerald, points}} {
		h, err := d.m.Hierarchy(4096)
		if err != nil {
			return nil, err
		}
		set := dataSet{name: d.m.Name, hierarchy: h, points: d.points}
		for _, l := range d.m.Levels {
			set.cycles = append(set.cycles, l.LatencyCycles.Or(1))
		}
		ns, _ := d.m.Cycles(d.m.Memory.LatencyNs.Or(100))
		set.cycles = append(set.cycles, ns)
		out = append(out, set)
	}
	return out, nil
}

func formsTable() *Table {
	return &Table{
		Title: "Bandwidth as a function of hit rates",
		Text: "Relative errors of the bandwidth over all points of two recorded MultiMAPS sweeps, in %. Published: equation 1 of Tikir et al. (SC 2007) with cumulative hit rates of least recently used " +
			"replacement on the described caches, fitted by each method on the same objective (the genetic algorithm with the parameters of table 2); equation 5 is not fitted. Paper, on machines of 2007, in-sample: 3.6–8.2, mean 6.4. " +
			"Extended: foresee's form, whose arguments are lines by level and by step, and page walks.",
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

// predictor is a form, ready to be asked.
type predictor func(bandwidth.Point) float64

func (d *dataSet) errors(f predictor, points []bandwidth.Point) (out []float64) {
	for _, p := range points {
		out = append(out, math.Abs(f(p)-p.GBs)/p.GBs)
	}
	return out
}

func (d *dataSet) fit(forms, held, parts *Table, seed uint64) error {
	plateaus, err := bandwidth.Plateaus(d.hierarchy, d.points, d.cycles)
	if err != nil {
		return err
	}
	published := func(f *bandwidth.Published) predictor {
		return func(p bandwidth.Point) float64 { return f.GBs(d.hierarchy.Hits(p)) }
	}
	d.row(forms, "equation 5", "–", published(plateaus), 0, 0)
	var genetic predictor
	for _, method := range bandwidth.Methods {
		fit, err := bandwidth.FitPublished(d.hierarchy, d.points, method, bandwidth.GeneticOptions{Seed: seed})
		if err != nil {
			return err
		}
		d.row(forms, "published", method, published(fit.Form), fit.Evaluations, fit.Time)
		if method == bandwidth.Genetic {
			genetic = published(fit.Form)
		}
	}
	extended := func(points []bandwidth.Point) (predictor, error) {
		f, err := bandwidth.FitExtended(d.hierarchy, points, seed)
		if err != nil {
			return nil, err
		}
		return func(p bandwidth.Point) float64 { return f.GBs(p, d.hierarchy.Line, d.hierarchy.Page) }, nil
	}
	began := time.Now()
	own, err := extended(d.points)
	if err != nil {
		return err
	}
	d.row(forms, "extended", "Levenberg-Marquardt", own, 0, time.Since(began))
	d.split(parts, "published", genetic)
	d.split(parts, "extended", own)
	if err := d.holdOut(held, "extended", extended); err != nil {
		return err
	}
	return d.holdOut(held, "published, local search", func(points []bandwidth.Point) (predictor, error) {
		fit, err := bandwidth.FitPublished(d.hierarchy, points, bandwidth.LocalSearch, bandwidth.GeneticOptions{Seed: seed})
		if err != nil {
			return nil, err
		}
		return published(fit.Form), nil
	})
}

func percent(v float64) string { return fmt.Sprintf("%.1f", 100*v) }

func (d *dataSet) row(t *Table, form, method string, f predictor, evaluations int, took time.Duration) {
	errs := d.errors(f, d.points)
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
	var f Figures
	for _, stride := range probe.Strides {
		in, rest := d.of(stride)
		p, err := fit(rest)
		if err != nil {
			return err
		}
		e := bandwidth.ErrorsOf(d.errors(p, in))
		f.add(fmt.Sprintf("stride %d", stride), 100*e.Mean)
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

// measuredHere is the machine at hand: as it is given, if that was measured, or measured now.
func measuredHere(ctx context.Context, o Options) (*machine.Machine, error) {
	if o.Machine != nil && o.Machine.Fit(machine.SweepRead) != nil {
		return o.Machine, nil
	}
	base, err := machine.Load("host")
	if err != nil {
		return nil, err
	}
	c, err := probe.FindCompiler(nil)
	if err != nil {
		return nil, err
	}
	return probe.Measure(ctx, base, probe.Options{Compiler: c, Progress: o.Progress})
}

// latencyRuns is how often latencies are measured.
const latencyRuns = 5

// steadiness measures the latencies several times.
func steadiness(ctx context.Context, o Options, m *machine.Machine) (*Table, error) {
	c, err := probe.FindCompiler(nil)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title:   "Latencies measured again and again",
		Text:    fmt.Sprintf("%s: latencies of %d runs of the pointer chases of `foresee machine measure`, of caches in cycles, as the clock changes from run to run, of memory in ns, and how far the largest is from the smallest, over their median.", m.Title, latencyRuns),
		Columns: []string{"level", "told", "found", "1", "2", "3", "4", "5", "spread %"},
	}
	var all [][]float64
	for range latencyRuns {
		ns, err := probe.Latencies(ctx, m, probe.Options{Compiler: c})
		if err != nil {
			return nil, err
		}
		all = append(all, ns)
	}
	for i := range len(m.Levels) + 1 {
		row := []string{"memory", "", ""}
		if i < len(m.Levels) {
			l := m.Levels[i]
			row = []string{l.Name, machine.FormatSize(int64(l.Size.Or(0))), ""}
			if size, ok := l.EffectiveSize.Get(); ok {
				row[2] = machine.FormatSize(int64(size))
			}
		}
		var values []float64
		for _, ns := range all {
			values = append(values, ns[i])
			row = append(row, fmt.Sprintf("%.3g", ns[i]))
		}
		slices.Sort(values)
		spread := 100 * (values[len(values)-1] - values[0]) / values[len(values)/2]
		t.Rows = append(t.Rows, append(row, fmt.Sprintf("%.1f", spread)))
		t.Summary = append(t.Summary, fmt.Sprintf("%s: spread %.1f %%, n = %d", row[0], spread, latencyRuns))
	}
	return t, nil
}
