package mpi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"foresee/application/counters"
	"foresee/application/counters/ranks"
)

// flavours are the MPIs that are tested, by the names that Debian gives to their commands.
var flavours = []string{"openmpi", "mpich"}

// language is how a program is built: the compiler, before the name of the MPI, and flags.
type language struct {
	name, compiler string
	source         string
	flags          []string
}

// fortran lets gfortran pass arguments of several types to MPI's old interfaces, which have none.
func fortran(binding string) language {
	return language{binding, "mpif90", "ring.F90", []string{"-w", "-fallow-argument-mismatch", "-D" + binding}}
}

func inC(source string) language {
	return language{"C", "mpicc", source, []string{"-w", "-pthread"}}
}

// compile builds a program, or skips the test where its compiler is missing.
func compile(t *testing.T, flavour string, l language) string {
	t.Helper()
	compiler := l.compiler + "." + flavour
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("needs %s (Debian: apt-get install libopenmpi-dev libmpich-dev gfortran)", compiler)
	}
	if l.compiler == "mpif90" {
		if _, err := exec.LookPath("gfortran"); err != nil {
			t.Skip("needs gfortran (Debian: apt-get install gfortran)")
		}
	}
	program := filepath.Join(t.TempDir(), strings.TrimSuffix(l.source, filepath.Ext(l.source)))
	args := append(append([]string{}, l.flags...), filepath.Join("testdata", l.source), "-o", program)
	if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", compiler, err, out)
	}
	return program
}

// command is the launcher's, for ranks on a machine that may have fewer cores, and a user who may be root.
func command(t *testing.T, flavour string, ranks int, program ...string) []string {
	t.Helper()
	for _, v := range []string{"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe", "OMPI_MCA_mpi_yield_when_idle"} {
		t.Setenv(v, "1")
	}
	launcher := "mpirun." + flavour
	if _, err := exec.LookPath(launcher); err != nil {
		t.Skipf("needs %s (Debian: apt-get install openmpi-bin mpich)", launcher)
	}
	return append([]string{launcher, "-n", fmt.Sprint(ranks)}, program...)
}

// recorded runs a program and reads what was recorded.
func recorded(t *testing.T, o Options) *counters.Run {
	t.Helper()
	run, err := tryRecord(t, &o)
	if err != nil {
		t.Fatalf("%v: %v\n%s", o.Command, err, o.Stderr)
	}
	return run
}

// tryRecord gives what was recorded although the program failed; nil where nothing was.
func tryRecord(t *testing.T, o *Options) (*counters.Run, error) {
	t.Helper()
	if o.Dir == "" {
		o.Dir = filepath.Join(t.TempDir(), "run")
	}
	var said bytes.Buffer
	o.Stdout, o.Stderr = &said, &said
	dir, failed := Record(context.Background(), *o)
	if dir == "" {
		return nil, failed
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(dir), ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("unfinished: %v %v", left, err)
	}
	run, err := ranks.Read(dir)
	if err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	return run, failed
}

// TestMain compiles the recorder before tests are timed.
func TestMain(m *testing.M) {
	_, kept, err := library(context.Background())
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "skipped in part:", err)
	}
	_ = kept.Close()
	os.Exit(m.Run())
}

// did is what one rank did with one function, on communicators of one size.
type did struct {
	name  string
	comm  int
	count float64
	bytes float64
}

// compare wants exactly these functions; size classes are added up, and checked by themselves.
func compare(t *testing.T, m counters.Messages, want []did) {
	t.Helper()
	type key struct {
		name string
		comm int
	}
	got := map[key]did{}
	for _, c := range m.Calls {
		k := key{c.Name, c.Comm}
		one := got[k]
		got[k] = did{c.Name, c.Comm, one.count + c.Count, one.bytes + c.Bytes}
		checkCall(t, c)
	}
	for _, w := range want {
		k := key{w.name, w.comm}
		if got[k] != w && w.count > 0 {
			t.Errorf("rank %d: %+v, want %+v", m.Rank, got[k], w)
		}
		delete(got, k)
	}
	for _, extra := range got {
		t.Errorf("rank %d: %+v is too much", m.Rank, extra)
	}
}

// checkCall wants bytes inside the size class, and times that agree with each other.
func checkCall(t *testing.T, c counters.Call) {
	t.Helper()
	mean := c.Bytes / c.Count
	low, high := 0.0, 1.0
	if c.Class > 0 {
		low, high = float64(uint64(1)<<(c.Class-1)), float64(uint64(1)<<c.Class)
	}
	if mean < low || mean >= high {
		t.Errorf("%+v: %g bytes a call are not in the class", c, mean)
	}
	if c.Min > c.Max || c.Seconds < c.Min {
		t.Errorf("%+v: times do not agree", c)
	}
}

func comparePeers(t *testing.T, m counters.Messages, want ...counters.Peer) {
	t.Helper()
	if fmt.Sprint(m.Peers) != fmt.Sprint(want) {
		t.Errorf("rank %d sends to %v, want %v", m.Rank, m.Peers, want)
	}
}
