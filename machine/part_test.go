package machine

import "testing"

// TestPart compares with what is worked out by hand: 2 sockets of 8 cores, a cache for each 4 of them.
func TestPart(t *testing.T) {
	m := &Machine{
		Name: "m", Cores: known(8, "s"), Sockets: known(2, "s"), LineBytes: known(64, "s"), Memory: Memory{BandwidthGBs: known(100.0, "s")},
		Levels: []Level{{Name: "L1", Size: known(Size(32<<10), "s"), Ways: known(8, "s")}, {Name: "L3", Size: known(Size(16<<20), "s"), Ways: known(16, "s"), SharedBy: known(4, "s")}},
	}
	for _, test := range []struct {
		processes, cores, sharedBy int
		bandwidth                  float64
		l3                         Size
	}{
		{1, 16, 4, 200, 16 << 20},
		{2, 8, 4, 100, 16 << 20},
		{4, 4, 4, 50, 16 << 20},
		{8, 2, 2, 25, 8 << 20},
		{16, 1, 1, 12.5, 4 << 20},
		{32, 1, 1, 6.25, 2 << 20}, // more than cores: as they take turns
	} {
		p := m.Part(test.processes)
		l3 := p.Level("L3")
		if p.TotalCores() != test.cores || p.Memory.BandwidthGBs.Value*float64(p.Sockets.Or(1)) != test.bandwidth || l3.Size.Value != test.l3 || l3.SharedBy.Value != test.sharedBy ||
			p.Level("L1").Size.Value != 32<<10 || p.Others != test.processes-1 {
			t.Errorf("one of %d: %d cores, %g GB/s, L3 %d shared by %d", test.processes, p.TotalCores(), p.Memory.BandwidthGBs.Value, l3.Size.Value, l3.SharedBy.Value)
		}
	}
	if m.Cores.Value != 8 || m.Levels[1].Size.Value != 16<<20 {
		t.Error("the machine itself has changed")
	}
}
