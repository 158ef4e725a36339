package report

import (
	"foresee/model/xmodel"
	"foresee/predict"
)

// XSlider is one parameter of the X-model that a page lets people change.
type XSlider struct {
	Key     string  `json:"key"`  // in the page's own model
	Name    string  `json:"name"` // as the paper has it
	Meaning string  `json:"meaning"`
	Value   float64 `json:"value"` // where it stands at first: of the scenario that the result is compared with, if there is one
	First   float64 `json:"first"` // of the result itself, which is drawn dashed
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
}

// Where sliders end and what they hold at least. Chosen.
const (
	sliderRange  = 16    // times the value, in both directions
	leastShare   = 1e-12 // of the result's value, of a scenario's that may be 0: sliders are logarithmic
	leastThreads = 1e-9  // for the same reason
	leastAlpha   = 1.001 // α is above 1
	alphaRange   = 4     // times the value; twice the least one at any rate
)

// XSliders are what a page with sliders reads: the hit rates by size of the cache as a table, where they are one, and the units of the axes.
type XSliders struct {
	Sliders     []XSlider `json:"sliders"`
	Printed     bool      `json:"printed"`
	Table       []float64 `json:"table,omitempty"`
	TableSize   float64   `json:"tableSize,omitempty"`
	MemoryUnit  float64   `json:"memoryUnit"`
	MemoryName  string    `json:"memoryName"`
	ComputeUnit float64   `json:"computeUnit"`
	ComputeName string    `json:"computeName"`
}

// XSlidersOf are the parameters of a result, its scenario and the units of its axes.
func XSlidersOf(r *predict.XResult) *XSliders {
	u := XUnitsOf(r.Scale)
	data := XSliders{MemoryUnit: u.Memory, MemoryName: u.MemoryName, ComputeUnit: u.Compute, ComputeName: u.ComputeName}
	p, q := r.Params, r.Params
	if r.Against != nil {
		q = r.Against.Params
	}
	var after []float64 // the values of the sliders in their order
	if after = []float64{q.N, q.Z, q.E, q.M, q.R, q.L}; q.Cache != nil {
		after = append(after, q.Cache.Latency, q.Cache.Size, q.Cache.Alpha, q.Cache.Beta)
	}
	add := func(key, name, meaning string, v float64) {
		now := v
		if i := len(data.Sliders); i < len(after) {
			now = max(after[i], v*leastShare)
		}
		data.Sliders = append(data.Sliders, XSlider{key, name, meaning, now, v, min(v, now) / sliderRange, max(v, now) * sliderRange})
	}
	add("n", "n", "threads", max(p.N, leastThreads))
	add("Z", "Z", "operations a request", p.Z)
	add("E", "E", "operations a cycle of a thread", p.E)
	add("M", "M", "operations a cycle of all lanes", p.M)
	add("R", "R", "requests a cycle of memory", p.R)
	add("L", "L", "cycles of a request to memory", p.L)
	if c := p.Cache; c != nil && c.Size > 0 {
		data.Printed = c.Printed
		add("latency", "Ls", "cycles of a hit in the cache", c.Latency)
		add("size", "S", "size of the cache", c.Size)
		if c.Hits == nil {
			add("alpha", "α", "locality, above 1", c.Alpha)
			add("beta", "β", "locality, a size", c.Beta)
			last := &data.Sliders[len(data.Sliders)-2]
			last.Low, last.High = leastAlpha, max(2, c.Alpha*alphaRange)
		} else {
			data.Table, data.TableSize = xmodel.HitTable(c.Hits, c.Size), c.Size
		}
	}
	return &data
}
