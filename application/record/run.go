package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"foresee/application/recording"
	"foresee/internal/workspace"
)

// Run says what to run, and how.
type Run struct {
	Program string
	Args    []string
	Script  string   // of the shell, which runs the program; empty: it is run with Args
	Dir     string   // where it runs; empty: here
	Threads int      // virtual threads; 0: one, whose loops are cut for Cuts
	Cuts    []int    // thread counts that the run can be dealt to
	Serial  bool     // record outside parallel regions as well
	Printed []string // places, "file:line", where it asks about its threads only to print the answer
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
}

// DefaultCuts are the thread counts for which a recording can be dealt exactly, where none are asked for. Each boundary
// costs a few accesses, of the loop's bounds and the variables that it captures.
var DefaultCuts = []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}

// Process is a program that runs and is recorded. It is a recording.Source.
type Process struct {
	cmd     *exec.Cmd
	scanner *recording.Scanner
	pipe    *os.File
	symbols *symbols
	named   map[uint64]bool
	waiting []*recording.Record
	program string
	library *runtimeLibrary // nil for a program that was compiled for recording
	files   *effects
	repeat  error // a RepeatError, once it has ended
}

// ErrNotInstrumented says that a program was built without what records its accesses.
var ErrNotInstrumented = errors.New("it was not built to record its accesses")

// Instrumented gives an error where a program was not built to record its accesses.
func Instrumented(program string) error {
	s, err := openSymbols(program)
	if err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	defer s.close()
	return s.mustBeInstrumented(program)
}

func (s *symbols) mustBeInstrumented(program string) error {
	if s.instrumented() {
		return nil
	}
	return fmt.Errorf("%s: %w", program, ErrNotInstrumented)
}

// Start starts the program.
func Start(ctx context.Context, r Run) (*Process, error) {
	s, err := openSymbols(r.Program)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Program, err)
	}
	if err := s.mustBeInstrumented(r.Program); err != nil {
		s.close()
		return nil, err
	}
	return r.start(ctx, s, nil)
}

// StartCounted starts a program as it is, with the virtual OpenMP in place of the shared library that it uses. What it
// records are regions and pieces, without accesses.
func StartCounted(ctx context.Context, r Run) (*Process, error) {
	path, err := exec.LookPath(r.Program)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Program, err)
	}
	r.Program = path
	s, err := openSymbols(r.Program)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Program, err)
	}
	c, err := FindCompiler(ctx, false)
	if err != nil {
		s.close()
		return nil, err
	}
	l, err := prepareRuntime(ctx, c)
	if err != nil {
		s.close()
		return nil, err
	}
	p, err := r.startWith(ctx, s, l)
	if err != nil {
		return nil, errors.Join(err, l.close())
	}
	p.library = l
	return p, nil
}

// startWith starts a program with the library before its own.
func (r Run) startWith(ctx context.Context, s *symbols, l *runtimeLibrary) (*Process, error) {
	if err := workspace.Executable(filepath.Dir(l.shared)); err != nil {
		s.close()
		return nil, err
	}
	return r.start(ctx, s, []string{"LD_PRELOAD=" + l.shared})
}

// start starts the program with a pipe to read its records from.
func (r Run) start(ctx context.Context, s *symbols, more []string) (*Process, error) {
	program := r.Program
	if !strings.Contains(program, "/") {
		program = "./" + program
	}
	read, write, err := os.Pipe()
	if err != nil {
		s.close()
		return nil, err
	}
	p := &Process{pipe: read, symbols: s, named: map[uint64]bool{}, scanner: recording.NewScanner(read), program: r.Program}
	p.cmd = r.command(ctx, program)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = r.Stdin, r.Stdout, r.Stderr
	p.cmd.Dir = r.Dir
	p.cmd.ExtraFiles = []*os.File{write}
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(syscall.SIGTERM) }
	p.cmd.WaitDelay = 2 * time.Second
	p.cmd.Env = append(append(os.Environ(), r.environment()...), more...)
	if p.files, err = listen(p.cmd, false); err != nil {
		read.Close()
		write.Close()
		s.close()
		return nil, err
	}
	err = p.cmd.Start()
	write.Close()
	p.files.started()
	if err != nil {
		read.Close()
		p.files.read.Close()
		s.close()
		if noexec := workspace.Executable(filepath.Dir(program)); noexec != nil && errors.Is(err, os.ErrPermission) {
			return nil, noexec
		}
		return nil, fmt.Errorf("%s: %w", r.Program, err)
	}
	if r.Printed != nil {
		p.waiting = append(p.waiting, recording.MetaRecord(recording.MetaPrinted, strings.Join(r.Printed, ",")))
	}
	p.waiting = append(p.waiting, recording.MetaRecord("command", strings.Join(append([]string{filepath.Base(r.Program)}, r.Args...), " ")))
	return p, nil
}

// command runs the program.
func (r *Run) command(ctx context.Context, program string) *exec.Cmd {
	if r.Script != "" {
		return exec.CommandContext(ctx, "/bin/sh", "-c", r.Script)
	}
	return exec.CommandContext(ctx, program, r.Args...)
}

// environment tells the recorder what to do; 3 is the descriptor of the first of ExtraFiles.
func (r *Run) environment() []string {
	env := []string{"FORESEE_FD=3", "OMP_DYNAMIC=false"}
	if r.Threads > 0 {
		env = append(env, fmt.Sprintf("FORESEE_THREADS=%d", r.Threads))
	} else {
		var list []string
		cuts := r.Cuts
		if len(cuts) == 0 {
			cuts = DefaultCuts
		}
		for _, c := range cuts {
			list = append(list, strconv.Itoa(c))
		}
		env = append(env, "FORESEE_CUT="+strings.Join(list, ","))
	}
	env = append(env, threadsTold(max(r.Threads, 1), r.Threads > 0)...)
	if r.Serial {
		env = append(env, "FORESEE_SERIAL=1")
	}
	return env
}

// threadsTold are the variables by which programs are told how many threads there are, which some read themselves; within says that what
// OMP_NUM_THREADS lists for regions inside others holds as well.
func threadsTold(threads int, within bool) []string {
	number := strconv.Itoa(threads)
	told := []string{"OMP_NUM_THREADS=" + number, "RAYON_NUM_THREADS=" + number}
	if _, others, ok := strings.Cut(os.Getenv("OMP_NUM_THREADS"), ","); ok && within {
		told[0] += "," + others
	}
	return told
}

// Next implements recording.Source: what the program records, with names from its symbols.
func (p *Process) Next() (*recording.Record, error) {
	if len(p.waiting) > 0 {
		r := p.waiting[0]
		p.waiting = p.waiting[1:]
		return r, nil
	}
	r, err := p.scanner.Next()
	if err != nil {
		return nil, err
	}
	if bias, ok := r.Image(); ok {
		p.symbols.bias = bias
		p.waiting = append(p.symbols.objects(), r)
		return p.Next()
	}
	for _, pc := range r.Addresses() {
		if p.named[pc] {
			continue
		}
		p.named[pc] = true
		place := p.symbols.place
		if r.Allocates() {
			place = p.symbols.allocation
		}
		if place := place(pc); place != "" {
			p.waiting = append(p.waiting, r)
			return recording.NameRecord(pc, place), nil
		}
	}
	return r, nil
}

// Wait waits for the program to end, after the last record was read or when no more are wanted. A program that fails
// gives an ExitError.
func (p *Process) Wait() error {
	p.pipe.Close() // what is not read any more must not stop the program
	defer p.symbols.close()
	err := p.cmd.Wait()
	p.repeat = p.files.repeat()
	if e := p.library.close(); err == nil {
		err = e
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return &ExitError{fmt.Sprintf("%s was ended by signal %d (%v)", p.program, status.Signal(), status.Signal()), 128 + int(status.Signal())}
	}
	return &ExitError{p.program, exit.ExitCode()}
}

// Repeat gives a RepeatError where the program, which has ended, changed files so that another run of it would find them changed.
func (p *Process) Repeat() error { return p.repeat }

// State is what the system tells of the program after Wait.
func (p *Process) State() *os.ProcessState { return p.cmd.ProcessState }
