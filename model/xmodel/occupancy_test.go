package xmodel

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Published examples.
func TestOccupancyPublished(t *testing.T) {
	for _, c := range []struct {
		source     string
		capability int
		launch     Launch
		blocks     int
		warps      int
		limited    string
	}{
		{"CUDA C++ Best Practices Guide, Calculating Occupancy: 37 registers, 128 threads: 75 %, 12 blocks", 70, Launch{Threads: 128, Registers: 37}, 12, 48, "registers"},
		{"the same: 37 registers, 320 threads: 63 %, 4 blocks", 70, Launch{Threads: 320, Registers: 37}, 4, 40, "registers"},
		{"the same: 32 registers at most for 100 %", 70, Launch{Threads: 256, Registers: 32}, 8, 64, "warps, registers"},
		{"CUDA C Programming Guide, Multiprocessor Level: 64 registers, 512 threads: 2 blocks", 60, Launch{Threads: 512, Registers: 64}, 2, 32, "registers"},
		{"the same with one register more: 1 block", 60, Launch{Threads: 512, Registers: 65}, 1, 16, "registers"},
		{"Li et al., section VI: 512 threads fill the 48 warps of the GTX 570", 20, Launch{Threads: 512, Registers: 20}, 3, 48, "warps, registers"},
	} {
		l, err := LimitsOf(c.capability)
		if err != nil {
			t.Fatal(err)
		}
		o, err := l.Occupancy(c.launch)
		if err != nil || o.Blocks != c.blocks || o.Warps != c.warps || strings.Join(o.LimitedBy, ", ") != c.limited {
			t.Errorf("%s: got %+v, %v", c.source, o, err)
		}
	}
	// NVIDIA's profiler told a GTX Titan's user of 50 registers a thread and 7168 a block of 128 threads (Stack Overflow, question 17408183).
	l, _ := LimitsOf(35)
	if o, err := l.Occupancy(Launch{Threads: 128, Registers: 50}); err != nil || o.Registers != 7168 {
		t.Errorf("got %+v, %v; want 7168 registers a block", o, err)
	}
}

// place puts one block after the other on a multiprocessor, each warp into the part with most registers left, until one does not fit.
func place(l SMLimits, k Launch) (blocks int) {
	parts := make([]int, l.Parts)
	for i := range parts {
		parts[i] = l.Registers / l.Parts
	}
	warps, shared := l.Warps, l.Shared
	for ; blocks < l.Blocks; blocks++ {
		for thread := 0; thread < k.Threads; thread += 32 {
			need := 0
			for need < k.Registers*32 {
				need += l.RegisterUnit
			}
			i := slices.Index(parts, slices.Max(parts))
			if warps--; warps < 0 || parts[i] < need {
				return blocks
			}
			parts[i] -= need
		}
		need := 0
		for need < k.Shared+l.Reserved {
			need += l.SharedUnit
		}
		if shared -= need; shared < 0 {
			return blocks
		}
	}
	return blocks
}

func TestOccupancyByPlacing(t *testing.T) {
	for _, l := range smLimits {
		for threads := 1; threads <= 1024; threads += 37 {
			for registers := 0; registers <= l.ThreadRegisters; registers += 7 {
				for shared := 0; shared <= l.BlockShared; shared += 3001 {
					k := Launch{threads, registers, shared}
					o, err := l.Occupancy(k)
					if err != nil {
						if assumed := roundUp(registers*32, l.RegisterUnit) * roundUp((threads+31)/32, l.Parts); o.Blocks != 0 || assumed <= l.BlockRegisters {
							t.Fatalf("%d, %+v: %v", l.Capability, k, err)
						}
						continue
					}
					if want := place(l, k); o.Blocks != want || o.Warps != want*((threads+31)/32) || len(o.LimitedBy) == 0 {
						t.Fatalf("%d, %+v: %+v, placed one by one %d", l.Capability, k, o, want)
					}
				}
			}
		}
	}
}

func TestOccupancyRefuses(t *testing.T) {
	l, _ := LimitsOf(20)
	for want, k := range map[string]Launch{
		"threads of a block: 0":      {0, 20, 0},
		"threads of a block: 1025":   {1025, 20, 0},
		"registers of a thread: 64":  {256, 64, 0},
		"bytes of shared memory":     {256, 20, 49153},
		"needs 65536 registers":      {1024, 63, 0},
		"registers of a thread: -1":  {256, -1, 0},
		"shared memory of a block: ": {256, 20, -1},
	} {
		if _, err := l.Occupancy(k); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: got %v, want %q", k, err, want)
		}
	}
	if _, err := LimitsOf(99); err == nil || !strings.Contains(err.Error(), "9.9 are not known; there are 2.0, 2.1") {
		t.Error(err)
	}
}

// The most warps of table II are those of the limits.
func TestCapabilities(t *testing.T) {
	for _, m := range Machines() {
		if l, err := LimitsOf(m.Capability()); err != nil || float64(l.Warps) != m.Most {
			t.Errorf("%s: %d, %v, %s", m.Name, m.Capability(), err, fmt.Sprint(l.Warps))
		}
	}
	if (Machine{Name: "host"}).Capability() != 0 {
		t.Error("a machine that is no GPU has a capability")
	}
}
