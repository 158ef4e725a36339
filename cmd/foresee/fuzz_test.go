package main

import (
	"io"
	"testing"

	"foresee/machine"
	"foresee/model/xmodel"
	"foresee/predict"
	"foresee/predict/hierarchy"
	"foresee/report"
	"foresee/report/figure"
	"foresee/report/page"
	"foresee/report/text"
)

// FuzzScenario reads parameters of an X-graph from a file and from --param; what is taken is drawn and written in every form.
func FuzzScenario(f *testing.F) {
	f.Add([]byte("n: 105\nz: 1\ne: 0.003\nm: 0.35\nr: 0.15\nl: 600\ncache: {size: 16384, latency: 20, alpha: 10, beta: 3072}\n"), "n=60")
	f.Add([]byte("n: .nan\nz: .inf\n"), "n=1e308,Z=5e-324,E=x2,M=0.1,R=1,L=1e18")
	f.Add([]byte("n: &a [*a]\n"), "size=16KiB,latency=40,alpha=6,beta=3KiB")
	f.Add([]byte("n: 1e18\nz: 1e-9\ne: 1\nm: 1\nr: 1\nl: 1e9\n"), "")
	f.Fuzz(func(t *testing.T, file []byte, list string) {
		var p xmodel.Params
		if parseScenario(file, &p) != nil || setParams(&p, []string{list}, "--param") != nil && list != "" {
			return
		}
		if missing(p) != nil || p.Validate() != nil {
			return
		}
		r := predict.XGraph(header(predict.XSchema, "x"), "x", "", p, xmodel.Scale{}, predict.XThreadLimits{Most: mostThreads}, &p)
		if err := report.JSON(io.Discard, r); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
		for _, write := range []func() error{
			func() error { return text.XGraph(io.Discard, r) }, func() error { return text.XGraphCSV(io.Discard, r) },
			func() error { return page.XGraph(io.Discard, r) }, func() error { return figure.XGraph(io.Discard, "svg", r) },
		} {
			if err := write(); err != nil {
				t.Errorf("%+v: %v", p, err)
			}
		}
	})
}

// FuzzFlags reads the points and settings that flags of single verbs take.
func FuzzFlags(f *testing.F) {
	for _, text := range []string{
		"p=256,1024", "p=1e300,n=2", "n^3*m", "p=16", "L1:replacement=plru,prefetch=stride", "L3:size=1TiB,ways=1", "x=NaN",
		"D1=32KiB,8,64",
	} {
		f.Add(text)
	}
	m, err := machine.Load("i7-5960x")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if all, err := parsePoints(text); err == nil {
			for _, p := range all {
				for name, v := range p {
					if !(v > 0) || v > 1e15 {
						t.Errorf("%s=%g", name, v)
					}
				}
			}
		}
		_, _ = parseWork(text)
		s := simulate{levels: []string{text}}
		if options, err := s.levelOptions(); err == nil {
			if h, _, err := hierarchy.Of(m, 8, options); err == nil && h.Validate() != nil {
				t.Errorf("%+v", h)
			}
		}
		if n, err := machine.ParseSize(text); err == nil && n < 0 {
			t.Errorf("a size of %d", n)
		}
	})
}
