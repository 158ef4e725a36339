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

	"foresee/application"
	"foresee/application/record"
	"foresee/application/recording"
	"foresee/application/trace"
	"foresee/cmd/foresee/cli"
	"foresee/internal/output"
	"foresee/predict"
	"foresee/report"
	"foresee/report/text"
)

// tracing are the flags of trace.
type tracing struct {
	cli.Common
	valgrind, counts bool
	as               string
}

func traceCommand(s *cli.Streams) *cobra.Command {
	t := &tracing{}
	cmd := &cobra.Command{
		Use:   "trace [flags] FILE.c|PROGRAM|RECORDING [-- ARGUMENTS]",
		Short: "runs an instrumented program (or a plain binary) and keeps the trace",
		Long: "trace runs a program that foresee cc built, or compiles and runs a C or C++ source, and tells what its parallel regions did:\n" +
			"accesses, bytes, operations, arrays. With -o FILE it keeps the recording, which predict, mrc, profile and simulate replay\n" +
			"at any number of threads; they can also run the program themselves, and keep nothing.\n\n" +
			"The program's output is its own. The table goes to standard error; with --format json or csv it goes to standard output, and\n" +
			"what the program prints to standard error.",
		Example: "  foresee trace gemm.c\n" +
			"  foresee trace -o gemm.rec -D SMALL gemm.c\n" +
			"  foresee trace --threads 4 --as text -o gemm.trace -D MINI gemm.c",
		Args: cli.InputWithArguments("C file, program or recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			operands, rest := cli.SplitArguments(args, cmd.ArgsLenAtDash())
			return t.runVerb(cmd, s, operands, rest)
		},
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if cmd.ArgsLenAtDash() == 0 && len(args) > 0 { // foresee trace -- ./program arguments
			return nil
		}
		return cli.InputWithArguments("C file, program or recording")(cmd, args)
	}
	f := cmd.Flags()
	t.AddSource(f)
	f.StringVar(&t.Compile, "compile", application.UsualFlags, cli.CompileUsage)
	f.StringVar(&t.Compiler, "cc", "", cli.RunCompilerUsage)
	f.StringVar(&t.Threads, "threads", "", "numbers of threads that the recording can be dealt to: a `LIST` such as 1,2,4,8 (default: 1,2,3,4,6,8,12,16,24,32,48,64)")
	f.StringVar(&t.Checking, "check", string(application.CheckAuto), cli.CheckUsage)
	f.Var(&t.AtThreads, "at-threads", cli.AtUsage)
	f.StringVarP(&t.Output, "output", "o", "", "keep the recording in `FILE`")
	f.StringVar(&t.as, "as", "", "with -o: write a trace of the accesses instead, in the order of the threads of --threads: "+strings.Join(trace.Writable(), ", "))
	f.StringVar(&t.Interleave, "interleave", "", "with --as: how threads' accesses mix: uniform (at random) or round-robin (default)")
	f.Uint64Var(&t.Seed, "seed", 1, "with --interleave uniform: `NUMBER` that starts it")
	f.StringVar(&t.Format, "format", "text", "of the table: text, json or csv")
	f.BoolVar(&t.valgrind, "valgrind", false, "a program as it is, under valgrind: one thread at a time, slow, no regions, no operations")
	f.BoolVar(&t.counts, "counts", false, "a program as it is that uses gcc's or clang's OpenMP as a shared library: regions and iterations, no accesses")
	f.BoolVar(&t.Partial, "partial", false, cli.PartialUsage)
	return cmd
}

func (t *tracing) runVerb(cmd *cobra.Command, s *cli.Streams, operands, rest []string) error {
	if len(operands) == 0 {
		operands, rest = rest[:1], rest[1:]
	}
	if err := cmp.Or(t.Common.Check(), t.checkOutput()); err != nil {
		return err
	}
	switch {
	case t.valgrind && t.counts:
		return cli.Usagef("--valgrind and --counts are two ways; give one")
	case t.counts && t.By != "":
		return cli.Usagef("--by: --counts sees parallel regions alone; leave out --by, or --counts with a program that foresee cc built")
	case t.valgrind:
		return t.runValgrind(cmd.Context(), s, operands[0], rest)
	case t.counts: // any program, found as a shell finds it
		return t.runRecorded(cmd.Context(), s, &application.Input{Name: operands[0], Path: operands[0], Kind: application.Program}, rest)
	}
	in, err := t.Find(cmd.Context(), s, operands[0])
	if err != nil {
		return err
	}
	defer in.Close()
	if in.Kind == application.Source || in.Kind == application.Module {
		in.Compile()
	}
	if err := cli.CheckInput(cmd, in, rest); err != nil {
		return err
	}
	return t.runRecorded(cmd.Context(), s, in, rest)
}

func (t *tracing) checkOutput() error {
	if t.Output == "-" {
		return cli.Usagef("-o -: standard output is the program's; name a file")
	}
	if t.as == "" {
		return nil
	}
	if t.Output == "" {
		return cli.Usagef("--as %s: say where to write it: -o FILE", t.as)
	}
	return cli.OneOf("--as", t.as, trace.Writable()...)
}

func (t *tracing) runRecorded(ctx context.Context, s *cli.Streams, input *application.Input, args []string) error {
	threads, err := t.ThreadsOfRun(t.Common.Threads)
	if err != nil {
		return err
	}
	if threads == nil {
		threads = []int{1}
	}
	cuts := threads
	if t.Common.Threads == "" && t.Output != "" && t.as == "" {
		cuts = nil // those of record.DefaultCuts
	}
	if t.as != "" && len(threads) != 1 {
		return cli.Usagef("--threads %s: a trace is of one number of threads", t.Common.Threads)
	}
	if t.as != "" && threads[0] > 1 && !slices.Contains(trace.Complete(), t.as) {
		return cli.Usagef("--as %s: the format has no threads; write %s, or leave out --threads", t.as, strings.Join(trace.Complete(), " or "))
	}
	out, err := t.Common.Open()
	if err != nil {
		return err
	}
	defer out.Discard()
	how := t.Running(s, cuts, args, t.stdout(s))
	how.Counted = t.counts
	e, err := input.Execute(ctx, how)
	if err != nil {
		return err
	}
	defer e.Close()
	e.Partial = t.Partial
	if threads, err = cli.ThreadsThatRan(e, t.Common.Threads, threads); err != nil {
		return err
	}
	switch {
	case e.Separate():
		return t.eachAlone(ctx, s, e, out, threads)
	case t.as != "":
		return t.convert(ctx, s, e, out, threads[0])
	}
	return t.keep(ctx, s, e, e.Finish, out)
}

// stdout is where the program's output goes: the table takes standard output where it is for other programs.
func (t *tracing) stdout(s *cli.Streams) io.Writer {
	if t.Format != "text" {
		return s.Programs.Err
	}
	return s.Programs.Out
}

// eachAlone runs the program with each number of threads, one after the other, and shows what each did.
func (t *tracing) eachAlone(ctx context.Context, s *cli.Streams, e *application.Execution, out *cli.Outputs, threads []int) error {
	why := e.Decisive()
	switch {
	case t.Output != "":
		return cli.Usagef("%s: %s, and a recording holds one of them: give one number to --threads", e.Name, why)
	case t.Format != "text":
		return cli.Usagef("%s: %s, and a result is of one of them: give one number to --threads", e.Name, why)
	}
	var none error // of a number of threads without regions
	some := false  // others have them
	for i, n := range threads {
		if _, _, err := e.Begin(n); err != nil {
			return err
		}
		if i > 0 {
			why = ""
		}
		switch err := t.keepWith(ctx, s, e, e.Finish, out, why); {
		case errors.As(err, new(emptyRun)):
			none = err
		case err != nil:
			return err
		default:
			some = true
		}
	}
	if none != nil && some {
		cli.Warn(s.Err, "%v", none)
		return nil
	}
	return none
}

// emptyRun is a run that shows nothing.
type emptyRun struct{ error }

// Unwrap gives why.
func (e emptyRun) Unwrap() error { return e.error }

// keep reads the run to its end, writes the recording where one is wanted, and shows what the regions did.
func (t *tracing) keep(ctx context.Context, s *cli.Streams, e *application.Execution, finish func(error) (application.Ending, error), out *cli.Outputs) error {
	return t.keepWith(ctx, s, e, finish, out, e.Decisive())
}

// keepWith is keep that says first why the program is run as it is.
func (t *tracing) keepWith(ctx context.Context, s *cli.Streams, e *application.Execution, finish func(error) (application.Ending, error), out *cli.Outputs, why string) error {
	var failed error
	var result *predict.ActivityResult
	read := func(src recording.Source) error {
		r := &application.Recorded{Source: src, ByFunction: e.ByFunction}
		result, failed = predict.Activities(ctx, e.Name, r, t.Analysis(nil), max(int(t.AtThreads), e.Threads(), 1))
		if recording.IsDamaged(failed) || result == nil {
			return e.Named(failed)
		}
		return nil
	}
	var err, cut error
	end := func() {
		ended, err := finish(failed)
		failed = cmp.Or(err, cut)
		s.Settle(out, failed, ended.Missing, &result.Partial, &result.Warnings)
	}
	if out.Result != nil {
		err = out.Result.Finish(func(w io.Writer) error {
			writer, err := recording.NewWriter(w)
			if err != nil {
				return err
			}
			tee := &recording.Tee{Source: e.Source(), Writer: writer}
			if err := read(tee); err != nil {
				return output.Unkept{Err: err}
			}
			if cut = cmp.Or(tee.Failed, writer.Close()); cut != nil {
				cut = fmt.Errorf("%s: %w; what is kept holds the recording until there: read it with --partial", t.Output, output.OnDisk(out.Result.Place(), cli.Cause(cut)))
				out.AreParts(s.Err)
			}
			if end(); failed != nil && !keepable(failed) && failed != cut {
				return output.Unkept{Err: failed}
			}
			return nil // what was written is kept
		})
	} else if err = read(e.Source()); err == nil {
		end()
	}
	if err != nil {
		return err
	}
	if failed != nil && failed != cut && !keepable(failed) {
		return failed
	}
	if why != "" {
		cli.Warn(s.Err, "%s", why)
	}
	s.Warnings(result.Warnings)
	if len(result.Regions) == 0 && (failed == nil || errors.As(failed, new(*application.ProgramError))) {
		none := cli.NoRegions(e)
		again := (*cli.NoRegionsError)(nil)
		switch {
		case errors.As(none, &again) && again.Functions:
			return emptyRun{none}
		case failed != nil:
			return cmp.Or(t.show(s, result), failed)
		case t.Output != "": // with other numbers of threads it may open some
			cli.Warn(s.Err, "%v", none)
			return nil
		}
		return emptyRun{none}
	}
	return cmp.Or(t.show(s, result), failed)
}

// keepable says whether what a run did until it failed is kept.
func keepable(failed error) bool {
	return errors.Is(failed, context.Canceled) || errors.As(failed, new(*application.ProgramError))
}

// show prints what regions did.
func (t *tracing) show(s *cli.Streams, result *predict.ActivityResult) error {
	switch t.Format {
	case "json":
		return report.JSON(s.Out, result)
	case "csv":
		return text.ActivityCSV(s.Out, result)
	}
	return text.Activity(s.Err, result)
}

// convert writes the accesses of a number of threads as a trace.
func (t *tracing) convert(ctx context.Context, s *cli.Streams, e *application.Execution, out *cli.Outputs, threads int) error {
	options := t.Analysis(nil)
	dealing := application.Dealing{Interleave: options.Interleave, Seed: options.Seed}
	r := &application.Recorded{Source: e.Source(), ByFunction: e.ByFunction}
	return r.Each(ctx, dealing, []int{threads}, func(ctx context.Context, _ int, team application.Team, _ int) error {
		missing, failed, err := t.write(ctx, s, e, team, out, threads)
		if err != nil {
			return err
		}
		if missing != "" {
			cli.Warn(s.Err, "%s", missing)
		}
		if len(team.Ran().Regions()) == 0 {
			cli.Warn(s.Err, "%v", cli.NoRegions(e))
		}
		return failed
	})
}

// write copies the accesses of a team; failed is how the run ended, where what was written is kept nevertheless.
func (t *tracing) write(ctx context.Context, s *cli.Streams, e *application.Execution, team application.Team, out *cli.Outputs, threads int) (missing string, failed, err error) {
	err = out.Result.Finish(func(w io.Writer) error {
		sink, err := trace.Create(w, t.as, map[string]string{"program": e.Name, "threads": fmt.Sprint(threads)})
		if err != nil {
			return err
		}
		_, failed = trace.Copy(sink, contextSource{ctx, plainFor(t.as, team)})
		var ended application.Ending
		ended, failed = e.Finish(failed)
		missing = ended.Missing
		switch {
		case failed != nil && !keepable(failed):
			return output.Unkept{Err: e.Named(failed)}
		case cli.EndedEarly(failed):
			out.AreParts(s.Err)
			return trace.CutOff(sink)
		case missing != "":
			return trace.CutOff(sink)
		}
		return sink.Close()
	})
	return missing, failed, err
}

// plainFor leaves out regions, barriers and objects, where a format has none.
func plainFor(format string, src trace.Source) trace.Source {
	if slices.Contains(trace.Complete(), format) {
		return src
	}
	return plainSource{src}
}

type plainSource struct{ trace.Source }

func (p plainSource) Names() *trace.Names { return &trace.Names{} }

func (p plainSource) Read(events []trace.Event) (int, error) {
	n, err := p.Source.Read(events)
	kept := 0
	for _, e := range events[:n] {
		if e.IsAccess() {
			events[kept] = e
			kept++
		}
	}
	return kept, err
}

// contextSource ends when the command is interrupted.
type contextSource struct {
	ctx context.Context
	trace.Source
}

func (c contextSource) Read(events []trace.Event) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.Source.Read(events)
}

// runValgrind traces a program as it is.
func (t *tracing) runValgrind(ctx context.Context, s *cli.Streams, input string, args []string) error {
	if t.AtThreads != 0 || t.Common.Threads != "" || t.By != "" || len(t.Defines)+len(t.Includes) > 0 {
		return cli.Usagef("--valgrind runs a program as it is, as one thread; --threads, --at-threads, --by, -D and -I do not go with it")
	}
	if !slices.Contains([]string{"text", "json", "csv"}, t.Format) {
		return cli.CheckFormat(t.Format)
	}
	out, err := t.Common.Open()
	if err != nil {
		return err
	}
	defer out.Discard()
	p, err := record.StartValgrind(ctx, record.Run{Program: input, Args: args, Stdin: s.In, Stdout: t.stdout(s), Stderr: s.Programs.Err})
	if err != nil {
		return err
	}
	defer p.Close()
	cli.Warn(s.Err, "valgrind runs one thread at a time and does not say which: all accesses are taken as of one thread; instructions are its translation of the program's, register spills and library code among them")
	count := func(src trace.Source) (result *predict.ActivityResult, failed error) {
		result, failed = predict.TraceActivity(ctx, src)
		ended := p.Wait()
		if failed != nil && len(result.Regions) == 0 && ctx.Err() == nil {
			return nil, fmt.Errorf("%s: valgrind recorded nothing (%w); valgrind --tool=lackey %s says why: some versions cannot read DWARF 5, then build with -gdwarf-4", input, cmp.Or(ended, failed), input)
		}
		if ended != nil && failed == nil {
			failed = application.NewProgramError(ended)
		}
		result.Input, result.Command = input, input
		s.Settle(out, failed, "", &result.Partial, &result.Warnings)
		return result, failed
	}
	result, failed, err := t.countTrace(p, out, count)
	if err != nil || result == nil {
		return cmp.Or(err, failed)
	}
	s.Warnings(result.Warnings)
	return cmp.Or(t.show(s, result), failed)
}

// countTrace counts the accesses of a trace, and writes it where that is wanted. Without a result, nothing is kept.
func (t *tracing) countTrace(src trace.Source, out *cli.Outputs, count func(trace.Source) (*predict.ActivityResult, error)) (result *predict.ActivityResult, failed, err error) {
	if out.Result == nil {
		result, failed = count(src)
		return result, failed, nil
	}
	err = out.Result.Finish(func(w io.Writer) error {
		sink, err := trace.Create(w, cmp.Or(t.as, "native"), nil)
		if err != nil {
			return err
		}
		switch result, failed = count(&copied{src, sink}); {
		case result == nil:
			return output.Unkept{Err: failed}
		case failed == nil || !cli.EndedEarly(failed):
			return sink.Close()
		}
		return trace.CutOff(sink)
	})
	return result, failed, err
}

// copied writes what is read through it.
type copied struct {
	trace.Source
	sink trace.Sink
}

func (c *copied) Read(events []trace.Event) (int, error) {
	n, err := c.Source.Read(events)
	if n > 0 {
		if e := c.sink.Write(events[:n]); e != nil {
			return 0, e
		}
	}
	return n, err
}
