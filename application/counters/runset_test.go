package counters

import (
	"strings"
	"testing"
)

// A run of two ranks whose sums are easy: rank 1 computes longer and waits less.
func handRun() *Run {
	call := func(name string, class int, n, bytes, seconds float64) Call {
		return Call{Name: name, Comm: 2, Class: class, Count: n, Bytes: bytes, Seconds: seconds}
	}
	return &Run{
		Params: map[string]float64{"p": 2},
		Messages: []Messages{
			{Rank: 0, Size: 2, Wall: 10, CPU: 9, Complete: true, Calls: []Call{
				call("MPI_Isend", 4, 10, 100, 0.5), call("MPI_Irecv", 4, 10, 120, 0.1), call("MPI_Wait", 0, 20, 0, 1.4),
				call("MPI_Allreduce", 4, 5, 40, 1), call("MPI_Allreduce", 11, 2, 4096, 0.5), call("MPI_Comm_dup", 0, 1, 0, 0.25),
			}},
			{Rank: 1, Size: 2, Wall: 10, CPU: 10, Complete: true, Calls: []Call{
				call("MPI_Isend", 4, 30, 300, 0.5), call("MPI_Put", 4, 1, 8, 0.5),
				call("MPI_Allreduce", 4, 5, 40, 0.5),
			}},
		},
		Profiles: []Profile{
			{Tool: "callgrind", Rank: 0, Events: []string{"Ir", "Nonsense"}, Functions: []Function{{"solve", []float64{100, 1}}, {"wait", []float64{60, 1}}}},
			{Tool: "callgrind", Rank: 1, Events: []string{"Ir", "Nonsense"}, Functions: []Function{{"solve", []float64{140, 1}}}},
		},
	}
}

func TestRunBecomesSeries(t *testing.T) {
	quantities, err := LoadQuantities(nil)
	if err != nil {
		t.Fatal(err)
	}
	set := &Set{}
	if err := handRun().AddTo(set, quantities); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		callpath, metric string
		want             float64
	}{
		{WholeRun, "time", 10},
		{WholeRun, "cpu", 9.5},
		{WholeRun, "cpu.max", 10},
		{Computing, "time", (10 - 3.75 + 10 - 1.5) / 2},
		{Computing, "time.max", 8.5},
		{PointToPoint, "time", (2 + 0.5) / 2},
		{PointToPoint, "bytes", (100 + 300) / 2}, // what is received is not sent
		{PointToPoint, "calls", (10 + 30) / 2},
		{Collective, "time", (1.5 + 0.5) / 2},
		{Collective, "bytes", (4136 + 40) / 2},
		{OneSided, "time", 0.25},
		{OtherMPI, "time", 0.125},
		{PointToPoint + "->MPI_Isend", "calls.max", 30},
		{PointToPoint + "->MPI_Wait", "time.max", 1.4},
		{Collective + "->MPI_Allreduce", "calls", (7 + 5) / 2},
		{Collective + "->MPI_Allreduce->8 to 15 bytes", "time", 0.75},
		{Collective + "->MPI_Allreduce->1024 to 2047 bytes", "calls", 1},
		{"solve", "instructions", 120},
		{"solve", "instructions.max", 140},
		{"wait", "instructions", 30},
		{WholeRun, "instructions", 150},
		{WholeRun, "instructions.max", 160},
	} {
		s := set.Find(c.callpath, c.metric)
		if s == nil {
			t.Errorf("%s %s is missing", c.callpath, c.metric)
			continue
		}
		if got := s.Points[0].Median(); got != c.want {
			t.Errorf("%s %s is %g instead of %g", c.callpath, c.metric, got, c.want)
		}
	}
	if said := strings.Join(set.Warnings, "\n"); !strings.Contains(said, "Nonsense") {
		t.Errorf("the unknown event is not named: %s", said)
	}
}

func TestPartsOfMPI(t *testing.T) {
	for name, want := range map[string]string{
		"MPI_Send": PointToPoint, "MPI_Send_c": PointToPoint, "MPI_Startall": PointToPoint, "MPI_Iprobe": PointToPoint,
		"MPI_Bcast": Collective, "MPI_Ibcast": Collective, "MPI_Ireduce_scatter_block": Collective, "MPI_Neighbor_alltoallw": Collective, "MPI_Barrier": Collective,
		"MPI_Rput": OneSided, "MPI_Win_fence": OneSided, "MPI_Comm_split": OtherMPI, "MPI_Init": OtherMPI, "MPI_Irecv": PointToPoint,
	} {
		if got := Part(name); got != want {
			t.Errorf("%s belongs to %s, not %s", name, got, want)
		}
	}
	for name, want := range map[string]bool{"MPI_Isend": true, "MPI_Sendrecv": true, "MPI_Recv": false, "MPI_Wait": false, "MPI_Bcast": false, "MPI_Start": true, "MPI_Send_init": true} {
		if Sends(name) != want {
			t.Errorf("%s sends: %v", name, !want)
		}
	}
}
