package cli

import (
	"strings"
	"testing"
)

func TestAxisValues(t *testing.T) {
	for _, c := range []struct{ list, want string }{
		{"1,2,4", "1 2 4"},
		{"100..400:100", "100 200 300 400"},
		{"100..399:100", "100 200 300"},
		{"128..1024:x2", "128 256 512 1024"},
		{"1..10:x1.5", "1 2 3 5 8"}, // 1, 1.5, 2.25, 3.375, 5.06, 7.59
		{"0.5..1.5:0.5", "0.5 1 1.5"},
		{"8,16..32:8,64", "8 16 24 32 64"},
		{"x1,x2", "x1 x2"},
		{"1..4", "1 2 3 4"},
		{"100..3200", "100 137 188 257 353 483 662 907 1244 1704 2335 3200"},
	} {
		got, err := AxisValues("--vary f="+c.list, c.list)
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, %v; want %s", c.list, got, err, c.want)
		}
	}
	for _, list := range []string{"4..1", "0..4", "0.5..4", "4..1:1", "1..4:0", "1..4:x1", "0..4:x2", "1,,2", "a..b:1", "1..1e300:1", "1..9:NaN"} {
		if got, err := AxisValues("--vary f="+list, list); err == nil {
			t.Errorf("%s: %v", list, got)
		}
	}
}
