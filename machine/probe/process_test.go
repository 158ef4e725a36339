package probe

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A probe at work ends at once when it is told, and so does a compiler that has started others.
func TestStopsAtOnce(t *testing.T) {
	c, err := FindCompiler(nil)
	if err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p, err := Start(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := p.Ask("chase 268435456 64 0 1 64 1e9"); err == nil {
		t.Error("a minute's work was done")
	}
	p.Close()
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("a probe at work ended after %v", took)
	}
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	time.AfterFunc(100*time.Millisecond, cancel)
	began = time.Now()
	if _, err := Start(ctx, &Compiler{Path: compiler(t, "sleep 60 & wait\n")}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("a compiler ended after %v", took)
	}
}

// Fits end at once as well, and what was measured before them was kept.
func TestStopsInFits(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	m := newMeasurement(ctx, invented3, nil, Options{})
	time.AfterFunc(50*time.Millisecond, cancel)
	began := time.Now()
	if err := m.interruptible(func() error { time.Sleep(time.Minute); return nil }); !errors.Is(err, context.Canceled) || time.Since(began) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

var invented3, _ = invented(3)

// compiler is a script in the place of one, which answers what its version is.
func compiler(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cc")
	script = "#!/bin/sh\n[ \"$1\" = -dumpversion ] && exit\n" + script
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// A full disk is named, with what to do.
func TestFullDisk(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	_, err := Start(context.Background(), &Compiler{Path: compiler(t, "echo 'as: chase.o: No space left on device'; exit 1\n")})
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), folder) || !strings.Contains(err.Error(), "TMPDIR") {
		t.Error(err)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	n := &notebook{file: full}
	if err := n.write(answer{Command: "spin"}); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "no space left on the disk of /dev/full") {
		t.Error(err)
	}
}
