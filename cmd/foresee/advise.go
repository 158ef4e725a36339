package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
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
	begin := func() (*cli.Job, error) {
		return c.Begin(cmd.Context(), s, cmd, input, args, func(m []*machine.Machine) []int { return usual(m) })
	}
	j, err := begin()
	if c.NothingRead(err) {
		if instead := c.Instead(s, cmd, input, err); instead != nil {
			c = instead
			j, err = begin()
		}
	}
	if err != nil {
		return err
	}
	defer j.Discard()
	if j.Streams != nil {
		result, failed := advise.Recorded(cmd.Context(), advise.RecordedRequest{Signature: j.Signature, Machine: j.Machines[0], Threads: j.Threads, Options: c.Analysis(j.Progress.Update)})
		failed = j.End(s, failed)
		if result == nil || len(result.Regions) == 0 {
			if j.Execution != nil {
				return cli.Nothing(j.Execution, failed)
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
	result, err := ofRegions(cmd.Context(), request, told(j.Signature))
	if err = j.End(s, err); err != nil {
		return err
	}
	if whole, all := readWhole(j.Signature); c.Unread() || !all {
		if instead := c.Instead(s, cmd, input, nil); instead != nil {
			if err := appendRecorded(cmd, s, instead, input, whole, result); err != nil {
				cli.Warn(s.Err, "it could not be recorded: %v", err)
			}
		}
	}
	if patch != nil {
		if err := a.write(patch, result); err != nil {
			return err
		}
	}
	return printAdvice(s, c, j, result)
}

// toldRegion is a function with the values that a run entered it with most often, as definitions.
type toldRegion struct {
	name        string
	definitions []string
}

// definable is the text of a value that a definition can set.
var definable = regexp.MustCompile(`^[A-Za-z_]\w*((\[\d+\]|(\.|->)\w+)*)$`)

// told are the functions that a run entered, but main where there are others; nil where there was no run.
func told(s *application.Signature) (all []toldRegion) {
	seen := map[string]bool{}
	for _, p := range s.Loops {
		name, _, _ := strings.Cut(p.Region, " ")
		if p.Entered == 0 || seen[name] {
			continue
		}
		seen[name] = true
		r := toldRegion{name: name}
		for _, v := range p.With {
			if definable.MatchString(v.Text) {
				r.definitions = append(r.definitions, fmt.Sprintf("%s=%d", v.Text, v.Value))
			}
		}
		all = append(all, r)
	}
	if len(all) > 1 && !s.Asked {
		all = slices.DeleteFunc(all, func(r toldRegion) bool { return r.name == "main" })
	}
	return all
}

// ofRegions is advice for each region with its values, or for all where nothing was told.
func ofRegions(ctx context.Context, request advise.Request, regions []toldRegion) (*advise.Result, error) {
	if len(regions) == 0 {
		return advise.Run(ctx, request)
	}
	var out *advise.Result
	var failed []error
	for _, r := range regions {
		one := request
		one.Source.Regions = []string{r.name}
		one.Source.Defines = slices.Concat(request.Source.Defines, r.definitions)
		result, err := advise.Run(ctx, one)
		switch {
		case ctx.Err() != nil:
			return nil, err
		case err != nil:
			failed = append(failed, err)
		case out == nil:
			out = result
		default:
			out.Regions = append(out.Regions, result.Regions...)
			for _, w := range result.Warnings {
				if !slices.Contains(out.Warnings, w) {
					out.Warnings = append(out.Warnings, w)
				}
			}
		}
	}
	if out == nil {
		return nil, errors.Join(failed...)
	}
	for _, err := range failed {
		out.Warnings = append(out.Warnings, err.Error())
	}
	return out, nil
}

// readWhole are the functions of which all was read; all says that no function has parts that were not.
func readWhole(s *application.Signature) (whole map[string]bool, all bool) {
	whole, all = map[string]bool{}, true
	for _, p := range s.Loops {
		name, _, _ := strings.Cut(p.Region, " ")
		whole[name] = len(p.Left) == 0
		all = all && whole[name]
	}
	return whole, all
}

// appendRecorded appends the causes that a recorded run of a source shows, of functions that were not read as a whole.
func appendRecorded(cmd *cobra.Command, s *cli.Streams, c *cli.Common, input string, whole map[string]bool, to *advise.Result) error {
	j, err := c.Begin(cmd.Context(), s, cmd, input, nil, cli.DoubledThreads)
	if err != nil {
		return err
	}
	defer j.Discard()
	result, err := advise.Recorded(cmd.Context(), advise.RecordedRequest{Signature: j.Signature, Machine: j.Machines[0], Threads: j.Threads, Options: c.Analysis(j.Progress.Update)})
	if err = j.End(s, err); err != nil {
		return err
	}
	for _, r := range result.Regions {
		if !whole[r.Region] {
			to.Regions = slices.DeleteFunc(to.Regions, func(of advise.Region) bool { return of.Region == r.Region && len(of.Changes) == 0 })
			to.Regions = append(to.Regions, r)
		}
	}
	return nil
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
