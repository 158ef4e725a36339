package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"foresee/machine"
	"foresee/predict"
	"foresee/report"
)

// locality are the flags that mrc and profile share.
type locality struct {
	common
	scope, method string
	line          int64
}

func (l *locality) add(cmd *cobra.Command, methods string) {
	l.common.add(cmd.Flags())
	cmd.Flags().StringVar(&l.scope, "scope", "shared", "private: of one thread's own stream; shared: of all threads")
	cmd.Flags().StringVar(&l.method, "method", "class", methods)
	cmd.Flags().Int64Var(&l.line, "line", 0, "`BYTES` of a cache line (0: the machine's, or 64)")
}

func (l *locality) check(methods ...string) error {
	if err := oneOf("--scope", l.scope, "private", "shared"); err != nil {
		return err
	}
	if err := oneOf("--method", l.method, methods...); err != nil {
		return err
	}
	return checkLine(l.line)
}

// prepareLocality is prepare with one thread and, as locality needs no machine, without one where this one cannot
// be described.
func (l *locality) prepareLocality(s *streams, input string) (*job, error) {
	if l.threads == "" {
		l.threads = "1"
	}
	if len(l.machines) == 0 {
		if _, err := machine.Local(); err != nil {
			return l.prepareWithout(s, input)
		}
	}
	return l.prepare(s, input)
}

func (l *locality) prepareWithout(s *streams, input string) (*job, error) {
	j := &job{}
	err := l.common.check()
	if err != nil {
		return nil, err
	}
	if j.threads, err = parseThreads(l.threads); err != nil {
		return nil, err
	}
	if j.input, j.unit, err = l.load(s, input); err != nil {
		return nil, err
	}
	j.out, err = l.open()
	return j, err
}

func mrcCommand(s *streams) *cobra.Command {
	l, sizes := &locality{}, ""
	cmd := &cobra.Command{
		Use:   "mrc [flags] FILE.c",
		Short: "miss ratio curves",
		Long:  "mrc computes the miss ratios of fully associative LRU caches of many sizes, for each region and number of threads.",
		Example: "  foresee mrc --machine i7-5960x --sizes 32KiB,256KiB,20MiB gemm.c\n" +
			"  foresee mrc --machine i7-5960x --threads 1,8 --plot gemm.svg gemm.c\n" +
			"  foresee mrc --machine i7-5960x --scope private --threads 4 --format json gemm.c",
		Args: oneInput("C file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := l.check("class", "aet", "exact"); err != nil {
				return err
			}
			bytes, err := parseSizes(sizes)
			if err != nil {
				return err
			}
			return runMRC(cmd.Context(), s, l, bytes, args[0])
		},
	}
	l.add(cmd, "class, aet or exact (which enumerates every access)")
	cmd.Flags().StringVar(&sizes, "sizes", "", "cache sizes: a `LIST` such as 32KiB,1MiB (default: 1 KiB and on)")
	return cmd
}

func runMRC(ctx context.Context, s *streams, l *locality, sizes []int64, input string) error {
	j, err := l.prepareLocality(s, input)
	if err != nil {
		return err
	}
	defer j.out.discard()
	progress := newBar(s.err)
	r, err := predict.Curves(ctx, predict.CurveRequest{
		Input: j.input, Programs: j.unit.Programs, Warnings: j.unit.Warnings, Machines: j.machines, Threads: j.threads,
		Scope: l.scope, Sizes: sizes, Line: l.line, Method: l.method, Options: l.options(progress.update),
	})
	progress.clear()
	if err != nil {
		return err
	}
	s.warnings(r.Warnings)
	if err := j.out.writePlot(func(w io.Writer, format string) error { return report.PlotCurves(w, format, r) }); err != nil {
		return err
	}
	return j.out.writeResult(s.out, func(w io.Writer) error {
		switch l.format {
		case "json":
			return report.JSON(w, r)
		case "csv":
			return report.CurveCSV(w, r)
		}
		return report.CurveText(w, r, report.TextOptions{Verbose: l.verbose})
	})
}
