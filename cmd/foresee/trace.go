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
	"foresee/internal/output"
	"foresee/predict"
	"foresee/report"
	"foresee/report/text"
)

// tracing are the flags of trace.
type tracing struct {
	common
	valgrind, counts bool
	as               string
}

func traceCommand(s *streams) *cobra.Command {
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
		Args: inputWithArguments("C file, program or recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			operands, rest := splitArguments(args, cmd.ArgsLenAtDash())
			return t.runVerb(cmd, s, operands, rest)
		},
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if cmd.ArgsLenAtDash() == 0 && len(args) > 0 { // foresee trace -- ./program arguments
			return nil
		}
		return inputWithArguments("C file, program or recording")(cmd, args)
	}
	f := cmd.Flags()
	t.addSource(f)
	f.StringVar(&t.compile, "compile", usualFlags, compileUsage)
	f.StringVar(&t.threads, "threads", "", "numbers of threads that the recording can be dealt to: a `LIST` such as 1,2,4,8 (default: 1,2,3,4,6,8,12,16,24,32,48,64)")
	f.StringVar(&t.checking, "check", string(application.CheckAuto), checkUsage)
	f.Var(&t.atThreads, "at-threads", atUsage)
	f.StringVarP(&t.output, "output", "o", "", "keep the recording in `FILE`")
	f.StringVar(&t.as, "as", "", "with -o: write a trace of the accesses instead, in the order of the threads of --threads: "+strings.Join(trace.Writable(), ", "))
	f.StringVar(&t.interleave, "interleave", "", "with --as: how threads' accesses mix: uniform (at random) or round-robin (default)")
	f.Uint64Var(&t.seed, "seed", 1, "with --interleave uniform: `NUMBER` that starts it")
	f.StringVar(&t.format, "format", "text", "of the table: text, json or csv")
	f.BoolVar(&t.valgrind, "valgrind", false, "a program as it is, under valgrind: one thread at a time, slow, no regions, no operations")
	f.BoolVar(&t.counts, "counts", false, "a program as it is that uses gcc's or clang's OpenMP as a shared library: regions and iterations, no accesses")
	f.BoolVar(&t.partial, "partial", false, partialUsage)
	return cmd
}

func (t *tracing) runVerb(cmd *cobra.Command, s *streams, operands, rest []string) error {
	if len(operands) == 0 {
		operands, rest = rest[:1], rest[1:]
	}
	if err := cmp.Or(t.common.check(), t.checkOutput()); err != nil {
		return err
	}
	switch {
	case t.valgrind && t.counts:
		return usagef("--valgrind and --counts are two ways; give one")
	case t.counts && t.by != "":
		return usagef("--by: --counts sees parallel regions alone; leave out --by, or --counts with a program that foresee cc built")
	case t.valgrind:
		return t.runValgrind(cmd.Context(), s, operands[0], rest)
	case t.counts: // any program, found as a shell finds it
		return t.runRecorded(cmd.Context(), s, &application.Input{Name: operands[0], Path: operands[0], Kind: program}, rest)
	}
	in, err := t.find(cmd.Context(), s, operands[0])
	if err != nil {
		return err
	}
	defer in.Close()
	if in.Kind == source || in.Kind == module {
		in.Compile()
	}
	if err := checkInput(cmd, in, rest); err != nil {
		return err
	}
	return t.runRecorded(cmd.Context(), s, in, rest)
}

func (t *tracing) checkOutput() error {
	if t.output == "-" {
		return usagef("-o -: standard output is the program's; name a file")
	}
	if t.as == "" {
		return nil
	}
	if t.output == "" {
		return usagef("--as %s: say where to write it: -o FILE", t.as)
	}
	return oneOf("--as", t.as, trace.Writable()...)
}

func (t *tracing) runRecorded(ctx context.Context, s *streams, input *application.Input, args []string) error {
	threads, err := t.threadsOfRun(t.common.threads)
	if err != nil {
		return err
	}
	if threads == nil {
		threads = []int{1}
	}
	cuts := threads
	if t.common.threads == "" && t.output != "" && t.as == "" {
		cuts = nil // those of record.DefaultCuts
	}
	if t.as != "" && len(threads) != 1 {
		return usagef("--threads %s: a trace is of one number of threads", t.common.threads)
	}
	if t.as != "" && threads[0] > 1 && !slices.Contains(trace.Complete(), t.as) {
		return usagef("--as %s: the format has no threads; write %s, or leave out --threads", t.as, strings.Join(trace.Complete(), " or "))
	}
	out, err := t.common.open()
	if err != nil {
		return err
	}
	defer out.discard()
	how := t.running(s, cuts, args, t.stdout(s))
	how.Counted = t.counts
	e, err := input.Execute(ctx, how)
	if err != nil {
		return err
	}
	defer e.Close()
	e.Partial = t.partial
	if threads, err = threadsThatRan(e, t.common.threads, threads); err != nil {
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
func (t *tracing) stdout(s *streams) io.Writer {
	if t.format != "text" {
		return s.programs.err
	}
	return s.programs.out
}

// eachAlone runs the program with each number of threads, one after the other, and shows what each did.
func (t *tracing) eachAlone(ctx context.Context, s *streams, e *application.Execution, out *outputs, threads []int) error {
	why := e.Decisive()
	switch {
	case t.output != "":
		return usagef("%s: %s, and a recording holds one of them: give one number to --threads", e.Name, why)
	case t.format != "text":
		return usagef("%s: %s, and a result is of one of them: give one number to --threads", e.Name, why)
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
		warn(s.err, "%v", none)
		return nil
	}
	return none
}

// emptyRun is a run that shows nothing.
type emptyRun struct{ error }

// keep reads the run to its end, writes the recording where one is wanted, and shows what the regions did.
func (t *tracing) keep(ctx context.Context, s *streams, e *application.Execution, finish func(error) (application.Ending, error), out *outputs) error {
	return t.keepWith(ctx, s, e, finish, out, e.Decisive())
}

// keepWith is keep that says first why the program is run as it is.
func (t *tracing) keepWith(ctx context.Context, s *streams, e *application.Execution, finish func(error) (application.Ending, error), out *outputs, why string) error {
	var failed error
	var result *predict.ActivityResult
	read := func(src recording.Source) error {
		r := &application.Recorded{Source: src, ByFunction: e.ByFunction}
		result, failed = predict.Activities(ctx, e.Name, r, t.analysis(nil), max(int(t.atThreads), e.Threads(), 1))
		if recording.IsDamaged(failed) || result == nil {
			return e.Named(failed)
		}
		return nil
	}
	var err, cut error
	end := func() {
		ended, err := finish(failed)
		failed = cmp.Or(err, cut)
		s.settle(out, failed, ended.Missing, &result.Partial, &result.Warnings)
	}
	if out.result != nil {
		err = out.result.Finish(func(w io.Writer) error {
			writer, err := recording.NewWriter(w)
			if err != nil {
				return err
			}
			tee := &recording.Tee{Source: e.Source(), Writer: writer}
			if err := read(tee); err != nil {
				return output.Unkept{Err: err}
			}
			if cut = cmp.Or(tee.Failed, writer.Close()); cut != nil {
				cut = fmt.Errorf("%s: %w; what is kept holds the recording until there: read it with --partial", t.output, output.OnDisk(out.result.Place(), cause(cut)))
				out.areParts(s.err)
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
		warn(s.err, "%s", why)
	}
	s.warnings(result.Warnings)
	if len(result.Regions) == 0 && failed == nil {
		if t.output != "" { // with other numbers of threads it may open some
			warn(s.err, "%v", errNoRegions(e))
			return nil
		}
		return emptyRun{errNoRegions(e)}
	}
	return cmp.Or(t.show(s, result), failed)
}

// keepable says whether what a run did until it failed is kept.
func keepable(failed error) bool {
	return errors.Is(failed, context.Canceled) || errors.As(failed, new(*application.ProgramError))
}

// show prints what regions did.
func (t *tracing) show(s *streams, result *predict.ActivityResult) error {
	switch t.format {
	case "json":
		return report.JSON(s.out, result)
	case "csv":
		return text.ActivityCSV(s.out, result)
	}
	return text.Activity(s.err, result)
}

// convert writes the accesses of a number of threads as a trace.
func (t *tracing) convert(ctx context.Context, s *streams, e *application.Execution, out *outputs, threads int) error {
	options := t.analysis(nil)
	dealing := application.Dealing{Interleave: options.Interleave, Seed: options.Seed}
	r := &application.Recorded{Source: e.Source(), ByFunction: e.ByFunction}
	return r.Each(ctx, dealing, []int{threads}, func(ctx context.Context, _ int, team application.Team, _ int) error {
		missing, failed, err := t.write(ctx, s, e, team, out, threads)
		if err != nil {
			return err
		}
		if missing != "" {
			warn(s.err, "%s", missing)
		}
		if len(team.Ran().Regions()) == 0 {
			warn(s.err, "%v", errNoRegions(e))
		}
		return failed
	})
}

// write copies the accesses of a team; failed is how the run ended, where what was written is kept nevertheless.
func (t *tracing) write(ctx context.Context, s *streams, e *application.Execution, team application.Team, out *outputs, threads int) (missing string, failed, err error) {
	err = out.result.Finish(func(w io.Writer) error {
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
		case endedEarly(failed):
			out.areParts(s.err)
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
func (t *tracing) runValgrind(ctx context.Context, s *streams, input string, args []string) error {
	if t.atThreads != 0 || t.common.threads != "" || t.by != "" || len(t.defines)+len(t.includes) > 0 {
		return usagef("--valgrind runs a program as it is, as one thread; --threads, --at-threads, --by, -D and -I do not go with it")
	}
	if !slices.Contains([]string{"text", "json", "csv"}, t.format) {
		return checkFormat(t.format)
	}
	out, err := t.common.open()
	if err != nil {
		return err
	}
	defer out.discard()
	p, err := record.StartValgrind(ctx, record.Run{Program: input, Args: args, Stdin: s.in, Stdout: t.stdout(s), Stderr: s.programs.err})
	if err != nil {
		return err
	}
	defer p.Close()
	warn(s.err, "valgrind runs one thread at a time and does not say which: all accesses are taken as of one thread; instructions are its translation of the program's, register spills and library code among them")
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
		s.settle(out, failed, "", &result.Partial, &result.Warnings)
		return result, failed
	}
	result, failed, err := t.countTrace(p, out, count)
	if err != nil || result == nil {
		return cmp.Or(err, failed)
	}
	s.warnings(result.Warnings)
	return cmp.Or(t.show(s, result), failed)
}

// countTrace counts the accesses of a trace, and writes it where that is wanted. Without a result, nothing is kept.
func (t *tracing) countTrace(src trace.Source, out *outputs, count func(trace.Source) (*predict.ActivityResult, error)) (result *predict.ActivityResult, failed, err error) {
	if out.result == nil {
		result, failed = count(src)
		return result, failed, nil
	}
	err = out.result.Finish(func(w io.Writer) error {
		sink, err := trace.Create(w, cmp.Or(t.as, "native"), nil)
		if err != nil {
			return err
		}
		switch result, failed = count(&copied{src, sink}); {
		case result == nil:
			return output.Unkept{Err: failed}
		case failed == nil || !endedEarly(failed):
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
