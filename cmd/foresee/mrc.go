package main

import (
	"cmp"
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"foresee/application/csource"
	"foresee/predict"
	"foresee/report"
)

// locality are the flags that mrc and profile share.
type locality struct {
	common
	traceFlags
	recordFlags
	scope, method string
	line          int64
	rate          float64
	maxLines      int
}

func (l *locality) add(cmd *cobra.Command, methods string) {
	l.common.add(cmd.Flags())
	l.needsNone = true
	l.addThreads(cmd.Flags())
	l.traceFlags.add(cmd.Flags())
	l.recordFlags.add(cmd.Flags())
	cmd.Flags().StringVar(&l.scope, "scope", "shared", "private: of each thread's own stream; shared: of all threads; both")
	cmd.Flags().StringVar(&l.method, "method", "", methods)
	cmd.Flags().Int64Var(&l.line, "line", 0, "`BYTES` of a cache line (0: the machine's, or 64)")
	cmd.Flags().Float64Var(&l.rate, "rate", 0, "of --method shards: `SHARE` of the lines that are followed at least (default 0.01)")
	cmd.Flags().IntVar(&l.maxLines, "max-lines", 0, "of --method shards: `NUMBER` of lines that are followed at most, instead of --rate")
}

func (l *locality) check(methods ...string) error {
	if err := oneOf("--scope", l.scope, "private", "shared", "both"); err != nil {
		return err
	}
	if l.method != "" {
		if err := oneOf("--method", l.method, methods...); err != nil {
			return err
		}
	}
	switch {
	case !(l.rate >= 0 && l.rate <= 1):
		return usagef("--rate %v: give a share of the lines, above 0 and at most 1", l.rate)
	case l.method != "shards" && (l.rate != 0 || l.maxLines != 0):
		return usagef("--rate and --max-lines are of --method shards, which follows a sample of the lines; add --method shards, or leave them out")
	case l.rate != 0 && l.maxLines != 0:
		return usagef("give --rate or --max-lines, not both")
	}
	if l.maxLines != 0 && l.maxLines < 64 {
		return usagef("--max-lines %d: fewer than 64 lines tell nothing", l.maxLines)
	}
	if err := l.traceFlags.check(); err != nil {
		return err
	}
	return checkLine(l.line)
}

// sampling are the common options with those of --method shards.
func (l *locality) sampling(progress func(done, total int)) predict.Options {
	o := l.options(progress)
	o.Rate, o.MaxLines = l.rate, l.maxLines
	if o.Rate == 0 && o.MaxLines == 0 {
		o.Rate = 0.01
	}
	return o
}

// prepareLocality is prepare with one thread.
func (l *locality) prepareLocality(ctx context.Context, s *streams, input string, args []string) (*job, error) {
	if l.isRun(input) {
		return l.prepareLocalityRun(ctx, s, input, args)
	}
	if err := l.onlyRuns(args); err != nil {
		return nil, err
	}
	t, err := s.openTrace(ctx, input, &l.traceFlags)
	if err != nil {
		return nil, err
	}
	if t != nil {
		return l.prepareTrace(t)
	}
	if l.threads == "" {
		l.threads = "1"
	}
	return l.prepare(s, input)
}

// prepareLocalityRun takes a recorded run, by default as one thread and for no machine.
func (l *locality) prepareLocalityRun(ctx context.Context, s *streams, input string, args []string) (*job, error) {
	switch {
	case l.method != "" && l.method != predict.MethodExact && l.method != predict.MethodShards && l.method != dealMimic:
		return nil, usagef("--method %s is for C sources; a recorded run is analysed by exact, shards or mimic", l.method)
	case strings.HasSuffix(l.output, signatureSuffix):
		return nil, usagef("a signature is made from a C source; of a run, foresee trace -o FILE keeps a recording, which serves all numbers of threads as well")
	}
	return l.prepareRun(ctx, s, &l.recordFlags, l.partial, input, args, []int{1})
}

// ofRun gives the recording to be analysed, or nil, and the method without the way of dealing.
func (l *locality) ofRun(s *streams, j *job) (*predict.Recording, string) {
	if j.run == nil {
		return nil, l.method
	}
	r := j.run.recording(s, &l.recordFlags, &l.common, l.method)
	if l.method == dealMimic {
		return r, predict.MethodExact
	}
	return r, l.method
}

// prepareTrace takes a trace, which has its own threads and regions.
func (l *locality) prepareTrace(t *traceInput) (*job, error) {
	j := &job{input: t.name, trace: t, unit: &csource.Unit{}}
	err := cmp.Or(l.common.check(), l.onlySources())
	switch {
	case err != nil:
	case l.threads != "":
		err = usagef("--threads: a trace has its own threads")
	case l.threadsModel != predict.ThreadsAuto || l.interleave != "":
		err = usagef("--threads-model and --interleave: a trace has its own threads, in the order that was recorded")
	case l.method != "" && l.method != "exact" && l.method != "shards":
		err = usagef("--method %s is for C sources; a trace is analysed by exact or shards", l.method)
	case len(l.machines) > 0:
		j.machines, err = l.loadMachines()
	}
	if err == nil {
		j.out, err = l.open()
	}
	if err != nil {
		t.close()
		return nil, err
	}
	return j, nil
}

func mrcCommand(s *streams) *cobra.Command {
	l, sizes := &locality{}, ""
	cmd := &cobra.Command{
		Use:   "mrc [flags] FILE.c|TRACE|NAME.sig.json|PROGRAM|RECORDING [-- ARGUMENTS]",
		Short: "miss ratio curves",
		Long: "mrc computes the miss ratios of fully associative LRU caches of many sizes, for each region and number of threads\n" +
			"of a C source, or for a trace of memory accesses.",
		Example: "  foresee mrc --machine i7-5960x --sizes 32KiB,256KiB,20MiB gemm.c\n" +
			"  foresee mrc --machine i7-5960x --threads 1,8 --plot gemm.svg gemm.c\n" +
			"  foresee mrc --machine i7-5960x --threads 1,4,16,64 --plot threads.svg gemm.c\n" +
			"  foresee mrc --machine i7-5960x --scope private --threads 4 --format json gemm.c",
		Args: inputWithArguments("C file, trace, program or recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := l.check("class", "aet", "exact", "shards", dealMimic); err != nil {
				return err
			}
			bytes, err := parseSizes(sizes)
			if err != nil {
				return err
			}
			operands, rest := splitArguments(args, cmd.ArgsLenAtDash())
			return runMRC(cmd.Context(), s, l, bytes, operands[0], rest)
		},
	}
	l.add(cmd, "class, aet, exact (every access) or shards (a sample of the lines); of a recorded run also mimic, dealt to threads as in PPT-Multicore; default class, of a trace or run exact")
	cmd.Flags().StringVar(&sizes, "sizes", "", "cache sizes: a `LIST` such as 32KiB,1MiB (default: 1 KiB and on)")
	return cmd
}

func runMRC(ctx context.Context, s *streams, l *locality, sizes []int64, input string, args []string) error {
	j, err := l.prepareLocality(ctx, s, input, args)
	if err != nil {
		return err
	}
	defer j.discard()
	progress := newBar(s.err)
	run, method := l.ofRun(s, j)
	r, failed := predict.Curves(ctx, predict.CurveRequest{
		Input: j.input, Programs: j.unit.Programs, Trace: j.source(progress.update), Recording: run, Warnings: j.unit.Warnings, Machines: j.machines,
		Threads: j.threads, Scope: l.scope, Sizes: sizes, Line: l.line, Method: method, Options: l.sampling(progress.update),
	})
	progress.clear()
	failed = j.finish(s, failed)
	if failed != nil && (r == nil || !s.keeps(failed, curveAccesses(r), &r.Warnings)) {
		return failed
	}
	if j.run != nil && len(r.Curves) == 0 {
		return cmp.Or(failed, errNoRegions(input, j))
	}
	if j.trace != nil || j.run != nil {
		if r.Curves, err = ofRegions(l.regions, r.Curves, func(c predict.Curve) string { return c.Region }); err != nil {
			return err
		}
	}
	s.settle(j.out, failed, j.damage(), &r.Partial, &r.Warnings)
	s.warnings(r.Warnings)
	if err := j.out.writePlot(func(w io.Writer, format string) error { return report.PlotCurves(w, format, r) }); err != nil {
		return err
	}
	err = j.out.writeResult(s.out, func(w io.Writer) error {
		switch l.format {
		case "json":
			return report.JSON(w, r)
		case "csv":
			return report.CurveCSV(w, r)
		}
		return report.CurveText(w, r, report.TextOptions{Verbose: l.verbose})
	})
	return cmp.Or(err, failed)
}
