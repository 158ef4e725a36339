package cycles

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"foresee/accuracy"
	"foresee/machine"
)

// TestCycles predicts and measures one kernel as all compilers make it: the prediction is of the right size, and its count of
// instructions in a cycle one that cores have.
func TestCycles(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil || runtime.GOARCH != "amd64" || testing.Short() {
		t.Skip("needs gcc on x86-64, and time")
	}
	m, err := machine.Load("zen4")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Cycles(t.Context(), accuracy.Options{Kernels: []string{"seidel-2d"}, Machine: m})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := s.Markdown(&text); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text.String(), "| seidel-2d |"); n == 0 {
		t.Errorf("no rows:\n%s", text.String())
	}
	all := []outcome{{"seidel-2d", 0, 100, 125, 2}, {"gemm", 1, 90, 100, 3}}
	if rows := summary(all, "MINI").Rows; len(rows) != 4 || rows[0][3] != "20.0" && rows[1][3] != "20.0" {
		t.Errorf("%v", rows)
	}
}

func TestHalves(t *testing.T) {
	if half("gemm") != "B" || half("gemm-float") != "A" {
		t.Error("the halves are those by which the model was made: they must not change")
	}
}
