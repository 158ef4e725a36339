package machine

import (
	"math"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"foresee/machine/library"
)

func TestLibrary(t *testing.T) {
	want := []string{
		"a64fx", "alder-lake", "altra", "apple-m1", "cascade-lake", "emerald-rapids", "emerald-rapids-vm", "epyc-7702p", "grace", "granite-rapids",
		"granite-rapids-vm", "graviton2", "graviton3", "graviton4", "i7-5960x", "ice-lake", "opteron-2.8", "ryzen-5800x3d", "ryzen-9950x", "sapphire-rapids",
		"sapphire-rapids-8468", "skylake-sp", "xeon-e5-2699v4", "xeon-max", "zen3", "zen4", "zen4c", "zen5",
	}
	if diff := cmp.Diff(want, Library()); diff != "" {
		t.Errorf("library (-want +got):\n%s", diff)
	}
	for _, name := range Library() {
		t.Run(name, func(t *testing.T) {
			m, err := Load(name)
			if err != nil {
				t.Fatal(err)
			}
			if m.Name != name {
				t.Errorf("the file of %s holds %s", name, m.Name)
			}
			if n := sources(t, name, reflect.ValueOf(*m)); n < 30 {
				t.Errorf("only %d values", n)
			}
			if diff := cmp.Diff(m, roundTrip(t, m)); diff != "" {
				t.Errorf("parse, write, parse (-first +second):\n%s", diff)
			}
			if missing := m.Missing("cores", "frequency_ghz", "levels.*.size", "levels.L1", "operations.*.f64.latency_cycles"); len(missing) > 2 {
				t.Errorf("missing: %v", missing)
			}
		})
	}
}

// sources walks all values and counts them; every one must say where it comes from.
func sources(t *testing.T, path string, v reflect.Value) int {
	n := 0
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			n += sources(t, path, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			n += sources(t, path, v.Index(i))
		}
	case reflect.Struct:
		if source := v.FieldByName("Source"); source.IsValid() {
			n++
			if len(strings.TrimSpace(source.String())) < 8 {
				t.Errorf("%s: source %q", path, source)
			}
		}
		for i := range v.NumField() {
			n += sources(t, path+"."+v.Type().Field(i).Name, v.Field(i))
		}
	}
	return n
}

// Geometry from PPT-Multicore, table 5 (whose EPYC row holds totals of the socket), and its sets by hand.
func TestPaperMachines(t *testing.T) {
	for _, c := range []struct {
		name   string
		cores  int
		ghz    float64
		totals []int64 // bytes of each level in the socket
		sets   []int64
	}{
		{"i7-5960x", 8, 3.0, []int64{8 * 32 << 10, 8 * 256 << 10, 20 << 20}, []int64{64, 512, 16384}},
		{"xeon-e5-2699v4", 22, 2.2, []int64{22 * 32 << 10, 22 * 256 << 10, 55 << 20}, []int64{64, 512, 45056}},
		{"epyc-7702p", 64, 2.0, []int64{2 << 20, 32 << 20, 256 << 20}, []int64{64, 1024, 16384}},
	} {
		m, err := Load(c.name)
		if err != nil {
			t.Fatal(err)
		}
		if m.Cores.Or(0) != c.cores || m.FrequencyGHz.Or(0) != c.ghz {
			t.Errorf("%s: %d cores at %g GHz", c.name, m.Cores.Or(0), m.FrequencyGHz.Or(0))
		}
		for i := range m.Levels {
			l := &m.Levels[i]
			if total := int64(l.Size.Or(0)) * int64(c.cores/l.SharedBy.Or(0)); total != c.totals[i] {
				t.Errorf("%s %s: %d bytes in all, want %d", c.name, l.Name, total, c.totals[i])
			}
			if sets, ok := m.Sets(l); !ok || sets != c.sets[i] {
				t.Errorf("%s %s: %d sets, want %d", c.name, l.Name, sets, c.sets[i])
			}
		}
		// What the paper's equations 5 to 7 need.
		if missing := m.Missing("frequency_ghz", "levels.*.latency_cycles", "levels.*.reciprocal_throughput", "memory.latency_ns"); len(missing) > 0 {
			t.Errorf("%s: the paper's model misses %v", c.name, missing)
		}
	}
}

// A derived memory cost agrees with the bandwidth and the clock that its source names.
func TestDerivedCosts(t *testing.T) {
	clock := regexp.MustCompile(`x ([0-9.]+) GHz`)
	for _, name := range Library() {
		m, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		cost, bandwidth := m.Memory.SequentialCyclesPerLine, m.Memory.CoreBandwidthGBs
		if (cost == nil) != (bandwidth == nil) {
			t.Errorf("%s: one of sequential_cycles_per_line and core_bandwidth_gbs without the other", name)
		}
		if cost == nil || m.Measured != nil { // measured apart
			continue
		}
		var ghz float64
		if match := clock.FindStringSubmatch(cost.Source); match != nil {
			ghz = parseFloat(t, match[1])
		}
		if want := float64(m.LineBytes.Value) / bandwidth.Value * ghz; math.Abs(cost.Value-want) > 0.01*want {
			t.Errorf("%s: %g cycles per line, derived %g", name, cost.Value, want)
		}
	}
}

func TestOpAndTimes(t *testing.T) {
	m, err := Load("i7-5960x")
	if err != nil {
		t.Fatal(err)
	}
	latency, reciprocal, ok := m.Op(Div, F64)
	if !ok || latency.Value != 20 || reciprocal.Value != 14 {
		t.Errorf("div f64: %v %v %v", latency, reciprocal, ok)
	}
	if _, _, ok := m.Op(Sqrt, Int); ok {
		t.Error("an integer square root")
	}
	if s, err := m.Seconds(3e9); err != nil || s != 1 {
		t.Errorf("3e9 cycles take %g s, %v", s, err)
	}
	if c, err := m.Cycles(100); err != nil || math.Abs(c-300) > 1e-9 {
		t.Errorf("100 ns are %g cycles, %v", c, err)
	}
	m.FrequencyGHz = nil
	if _, err := m.Seconds(1); err == nil || !strings.Contains(err.Error(), "frequency_ghz is not known") {
		t.Errorf("error %v", err)
	}
	if l := m.Level("L3"); l.Sharers(4) != 4 || l.Sharers(80) != 8 || l.Sharers(0) != 1 || m.Level("L9") != nil {
		t.Error("sharers or levels")
	}
}

func TestMissing(t *testing.T) {
	m, err := Parse("small.yaml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		fields []string
		want   []string
	}{
		{[]string{"cores", "levels.*.size"}, nil},
		{[]string{"frequency_ghz", "levels.*.latency_cycles"}, []string{"frequency_ghz", "levels.L1.latency_cycles", "levels.L2.latency_cycles"}},
		{[]string{"levels.*.sequential_cycles_per_line"}, []string{"levels.L2.sequential_cycles_per_line"}},
		{[]string{"parallel", "operations.div.f64"}, []string{
			"parallel.fork_join_ns", "parallel.fork_join_per_thread_ns",
			"operations.div.f64.latency_cycles", "operations.div.f64.reciprocal_throughput",
		}},
		{[]string{"levels.L3.size", "sockets"}, []string{"levels.L3.size", "sockets"}},
	} {
		if diff := cmp.Diff(c.want, m.Missing(c.fields...)); diff != "" {
			t.Errorf("Missing(%v) (-want +got):\n%s", c.fields, diff)
		}
	}
	if all := m.Missing(); len(all) < 40 {
		t.Errorf("only %d of all fields are missing", len(all))
	}
}

// The example of the documentation parses, and the documentation names every field.
func TestDocumentation(t *testing.T) {
	data, err := os.ReadFile("../docs/machines.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "```yaml\n")
	example, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatal("no yaml example in docs/machines.md")
	}
	m, err := Parse("docs/machines.md", []byte(example))
	if err != nil {
		t.Fatal(err)
	}
	roundTrip(t, m)
	for _, typ := range []reflect.Type{
		reflect.TypeFor[Machine](), reflect.TypeFor[CPUID](), reflect.TypeFor[Level](), reflect.TypeFor[Memory](),
		reflect.TypeFor[Core](), reflect.TypeFor[Operation](), reflect.TypeFor[Parallel](),
	} {
		for i := range typ.NumField() {
			if name := yamlName(typ.Field(i)); name != "-" && !strings.Contains(string(data), "`"+name+"`") {
				t.Errorf("docs/machines.md does not explain %s (of %s)", name, typ.Name())
			}
		}
	}
}

// What is read of a file to find a core is what the whole file says, so that the first machine with a core is found as if all were read.
func TestSameCore(t *testing.T) {
	first := map[Processor]string{}
	for _, name := range Library() {
		m, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		data, err := library.Files.ReadFile(name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(m.CPUID, coreOf(data), cmpopts.IgnoreFields(CPUID{}, "Source")); diff != "" {
			t.Errorf("%s (-whole +core alone):\n%s", name, diff)
		}
		if m.CPUID == nil {
			continue
		}
		for _, model := range m.CPUID.Models {
			if p := (Processor{Vendor: m.CPUID.Vendor, Family: m.CPUID.Family, Model: model}); first[p] == "" {
				first[p] = name
			}
		}
	}
	for p, name := range first {
		if m := sameCore(p); m == nil || m.Name != name {
			t.Errorf("%+v: found %v, not %s", p, m, name)
		}
	}
	if m := sameCore(Processor{Vendor: "GenuineIntel", Family: 6, Model: -1}); m != nil {
		t.Errorf("found %s for a core that there is not", m.Name)
	}
}
