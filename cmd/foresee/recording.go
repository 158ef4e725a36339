package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"foresee/application/csource"
	"foresee/application/record"
	"foresee/application/record/instrument"
	"foresee/application/record/recording"
	"foresee/files"
	"foresee/internal/workspace"
	"foresee/predict"
)

// recordFlags say how a program is run and its recording dealt to threads.
type recordFlags struct {
	run       bool
	atThreads int
	flags     string
	dealing   string
	checking  string
}

func (r *recordFlags) add(f *pflag.FlagSet) {
	f.BoolVar(&r.run, "trace", false, "compile the C or C++ source, run it and trace it, instead of reading it")
	f.IntVar(&r.atThreads, "at-threads", 0, "of a program that is run: with `NUMBER` of virtual threads, for code that splits its work by thread number")
	f.StringVar(&r.checking, "check", checkAuto, checkUsage)
	f.StringVar(&r.flags, "compile", "-O2 -fopenmp -lm", "of --trace: `FLAGS` of the compiler")
}

// addDealing adds the flag that mrc and profile have among the values of --method.
func (r *recordFlags) addDealing(f *pflag.FlagSet) {
	f.StringVar(&r.dealing, "method", "cut", "of a recorded run: cut (iterations are dealt by the loops' schedules), or mimic as in PPT-Multicore (basic blocks by how often they run)")
}

const (
	dealCut   = "cut"
	dealMimic = "mimic"
)

// splitArguments separates the operand from what follows "--", the arguments of the program.
func splitArguments(args []string, dash int) (operands, rest []string) {
	if dash < 0 {
		return args, nil
	}
	return args[:dash], args[dash:]
}

// runInput is a recorded run that is being read: a program that runs, or a file.
type runInput struct {
	name       string
	source     recording.Source
	process    *record.Process
	reader     *recording.Reader
	file       *os.File
	folder     *workspace.Folder // of a program compiled for this
	partial    bool
	missing    string // what was not taken of a recording that was cut off
	byFunction bool   // regions are functions
	fibers     int    // threads of a recording that cannot be dealt; 0: it can

	ctx       context.Context
	check     *checked
	heard     *recording.Listener // of a program that runs; nil: nobody listens
	mimic     bool                // it is dealt as in the paper, whatever it asks
	asks      *instrument.Asks
	run       record.Run                    // of a program: how it is run
	again     func() (io.ReadCloser, error) // its standard input for each run; nil: there is one
	how       string                        // of --check
	each      bool                          // it is run with each number of threads by itself
	said      bool                          // what it prints was shown
	explained bool
	ended     error // how the first of these failed
	counted   bool  // with --counts
}

func (r *runInput) close() {
	if r.process != nil {
		_ = r.process.Wait()
	}
	if r.reader != nil {
		r.reader.Close()
	}
	if r.file != nil {
		r.file.Close()
	}
	_ = r.folder.Remove()
}

// elfMagic begins programs.
var elfMagic = []byte("\x7fELF")

// startOf gives the first bytes of a file.
func startOf(name string) []byte {
	f, err := files.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	start := make([]byte, 16)
	n, _ := io.ReadFull(f, start)
	return start[:n]
}

// isRun says whether an input is a program to be run, a source with --trace, or a recording.
func (r *recordFlags) isRun(input string) bool {
	if r.run {
		return true
	}
	if input == "-" {
		return false
	}
	if info, err := os.Stat(input); err != nil || !info.Mode().IsRegular() {
		return false
	}
	start := startOf(input)
	return recording.IsRecording(start) || bytes.HasPrefix(start, elfMagic)
}

// begin begins a run, or opens a recording.
func (r *recordFlags) begin(ctx context.Context, s *streams, c *common, input string, args []string, threads []int, stdout io.Writer) (*runInput, error) {
	in := &runInput{name: input, byFunction: c.byGiven == "function"}
	start := startOf(input)
	if recording.IsRecording(start) {
		return in.openFile(input, args, r)
	}
	program := input
	if r.run && !bytes.HasPrefix(start, elfMagic) {
		var err error
		if in.folder, program, err = compileSource(ctx, s, input, r.flags, c); err != nil {
			in.close()
			return nil, err
		}
	}
	in.run = record.Run{
		Program: program, Args: args, Threads: r.atThreads, Cuts: threads, Serial: in.byFunction, Stdin: s.in, Stdout: stdout, Stderr: s.programs.err,
	}
	if err := in.begin(ctx, s, r, threads); err != nil {
		in.close()
		return nil, err
	}
	return in, nil
}

// begin starts the program, unless it is run with each number of threads by itself.
func (in *runInput) begin(ctx context.Context, s *streams, r *recordFlags, threads []int) error {
	if err := oneOf("--check", r.checking, checkAuto, checkOn, checkOff); err != nil {
		return err
	}
	if err := record.Instrumented(in.run.Program); err != nil {
		return err
	}
	var err error
	if in.asks, err = record.Asks(in.run.Program); err != nil {
		return err
	}
	in.ctx, in.how, in.mimic = ctx, r.checking, r.dealing == dealMimic
	in.again, _ = inputOf(s.in, in.run.Program)
	for _, p := range in.asks.Printed {
		in.run.Printed = append(in.run.Printed, p.Place)
	}
	if len(in.asks.Decisive) > 0 && r.atThreads == 0 && r.dealing != dealMimic {
		if len(threads) == 0 {
			threads = []int{1}
		}
		in.each, in.fibers = true, threads[0]
		if len(threads) > 1 {
			if in.again == nil {
				return fmt.Errorf("%s: it is to be run with each number of threads by itself, and may read standard input, which cannot be read twice here; give it a file, or one number of threads", in.name)
			}
			return nil
		}
		in.run.Threads = threads[0]
	}
	return in.start()
}

// start starts the program.
func (in *runInput) start() error {
	run := in.run
	in.check = watch(in.how, &run, in.again)
	if again, ok := record.Again(run.Stdin); ok && again != nil {
		file, err := again()
		if err != nil {
			return err
		}
		defer file.Close()
		run.Stdin = file
	}
	var err error
	if in.process, err = record.Start(in.ctx, run); err == nil {
		in.heard = recording.Listen(in.process)
		in.source = in.heard
	}
	return err
}

// alone runs the program with a number of threads of its own, what it prints being shown the first time. It gives what is recorded, and
// a function to be called at the end with the error that the analysis ended with.
func (in *runInput) alone(s *streams) func(threads int) (recording.Source, func(error) error, error) {
	return func(threads int) (recording.Source, func(error) error, error) {
		if in.said {
			in.run.Stdout = io.Discard
		}
		in.said, in.run.Threads = true, threads
		if err := in.start(); err != nil {
			return nil, nil, err
		}
		return in.source, func(failed error) error { return in.finishOne(s, failed) }, nil
	}
}

// finishOne ends one of several runs. A program that fails is told of when all have ended.
func (in *runInput) finishOne(s *streams, failed error) error {
	err := in.end(s, failed)
	if errors.As(err, new(programError)) {
		in.ended = cmp.Or(in.ended, err)
		return nil
	}
	return err
}

// explain says once, of a run that shows no result with warnings, why it is run so.
func (in *runInput) explain(s *streams) {
	if !in.explained {
		s.warnings(in.decisive())
	}
	in.explained = true
}

// decisive says why a program is run with each number of threads by itself.
func (in *runInput) decisive() []string {
	if !in.each {
		return nil
	}
	const most = 3
	var places []string
	for _, a := range in.asks.Decisive {
		places = append(places, fmt.Sprintf("%s (%s)", a.Place, a.What))
	}
	if n := len(places); n > most {
		places = append(places[:most], fmt.Sprintf("%d more", n-most))
	}
	return []string{"what the program does depends, or may depend, on its threads: " + strings.Join(places, ", ") + "; it is run with each number of threads by itself"}
}

func (in *runInput) openFile(input string, args []string, r *recordFlags) (*runInput, error) {
	if len(args) > 0 || r.atThreads != 0 || r.run {
		return nil, usagef("%s is a recording, of a program that has run; arguments, --trace and --at-threads are for programs", input)
	}
	var err error
	if in.file, err = files.Open(input); err != nil {
		return nil, fmt.Errorf("%s: %w", input, cause(err))
	}
	if in.reader, err = recording.Open(in.file); err != nil {
		in.close()
		return nil, fmt.Errorf("%s: %w", input, err)
	}
	head, source, err := recording.Peek(in.reader)
	if err != nil && !errors.Is(err, recording.ErrCut) {
		in.close()
		return nil, fmt.Errorf("%s: %w", input, err)
	}
	in.source = source
	if !head.Dealable() {
		in.fibers = head.Threads
	}
	return in, nil
}

// compileSource builds a program from one source file.
func compileSource(ctx context.Context, s *streams, input, flags string, c *common) (folder *workspace.Folder, program string, err error) {
	cxx := slices.Contains([]string{".cc", ".cpp", ".cxx", ".C", ".c++", ".cp"}, filepath.Ext(input))
	if !cxx && filepath.Ext(input) != ".c" {
		return nil, "", usagef("%s: foresee compiles C and C++ sources (.c, .cc, .cpp, .cxx); build others with foresee cc or foresee c++ and give the program", input)
	}
	if _, err := os.Stat(input); err != nil {
		return nil, "", fmt.Errorf("%s: %w", input, cause(err))
	}
	compiler, err := record.FindCompiler(ctx, cxx)
	if err != nil {
		return nil, "", err
	}
	if folder, err = workspace.New("trace"); err != nil {
		return nil, "", err
	}
	if err := folder.Executable(); err != nil {
		return nil, "", errors.Join(err, folder.Remove())
	}
	program = filepath.Join(folder.Path, strings.TrimSuffix(filepath.Base(input), filepath.Ext(input)))
	var args []string
	var libraries []string
	for f := range strings.FieldsSeq(flags) {
		if strings.HasPrefix(f, "-l") {
			libraries = append(libraries, f)
		} else {
			args = append(args, f)
		}
	}
	for _, d := range c.defines {
		args = append(args, "-D"+d)
	}
	for _, i := range c.includes {
		args = append(args, "-I"+i)
	}
	read := filepath.Join(folder.Path, "read.d")
	args = append(append(args, "-MMD", "-MF", read, input, "-o", program), libraries...)
	b := &record.Builder{Compiler: compiler, Stdin: strings.NewReader(""), Stdout: s.programs.err, Stderr: s.programs.err}
	if err := b.Build(ctx, args); err != nil {
		_ = folder.Remove()
		if errors.As(err, new(*record.ExitError)) {
			err = fmt.Errorf("the compiler failed: %w", err)
		}
		return nil, "", fmt.Errorf("%s: %w", input, err)
	}
	if err := headersRead(read); err != nil {
		_ = folder.Remove()
		return nil, "", err
	}
	return folder, program, nil
}

// headersRead makes known as inputs what a compiler has read, which it lists as a rule of a makefile.
func headersRead(rule string) error {
	text, err := os.ReadFile(rule)
	if err != nil {
		return nil // it has listed nothing
	}
	text = bytes.ReplaceAll(text, []byte("\\\n"), nil)
	_, names, _ := strings.Cut(string(text), ": ")
	const blank = "\x00" // in a name
	for name := range strings.FieldsSeq(strings.ReplaceAll(names, "\\ ", blank)) {
		name = strings.ReplaceAll(name, blank, " ")
		if info, err := os.Stat(name); err == nil {
			if err := files.Input(name, info); err != nil {
				return err
			}
		}
	}
	return nil
}

// recording is what the analyses take.
func (in *runInput) recording(s *streams, r *recordFlags, c *common, method string) *predict.Recording {
	rec := &predict.Recording{Source: in.source, Dealt: r.atThreads == 0 && in.fibers == 0, Warnings: in.decisive(), Options: recording.Options{
		Interleave: c.interleave, Seed: c.seed, ByFunction: in.byFunction, Mimic: method == dealMimic,
	}}
	if in.each && in.process == nil {
		rec.Alone = in.alone(s)
	}
	return rec
}

// named puts the file's name before an error of what it holds.
func (in *runInput) named(err error) error {
	if in.process == nil && recording.IsDamaged(err) {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	return err
}

// finish says how the program ended. failed is how the analysis ended.
func (in *runInput) finish(s *streams, failed error) error {
	if in.each && in.process == nil {
		return cmp.Or(failed, in.ended)
	}
	return in.end(s, failed)
}

// end ends a run, or a file.
func (in *runInput) end(s *streams, failed error) error {
	if in.process == nil {
		if errors.Is(failed, recording.ErrCut) {
			if in.partial {
				in.missing = fmt.Sprintf("%s: %v; what is whole was taken", in.name, failed)
				return nil
			}
			return fmt.Errorf("%s: %w; use --partial to take what is whole", in.name, failed)
		}
		return in.named(failed)
	}
	cut := errors.Is(failed, recording.ErrCut)
	ended := in.process.Wait()
	in.process = nil
	switch {
	case failed != nil && !cut:
		return failed
	case ended != nil:
		return programError{error: ended, early: cut || signalled(ended)}
	case cut:
		return programError{early: true, error: fmt.Errorf("%s stopped recording before its end: it was replaced by another program, or ended by code that foresee cc did not compile", in.name)}
	}
	same, err := in.check.compare(in.ctx, s, in.name)
	if questions := in.heard.Questions(); err == nil && !same && !in.mimic && len(questions) > 0 {
		return unsure(in.name, questions)
	}
	return err
}

// programError is the end of a traced program that failed; what it did until then is shown.
type programError struct {
	error
	early bool // it did not come to its end
}

func (e programError) Error() string {
	if !e.early {
		return e.error.Error()
	}
	return e.error.Error() + "; results are of what it did until then"
}

// signalled says that a program was ended by a signal.
func signalled(err error) bool {
	var exit *record.ExitError
	return errors.As(err, &exit) && exit.Code > 128
}

func (e programError) Unwrap() error { return e.error }

// threadsOfRun are those of --threads, or with --at-threads that one.
func (r *recordFlags) threadsOfRun(c *common, otherwise []int) ([]int, error) {
	if r.atThreads < 0 || r.atThreads > maxVirtualThreads {
		return nil, usagef("--at-threads %d: give a number of threads from 1 to %d", r.atThreads, maxVirtualThreads)
	}
	if r.atThreads > 0 {
		if c.threads != "" && c.threads != fmt.Sprint(r.atThreads) {
			return nil, usagef("--at-threads %d runs that number of threads; leave out --threads", r.atThreads)
		}
		return []int{r.atThreads}, nil
	}
	if c.threads == "" {
		return otherwise, nil
	}
	return parseThreads(c.threads)
}

// threadsThatRan are those of a recording that was made with --at-threads, where it is one.
func (in *runInput) threadsThatRan(c *common, threads []int) ([]int, error) {
	if in.fibers == 0 || in.each {
		return threads, nil
	}
	if c.threads != "" && c.threads != fmt.Sprint(in.fibers) {
		return nil, usagef("%s is of a run by %d threads, which cannot be dealt to others; leave out --threads, or record the program again with --threads %s%s", in.name, in.fibers, c.threads, oneEach(c.threads))
	}
	return []int{in.fibers}, nil
}

// oneEach says how several numbers of threads are recorded.
func oneEach(threads string) string {
	if strings.Trim(threads, "0123456789") == "" {
		return ""
	}
	return ", each number into a file of its own"
}

const maxVirtualThreads = 1024

// onlyRuns refuses flags that mean nothing for other inputs.
func (r *recordFlags) onlyRuns(args []string) error {
	switch {
	case r.atThreads != 0:
		return usagef("--at-threads is for programs that are run: give one that foresee cc built, or a source with --trace")
	case len(args) > 0:
		return usagef("arguments after -- are for programs that are run: give one that foresee cc built, or a source with --trace")
	case r.dealing != "" && r.dealing != dealCut:
		return usagef("--method %s is for recorded runs: give a program that foresee cc built, a recording, or a source with --trace; of sources, --threads-model exact looks at each number of threads by itself", r.dealing)
	}
	return nil
}

// prepareRun reads machines and begins a run and the output files.
func (c *common) prepareRun(ctx context.Context, s *streams, r *recordFlags, partial bool, input string, args []string, otherwise []int) (*job, error) {
	j := &job{input: input, unit: &csource.Unit{}}
	err := c.check()
	if err == nil && c.threadsModel != "" && c.threadsModel != predict.ThreadsAuto {
		err = usagef("--threads-model is for C sources; a recorded run is dealt to threads as it was")
	}
	if err != nil {
		return nil, err
	}
	if err = isThere(input); err != nil {
		return nil, err
	}
	if j.machines, err = c.loadMachines(); err != nil {
		return nil, err
	}
	if otherwise == nil {
		if otherwise, err = c.threadList(j.machines); err != nil {
			return nil, err
		}
	}
	if j.threads, err = r.threadsOfRun(c, otherwise); err != nil {
		return nil, err
	}
	if j.out, err = c.open(); err != nil {
		return nil, err
	}
	if j.run, err = r.begin(ctx, s, c, input, args, j.threads, s.programs.err); err != nil {
		j.out.discard()
		return nil, err
	}
	j.run.partial = partial
	if j.threads, err = j.run.threadsThatRan(c, j.threads); err != nil {
		j.discard()
		return nil, err
	}
	return j, nil
}
