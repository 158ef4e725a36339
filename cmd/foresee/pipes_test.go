package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSignalsEndWaitingForPipes: the first signal ends a command that waits for the other end of a named pipe, or of standard input.
func TestSignalsEndWaitingForPipes(t *testing.T) {
	program, err := exec.LookPath("foresee")
	if err != nil {
		t.Fatal(err)
	}
	source, err := filepath.Abs("testdata/inputs/loop.c")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := errors.Join(syscall.Mkfifo("pipe", 0o600), syscall.Mkfifo("pipe.yaml", 0o600)); err != nil {
		t.Skip(err)
	}
	for _, line := range []string{
		"mrc pipe", "scale --at p=4 pipe", "scale --at p=4 -", "mrc -", "machine show pipe.yaml", "predict --machine pipe.yaml " + source,
		"mrc --machine i7-5960x -o pipe " + source,
	} {
		t.Run(line, func(t *testing.T) {
			cmd := exec.Command(program, strings.Fields(line)...)
			silent, open := io.Pipe()
			defer open.Close()
			cmd.Stdin = silent
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(300 * time.Millisecond)
			begun := time.Now()
			_ = cmd.Process.Signal(syscall.SIGTERM)
			lost := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Signal(os.Kill) })
			state, _ := cmd.Process.Wait()
			lost.Stop()
			if code := state.ExitCode(); code != exitInterrupted {
				t.Errorf("ended with %d after %v", code, time.Since(begun))
			}
		})
	}
}
