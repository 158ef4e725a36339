package main

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"foresee/internal/checksum"
	"foresee/predict"
	"foresee/report"
)

func profileCommand(s *streams) *cobra.Command {
	l, measure := &locality{}, ""
	cmd := &cobra.Command{
		Use:   "profile [flags] FILE.c|TRACE|NAME.sig.json|PROGRAM|RECORDING [-- ARGUMENTS]",
		Short: "reuse distance or interval histograms",
		Long: "profile counts the accesses of each region of a C source, or of a trace, by reuse distance or by reuse interval.\n" +
			"With -o NAME.sig.json it writes a signature instead: all that predict, mrc, profile and simulate need to know of the source, for any\n" +
			"number of threads, any machine and any cache size.",
		Example: "  foresee profile --machine i7-5960x --measure distance gemm.c\n" +
			"  foresee profile --machine i7-5960x --measure interval --threads 4 --scope private --format csv gemm.c\n" +
			"  foresee profile --machine i7-5960x --threads 1,8 --plot gemm.svg gemm.c\n" +
			"  foresee profile -o gemm.sig.json gemm.c",
		Args: inputWithArguments("C file, trace, program or recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("--measure", measure, "distance", "interval"); err != nil {
				return err
			}
			if err := l.check("class", "exact", "shards", dealMimic); err != nil {
				return err
			}
			operands, rest := splitArguments(args, cmd.ArgsLenAtDash())
			return runProfile(cmd.Context(), s, l, measure, operands[0], rest)
		},
	}
	l.add(cmd, "class, exact (every access) or shards (a sample of the lines); of a recorded run also mimic, dealt to threads as in PPT-Multicore; default class, of a trace or run exact")
	cmd.Flags().StringVar(&measure, "measure", "distance", "distance: other lines between two uses of a line; interval: accesses from a use to the next, that one included")
	return cmd
}

// signatureSuffix ends the names of files that profile writes signatures into.
const signatureSuffix = ".sig.json"

// runSignature analyses a source for any number of threads.
func runSignature(ctx context.Context, s *streams, l *locality, input string) error {
	switch {
	case l.method != "" && l.method != "class":
		return usagef("--method %s: a signature is made by sampling; leave it out", l.method)
	case l.threads != "" || l.scope != "shared":
		return usagef("--threads and --scope: a signature is for all; give them to what reads it")
	case l.plot != "":
		return usagef("--plot: a signature is not drawn; name the result otherwise than %s for a profile", signatureSuffix)
	case l.format == "csv":
		return usagef("--format csv: a signature is JSON")
	}
	j, err := l.prepareLocality(ctx, s, input, nil)
	if err != nil {
		return err
	}
	defer j.discard()
	if j.trace != nil {
		return usagef("a signature is made from a C source; a trace is of its own number of threads")
	}
	progress := newBar(s.err)
	r, err := predict.Signatures(ctx, predict.SignatureRequest{
		Input: j.input, Programs: j.unit.Programs, Warnings: j.unit.Warnings, Line: l.line, Options: l.options(progress.update),
	})
	progress.clear()
	if err != nil {
		return err
	}
	s.warnings(append(r.Warnings, r.Alone...))
	return j.out.writeResult(s.out, func(w io.Writer) error { return writeSignature(w, r) })
}

// writeSignature writes a signature with the checksum of its text.
func writeSignature(w io.Writer, r *predict.SignatureResult) error {
	r.Checksum = checksum.Blank
	var text bytes.Buffer
	if err := report.JSON(&text, r); err != nil {
		return err
	}
	whole, err := checksum.Put(text.Bytes())
	if err != nil {
		return err
	}
	_, err = w.Write(whole)
	return err
}

func runProfile(ctx context.Context, s *streams, l *locality, measure, input string, args []string) error {
	if strings.HasSuffix(l.output, signatureSuffix) && !l.isRun(input) {
		return runSignature(ctx, s, l, input)
	}
	j, err := l.prepareLocality(ctx, s, input, args)
	if err != nil {
		return err
	}
	defer j.discard()
	progress := newBar(s.err)
	run, method := l.ofRun(s, j)
	r, failed := predict.Profiles(ctx, predict.ProfileRequest{
		Input: j.input, Programs: j.unit.Programs, Trace: j.source(progress.update), Recording: run, Warnings: j.unit.Warnings, Machines: j.machines,
		Threads: j.threads, Scope: l.scope, Measure: measure, Line: l.line, Method: method, Options: l.sampling(progress.update),
	})
	progress.clear()
	failed = j.finish(s, failed)
	if failed != nil && (r == nil || !s.keeps(failed, profileAccesses(r), &r.Warnings)) {
		return failed
	}
	if j.run != nil && len(r.Profiles) == 0 {
		return cmp.Or(failed, errNoRegions(input, j))
	}
	if j.trace != nil || j.run != nil {
		if r.Profiles, err = ofRegions(l.regions, r.Profiles, func(p predict.Profile) string { return p.Region }); err != nil {
			return err
		}
	}
	s.settle(j.out, failed, j.damage(), &r.Partial, &r.Warnings)
	s.warnings(r.Warnings)
	if err := j.out.writePlot(func(w io.Writer, format string) error { return report.PlotProfiles(w, format, r) }); err != nil {
		return err
	}
	err = j.out.writeResult(s.out, func(w io.Writer) error {
		switch l.format {
		case "json":
			return report.JSON(w, r)
		case "csv":
			return report.ProfileCSV(w, r)
		}
		return report.ProfileText(w, r, report.TextOptions{Verbose: l.verbose})
	})
	return cmp.Or(err, failed)
}
