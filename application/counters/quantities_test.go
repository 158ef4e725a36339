package counters_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foresee/application/counters"
	"foresee/application/counters/check"
)

func builtIn(t *testing.T) counters.Quantities {
	t.Helper()
	q, err := counters.LoadQuantities(nil)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// one is a profile of one function.
func one(values map[string]float64) *counters.Profile {
	p := &counters.Profile{Functions: []counters.Function{{Name: "f"}}}
	for event := range values {
		p.Events = append(p.Events, event)
	}
	slices.Sort(p.Events)
	for _, event := range p.Events {
		p.Functions[0].Values = append(p.Functions[0].Values, values[event])
	}
	return p
}

func TestMapTools(t *testing.T) {
	cases := []struct {
		name     string
		events   map[string]float64
		want     map[string]float64
		unmapped []string
	}{
		{
			"APMT, table 2",
			map[string]float64{
				"INST_RETIRED.ANY_P": 100, "CPU_CLK_UNHALTED.THREAD_P": 200, "MEM_LOAD_UOPS_RETIRED.L1_HIT_PS": 30, "MEM_LOAD_UOPS_RETIRED.L2_HIT_PS": 5,
				"MEM_LOAD_UOPS_RETIRED.LLC_HIT_PS": 2, "MEM_UOPS_RETIRED.ALL_LD_PS": 38, "MEM_UOPS_RETIRED.ALL_ST_PS": 12, "RESOURCE_STALLS.LB": 7, "RESOURCE_STALLS.ST": 9,
			},
			map[string]float64{
				"instructions": 100, "cycles": 200, "l1_hits": 30, "l2_hits": 5, "llc_hits": 2, "memory_accesses": 50, "loads": 38, "stores": 12,
				"load_stalls": 7, "store_stalls": 9,
			},
			nil,
		},
		{
			"perf with modifiers and two kinds of cores",
			map[string]float64{"cpu_core/cycles/u": 10, "cpu_atom/cycles/u": 5, "instructions:u": 7, "L1-dcache-loads:u": 100, "L1-dcache-load-misses:u": 4, "mystery": 1},
			map[string]float64{"cycles": 15, "instructions": 7, "loads": 100, "l1_misses": 4, "l1_hits": 96},
			[]string{"mystery"},
		},
		{
			"newer Intel, in perf's spelling",
			map[string]float64{"mem_load_retired.l1_hit": 3, "mem_load_retired.l3_miss": 1, "cycle_activity.stalls_l1d_miss": 8, "exe_activity.bound_on_stores": 2},
			map[string]float64{"l1_hits": 3, "llc_misses": 1, "load_stalls": 8, "store_stalls": 2},
			nil,
		},
		{
			"PAPI",
			map[string]float64{"PAPI_TOT_INS": 10, "PAPI_LST_INS": 6, "PAPI_L1_DCM": 2, "PAPI_DP_OPS": 4, "real_time_nsec": 5},
			map[string]float64{"instructions": 10, "memory_accesses": 6, "l1_misses": 2, "l1_hits": 4, "flops": 4, "time": 5e-9},
			nil,
		},
		{
			"alternatives without values",
			map[string]float64{"L1-dcache-load-misses": 4, "L1-dcache-store-misses": math.NaN(), "cycles": math.NaN()},
			map[string]float64{"l1_misses": 4, "cycles": math.NaN()},
			nil,
		},
		{
			"flops of vectors",
			map[string]float64{"fp_arith_inst_retired.scalar_double": 3, "fp_arith_inst_retired.128b_packed_double": 5, "fp_arith_inst_retired.256b_packed_double": 7},
			map[string]float64{"flops": 3 + 2*5 + 4*7},
			nil,
		},
		{"not measured", map[string]float64{"Dr": 5, "Dw": math.NaN()}, map[string]float64{"loads": 5, "stores": math.NaN(), "memory_accesses": math.NaN()}, nil},
	}
	for _, c := range cases {
		out, unmapped := builtIn(t).Map(one(c.events))
		got := make(map[string]float64)
		for i, quantity := range out.Events {
			got[quantity] = out.Functions[0].Values[i]
		}
		if diff := cmp.Diff(c.want, got, cmp.Comparer(check.Same)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if !slices.Equal(unmapped, c.unmapped) {
			t.Errorf("%s: unmapped %q, not %q", c.name, unmapped, c.unmapped)
		}
	}
}

// A user's entries come first.
func TestLoadQuantitiesExtra(t *testing.T) {
	q, err := counters.LoadQuantities(strings.NewReader("- {quantity: flops, unit: operations, events: [2 * my_*_fma + my adds - x-y]}\n- {quantity: cycles, unit: cycles, events: [tick]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	out, unmapped := q.Map(one(map[string]float64{"my_sp_fma": 1, "my_dp_fma": 2, "my adds": 4, "x-y": 0.5, "PAPI_FP_OPS": 99, "cycles": 7, "tick": 8}))
	if f, c := check.Value(t, out, "f", "flops"), check.Value(t, out, "f", "cycles"); f != 9.5 || c != 8 || len(unmapped) != 0 {
		t.Errorf("flops %g, cycles %g, unmapped %q", f, c, unmapped)
	}
}

func TestLoadQuantitiesErrors(t *testing.T) {
	for text, want := range map[string]string{
		"quantity: a":              "must be a list",
		"- {quantity: a, unit: b}": "quantities[0]: it needs",
		"- {quantity: a, unit: b, events: [\"A + \"]}":    "an event's name is missing",
		"- {quantity: a, unit: b, events: [\"x * A\"]}":   `quantities[0] (a): events "x * A": a factor`,
		"- {quantity: a, unit: b, evnts: [\"A\"]}":        "evnts",
		"- {quantity: a, unit: b, events: [\"A + + B\"]}": "is missing",
	} {
		if _, err := counters.LoadQuantities(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", text, err, want)
		}
	}
}
