package mpi

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foresee/application/counters/ranks"
	"foresee/application/messages"
)

// recordedEvents runs a program and reads its calls in their order.
func recordedEvents(t *testing.T, o Options) (*messages.Program, string) {
	t.Helper()
	var said bytes.Buffer
	o.Events, o.Dir, o.Stdout, o.Stderr = true, filepath.Join(t.TempDir(), "run"), &said, &said
	dir, err := Record(t.Context(), o)
	if err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	p, err := ranks.ReadEvents(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p, dir
}

// said writes a call with what tells it from others.
func said(c *messages.Call, comms []messages.Members) string {
	text := fmt.Sprint(c.Name, " ", c.EachBytes())
	for _, f := range []struct {
		name  string
		value int
	}{{"p", c.Peer}, {"t", c.Tag}, {"s", c.Source}, {"u", c.SourceTag}, {"r", c.Root}} {
		if f.value != messages.None {
			text += fmt.Sprint(" ", f.name, f.value)
		}
	}
	if c.Comm != messages.None {
		text += fmt.Sprint(" ", comms[c.Comm])
	}
	if c.Completes != nil {
		text += fmt.Sprint(" w", c.Completes)
	}
	return text
}

// order is what a rank of testdata/order.c does, of 4.
func order(rank int) (all []string) {
	add := func(format string, a ...any) { all = append(all, fmt.Sprintf(format, a...)) }
	right, left, world := (rank+1)%4, (rank+3)%4, "[0 1 2 3]"
	for step := range 600 {
		add("Irecv 240 p%d t5 %s", left, world)
		add("Isend 240 p%d t5 %s", right, world)
		add("Waitall 0 w[2 1]")
		if step%2 == 1 {
			add("Allreduce 4 %s", world)
		}
	}
	for range 4 {
		add("Irecv 0 p%d t6 %s", left, world) // of what is prepared, what sends has bytes
		add("Isend 12 p%d t6 %s", right, world)
		add("Waitall 0 w[2 1]")
	}
	for range 3 {
		add("Comm_split 0 %s", world)
		add("Barrier 0 %s", []string{"[2 0]", "[3 1]"}[rank%2])
	}
	if rank == 0 {
		for i := 1; i < 4; i++ {
			add("Recv 4 p%d t%d %s", i, 40+i, world)
		}
	} else {
		add("Isend 4 p0 t%d %s", 40+rank, world)
		add("Waitany 0 w[1]")
	}
	add("Barrier 0 %s", world)
	add("Sendrecv 16 p%d t8 s%d u8 %s", right, left, world)
	return all
}

// TestOrder compares what was recorded of testdata/order.c, unfolded, with the program's text; and wants its file to be small.
func TestOrder(t *testing.T) {
	for _, flavour := range flavours {
		t.Run(flavour, func(t *testing.T) {
			program := compile(t, flavour, inC("order.c"))
			p, dir := recordedEvents(t, Options{Command: command(t, flavour, 4, program)})
			for rank := range p.Ranks {
				want := order(rank)
				var got []string
				for w := messages.NewWalk(p.Ranks[rank].Nodes); ; {
					c := w.Next()
					if c == nil {
						break
					}
					got = append(got, said(c, p.Comms))
				}
				if rank == 0 { // receives in whatever order they came
					slices.Sort(got[len(got)-5 : len(got)-2])
				}
				compareOrder(t, rank, got, want)
				info, err := os.Stat(filepath.Join(dir, fmt.Sprintf("events.%d.txt", rank)))
				if err != nil || info.Size() > int64(len(want)) {
					t.Errorf("rank %d: %d bytes for %d events, %v", rank, info.Size(), len(want), err)
				}
			}
		})
	}
}

func compareOrder(t *testing.T, rank int, got, want []string) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Errorf("rank %d, call %d: %q, want %q", rank, i, got[i], want[i])
			return
		}
	}
	if len(got) != len(want) {
		t.Errorf("rank %d: %d calls, want %d", rank, len(got), len(want))
	}
}

// TestKilled wants what ranks did until another was killed, under both MPIs, although MPICH kills all of them then.
func TestKilled(t *testing.T) {
	for _, flavour := range flavours {
		t.Run(flavour, func(t *testing.T) {
			program := compile(t, flavour, inC("killed.c"))
			o := Options{Events: true, Command: command(t, flavour, 3, program)}
			run, err := tryRecord(t, &o)
			if failed := new(CommandError); !errors.As(err, &failed) || run == nil {
				t.Fatalf("%v\n%s", err, o.Stderr)
			}
			if len(run.Messages) != 3 {
				t.Fatalf("%d ranks left something, of 3\n%s", len(run.Messages), o.Stderr)
			}
			p, err := ranks.ReadEvents(o.Dir + ".partial")
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(fmt.Sprint(p.Warnings), "did not come to MPI_Finalize") {
				t.Errorf("warnings %q", p.Warnings)
			}
			for r := range p.Ranks {
				if n := messages.Count(p.Ranks[r].Nodes); n < 10 {
					t.Errorf("rank %d: %d calls, of a hundred or more", r, n)
				}
			}
		})
	}
}
