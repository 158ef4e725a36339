package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"foresee/application/csource"
	"foresee/application/trace"
	"foresee/machine"
	"foresee/model/timing"
	"foresee/predict"
	"foresee/report"
)

func predictCommand(s *streams) *cobra.Command {
	c, m, r := &common{}, &models{}, &recordFlags{}
	cmd := &cobra.Command{
		Use:   "predict [flags] FILE.c|NAME.sig.json|PROGRAM|RECORDING [-- ARGUMENTS]",
		Short: "hit rates, time, speed-up and the bound, per machine and thread count",
		Long: "predict reads a C file with OpenMP and predicts, for each region, machine and number of threads, the hit rates\n" +
			"of the caches, the time with its interval, the speed-up and what bounds it. Nothing is compiled or run.\n\n" +
			"With --trace it compiles the source, runs it and traces it instead; a program that foresee cc built is run likewise, and a\n" +
			"recording of foresee trace is replayed. One run serves all numbers of threads.",
		Example: "  foresee predict --machine i7-5960x --threads 1,2,4,8 gemm.c\n" +
			"  foresee predict --machine i7-5960x --machine zen4 --threads 1,8 --format csv gemm.c\n" +
			"  foresee predict --machine i7-5960x --threads 1,8 --miss-ratio 0.02 gemm.c\n" +
			"  foresee predict --machine i7-5960x --threads 1-4 -DN=128 --by loop --html gemm.html gemm.c",
		Args: inputWithArguments("C file, signature, program or recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			operands, rest := splitArguments(args, cmd.ArgsLenAtDash())
			if r.isRun(operands[0]) {
				if err := m.checkRun(r); err != nil {
					return err
				}
				return runPredictRun(cmd.Context(), s, c, m, r, operands[0], rest)
			}
			if err := cmp.Or(m.check(), r.onlyRuns(rest)); err != nil {
				return err
			}
			return runPredict(cmd.Context(), s, c, m, operands[0])
		},
	}
	r.add(cmd.Flags())
	r.addDealing(cmd.Flags())
	cmd.Flags().BoolVar(&m.partial, "partial", false, "of a recording that was cut off, take what is whole")
	c.add(cmd.Flags())
	c.addThreads(cmd.Flags())
	cmd.Flags().StringVar(&c.html, "html", "", "write one self-contained page into `FILE`")
	m.add(cmd.Flags())
	cmd.Flags().Var(&c.missRatio, "miss-ratio", "`SHARE` of the accesses, such as 0.02 or 2%, that a shared cache may miss: for the smallest one, and the threads that overflow the machine's (default: a percentage point more than one thread misses)")
	return cmd
}

// models are the flags that choose between models.
type models struct {
	time, hits, pptMemory, pptCPU, page string
	partial                             bool // of recordings
}

func (m *models) add(f *pflag.FlagSet) {
	f.StringVar(&m.time, "model", predict.ModelAuto, "model of the time: overlap; bandwidth, of machines that were measured; ppt as in PPT-Multicore; auto takes bandwidth where it can")
	f.StringVar(&m.hits, "hit-model", "", "model of the hits: placed, or sdcm with lines in sets at random; of a recorded run simulated or sdcm (default placed; of a recorded run simulated)")
	f.StringVar(&m.page, "page-size", "", "pages of `SIZE`, which physical memory has in any order, so that outer caches place them anywhere; 0 keeps them in order, as huge pages do (default: as the machine was measured, or 4KiB)")
	f.StringVar(&m.pptMemory, "ppt-memory", "contiguous", "memory case of --model ppt: contiguous or noncontiguous")
	f.StringVar(&m.pptCPU, "ppt-cpu", "throughput", "CPU case of --model ppt: throughput or latency")
}

func (m *models) check() error {
	for _, f := range []struct {
		flag, value string
		values      []string
	}{
		{"--model", m.time, predict.Models},
		{"--hit-model", cmp.Or(m.hits, predict.HitModelPlaced), []string{predict.HitModelPlaced, predict.HitModelSDCM}},
		{"--ppt-memory", m.pptMemory, []string{"contiguous", "noncontiguous"}},
		{"--ppt-cpu", m.pptCPU, []string{"throughput", "latency"}},
	} {
		if err := oneOf(f.flag, f.value, f.values...); err != nil {
			return err
		}
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
		return 0, usageError{fmt.Errorf("--page-size: %w", err)}
	case n == 0:
		return predict.InOrder, nil
	case n < 512 || n&(n-1) != 0:
		return 0, usagef("--page-size %s is no size of pages, such as 4KiB, 64KiB or 2MiB; 0 keeps data in order", m.page)
	}
	return int64(n), nil
}

func (m *models) ppt() timing.PPTOptions {
	return timing.PPTOptions{NonContiguous: m.pptMemory == "noncontiguous", LatencyBound: m.pptCPU == "latency"}
}

// job is what a verb works on.
type job struct {
	input    string
	unit     *csource.Unit
	machines []*machine.Machine
	threads  []int
	out      *outputs
	trace    *traceInput // instead of a unit with programs
	run      *runInput   // likewise
}

// source is the trace, if it is one.
func (j *job) source(progress func(done, total int)) trace.Source {
	if j.trace == nil {
		return nil
	}
	j.trace.read.report = progress
	return j.trace
}

func (j *job) finish(s *streams, failed error) error {
	if j.run != nil {
		return j.run.finish(s, failed)
	}
	if j.trace == nil {
		return failed
	}
	return j.trace.finish(s, failed)
}

// damage says what of the input was not taken, "" if all was.
func (j *job) damage() string {
	if j.run != nil {
		return j.run.missing
	}
	return j.trace.damage()
}

func (j *job) discard() {
	j.out.discard()
	if j.trace != nil {
		j.trace.close()
	}
	if j.run != nil {
		j.run.close()
	}
}

// prepare checks the flags, reads machines and program, and begins the output files.
func (c *common) prepare(s *streams, input string) (*job, error) {
	j := &job{}
	err := c.check()
	if err != nil {
		return nil, err
	}
	if c.threads != "" {
		if _, err := parseThreads(c.threads); err != nil {
			return nil, err
		}
	}
	if err = isThere(input); err != nil {
		return nil, err
	}
	if j.machines, err = c.loadMachines(); err != nil {
		return nil, err
	}
	if j.threads, err = c.threadList(j.machines); err != nil {
		return nil, err
	}
	if j.input, j.unit, err = c.load(s, input); err != nil {
		return nil, err
	}
	j.out, err = c.open()
	return j, err
}

// checkRun checks the models for a recorded run.
func (m *models) checkRun(r *recordFlags) error {
	if err := oneOf("--hit-model", cmp.Or(m.hits, predict.HitModelSimulated), predict.HitModelSimulated, predict.HitModelSDCM); err != nil {
		return err
	}
	if err := oneOf("--method", r.dealing, dealCut, dealMimic); err != nil {
		return err
	}
	hits := m.hits
	m.hits = ""
	_, failed := m.pages()
	err := cmp.Or(m.check(), failed)
	m.hits = hits
	return err
}

// runPredictRun predicts from a recorded run.
func runPredictRun(ctx context.Context, s *streams, c *common, m *models, r *recordFlags, input string, args []string) error {
	j, err := c.prepareRun(ctx, s, r, m.partial, input, args, nil)
	if err != nil {
		return err
	}
	defer j.discard()
	options := c.options(nil)
	options.HitModel = m.hits
	if options.Page, err = m.pages(); err != nil {
		return err
	}
	result, failed := predict.Run(ctx, predict.Request{
		Input: j.input, Recording: j.run.recording(s, r, c, r.dealing), Machines: j.machines, Threads: j.threads, Model: m.time, PPT: m.ppt(), Options: options,
	})
	failed = j.finish(s, failed)
	if result == nil || len(result.Predictions) == 0 {
		return cmp.Or(failed, errNoRegions(input, j))
	}
	if failed != nil && !s.keeps(failed, 1, &result.Warnings) {
		return failed
	}
	if result.Predictions, err = ofRegions(c.regions, result.Predictions, func(p predict.Prediction) string { return p.Region }); err != nil {
		return err
	}
	s.settle(j.out, failed, j.damage(), &result.Partial, &result.Warnings)
	page := report.Page{Command: commandLine(s.args), Prediction: result, Machines: j.machines} // without curves, for which the program would have to run again
	if err := j.out.writePage(func(w io.Writer) error { return report.HTML(w, page) }); err != nil {
		return err
	}
	return cmp.Or(j.show(s, c, result), failed)
}

// errNoRegions says why a run shows nothing.
func errNoRegions(input string, j *job) error {
	if j.run != nil && j.run.byFunction {
		return fmt.Errorf("%s: no accesses were recorded; compile with foresee cc what is to be seen", input)
	}
	if j.run != nil && j.run.counted {
		return fmt.Errorf("%s: no parallel region ran; --counts sees those of gcc's or clang's OpenMP as a shared library; --valgrind sees the accesses of any program", input)
	}
	return fmt.Errorf("%s: no parallel region ran; --by function shows the functions of a program without OpenMP (compile with -fopenmp what uses it)", input)
}

func runPredict(ctx context.Context, s *streams, c *common, m *models, input string) error {
	j, err := c.prepare(s, input)
	if err != nil {
		return err
	}
	defer j.out.discard()
	progress := newBar(s.err)
	options := c.options(progress.update)
	options.HitModel = m.hits
	if options.Page, err = m.pages(); err != nil {
		return err
	}
	r, err := predict.Run(ctx, predict.Request{
		Input: j.input, Programs: j.unit.Programs, Warnings: j.unit.Warnings,
		Machines: j.machines, Threads: j.threads, Model: m.time, PPT: m.ppt(), Options: options,
	})
	progress.clear()
	if err != nil {
		return err
	}
	if err := j.page(ctx, s, c, r); err != nil {
		return err
	}
	return j.show(s, c, r)
}

// show prints and draws a prediction.
func (j *job) show(s *streams, c *common, r *predict.PredictionResult) error {
	s.warnings(r.Warnings)
	s.predictionWarnings(r.Predictions)
	if err := j.out.writePlot(func(w io.Writer, format string) error { return report.PlotPrediction(w, format, r) }); err != nil {
		return err
	}
	return j.out.writeResult(s.out, func(w io.Writer) error {
		switch c.format {
		case "json":
			return report.JSON(w, r)
		case "csv":
			return report.PredictionCSV(w, r)
		}
		return report.PredictionText(w, r, report.TextOptions{Verbose: c.verbose})
	})
}

// page writes the HTML report, with miss ratio curves of the same program.
func (j *job) page(ctx context.Context, s *streams, c *common, r *predict.PredictionResult) error {
	if j.out.html == nil {
		return nil
	}
	progress := newBar(s.err)
	defer progress.clear()
	curves, err := predict.Curves(ctx, predict.CurveRequest{
		Input: j.input, Programs: j.unit.Programs, Machines: j.machines, Threads: ends(j.threads), Scope: "shared",
		Options: c.options(progress.update),
	})
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		warn(s.err, "the page has no miss ratio curves: %v", err)
	}
	page := report.Page{Command: commandLine(s.args), Prediction: r, Curves: curves, Machines: j.machines}
	return j.out.writePage(func(w io.Writer) error { return report.HTML(w, page) })
}

// ends keeps the fewest and the most threads.
func ends(threads []int) []int {
	if len(threads) < 2 {
		return threads
	}
	return []int{threads[0], threads[len(threads)-1]}
}

func (s *streams) warnings(all []string) {
	for _, w := range all {
		warn(s.err, "%s", w)
	}
}

// predictionWarnings prints each message once, with the first prediction that has it.
func (s *streams) predictionWarnings(all []predict.Prediction) {
	count := map[string]int{}
	for _, p := range all {
		for _, w := range p.Warnings {
			count[w]++
		}
	}
	for _, p := range all {
		for _, w := range p.Warnings {
			n, ok := count[w]
			if !ok {
				continue
			}
			delete(count, w)
			more := ""
			if n > 1 {
				more = fmt.Sprintf(" and %d more", n-1)
			}
			warn(s.err, "%s (%s on %s with threads=%d%s)", w, p.Region, p.Machine, p.Threads, more)
		}
	}
}
