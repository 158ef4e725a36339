package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"foresee/application/counters/ranks"
	"foresee/application/record/mpi"
	"foresee/cmd/foresee/cli"
	"foresee/internal/claims"
	"foresee/machine"
	"foresee/predict"
	"foresee/report"
	"foresee/report/text"
)

// mpiFlags are the flags of mpi.
type mpiFlags struct {
	output, counters, machine, format string
	params, caches                    []string
	events                            bool
}

func mpiCommand(s *cli.Streams) *cobra.Command {
	m := &mpiFlags{}
	cmd := &cobra.Command{
		Use:   "mpi [flags] -- mpirun -n 4 PROGRAM [ARGUMENTS]|FOLDER",
		Short: "runs an MPI program with message recording",
		Long: "mpi runs an MPI program as it is and records, for every rank: calls, bytes and seconds by function, size of the\n" +
			"communicator and size of the message; to whom it sends; and the time that it computes. It keeps that in a folder,\n" +
			"mpi.p4.foresee for 4 ranks, and shows a table. The command stands behind --; a folder alone is shown again.\n\n" +
			"The program must be linked with a shared library of OpenMPI, MPICH, or what is made from MPICH. Its output is its own.\n" +
			"The table goes to standard error; with --format json or csv it goes to standard output, and what the program prints to\n" +
			"standard error.",
		Example: "  foresee mpi -- mpirun -n 2 ./halo\n" +
			"  foresee mpi -o halo.foresee --param n=64 -- mpirun -n 2 ./halo 64\n" +
			"  foresee mpi --format csv halo.foresee\n" +
			"  foresee mpi --events -o halo.events.foresee -- mpirun -n 2 ./halo\n" +
			"  foresee mpi --counters callgrind --cache D1=32KiB,8,64 -- mpirun -n 2 ./halo",
		RunE: func(cmd *cobra.Command, args []string) error {
			operands, command := cli.SplitArguments(args, cmd.ArgsLenAtDash())
			return m.runVerb(cmd.Context(), s, operands, command)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&m.output, "output", "o", "", "keep the recording in the folder `DIR`; an earlier recording there is replaced (default: named after the parameters)")
	f.StringArrayVar(&m.params, "param", nil, "a parameter of this run, `NAME=VALUE`, repeatable; the number of ranks is p")
	f.BoolVar(&m.events, "events", false, "record the order of calls too, with the time between them, for foresee replay")
	f.StringVar(&m.counters, "counters", "", "run each rank under `TOOL`: callgrind (instructions and cache misses) or perf (the processor's counters)")
	f.StringArrayVar(&m.caches, "cache", nil, "of --counters callgrind: simulate `CACHE=SIZE,WAYS,LINE`, as D1=32KiB,8,64; D1, I1 or LL; repeatable")
	f.StringVar(&m.machine, "machine", "", "of --counters callgrind: simulate the first and last cache of this machine, by `NAME` or .yaml file")
	f.StringVar(&m.format, "format", "text", "of the table: text, json or csv")
	return cmd
}

func (m *mpiFlags) runVerb(ctx context.Context, s *cli.Streams, operands, command []string) error {
	if err := cli.CheckFormat(m.format); err != nil {
		return err
	}
	switch {
	case len(operands) == 1 && len(command) == 0:
		return m.show(s, operands[0], s.Out)
	case len(operands) > 0:
		return cli.Usagef("%s stands before --; write foresee mpi [flags] -- mpirun -n 4 ./program", operands[0])
	case len(command) == 0:
		return cli.Usagef("mpi takes a command after --, or the folder of a recording; foresee mpi --help shows examples")
	}
	return m.record(ctx, s, command)
}

func (m *mpiFlags) record(ctx context.Context, s *cli.Streams, command []string) error {
	o := mpi.Options{
		Command: command, Dir: m.output, Events: m.events, Counters: m.counters, Version: predict.Version,
		Stdin: s.In, Stdout: s.Programs.Out, Stderr: s.Programs.Err,
	}
	if m.format != "text" {
		o.Stdout = s.Programs.Err
	}
	var err error
	if o.Params, err = parseParams(m.params); err != nil {
		return err
	}
	if o.Caches, err = m.simulated(); err != nil {
		return err
	}
	if m.counters != "" {
		if err := cli.OneOf("--counters", m.counters, mpi.Callgrind, mpi.Perf); err != nil {
			return err
		}
	}
	for _, word := range command { // programs, and what they read
		if info, err := os.Stat(word); err == nil {
			_ = claims.Input(word, info)
		}
	}
	dir, failed := mpi.Record(ctx, o)
	if dir == "" {
		return failed
	}
	err = m.show(s, dir, s.Err)
	fmt.Fprintf(s.Err, "foresee: kept in %s\n", dir)
	return errors.Join(err, failed)
}

// show prints what a folder holds, a table for people to out.
func (m *mpiFlags) show(s *cli.Streams, dir string, out io.Writer) error {
	if err := m.checkFolder(dir); err != nil {
		return err
	}
	run, err := ranks.Read(dir)
	if err != nil {
		return err
	}
	result := report.Messages(dir, run)
	s.Warnings(result.Warnings)
	switch m.format {
	case "json":
		return report.JSON(s.Out, result)
	case "csv":
		return text.MessagesCSV(s.Out, result)
	}
	return text.Messages(out, result, text.Options{More: "--format csv or json shows all"})
}

func (m *mpiFlags) checkFolder(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("%s: %w; to run a command, put it behind --: foresee mpi -- mpirun -n 4 ./program", dir, cli.Cause(err))
	}
	if !info.IsDir() {
		return cli.Usagef("%s is no folder of a recording; to run a command, put it behind --: foresee mpi -- mpirun -n 4 ./program", dir)
	}
	return nil
}

var paramName = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// parseParams reads n=64.
func parseParams(list []string) (map[string]float64, error) {
	all := map[string]float64{}
	for _, one := range list {
		name, text, ok := strings.Cut(one, "=")
		value, err := strconv.ParseFloat(text, 64)
		switch {
		case !ok || !paramName.MatchString(name) || err != nil || math.IsInf(value, 0) || math.IsNaN(value):
			return nil, cli.Usagef("--param %q: give NAME=NUMBER, as n=64", one)
		case name == "p":
			return nil, cli.Usagef("--param %s: p is the number of ranks, which is found out", one)
		}
		if _, there := all[name]; there {
			return nil, cli.Usagef("--param %s is given twice", name)
		}
		all[name] = value
	}
	return all, nil
}

// simulated are the caches for callgrind: those of a machine, and in their place those that are given one by one.
func (m *mpiFlags) simulated() ([]mpi.Cache, error) {
	if m.counters != mpi.Callgrind && (len(m.caches) > 0 || m.machine != "") {
		return nil, cli.Usagef("--cache and --machine are what --counters callgrind simulates; give that as well")
	}
	var all []mpi.Cache
	for _, text := range m.caches {
		c, err := parseCache(text)
		if err != nil {
			return nil, err
		}
		if hasCache(all, c.Name) {
			return nil, cli.Usagef("--cache %s is given twice", c.Name)
		}
		all = append(all, c)
	}
	if m.machine == "" {
		return all, nil
	}
	described, err := machine.Load(m.machine)
	if err != nil {
		return nil, err
	}
	return addCaches(all, described)
}

func hasCache(all []mpi.Cache, name string) bool {
	return slices.ContainsFunc(all, func(c mpi.Cache) bool { return c.Name == name })
}

// addCaches adds the two caches that callgrind knows: its LL is the last one, whole, though other ranks use it too.
func addCaches(all []mpi.Cache, m *machine.Machine) ([]mpi.Cache, error) {
	if len(m.Levels) == 0 {
		return nil, fmt.Errorf("%s has no caches; give them with --cache", m.Name)
	}
	for _, one := range []struct {
		name  string
		level machine.Level
	}{{"D1", m.Levels[0]}, {"LL", m.Levels[len(m.Levels)-1]}} {
		if hasCache(all, one.name) {
			continue
		}
		size, hasSize := one.level.Size.Get()
		ways, hasWays := one.level.Ways.Get()
		if !hasSize || !hasWays {
			return nil, fmt.Errorf("%s does not say the size and ways of its %s; give it with --cache %s=SIZE,WAYS,LINE", m.Name, one.level.Name, one.name)
		}
		line := one.level.LineBytes.Or(m.LineBytes.Or(64))
		c := mpi.Cache{Name: one.name, Bytes: int64(size), Ways: int64(ways), Line: int64(line)}
		if err := checkCache(c); err != nil {
			return nil, fmt.Errorf("%s of %s: %w", one.level.Name, m.Name, err)
		}
		all = append(all, c)
	}
	return all, nil
}

func parseCache(text string) (mpi.Cache, error) {
	name, geometry, _ := strings.Cut(text, "=")
	fields := strings.Split(geometry, ",")
	if len(fields) != 3 {
		return mpi.Cache{}, cli.Usagef("--cache %q: give CACHE=SIZE,WAYS,LINE, as D1=32KiB,8,64", text)
	}
	if err := cli.OneOf("--cache", name, "D1", "I1", "LL"); err != nil {
		return mpi.Cache{}, err
	}
	size, err := machine.ParseSize(fields[0])
	ways, errWays := strconv.ParseInt(fields[1], 10, 32)
	line, errLine := machine.ParseSize(fields[2])
	if err := cmp.Or(err, errWays, errLine); err != nil {
		return mpi.Cache{}, cli.Usagef("--cache %q: %w", text, err)
	}
	c := mpi.Cache{Name: name, Bytes: size, Ways: ways, Line: line}
	if err := checkCache(c); err != nil {
		return mpi.Cache{}, cli.Usagef("--cache %q: %w", text, err)
	}
	return c, nil
}

// checkCache refuses what valgrind cannot simulate.
func checkCache(c mpi.Cache) error {
	isPower := func(n int64) bool { return n > 0 && n&(n-1) == 0 }
	switch {
	case c.Ways < 1 || c.Line < 16 || !isPower(c.Line) || c.Bytes <= 0 || c.Bytes%(c.Ways*c.Line) != 0:
		return errors.New("callgrind simulates caches whose line is a power of two from 16 bytes, and whose size is a multiple of ways × line")
	case !isPower(c.Bytes / c.Ways / c.Line):
		return fmt.Errorf("it has %d sets, and callgrind simulates a power of two only; choose a size near it with --cache %s=SIZE,WAYS,LINE", c.Bytes/c.Ways/c.Line, c.Name)
	}
	return nil
}
