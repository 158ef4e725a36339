package report

import (
	"math"
	"strings"
	"testing"

	"foresee/report/sample"
)

func TestMessages(t *testing.T) {
	m := Messages("run", sample.TwoRanks())
	want := MPIBalance{WallMeanS: 10, WallMaxS: 10, MPIMeanS: 6, MPIMaxS: 8, ComputeMeanS: 4, ComputeMaxS: 6, CPUMeanS: 9, Imbalance: 1.5}
	if m.Balance != want || len(m.Warnings) > 0 {
		t.Errorf("%+v, want %+v; %q", m.Balance, want, m.Warnings)
	}
	functions := []MPIFunction{ // of 20 s of wall time
		{"MPI_Bcast", 20, 160, 4.5, 8, 0.45},
		{"MPI_Send", 5, 1056, 1.5, 3, 0.15},
	}
	for i, f := range functions {
		got := m.Functions[i]
		if math.Abs(got.Share-f.Share) > 1e-12 {
			t.Errorf("share %g, want %g", got.Share, f.Share)
		}
		if got.Share = f.Share; got != f {
			t.Errorf("%+v, want %+v", got, f)
		}
	}
	if len(m.Calls) != 3 || m.Calls[0] != (MPICall{"MPI_Bcast", 2, 4, 20, 160, 9, 0.05, 1.6}) {
		t.Errorf("%+v", m.Calls)
	}
}

func TestMessagesWarnsOfOversubscription(t *testing.T) {
	r := sample.TwoRanks()
	r.Messages[0].CPU, r.Messages[1].CPU = 4, 6
	if m := Messages("run", r); len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0], "50.00 % of their time") {
		t.Errorf("%q", m.Warnings)
	}
}
