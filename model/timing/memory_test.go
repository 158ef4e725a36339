package timing_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"foresee/machine"
	"foresee/model/timing"
)

// gaps is a machine with two caches and a clock of 2 GHz, of which a test says the rest.
func gaps(memory machine.Memory) *machine.Machine {
	v := func(x float64) *machine.Value[float64] { return &machine.Value[float64]{Value: x, Source: "test"} }
	return &machine.Machine{
		Name: "gaps", FrequencyGHz: v(2), Cores: &machine.Value[int]{Value: 4, Source: "test"}, LineBytes: &machine.Value[int]{Value: 64, Source: "test"},
		Levels: []machine.Level{{Name: "L1", LatencyCycles: v(4)}, {Name: "L2", SequentialCyclesPerLine: v(4), FarCyclesPerLine: v(10)}},
		Memory: memory,
	}
}

// TestMemoryOfOneCore: what a line from memory costs one core where the machine file leaves gaps, worked out by hand in cycles of 2 GHz.
func TestMemoryOfOneCore(t *testing.T) {
	v := func(x float64) *machine.Value[float64] { return &machine.Value[float64]{Value: x, Source: "test"} }
	relative := &machine.Value[float64]{Value: 16, Source: "assumed: as its brother"}
	for name, c := range map[string]struct {
		memory          machine.Memory
		sequential, far float64
		said            string
	}{
		"24 lines in 96 ns, not the socket's 0.64 ns": {machine.Memory{LatencyNs: v(96), BandwidthGBs: v(100)}, 8, 192.0 / 19, "one core is taken to reach 16 GB/s"},
		"no more than the socket's 8 GB/s":            {machine.Memory{LatencyNs: v(96), BandwidthGBs: v(8)}, 16, 16, "one core is taken to reach 8 GB/s"},
		"of a relative":                               {machine.Memory{LatencyNs: v(96), CoreBandwidthGBs: relative}, 8, 192.0 / 19, "taken to be 16: as its brother"},
		"no less than L2":                             {machine.Memory{LatencyNs: v(12), CoreBandwidthGBs: v(64)}, 4, 10, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for share, want := range map[float64]float64{1: c.sequential, 0: c.far} {
				in := timing.Input{Threads: 1, Traffic: []timing.Traffic{{Level: "memory", Lines: 1000, AllLines: 1000, Sequential: share}}}
				e, err := timing.Overlap(in, gaps(c.memory))
				if err != nil {
					t.Fatal(err)
				}
				if got := e.Memory * 2e9 / 1000; math.Abs(got-want) > 1e-9*want {
					t.Errorf("%g of the lines in sequence: %g cycles each, want %g", share, got, want)
				}
				if said := strings.Join(e.Assumptions, "\n"); !strings.Contains(said, c.said) || c.said == "" && said != "" {
					t.Errorf("said %q, want %q", said, c.said)
				}
			}
		})
	}
}

// TestSocketIsNotACore: with the bandwidth of a socket alone there is no time.
func TestSocketIsNotACore(t *testing.T) {
	m := gaps(machine.Memory{BandwidthGBs: &machine.Value[float64]{Value: 100, Source: "test"}})
	_, err := timing.Overlap(timing.Input{Threads: 1, Traffic: []timing.Traffic{{Level: "memory", Lines: 1, AllLines: 1}}}, m)
	if missing := new(timing.MissingError); !errors.As(err, &missing) || !strings.Contains(err.Error(), "memory.latency_*") {
		t.Errorf("error %v", err)
	}
}

// TestSocketOfUnknownBandwidth: four cores of 16 GB/s each bring 64 B of eight threads in 1 ns at their fastest, not in a half.
func TestSocketOfUnknownBandwidth(t *testing.T) {
	m := gaps(machine.Memory{LatencyNs: &machine.Value[float64]{Value: 4, Source: "test"}, CoreBandwidthGBs: &machine.Value[float64]{Value: 16, Source: "test"}})
	in := timing.Input{Threads: 8, Imbalance: 1, Traffic: []timing.Traffic{{Level: "memory", Lines: 1000, AllLines: 8000, Sequential: 1}}}
	e, err := timing.Overlap(in, m)
	if err != nil || math.Abs(e.Memory-8e-6) > 1e-15 || !strings.Contains(strings.Join(e.Assumptions, ""), "no memory.bandwidth_gbs") {
		t.Errorf("%+v %v, want 8 µs", e, err)
	}
}
