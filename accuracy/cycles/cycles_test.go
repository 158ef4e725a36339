package cycles

import (
	"os/exec"
	"runtime"
	"strconv"
	"testing"

	"foresee/accuracy"
	"foresee/machine"
)

// tries is how often it is measured where others load the core beside, as tests of other packages do.
const tries = 3

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
	var rows, wrong [][]string
	for range tries {
		s, err := Cycles(t.Context(), accuracy.Options{Kernels: []string{"seidel-2d"}, Machine: m})
		if err != nil {
			t.Fatal(err)
		}
		rows, wrong = s.Tables[1].Rows, nil
		for _, row := range rows { // a chain of additions and a division, which binds every core
			predicted, err := strconv.ParseFloat(row[3], 64)
			measured, err2 := strconv.ParseFloat(row[4], 64)
			if err != nil || err2 != nil || predicted < 0.6*measured || predicted > 1.7*measured {
				wrong = append(wrong, row)
			}
		}
		if len(wrong) == 0 {
			break
		}
	}
	for _, row := range wrong {
		t.Errorf("%v", row)
	}
	if len(rows) < 2 { // gcc's two
		t.Errorf("%d rows", len(rows))
	}
	all := []outcome{{"gemm-float", 0, 100, 125, 2}, {"gemm", 1, 90, 100, 3}} // of half A and of half B
	if rows := summary(all, "MINI").Rows; len(rows) != 4 || rows[0][3] != "20.0" || rows[1][3] != "10.0" {
		t.Errorf("%v", rows)
	}
}

func TestHalves(t *testing.T) {
	if half("gemm") != "B" || half("gemm-float") != "A" {
		t.Error("the halves are those by which the model was made: they must not change")
	}
}
