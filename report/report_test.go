package report

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foresee/machine"
	"foresee/predict"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden compares every format of invented results with the files of testdata.
func TestGolden(t *testing.T) {
	two := predictions([]string{"kernel_gemm", "init:7"}, []string{"i7-5960x"}, 1, 2, 16)
	mrc := curves(0.7, []string{"kernel_gemm"}, 1, 4)
	for name, write := range map[string]func(io.Writer) error{
		"prediction.txt":   func(w io.Writer) error { return PredictionText(w, two, TextOptions{}) },
		"prediction-v.txt": func(w io.Writer) error { return PredictionText(w, two, TextOptions{Verbose: true}) },
		"prediction.json":  func(w io.Writer) error { return JSON(w, two) },
		"prediction.csv":   func(w io.Writer) error { return PredictionCSV(w, two) },
		"prediction.html": func(w io.Writer) error {
			return HTML(w, Page{Command: "foresee predict gemm.c", Prediction: two, Curves: mrc})
		},
		"timeless.txt": func(w io.Writer) error { return PredictionText(w, timeless(), TextOptions{}) },
		"timeless.csv": func(w io.Writer) error { return PredictionCSV(w, timeless()) },
		"nothing.json": func(w io.Writer) error { return JSON(w, &predict.PredictionResult{}) },
		"curves.txt":   func(w io.Writer) error { return CurveText(w, mrc, TextOptions{}) },
		"curves.csv":   func(w io.Writer) error { return CurveCSV(w, mrc) },
		"curves.svg":   func(w io.Writer) error { return PlotCurves(w, "svg", mrc) },
		"profile.txt":  func(w io.Writer) error { return ProfileText(w, profiles(), TextOptions{}) },
		"profile.json": func(w io.Writer) error { return JSON(w, profiles()) },
		"profile.csv":  func(w io.Writer) error { return ProfileCSV(w, profiles()) },
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			golden(t, name, b.Bytes())
		})
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (go test -update rewrites it):\n%s", path, diff)
	}
}

// TestHTMLEscapes looks for names that would become part of the page.
func TestHTMLEscapes(t *testing.T) {
	const evil = `</svg><script>alert("x")</script>`
	r := predictions([]string{evil}, []string{evil}, 1, 2)
	r.Input, r.Warnings = evil, []string{evil}
	c := curves(1, []string{evil}, 1, 2)
	var b bytes.Buffer
	if err := HTML(&b, Page{Command: evil, Prediction: r, Curves: c, Machines: []*machine.Machine{{Name: evil, Title: evil, Notes: []string{evil}}}}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "alert(\"x\")") || strings.Contains(b.String(), "<script>alert") {
		t.Error("a name became part of the page")
	}
	if n := strings.Count(b.String(), "<script"); n != 1 {
		t.Errorf("%d scripts, want the page's own one", n)
	}
}

func TestUnits(t *testing.T) {
	for got, want := range map[string]string{
		Seconds(0): "0 s", Seconds(1.2e-3): "1.20 ms", Seconds(0.9999): "1.00 s", Seconds(9.996e-6): "10.0 µs",
		Seconds(123.4): "123 s", Seconds(4567): "4567 s", Seconds(2e-9): "2.00 ns", Seconds(9.9951e-4): "1.00 ms",
		Percent(0.9703): "97.03 %", Percent(1): "100.00 %", Percent(0.99999): "99.999 %", Percent(0): "0.00 %",
		Count(0): "0", Count(-1234): "-1,234", Count(1352400): "1,352,400", Count(999): "999",
		Ratio(0.03125): "0.0312", Ratio(1.25e-4): "0.000125", Ratio(1.25e-7): "1.25e-07", Ratio(0): "0",
		bar(0.5, 4): "██", bar(0.0001, 4): "▏", sparkline([]float64{0, 1e-9, 0.5, 1}, 1): " ▁▄█",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestMachineDetails holds the list against the file: every value of the library has its source.
func TestMachineDetails(t *testing.T) {
	for _, name := range machine.Library() {
		m, err := machine.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		d := Details(m)
		fields := map[string]bool{}
		for _, v := range d.Values {
			if v.Source == "" || fields[v.Field] || v.Text() == "" {
				t.Errorf("%s: %+v comes twice or lacks a text or source", name, v)
			}
			fields[v.Field] = true
		}
		for _, missing := range d.Missing {
			if fields[missing] {
				t.Errorf("%s: %s is missing and known", name, missing)
			}
		}
		yaml, err := m.YAML()
		if err != nil {
			t.Fatal(err)
		}
		// CPUID has a source of its own and no value.
		want := strings.Count(string(yaml), "value: ")
		if len(d.Values) != want {
			t.Errorf("%s: %d values, the file has %d", name, len(d.Values), want)
		}
	}
}
