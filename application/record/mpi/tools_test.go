package mpi

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foresee/application/counters"
	"foresee/application/counters/ranks"
	"foresee/internal/claims"
)

// TestCounters runs ranks under the tools, and wants a file of each rank with what the tool was asked for in it.
func TestCounters(t *testing.T) {
	for _, test := range []struct {
		tool, program, flavour string
		holds                  map[string]string // by file
	}{
		{Callgrind, "valgrind", "openmpi", map[string]string{"callgrind.out.0": "16384 B, 32 B, 4-way", "callgrind.out.1": "main"}},
		{Callgrind, "valgrind", "mpich", map[string]string{"callgrind.out.0": "16384 B, 32 B, 4-way", "callgrind.out.1": "main"}},
		{Perf, "perf", "openmpi", map[string]string{"perf.stat.1.csv": "task-clock", "perf.script.0.txt": "ends "}},
	} {
		t.Run(test.tool+"/"+test.flavour, func(t *testing.T) {
			if _, err := exec.LookPath(test.program); err != nil {
				t.Skipf("needs %s (Debian: apt-get install valgrind linux-perf)", test.program)
			}
			if err := tryPerf(context.Background(), "perf"); test.tool == Perf && err != nil {
				t.Skip(err)
			}
			program := compile(t, test.flavour, inC("ends.c"))
			o := Options{Command: command(t, test.flavour, 2, program), Counters: test.tool, Dir: filepath.Join(t.TempDir(), "run")}
			if test.tool == Callgrind {
				o.Caches = []Cache{{"D1", 16384, 4, 32}, {"LL", 1 << 20, 16, 64}}
			}
			run, err := tryRecord(t, &o)
			if err != nil {
				t.Fatalf("%v\n%s", err, o.Stderr)
			}
			for _, m := range run.Messages {
				compare(t, m, []did{{"MPI_Barrier", 2, 5, 0}})
			}
			for file, holds := range test.holds {
				text, err := os.ReadFile(filepath.Join(o.Dir, file))
				if err != nil || !strings.Contains(string(text), holds) {
					t.Errorf("%s: %v, it lacks %q:\n%.500s", file, err, holds, text)
				}
			}
			checkProfiles(t, run, test.tool)
		})
	}
}

// checkProfiles wants the profiles of both ranks, of callgrind with instructions.
func checkProfiles(t *testing.T, run *counters.Run, tool string) {
	t.Helper()
	ranks := map[int]bool{}
	for _, p := range run.Profiles {
		ranks[p.Rank] = true
		// Starting a process and MPI takes millions, which are not counted.
		if total := p.Total("Ir"); tool == Callgrind && !(total > 100 && total < 1e6) {
			t.Errorf("rank %d: %g instructions", p.Rank, p.Total("Ir"))
		}
	}
	if len(ranks) != 2 {
		t.Errorf("profiles of %d ranks, warnings %q", len(ranks), run.Warnings)
	}
}

// TestMissingTools names the package of a tool that is not there.
func TestMissingTools(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for tool, want := range map[string]string{Callgrind: "apt-get install valgrind", Perf: "apt-get install linux-perf"} {
		_, err := underTool(context.Background(), &Options{Counters: tool}, "folder")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", tool, err, want)
		}
	}
	if err := findCommand("mpirun"); err == nil || !strings.Contains(err.Error(), "apt-get install openmpi-bin") {
		t.Error(err)
	}
}

// TestJob wants the variables named to OpenMPI's launcher alone, which is told by what it says of itself.
func TestJob(t *testing.T) {
	folder := t.TempDir()
	for name, says := range map[string]string{"mpirun": "mpirun (Open MPI) 4.1.4", "mpiexec.hydra": "HYDRA build details:", "srun": "(Open MPI)"} {
		script := "#!/bin/sh\necho '" + says + "'\n"
		if err := os.WriteFile(filepath.Join(folder, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv(preloadVariable, "mine.so")
	for _, test := range []struct {
		name  string
		under []string
		want  string
	}{
		{"mpirun", nil, "mpirun -x LD_PRELOAD -x FORESEE_MPI_OUT -n 2 a"},
		{"mpirun", []string{"valgrind", "-q"}, "mpirun -x LD_PRELOAD -x FORESEE_MPI_OUT -x FORESEE_MPI_UNDER -n 2 a"},
		{"mpiexec.hydra", []string{"valgrind", "-q"}, "mpiexec.hydra -n 2 a"},
		{"srun", nil, "srun -n 2 a"},
	} {
		j := newJob(context.Background(), []string{filepath.Join(folder, test.name), "-n", "2", "a"}, "new.so", "out", false, test.under)
		if got := strings.TrimPrefix(strings.Join(j.command, " "), folder+"/"); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
		for _, v := range []string{"LD_PRELOAD=new.so:mine.so", "FORESEE_MPI_OUT=out"} {
			if !slices.Contains(j.env, v) {
				t.Errorf("%s is not in the environment", v)
			}
		}
		if under := "FORESEE_MPI_UNDER=valgrind\n-q"; slices.Contains(j.env, under) != (test.under != nil) {
			t.Errorf("%q in the environment is %v", under, test.under == nil)
		}
	}
}

// TestName wants the parameters in the folder's name, the ranks first.
func TestName(t *testing.T) {
	for _, test := range []struct {
		dir      string
		complete bool
		want     string
	}{
		{"", true, "mpi.p4.n64.x0.5.foresee"},
		{"", false, "mpi.p4.n64.x0.5.foresee.partial"},
		{"a/b", true, "a/b"},
		{"a/b", false, "a/b.partial"},
	} {
		file := &ranks.File{Parameters: map[string]float64{"x": 0.5, "p": 4, "n": 64}, Complete: test.complete}
		if got := name(&Options{Dir: test.dir}, file); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// TestPlace wants nothing lost when the name was taken during the run.
func TestPlace(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "run")
	folder, err := unfinished(taken)
	if err := errors.Join(err, os.Mkdir(taken, 0o755)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(taken, "mine"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := place(folder, taken)
	if err != nil || got != taken+"-2" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(taken, "mine")); err != nil {
		t.Error(err)
	}
}

// TestPlaceOfAnother wants an earlier recording exchanged for the new one, unless an input of the command is in it.
func TestPlaceOfAnother(t *testing.T) {
	t.Chdir(t.TempDir())
	defer claims.Forget()
	folder, err := unfinished("run")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("run", 0o755); err != nil {
		t.Fatal(err)
	}
	for dir, text := range map[string]string{"run": "old", folder.Path: "new"} {
		if err := os.WriteFile(filepath.Join(dir, ranks.FileName), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := place(folder, "run")
	text, _ := os.ReadFile(filepath.Join("run", ranks.FileName))
	if err != nil || got != "run" || string(text) != "new" {
		t.Fatalf("%q, %v, holds that of %q", got, err, text)
	}
	if _, err := os.Stat(folder.Path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the earlier one is still there: %v", err)
	}
	if _, err := claims.ReadFile(filepath.Join("run", ranks.FileName)); err != nil {
		t.Fatal(err)
	}
	if err := checkPlace("run"); err == nil || !strings.Contains(err.Error(), "is the input") {
		t.Errorf("an input in the folder: %v", err)
	}
}

// TestTwoPrograms wants both programs' files kept, so that reading them can say what is wrong.
func TestTwoPrograms(t *testing.T) {
	program := compile(t, "openmpi", inC("ends.c"))
	launcher := strings.Join(command(t, "openmpi", 2, program), " ")
	o := Options{Command: []string{"sh", "-c", launcher + " && " + launcher}, Dir: filepath.Join(t.TempDir(), "run")}
	o.Stdout, o.Stderr = &bytes.Buffer{}, &bytes.Buffer{}
	dir, err := Record(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ranks.Read(dir); err == nil || !strings.Contains(err.Error(), "rank 0 is there twice") {
		t.Error(err)
	}
}

// TestReplaced wants an earlier recording replaced, and a folder that is none any more left alone.
func TestReplaced(t *testing.T) {
	program := compile(t, "openmpi", inC("ends.c"))
	o := Options{Command: command(t, "openmpi", 1, program), Dir: filepath.Join(t.TempDir(), "run")}
	for range 2 {
		if _, err := tryRecord(t, &o); err != nil {
			t.Fatal(err)
		}
		claims.Forget() // as if another command
	}
	old := filepath.Join(o.Dir, ranks.FileName)
	if err := os.Remove(old); err != nil {
		t.Fatal(err)
	}
	if dir, err := tryRecord(t, &o); dir != nil || err == nil || errors.Is(err, ErrNothing) {
		t.Errorf("%v, %v", dir, err)
	}
}
