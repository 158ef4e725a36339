package perf_test

import (
	"math"
	"strings"
	"testing"

	"foresee/application/counters/check"
	"foresee/application/counters/open"
)

// Oracles: the files themselves; perf printed milliseconds.
func TestPerfStat(t *testing.T) {
	cases := []struct {
		name   string
		clock  float64
		faults float64
	}{{"tools/perf-stat.csv", 0.00488, 188}, {"tools/perf-stat-repeated.csv", 0.00483, 187}, {"tools/perf-stat.json", 0.004845422, 188}}
	for _, c := range cases {
		p := check.Profile(t, c.name)
		if got := p.Total("task-clock"); !check.Near(got, c.clock) {
			t.Errorf("%s: task-clock %g s, not %g", c.name, got, c.clock)
		}
		if got := p.Total("page-faults"); got != c.faults {
			t.Errorf("%s: page-faults %g, not %g", c.name, got, c.faults)
		}
		if !math.IsNaN(p.Total("cycles")) || !check.HasWarning(p.Warnings, "cycles was not supported") {
			t.Errorf("%s: cycles %g, warnings %q", c.name, p.Total("cycles"), p.Warnings)
		}
	}
}

// Layouts of perf-stat(1) that need other machines or options.
func TestPerfStatLayouts(t *testing.T) {
	cases := []struct {
		name, text, event string
		want              float64
		warning           string
	}{
		{"interval", "1.001,500,,cycles,1000,100.00,,\n2.001,600,,cycles,1000,100.00,,\n", "cycles", 1100, "summed"},
		{"no aggregation", "CPU0;500;;cycles;1000;100.00;;\nCPU1;700;;cycles;1000;100.00;;\n", "cycles", 1200, "summed"},
		{"socket", "S0,4,500,,cycles,1000,100.00,,\n", "cycles", 500, ""},
		{"raw event", "500,,cpu/event=0x3c,umask=0x1/u,1000,100.00,,\n", "cpu/event=0x3c,umask=0x1/u", 500, ""},
		{"multiplexed", "500,,cycles,1000,62.50,,\n", "cycles", 500, "62.5 %"},
		{"not counted", "<not counted>,,cycles:u,0,0.00,,\n", "cycles:u", math.NaN(), "cycles:u was not counted"},
		{"metric", "500,,cycles,1000,100.00,2.5,GHz\n,,,,,1.0,insn per cycle\n", "cycles", 500, ""},
		{"nanoseconds", "1500,ns,duration_time,1500,100.00,,\n", "duration_time", 1500e-9, ""},
		{"json per cpu", `{"cpu":"0","counter-value":"1","unit":"","event":"a","pcnt-running":50.0}` + "\n" + `{"cpu":"1","counter-value":"2","event":"a"}` + "\n", "a", 3, "50 %"},
	}
	for _, c := range cases {
		file, err := open.Read("x", strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		p := &file.Profiles[0]
		if got := check.Value(t, p, "", c.event); !check.Same(got, c.want) {
			t.Errorf("%s: %g, not %g", c.name, got, c.want)
		}
		if (c.warning == "") != (len(p.Warnings) == 0) || !check.HasWarning(append(p.Warnings, ""), c.warning) {
			t.Errorf("%s: warnings %q, not %q", c.name, p.Warnings, c.warning)
		}
	}
}

// Oracle: perf report of the same records; 5 ms a sample.
func TestPerfScript(t *testing.T) {
	cases := []struct {
		name, function, event string
		want                  float64
	}{
		{"tools/perf-script.txt", "strided", "cpu-clock", 0.060},
		{"tools/perf-script.txt", "irqentry_exit_to_user_mode", "cpu-clock", 0.005},
		{"tools/perf-script-noperiod.txt", "strided", "cpu-clock", 12},
		{"tools/perf-script-chains.txt", "strided", "cpu-clock", 0.045},
		{"tools/perf-script-chains.txt", "fill", "page-faults", 1215202},
		{"tools/perf-script-chains.txt", "elf_load", "page-faults", 2},
	}
	for _, c := range cases {
		p := check.Profile(t, c.name)
		if got := check.Value(t, p, c.function, c.event); !check.Near(got, c.want) {
			t.Errorf("%s: %s of %s: %g, not %g", c.name, c.event, c.function, got, c.want)
		}
		if noPeriod := strings.Contains(c.name, "noperiod"); noPeriod != check.HasWarning(p.Warnings, "numbers of samples") {
			t.Errorf("%s: %q", c.name, p.Warnings)
		}
	}
	if got := check.Profile(t, "tools/perf-script-chains.txt").Total("page-faults"); got != 1215268 {
		t.Errorf("%g page faults, not 1215268", got)
	}
}

func FuzzPerfStat(f *testing.F) { check.Fuzz(f, "tools/perf-stat*") }

func FuzzPerfScript(f *testing.F) { check.Fuzz(f, "tools/perf-script*") }
