// Command reliability tries what foresee must survive and writes docs/reliability.md: hostile inputs, kill -9 at many moments
// of every writer, full and read-only disks, no home, no folder for temporary files, closed outputs, fuzzing, and a long
// stream by pipe. It exits with 1 where something does not end as it should. Run it as root on Linux with `make reliability`;
// what it cannot try it names.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
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
}

// some of the writers are tried, and the section says so.
func (e effort) some(all []writer, s *section) []writer {
	if e.writers == 0 || e.writers >= len(all) {
		return all
	}
	s.part = joined(s.part, fmt.Sprintf("%d of %d writers", e.writers, len(all)))
	return all[:e.writers]
}

func joined(part, more string) string {
	if part == "" {
		return more
	}
	return part + ", " + more
}

var (
	full  = effort{kills: 100, cases: 1, fuzz: "30s", accesses: 1e10}
	quick = effort{kills: 4, writers: 3, cases: 200, accesses: 2e7}
)

func main() {
	output := flag.String("o", "", "write the document into `FILE` instead of standard output; sections of an earlier one there are kept until they are tried again")
	program := flag.String("program", "", "the foresee to try (default: built from this module)")
	brief := flag.Bool("quick", false, "a small part, in less than a minute")
	fuzz := flag.String("fuzz", full.fuzz, "`TIME` for each fuzz target, empty for none")
	kills := flag.Int("kills", full.kills, "`NUMBER` of moments at which each writer is killed")
	only := flag.String("only", "", "only these sections, by name: a `LIST` of hostile,kill,faults,fuzz,soak,measure")
	loading := flag.Bool("load", false, "load a core half of the time until killed: the second process of the section measure")
	flag.Parse()
	if *loading {
		load()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	e := full
	e.fuzz, e.kills = *fuzz, *kills
	if *brief {
		e = quick
	}
	ok, err := run(ctx, e, *program, *output, *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "reliability:", err)
	}
	if err != nil || !ok {
		stop()
		os.Exit(1)
	}
}

// trial makes a section.
type trial struct {
	name, title string
	try         func(context.Context, *bench, effort) (*section, error)
}

// trials are all, in the order of the document.
func trials() []trial {
	return []trial{
		{"hostile", "Hostile inputs", tryHostile},
		{"kill", "Killed while writing", tryKills},
		{"faults", "Faults around", tryFaults},
		{"fuzz", "Fuzzing", tryFuzz},
		{"soak", "A long stream", trySoak},
		{"measure", "Measured beside other work", tryMeasure},
	}
}

// chosen are the trials of a list of names; all where it is empty.
func chosen(all []trial, only string) ([]trial, error) {
	if only == "" {
		return all, nil
	}
	var some []trial
	names := strings.Split(only, ",")
	for _, t := range all {
		if slices.Contains(names, t.name) {
			some = append(some, t)
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(t trial) bool { return t.name == name }) {
			return nil, fmt.Errorf("-only %s: there is no section %q", only, name)
		}
	}
	return some, nil
}

// run tries all sections, or those of a list, writes the document, and says whether all is as it should be.
func run(ctx context.Context, e effort, program, output, only string) (ok bool, err error) {
	some, err := chosen(trials(), only)
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "reliability-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	b, err := newBench(ctx, dir, program)
	if err != nil {
		return false, err
	}
	return b.document(ctx, e, trials(), some, output)
}

// document makes some of all sections and writes the file after each, so that none is lost where a later one is interrupted.
func (b *bench) document(ctx context.Context, e effort, all, some []trial, output string) (ok bool, err error) {
	d := &document{}
	for _, t := range all {
		d.titles = append(d.titles, t.title)
	}
	if output != "" {
		if d.earlier, err = readEarlier(output); err != nil {
			return false, err
		}
	}
	for _, t := range some {
		fmt.Fprintln(os.Stderr, "reliability:", t.name)
		made, err := t.try(ctx, b, e)
		if err = errors.Join(err, ctx.Err()); err != nil {
			return false, fmt.Errorf("%s: %w", t.name, err)
		}
		made.title = t.title
		d.made = append(d.made, made)
		if output == "" {
			continue
		}
		if err := d.write(output); err != nil {
			return false, err
		}
	}
	for _, f := range d.failures() {
		fmt.Fprintln(os.Stderr, "reliability: failed:", f)
	}
	if output == "" {
		_, err = os.Stdout.WriteString(d.markdown())
	}
	return len(d.failures()) == 0, err
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
