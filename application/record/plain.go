package record

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// MostOutput bounds what is kept of a program's output to compare it, in bytes.
const MostOutput = 8 << 20

// Kept keeps the beginning of what is written to it.
type Kept struct {
	buffer bytes.Buffer // not embedded: its ReadFrom knows no bound
	Whole  bool         // nothing was left out; true until something is
}

// NewKept keeps up to MostOutput bytes.
func NewKept() *Kept { return &Kept{Whole: true} }

// Write implements io.Writer.
func (k *Kept) Write(p []byte) (int, error) {
	room := max(MostOutput-k.buffer.Len(), 0)
	k.Whole = k.Whole && len(p) <= room
	k.buffer.Write(p[:min(len(p), room)])
	return len(p), nil
}

// String is what was kept.
func (k *Kept) String() string { return k.buffer.String() }

// ErrLong says that a program took longer than it was given.
var ErrLong = errors.New("it took too long")

// Plainly says how a program is run unrecorded.
type Plainly struct {
	OtherClock bool          // its clocks go wrong, so that what it prints of them is otherwise
	ToldOne    bool          // each thread is told that it is the only one
	Limit      time.Duration // it is ended after that; 0 is no limit
}

// Plain runs the program unrecorded with Threads virtual threads, one if 0, and gives what it printed to standard output. It ends with a
// RepeatError before it changes a file so that another run would find it changed.
func (r Run) Plain(ctx context.Context, how Plainly) (*Kept, error) {
	program := r.Program
	if !strings.Contains(program, "/") {
		program = "./" + program
	}
	if how.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, how.Limit, ErrLong)
		defer cancel()
	}
	out := NewKept()
	cmd := r.command(ctx, program)
	cmd.Stdin, cmd.Stdout, cmd.WaitDelay = r.Stdin, out, time.Second
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "FORESEE_") })
	told := max(r.Threads, 1)
	if how.ToldOne {
		cmd.Env = append(cmd.Env, "FORESEE_TOLD_ONE=1", fmt.Sprintf("FORESEE_THREADS=%d", told))
		told = 1
	}
	cmd.Env = append(append(cmd.Env, "OMP_DYNAMIC=false"), threadsTold(told, r.Threads > 0 && !how.ToldOne)...)
	if how.OtherClock {
		cmd.Env = append(cmd.Env, "FORESEE_CLOCK=1")
	}
	files, err := listen(cmd, true)
	if err != nil {
		return nil, err
	}
	err = cmd.Run()
	files.started()
	if repeat := files.repeat(); repeat != nil {
		return out, repeat
	}
	if errors.Is(context.Cause(ctx), ErrLong) {
		return out, ErrLong
	}
	if errors.Is(err, exec.ErrWaitDelay) { // a child of its own holds the output
		err = nil
	}
	return out, err
}

// readers of standard input that a program may import.
var readers = []string{
	"stdin", "scanf", "__isoc99_scanf", "__isoc23_scanf", "vscanf", "getchar", "getchar_unlocked", "gets", "_ZSt3cin", "_ZSt4wcin",
}

// ReadsInput says whether a program may read its standard input.
func ReadsInput(program string) bool {
	f, err := elf.Open(program)
	if err != nil {
		return true
	}
	defer f.Close()
	all, err := f.DynamicSymbols()
	return err != nil || slices.ContainsFunc(all, func(s elf.Symbol) bool { return slices.Contains(readers, s.Name) })
}

// Again gives an input that can be read from where it is now as often as wanted: files and the null device can. The function gives it
// for another run, which closes it.
func Again(in io.Reader) (func() (io.ReadCloser, error), bool) {
	f, ok := in.(*os.File)
	if !ok {
		return nil, in == nil
	}
	info, err := f.Stat()
	if err != nil {
		return nil, false
	}
	null, err := os.Stat(os.DevNull)
	name := fmt.Sprintf("/proc/self/fd/%d", f.Fd())
	switch {
	case err == nil && os.SameFile(info, null):
		return func() (io.ReadCloser, error) { return os.Open(os.DevNull) }, true
	case !info.Mode().IsRegular():
		return nil, false
	}
	at, err := f.Seek(0, io.SeekCurrent)
	return func() (io.ReadCloser, error) {
		again, err := os.Open(name)
		if err == nil {
			_, err = again.Seek(at, io.SeekStart)
		}
		return again, err
	}, err == nil
}
