package accuracy

import (
	"context"
	"fmt"
	"math"

	"foresee/application/nest"
	"foresee/internal/oracle/kernels"
	"foresee/machine"
	"foresee/model/cache"
	"foresee/predict"
)

// scaledMachine is a machine with caches as small as the problems: small enough that every kernel at SMALL is
// larger than the last level, or near it.
const scaledMachine = `
name: scaled
cores: {value: 8, source: chosen for the comparison}
line_bytes: {value: 64, source: chosen for the comparison}
levels:
- name: L1
  size: {value: 4KiB, source: chosen for the comparison}
  ways: {value: 8, source: chosen for the comparison}
  shared_by: {value: 1, source: chosen for the comparison}
- name: L2
  size: {value: 32KiB, source: chosen for the comparison}
  ways: {value: 8, source: chosen for the comparison}
  shared_by: {value: 1, source: chosen for the comparison}
- name: L3
  size: {value: 256KiB, source: chosen for the comparison}
  ways: {value: 16, source: chosen for the comparison}
  shared_by: {value: 8, source: chosen for the comparison}
`

// Hits is the accuracy of hit rates.
type Hits struct {
	Table  Table
	All    Errors // of the default model
	SDCM   Errors // of the paper's, lines falling into sets at random
	Levels map[string]*Errors

	machine *machine.Machine
}

// NewHits begins a comparison of SDCM's hit rates with a simulation of a whole machine: private set-associative
// LRU levels that pass their misses on to a shared one, fed with the same interleaved streams.
func NewHits(size string) (*Hits, error) {
	m, err := machine.Parse("scaled.yaml", []byte(scaledMachine))
	if err != nil {
		return nil, err
	}
	out := &Hits{machine: m, Levels: map[string]*Errors{}, Table: Table{
		Title: "Cache hit rates",
		Text: fmt.Sprintf("SDCM on sampled reuse distances, with conflicts taken from where the lines lie (the default, placed) and as published (sdcm), against an exact simulation of set-associative LRU caches (L1 4 KiB, 8 ways, and L2 32 KiB, 8 ways, private; L3 256 KiB, 16 ways, shared by all) "+
			"that see the same round-robin interleaved streams, kernels at %s. Errors in percentage points of the cumulative hit rate, predicted − simulated.", size),
		Columns: []string{"kernel", "threads"},
	}}
	for _, l := range m.Levels {
		out.Levels[l.Name] = &Errors{}
		out.Table.Columns = append(out.Table.Columns, l.Name+" simulated", "placed", "sdcm")
	}
	return out, nil
}

// Finish gives the table.
func (h *Hits) Finish() *Table {
	h.Table.Summary = []string{
		h.All.line("placed, absolute error in points over all levels", "%.2f"),
		h.SDCM.line("sdcm, as published, over all levels", "%.2f"),
	}
	for _, l := range h.machine.Levels {
		h.Table.Summary = append(h.Table.Summary, h.Levels[l.Name].line("placed, "+l.Name, "%.2f"))
	}
	return &h.Table
}

// hitRow is one kernel at one number of threads.
type hitRow struct {
	threads                 int
	simulated, placed, sdcm []float64
}

// measure compares one kernel; what it returns adds it.
func (h *Hits) measure(ctx context.Context, k kernels.Kernel, threads []int, seed uint64) (func(), error) {
	analysis := predict.NewAnalysis(ctx, k.Program, predict.Options{Seed: seed, ThreadsModel: predict.ThreadsExact, Page: predict.InOrder})
	var rows []hitRow
	for _, n := range threads {
		row := hitRow{threads: n}
		var err error
		if row.simulated, err = simulate(k.Program, h.machine, n); err != nil {
			return nil, err
		}
		if row.placed, err = rates(analysis, h.machine, n, predict.HitModelPlaced); err != nil {
			return nil, err
		}
		if row.sdcm, err = rates(analysis, h.machine, n, predict.HitModelSDCM); err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return func() {
		for _, r := range rows {
			h.add(k.Name, r)
		}
	}, nil
}

func rates(a *predict.Analysis, m *machine.Machine, threads int, model string) ([]float64, error) {
	rates, err := a.HitRates(m, threads, model)
	out := make([]float64, len(rates))
	for i, r := range rates {
		out[i] = r.HitRate
	}
	return out, err
}

func (h *Hits) add(kernel string, r hitRow) {
	cells := []string{kernel, fmt.Sprint(r.threads)}
	for i, l := range h.machine.Levels {
		points, published := 100*(r.placed[i]-r.simulated[i]), 100*(r.sdcm[i]-r.simulated[i])
		name := fmt.Sprintf("%s, %s, %d thread%s", kernel, l.Name, r.threads, plural(r.threads))
		h.All.Add(name, math.Abs(points))
		h.SDCM.Add(name, math.Abs(published))
		h.Levels[l.Name].Add(name, math.Abs(points))
		cells = append(cells, fmt.Sprintf("%.2f %%", 100*r.simulated[i]), fmt.Sprintf("%+.2f", points), fmt.Sprintf("%+.2f", published))
	}
	h.Table.Rows = append(h.Table.Rows, cells)
}

// simulate gives the cumulative hit rate of every level.
func simulate(p *nest.Program, m *machine.Machine, threads int) ([]float64, error) {
	s, err := nest.NewStream(p, nest.Options{Threads: threads, Group: threads, Line: 64})
	if err != nil {
		return nil, err
	}
	h, _, err := predict.Hierarchy(m, threads, nil)
	if err != nil {
		return nil, err
	}
	simulator, err := cache.NewSimulator(h)
	if err != nil {
		return nil, err
	}
	s.Each(func(a nest.Place) bool {
		// Reads: the model does not know of lines that writes of other threads take away.
		simulator.Access(a.Thread, uint64(s.Address(a)), false)
		return true
	})
	hits := make([]float64, len(m.Levels))
	for i, l := range simulator.Counts().Levels {
		hits[i] = 1 - float64(l.Misses)/float64(s.Len())
	}
	return hits, nil
}
