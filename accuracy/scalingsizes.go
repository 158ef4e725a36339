package accuracy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"foresee/accuracy/measurements"
	"foresee/application/counters"
	"foresee/model/scaling"
	"foresee/predict/scale"
)

// larger is a set of series of two parameters, p and a size, of which the smaller runs are fitted and larger ones predicted. p is processes, of
// HOMME nodes; ne is elements along an edge of the cubed sphere, n the size of RELEARN's problem and the cells of the halo exchange along an edge.
type larger struct {
	name, file, callpath string
	fitted               func(p, size float64) bool // which runs are fitted; all others may be predicted
	what                 string                     // the same in words
	largestOnly          bool                       // at the largest number of processes alone are runs predicted
}

// Chosen: half of the runs or more are fitted, and what is predicted has up to four times the size and two to sixteen times the processes.
var largerSets = []larger{
	{"HOMME, Eulerian", "homme_q10_Eul.jsonl", "main_loop", func(_, ne float64) bool { return ne <= 256 }, "ne ≤ 256 on ≤ 1024 nodes → ne 512 and 1024 on ≤ 4600", false},
	{"HOMME, semi-Lagrangian", "homme_q10_SL.jsonl", "main_loop", func(_, ne float64) bool { return ne <= 256 }, "ne ≤ 256 on ≤ 1024 nodes → ne 512 and 1024 on ≤ 4600", false},
	{"RELEARN", "relearn_n.jsonl", "main()", func(p, _ float64) bool { return p <= 256 }, "p ≤ 256 → 512, n 5000 to 9000", false},
	{"halo exchange in SimGrid", "smpi/smpi_halo3d.jsonl", "total", func(p, _ float64) bool { return p <= 16 }, "p ≤ 16 → 256, n 64 to 256", true},
}

// sizes is the table of series that were measured over both the number of processes and the size of the problem.
func sizes(ctx context.Context, o Options) (*Table, error) {
	t := &Table{
		Title:   "Scaling: more processes and larger problems together",
		Text:    "Times at numbers of processes and problem sizes beyond the measured ones, one model of both parameters, beside a power law in both. The halo exchange ran in SimGrid's simulated time.",
		Columns: []string{"application", "fitted → predicted", "fitted", "predicted", "mean %", "worst %", "in the interval", "power law, mean %"},
	}
	for _, l := range largerSets {
		set, err := measurements.Read(o.Data, l.file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := l.addTo(t, set); err != nil {
			return nil, fmt.Errorf("%s: %w", l.file, err)
		}
	}
	return t, nil
}

// addTo adds the row of a set.
func (l *larger) addTo(t *Table, set *counters.Set) error {
	var known counters.Series
	var asked []counters.Measurement
	most := 0.0
	for _, s := range set.Series {
		if s.Callpath != l.callpath {
			continue
		}
		known = counters.Series{Callpath: s.Callpath, Metric: s.Metric}
		for _, m := range s.Points {
			if l.fitted(m.At[0], m.At[1]) {
				known.Points = append(known.Points, m)
				continue
			}
			asked, most = append(asked, m), max(most, m.At[0])
		}
	}
	if l.largestOnly {
		asked = slices.DeleteFunc(asked, func(m counters.Measurement) bool { return m.At[0] < most })
	}
	series, err := scaling.NewSeries(set.Parameters, known)
	if err != nil {
		return err
	}
	model, err := scaling.Fit(series, scaling.DefaultPrior(len(set.Parameters)))
	if err != nil {
		return err
	}
	law, err := scaling.FitPowerLaw(series)
	if err != nil {
		return err
	}
	var f, power Errors
	inside := 0
	for _, m := range asked {
		p := model.At(m.At)
		power.Add("", 100*scaling.Error(law.At(m.At).Value, m.Median()))
		f.Add(counters.FormatPoint(set.Parameters, m.At), 100*scaling.Error(p.Value, m.Median()))
		if v := m.Median(); v >= p.Low && v <= p.High {
			inside++
		}
	}
	worst, at := f.Worst()
	t.value(l.name+", mean", f.Mean())
	t.Rows = append(t.Rows, []string{l.name, l.what, fmt.Sprint(len(series.Y)), fmt.Sprint(f.N()), fmt.Sprintf("%.1f", f.Mean()), fmt.Sprintf("%.1f (%s)", worst, at), fmt.Sprintf("%d of %d", inside, f.N()), fmt.Sprintf("%.1f", power.Mean())})
	return nil
}

// sizeClasses are the sizes of messages that the table of collectives keeps together, by the largest of each in bytes. Chosen: each has some of
// the benchmark's sizes, powers of two up to 4 MiB, and MPI libraries take other algorithms for small messages than for large ones.
var sizeClasses = []struct {
	name string
	most float64
}{{"≤ 256 B", 256}, {"≤ 8 KiB", 8192}, {"≤ 256 KiB", 262144}, {"above", math.Inf(1)}}

// call is a measured time of one collective: processes, bytes and µs.
type call struct{ p, size, time float64 }

// collectives compares the published function of all sizes with one for each class of sizes and with foresee's model of each size.
func collectives(_ context.Context, o Options) (*Table, error) {
	t := &Table{
		Title:   "Scaling: collectives and exchanges by the size of their messages",
		Text:    "Times of the Intel MPI benchmarks on two machines at 48, 96 and 192 processes (2 to 8 nodes; within one node other rules hold), and predicted at more: up to 1536 on archer, up to 768 on tesseract. Medians of the absolute errors in percent: the published function a·log P + b·s + c fitted to all sizes by ordinary least squares, the same for each class of sizes by relative ones with a, b and c of at least 0, and foresee's model of each size, which all sizes of one operation share.",
		Columns: []string{"machine", "operation", "sizes", "values", "published", "by class", "foresee"},
	}
	for _, file := range []string{"imb_archer.jsonl", "imb_tesseract.jsonl"} {
		set, err := measurements.Read(o.Data, file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		p, size := slices.Index(set.Parameters, "p"), slices.Index(set.Parameters, "s")
		for _, s := range set.Series {
			var calls []call
			for _, m := range s.Points {
				if m.At[size] > 0 && m.Median() > 0 {
					calls = append(calls, call{m.At[p], m.At[size], m.Median()})
				}
			}
			if err := collectiveRows(t, strings.TrimSuffix(strings.TrimPrefix(file, "imb_"), ".jsonl"), s.Callpath, calls); err != nil {
				return nil, err
			}
		}
	}
	if len(t.Rows) == 0 {
		return nil, nil
	}
	return t, nil
}

// Fitted are runs from the one to the other of these numbers of processes: on 2 to 8 of the nodes of 24 cores that both machines have.
const leastProcesses, mostProcesses = 48, 192

// collectiveRows adds the rows of one operation on one machine, one for each class of sizes.
func collectiveRows(t *Table, machine, operation string, calls []call) error {
	slices.SortFunc(calls, func(a, b call) int { return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.p, b.p)) })
	bySize := map[float64]*scaling.Series{}
	var order []float64
	var known, asked []call
	for _, c := range calls {
		switch {
		case c.p > mostProcesses:
			asked = append(asked, c)
			continue
		case c.p < leastProcesses:
			continue
		}
		known = append(known, c)
		s := bySize[c.size]
		if s == nil {
			s = &scaling.Series{Name: fmt.Sprintf("%s of %g bytes", operation, c.size), Parameters: []string{"p"}}
			bySize[c.size], order = s, append(order, c.size)
		}
		s.At, s.Y, s.Spread = append(s.At, []float64{c.p}), append(s.Y, c.time), append(s.Spread, 0)
	}
	if len(asked) == 0 {
		return nil
	}
	var series []*scaling.Series
	for _, size := range order {
		series = append(series, bySize[size])
	}
	fits, err := scaling.Combine(series, scaling.DefaultPrior(1))
	if err != nil {
		return err
	}
	all := ordinaryCollective(known)
	low := 0.0
	for _, class := range sizeClasses {
		in := func(c call) bool { return c.size > low && c.size <= class.most }
		part := slices.DeleteFunc(slices.Clone(known), func(c call) bool { return !in(c) })
		var p, s, y []float64
		for _, c := range part {
			p, s, y = append(p, c.p), append(s, c.size), append(y, c.time)
		}
		byClass, err := scaling.FitCollective(p, s, y)
		if err != nil {
			return err
		}
		var published, classes, mine Errors
		for _, c := range asked {
			if !in(c) {
				continue
			}
			published.Add("", 100*scaling.Error(all(c.p, c.size), c.time))
			classes.Add("", 100*scaling.Error(byClass.Time(c.p, c.size), c.time))
			mine.Add("", 100*scaling.Error(fits[slices.Index(order, c.size)].At([]float64{c.p}).Value, c.time))
		}
		low = class.most
		t.Rows = append(t.Rows, []string{machine, operation, class.name, fmt.Sprint(mine.N()), fmt.Sprintf("%.0f", published.Quantile(0.5)), fmt.Sprintf("%.0f", classes.Quantile(0.5)), fmt.Sprintf("%.0f", mine.Quantile(0.5))})
	}
	return nil
}

// ordinaryCollective is a·log₂ P + b·s + c by ordinary least squares.
func ordinaryCollective(calls []call) func(p, s float64) float64 {
	var rows [][]float64
	var y []float64
	for _, c := range calls {
		rows, y = append(rows, []float64{math.Log2(c.p), c.size, 1}), append(y, c.time)
	}
	x := scaling.LeastSquares(rows, y)
	return func(p, s float64) float64 { return x[0]*math.Log2(p) + x[1]*s + x[2] }
}

// lammpsRuns is how many runs of LAMMPS there are, on 1, 2, 4, 8 and, held out, on these numbers of ranks.
const lammpsRuns = 6

var lammpsHeldOut = [2]float64{16, 32}

// lammpsCounters is the table of counters and messages of a molecular dynamics run, fitted on 1 to 8 ranks. A function that some run lacks is
// left out.
func lammpsCounters(ctx context.Context, _ Options) (*Table, error) {
	t := &Table{
		Title:   "Scaling: counters of LAMMPS",
		Text:    "LAMMPS (Debian's), 32 000 atoms, 20 steps, OpenMPI, each rank under callgrind; counts of functions of LAMMPS itself, those of libraries left out (MPI waits by spinning). Fitted on 1, 2, 4 and 8 ranks, predicted on 16 and 32. Changes of configuration (MPI at 2 ranks) are allowed. Errors in percent: of the sum over the functions; and, weighted, the sum of the functions' absolute errors over the measured sum.",
		Columns: []string{"metric", "functions", "sum, 16 ranks", "32 ranks", "weighted, 16 ranks", "32 ranks", "largest function", "16 ranks", "32 ranks"},
	}
	set, err := measurements.Read("", "lmp_callgrind.jsonl")
	if err != nil {
		return nil, err
	}
	messages, err := measurements.Read("", "lmp_mpi.jsonl")
	if err != nil {
		return nil, err
	}
	if err := set.Merge(messages); err != nil {
		return nil, err
	}
	set.Series = slices.DeleteFunc(set.Series, func(s counters.Series) bool {
		return strings.HasPrefix(s.Callpath, "LIB:") || !strings.HasPrefix(s.Callpath, "MPI_") && len(s.Points) < lammpsRuns
	})
	r, err := scale.Predict(ctx, set, scale.Options{HoldOut: len(lammpsHeldOut), AllowChange: true})
	if err != nil {
		return nil, err
	}
	for _, metric := range []string{"instructions", "instructions.max", "loads", "stores", "l1_misses", "llc_misses"} {
		addSummed(t, r, metric)
	}
	return t, nil
}

// addSummed adds the row of a metric: its sum over the functions, and its largest function.
func addSummed(t *Table, r *scale.Result, metric string) {
	var predicted, measured, absolute [2]float64
	functions, largest := 0, scale.HeldOut{}
	var single [2]float64
	for _, h := range r.HeldOut {
		if h.Metric != metric {
			continue
		}
		at := slices.Index(lammpsHeldOut[:], h.Params["p"])
		if at == len(lammpsHeldOut)-1 {
			functions++
		}
		predicted[at] += h.Value
		measured[at] += h.Measured
		absolute[at] += math.Abs(h.Value - h.Measured)
		if h.Measured > largest.Measured {
			largest = h
		}
	}
	for _, h := range r.HeldOut {
		if h.Metric == metric && h.Callpath == largest.Callpath {
			single[slices.Index(lammpsHeldOut[:], h.Params["p"])] = 100 * h.Error
		}
	}
	row := []string{metric, fmt.Sprint(functions)}
	for i := range predicted {
		e := 100 * scaling.Error(predicted[i], measured[i])
		t.value(fmt.Sprintf("%s, %g ranks", metric, lammpsHeldOut[i]), e)
		row = append(row, fmt.Sprintf("%.2f", e))
	}
	for i := range absolute {
		row = append(row, fmt.Sprintf("%.2f", 100*absolute[i]/measured[i]))
	}
	name := largest.Callpath
	if i := strings.LastIndex(name, "::"); i >= 0 {
		name = name[strings.LastIndex(name[:i], "::")+1:]
		name = strings.TrimPrefix(name, ":")
	}
	t.Rows = append(t.Rows, append(row, name, fmt.Sprintf("%.2f", single[0]), fmt.Sprintf("%.2f", single[1])))
}

// messageCounts is the table of what LAMMPS' ranks send: calls and bytes.
func messageCounts(ctx context.Context, _ Options) (*Table, error) {
	t := &Table{
		Title:   "Scaling: messages of LAMMPS",
		Text:    "Calls and bytes of a rank in the mean, of the same runs; fitted on 1, 2, 4 and 8 ranks, predicted on 16 and 32. Errors in percent.",
		Columns: []string{"function", "metric", "model", "16 ranks", "32 ranks"},
	}
	set, err := measurements.Read("", "lmp_mpi.jsonl")
	if err != nil {
		return nil, err
	}
	r, err := scale.Predict(ctx, set, scale.Options{HoldOut: 2, AllowChange: true})
	if err != nil {
		return nil, err
	}
	rows := map[string][]string{}
	var order []string
	for _, h := range r.HeldOut {
		key := h.Callpath + " " + h.Metric
		if rows[key] == nil {
			rows[key], order = []string{h.Callpath, h.Metric, h.Form}, append(order, key)
		}
		t.value(fmt.Sprintf("%s, %g ranks", key, h.Params["p"]), 100*h.Error)
		rows[key] = append(rows[key], fmt.Sprintf("%.2f", 100*h.Error))
	}
	for _, key := range order {
		t.Rows = append(t.Rows, rows[key])
	}
	return t, nil
}
