package application

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"foresee/application/observe"
	"foresee/application/record"
	"foresee/application/record/instrument"
	"foresee/application/recording"
	"foresee/internal/claims"
	"foresee/internal/workspace"
)

// Execution is a program that is run for its accesses, or the recording of a run.
type Execution struct {
	Name       string
	ByFunction bool // regions are functions
	Counted    bool // regions and iterations are counted, accesses are not seen
	Partial    bool // of a recording that was cut off, what is whole is taken

	run       record.Run // of a program: how it is run
	source    recording.Source
	process   *record.Process
	reader    *recording.Reader
	file      *Input
	folder    *workspace.Folder // of a program compiled for this
	missing   string            // what was not taken of a recording that was cut off
	atThreads int
	fibers    int // threads of a recording that cannot be dealt; 0: it can

	ctx   context.Context
	warn  func(error)
	check *check
	heard *recording.Listener // of a program that runs; nil: nobody listens
	mimic bool                // it is dealt as in the paper, whatever it asks
	how   Check
	asks  *instrument.Asks
	again func() (io.ReadCloser, error) // its standard input for each run; nil: there is one
	each  bool                          // it is run with each number of threads by itself
	why   string                        // that is so
	known *record.Kept                  // what a plain run with one thread printed; nil: there was none
	team  *teamCheck                    // to be done when it has ended; nil: it was done, or need not be
	once  error                         // why it cannot be run again; nil: it can
	said  bool                          // what it prints was shown
	ended error                         // how the first of several runs failed
}

// Running says how a program is run.
type Running struct {
	Arguments  []string
	Command    string    // of the shell, in place of the arguments; its first word that is no assignment stands for the program
	Compile    Compiling // of a source
	AtThreads  int       // virtual threads; 0: one run serves all numbers of them
	Threads    []int     // that the accesses are to be dealt to; nil: record.DefaultCuts
	ByFunction bool      // regions are functions, and code outside parallel regions is recorded as well
	Mimic      bool      // accesses will be dealt as in PPT-Multicore
	Counted    bool      // as it is, without accesses
	Check      Check
	Stdin      io.Reader
	Stdout     io.Writer
	Stderr     io.Writer
	Warn       func(error)
}

// Execute begins a run, or opens a recording.
func (in *Input) Execute(ctx context.Context, o Running) (*Execution, error) {
	e := &Execution{Name: in.Name, ByFunction: o.ByFunction, Counted: o.Counted, ctx: ctx, warn: o.Warn, how: o.Check, atThreads: o.AtThreads, mimic: o.Mimic}
	var err error
	switch {
	case in.Kind == Recording:
		err = e.open(in)
	case o.Counted:
		err = e.count(ctx, in.Path, o)
	default:
		err = e.begin(in, o)
	}
	if err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// Close ends a run and closes a recording.
func (e *Execution) Close() {
	if e.process != nil {
		_ = e.process.Wait()
	}
	if e.reader != nil {
		e.reader.Close()
	}
	if e.file != nil {
		e.file.Close()
	}
	_ = e.folder.Remove()
}

// open begins to read a recording.
func (e *Execution) open(in *Input) (err error) {
	if e.reader, err = recording.Open(in.reader); err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	head, source, err := recording.Peek(e.reader)
	if err != nil && !errors.Is(err, recording.ErrCut) {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	e.source, e.file = source, in
	if !head.Dealable() {
		e.fibers = head.Threads
	}
	return nil
}

// count begins a run that counts regions and iterations alone.
func (e *Execution) count(ctx context.Context, program string, o Running) (err error) {
	e.run = o.of(program)
	if e.process, err = record.StartCounted(ctx, e.run); err == nil {
		e.source = e.process
	}
	return err
}

func (o Running) of(program string) record.Run {
	return record.Run{
		Program: program, Args: o.Arguments, Threads: o.AtThreads, Cuts: o.Threads, Serial: o.ByFunction, Stdin: o.Stdin, Stdout: o.Stdout, Stderr: o.Stderr,
	}
}

// begin starts the program, unless it is run with each number of threads by itself.
func (e *Execution) begin(in *Input, o Running) (err error) {
	program := in.Path
	if in.Compiled {
		if e.folder, program, err = o.Compile.build(e.ctx, in.Path, o.Stderr); err != nil {
			return err
		}
	}
	e.run = o.of(program)
	if o.Command != "" {
		e.run.Script = observe.CommandOf(o.Command, program)
	}
	if err := record.Instrumented(program); err != nil {
		return err
	}
	if e.asks, err = record.Asks(program); err != nil {
		return err
	}
	e.again, _ = inputOf(o.Stdin, program)
	for _, p := range e.asks.Printed {
		e.run.Printed = append(e.run.Printed, p.Place)
	}
	if o.AtThreads == 0 && !o.Mimic {
		if e.why, err = e.decides(o.Threads); err != nil {
			return err
		}
	}
	if e.why != "" {
		threads := o.Threads
		if len(threads) == 0 {
			threads = []int{1}
		}
		e.each, e.fibers = true, threads[0]
		if len(threads) > 1 {
			if e.again == nil {
				return fmt.Errorf("%s: it is to be run with each number of threads by itself, and may read standard input, which cannot be read twice here; give it a file, or one number of threads", e.Name)
			}
			return nil
		}
		e.run.Threads = threads[0]
	}
	return e.start()
}

// start starts the program.
func (e *Execution) start() error {
	if e.once != nil && e.each {
		return &RepeatedError{e.Name, e.once}
	}
	run := e.run
	if e.check = e.how.watch(&run, e.again, e.warn); e.check != nil && !e.each {
		e.check.known, e.check.team, e.check.once = e.known, e.team, e.once
	}
	if again, ok := record.Again(run.Stdin); ok && again != nil {
		file, err := again()
		if err != nil {
			return err
		}
		defer file.Close()
		run.Stdin = file
	}
	var err error
	if e.process, err = record.Start(e.ctx, run); err == nil {
		e.heard = recording.Listen(e.process)
		e.source = e.heard
	}
	return err
}

// Source is what is recorded; nil where the program is run with each number of threads by itself and has not been begun.
func (e *Execution) Source() recording.Source {
	if e.source == nil {
		return nil
	}
	return e.source
}

// Repeatable says that the recording can be read once more, or the program run, which finds then what it found.
func (e *Execution) Repeatable() bool {
	if e.file != nil {
		return e.file.again
	}
	return e.run.Program != "" && e.again != nil && e.once == nil && e.ended == nil
}

// Separate says that the program is run with each of several numbers of threads by itself.
func (e *Execution) Separate() bool { return e.each && e.process == nil && e.reader == nil }

// Threads is the number that ran; 0 where one run serves all.
func (e *Execution) Threads() int { return e.fibers }

// Decided says that threads decide what the program does, so that it is run with each number of them.
func (e *Execution) Decided() bool { return e.each }

// Begin runs the program with a number of threads. It gives what is recorded, and a function to be called at the end with the error that
// the analysis ended with.
func (e *Execution) Begin(threads int) (recording.Source, func(error) error, error) {
	e.run.Threads, e.fibers = threads, threads
	if err := e.start(); err != nil {
		return nil, nil, err
	}
	return e.source, func(failed error) error { return e.finishOne(failed) }, nil
}

// alone is Begin, where what the program prints is shown the first time only.
func (e *Execution) alone(threads int) (recording.Source, func(error) error, error) {
	if e.said {
		e.run.Stdout = io.Discard
	}
	e.said = true
	return e.Begin(threads)
}

// finishOne ends one of several runs. A program that fails is told of when all have ended.
func (e *Execution) finishOne(failed error) error {
	err := e.end(failed)
	if errors.As(err, new(*ProgramError)) {
		e.ended = cmp.Or(e.ended, err)
		return nil
	}
	return err
}

// decides says why the program is to be run with each number of threads by itself, "" where one run serves all.
func (e *Execution) decides(threads []int) (string, error) {
	const most = 3
	if len(e.asks.Decisive) == 0 {
		difference, err := e.tryTeam(threads)
		if difference != "" {
			difference += "; it is run with each number of threads by itself"
		}
		return difference, err
	}
	var places []string
	for _, a := range e.asks.Decisive {
		places = append(places, fmt.Sprintf("%s (%s)", a.Place, a.What))
	}
	if n := len(places); n > most {
		places = append(places[:most], fmt.Sprintf("%d more", n-most))
	}
	return "what the program does depends, or may depend, on its threads: " + strings.Join(places, ", ") + "; it is run with each number of threads by itself", nil
}

// Decisive says why a program is run with each number of threads by itself, "" where it is not.
func (e *Execution) Decisive() string { return e.why }

// Signature gives the accesses of the run to the models.
func (e *Execution) Signature(kind Kind) *Signature {
	r := &Recorded{Source: e.Source(), Dealt: e.atThreads == 0 && e.fibers == 0, ByFunction: e.ByFunction}
	if e.Separate() {
		r.Alone = e.alone
	}
	s := &Signature{Name: e.Name, Kind: kind, Streams: r}
	if why := e.Decisive(); why != "" {
		s.Warnings = append(s.Warnings, why)
	}
	return s
}

// Named puts the file's name before an error of what it holds.
func (e *Execution) Named(err error) error {
	if e.process == nil && recording.IsDamaged(err) {
		return fmt.Errorf("%s: %w", e.Name, err)
	}
	return err
}

// Missing says what of a recording was not taken, once it was read; "" where all was.
func (e *Execution) Missing() string { return e.missing }

// Finish says how the program ended; failed is how the analysis did.
func (e *Execution) Finish(failed error) (Ending, error) {
	var err error
	if e.Separate() {
		err = cmp.Or(failed, e.ended)
	} else {
		err = e.end(failed)
	}
	return Ending{Missing: e.missing}, err
}

// CutError is a recording that ends before the program did.
type CutError struct {
	Name string
	Err  error
}

func (e *CutError) Error() string { return e.Name + ": " + e.Err.Error() }

// Unwrap gives recording.ErrCut.
func (e *CutError) Unwrap() error { return e.Err }

// end ends a run, or a file.
func (e *Execution) end(failed error) error {
	if e.process == nil {
		if errors.Is(failed, recording.ErrCut) {
			if e.Partial {
				e.missing = fmt.Sprintf("%s: %v; what is whole was taken", e.Name, failed)
				return nil
			}
			return &CutError{e.Name, failed}
		}
		return e.Named(failed)
	}
	cut := errors.Is(failed, recording.ErrCut)
	ended := e.named(e.process.Wait())
	e.heardOfFiles(e.process.Repeat())
	e.process = nil
	switch {
	case failed != nil && !cut:
		return failed
	case ended != nil:
		return &ProgramError{Err: ended, Early: cut || signalled(ended)}
	case cut:
		return &ProgramError{Early: true, Err: fmt.Errorf("%s stopped recording before its end: it was replaced by another program, or ended by code that was not compiled for recording", e.Name)}
	}
	if denied := e.heard.Denied(); len(denied) > 0 && len(e.asks.Decisive) > 0 && e.how != CheckOff {
		return &OutputError{Differ: true, Err: fmt.Errorf("%s: %v, and what the program does depends on its threads, so that this is not what it does", e.Name, denied[0])}
	}
	same, err := e.check.compare(e.ctx, e.Name)
	if questions := e.heard.Questions(); err == nil && !same && !e.mimic && len(questions) > 0 {
		return &UnsureError{e.Name, questions}
	}
	return err
}

// heardOfFiles takes from a run that has ended whether another one would find its files changed.
func (e *Execution) heardOfFiles(repeat error) {
	if repeat == nil || e.how == CheckOff {
		return
	}
	e.once = repeat
	if e.check != nil {
		e.check.once = repeat
	}
}

// RepeatedError is a program that is to be run several times, and finds files changed by its first run.
type RepeatedError struct {
	Name string
	Err  error
}

func (e *RepeatedError) Error() string {
	return fmt.Sprintf("%s: it is to be run with each number of threads by itself, and %v: what it does with the next number may be something else. Run it with one number at a time, from the same files", e.Name, e.Err)
}

// Unwrap gives the record.RepeatError.
func (e *RepeatedError) Unwrap() error { return e.Err }

// named calls a source that was compiled by its own name: the program lay in a folder that is gone.
func (e *Execution) named(ended error) error {
	var exit *record.ExitError
	if e.folder != nil && errors.As(ended, &exit) {
		exit.Program = strings.ReplaceAll(exit.Program, e.run.Program, e.Name)
	}
	return ended
}

// ProgramError is the end of a traced program that failed; what it did until then is shown.
type ProgramError struct {
	Err   error
	Early bool // it did not come to its end
}

// NewProgramError is the end of a program by itself or by a signal.
func NewProgramError(ended error) *ProgramError {
	return &ProgramError{Err: ended, Early: signalled(ended)}
}

func (e *ProgramError) Error() string {
	if !e.Early {
		return e.Err.Error()
	}
	return e.Err.Error() + "; results are of what it did until then"
}

// Unwrap gives how the program ended.
func (e *ProgramError) Unwrap() error { return e.Err }

// signalled says that a program was ended by a signal.
func signalled(err error) bool {
	var exit *record.ExitError
	return errors.As(err, &exit) && exit.Code > 128
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
			if err := claims.Input(name, info); err != nil {
				return err
			}
		}
	}
	return nil
}
