package report_test

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
	"foresee/report"
	"foresee/report/figure"
	"foresee/report/page"
	"foresee/report/sample"
	"foresee/report/text"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden compares every format of invented results with the files of testdata.
func TestGolden(t *testing.T) {
	two := sample.Predictions([]string{"kernel_gemm", "init:7"}, []string{"i7-5960x"}, 1, 2, 16)
	mrc := sample.Curves(0.7, []string{"kernel_gemm"}, 1, 4)
	for name, write := range map[string]func(io.Writer) error{
		"prediction.txt":   func(w io.Writer) error { return text.Prediction(w, two, text.Options{}) },
		"prediction-v.txt": func(w io.Writer) error { return text.Prediction(w, two, text.Options{Verbose: true}) },
		"prediction.json":  func(w io.Writer) error { return report.JSON(w, two) },
		"prediction.csv":   func(w io.Writer) error { return text.PredictionCSV(w, two) },
		"prediction.html": func(w io.Writer) error {
			return page.Prediction(w, page.Contents{Command: "foresee predict gemm.c", Prediction: two, Curves: mrc})
		},
		"timeless.txt": func(w io.Writer) error { return text.Prediction(w, sample.Timeless(), text.Options{}) },
		"timeless.csv": func(w io.Writer) error { return text.PredictionCSV(w, sample.Timeless()) },
		"nothing.json": func(w io.Writer) error { return report.JSON(w, &predict.PredictionResult{}) },
		"curves.txt":   func(w io.Writer) error { return text.Curves(w, mrc, text.Options{}) },
		"curves.csv":   func(w io.Writer) error { return text.CurvesCSV(w, mrc) },
		"curves.svg":   func(w io.Writer) error { return figure.Curves(w, "svg", mrc) },
		"profile.txt":  func(w io.Writer) error { return text.Profiles(w, sample.Profiles(), text.Options{}) },
		"profile.json": func(w io.Writer) error { return report.JSON(w, sample.Profiles()) },
		"profile.csv":  func(w io.Writer) error { return text.ProfilesCSV(w, sample.Profiles()) },
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
	r := sample.Predictions([]string{evil}, []string{evil}, 1, 2)
	r.Input, r.Warnings = evil, []string{evil}
	c := sample.Curves(1, []string{evil}, 1, 2)
	var b bytes.Buffer
	if err := page.Prediction(&b, page.Contents{Command: evil, Prediction: r, Curves: c, Machines: []*machine.Machine{{Name: evil, Title: evil, Notes: []string{evil}}}}); err != nil {
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
		report.Seconds(0): "0 s", report.Seconds(1.2e-3): "1.20 ms", report.Seconds(0.9999): "1.00 s", report.Seconds(9.996e-6): "10.0 µs",
		report.Seconds(123.4): "123 s", report.Seconds(4567): "4567 s", report.Seconds(2e-9): "2.00 ns", report.Seconds(9.9951e-4): "1.00 ms",
		report.Percent(0.9703): "97.03 %", report.Percent(1): "100.00 %", report.Percent(0.99999): "99.999 %", report.Percent(0): "0.00 %",
		report.Count(0): "0", report.Count(-1234): "-1,234", report.Count(1352400): "1,352,400", report.Count(999): "999",
		report.Ratio(0.03125): "0.0312", report.Ratio(1.25e-4): "0.000125", report.Ratio(1.25e-7): "1.25e-07", report.Ratio(0): "0",
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
		d := report.Details(m)
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
