package folders

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The names are those of Extra-P's own test files.
func TestParameters(t *testing.T) {
	for name, want := range map[string]map[string]float64{
		"mm.x10y1z1.r1": {"x": 10, "y": 1, "z": 1}, "mm.x25.y25.z1.r1": {"x": 25, "y": 25, "z": 1}, "x10y1z1": {"x": 10, "y": 1, "z": 1},
		"mm.x1.1y1.1z1.1": {"x": 1.1, "y": 1.1, "z": 1.1}, "mm.x20,5.y20,5.z1,5.r1": {"x": 20.5, "y": 20.5, "z": 1.5}, "mm.x22.5.y22.5.z1.25.r1": {"x": 22.5, "y": 22.5, "z": 1.25},
		"mm.x1y1z1": {"x": 1, "y": 1, "z": 1}, "example.f1": {"f": 1},
		"results": nil, "_test_folder": nil, "2026-01-01": nil, "app.p2p4": nil, "app.p0": nil, "": nil,
	} {
		if got := Parameters(name); !maps.Equal(got, want) {
			t.Errorf("%q: %v, not %v", name, got, want)
		}
	}
}

func TestSeries(t *testing.T) {
	points, err := Series([]string{"a.p2.n8.r1", "a.p2.n8.r2", "a.p4.n8.r1"})
	if err != nil || !maps.Equal(points[2], map[string]float64{"p": 4}) || len(points[0]) != 1 {
		t.Errorf("%v, %v", points, err)
	}
	if _, err := Series([]string{"a.p2.n3", "a.p4.m3"}); err == nil || !strings.Contains(err.Error(), "other parameters than") {
		t.Error(err)
	}
}

func TestFolders(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"tau/MULTI__TIME/profile.0.0.0", "tau/MULTI__TIME/profile.1.0.0", "tau/MULTI__X/profile.1.0.0", "tau/notes.txt", "cube/profile.cubex", "cube/scorep.cfg", "cube/other.cubex", "plain/a.txt", "plain/b.txt", "plain/.c"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if files, ranks, err := TAU(filepath.Join(dir, "tau")); err != nil || len(files) != 3 || ranks != 2 {
		t.Errorf("%v, %d ranks, %v", files, ranks, err)
	}
	if files, _, err := TAU(filepath.Join(dir, "cube")); err != nil || len(files) != 0 {
		t.Errorf("%v, %v", files, err)
	}
	for name, want := range map[string][]int{"cube": {1, 1}, "plain": {2}} {
		runs, err := Runs(filepath.Join(dir, name))
		if err != nil || len(runs) != len(want) || len(runs[0]) != want[0] {
			t.Errorf("%s: %v, %v", name, runs, err)
		}
	}
}
