// Package check holds what the tests of the formats share: samples read as any user reads them, values of their cells, and what must hold
// of everything that is read, whatever the bytes.
package check

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foresee/application/counters"
	"foresee/application/counters/extrap"
	"foresee/application/counters/open"
)

// samples is the folder of all samples, as the tests of a format see it.
const samples = "../testdata"

// Load reads a sample.
func Load(t *testing.T, name string) *open.File {
	t.Helper()
	f, err := os.Open(filepath.Join(samples, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	file, err := open.Read(name, f)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// Profile reads a sample with one profile.
func Profile(t *testing.T, name string) *counters.Profile {
	t.Helper()
	file := Load(t, name)
	if len(file.Profiles) != 1 || file.Set != nil {
		t.Fatalf("%s: %d profiles", name, len(file.Profiles))
	}
	return &file.Profiles[0]
}

// Value is a cell; a test fails where it is missing.
func Value(t *testing.T, p *counters.Profile, function, event string) float64 {
	t.Helper()
	column := slices.Index(p.Events, event)
	row := slices.IndexFunc(p.Functions, func(f counters.Function) bool { return f.Name == function })
	if column < 0 || row < 0 {
		t.Fatalf("no %q of %q; events %q", event, function, p.Events)
	}
	return p.Functions[row].Values[column]
}

// Same compares two numbers of which both may be NaN.
func Same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// Near compares two numbers that were rounded on different ways.
func Near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Abs(b) }

// HasWarning tells whether one of the warnings holds a text.
func HasWarning(warnings []string, part string) bool {
	return slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, part) })
}

// Fuzz reads what begins like a sample of a format and checks what must hold of everything that is read.
func Fuzz(f *testing.F, patterns ...string) {
	for _, pattern := range patterns {
		names, err := filepath.Glob(filepath.Join(samples, pattern))
		if err != nil || len(names) == 0 {
			f.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
			f.Add(text[:len(text)/2])
		}
	}
	quantities, err := counters.LoadQuantities(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := open.Read("x", bytes.NewReader(text))
		if err != nil {
			return
		}
		if file.Format == "" || (file.Set == nil && file.Run == nil) == (len(file.Profiles)+len(file.Reuse) == 0) {
			t.Fatalf("format %q, %d profiles", file.Format, len(file.Profiles))
		}
		for i := range file.Profiles {
			Whole(t, &file.Profiles[i])
			out, _ := quantities.Map(&file.Profiles[i])
			Whole(t, out)
		}
		for _, r := range file.Reuse {
			if n := r.Accesses(); !(n > 0) || len(r.At) > 0 {
				t.Fatalf("%g accesses at %v", n, r.At)
			}
		}
		if file.Run != nil {
			file.Set = &counters.Set{}
			if err := file.Run.AddTo(file.Set, quantities); err != nil {
				return
			}
		}
		if file.Set != nil {
			Set(t, file.Set)
		}
	})
}

// Whole: names are unique, rows are whole, and no value is infinite.
func Whole(t *testing.T, p *counters.Profile) {
	events, functions := make(map[string]bool), make(map[string]bool)
	for _, event := range p.Events {
		if events[event] {
			t.Errorf("event %q is there twice", event)
		}
		events[event] = true
	}
	for _, f := range p.Functions {
		if functions[f.Name] || len(f.Values) != len(p.Events) {
			t.Errorf("function %q is there twice, or has %d values for %d events", f.Name, len(f.Values), len(p.Events))
		}
		functions[f.Name] = true
		for i, v := range f.Values {
			if math.IsInf(v, 0) {
				t.Errorf("%s of %q is %g", p.Events[i], f.Name, v)
			}
		}
	}
}

// Set checks that every point of a set is whole and finite, and that the set survives being written.
func Set(t *testing.T, set *counters.Set) {
	for _, series := range set.Series {
		for _, m := range series.Points {
			if len(m.At) != len(set.Parameters) || len(m.Values) == 0 {
				t.Fatalf("point %v with %d values", m.At, len(m.Values))
			}
			for _, v := range m.Values {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("value %g", v)
				}
			}
		}
	}
	RoundTrip(t, set)
}

// RoundTrip writes a set in Extra-P's format and reads it again: it must be the same.
func RoundTrip(t *testing.T, set *counters.Set) {
	t.Helper()
	var out bytes.Buffer
	if err := extrap.Write(&out, set); err != nil {
		t.Fatal(err)
	}
	file, err := open.Read("again", bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatalf("%v in\n%s", err, out.String())
	}
	if file.Format != "extrap-jsonl" || !slices.Equal(file.Set.Parameters, set.Parameters) {
		t.Errorf("format %s, parameters %q, not %q", file.Format, file.Set.Parameters, set.Parameters)
	}
	if diff := cmp.Diff(set.Series, file.Set.Series); diff != "" {
		t.Error(diff)
	}
}
