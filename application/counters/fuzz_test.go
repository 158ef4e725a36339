package counters

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// fuzz reads what begins like a sample of a format and checks what must hold of everything that is read.
func fuzz(f *testing.F, samples ...string) {
	for _, sample := range samples {
		names, err := filepath.Glob(filepath.Join("testdata", sample))
		if err != nil || len(names) == 0 {
			f.Fatalf("%s: %v", sample, err)
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
	quantities, err := LoadQuantities(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := Read("x", bytes.NewReader(text))
		if err != nil {
			return
		}
		if file.Format != nameOf(text[:min(len(text), headSize)]) || (file.Set == nil) == (len(file.Profiles)+len(file.Reuse) == 0) {
			t.Fatalf("format %q, %d profiles", file.Format, len(file.Profiles))
		}
		for i := range file.Profiles {
			checkProfile(t, &file.Profiles[i])
			out, _ := quantities.Map(&file.Profiles[i])
			checkProfile(t, out)
		}
		for _, r := range file.Reuse {
			if n := r.Accesses(); !(n > 0) || len(r.At) > 0 {
				t.Fatalf("%g accesses at %v", n, r.At)
			}
		}
		if file.Set != nil {
			checkSet(t, file.Set)
		}
	})
}

// checkProfile: names are unique, rows are whole, and no value is infinite.
func checkProfile(t *testing.T, p *Profile) {
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

func checkSet(t *testing.T, set *Set) {
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
	checkRoundTrip(t, set)
}

// What is read of a user's table maps any profile.
func FuzzQuantities(f *testing.F) {
	f.Add(builtInQuantities)
	f.Add([]byte("- {quantity: flops, unit: operations, events: [2 * my_*_fma + my adds - x-y]}\n"))
	p := &Profile{Tool: "perf stat", Events: []string{"my_sp_fma", "my adds", "x-y"}, Functions: []Function{{Values: []float64{1, 2, math.NaN()}}}}
	f.Fuzz(func(t *testing.T, text []byte) {
		quantities, err := LoadQuantities(bytes.NewReader(text))
		if err != nil {
			return
		}
		out, unmapped := quantities.Map(p)
		if len(out.Functions) != 1 || len(out.Functions[0].Values) != len(out.Events) || len(unmapped) > len(p.Events) {
			t.Errorf("%d functions, events %q, unmapped %q", len(out.Functions), out.Events, unmapped)
		}
	})
}

func FuzzCallgrind(f *testing.F)   { fuzz(f, "tools/callgrind*.out") }
func FuzzPerfStat(f *testing.F)    { fuzz(f, "tools/perf-stat*") }
func FuzzPerfScript(f *testing.F)  { fuzz(f, "tools/perf-script*") }
func FuzzGprof(f *testing.F)       { fuzz(f, "tools/gprof*.txt") }
func FuzzLIKWID(f *testing.F)      { fuzz(f, "tools/likwid*.csv") }
func FuzzPAPI(f *testing.F)        { fuzz(f, "tools/papi.json") }
func FuzzReuse(f *testing.F)       { fuzz(f, "tools/foresee-profile.json") }
func FuzzCaliper(f *testing.F)     { fuzz(f, "caliper/*.cali") }
func FuzzExtraPText(f *testing.F)  { fuzz(f, "extrap/*_parameter_*.txt") }
func FuzzExtraPLines(f *testing.F) { fuzz(f, "extrap/*.jsonl") }
func FuzzTalpas(f *testing.F)      { fuzz(f, "extrap/talpas_*.txt") }
func FuzzExtraPJSON(f *testing.F)  { fuzz(f, "extrap/*.JSON", "extrap/*.json") }
