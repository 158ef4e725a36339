// Command reliability tries what foresee must survive and writes docs/reliability.md: hostile inputs, kill -9 at many moments
// of every writer, full and read-only disks, no home, no folder for temporary files, closed outputs, fuzzing, and a long
// stream by pipe. It exits with 1 where something does not end as it should. Run it as root on Linux with `make reliability`;
// what it cannot try it names.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

// effort is how much is tried.
type effort struct {
	kills    int    // moments at which each writer is killed
	writers  int    // at most; 0: all
	cases    int    // every so many-th hostile input
	fuzz     string // time for each target; "": none
	accesses uint64 // of the long stream
	brief    bool
}

var (
	full  = effort{kills: 100, cases: 1, fuzz: "30s", accesses: 1e10}
	quick = effort{kills: 4, writers: 3, cases: 200, accesses: 2e7}
)

func main() {
	output := flag.String("o", "", "write the document into `FILE` instead of standard output")
	program := flag.String("program", "", "the foresee to try (default: built from this module)")
	brief := flag.Bool("quick", false, "a small part, in less than a minute")
	fuzz := flag.String("fuzz", full.fuzz, "`TIME` for each fuzz target, empty for none")
	kills := flag.Int("kills", full.kills, "`NUMBER` of moments at which each writer is killed")
	only := flag.String("only", "", "only these sections, by name: a `LIST` of hostile,kill,faults,fuzz,soak")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	e := full
	e.fuzz, e.kills = *fuzz, *kills
	if *brief {
		e = quick
	}
	e.brief = *brief
	ok, err := run(ctx, e, *program, *output, *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "reliability:", err)
	}
	if err != nil || !ok {
		stop()
		os.Exit(1)
	}
}

// run tries all sections, or those of a list, writes the document, and says whether all is as it should be.
func run(ctx context.Context, e effort, program, output, only string) (ok bool, err error) {
	dir, err := os.MkdirTemp("", "reliability-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	b, err := newBench(ctx, dir, program)
	if err != nil {
		return false, err
	}
	sections := []struct {
		name string
		try  func(context.Context, *bench, effort) (*section, error)
	}{{"hostile", tryHostile}, {"kill", tryKills}, {"faults", tryFaults}, {"fuzz", tryFuzz}, {"soak", trySoak}}
	d := &document{brief: e.brief}
	for _, s := range sections {
		if only != "" && !strings.Contains(","+only+",", ","+s.name+",") {
			continue
		}
		fmt.Fprintln(os.Stderr, "reliability:", s.name)
		made, err := s.try(ctx, b, e)
		if err != nil {
			return false, fmt.Errorf("%s: %w", s.name, err)
		}
		d.sections = append(d.sections, made)
	}
	for _, f := range d.failures() {
		fmt.Fprintln(os.Stderr, "reliability: failed:", f)
	}
	if output == "" {
		_, err = os.Stdout.WriteString(d.markdown())
		return len(d.failures()) == 0, err
	}
	return len(d.failures()) == 0, os.WriteFile(output, []byte(d.markdown()), 0o644)
}

// bench is where foresee is tried: the program, and folders of its own for homes and temporary files.
type bench struct {
	dir, program, home, temp string
}

func newBench(ctx context.Context, dir, program string) (*bench, error) {
	b := &bench{dir: dir, program: program, home: filepath.Join(dir, "home"), temp: filepath.Join(dir, "temp")}
	for _, d := range []string{b.home, b.temp} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return nil, err
		}
	}
	if program != "" {
		path, err := filepath.Abs(program)
		b.program = path
		return b, err
	}
	b.program = filepath.Join(dir, "foresee")
	build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", b.program, "foresee/cmd/foresee")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	return b, build.Run()
}

// env is the environment of a command, with a home and temporary files of its own, and changes NAME=VALUE; NAME alone is removed.
func (b *bench) env(changes ...string) []string {
	set := append([]string{"HOME=" + b.home, "TMPDIR=" + b.temp, "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"}, changes...)
	set = append(set, "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_mpi_yield_when_idle=1")
	values := map[string]string{}
	for _, s := range append(os.Environ(), set...) {
		name, value, given := strings.Cut(s, "=")
		if delete(values, name); given {
			values[name] = value
		}
	}
	var out []string
	for name, value := range values {
		out = append(out, name+"="+value)
	}
	return out
}
