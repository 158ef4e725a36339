package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"foresee/application/record/recording"
	"foresee/machine"
	"foresee/predict"
	"foresee/report"
)

// simulate are the flags of simulate.
type simulate struct {
	common
	traceFlags
	recordFlags
	levels         []string
	causes, arrays bool
}

func simulateCommand(s *streams) *cobra.Command {
	m := &simulate{}
	cmd := &cobra.Command{
		Use:   "simulate [flags] FILE.c|TRACE|NAME.sig.json|PROGRAM|RECORDING [-- ARGUMENTS]",
		Short: "exact cache simulation",
		Long: "simulate runs every access of a C source or a trace through the caches of a machine: private and shared levels, as\n" +
			"the machine file describes them. It counts accesses, misses, evictions and write-backs. An access that straddles lines\n" +
			"is one access to each. Lines that are dirty at the end are not written to memory. Accesses of a level are those of the\n" +
			"program, not of prefetchers, whose reads memory counts. Regions of a trace find the caches as the one before left them;\n" +
			"functions of a source begin with empty ones.\n\n" +
			"--level changes a level: " + "replacement=lru|fifo|plru|random, inclusion=non-inclusive|inclusive|exclusive,\n" +
			"write=back|through, allocate=yes|no, victim=LINES, prefetch=none|next-line|stride, degree=LINES, size=BYTES, ways=N,\n" +
			"shared_by=CORES.",
		Example: "  foresee simulate --machine i7-5960x --threads 4 gemm.c\n" +
			"  foresee simulate --machine i7-5960x --causes --arrays -D MINI gemm.c\n" +
			"  foresee simulate --machine i7-5960x --level L1:replacement=plru,prefetch=stride --level L3:inclusion=inclusive gemm.trace",
		Args: inputWithArguments("C file, trace, program or recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			operands, rest := splitArguments(args, cmd.ArgsLenAtDash())
			return runSimulate(cmd.Context(), s, m, operands[0], rest)
		},
	}
	m.add(cmd)
	return cmd
}

func (m *simulate) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&m.machines, "machine", nil, "machine by `NAME` or .yaml file (default host: this machine)")
	m.host.add(f)
	f.StringVar(&m.common.threads, "threads", "", "`NUMBER` of threads, thread i on core i (default: 1, or those of the trace)")
	f.StringArrayVarP(&m.defines, "define", "D", nil, "define `NAME=VALUE`: a macro, a parameter or a global variable, repeatable")
	f.StringArrayVarP(&m.includes, "include", "I", nil, "look for headers in `DIR`, repeatable")
	f.StringArrayVar(&m.common.regions, "region", nil, "only the region of this `NAME`, repeatable")
	m.addBy(f)
	f.StringArrayVar(&m.levels, "level", nil, "change a level: `LEVEL:KEY=VALUE,…`, repeatable")
	f.BoolVar(&m.causes, "causes", false, "tell misses apart: compulsory, capacity, conflict, coherence")
	f.BoolVar(&m.arrays, "arrays", false, "count for each array")
	f.StringVar(&m.format, "format", "text", "text, json or csv")
	f.StringVarP(&m.output, "output", "o", "", "write the result to `FILE` instead of standard output")
	f.Uint64Var(&m.seed, "seed", 1, "`NUMBER` that starts random replacement")
	f.BoolVarP(&m.verbose, "verbose", "v", false, "what was skipped of a C source")
	f.StringVar(&m.interleave, "interleave", "", "of a recorded run: how threads' accesses mix: uniform (at random) or round-robin (default)")
	m.traceFlags.add(f)
	m.recordFlags.add(f)
	m.addDealing(f)
}

// options reads the --level flags.
func (m *simulate) levelOptions() ([]predict.LevelOption, error) {
	var all []predict.LevelOption
	for _, l := range m.levels {
		level, rest, ok := strings.Cut(l, ":")
		if !ok || level == "" || rest == "" {
			return nil, usagef("--level %q: write LEVEL:KEY=VALUE,… such as L1:replacement=plru", l)
		}
		for setting := range strings.SplitSeq(rest, ",") {
			key, value, ok := strings.Cut(setting, "=")
			if !ok || key == "" || value == "" {
				return nil, usagef("--level %q: %q is no KEY=VALUE", l, setting)
			}
			all = append(all, predict.LevelOption{Level: level, Key: key, Value: value})
		}
	}
	return all, nil
}

// request checks the flags, and reads the machine and the number of threads, 0 if it is not given.
func (m *simulate) request() (r predict.SimulationRequest, err error) {
	if err = m.common.check(); err != nil {
		return r, err
	}
	if err = m.traceFlags.check(); err != nil {
		return r, err
	}
	if r.Levels, err = m.levelOptions(); err != nil {
		return r, err
	}
	if m.common.threads != "" {
		threads, err := parseThreads(m.common.threads)
		if err != nil {
			return r, err
		}
		if len(threads) != 1 {
			return r, usagef("--threads %q: simulate takes one number of threads", m.common.threads)
		}
		r.Threads = threads[0]
	}
	machines, err := m.loadMachines()
	if err != nil {
		return r, err
	}
	if len(machines) != 1 {
		return r, usagef("simulate takes one --machine, not %d", len(machines))
	}
	r.Machine = machines[0]
	if _, _, err := predict.Hierarchy(r.Machine, max(r.Threads, 1), r.Levels); err != nil && len(r.Levels) > 0 {
		return r, usagef("--level: %w", err)
	}
	r.Classify, r.Arrays = m.causes, m.arrays
	return r, nil
}

func runSimulate(ctx context.Context, s *streams, m *simulate, input string, args []string) error {
	if err := isThere(input); err != nil {
		return err
	}
	r, err := m.request()
	if err != nil {
		return err
	}
	if m.isRun(input) {
		return m.simulateRun(ctx, s, r, input, args)
	}
	if err := m.onlyRuns(args); err != nil {
		return err
	}
	t, err := m.read(ctx, s, &r, input)
	if err != nil {
		return err
	}
	if t != nil {
		defer t.close()
	}
	out, err := m.open()
	if err != nil {
		return err
	}
	defer out.discard()
	progress := newBar(s.err)
	r.Options = m.options(progress.update)
	if t != nil {
		t.read.report = progress.update
	}
	result, failed := predict.Simulate(ctx, r)
	progress.clear()
	if t != nil {
		failed = t.finish(s, failed)
	}
	return m.show(s, out, result, failed, t.damage(), t != nil)
}

// simulateRun simulates a recorded run.
func (m *simulate) simulateRun(ctx context.Context, s *streams, r predict.SimulationRequest, input string, args []string) error {
	if err := oneOf("--method", m.dealing, dealCut, dealMimic); err != nil {
		return err
	}
	threads, err := m.threadsOfRun(&m.common, []int{1})
	if err != nil {
		return err
	}
	r.Threads, r.Input = threads[0], input
	if err := tooManyThreads(r.Machine, r.Threads); err != nil {
		return err
	}
	out, err := m.common.open()
	if err != nil {
		return err
	}
	defer out.discard()
	in, err := m.recordFlags.begin(ctx, s, &m.common, input, args, threads, s.programs.err)
	if err != nil {
		return err
	}
	defer in.close()
	in.partial = m.partial
	if threads, err = in.threadsThatRan(&m.common, threads); err != nil {
		return err
	}
	r.Threads = threads[0]
	recorded := in.recording(s, &m.recordFlags, &m.common, m.dealing)
	recorded.Options.Threads = r.Threads
	team, err := recording.NewTeam(in.source, recorded.Options)
	if err != nil {
		return err
	}
	defer team.Close()
	r.Trace, r.Options = team, m.options(nil)
	result, failed := predict.Simulate(ctx, r)
	failed = in.finish(s, failed)
	if failed == nil && len(result.Regions) == 0 {
		return errNoRegions(input, &job{run: in})
	}
	if result != nil {
		result.Warnings = append(append(result.Warnings, in.decisive()...), predict.Notes(team, r.Threads)...)
	}
	return m.show(s, out, result, failed, in.missing, true)
}

// show prints a simulation; failed is how it ended, damage what of the input was not taken.
func (m *simulate) show(s *streams, out *outputs, result *predict.SimulationResult, failed error, damage string, traced bool) error {
	if failed != nil && (result == nil || !s.keeps(failed, simulatedAccesses(result), &result.Warnings)) {
		return failed
	}
	var err error
	if traced {
		if result.Regions, err = ofRegions(m.regions, result.Regions, func(r predict.SimulationRegion) string { return r.Region }); err != nil {
			return err
		}
	}
	s.settle(out, failed, damage, &result.Partial, &result.Warnings)
	s.warnings(result.Warnings)
	err = out.writeResult(s.out, func(w io.Writer) error {
		switch m.format {
		case "json":
			return report.JSON(w, result)
		case "csv":
			return report.SimulationCSV(w, result)
		}
		return report.SimulationText(w, result)
	})
	if err != nil {
		return err
	}
	return failed
}

// read takes the input into the request; it gives the trace if it is one.
func (m *simulate) read(ctx context.Context, s *streams, r *predict.SimulationRequest, input string) (*traceInput, error) {
	t, err := s.openTrace(ctx, input, &m.traceFlags)
	if err != nil {
		return nil, err
	}
	if t == nil {
		name, unit, err := m.load(s, input)
		if err != nil {
			return nil, err
		}
		r.Input, r.Programs, r.Warnings = name, unit.Programs, unit.Warnings
		r.Threads = max(r.Threads, 1)
		return nil, tooManyThreads(r.Machine, r.Threads)
	}
	r.Input = t.name
	if err := m.onlySources(); err != nil {
		t.close()
		return nil, err
	}
	if r.Threads == 0 && t.regular {
		if r.Threads, err = t.threads(ctx); err != nil {
			t.close()
			return nil, err
		}
		t.close()
		if t, err = s.openTrace(ctx, input, &m.traceFlags); err != nil {
			return nil, err
		}
	}
	r.Threads = max(r.Threads, 1)
	r.Trace = t
	if err := tooManyThreads(r.Machine, r.Threads); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// tooManyThreads refuses more threads than the machine has cores: they would have no caches.
func tooManyThreads(m *machine.Machine, threads int) error {
	if cores := m.TotalCores(); cores > 0 && threads > cores {
		return fmt.Errorf("%d threads (the highest number of one, and 0), but %s has %d cores, and thread i is simulated on core i; name a machine with more, or renumber the threads", threads, m.Name, cores)
	}
	return nil
}

func simulatedAccesses(r *predict.SimulationResult) (n int64) {
	for _, region := range r.Regions {
		n += region.Accesses
	}
	return n
}
