package page

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"io"

	"foresee/predict"
	"foresee/report"
)

//go:embed xgraph.html
var xPageText string

//go:embed xgraph.js
var xPageScript string

//go:embed xmodel.js
var xModelScript string

// XModel is the X-model as a script: it defines xmodel, with the functions supply, demand, compute, states and hitRate of parameters and a number of threads.
func XModel() string { return xModelScript }

var xPage = template.Must(template.New("xgraph").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(pageStyle) }, "script": func() template.JS { return template.JS(xPageScript) },
	"model": func() template.JS { return template.JS(xModelScript) },
}).Parse(xPageText))

// XGraph writes a page of its own with a slider for each parameter; it computes states itself.
func XGraph(w io.Writer, r *predict.XResult) error {
	u := report.XUnitsOf(r.Scale)
	text, err := json.Marshal(report.XSlidersOf(r))
	if err != nil {
		return err
	}
	return xPage.Execute(w, map[string]any{
		"Title": r.Title, "Source": r.Source, "Warnings": r.Warnings, "MemoryName": u.MemoryName, "ComputeName": u.ComputeName, "Data": template.JS(text),
	})
}
