package sweep

import (
	"fmt"
	"slices"
	"strings"

	"foresee/predict"
)

// Schema names the results.
const Schema = "foresee.sweep/v1"

// Result is a design space with a prediction of each region at each point.
type Result struct {
	predict.Header
	Partial bool  `json:"partial,omitempty"` // units are missing, because it was interrupted
	Axes    Space `json:"axes"`
	Rows    []Row `json:"rows"` // by point, in the order in which the last axis changes first
	Best    []Row `json:"best"` // of each region at each size the row with the least time; empty without times
}

// Row is a region at a point.
type Row struct {
	At []string `json:"at"` // the point: a value of each axis
	Outcome
}

// UnitError is a unit that should be there.
type UnitError struct{ Missing, Of int }

func (e *UnitError) Error() string {
	return fmt.Sprintf("%d of %d parts of the sweep are missing", e.Missing, e.Of)
}

// Gather puts together what units gave. With partial, missing ones are left out.
func Gather(p *Plan, store *Store, partial bool) (*Result, error) {
	out := &Result{Header: predict.Header{Schema: Schema, Version: p.Version, Input: p.Input, Warnings: []string{}}, Axes: p.Axes, Rows: []Row{}, Best: []Row{}}
	if w := p.leftOut(); w != "" {
		out.Warnings = append(out.Warnings, w)
	}
	units, missing := p.Units(), 0
	for _, u := range units {
		key, err := p.Key(u)
		if err != nil {
			return nil, err
		}
		part, err := store.Part(key)
		if err != nil {
			return nil, err
		}
		if part == nil {
			missing++
			continue
		}
		out.take(p, u, part)
	}
	if missing > 0 && !partial {
		return nil, &UnitError{missing, len(units)}
	}
	out.Partial = missing > 0
	out.best(p.Sources)
	return out, nil
}

// take adds the rows of a unit.
func (r *Result) take(p *Plan, u Unit, part *Part) {
	cells := slices.Clone(part.Rows)
	slices.SortStableFunc(cells, func(a, b Cell) int { return a.Place - b.Place })
	first := (u.Size*len(p.Machines) + u.First) * len(p.Threads)
	for _, c := range cells {
		r.Rows = append(r.Rows, Row{p.Axes.At(first + c.Place), c.Outcome})
	}
	for _, w := range part.Warnings {
		if !slices.Contains(r.Warnings, w) && len(r.Warnings) < mostWarnings {
			r.Warnings = append(r.Warnings, w)
		}
	}
}

// best finds the fastest point of each region at each size, which the first axes are, in the order of the rows.
func (r *Result) best(sources int) {
	at := map[string]int{}
	for _, row := range r.Rows {
		if row.TimeS == nil {
			continue
		}
		key := strings.Join(append([]string{row.Region}, row.At[:sources]...), "\x00")
		i, known := at[key]
		switch {
		case !known:
			at[key] = len(r.Best)
			r.Best = append(r.Best, row)
		case *row.TimeS < *r.Best[i].TimeS:
			r.Best[i] = row
		}
	}
}

// regions are those that have times, in the order of the rows.
func (r *Result) regions() (names []string) {
	for _, row := range r.Best {
		if !slices.Contains(names, row.Region) {
			names = append(names, row.Region)
		}
	}
	return names
}

// Rate is the cumulative hit rate of a level, and whether the machine has it.
func (o *Outcome) Rate(level string) (float64, bool) {
	for _, h := range o.HitRates {
		if h.Level == level {
			return h.HitRate, true
		}
	}
	return 0, false
}
