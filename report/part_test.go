package report_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"foresee/predict"
	"foresee/report"
	"foresee/report/figure"
	"foresee/report/page"
	"foresee/report/sample"
	"foresee/report/text"
)

// TestPartsSayWhatTheyAre writes results in every format, whole and as a part.
func TestPartsSayWhatTheyAre(t *testing.T) {
	for _, partial := range []bool{false, true} {
		c, p, pr := sample.Curves(1, []string{"k"}, 1), sample.Profiles(), sample.Predictions([]string{"k"}, []string{"m"}, 1, 2)
		s := &predict.SimulationResult{Regions: []predict.SimulationRegion{{Region: "k", Accesses: 1}}}
		a := &predict.ActivityResult{Regions: []predict.Activity{{Region: "k"}}}
		c.Partial, p.Partial, pr.Partial, s.Partial, a.Partial = partial, partial, partial, partial, partial
		for name, write := range map[string]func(io.Writer) error{
			"curves text":     func(w io.Writer) error { return text.Curves(w, c, text.Options{}) },
			"curves csv":      func(w io.Writer) error { return text.CurvesCSV(w, c) },
			"curves json":     func(w io.Writer) error { return report.JSON(w, c) },
			"curves svg":      func(w io.Writer) error { return figure.Curves(w, "svg", c) },
			"profile text":    func(w io.Writer) error { return text.Profiles(w, p, text.Options{}) },
			"profile csv":     func(w io.Writer) error { return text.ProfilesCSV(w, p) },
			"profile json":    func(w io.Writer) error { return report.JSON(w, p) },
			"profile svg":     func(w io.Writer) error { return figure.Profiles(w, "svg", p) },
			"prediction text": func(w io.Writer) error { return text.Prediction(w, pr, text.Options{}) },
			"prediction csv":  func(w io.Writer) error { return text.PredictionCSV(w, pr) },
			"prediction json": func(w io.Writer) error { return report.JSON(w, pr) },
			"prediction svg":  func(w io.Writer) error { return figure.Prediction(w, "svg", pr) },
			"prediction html": func(w io.Writer) error { return page.Prediction(w, page.Contents{Prediction: pr}) },
			"simulation text": func(w io.Writer) error { return text.Simulation(w, s) },
			"simulation csv":  func(w io.Writer) error { return text.SimulationCSV(w, s) },
			"simulation json": func(w io.Writer) error { return report.JSON(w, s) },
			"activity text":   func(w io.Writer) error { return text.Activity(w, a) },
			"activity csv":    func(w io.Writer) error { return text.ActivityCSV(w, a) },
			"activity json":   func(w io.Writer) error { return report.JSON(w, a) },
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
		if err := figure.Curves(&picture, "png", c); err != nil {
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
	if err := figure.Curves(&b, "png", sample.Curves(1, []string{"k"}, 1)); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

// TestHostileNames puts names that are formulas and markup into every text format.
func TestHostileNames(t *testing.T) {
	for _, name := range []string{`=cmd|'/c calc'!A0`, "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1", `<script>alert("x")</script>`, `"><img src=x onerror=alert(1)>`, "a,b\"c"} {
		c, pr := sample.Curves(1, []string{name, "other"}, 1), sample.Predictions([]string{name}, []string{name}, 1, 2)
		pr.Input, pr.Warnings = name, []string{name}
		pr.Predictions[0].Warnings = []string{name}
		var table, html, picture, values bytes.Buffer
		for _, err := range []error{
			text.CurvesCSV(&table, c), page.Prediction(&html, page.Contents{Command: name, Prediction: pr, Curves: c}), figure.Curves(&picture, "svg", c), report.JSON(&values, pr),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		rows, err := csv.NewReader(&table).ReadAll()
		if err != nil || strings.ContainsAny(rows[1][0][:1], "=+-@\t\r") || !strings.Contains(strings.ReplaceAll(rows[1][0], "\r", ""), strings.Trim(name, "\r")) {
			t.Errorf("%q in CSV: %q, %v", name, rows[1], err)
		}
		if s := html.String(); strings.Contains(s, "<script>alert") || strings.Contains(s, "<img") {
			t.Errorf("%q in HTML is markup", name)
		}
		checkFormat(t, "svg", picture.Bytes())
		if s := picture.String(); strings.Contains(s, "<script") || strings.Contains(s, "<img") {
			t.Errorf("%q in SVG is markup", name)
		}
		if !json.Valid(values.Bytes()) {
			t.Errorf("%q in JSON: not valid", name)
		}
	}
}
