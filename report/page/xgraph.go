package page

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"io"

	"foresee/model/xmodel"
	"foresee/predict"
	"foresee/report"
)

//go:embed xgraph.html
var xPageText string

//go:embed xgraph.js
var xPageScript string

//go:embed xmodel.js
var xModelScript string

var xPage = template.Must(template.New("xgraph").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(pageStyle) }, "script": func() template.JS { return template.JS(xPageScript) },
	"model": func() template.JS { return template.JS(xModelScript) },
}).Parse(xPageText))

// slider is one parameter of the page.
type slider struct {
	Key     string  `json:"key"`
	Name    string  `json:"name"`
	Meaning string  `json:"meaning"`
	Value   float64 `json:"value"`
	First   float64 `json:"first"` // of the scenario that is drawn dashed
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
}

// xData is what the page's script reads.
type xData struct {
	Sliders     []slider  `json:"sliders"`
	Printed     bool      `json:"printed"`
	Table       []float64 `json:"table,omitempty"`
	TableSize   float64   `json:"tableSize,omitempty"`
	MemoryUnit  float64   `json:"memoryUnit"`
	MemoryName  string    `json:"memoryName"`
	ComputeUnit float64   `json:"computeUnit"`
	ComputeName string    `json:"computeName"`
}

// XGraph writes a page of its own with a slider for each parameter; it computes states itself.
func XGraph(w io.Writer, r *predict.XResult) error {
	u := report.XUnitsOf(r.Scale)
	data := xData{MemoryUnit: u.Memory, MemoryName: u.MemoryName, ComputeUnit: u.Compute, ComputeName: u.ComputeName}
	p, q := r.Params, r.Params
	if r.Against != nil {
		q = r.Against.Params
	}
	var after []float64
	if after = []float64{q.N, q.Z, q.E, q.M, q.R, q.L}; q.Cache != nil {
		after = append(after, q.Cache.Latency, q.Cache.Size, q.Cache.Alpha, q.Cache.Beta)
	}
	add := func(key, name, meaning string, v float64) {
		now := v
		if i := len(data.Sliders); i < len(after) {
			now = max(after[i], v*1e-12)
		}
		data.Sliders = append(data.Sliders, slider{key, name, meaning, now, v, min(v, now) / 16, max(v, now) * 16})
	}
	add("n", "n", "threads", max(p.N, 1e-9))
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
			last.Low, last.High = 1.001, max(2, c.Alpha*4)
		} else {
			data.Table, data.TableSize = xmodel.HitTable(c.Hits, c.Size), c.Size
		}
	}
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return xPage.Execute(w, map[string]any{
		"Title": r.Title, "Source": r.Source, "Warnings": r.Warnings, "MemoryName": u.MemoryName, "ComputeName": u.ComputeName, "Data": template.JS(text),
	})
}
