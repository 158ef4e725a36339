package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"foresee/examples"
)

// writer is a command that writes a file or a folder.
type writer struct {
	name  string
	out   string   // the name of what it writes
	args  []string // of foresee; OUT and names of inputs are put in
	check []string // of foresee, which must accept the result; nil where each run writes the same bytes
	keeps string   // what it leaves on purpose beside the result where it is refused, for the next run to go on from
	needs []string // programs
}

// writers are all, by verb. Their problems are the smallest, so that a hundred moments of each take minutes: moments are shares of the time
// that a command takes, and what is written is as long as of larger ones.
func writers() []writer {
	var all []writer
	add := func(verb, option, out string, args ...string) {
		all = append(all, writer{name: verb + " " + option, out: out, args: append([]string{verb, option, "OUT"}, args...)})
	}
	for _, verb := range []string{"mrc", "profile", "simulate", "predict", "xgraph"} {
		input := []string{"--machine", "i7-5960x", "--threads", "4", "-D", "MINI", "KERNEL"}
		for _, format := range []string{"text", "json", "csv"} {
			add(verb, "-o", "out."+format, append([]string{"--format", format}, input...)...)
			all[len(all)-1].name += ", " + format
		}
		if verb == "profile" {
			add(verb, "-o", "out.sig.json", "-D", "MINI", "KERNEL")
			all[len(all)-1].name += ", signature"
		}
		if verb != "simulate" {
			add(verb, "--plot", "out.svg", input...)
			add(verb, "--plot", "out.png", input...)
			all[len(all)-2].name += ", svg"
			all[len(all)-1].name += ", png"
		}
		if verb == "predict" || verb == "xgraph" {
			add(verb, "--html", "out.html", input...)
		}
	}
	for option, out := range map[string]string{"-o": "out.txt", "--html": "out.html", "--plot": "out.svg", "--write-extrap": "out.jsonl"} {
		add("scale", option, out, "--at", "p=64,n=64", "SERIES")
	}
	for option, out := range map[string]string{"-o": "out.csv", "--plot": "out.svg"} {
		add("sweep", option, out, "--machine", "i7-5960x", "--threads", "1,4", "--format", "csv", "-D", "MINI", "KERNEL")
	}
	slices.SortStableFunc(all, func(a, b writer) int { return strings.Compare(a.name, b.name) })
	add("trace", "-o", "out.rec", "-D", "MINI", "KERNEL")
	all[len(all)-1].check, all[len(all)-1].needs = []string{"trace", "OUT"}, []string{"clang"}
	add("trace", "-o", "out.txt", "--as", "text", "--threads", "2", "-D", "MINI", "KERNEL")
	all[len(all)-1].name += ", --as text"
	all[len(all)-1].check, all[len(all)-1].needs = []string{"mrc", "--line", "64", "OUT"}, []string{"clang"}
	return append(all,
		writer{
			name: "mpi -o", out: "out.foresee", args: []string{"mpi", "-o", "OUT", "--", "mpirun.openmpi", "-n", "2", "PROGRAM"},
			check: []string{"mpi", "OUT"}, needs: []string{"mpicc.openmpi", "mpirun.openmpi"},
		},
		writer{
			name: "machine measure -o", out: "out.yaml", args: []string{"machine", "measure", "--max-size", "256KiB", "-o", "OUT"},
			check: []string{"machine", "show", "OUT"}, keeps: "out.yaml.part", needs: []string{"gcc"},
		})
}

// lacks names the first program that is not here, or "".
func (w *writer) lacks() string {
	for _, name := range w.needs {
		if _, err := exec.LookPath(name); err != nil {
			return name
		}
	}
	return ""
}

// ring is what mpi records.
const ring = `#include <mpi.h>
int main(int argc, char **argv) {
    int rank, size;
    double x[100] = {0}, y[100];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 100; i++)
        MPI_Sendrecv(x, 100, MPI_DOUBLE, (rank + 1) % size, 0, y, 100, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
`

// inputs makes what the writers read, once.
func (b *bench) inputs() error {
	dir := filepath.Join(b.dir, "inputs")
	if err := os.Mkdir(dir, 0o755); errors.Is(err, os.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	if err := examples.Extract(dir); err != nil {
		return err
	}
	var series strings.Builder
	for _, n := range []float64{16, 32, 64} {
		for p := 1.0; p <= 16; p *= 2 {
			for i, path := range []string{"solve", "exchange"} {
				fmt.Fprintf(&series, `{"params":{"p":%g,"n":%g},"callpath":"main->%s","metric":"time","value":%g}`+"\n", p, n, path, n*n/p/1e4+float64(i)*p/1e3)
			}
		}
	}
	if err := os.WriteFile(b.input("SERIES"), []byte(series.String()), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "ring.c"), []byte(ring), 0o644); err != nil {
		return err
	}
	if _, err := exec.LookPath("mpicc.openmpi"); err != nil {
		return nil
	}
	return exec.Command("mpicc.openmpi", "-o", b.input("PROGRAM"), filepath.Join(dir, "ring.c")).Run()
}

// input is the path of an input that a writer names, or the name itself.
func (b *bench) input(name string) string {
	if file := map[string]string{"KERNEL": "gemm.c", "SERIES": "series.jsonl", "PROGRAM": "ring"}[name]; file != "" {
		return filepath.Join(b.dir, "inputs", file)
	}
	return name
}

// command gives a command of foresee that runs in a folder.
func (b *bench) command(ctx context.Context, dir, out string, args []string, env ...string) *exec.Cmd {
	real := make([]string, len(args))
	for i, a := range args {
		if real[i] = b.input(a); a == "OUT" {
			real[i] = out
		}
	}
	cmd := exec.CommandContext(ctx, b.program, real...)
	cmd.Dir, cmd.Env = dir, b.env(env...)
	return cmd
}

// ended is how a command ended.
type ended struct {
	code   int
	stderr string
}

// finish runs a command to its end.
func finish(cmd *exec.Cmd) (ended, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return ended{}, err
	}
	return ended{cmd.ProcessState.ExitCode(), stderr.String()}, nil
}

// earlier is what lies where a writer is to write.
const earlier = "an earlier result\n"

// state of what a writer writes.
type state string

const (
	kept    state = "the earlier one"
	whole   state = "whole"
	gone    state = "not there"
	damaged state = "damaged"
)

// look tells the state of a result in a folder; the whole one is known where each run writes the same.
func (b *bench) look(ctx context.Context, w *writer, dir string, known []byte) (state, error) {
	path := filepath.Join(dir, w.out)
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return gone, nil
	}
	if err != nil {
		return damaged, err
	}
	if !info.IsDir() {
		data, err := os.ReadFile(path)
		switch {
		case err != nil:
			return damaged, err
		case string(data) == earlier:
			return kept, nil
		case w.check == nil && bytes.Equal(data, known):
			return whole, nil
		case w.check == nil:
			return damaged, nil
		}
	}
	e, err := finish(b.command(ctx, dir, w.out, w.check))
	if err != nil || e.code != 0 {
		return damaged, err
	}
	return whole, nil
}

// foreign begins what OpenMPI leaves of its own when its launcher is killed.
const foreign = "ompi."

// leftovers are what lies in a folder beside the result, and in that for temporary files. The private folder of compiled
// objects, which stays for later runs where there is no home, is none.
func (b *bench) leftovers(w *writer, dir string) ([]string, error) {
	var left []string
	for _, folder := range []string{dir, b.temp} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			switch name := e.Name(); {
			case folder == dir && name == w.out, folder == b.temp && strings.HasPrefix(name, foreign), b.isCache(folder, e):
			default:
				left = append(left, name)
			}
		}
	}
	return left, nil
}

// isCache says that an entry is the folder that foresee keeps for this user, which nobody else can look into.
func (b *bench) isCache(folder string, e os.DirEntry) bool {
	info, err := e.Info()
	return err == nil && folder == b.temp && e.Name() == fmt.Sprintf("foresee-%d", os.Geteuid()) && info.Mode() == os.ModeDir|0o700
}
