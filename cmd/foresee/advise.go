package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"foresee/advise"
	"foresee/application"
	"foresee/cmd/foresee/cli"
	"foresee/internal/output"
	"foresee/machine"
	"foresee/report"
	"foresee/report/text"
)

// adviceFlags are the flags of advise alone.
type adviceFlags struct {
	deep   bool
	patch  string
	choose string
}

func adviseCommand(s *cli.Streams) *cobra.Command {
	c, a := &cli.Common{Undrawn: true}, &adviceFlags{}
	cmd := &cobra.Command{
		Use:   "advise [flags] FILE.c|PROGRAM|RECORDING|TRACE [-- ARGUMENTS]",
		Short: "changes to the source, ranked by predicted gain, each with its reason and a patch",
		Long: "advise reads a C file with OpenMP and tries changes of its loops and data: interchange, distribution, fusion, tiling, skewing, temporaries for sums, other\n" +
			"parallel loops and schedules, and data laid out otherwise. Each is made in the source, read again and predicted as foresee predict\n" +
			"does; those that gain come first, with their reasons. A change is made only where the dependences of the loops allow it; what is not\n" +
			"proved stands with it as a condition. Nothing is compiled or run, but with --cc: changes are sorted out by code as\n" +
			"foresee makes it, then the program, the first ones and all together compiled, and the times are those of their code, followed on paper.\n\n" +
			"Of a program that foresee cc built, a recording of foresee trace, a trace, or a source with --trace, it says which arrays lack lines, which lines of\n" +
			"the source write data that threads share falsely, and what ending that gains: no loops are known of it to be changed.\n\n" +
			"--patch writes a change as a patch: patch -p1 <FILE.patch applies it, in the folder where this was run.",
		Example: "  foresee advise --machine zen4 gemm.c\n" +
			"  foresee advise --machine zen4 --threads 1,8 -D MINI --format json gemm.c\n" +
			"  foresee advise --machine i7-5960x --threads 4 --patch gemm.patch gemm.c",
		Args: cli.FilesWithArguments("C file, program, recording or trace"),
		RunE: func(cmd *cobra.Command, args []string) error {
			operands, rest := cli.SplitArguments(args, cmd.ArgsLenAtDash())
			input, err := c.First(operands)
			if err != nil {
				return err
			}
			return runAdvise(cmd, s, c, a, input, rest)
		},
	}
	c.Add(cmd.Flags())
	f := cmd.Flags()
	f.BoolVar(&a.deep, "deep", false, "try many more changes, and on top of one another")
	f.StringVar(&a.patch, "patch", "", "write the change that saves most time in the program, over all its regions, as a patch into `FILE`")
	f.StringVar(&a.choose, "change", "", "of --patch: another change, by its `NUMBER` in the table, of the first region")
	_ = f.MarkHidden("run") // of inputs that this verb does not take
	f.Lookup("cc").Usage = "times of the code that this `COMPILER` makes with its flags, such as 'gcc -O3 -march=native': of the program, the first changes and all together, which are compiled and followed, not run"
	return cmd
}

// endThreads are one and all of a machine.
func endThreads(machines []*machine.Machine) []int {
	return slices.Compact([]int{1, min(max(machines[0].TotalCores(), 1), cli.MaxThreads)})
}

func runAdvise(cmd *cobra.Command, s *cli.Streams, c *cli.Common, a *adviceFlags, input string, args []string) error {
	if len(c.Machines) > 1 {
		return cli.Usagef("advise is for one machine; give --machine once")
	}
	switch {
	case c.Observe != "":
		return cli.Usagef("--run: what a run tells of the source is not known of a changed one; define the values it lacks (-D)")
	}
	usual := endThreads
	c.Refuse = func(in *application.Input) error {
		switch {
		case in.Kind != application.Source:
			usual = cli.DoubledThreads
			if a.patch != "" || a.deep {
				return cli.Usagef("--patch and --deep are for C sources, and %s is a %s; leave them out", in.Name, in.Kind)
			}
		case c.By == cli.ByLoop:
			return cli.Usagef("--by loop: regions are functions here, as changes move loops; --region names one")
		}
		return nil
	}
	j, err := c.Begin(cmd.Context(), s, cmd, input, args, func(m []*machine.Machine) []int { return usual(m) })
	if err != nil {
		return err
	}
	defer j.Discard()
	if j.Streams != nil {
		result, failed := advise.Recorded(cmd.Context(), advise.RecordedRequest{Signature: j.Signature, Machine: j.Machines[0], Threads: j.Threads, Options: c.Analysis(j.Progress.Update)})
		failed = j.End(s, failed)
		if result == nil || len(result.Regions) == 0 {
			if j.Execution != nil {
				return cmp.Or(failed, cli.NoRegions(j.Execution))
			}
			return failed
		}
		if result.Regions, err = cli.KeepRegions(c, j, result.Regions, func(r advise.Region) string { return r.Region }); err != nil {
			return err
		}
		return cmp.Or(printAdvice(s, c, j, result), failed)
	}
	var patch *output.File
	if a.patch != "" {
		if patch, err = output.Create(a.patch); err != nil {
			return err
		}
		defer patch.Discard()
	}
	options := c.Analysis(nil)
	request := advise.Request{
		Name: j.Code.Name, Folder: j.Code.Folder, Text: string(j.Code.Text), Source: c.Options(s, c.Regions, false).Source, Machine: j.Machines[0], Threads: j.Threads,
		Compiler: strings.Fields(c.Compiler), Options: options, Progress: j.Progress.Update,
	}
	if a.deep {
		request.Most = advise.Deep
	}
	result, err := advise.Run(cmd.Context(), request)
	if err = j.End(s, err); err != nil {
		return err
	}
	if patch != nil {
		if err := a.write(patch, result); err != nil {
			return err
		}
	}
	return printAdvice(s, c, j, result)
}

// printAdvice prints advice.
func printAdvice(s *cli.Streams, c *cli.Common, j *cli.Job, result *advise.Result) error {
	s.Warnings(result.Warnings)
	return j.Result(s, c.Format,
		func(w io.Writer) error { return report.JSON(w, result) },
		func(w io.Writer) error { return text.AdviceCSV(w, result) },
		func(w io.Writer) error { return text.Advice(w, result, text.AdviceOptions{Patches: c.Verbose}) })
}

// write writes the patch that was asked for.
func (a *adviceFlags) write(to *output.File, r *advise.Result) error {
	chosen, err := a.chosen(r)
	if err != nil {
		return err
	}
	return to.Finish(func(w io.Writer) error {
		_, err := io.WriteString(w, chosen.Patch)
		return err
	})
}

// chosen is the change that --change names, or of those that gain more than the noise the one that saves most time in the program: over all its regions, each run once.
func (a *adviceFlags) chosen(r *advise.Result) (*advise.Advice, error) {
	var best *advise.Advice
	most := 0.0
	for i := range r.Regions {
		x := &r.Regions[i]
		switch {
		case a.choose != "":
			n, err := cli.ParseThreads(a.choose)
			if err != nil || len(n) != 1 || n[0] > len(x.Changes) {
				return nil, cli.Usagef("--change %s: there are %s; give the number of one", a.choose, report.Plural(len(x.Changes), "change"))
			}
			return &x.Changes[n[0]-1], nil
		case x.Together != nil && x.Saved(x.Together) > most:
			best, most = x.Together, x.Saved(x.Together)
		case len(x.Changes) > 0 && x.Changes[0].Gains && x.Saved(&x.Changes[0]) > most:
			best, most = &x.Changes[0], x.Saved(&x.Changes[0])
		}
	}
	if best != nil {
		return best, nil
	}
	return nil, fmt.Errorf("%s: no change was found that gains more than the noise, so there is no patch; leave out --patch to see what was tried, or choose one by --change", r.Input)
}
