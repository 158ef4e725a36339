package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"foresee/cmd/foresee/remedy"
	"foresee/internal/claims"
	"foresee/internal/terminal"
)

// ErrBrokenPipe is the end of a command whose output nobody reads any more, as before | head.
var ErrBrokenPipe = errors.New("broken pipe")

// UsageError is a command line that cannot be meant.
type UsageError struct{ error }

// Unwrap gives the error that it is made of.
func (e UsageError) Unwrap() error { return e.error }

// Usagef makes a UsageError.
func Usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// Streams are what a command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err *terminal.Visible // text: nothing in it commands a terminal
	Programs ProgramStreams
	Args     []string // as given, for reports
	warned   map[string]bool
}

// ProgramStreams are what programs that are run write to, which is their own.
type ProgramStreams struct{ Out, Err io.Writer }

// NewStreams are those of a command line.
func NewStreams(args []string, stdin io.Reader, stdout, stderr io.Writer) *Streams {
	return &Streams{In: stdin, Out: terminal.NewVisible(stdout), Err: terminal.NewVisible(stderr), Programs: ProgramStreams{stdout, stderr}, Args: args}
}

// lost takes what a program that is run writes to an output that is closed. The program goes on, and the command fails at its end.
type lost struct{ closed *terminal.Visible }

// Write implements io.Writer.
func (l lost) Write(p []byte) (int, error) {
	_, _ = l.closed.Write(p) // it keeps its error, which the end of the command tells
	return len(p), nil
}

// Begin makes the standard streams known as an input and an output, where they are files, and notices a closed output.
func (s *Streams) Begin(ctx context.Context, stdin io.Reader, stdout io.Writer) error {
	claims.Until(ctx)
	if f, ok := stdin.(*os.File); ok {
		if info, err := f.Stat(); err == nil {
			_ = claims.Input("standard input", info) // nothing is claimed yet
		}
	}
	f, ok := stdout.(*os.File)
	if !ok {
		return nil
	}
	if terminal.ClosedAtStart(f) {
		s.Out = terminal.NewVisible(terminal.ClosedWriter{})
		s.Programs.Out = lost{s.Out}
	}
	return claims.ClaimOpen("standard output", f)
}

// Written adds to how a command ended that its output could not be written, whoever did not look.
func (s *Streams) Written(err error) error {
	failed := s.Out.Finish()
	switch {
	case failed == nil:
		return err
	case errors.Is(failed, syscall.EPIPE):
		return ErrBrokenPipe
	case err == nil || errors.Is(err, failed):
		return fmt.Errorf("standard output: cannot write: %w", Cause(failed))
	}
	return err
}

// Warn prints a warning, in words of this command.
func Warn(w io.Writer, format string, args ...any) {
	fmt.Fprintf(w, "foresee: warning: %s\n", remedy.Here(fmt.Sprintf(format, args...)))
}

// Warnings prints warnings, and remembers them.
func (s *Streams) Warnings(all []string) {
	for _, w := range all {
		Warn(s.Err, "%s", w)
	}
	s.Knows(all)
}

// Knows remembers what was said already, in whatever words.
func (s *Streams) Knows(all []string) {
	if s.warned == nil {
		s.warned = map[string]bool{}
	}
	for _, w := range all {
		s.warned[w] = true
	}
}

// WasWarned tells whether a warning was said.
func (s *Streams) WasWarned(w string) bool { return s.warned[w] }
