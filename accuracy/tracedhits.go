package accuracy

import (
	"context"
	"fmt"
	"math"

	"foresee/application"
	"foresee/application/record"
	"foresee/application/recording"
	"foresee/machine"
	"foresee/predict"
)

// tracedHits compares hit rates predicted from the recording of one thread with an exact simulation of a run with as many
// threads.
type tracedHits struct {
	Table    Table
	size     string
	machines []*machine.Machine
	threads  []int
	ways     []tracedWay
	figures  map[string]*Errors // by way of predicting
}

// tracedWay is a way of predicting from one run.
type tracedWay struct {
	name, hitModel string
	mimic          bool // the paper's way of dealing basic blocks to threads
}

var tracedWays = []tracedWay{
	{"cut", predict.HitModelSimulated, false},
	{"cut, sdcm", predict.HitModelSDCM, false},
	{"mimic", predict.HitModelSimulated, true},
	{"mimic, sdcm", predict.HitModelSDCM, true},
}

// newTracedHits begins a comparison of kernels of a size on machines and numbers of threads, predicted in these ways.
func newTracedHits(size string, machines []*machine.Machine, threads []int, ways ...tracedWay) *tracedHits {
	h := &tracedHits{size: size, machines: machines, threads: threads, ways: ways, figures: map[string]*Errors{}}
	h.Table.Text = fmt.Sprintf("Kernels at %s; threads take turns between barriers. Truth: exact simulation of the set-associative caches (private ones for each core, invalidation by writes) on the accesses of a run with so many threads. "+
		"Predicted from the recording of one thread: cut – iterations dealt by the schedules, simulated; cut, sdcm – the same with SDCM on reuse distances; mimic – as in PPT-Multicore: basic blocks dealt by how often they run, simulated, and with SDCM as published. "+
		"Mean and largest absolute error in points of the cumulative hit rate, over all regions (by their accesses) and levels.", size)
	h.Table.Columns = []string{"kernel", "machine", "threads"}
	for _, w := range ways {
		h.figures[w.name] = &Errors{}
		h.Table.Columns = append(h.Table.Columns, w.name, "worst")
	}
	return h
}

// measure compares kernels one after the other and gives the table.
func (h *tracedHits) measure(ctx context.Context, t *tracer, kernels []string, o Options) (*Table, error) {
	for i, k := range kernels {
		if o.Progress != nil {
			o.Progress(i, len(kernels))
		}
		if err := h.kernel(ctx, t, k); err != nil {
			return nil, fmt.Errorf("%s: %w", k, err)
		}
	}
	for _, w := range h.ways {
		h.Table.Summary = append(h.Table.Summary, h.figures[w.name].line(w.name+", error in points over all levels", "%.2f"))
	}
	return &h.Table, nil
}

// rateKey is a machine, by its number in machines, at a number of threads.
type rateKey struct{ machine, threads int }

// weightedRates are the hits and the accesses of all regions together, by level, of a machine at a number of threads.
type weightedRates struct{ hits, accesses []float64 }

// kernel compares one: the truth from a run on each number of threads, the predictions from one run on one thread for each way.
func (h *tracedHits) kernel(ctx context.Context, t *tracer, kernel string) error {
	program, err := t.build(ctx, kernel, h.size, openmp)
	if err != nil {
		return err
	}
	truth := map[rateKey]*weightedRates{}
	for _, n := range h.threads {
		if err := h.predict(ctx, t, record.Run{Program: program, Threads: n, Cuts: []int{1}}, []int{n}, predict.HitModelSimulated, false, truth); err != nil {
			return err
		}
	}
	predicted := make([]map[rateKey]*weightedRates, len(h.ways))
	for i, w := range h.ways {
		predicted[i] = map[rateKey]*weightedRates{}
		cuts := h.threads
		if w.mimic { // the paper's run is not cut
			cuts = []int{1}
		}
		if err := h.predict(ctx, t, record.Run{Program: program, Cuts: cuts}, h.threads, w.hitModel, w.mimic, predicted[i]); err != nil {
			return err
		}
	}
	for m := range h.machines {
		for _, n := range h.threads {
			h.add(kernel, rateKey{m, n}, truth, predicted)
		}
	}
	return nil
}

// predict adds the hit rates that a hit model gives for a recorded run on these numbers of threads.
func (h *tracedHits) predict(ctx context.Context, t *tracer, r record.Run, threads []int, model string, mimic bool, into map[rateKey]*weightedRates) error {
	return t.run(ctx, r, func(src recording.Source) error {
		result, err := predict.Run(ctx, predict.Request{
			Signature: application.OfRun("", src, false), Machines: h.machines, Threads: threads,
			Options: predict.Options{HitModel: model, Page: predict.InOrder, Mimic: mimic},
		})
		if err != nil {
			return err
		}
		for _, p := range result.Predictions {
			for m := range h.machines {
				if h.machines[m].Name == p.Machine {
					add(into, rateKey{m, p.Threads}, p)
				}
			}
		}
		return nil
	})
}

// add adds the hit rates of a region.
func add(into map[rateKey]*weightedRates, k rateKey, p predict.Prediction) {
	w := into[k]
	if w == nil {
		w = &weightedRates{make([]float64, len(p.HitRates)), make([]float64, len(p.HitRates))}
		into[k] = w
	}
	for i, r := range p.HitRates {
		w.hits[i] += r.HitRate * float64(p.Accesses)
		w.accesses[i] += float64(p.Accesses)
	}
}

// add adds the row of a kernel on a machine at a number of threads, unless the machine has fewer cores.
func (h *tracedHits) add(kernel string, k rateKey, truth map[rateKey]*weightedRates, predicted []map[rateKey]*weightedRates) {
	want := truth[k]
	if want == nil || h.machines[k.machine].TotalCores() > 0 && k.threads > h.machines[k.machine].TotalCores() {
		return
	}
	row := []string{kernel, h.machines[k.machine].Name, fmt.Sprint(k.threads)}
	for i, w := range h.ways {
		got := predicted[i][k]
		if got == nil {
			row = append(row, "–", "–")
			continue
		}
		sum, worst := 0.0, 0.0
		for j := range want.hits {
			points := 100 * math.Abs(got.hits[j]/got.accesses[j]-want.hits[j]/want.accesses[j])
			sum += points
			worst = max(worst, points)
			h.figures[w.name].Add(fmt.Sprintf("%s, %s, %s, %d threads", kernel, h.machines[k.machine].Name, h.machines[k.machine].Levels[j].Name, k.threads), points)
		}
		row = append(row, fmt.Sprintf("%.2f", sum/float64(len(want.hits))), fmt.Sprintf("%.2f", worst))
	}
	h.Table.Rows = append(h.Table.Rows, row)
}
