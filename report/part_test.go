package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"foresee/predict"
)

// TestPartsSayWhatTheyAre writes results in every format, whole and as a part.
func TestPartsSayWhatTheyAre(t *testing.T) {
	for _, partial := range []bool{false, true} {
		c, p, pr := curves(1, []string{"k"}, 1), profiles(), predictions([]string{"k"}, []string{"m"}, 1, 2)
		s := &predict.SimulationResult{Regions: []predict.SimulationRegion{{Region: "k", Accesses: 1}}}
		a := &predict.ActivityResult{Regions: []predict.Activity{{Region: "k"}}}
		c.Partial, p.Partial, pr.Partial, s.Partial, a.Partial = partial, partial, partial, partial, partial
		for name, write := range map[string]func(io.Writer) error{
			"curves text":     func(w io.Writer) error { return CurveText(w, c, TextOptions{}) },
			"curves csv":      func(w io.Writer) error { return CurveCSV(w, c) },
			"curves json":     func(w io.Writer) error { return JSON(w, c) },
			"curves svg":      func(w io.Writer) error { return PlotCurves(w, "svg", c) },
			"profile text":    func(w io.Writer) error { return ProfileText(w, p, TextOptions{}) },
			"profile csv":     func(w io.Writer) error { return ProfileCSV(w, p) },
			"profile json":    func(w io.Writer) error { return JSON(w, p) },
			"profile svg":     func(w io.Writer) error { return PlotProfiles(w, "svg", p) },
			"prediction text": func(w io.Writer) error { return PredictionText(w, pr, TextOptions{}) },
			"prediction csv":  func(w io.Writer) error { return PredictionCSV(w, pr) },
			"prediction json": func(w io.Writer) error { return JSON(w, pr) },
			"prediction svg":  func(w io.Writer) error { return PlotPrediction(w, "svg", pr) },
			"prediction html": func(w io.Writer) error { return HTML(w, Page{Prediction: pr}) },
			"simulation text": func(w io.Writer) error { return SimulationText(w, s) },
			"simulation csv":  func(w io.Writer) error { return SimulationCSV(w, s) },
			"simulation json": func(w io.Writer) error { return JSON(w, s) },
			"activity text":   func(w io.Writer) error { return ActivityText(w, a) },
			"activity csv":    func(w io.Writer) error { return ActivityCSV(w, a) },
			"activity json":   func(w io.Writer) error { return JSON(w, a) },
		} {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if says := strings.Contains(strings.ToLower(b.String()), "partial"); says != partial {
				t.Errorf("%s: partial %v, says so %v:\n%.300s", name, partial, says, b.String())
			}
		}
		var picture bytes.Buffer
		if err := PlotCurves(&picture, "png", c); err != nil {
			t.Fatal(err)
		}
		if partial == (picture.Len() == plainSize(t)) {
			t.Errorf("partial %v: a PNG of %d bytes", partial, picture.Len())
		}
	}
}

// plainSize is the size of the picture of a whole result.
func plainSize(t *testing.T) int {
	t.Helper()
	var b bytes.Buffer
	if err := PlotCurves(&b, "png", curves(1, []string{"k"}, 1)); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

// TestHostileNames puts names that are formulas and markup into every text format.
func TestHostileNames(t *testing.T) {
	for _, name := range []string{`=cmd|'/c calc'!A0`, "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1", `<script>alert("x")</script>`, `"><img src=x onerror=alert(1)>`, "a,b\"c"} {
		c, pr := curves(1, []string{name, "other"}, 1), predictions([]string{name}, []string{name}, 1, 2)
		pr.Input, pr.Warnings = name, []string{name}
		pr.Predictions[0].Warnings = []string{name}
		var table, page, picture, text bytes.Buffer
		for _, err := range []error{
			CurveCSV(&table, c), HTML(&page, Page{Command: name, Prediction: pr, Curves: c}), PlotCurves(&picture, "svg", c), JSON(&text, pr),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		rows, err := csv.NewReader(&table).ReadAll()
		if err != nil || strings.ContainsAny(rows[1][0][:1], "=+-@\t\r") || !strings.Contains(strings.ReplaceAll(rows[1][0], "\r", ""), strings.Trim(name, "\r")) {
			t.Errorf("%q in CSV: %q, %v", name, rows[1], err)
		}
		if s := page.String(); strings.Contains(s, "<script>alert") || strings.Contains(s, "<img") {
			t.Errorf("%q in HTML is markup", name)
		}
		checkFormat(t, "svg", picture.Bytes())
		if s := picture.String(); strings.Contains(s, "<script") || strings.Contains(s, "<img") {
			t.Errorf("%q in SVG is markup", name)
		}
		if !json.Valid(text.Bytes()) {
			t.Errorf("%q in JSON: not valid", name)
		}
	}
}

func TestHarmlessKeepsNumbers(t *testing.T) {
	for cell, want := range map[string]string{
		"": "", "-1": "-1", "-1.5e-7": "-1.5e-7", "+3": "+3", "-Inf": "-Inf", "+Inf": "+Inf", "NaN": "NaN", "plain": "plain", "a=b": "a=b",
		"-1+1": "'-1+1", "=1": "'=1", "-": "'-", "@x": "'@x", "\tx": "'\tx",
	} {
		if got := harmless(cell); got != want {
			t.Errorf("%q gives %q, want %q", cell, got, want)
		}
	}
}
