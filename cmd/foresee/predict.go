package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"foresee/application"
	"foresee/cmd/foresee/cli"
	"foresee/cmd/foresee/remedy"
	"foresee/internal/terminal"
	"foresee/machine"
	"foresee/model/timing"
	"foresee/predict"
	"foresee/predict/answer"
	"foresee/report"
	"foresee/report/figure"
	"foresee/report/page"
	"foresee/report/text"
)

func predictCommand(s *cli.Streams) *cobra.Command {
	c, m := &cli.Common{}, &models{}
	c.Words = true
	cmd := &cobra.Command{
		Use:   "predict [flags] FILE.c|NAME.sig.json|PROGRAM|RECORDING|TRACE [-- ARGUMENTS]",
		Short: "hit rates, time, speed-up and the bound, per machine and thread count",
		Long: "predict reads a C file with OpenMP and predicts, for each region, machine and number of threads, the hit rates\n" +
			"of the caches, the time with its interval, the speed-up and what bounds it. Nothing is compiled or run: the core's time\n" +
			"is that of code as gcc -O2 makes it; with --cc of the code which a compiler makes: compiled, and followed on paper, not run.\n\n" +
			"With --trace it compiles the source, runs it and traces it instead; a program that foresee cc built is run likewise, and a\n" +
			"recording of foresee trace is replayed. One run serves all numbers of threads. Of a trace, which holds no operations, it\n" +
			"predicts hit rates.",
		Example: "  foresee predict --machine i7-5960x --threads 1,2,4,8 gemm.c\n" +
			"  foresee predict --machine zen4 --threads best gemm.c\n" +
			"  foresee predict --machine i7-5960x --threads 1 -D N=20..400 gemm.c\n" +
			"  foresee predict --machine i7-5960x --machine zen4 --threads 1,8 --format csv gemm.c\n" +
			"  foresee predict --machine i7-5960x --threads 1,8 --miss-ratio 0.02 gemm.c\n" +
			"  foresee predict --machine zen4 --threads 1 --cc 'gcc -O2' gemm.c\n" +
			"  foresee predict --machine i7-5960x --threads 1-4 -DN=128 --by loop --html gemm.html gemm.c",
		Args: cli.FilesWithArguments("C file, signature, program, recording or trace"),
		RunE: func(cmd *cobra.Command, args []string) error {
			operands, rest := cli.SplitArguments(args, cmd.ArgsLenAtDash())
			if err := m.check(cmd.Flags()); err != nil {
				return err
			}
			input, err := c.First(operands)
			if err != nil {
				return err
			}
			z, err := cli.SizesAsked(c.Defines)
			switch {
			case err != nil:
				return err
			case z != nil:
				return runPredictSizes(cmd, s, c, m, z, input, rest)
			}
			return runPredict(cmd, s, c, m, input, rest)
		},
	}
	c.Add(cmd.Flags())
	c.AddThreads(cmd.Flags())
	cmd.Flags().StringVar(&c.HTML, "html", "", "write one self-contained page into `FILE`")
	cmd.Flags().BoolVar(&c.All, "all", false, "every row, table and warning, not only those that say most")
	cmd.Flags().Lookup("threads").Usage = "numbers of threads: a `LIST` such as 1,2,4,8 or 1-64 or both; all: each from 1 to the machine's cores; best: the fastest and those beside it"
	m.add(cmd.Flags())
	cmd.Flags().Lookup("cc").Usage = cli.OfCodeUsage
	cmd.Flags().Lookup("define").Usage = cli.DefineUsage + "; of one NAME several sizes: NAME=100,200,400, or NAME=100..4000 with the greatest that each level of the caches holds"
	cmd.Flags().Var(&c.MissRatio, "miss-ratio", "`SHARE` of the accesses, such as 0.02 or 2%, that a shared cache may miss: for the smallest one, and the threads that overflow the machine's (default: a percentage point more than one thread misses)")
	return cmd
}

// models are the flags that choose between models.
type models struct {
	time, hits, pptMemory, pptCPU, page string
	warm                                bool
}

func (m *models) add(f *pflag.FlagSet) {
	f.StringVar(&m.time, "model", predict.ModelAuto, "model of the time: overlap; bandwidth, of machines that were measured; ppt as in PPT-Multicore; auto takes bandwidth where it can")
	f.StringVar(&m.hits, "hit-model", "", "model of the hits: placed, of sources, by where arrays lie; simulated, of runs and traces, access by access; or sdcm, with lines in sets at random (default placed or simulated)")
	f.BoolVar(&m.warm, "warm", false, "of loops: caches hold what a call of the region before left; else they start empty")
	f.StringVar(&m.page, "page-size", "", "pages of `SIZE`, which physical memory has in any order, so that outer caches place them anywhere; 0 keeps them in order, as huge pages do (default: as the machine was measured, or 4KiB)")
	f.StringVar(&m.pptMemory, "ppt-memory", "contiguous", "memory case of --model ppt: contiguous or noncontiguous")
	f.StringVar(&m.pptCPU, "ppt-cpu", "throughput", "CPU case of --model ppt: throughput or latency")
}

func (m *models) check(given *pflag.FlagSet) error {
	for _, f := range []struct {
		flag, value string
		values      []string
	}{
		{"--model", m.time, predict.Models},
		{"--hit-model", cmp.Or(m.hits, predict.HitModelPlaced), []string{predict.HitModelPlaced, predict.HitModelSimulated, predict.HitModelSDCM}},
		{"--ppt-memory", m.pptMemory, []string{"contiguous", "noncontiguous"}},
		{"--ppt-cpu", m.pptCPU, []string{"throughput", "latency"}},
	} {
		if err := cli.OneOf(f.flag, f.value, f.values...); err != nil {
			return err
		}
	}
	for _, name := range []string{"ppt-memory", "ppt-cpu"} {
		if given.Changed(name) && m.time != predict.ModelPPT {
			return cli.Usagef("--%s is of --model ppt; add that, or leave it out", name)
		}
	}
	if m.warm && given.Changed("miss-ratio") {
		return cli.Usagef("--miss-ratio asks for caches that start empty, --warm for others; leave one of them out")
	}
	_, err := m.pages()
	return err
}

// fits refuses a model of hits that an input has no use for.
func (m *models) fits(in *application.Input) error {
	loops, run := in.Kind == application.Source || in.Kind == application.Module || in.Kind == application.Saved, ""
	if in.Kind == application.Source || in.Kind == application.Module {
		run = ", or run it (--trace)"
	}
	switch {
	case m.hits == predict.HitModelPlaced && !loops:
		return cli.Usagef("--hit-model placed is for loops that are analysed, and %s is a %s; give simulated or sdcm", in.Name, in.Kind)
	case m.warm && !loops:
		return cli.Usagef("--warm is for loops that are analysed, and %s is a %s, whose regions find what the program left in the caches", in.Name, in.Kind)
	case m.hits == predict.HitModelSimulated && loops:
		return cli.Usagef("--hit-model simulated is for accesses that were made, and %s is a %s; give placed or sdcm%s; foresee simulate walks through every access of loops", in.Name, in.Kind, run)
	}
	return nil
}

// pages reads --page-size.
func (m *models) pages() (int64, error) {
	if m.page == "" {
		return 0, nil
	}
	n, err := machine.ParseSize(m.page)
	switch {
	case err != nil:
		return 0, cli.Usagef("--page-size: %w", err)
	case n == 0:
		return predict.InOrder, nil
	case n < 512 || n&(n-1) != 0:
		return 0, cli.Usagef("--page-size %s is no size of pages, such as 4KiB, 64KiB or 2MiB; 0 keeps data in order", m.page)
	}
	return int64(n), nil
}

func (m *models) ppt() timing.PPTOptions {
	return timing.PPTOptions{NonContiguous: m.pptMemory == "noncontiguous", LatencyBound: m.pptCPU == "latency"}
}

func runPredict(cmd *cobra.Command, s *cli.Streams, c *cli.Common, m *models, input string, args []string) error {
	ctx := cmd.Context()
	c.Refuse = m.fits
	c, j, result, failed, err := m.whole(cmd, s, c, input, args, (*cli.Common).UsualThreads)
	if err != nil {
		return err
	}
	defer j.Discard()
	if j.Execution != nil && (result == nil || len(result.Predictions) == 0) {
		return cli.Nothing(j.Execution, failed)
	}
	if failed != nil && (result == nil || j.Streams == nil || !s.Keeps(failed, predictedAccesses(result), &result.Warnings)) {
		return failed
	}
	if result.Predictions, err = cli.KeepRegions(c, j, result.Predictions, func(p predict.Prediction) string { return p.Region }); err != nil {
		return err
	}
	s.Settle(j.Out, failed, j.Missing, &result.Partial, &result.Warnings)
	result.Answer = report.Answer(result, c.Threads == cli.BestThreads)
	if err := writePage(ctx, s, c, j, result); err != nil {
		return err
	}
	return cmp.Or(show(s, c, j, result), failed)
}

// whole predicts an input: of a source that a run told values of, which do not tell all that it does, its program from a recording. It gives the flags by
// which it was, and how the reading ended.
func (m *models) whole(cmd *cobra.Command, s *cli.Streams, c *cli.Common, input string, args []string, usual func(*cli.Common, []*machine.Machine) []int) (
	_ *cli.Common, j *cli.Job, result *predict.PredictionResult, failed, err error,
) {
	begin := func(c *cli.Common, args []string) (*cli.Job, error) {
		return c.Begin(cmd.Context(), s, cmd, input, args, func(all []*machine.Machine) []int { return usual(c, all) })
	}
	j, err = begin(c, args)
	if dataDecide(c, j, err) || err == nil && j.Kind == application.Source && c.Elsewhere() {
		if instead := c.Instead(s, cmd, input, err); instead != nil {
			k, begun := begin(instead, nil)
			var all *predict.PredictionResult
			var ended error
			if begun == nil {
				all, ended = m.predict(cmd.Context(), instead, k)
				ended = k.End(s, ended)
			}
			if all != nil && len(all.Predictions) > 0 && (ended == nil || errors.As(ended, new(*application.ProgramError))) {
				if j != nil {
					k.Out, j.Out = j.Out, k.Out
					j.Discard()
				}
				all.Warnings = append(all.Warnings, ofRecordedRun)
				return instead, k, all, ended, nil
			}
			if k != nil {
				k.Discard()
			}
			if err != nil {
				return nil, nil, nil, nil, errors.Join(err, begun, ended)
			}
			cli.Warn(s.Err, "it could not be recorded: %v", cmp.Or(begun, ended))
		}
	}
	if err != nil {
		return nil, nil, nil, nil, err
	}
	result, failed = m.predict(cmd.Context(), c, j)
	return c, j, result, j.End(s, failed), nil
}

// predict predicts what a job has read.
func (m *models) predict(ctx context.Context, c *cli.Common, j *cli.Job) (*predict.PredictionResult, error) {
	r, err := m.request(c, j)
	if err != nil {
		return nil, err
	}
	return predict.Run(ctx, r)
}

// request is what a job asks for.
func (m *models) request(c *cli.Common, j *cli.Job) (predict.Request, error) {
	options := c.Analysis(j.Progress.Update)
	options.HitModel, options.Warm = m.hits, m.warm
	var err error
	options.Page, err = m.pages()
	return predict.Request{
		Signature: j.Signature, Machines: j.Machines, Threads: j.Threads, Model: m.time, PPT: m.ppt(), Compiler: strings.Fields(c.Compiler), Options: options,
		WithinCores: c.Threads == cli.AllThreads || c.Threads == cli.BestThreads, Fastest: c.Threads == cli.BestThreads,
	}, err
}

func predictedAccesses(r *predict.PredictionResult) cli.Seen {
	read := cli.Seen{}
	for _, p := range r.Predictions {
		read.Add(fmt.Sprint(p.Machine, " ", p.Threads), p.Accesses)
	}
	return read
}

// show prints and draws a prediction.
func show(s *cli.Streams, c *cli.Common, j *cli.Job, r *predict.PredictionResult) error {
	doubts(s, r, c.All || c.Verbose)
	if j.Execution != nil && !j.Execution.ByFunction {
		fmt.Fprintln(s.Err, "foresee: parallel regions are shown; --by function has the code outside them as well")
	}
	if (j.Kind == application.Source || j.Kind == application.Module) && c.Observe == "" && slices.ContainsFunc(r.Predictions, func(p predict.Prediction) bool { return p.LeftOut > 0 }) {
		fmt.Fprintln(s.Err, "foresee: what is left out may be known to a run: --run './program arguments' asks one for sizes and for arrays of subscripts; --trace takes all that it accesses")
	}
	if err := j.Out.WritePlot(func(w io.Writer, format string) error { return figure.Prediction(w, format, r) }); err != nil {
		return err
	}
	return j.Result(s, c.Format,
		func(w io.Writer) error { return report.JSON(w, r) },
		func(w io.Writer) error { return text.PredictionCSV(w, r) },
		func(w io.Writer) error {
			return text.Prediction(w, r, text.Options{Verbose: c.Verbose, All: c.All, Caches: c.MissRatio > 0, More: "--all shows all"})
		})
}

// writePage writes the HTML report, of loops with miss ratio curves as well; accesses that were made would have to be read once more for them.
func writePage(ctx context.Context, s *cli.Streams, c *cli.Common, j *cli.Job, r *predict.PredictionResult) error {
	if j.Out.HTML == nil {
		return nil
	}
	var curves *predict.CurveResult
	if j.Streams == nil {
		progress := terminal.NewBar(s.Err)
		defer progress.Clear()
		var err error
		curves, err = predict.Curves(ctx, predict.CurveRequest{
			Signature: j.Signature, Machines: j.Machines, Threads: ends(j.Threads), Scope: "shared", Options: c.Analysis(progress.Update),
		})
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			cli.Warn(s.Err, "the page has no miss ratio curves: %v", err)
		}
	}
	contents := page.Contents{Command: remedy.CommandLine(s.Args), Prediction: r, Curves: curves, Machines: j.Machines}
	return j.Out.WritePage(func(w io.Writer) error { return page.Prediction(w, contents) })
}

// ends keeps the fewest and the most threads.
func ends(threads []int) []int {
	if len(threads) < 2 {
		return threads
	}
	return []int{threads[0], threads[len(threads)-1]}
}

// doubts prints what a result rests on in one block, each once: what decides, or all.
func doubts(s *cli.Streams, r *predict.PredictionResult, all bool) {
	said := answer.General
	if all {
		said = nil
	}
	shown, rest := answer.Doubts(r, said)
	s.Knows(r.Warnings)
	for _, d := range shown {
		cli.Warn(s.Err, "%s%s", d.Text, about(d.Regions))
	}
	if rest > 0 {
		fmt.Fprintf(s.Err, "foresee: warnings that decide nothing here: %d; --all shows them\n", rest)
	}
}

// about says what a warning is of; nothing where it is of all, or names it itself.
func about(regions []string) string {
	switch len(regions) {
	case 0:
		return ""
	case 1:
		return " (" + regions[0] + ")"
	}
	return fmt.Sprintf(" (%s and %d more)", regions[0], len(regions)-1)
}
