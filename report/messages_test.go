package report

import (
	"math"
	"strings"
	"testing"

	"foresee/application/counters"
)

// twoRanks waited, computed 6 and 2 s, and sent to each other.
func twoRanks() *counters.Run {
	call := func(name string, comm, class int, count, bytes, seconds float64) counters.Call {
		return counters.Call{Name: name, Comm: comm, Class: class, Count: count, Bytes: bytes, Seconds: seconds, Min: seconds / count / 2, Max: seconds / count * 2}
	}
	return &counters.Run{
		Params: map[string]float64{"p": 2}, Command: []string{"mpirun", "-n", "2", "./a"},
		Messages: []counters.Messages{
			{
				Rank: 0, Size: 2, Wall: 10, CPU: 9, MPI: "mpich", Library: "MPICH 4", Complete: true,
				Calls: []counters.Call{call("MPI_Bcast", 2, 4, 10, 80, 1), call("MPI_Send", 2, 4, 4, 32, 2), call("MPI_Send", 2, 11, 1, 1024, 1)},
				Peers: []counters.Peer{{Rank: 1, Count: 5, Bytes: 1056}},
			},
			{
				Rank: 1, Size: 2, Wall: 10, CPU: 9, MPI: "mpich", Library: "MPICH 4", Complete: true,
				Calls: []counters.Call{call("MPI_Bcast", 2, 4, 10, 80, 8)},
			},
		},
	}
}

func TestMessages(t *testing.T) {
	m := Messages("run", twoRanks())
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
	r := twoRanks()
	r.Messages[0].CPU, r.Messages[1].CPU = 4, 6
	if m := Messages("run", r); len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0], "50.00 % of their time") {
		t.Errorf("%q", m.Warnings)
	}
}

func TestMessagesTextOfOneRank(t *testing.T) {
	var b strings.Builder
	m := Messages("run", twoRanks())
	m.Ranks = m.Ranks[:1]
	if err := MessagesText(&b, m, TextOptions{}); err != nil || !strings.HasPrefix(b.String(), "1 rank, MPICH 4\n") {
		t.Errorf("%v, %s", err, b.String())
	}
}

func TestMessagesText(t *testing.T) {
	var b strings.Builder
	if err := MessagesText(&b, Messages("run", twoRanks()), TextOptions{}); err != nil {
		t.Fatal(err)
	}
	const want = `2 ranks, MPICH 4

function   calls      bytes  mean of a rank  most of a rank  share of time
MPI_Bcast     20      160 B          4.50 s          8.00 s        45.00 %
MPI_Send       5  1.031 KiB          1.50 s          3.00 s        15.00 %

time                           mean of a rank  most of a rank
from MPI_Init to MPI_Finalize          10.0 s          10.0 s
in MPI                                 6.00 s          8.00 s
outside MPI (compute)                  4.00 s          6.00 s
load balance: the slowest rank computes 1.50 times the mean

rank  outside MPI  in MPI  peers  messages      bytes  most to  bytes to it
   0       6.00 s  4.00 s      1         5  1.031 KiB        1    1.031 KiB
   1       2.00 s  8.00 s      0         0        0 B        –            –
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestMessagesCSV(t *testing.T) {
	var b strings.Builder
	if err := MessagesCSV(&b, Messages("run", twoRanks())); err != nil {
		t.Fatal(err)
	}
	const want = `kind,name,processes,size_class,rank,peer,calls,bytes,seconds,min_s,max_s
call,MPI_Bcast,2,4,,,20,160,9,0.05,1.6
call,MPI_Send,2,4,,,4,32,2,0.25,1
call,MPI_Send,2,11,,,1,1024,1,0.5,2
wall,,,,0,,,,10,,
cpu,,,,0,,,,9,,
mpi,,,,0,,,,4,,
compute,,,,0,,,,6,,
peer,,,,0,1,5,1056,,,
wall,,,,1,,,,10,,
cpu,,,,1,,,,9,,
mpi,,,,1,,,,8,,
compute,,,,1,,,,2,,
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
