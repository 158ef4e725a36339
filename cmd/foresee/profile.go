package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"foresee/predict"
	"foresee/report"
)

func profileCommand(s *streams) *cobra.Command {
	l, measure := &locality{}, ""
	cmd := &cobra.Command{
		Use:   "profile [flags] FILE.c",
		Short: "reuse distance or interval histograms",
		Long:  "profile counts the accesses of each region by reuse distance, or by reuse interval, in bins of powers of two.",
		Example: "  foresee profile --machine i7-5960x --measure distance gemm.c\n" +
			"  foresee profile --machine i7-5960x --measure interval --threads 4 --scope private --format csv gemm.c",
		Args: oneInput("C file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("--measure", measure, "distance", "interval"); err != nil {
				return err
			}
			if err := l.check("class", "exact"); err != nil {
				return err
			}
			return runProfile(cmd.Context(), s, l, measure, args[0])
		},
	}
	l.add(cmd, "class or exact (which enumerates every access)")
	cmd.Flags().StringVar(&measure, "measure", "distance", "distance: other lines between two uses of a line; interval: accesses between them")
	return cmd
}

func runProfile(ctx context.Context, s *streams, l *locality, measure, input string) error {
	if l.plot != "" {
		return usagef("--plot: a profile has no picture yet; foresee mrc --plot draws what follows from it")
	}
	j, err := l.prepareLocality(s, input)
	if err != nil {
		return err
	}
	defer j.out.discard()
	progress := newBar(s.err)
	r, err := predict.Profiles(ctx, predict.ProfileRequest{
		Input: j.input, Programs: j.unit.Programs, Warnings: j.unit.Warnings, Machines: j.machines, Threads: j.threads,
		Scope: l.scope, Measure: measure, Line: l.line, Method: l.method, Options: l.options(progress.update),
	})
	progress.clear()
	if err != nil {
		return err
	}
	s.warnings(r.Warnings)
	return j.out.writeResult(s.out, func(w io.Writer) error {
		switch l.format {
		case "json":
			return report.JSON(w, r)
		case "csv":
			return report.ProfileCSV(w, r)
		}
		return report.ProfileText(w, r, report.TextOptions{Verbose: l.verbose})
	})
}
