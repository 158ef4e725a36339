package record_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"foresee/application/record"
	"foresee/application/recording"
	"foresee/application/trace"
)

// loopAccesses are those of testdata/own/loops.c to its array, in elements, by its source.
func loopAccesses() (all []string) {
	access := func(kind trace.Kind, at int) { all = append(all, fmt.Sprint(kind, at)) }
	for _, n := range []int{1, 2, 3, 7, 1000} {
		for i := n - 1; i >= 0; i-- {
			access(trace.Write, i)
		}
		for i := range n {
			access(trace.Read, i)
		}
		for i := range n {
			access(trace.Read, 3*i)
			access(trace.Write, 3*i)
		}
		for i := range n {
			access(trace.Read, 2*n-i)
			access(trace.Write, i)
		}
	}
	return all
}

// TestOwnLoops looks at each access of loops that are logged as a whole, in order.
func TestOwnLoops(t *testing.T) {
	t.Parallel()
	for _, b := range []ownBuild{
		{"gcc", "", record.C, []string{"-O1"}},
		{"gcc", "", record.C, []string{"-O2", "-fno-tree-vectorize", "-fPIC"}},
		{"clang", "", record.C, []string{"-O2", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops"}},
	} {
		t.Run(b.compiler+b.flags[0], func(t *testing.T) {
			t.Parallel()
			needProgram(t, b.compiler)
			_, recorded := b.build(t, "testdata/own/loops.c")
			accesses, printed := recordedAccesses(t, recorded)
			var base uint64
			if _, err := fmt.Sscanf(printed, "0x%x", &base); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range accesses {
				if at := e.Address - base; at < 8*4096 {
					got = append(got, fmt.Sprint(e.Kind, at/8))
				}
			}
			want := loopAccesses()
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Fatalf("access %d of %d is %s, not %s; before it %v", i, len(got), got[i], want[i], got[max(0, i-4):i])
				}
			}
			if len(got) != len(want) {
				t.Errorf("%d accesses, not %d", len(got), len(want))
			}
		})
	}
}

// recordedAccesses runs a program and gives its accesses, and what it prints.
func recordedAccesses(t *testing.T, program string) (all []trace.Event, printed string) {
	t.Helper()
	var out bytes.Buffer
	p, err := record.Start(t.Context(), record.Run{Program: program, Serial: true, Stdout: &out, Stderr: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	team, err := recording.NewTeam(p, recording.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	all = readEvents(t, team)
	if err := p.Wait(); err != nil {
		t.Fatal(err)
	}
	return all, out.String()
}

// readEvents reads a team to its end.
func readEvents(t *testing.T, team *recording.Team) (all []trace.Event) {
	t.Helper()
	events := make([]trace.Event, 4096)
	for {
		n, err := team.Read(events)
		all = append(all, events[:n]...)
		if err != nil {
			return all
		}
	}
}
