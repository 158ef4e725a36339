package counters

import (
	"math"
	"os"
	"strings"
	"testing"
)

// Oracle: callgrind_annotate of valgrind 3.19 on the same file.
func TestCallgrind(t *testing.T) {
	p := loadProfile(t, "tools/callgrind.out")
	want := map[string]map[string]float64{
		"strided":      {"Ir": 32270, "Dr": 4612, "Dw": 0, "D1mr": 44, "D1mw": 0, "DLmr": 1, "Bc": 4608, "Bcm": 18, "Bi": 0},
		"fill":         {"Ir": 24579, "Dr": 1, "Dw": 4096, "I1mr": 2, "D1mr": 1, "D1mw": 512, "ILmr": 2, "DLmr": 0, "DLmw": 512},
		"fibonacci'2":  {"Ir": 2545, "Dr": 528, "Dw": 526, "D1mw": 4, "DLmw": 4, "Bc": 176, "Bcm": 39},
		"fibonacci":    {"Ir": 18, "Dr": 3, "Dw": 4, "Bc": 1, "Bcm": 1},
		"(below main)": {"Ir": 13, "Dr": 1, "Dw": 6, "D1mw": 3, "DLmw": 2},
	}
	if len(p.Functions) != len(want) {
		t.Errorf("%d functions, not %d", len(p.Functions), len(want))
	}
	for function, events := range want {
		for event, count := range events {
			if got := value(t, p, function, event); got != count {
				t.Errorf("%s of %s: %g, not %g", event, function, got, count)
			}
		}
	}
	if len(p.Warnings) != 0 || p.Rank != -1 {
		t.Errorf("rank %d, warnings %q", p.Rank, p.Warnings)
	}
}

// The same program by instruction without compressed names, and in three parts: the same instructions.
func TestCallgrindLayouts(t *testing.T) {
	for _, name := range []string{"tools/callgrind-instr.out", "tools/callgrind-parts.out"} {
		p := loadProfile(t, name)
		for function, count := range map[string]float64{"strided": 32270, "fill": 24579, "fibonacci'2": 2545, "fibonacci": 18, "(below main)": 13} {
			if got := value(t, p, function, "Ir"); got != count {
				t.Errorf("%s: Ir of %s: %g, not %g", name, function, got, count)
			}
		}
		if len(p.Warnings) != 0 {
			t.Errorf("%s: %q", name, p.Warnings)
		}
	}
}

// Functions of one name in two objects are one; a call's costs are the callee's.
func TestCallgrindByHand(t *testing.T) {
	text := "version: 1\nevents: Ir Dr\npositions: line\n\nob=(1) a\nfl=(1) a.c\nfn=(1) init\n10 5 2\n+1 3\ncob=(2) b\ncfn=(2) work\n" +
		"calls=2 20\n* 100 50\n-2 1 1\n\nob=(2)\nfn=(2)\n20 100 50\njump=3 +2\n*\n\nob=(2)\nfn=(3) init\n30 7\n\ntotals: 116 53\n"
	file, err := Read("x", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	p := &file.Profiles[0]
	for _, c := range []struct {
		function, event string
		want            float64
	}{{"init", "Ir", 16}, {"init", "Dr", 3}, {"work", "Ir", 100}, {"work", "Dr", 50}} {
		if got := value(t, p, c.function, c.event); got != c.want {
			t.Errorf("%s of %s: %g, not %g", c.event, c.function, got, c.want)
		}
	}
	if len(p.Functions) != 2 || len(p.Warnings) != 0 {
		t.Errorf("%d functions, %q", len(p.Functions), p.Warnings)
	}
}

// A file that is cut off says so, wherever that is.
func TestCallgrindCutOff(t *testing.T) {
	text, err := os.ReadFile("testdata/tools/callgrind.out")
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.TrimRight(string(text), "\n")
	for end := strings.Index(whole, "summary:"); end < strings.Index(whole, "totals:"); end++ {
		file, err := Read("x", strings.NewReader(whole[:end]))
		if err == nil && !hasWarning(file.Profiles[0].Warnings, "cut off") {
			t.Errorf("cut off after %d bytes: no error and no warning", end)
		}
	}
}

// Oracles: the files themselves; perf printed milliseconds.
func TestPerfStat(t *testing.T) {
	cases := []struct {
		name   string
		clock  float64
		faults float64
	}{{"tools/perf-stat.csv", 0.00488, 188}, {"tools/perf-stat-repeated.csv", 0.00483, 187}, {"tools/perf-stat.json", 0.004845422, 188}}
	for _, c := range cases {
		p := loadProfile(t, c.name)
		if got := p.Total("task-clock"); !near(got, c.clock) {
			t.Errorf("%s: task-clock %g s, not %g", c.name, got, c.clock)
		}
		if got := p.Total("page-faults"); got != c.faults {
			t.Errorf("%s: page-faults %g, not %g", c.name, got, c.faults)
		}
		if !math.IsNaN(p.Total("cycles")) || !hasWarning(p.Warnings, "cycles was not supported") {
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
		file, err := Read("x", strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		p := &file.Profiles[0]
		if got := value(t, p, "", c.event); !same(got, c.want) {
			t.Errorf("%s: %g, not %g", c.name, got, c.want)
		}
		if (c.warning == "") != (len(p.Warnings) == 0) || !hasWarning(append(p.Warnings, ""), c.warning) {
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
		p := loadProfile(t, c.name)
		if got := value(t, p, c.function, c.event); !near(got, c.want) {
			t.Errorf("%s: %s of %s: %g, not %g", c.name, c.event, c.function, got, c.want)
		}
		if noPeriod := strings.Contains(c.name, "noperiod"); noPeriod != hasWarning(p.Warnings, "numbers of samples") {
			t.Errorf("%s: %q", c.name, p.Warnings)
		}
	}
	if got := loadProfile(t, "tools/perf-script-chains.txt").Total("page-faults"); got != 1215268 {
		t.Errorf("%g page faults, not 1215268", got)
	}
}

func TestFrameSymbol(t *testing.T) {
	for frame, want := range map[string]string{
		"55ec strided+0x30 (/usr/bin/sample)":              "strided",
		"  7f8d [unknown] ([unknown])":                     "[unknown]",
		"55ec std::vector<int>::at(unsigned long)+0x1 (a)": "std::vector<int>::at(unsigned long)",
		"add":        "add",
		"1b7 add":    "add",
		"f (a b.so)": "f",
		"":           "",
	} {
		if got := frameSymbol(frame); got != want {
			t.Errorf("%q: %q, not %q", frame, got, want)
		}
	}
}

// Oracle: the files as gprof printed them.
func TestGprof(t *testing.T) {
	for _, name := range []string{"tools/gprof.txt", "tools/gprof-full.txt"} {
		p := loadProfile(t, name)
		if len(p.Functions) != 3 || value(t, p, "strided", "self seconds") != 0.16 || value(t, p, "strided", "calls") != 10000 ||
			value(t, p, "fill", "calls") != 1 || len(p.Warnings) != 0 {
			t.Errorf("%s: %+v", name, p)
		}
	}
	// A function that was not compiled with -pg has no calls; a row is missing.
	text := "Flat profile:\n\n  %   cumulative   self\n time   seconds   seconds    calls\n 60.00      0.60     0.60      7   0.1  0.2  void f<int, 2>(int)\n 20.00      0.80     0.20    _mcount\n"
	file, err := Read("x", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	p := &file.Profiles[0]
	if !math.IsNaN(value(t, p, "_mcount", "calls")) || value(t, p, "void f<int, 2>(int)", "calls") != 7 || !hasWarning(p.Warnings, "80.0 %") {
		t.Errorf("%+v", p)
	}
}

// The samples are made by hand; the sums of the hardware threads are those of the table of sums in the file.
func TestLIKWID(t *testing.T) {
	p := loadProfile(t, "tools/likwid.csv")
	for event, want := range map[string]float64{
		"INSTR_RETIRED_ANY": 3e6, "CPU_CLK_UNHALTED_CORE": 1.2e6, "FP_ARITH_INST_RETIRED_SCALAR_DOUBLE": 150,
		"CAS_COUNT_RD": 4096, "Runtime (RDTSC) [s]": 0.25,
	} {
		if got := value(t, p, "", event); got != want {
			t.Errorf("%s: %g, not %g", event, got, want)
		}
	}
	if len(p.Events) != 5 || !hasWarning(p.Warnings, "2 hardware threads") || hasWarning(p.Warnings, "cut off") {
		t.Errorf("events %q, warnings %q", p.Events, p.Warnings)
	}
	p = loadProfile(t, "tools/likwid-regions.csv")
	for _, c := range []struct {
		region, event string
		want          float64
	}{
		{"solve", "INSTR_RETIRED_ANY", 1e6},
		{"exchange", "INSTR_RETIRED_ANY", 4e4},
		{"solve", "L1D_REPLACEMENT", 4000},
		{"solve", "RDTSC Runtime [s]", 0.15},
		{"exchange", "RDTSC Runtime [s]", 0.02},
	} {
		if got := value(t, p, c.region, c.event); got != c.want {
			t.Errorf("%s of %s: %g, not %g", c.event, c.region, got, c.want)
		}
	}
	file, err := Read("x", strings.NewReader("TABLE,Group 1 Raw,X,2\nEvent,Counter,Core 0\nA,FIXC0,1\n"))
	if err != nil || !hasWarning(file.Profiles[0].Warnings, "1 rows") {
		t.Errorf("%v: a table that misses a row", err)
	}
}

// The sample is made by hand: exclusive values of both threads by hand too.
func TestPAPI(t *testing.T) {
	p := loadProfile(t, "tools/papi.json")
	for _, c := range []struct {
		region, event string
		want          float64
	}{
		{"solve", "PAPI_TOT_INS", 12000 - 2000 + 11000},
		{"solve->exchange", "PAPI_TOT_INS", 2000},
		{"solve", "PAPI_TOT_CYC", 8000 - 900 + 8100},
		{"solve", "real_time_nsec", 4200},
		{"solve->exchange", "real_time_nsec", 500},
		{"solve", "coretemp:::hwmon0:temp1_input", 55},
		{"solve->exchange", "coretemp:::hwmon0:temp1_input", 56},
	} {
		if got := value(t, p, c.region, c.event); got != c.want {
			t.Errorf("%s of %s: %g, not %g", c.event, c.region, got, c.want)
		}
	}
	if !hasWarning(p.Warnings, "2 threads") || len(p.Functions) != 2 {
		t.Errorf("%d functions, %q", len(p.Functions), p.Warnings)
	}
}
