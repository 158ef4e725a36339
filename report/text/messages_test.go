package text_test

import (
	"strings"
	"testing"

	"foresee/report"
	"foresee/report/sample"
	"foresee/report/text"
)

func TestMessagesTextOfOneRank(t *testing.T) {
	var b strings.Builder
	m := report.Messages("run", sample.TwoRanks())
	m.Ranks = m.Ranks[:1]
	if err := text.Messages(&b, m, text.Options{}); err != nil || !strings.HasPrefix(b.String(), "1 rank, MPICH 4\n") {
		t.Errorf("%v, %s", err, b.String())
	}
}

func TestMessagesText(t *testing.T) {
	var b strings.Builder
	if err := text.Messages(&b, report.Messages("run", sample.TwoRanks()), text.Options{}); err != nil {
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
	if err := text.MessagesCSV(&b, report.Messages("run", sample.TwoRanks())); err != nil {
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
