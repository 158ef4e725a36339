package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"foresee/application/trace"
)

// Valgrind is a program that runs as it is under valgrind's lackey. It is a trace.Source.
type Valgrind struct {
	*trace.Reader
	cmd  *exec.Cmd
	pipe *os.File
}

// StartValgrind starts a program. Its accesses are all of thread 0: valgrind runs one thread at a time and does not say
// which.
func StartValgrind(ctx context.Context, r Run) (*Valgrind, error) {
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		return nil, errors.New("valgrind is not installed (Debian: apt-get install valgrind)")
	}
	program, err := exec.LookPath(r.Program)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Program, err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	v := &Valgrind{pipe: read}
	args := append([]string{"--tool=lackey", "--trace-mem=yes", "--basic-counts=no", "--log-fd=3", program}, r.Args...)
	v.cmd = exec.CommandContext(ctx, valgrind, args...)
	v.cmd.Stdin, v.cmd.Stdout, v.cmd.Stderr = r.Stdin, r.Stdout, r.Stderr
	v.cmd.ExtraFiles = []*os.File{write}
	v.cmd.Cancel = func() error { return v.cmd.Process.Signal(syscall.SIGTERM) }
	v.cmd.WaitDelay = 2 * time.Second
	err = v.cmd.Start()
	write.Close()
	if err != nil {
		read.Close()
		return nil, fmt.Errorf("valgrind: %w", err)
	}
	if v.Reader, err = trace.Open(read, trace.Options{Format: "lackey", SkipFetches: true}); err != nil {
		read.Close()
		_ = v.cmd.Wait()
		return nil, err
	}
	return v, nil
}

// Wait waits for the program to end. One that fails gives an ExitError.
func (v *Valgrind) Wait() error {
	v.pipe.Close()
	err := v.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return &ExitError{"the program", exit.ExitCode()}
	}
	return err
}
