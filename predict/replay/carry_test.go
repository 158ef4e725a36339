package replay

import (
	"math"
	"testing"

	"foresee/application/messages/decomposition"
)

// TestRunOn: a line of two ranks on sixteen takes as long and a little either way; where all exchange with all, the interval reaches to messages between two
// that stay as large, so to as many times the bytes as there are more ranks.
func TestRunOn(t *testing.T) {
	line := []string{"( 10\nSendrecv 10 8000 10000000 10000000 1000000 0 p1 t1 s-2 u1 c0\n)\n", "( 10\nSendrecv 10 0 10000000 10000000 1000000 0 p-2 t1 s0 u1 c0\n)\n"}
	recorded := ranks(t, 2, line...)
	program, r, err := RunOn(recorded, described(t, small), Options{RanksPerNode: 2}, 16, decomposition.Grows, nil)
	if err != nil || len(program.Ranks) != 16 || r.Carried == nil || r.Carried.To != "16" {
		t.Fatalf("%+v, %v", r, err)
	}
	if math.Abs(*r.LowSeconds/r.Seconds-0.96) > 1e-9 || math.Abs(*r.HighSeconds/r.Seconds-1.04) > 1e-9 {
		t.Errorf("%g s between %g and %g", r.Seconds, *r.LowSeconds, *r.HighSeconds)
	}
	all := "Alltoall 1 40000000 0 0 0 0 c0\n"
	recorded = ranks(t, 2, all, all)
	_, r, err = RunOn(recorded, described(t, small), Options{RanksPerNode: 1}, 8, decomposition.Grows, nil)
	if err != nil {
		t.Fatal(err)
	}
	if grown := *r.HighSeconds / 1.04 / r.Seconds; grown < 3 || grown > 4.5 { // 4 times the bytes
		t.Errorf("%g times as long where messages between two stay", grown)
	}
	if _, r, err = RunOn(recorded, described(t, small), Options{RanksPerNode: 1}, 2, decomposition.Grows, nil); err != nil || r.LowSeconds != nil || r.Carried != nil {
		t.Errorf("as recorded: %+v, %v", r, err)
	}
}
