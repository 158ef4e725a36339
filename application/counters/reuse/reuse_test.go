package reuse_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"foresee/application/counters/check"
	"foresee/application/counters/open"
)

func TestReadReuse(t *testing.T) {
	f, err := os.Open(filepath.Join("..", "testdata", "tools", "foresee-profile.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	file, err := open.Read("profile.json", f)
	if err != nil {
		t.Fatal(err)
	}
	if file.Format != "foresee-profile" || len(file.Reuse) != 1 {
		t.Fatalf("%s: %d profiles", file.Format, len(file.Reuse))
	}
	r := &file.Reuse[0]
	// Twenty times: six faces of 32² cells packed, copied and unpacked (two accesses each), and 32³ cells swept (eight).
	want := 20.0 * (6*32*32*6 + 32*32*32*8)
	if r.Region != "step" || r.LineBytes != 64 || math.Abs(r.Accesses()/want-1) > 1e-3 {
		t.Errorf("%s, lines of %d bytes, %g accesses, want %g", r.Region, r.LineBytes, r.Accesses(), want)
	}
	lines := 2 * 34.0 * 34 * 34 / 8 // of both boxes
	if r.Cold < 0.8*lines || r.Cold > 1.4*lines {
		t.Errorf("%g lines are used, of about %g", r.Cold, lines)
	}
}

func FuzzReuse(f *testing.F) { check.Fuzz(f, "tools/foresee-profile.json") }
