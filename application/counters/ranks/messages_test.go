package ranks

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"

	"foresee/application/counters"
)

const messagesHeadText = `foresee-mpi 1
rank 1
size 4
mpi openmpi
library Open MPI v4.1.4
host node7
program /home/me/my solver
wall 2.500000000
cpu 2.250000000
`

const messagesText = messagesHeadText + `call MPI_Waitall 0 0 20 0 0.500000000 0.000000100 0.250000000
call MPI_Allreduce 4 4 10 80 0.010000000 0.000500000 0.002000000
peer 3 5 4000
call MPI_Allreduce 4 4 30 240 0.030000000 0.000100000 0.001000000
peer 0 1 0
peer 3 2 1000
end
`

func TestReadMessages(t *testing.T) {
	got, err := ReadMessages("messages.1.txt", strings.NewReader(messagesText))
	want := counters.Messages{
		Rank: 1, Size: 4, Wall: 2.5, CPU: 2.25, MPI: "openmpi", Library: "Open MPI v4.1.4", Host: "node7", Complete: true,
		Calls: []counters.Call{ // two threads' calls are added
			{Name: "MPI_Allreduce", Comm: 4, Class: 4, Count: 40, Bytes: 320, Seconds: 0.04, Min: 0.0001, Max: 0.002},
			{Name: "MPI_Waitall", Count: 20, Seconds: 0.5, Min: 1e-7, Max: 0.25},
		},
		Peers: []counters.Peer{{Rank: 0, Count: 1, Bytes: 0}, {Rank: 3, Count: 7, Bytes: 5000}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n got %+v\nwant %+v", err, got, want)
	}
}

func TestReadMessagesAborted(t *testing.T) {
	got, err := ReadMessages("messages.1.txt", strings.NewReader(messagesHeadText+"end abort\n"))
	if err != nil || !got.Complete || !got.Aborted || len(got.Warnings) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestReadMessagesCut cuts the file after every byte: what is whole is kept, and more is never lost with more bytes.
func TestReadMessagesCut(t *testing.T) {
	head, before := len(messagesHeadText), 0.0
	for n := range len(messagesText) {
		got, err := ReadMessages("cut", strings.NewReader(messagesText[:n]))
		if (err == nil) != (n >= head) {
			t.Fatalf("%d bytes, head is %d: %v", n, head, err)
		}
		if err != nil {
			continue
		}
		if got.Complete || len(got.Warnings) != 1 {
			t.Fatalf("%d bytes: complete, or without a warning: %+v", n, got)
		}
		count := 0.0
		for _, c := range got.Calls {
			count += c.Count
		}
		if count < before {
			t.Fatalf("%d bytes: %g calls, with fewer bytes %g", n, count, before)
		}
		before = count
	}
	if before != 60 {
		t.Errorf("%g calls at last, want 60", before)
	}
}

func TestReadMessagesWrong(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "no whole line"},
		{"another file", "events: Ir\n", "x:1: this is no file of the messages of a rank"},
		{"newer", "foresee-mpi 2\n", `x:1: format "2" is not known`},
		{"head ends", "foresee-mpi 1\nrank 0\n", "it ends in its head: the line of size is missing"},
		{"head lacks a line", strings.Replace(messagesText, "wall 2.500000000\n", "", 1), "x:9: the line of wall is missing"},
		{"twice", strings.Replace(messagesText, "size 4\n", "size 4\nsize 4\n", 1), "x:4: size is given again"},
		{"late", messagesHeadText + "peer 0 1 1\nrank 1\n", "x:11: rank is given again"},
		{"rank too large", strings.Replace(messagesText, "size 4\n", "size 1\n", 1), "x:10: rank 1 of 1 processes"},
		{"no number", strings.Replace(messagesText, "rank 1\n", "rank one\n", 1), `x:2: rank: "one" is no whole number`},
		{"negative", strings.Replace(messagesText, "wall 2", "wall -2", 1), `x:8: wall: "-2.500000000" is no number`},
		{"not finite", strings.Replace(messagesText, "cpu 2.250000000", "cpu NaN", 1), `x:9: cpu: "NaN" is no number`},
		{"fields", messagesHeadText + "call MPI_Send 4\n", "x:10: a call has 8 fields"},
		{"peer's fields", messagesHeadText + "peer 0\n", "x:10: a peer has 3 fields"},
		{"peer outside", messagesHeadText + "peer 4 1 1\n", "x:10: a peer of rank 4 in 4 processes"},
		{"no calls", messagesHeadText + "call MPI_Send 4 0 0 0 0 0 0\n", "x:10: a call without count"},
		{"times", messagesHeadText + "call MPI_Send 4 0 1 0 2 2 1\n", "x:10: a call without count"},
		{"unknown", messagesHeadText + "poll MPI_Test 3\n", `x:10: "poll" is unknown`},
		{"strange end", messagesHeadText + "end soon\n", `x:10: "end soon" is no end`},
		{"after the end", messagesText + "end\n", "x:17: a line after the end"},
		{"bytes after the end", messagesText + "x", "x:17: a line after the end"},
		{"long", "foresee-mpi 1\nhost " + strings.Repeat("x", 1<<17), "x:2: a line longer"},
	} {
		_, err := ReadMessages("x", strings.NewReader(test.text))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

func FuzzMessages(f *testing.F) {
	f.Add([]byte(messagesText))
	f.Add([]byte(messagesHeadText + "end abort\n"))
	f.Add([]byte(messagesText[:len(messagesText)-20]))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ReadMessages("fuzz", bytes.NewReader(text))
		if err != nil {
			return
		}
		if m.Rank < 0 || m.Rank >= m.Size || m.Complete != (bytes.HasSuffix(text, []byte("\nend\n")) || bytes.HasSuffix(text, []byte("\nend abort\n"))) {
			t.Fatalf("rank %d of %d, complete %v", m.Rank, m.Size, m.Complete)
		}
		for i, c := range m.Calls {
			if !(c.Count > 0) || c.Bytes < 0 || c.Seconds < 0 || c.Min > c.Max || math.IsNaN(c.Bytes) {
				t.Errorf("%+v", c)
			}
			if i > 0 && m.Calls[i-1].Name > c.Name {
				t.Errorf("%s after %s", c.Name, m.Calls[i-1].Name)
			}
		}
		for i, p := range m.Peers {
			if p.Rank < 0 || p.Rank >= m.Size || i > 0 && m.Peers[i-1].Rank >= p.Rank {
				t.Errorf("peer %+v", p)
			}
		}
	})
}
