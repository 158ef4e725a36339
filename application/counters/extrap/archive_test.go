package extrap_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"foresee/application/counters/check"
	"foresee/application/counters/open"
)

// Oracle: values as Python's json and struct read them of the same files.
func TestExperiments(t *testing.T) {
	set := check.Load(t, "extrap/two_parameter_3.extra-p").Set
	if got := set.Find("merge", "time").Points[7]; !slices.Equal(got.At, []float64{30, 3}) || got.Values[0] != 283.8298464032916 || strings.Join(set.Parameters, ",") != "x,y" || len(set.Series) != 4 {
		t.Errorf("Extra-P 4: %v of %v, %d series", got, set.Parameters, len(set.Series))
	}
	set = check.Load(t, "extrap/experiment_3.extra-p3").Set
	if got := set.Find("met1", "test").Points; len(set.Series) != 4 || len(got) != 5 || got[4].At[0] != 16000 || got[4].Values[0] != 4.1 {
		t.Errorf("Extra-P 3: %v", got)
	}
}

// kept is an experiment of Extra-P 4.2 that keeps its values: two arrays, of which the second has 2×2 numbers.
func kept(t testing.TB) []byte {
	array := func(shape string, values ...float64) []byte {
		head := "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }"
		head += strings.Repeat(" ", 128-10-1-len(head)) + "\n"
		out := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(head)))
		out = append(out, head...)
		for _, v := range values {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
		}
		return out
	}
	first, second := array("(2,)", 1, 3), array("(2, 2)", 4, 5, 6, 8)
	index := binary.LittleEndian.AppendUint64([]byte("Extra-P INDEX\x00\x00\x00"), 2)
	index = binary.LittleEndian.AppendUint64(index, 16)
	index = binary.LittleEndian.AppendUint64(index, uint64(16+len(first)))
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, member := range []struct {
		name string
		text []byte
	}{
		{"values/0.vals", slices.Concat([]byte("Extra-P VALUES\x00\x00"), first, second)},
		{"values/0.indx", index},
		{"experiment.json", []byte(`{"parameters":["p"],"measurements":{"main":{"time":[{"coordinate":[2],"median":2,"values":[0,0]},{"coordinate":[4],"median":5.5,"values":[0,1]}]}}}`)},
	} {
		f, err := w.Create(member.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(member.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestKeptValues(t *testing.T) {
	file, err := open.Read("x", bytes.NewReader(kept(t)))
	if err != nil {
		t.Fatal(err)
	}
	points := file.Set.Find("main", "time").Points
	if !slices.Equal(points[0].Values, []float64{1, 3}) || !slices.Equal(points[1].Values, []float64{4, 5, 6, 8}) {
		t.Errorf("%v", points)
	}
}

// Every cut is an error that names file and remedy.
func TestCutExperiments(t *testing.T) {
	for _, name := range []string{"two_parameter_3.extra-p", "experiment_3.extra-p3"} {
		text, err := os.ReadFile("../testdata/extrap/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for n := 100; n < min(len(text), 1900); n += 97 {
			file, err := open.Read("x", bytes.NewReader(text[:n]))
			if err == nil && file.Set.Find("met1", "test") != nil {
				continue // cut between two objects
			}
			if err == nil || !strings.HasPrefix(err.Error(), "x:") {
				t.Errorf("%s cut to %d: %v", name, n, err)
			}
		}
	}
}

func FuzzArchive(f *testing.F) {
	f.Add(kept(f))
	check.Fuzz(f, "extrap/*.extra-p")
}

func FuzzVersion3(f *testing.F) { check.Fuzz(f, "extrap/*.extra-p3") }
