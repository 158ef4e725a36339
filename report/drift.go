//go:build linux

package report

import (
	"math"

	"foresee/internal/quantile"
	"foresee/machine"
	"foresee/machine/probe"
	"foresee/predict"
)

// DriftSchema is that of foresee machine check.
const DriftSchema = "foresee.drift/v1"

// Drift is the result of foresee machine check.
type Drift struct {
	predict.Header
	Machine string      `json:"machine"`
	Median  float64     `json:"median_change"` // of the absolute relative changes
	Worst   float64     `json:"worst_change"`
	Values  []DriftItem `json:"values"`
}

// DriftItem is one quantity then and now.
type DriftItem struct {
	What   string  `json:"what"`
	Unit   string  `json:"unit"`
	Then   float64 `json:"then"`
	Now    float64 `json:"now"`
	Change float64 `json:"change"` // now over then, less one
	Spread float64 `json:"spread"` // of the samples now
}

// NewDrift sums up what a check found.
func NewDrift(h predict.Header, m *machine.Machine, drifts []probe.Drift) *Drift {
	d := &Drift{Header: h, Machine: m.Name, Values: []DriftItem{}}
	var changes []float64
	for _, x := range drifts {
		d.Values = append(d.Values, DriftItem{x.What, x.Unit, x.Then, x.Now, x.Change(), x.Spread})
		changes = append(changes, math.Abs(x.Change()))
		d.Worst = max(d.Worst, math.Abs(x.Change()))
	}
	d.Median = quantile.Median(changes)
	return d
}
