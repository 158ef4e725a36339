package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"foresee/application"
	"foresee/cmd/foresee/cli"
	"foresee/predict"
	"foresee/report"
	"foresee/report/figure"
	"foresee/report/text"
)

// locality are the flags that mrc and profile share.
type locality struct {
	cli.Common
	scope, method string
	line          int64
	rate          float64
	maxLines      int
}

func (l *locality) add(cmd *cobra.Command, methods string) {
	l.Common.Add(cmd.Flags())
	l.NeedsNone = true
	l.AddThreads(cmd.Flags())
	cmd.Flags().StringVar(&l.scope, "scope", "shared", "private: of each thread's own stream; shared: of all threads; both")
	cmd.Flags().StringVar(&l.method, "method", "", methods)
	cmd.Flags().Int64Var(&l.line, "line", 0, "`BYTES` of a cache line (0: the machine's, or 64)")
	cmd.Flags().Float64Var(&l.rate, "rate", 0, "of --method shards: `SHARE` of the lines that are followed at least (default 0.01)")
	cmd.Flags().IntVar(&l.maxLines, "max-lines", 0, "of --method shards: `NUMBER` of lines that are followed at most, instead of --rate")
}

func (l *locality) check(methods ...string) error {
	if err := cli.OneOf("--scope", l.scope, "private", "shared", "both"); err != nil {
		return err
	}
	if l.method == cli.DealMimic {
		return cli.Usagef("--method mimic is no method of analysis; --dealing mimic deals a recorded run so")
	}
	if l.method != "" {
		if err := cli.OneOf("--method", l.method, methods...); err != nil {
			return err
		}
	}
	switch {
	case !(l.rate >= 0 && l.rate <= 1):
		return cli.Usagef("--rate %v: give a share of the lines, above 0 and at most 1", l.rate)
	case l.method != "shards" && (l.rate != 0 || l.maxLines != 0):
		return cli.Usagef("--rate and --max-lines are of --method shards, which follows a sample of the lines; add --method shards, or leave them out")
	case l.rate != 0 && l.maxLines != 0:
		return cli.Usagef("give --rate or --max-lines, not both")
	}
	if l.maxLines != 0 && l.maxLines < 64 {
		return cli.Usagef("--max-lines %d: fewer than 64 lines tell nothing", l.maxLines)
	}
	return cli.CheckLine(l.line)
}

// sampling are the common options with those of --method shards.
func (l *locality) sampling(progress func(done, total int)) predict.Options {
	o := l.Analysis(progress)
	o.Rate, o.MaxLines = l.rate, l.maxLines
	if o.Rate == 0 && o.MaxLines == 0 {
		o.Rate = 0.01
	}
	return o
}

// beginLocality is Begin with one thread, unless others are asked for.
func (l *locality) beginLocality(s *cli.Streams, cmd *cobra.Command, input string, args []string) (*cli.Job, error) {
	j, err := beginTold(cmd, s, &l.Common, input, args, cli.OneThread)
	if err != nil {
		return nil, err
	}
	switch {
	case j.Streams != nil && l.method != "" && l.method != predict.MethodExact && l.method != predict.MethodShards:
		err = cli.Usagef("--method %s is for C sources, and %s is a %s; accesses that were made are analysed by exact or shards", l.method, j.Name, j.Kind)
	case j.Kind == application.Trace && l.Threads == "":
		j.Threads = nil // those that show when it is read
	}
	if err != nil {
		j.Discard()
		return nil, err
	}
	return j, nil
}

func mrcCommand(s *cli.Streams) *cobra.Command {
	l, sizes := &locality{}, ""
	cmd := &cobra.Command{
		Use:   "mrc [flags] FILE.c|NAME.sig.json|PROGRAM|RECORDING|TRACE [-- ARGUMENTS]",
		Short: "miss ratio curves",
		Long: "mrc computes the miss ratios of fully associative LRU caches of many sizes, for each region and number of threads\n" +
			"of a C source, or for a trace of memory accesses.",
		Example: "  foresee mrc --machine i7-5960x --sizes 32KiB,256KiB,20MiB gemm.c\n" +
			"  foresee mrc --machine i7-5960x --threads 1,8 --plot gemm.svg gemm.c\n" +
			"  foresee mrc --machine i7-5960x --threads 1,4,16,64 --plot threads.svg gemm.c\n" +
			"  foresee mrc --machine i7-5960x --scope private --threads 4 --format json gemm.c",
		Args: cli.FilesWithArguments("C file, trace, program or recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := l.check("class", "aet", "exact", "shards"); err != nil {
				return err
			}
			bytes, err := cli.ParseSizes(sizes)
			if err != nil {
				return err
			}
			operands, rest := cli.SplitArguments(args, cmd.ArgsLenAtDash())
			input, err := l.First(operands)
			if err != nil {
				return err
			}
			return runMRC(cmd, s, l, bytes, input, rest)
		},
	}
	l.add(cmd, "class or aet, of loops, without walking through accesses; exact (every access) or shards (a sample of the lines); default class, of a trace or run exact")
	cmd.Flags().StringVar(&sizes, "sizes", "", "cache sizes: a `LIST` such as 32KiB,1MiB (default: 1 KiB and on)")
	return cmd
}

func runMRC(cmd *cobra.Command, s *cli.Streams, l *locality, sizes []int64, input string, args []string) error {
	j, err := l.beginLocality(s, cmd, input, args)
	if err != nil {
		return err
	}
	defer j.Discard()
	r, failed := predict.Curves(cmd.Context(), predict.CurveRequest{
		Signature: j.Signature, Machines: j.Machines, Threads: j.Threads, Scope: l.scope, Sizes: sizes, Line: l.line, Method: l.method,
		Options: l.sampling(j.Progress.Update),
	})
	failed = j.End(s, failed)
	if j.Execution != nil && (r == nil || len(r.Curves) == 0) {
		return cli.Nothing(j.Execution, failed)
	}
	if failed != nil && (r == nil || !s.Keeps(failed, curveAccesses(r), &r.Warnings)) {
		return failed
	}
	if r.Curves, err = cli.KeepRegions(&l.Common, j, r.Curves, func(c predict.Curve) string { return c.Region }); err != nil {
		return err
	}
	s.Settle(j.Out, failed, j.Missing, &r.Partial, &r.Warnings)
	s.Warnings(r.Warnings)
	if err := j.Out.WritePlot(func(w io.Writer, format string) error { return figure.Curves(w, format, r) }); err != nil {
		return err
	}
	err = j.Result(s, l.Format,
		func(w io.Writer) error { return report.JSON(w, r) },
		func(w io.Writer) error { return text.CurvesCSV(w, r) },
		func(w io.Writer) error { return text.Curves(w, r, text.Options{Verbose: l.Verbose}) })
	return cmp.Or(err, failed)
}

func curveAccesses(r *predict.CurveResult) cli.Seen {
	read := cli.Seen{}
	for _, c := range r.Curves {
		read.Add(fmt.Sprint(c.Scope, " ", c.Threads), c.Accesses)
	}
	return read
}
