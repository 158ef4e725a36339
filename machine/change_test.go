package machine

import (
	"errors"
	"strings"
	"testing"
)

func TestWith(t *testing.T) {
	m, err := Load("zen4")
	if err != nil {
		t.Fatal(err)
	}
	m.Core.ReorderBuffer = nil
	changed, err := m.With("other", Change{"L3.size", "x2"}, Change{"L1.latency_cycles", "5"}, Change{"memory.bandwidth_gbs", "x0.5"}, Change{"core.reorder_buffer", "512"}, Change{"cores", "x2"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"L3", float64(changed.Levels[2].Size.Value), 64 << 20},
		{"L2", float64(changed.Levels[1].Size.Value), 1 << 20},
		{"L1", changed.Levels[0].LatencyCycles.Value, 5},
		{"memory", changed.Memory.BandwidthGBs.Value, 230.4},
		{"window", float64(changed.Core.ReorderBuffer.Or(0)), 512},
		{"cores", float64(changed.Cores.Value), 192},
		{"before", float64(m.Levels[2].Size.Value), 32 << 20},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	if s := changed.Levels[2].Size.Source; !strings.HasPrefix(s, "what if: x2 of 32 MiB (AMD") || changed.Name != "other" {
		t.Errorf("%s: %s", changed.Name, s)
	}
	if s := changed.Core.ReorderBuffer.Source; s != "what if: 512" {
		t.Error(s)
	}
}

func TestChangesThatCannotBe(t *testing.T) {
	m, err := Load("zen4")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, value, want string }{
		{"L4.size", "x2", "L4 is no field of it; there are"},
		{"L3.bytes", "x2", "bytes is no field of it; there are size"},
		{"L3", "x2", "no single value"},
		{"memory", "2", "no single value"},
		{"levels.0", "2", "there is nothing below"},
		{"L3.size", "x0.00000003", "no whole number"},
		{"L3.size", "xa", "write xN"},
		{"L3.size", "much", "not a number of bytes"},
		{"memory.far_cycles_per_line", "x2", "the machine lacks the value"},
		{"frequency_ghz", "0", "frequency_ghz"},
		{"name", "x", "no single value"},
		{"L3.inclusion", "x2", "inclusion"},
		{"", "2", "is no field"},
	} {
		_, err := m.With("other", Change{c.path, c.value})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%s: %v, want %q", c.path, c.value, err, c.want)
		}
	}
	_, err = m.With("other", Change{"L4.size", "x2"})
	if change := (*ChangeError)(nil); !errors.As(err, &change) || change.Path != "L4.size" {
		t.Error(err)
	}
}
