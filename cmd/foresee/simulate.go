package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"foresee/cmd/foresee/cli"
	"foresee/machine"
	"foresee/predict"
	"foresee/predict/hierarchy"
	"foresee/report"
	"foresee/report/text"
)

// simulate are the flags of simulate.
type simulate struct {
	cli.Common
	levels         []string
	causes, arrays bool
}

func simulateCommand(s *cli.Streams) *cobra.Command {
	m := &simulate{}
	cmd := &cobra.Command{
		Use:   "simulate [flags] FILE.c|NAME.sig.json|PROGRAM|RECORDING|TRACE [-- ARGUMENTS]",
		Short: "exact cache simulation",
		Long: "simulate runs every access of a C source or a trace through the caches of a machine: private and shared levels, as\n" +
			"the machine file describes them. It counts accesses, misses, evictions and write-backs. An access that straddles lines\n" +
			"is one access to each. Lines that are dirty at the end are not written to memory. Accesses of a level are those of the\n" +
			"program, not of prefetchers, whose reads memory counts. Regions of a trace find the caches as the one before left them;\n" +
			"functions of a source begin with empty ones. Addresses are taken in order, as in huge pages; predict puts pages of 4 KiB\n" +
			"anywhere, as a system does, so that its hit rates of outer caches differ (--page-size 0 there keeps data in order).\n\n" +
			"--level changes a level: " + "replacement=lru|fifo|plru|random, inclusion=non-inclusive|inclusive|exclusive,\n" +
			"write=back|through, allocate=yes|no, victim=LINES, prefetch=none|next-line|stride, degree=LINES, size=BYTES, ways=N,\n" +
			"shared_by=CORES.",
		Example: "  foresee simulate --machine i7-5960x --threads 4 gemm.c\n" +
			"  foresee simulate --machine i7-5960x --causes --arrays -D MINI gemm.c\n" +
			"  foresee simulate --machine i7-5960x --level L1:replacement=plru,prefetch=stride --level L3:inclusion=inclusive gemm.trace",
		Args: cli.FilesWithArguments("C file, trace, program or recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			operands, rest := cli.SplitArguments(args, cmd.ArgsLenAtDash())
			input, err := m.First(operands)
			if err != nil {
				return err
			}
			return runSimulate(cmd, s, m, input, rest)
		},
	}
	m.add(cmd)
	return cmd
}

func (m *simulate) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&m.Machines, "machine", nil, "machine by `NAME` or .yaml file (default host: this machine)")
	m.Host.Add(f)
	f.StringVar(&m.Common.Threads, "threads", "", "`NUMBER` of threads, thread i on core i (default: 1, or those of the trace)")
	m.Reading.Add(f)
	f.StringArrayVar(&m.Common.Regions, "region", nil, "only the region of this `NAME`, repeatable")
	f.StringArrayVar(&m.levels, "level", nil, "change a level: `LEVEL:KEY=VALUE,…`, repeatable")
	f.BoolVar(&m.causes, "causes", false, "tell misses apart: compulsory, capacity, conflict, coherence")
	f.BoolVar(&m.arrays, "arrays", false, "count for each array")
	f.StringVar(&m.Format, "format", "", cli.FormatUsage)
	f.StringVarP(&m.Output, "output", "o", "", "write the result to `FILE` instead of standard output")
	f.Uint64Var(&m.Seed, "seed", 1, "`NUMBER` that starts random replacement")
	f.BoolVarP(&m.Verbose, "verbose", "v", false, "what was skipped of a C source")
	f.StringVar(&m.Interleave, "interleave", "", "of a recorded run: how threads' accesses mix: uniform (at random) or round-robin (default)")
}

// options reads the --level flags.
func (m *simulate) levelOptions() ([]hierarchy.Option, error) {
	var all []hierarchy.Option
	for _, l := range m.levels {
		level, rest, ok := strings.Cut(l, ":")
		if !ok || level == "" || rest == "" {
			return nil, cli.Usagef("--level %q: write LEVEL:KEY=VALUE,… such as L1:replacement=plru", l)
		}
		for setting := range strings.SplitSeq(rest, ",") {
			key, value, ok := strings.Cut(setting, "=")
			if !ok || key == "" || value == "" {
				return nil, cli.Usagef("--level %q: %q is no KEY=VALUE", l, setting)
			}
			all = append(all, hierarchy.Option{Level: level, Key: key, Value: value})
		}
	}
	return all, nil
}

// check checks the flags, before the input is looked into.
func (m *simulate) check() ([]hierarchy.Option, error) {
	levels, err := m.levelOptions()
	if err != nil {
		return nil, err
	}
	if m.Common.Threads != "" {
		threads, err := cli.ParseThreads(m.Common.Threads)
		if err != nil {
			return nil, err
		}
		if len(threads) != 1 {
			return nil, cli.Usagef("--threads %q: simulate takes one number of threads", m.Common.Threads)
		}
	}
	if len(m.Machines) > 1 {
		return nil, cli.Usagef("simulate takes one --machine, not %d", len(m.Machines))
	}
	return levels, nil
}

func runSimulate(cmd *cobra.Command, s *cli.Streams, m *simulate, input string, args []string) error {
	levels, err := m.check()
	if err != nil {
		return err
	}
	m.Accept = func(on *machine.Machine, threads int) error {
		if _, _, err := hierarchy.Of(on, threads, levels); err != nil && len(levels) > 0 {
			return cli.Usagef("--level: %w", err)
		}
		return tooManyThreads(on, threads)
	}
	j, err := beginTold(cmd, s, &m.Common, input, args, cli.OneThread)
	if err != nil {
		return err
	}
	defer j.Discard()
	r := predict.SimulationRequest{
		Signature: j.Signature, Machine: j.Machines[0], Threads: j.Threads[0], Levels: levels, Classify: m.causes, Arrays: m.arrays,
		Options: m.Analysis(j.Progress.Update),
	}
	if err := tooManyThreads(r.Machine, r.Threads); err != nil { // of a trace they are known only now
		return err
	}
	result, failed := predict.Simulate(cmd.Context(), r)
	failed = j.End(s, failed)
	if j.Execution != nil && (result == nil || len(result.Regions) == 0) {
		return cli.Nothing(j.Execution, failed)
	}
	if failed != nil && (result == nil || !s.Keeps(failed, simulatedAccesses(result), &result.Warnings)) {
		return failed
	}
	if result.Regions, err = cli.KeepRegions(&m.Common, j, result.Regions, func(r predict.SimulationRegion) string { return r.Region }); err != nil {
		return err
	}
	s.Settle(j.Out, failed, j.Missing, &result.Partial, &result.Warnings)
	s.Warnings(result.Warnings)
	err = j.Result(s, m.Format,
		func(w io.Writer) error { return report.JSON(w, result) },
		func(w io.Writer) error { return text.SimulationCSV(w, result) },
		func(w io.Writer) error { return text.Simulation(w, result) })
	return cmp.Or(err, failed)
}

// tooManyThreads refuses more threads than the machine has cores: they would have no caches.
func tooManyThreads(m *machine.Machine, threads int) error {
	if cores := m.TotalCores(); cores > 0 && threads > cores {
		return fmt.Errorf("%d threads, numbered from 0 to %d, but %s has %s, and thread i is simulated on core i; name a machine with more, or renumber the threads", threads, threads-1, m.Name, report.Plural(cores, "core"))
	}
	return nil
}

func simulatedAccesses(r *predict.SimulationResult) cli.Seen {
	read := cli.Seen{}
	for _, region := range r.Regions {
		read.Add("", region.Accesses)
	}
	return read
}
