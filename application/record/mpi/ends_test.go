package mpi

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"foresee/application/counters"
	"foresee/application/counters/ranks"
)

// TestEnds looks at what is left when rank 1 ends before its time; see testdata/ends.c.
func TestEnds(t *testing.T) {
	tests := []struct {
		way      string
		complete bool   // rank 1 has an end
		killed   bool   // rank 1 has what it did until a moment before, or no file where that was its begin
		warning  string // where there is one
	}{
		{"fail", true, false, ""},
		{"abort", true, false, "rank 1 called MPI_Abort"},
		{"exit", false, false, "rank 1 did not come to MPI_Finalize"},
		{"terminate", false, false, "rank 1 did not come to MPI_Finalize"},
		{"kill", false, true, "rank"},
	}
	for _, flavour := range flavours {
		t.Run(flavour, func(t *testing.T) {
			program := compile(t, flavour, inC("ends.c"))
			for _, test := range tests {
				t.Run(test.way, func(t *testing.T) {
					o := Options{Command: command(t, flavour, 2, program, test.way)}
					run, err := tryRecord(t, &o)
					if failed := new(CommandError); !errors.As(err, &failed) {
						t.Fatalf("%v is no failure of the command\n%s", err, o.Stderr)
					}
					if run == nil && errors.Is(err, ErrNothing) && test.killed {
						return // the launcher killed the other rank too
					}
					checkEnd(t, run, test.complete, test.killed, test.warning)
					if _, err := os.Stat(o.Dir); (err == nil) != (test.way == "fail") {
						t.Errorf("folder %s: %v", o.Dir, err)
					}
				})
			}
		})
	}
}

// checkEnd looks at rank 1.
func checkEnd(t *testing.T, run *counters.Run, complete, killed bool, warning string) {
	t.Helper()
	if !strings.Contains(strings.Join(run.Warnings, "\n"), warning) {
		t.Errorf("warnings %q lack %q", run.Warnings, warning)
	}
	i := slices.IndexFunc(run.Messages, func(m counters.Messages) bool { return m.Rank == 1 })
	if i < 0 && !killed {
		t.Fatalf("rank 1 is number %d of %d", i, len(run.Messages))
	}
	if i < 0 {
		return
	}
	compare(t, run.Messages[i], []did{{"MPI_Barrier", 2, barriersOf(run.Messages[i], killed), 0}})
	if run.Messages[i].Complete != complete {
		t.Errorf("complete is %v", !complete)
	}
}

// barriersOf is how many of its five barriers a rank has to have: of one that was killed those up to its last snapshot.
func barriersOf(m counters.Messages, killed bool) float64 {
	n := 0.0
	for _, c := range m.Calls {
		if c.Name == "MPI_Barrier" {
			n += c.Count
		}
	}
	if killed && n > 0 && n < 5 {
		return n
	}
	return 5
}

// TestInterrupted keeps what there is when the user ends the run.
func TestInterrupted(t *testing.T) {
	for _, flavour := range flavours {
		t.Run(flavour, func(t *testing.T) {
			program := compile(t, flavour, inC("ends.c"))
			folder := t.TempDir()
			begun := filepath.Join(folder, "begun")
			ctx, cancel := context.WithCancel(context.Background())
			go func() {
				defer cancel()
				for range 2000 {
					if _, err := os.Lstat(begun); err == nil {
						return
					}
					time.Sleep(10 * time.Millisecond)
				}
			}()
			var said bytes.Buffer
			o := Options{Command: command(t, flavour, 2, program, "wait", begun), Dir: filepath.Join(folder, "run"), Stdout: &said, Stderr: &said}
			dir, err := Record(ctx, o)
			if !errors.Is(err, context.Canceled) || dir != o.Dir+".partial" {
				t.Fatalf("%q, %v\n%s", dir, err, &said)
			}
			run, err := ranks.Read(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range run.Messages {
				compare(t, m, []did{{"MPI_Barrier", 2, barriersOf(m, true), 0}}) // the launcher kills those that do not end soon enough
				if m.Complete {
					t.Errorf("rank %d is complete", m.Rank)
				}
			}
		})
	}
}

// TestNothing wants a reason when a command has no ranks, and a folder that holds something else left alone.
func TestNothing(t *testing.T) {
	_, kept, err := library(context.Background())
	if err != nil {
		t.Skip(err)
	}
	defer kept.Close()
	dir := t.TempDir()
	for _, test := range []struct {
		o    Options
		want string
	}{
		{Options{Command: []string{"true"}, Dir: filepath.Join(dir, "new")}, "the command calls no MPI"},
		{Options{Command: []string{"false"}, Dir: filepath.Join(dir, "new")}, "false ended with exit code 1"},
		{Options{Command: []string{"./no-such-program"}, Dir: filepath.Join(dir, "new")}, "no such file"},
		{Options{}, "no command"},
		{Options{Command: []string{"true"}, Dir: "testdata"}, "testdata holds something else than a recording"},
		{Options{Command: []string{"true"}, Dir: filepath.Join(dir, "new"), Counters: "gprof"}, "use callgrind or perf"},
	} {
		test.o.Stdout, test.o.Stderr = &bytes.Buffer{}, &bytes.Buffer{}
		_, err := Record(context.Background(), test.o)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %q", test.o.Command, err, test.want)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
