package sweep

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"foresee/application"
	"foresee/machine"
	"foresee/predict"
)

// PartSchema names the files of what units give.
const PartSchema = "foresee.sweep-part/v1"

// Part is what a unit gives.
type Part struct {
	Schema   string   `json:"schema"`
	Key      string   `json:"key"`
	Rows     []Cell   `json:"rows"`
	Warnings []string `json:"warnings"`
	Checksum string   `json:"checksum"`
}

// Cell is one prediction of a unit.
type Cell struct {
	Place int `json:"place"` // machine of the unit times numbers of threads, plus that of the threads
	Outcome
}

// Outcome is what is kept of a prediction.
type Outcome struct {
	Region    string   `json:"region"`
	Accesses  int64    `json:"accesses"`
	Flops     int64    `json:"flops"`
	HitRates  []Rate   `json:"hit_rates"`
	TimeS     *float64 `json:"time_s,omitempty"`
	TimeLowS  *float64 `json:"time_low_s,omitempty"`
	TimeHighS *float64 `json:"time_high_s,omitempty"`
	Speedup   *float64 `json:"speedup,omitempty"` // over one thread of the same machine
	BoundBy   string   `json:"bound_by,omitempty"`
}

// Rate is the cumulative hit rate of a level.
type Rate struct {
	Level   string  `json:"level"`
	HitRate float64 `json:"hit_rate"`
}

// Worker does units of a plan.
type Worker struct {
	Plan    *Plan
	Store   *Store
	Workers int // goroutines of an analysis; 0: one a core

	size  int // whose signature is read
	known *application.Signature
	bases map[string]*machine.Machine
}

// Do does a unit and keeps what it gives.
func (w *Worker) Do(ctx context.Context, u Unit) error {
	key, err := w.Plan.Key(u)
	if err != nil {
		return err
	}
	if err := w.read(u.Size); err != nil {
		return err
	}
	variants, places, err := w.machines(u)
	if err != nil {
		return err
	}
	part := &Part{Schema: PartSchema, Key: key, Rows: []Cell{}, Warnings: []string{}}
	if len(variants) == 0 {
		return w.Store.PutPart(part)
	}
	options := w.Plan.Settings.options()
	options.Workers = w.Workers
	found, err := predict.Run(ctx, predict.Request{Signature: w.known, Machines: variants, Threads: w.Plan.Threads, Model: w.Plan.Settings.Model, Options: options})
	if err != nil {
		return err
	}
	part.Warnings = found.Warnings
	for _, p := range found.Predictions {
		at := slices.IndexFunc(variants, func(m *machine.Machine) bool { return m.Name == p.Machine })
		thread := slices.Index(w.Plan.Threads, p.Threads)
		part.Rows = append(part.Rows, Cell{places[at]*len(w.Plan.Threads) + thread, outcome(&p)})
		part.warn(variants[at].Name, w.Plan.Machines[u.First+places[at]].Name, &p)
	}
	return w.Store.PutPart(part)
}

// read reads the signature of a size, unless it is the one that was read last.
func (w *Worker) read(size int) (err error) {
	if w.known != nil && w.size == size {
		return nil
	}
	w.size = size
	w.known, err = w.Store.Signature(w.Plan.Sizes[size])
	return err
}

// machines are those of a unit that can be, with their places in it.
func (w *Worker) machines(u Unit) (all []*machine.Machine, places []int, err error) {
	if w.bases == nil {
		w.bases = map[string]*machine.Machine{}
	}
	for i, v := range w.Plan.Machines[u.First:u.Last] {
		if v.Impossible != "" {
			continue
		}
		base := w.bases[v.Base]
		if base == nil {
			if base, err = w.Store.Machine(v.Base); err != nil {
				return nil, nil, err
			}
			w.bases[v.Base] = base
		}
		m, err := v.of(base, u.First+i)
		if err != nil {
			return nil, nil, err
		}
		all, places = append(all, m), append(places, i)
	}
	return all, places, nil
}

func outcome(p *predict.Prediction) Outcome {
	out := Outcome{
		Region: p.Region, Accesses: p.Accesses, Flops: p.Flops, HitRates: []Rate{}, TimeS: p.TimeS, TimeLowS: p.TimeLowS, TimeHighS: p.TimeHighS,
		Speedup: p.Speedup, BoundBy: p.BoundBy,
	}
	for _, h := range p.HitRates {
		out.HitRates = append(out.HitRates, Rate{h.Level, h.HitRate})
	}
	return out
}

// mostWarnings bounds those of a part. Chosen: more are of points that differ in numbers alone.
const mostWarnings = 100

// warn takes the warnings of a prediction, with the region and the machine that they are of: variants of one machine have its name there.
func (p *Part) warn(variant, machine string, of *predict.Prediction) {
	for _, w := range of.Warnings {
		w = strings.ReplaceAll(w, "machine "+variant, "machine "+machine)
		if w = fmt.Sprintf("%s (%s on %s)", w, of.Region, machine); !slices.Contains(p.Warnings, w) && len(p.Warnings) < mostWarnings {
			p.Warnings = append(p.Warnings, w)
		}
	}
}
