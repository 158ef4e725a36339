package extrap_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"foresee/application/counters"
	"foresee/application/counters/check"
	"foresee/application/counters/extrap"
	"foresee/application/counters/open"
)

// Oracle: values read by eye in the files.
func TestExtraP(t *testing.T) {
	cases := []struct {
		file             string
		parameters       string
		series           int
		callpath, metric string
		at               []float64
		values           []float64
	}{
		{"one_parameter_1.txt", "x", 1, "compute", "time", []float64{20}, []float64{82.00848518948744, 81.42023198759563, 81.98984501217201, 80.76019835580321, 82.54252892405795, 82.54252892405795}},
		{"one_parameter_6.txt", "p", 4, "met2", "", []float64{16000}, []float64{256.01, 255.99, 256, 256}},
		{"one_parameter_6.txt", "p", 4, "met4", "", []float64{4000}, []float64{16000000, 16000003, 16000005}},
		{"one_parameter_7.txt", "p", 1, "met1", "", []float64{4000}, []float64{4.1, 3.9, 4.3, 4.0, 4.1}},
		{"two_parameter_2.txt", "x,y", 1, "reg", "metr", []float64{20, 1}, []float64{1.007912824061828, 1.0003031166379763, 1.0146314163801136, 0.9888371709656842, 0.9814784961141532}},
		{"two_parameter_5.txt", "p,s", 1, "main", "", []float64{32, 50}, []float64{223}},
		{"two_parameter_5.txt", "p,s", 1, "main", "", []float64{8, 30}, []float64{81.56}},
		{"input_1.JSON", "x", 1, "sweep", "time", []float64{64}, []float64{33.5, 33.5, 33.5, 33.5, 33.5}},
		{"nested_1.json", "x", 1, "sweep", "time", []float64{16}, []float64{9.5, 9.5, 9.5, 9.5, 9.5}},
		{"nested_2.json", "x,y", 4, "sweep2", "visits", []float64{8, 20}, []float64{5}},
		{"extended2.jsonl", "x,y", 1, "test", "metr", []float64{2, 3}, []float64{7, 7, 7, 7, 7}},
		{"matrix_3p_bands_incomplete.jsonl", "x,y,z", 1, "", "metr", []float64{6, 1, 1}, []float64{1}},
		{"matrix_3p_bands_incomplete.jsonl", "x,y,z", 1, "", "metr", []float64{1, 1, 1}, []float64{0}},
		{"reduced.jsonl", "x,y", 1, "", "", []float64{1, 2}, []float64{3, 3, 3, 3, 3}},
		{"talpas_7.txt", "x", 2, "compute", "flops", []float64{20}, []float64{82.00848518948744, 81.42023198759563, 81.98984501217201, 80.76019835580321, 82.54252892405795}},
		{"talpas_10_neg.txt", "x", 2, "compute", "flops", []float64{60}, []float64{729.5284355624206, 721.0616186790007}},
	}
	for _, c := range cases {
		set := check.Load(t, "extrap/"+c.file).Set
		if got := strings.Join(set.Parameters, ","); got != c.parameters || len(set.Series) != c.series || len(set.Warnings) != 0 {
			t.Errorf("%s: parameters %s, %d series, warnings %q", c.file, got, len(set.Series), set.Warnings)
		}
		series := set.Find(c.callpath, c.metric)
		if series == nil {
			t.Errorf("%s: no %q of %q", c.file, c.metric, c.callpath)
			continue
		}
		i := slices.IndexFunc(series.Points, func(m counters.Measurement) bool { return slices.Equal(m.At, c.at) })
		if i < 0 || !slices.Equal(series.Points[i].Values, c.values) {
			t.Errorf("%s: %v is missing or wrong in %v", c.file, c.at, series.Points)
		}
	}
}

// The same numbers in the layouts: two of the files are one experiment.
func TestExtraPLayoutsAgree(t *testing.T) {
	a, b := check.Load(t, "extrap/input_1.JSON").Set, check.Load(t, "extrap/nested_1.json").Set
	if diff := cmp.Diff(a, b, cmpopts.IgnoreUnexported(counters.Set{})); diff != "" {
		t.Error(diff)
	}
}

// Points may lack values; what is not finite or not there says so.
func TestExtraPSparse(t *testing.T) {
	text := "# sparse\nPARAMETER p\nPARAMETER n\nPOINTS ( 1 10 ) ( 2 10 )\nPOINTS ( 4 10 )\nMETRIC time\nREGION a\nDATA 1 2\nDATA\nDATA 3\nREGION b\nDATA 5\nDATA nan\n"
	file, err := open.Read("x", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []counters.Series{
		{Callpath: "a", Metric: "time", Points: []counters.Measurement{{At: []float64{1, 10}, Values: []float64{1, 2}}, {At: []float64{4, 10}, Values: []float64{3}}}},
		{Callpath: "b", Metric: "time", Points: []counters.Measurement{{At: []float64{1, 10}, Values: []float64{5}}}},
	}
	if diff := cmp.Diff(want, file.Set.Series); diff != "" {
		t.Error(diff)
	}
	if !check.HasWarning(file.Set.Warnings, "NaN was left out") || !check.HasWarning(file.Set.Warnings, "2 of 3 points") {
		t.Errorf("%q", file.Set.Warnings)
	}
}

// Parse, write, parse: the same set.
func TestWriteExtraP(t *testing.T) {
	names, err := filepath.Glob("../testdata/extrap/*.*")
	if err != nil || len(names) < 13 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := open.Read(name, bytes.NewReader(text))
		if err != nil {
			t.Error(err)
			continue
		}
		check.RoundTrip(t, file.Set)
	}
}

func TestWriteExtraPNotFinite(t *testing.T) {
	set := &counters.Set{Parameters: []string{"p"}, Series: []counters.Series{{Callpath: "a", Metric: "time", Points: []counters.Measurement{{At: []float64{4}, Values: []float64{math.NaN()}}}}}}
	if err := extrap.Write(new(bytes.Buffer), set); err == nil || !strings.Contains(err.Error(), "time of a at p=4") {
		t.Error(err)
	}
}

func FuzzExtraPText(f *testing.F) { check.Fuzz(f, "extrap/*_parameter_*.txt") }

func FuzzExtraPLines(f *testing.F) { check.Fuzz(f, "extrap/*.jsonl") }

func FuzzTalpas(f *testing.F) { check.Fuzz(f, "extrap/talpas_*.txt") }

func FuzzExtraPJSON(f *testing.F) { check.Fuzz(f, "extrap/*.JSON", "extrap/*.json") }
