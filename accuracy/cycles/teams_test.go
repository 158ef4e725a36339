package cycles

import (
	"testing"

	"foresee/machine"
)

// TestTeams has a kernel of each half: compiled code's time off by a half, the source's by a fifth, and of a speed-up of two one foretold of one.
func TestTeams(t *testing.T) {
	m, err := machine.Load("zen4")
	if err != nil {
		t.Fatal(err)
	}
	x := &teamTimes{compiledTimes: &compiledTimes{machine: m, size: "SMALL"}}
	for _, kernel := range []string{"gemm", "3mm"} {
		x.rows = append(x.rows, teamTime{kernel: kernel, one: 4, all: 2, compiled: 3, compiledOne: 3, source: 1.6})
	}
	rows := x.table().Rows
	if len(rows) != 2 || set("gemm") == set("3mm") {
		t.Fatalf("%d rows, gemm in %s, 2mm in %s", len(rows), set("gemm"), set("3mm"))
	}
	for i, row := range rows {
		of := map[string]string{set("gemm"): "gemm", set("3mm"): "3mm"}[row[0]]
		for c, want := range []string{[]string{"A", "B"}[i], "1", "50.0", "50.0", "50 (" + of + ")", "20.0", "20.0", "20 (" + of + ")", "50.0", "50 (" + of + ")"} {
			if row[c] != want {
				t.Errorf("%s, column %d: %s, want %s", of, c, row[c], want)
			}
		}
	}
}
