package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"foresee/application"
	"foresee/cmd/foresee/cli"
	"foresee/internal/checksum"
	"foresee/predict"
	"foresee/report"
	"foresee/report/figure"
	"foresee/report/text"
)

func profileCommand(s *cli.Streams) *cobra.Command {
	l, measure := &locality{}, ""
	cmd := &cobra.Command{
		Use:   "profile [flags] FILE.c|NAME.sig.json|PROGRAM|RECORDING|TRACE [-- ARGUMENTS]",
		Short: "reuse distance or interval histograms",
		Long: "profile counts the accesses of each region of a C source, or of a trace, by reuse distance or by reuse interval.\n" +
			"With -o NAME.sig.json it writes a signature instead: all that predict, mrc, profile and simulate need to know of the source, for any\n" +
			"number of threads, any machine and any cache size.",
		Example: "  foresee profile --machine i7-5960x --measure distance gemm.c\n" +
			"  foresee profile --machine i7-5960x --measure interval --threads 4 --scope private --format csv gemm.c\n" +
			"  foresee profile --machine i7-5960x --threads 1,8 --plot gemm.svg gemm.c\n" +
			"  foresee profile -o gemm.sig.json gemm.c",
		Args: cli.FilesWithArguments("C file, trace, program or recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.OneOf("--measure", measure, "distance", "interval"); err != nil {
				return err
			}
			if err := l.check("class", "exact", "shards"); err != nil {
				return err
			}
			operands, rest := cli.SplitArguments(args, cmd.ArgsLenAtDash())
			input, err := l.First(operands)
			if err != nil {
				return err
			}
			return runProfile(cmd, s, l, measure, input, rest)
		},
	}
	l.add(cmd, "class, of loops, without walking through accesses; exact (every access) or shards (a sample of the lines); default class, of a trace or run exact")
	cmd.Flags().StringVar(&measure, "measure", "distance", "distance: other lines between two uses of a line; interval: accesses from a use to the next, that one included")
	return cmd
}

// runSignature analyses a source for any number of threads.
func runSignature(cmd *cobra.Command, s *cli.Streams, l *locality, input string, args []string) error {
	switch {
	case l.method != "" && l.method != "class":
		return cli.Usagef("--method %s: a signature is made by sampling; leave it out", l.method)
	case l.Threads != "" || l.scope != "shared":
		return cli.Usagef("--threads and --scope: a signature is for all; give them to what reads it")
	case l.Plot != "":
		return cli.Usagef("--plot: a signature is not drawn; name the result otherwise than %s for a profile", cli.SignatureSuffix)
	case l.Format == "csv":
		return cli.Usagef("--format csv: a signature is JSON")
	}
	l.Refuse = func(in *application.Input) error {
		if in.Kind == application.Source || in.Kind == application.Module || in.Kind == application.Saved {
			return nil
		}
		return cli.Usagef("%s: %w; of a run, foresee trace -o FILE keeps a recording, which serves all numbers of threads as well", in.Name, &predict.NoLoopsError{Kind: in.Kind})
	}
	j, err := l.beginLocality(s, cmd, input, args)
	if err != nil {
		return err
	}
	defer j.Discard()
	file, alone, err := predict.Signatures(cmd.Context(), predict.SignatureRequest{Signature: j.Signature, Line: l.line, Options: l.Analysis(j.Progress.Update)})
	if err = j.End(s, err); err != nil {
		return err
	}
	s.Warnings(append(file.Warnings, alone...))
	return j.Out.WriteResult(s.Out, func(w io.Writer) error { return writeSignature(w, file) })
}

// writeSignature writes a signature with the checksum of its text.
func writeSignature(w io.Writer, r *application.SavedFile) error {
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

func runProfile(cmd *cobra.Command, s *cli.Streams, l *locality, measure, input string, args []string) error {
	if strings.HasSuffix(l.Output, cli.SignatureSuffix) {
		return runSignature(cmd, s, l, input, args)
	}
	j, err := l.beginLocality(s, cmd, input, args)
	if err != nil {
		return err
	}
	defer j.Discard()
	r, failed := predict.Profiles(cmd.Context(), predict.ProfileRequest{
		Signature: j.Signature, Machines: j.Machines, Threads: j.Threads, Scope: l.scope, Measure: measure, Line: l.line, Method: l.method,
		Options: l.sampling(j.Progress.Update),
	})
	failed = j.End(s, failed)
	if j.Execution != nil && (r == nil || len(r.Profiles) == 0) {
		return cli.Nothing(j.Execution, failed)
	}
	if failed != nil && (r == nil || !s.Keeps(failed, profileAccesses(r), &r.Warnings)) {
		return failed
	}
	if r.Profiles, err = cli.KeepRegions(&l.Common, j, r.Profiles, func(p predict.Profile) string { return p.Region }); err != nil {
		return err
	}
	s.Settle(j.Out, failed, j.Missing, &r.Partial, &r.Warnings)
	s.Warnings(r.Warnings)
	if err := j.Out.WritePlot(func(w io.Writer, format string) error { return figure.Profiles(w, format, r) }); err != nil {
		return err
	}
	err = j.Result(s, l.Format,
		func(w io.Writer) error { return report.JSON(w, r) },
		func(w io.Writer) error { return text.ProfilesCSV(w, r) },
		func(w io.Writer) error { return text.Profiles(w, r, text.Options{Verbose: l.Verbose}) })
	return cmp.Or(err, failed)
}

func profileAccesses(r *predict.ProfileResult) cli.Seen {
	read := cli.Seen{}
	for _, p := range r.Profiles {
		read.Add(fmt.Sprint(p.Scope, " ", p.Measure, " ", p.Threads), p.Accesses)
	}
	return read
}
