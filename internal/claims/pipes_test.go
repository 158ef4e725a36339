package claims

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// pipe makes a named pipe.
func pipe(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	return name
}

// endsSoon runs what waits for a pipe and ends the command meanwhile.
func endsSoon(t *testing.T, wait func() error) error {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(Forget)
	Until(ctx)
	done := make(chan error, 1)
	go func() { done <- wait() }()
	time.Sleep(20 * time.Millisecond)
	cancel()
	select {
	case err := <-done:
		return err
	case <-time.After(10 * time.Second):
		t.Fatal("it still waits")
		return nil
	}
}

func TestNobodyWritesIntoPipe(t *testing.T) {
	name := pipe(t)
	err := endsSoon(t, func() error { _, err := ReadFile(name); return err })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestNobodyReadsFromPipe(t *testing.T) {
	name := pipe(t)
	err := endsSoon(t, func() error {
		_, err := Wait(func() (*os.File, error) { return os.OpenFile(name, os.O_WRONLY, 0) })
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestPipeGivesNothing(t *testing.T) {
	name := pipe(t)
	writer, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	err = endsSoon(t, func() error { _, err := ReadFile(name); return err })
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
}

func TestPipeGivesWhatIsWritten(t *testing.T) {
	name := pipe(t)
	go func() { _ = os.WriteFile(name, []byte("text"), 0) }()
	if text, err := ReadFile(name); err != nil || string(text) != "text" {
		t.Errorf("%q %v", text, err)
	}
}
