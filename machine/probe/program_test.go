package probe

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// program starts the real probe, or skips the test.
func program(t *testing.T, flags ...string) *Program {
	t.Helper()
	c, err := FindCompiler(flags)
	if err != nil {
		t.Skip(err)
	}
	p, err := Start(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// The real program answers each command with as many numbers as it should, and what must hold on any machine holds.
func TestProgram(t *testing.T) {
	p := program(t)
	ask := func(command string, n int) []float64 {
		t.Helper()
		v, err := p.Ask(command)
		if err != nil {
			t.Fatal(err)
		}
		if len(v) != n {
			t.Fatalf("%s: %v, want %d numbers", command, v, n)
		}
		for _, x := range v {
			if x < 0 || math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("%s: %v", command, v)
			}
		}
		return v
	}
	bursts := func(command string, n int) []burst {
		t.Helper()
		b, err := burstsOf(command, ask(command, n*burstValues))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	ask("facts", 6)
	bursts("spin 5 1e5", 5)
	ask("noise 1e6", 4)
	ask("hold 1048576 1", 1)
	small := sampleOf(bursts("chase 4096 64 0 1 9 1e5", 9)).Value
	large := sampleOf(bursts("chase 33554432 64 0 1 9 1e5", 9)).Value
	if large < small {
		t.Errorf("a chase through 32 MiB takes %g ns a load, through 4 KiB %g", large, small)
	}
	for _, kind := range []string{"read", "update", "vector"} {
		bursts("walk "+kind+" 3 4096 0 5 1e5", 5)
		bursts("walk "+kind+" 64 1024 0 5 1e5", 5)
		if kind != "vector" {
			bursts("columns "+kind+" 24 65536 0 5 1e5", 5)
		}
	}
	bursts("work read 0 3 1 65536 0 5 1e5", 5)
	bursts("work update 2 1 72 65536 0 5 1e5", 5)
	bursts("runs read 8 64 1288 65536 0 5 1e5", 5)
	bursts("runs update 32 64 1288 1048576 0 5 1e5", 5)
	if touched := sampleOf(bursts("fault 9 3e5", 9)).Value; touched < 10*small {
		t.Errorf("a page that is touched first takes %g ns, a load from L1 %g", touched, small)
	}
	bursts("streams 1 1048576 1 0 5 1e5", 5)
	bursts("streams 64 1048576 0 2 5 1e5", 5)
	bursts("issue 3 1e5", 3)
	bursts("window 64 1048576 3", 3)
	bursts("window 512 1048576 3", 3)
	ask("team read 8 65536 1e5 -1 -1", 2)
	for _, o := range operations {
		for _, what := range []string{" latency", " throughput"} {
			if _, err := p.Ask("operation " + o.name + what + " 3 1e4"); err != nil && !strings.HasPrefix(o.name, "fma") {
				t.Error(err)
			}
		}
	}
	bursts("operation load throughput 3 1e4", 3)
	bursts("operation store throughput 3 1e4", 3)
	for _, wrong := range []string{"nonsense", "walk", "walk sideways 1 4096 0 5 1e5", "walk read 0 4096 0 5 1", "columns vector 24 65536 0 5 1", "columns read 1024 4096 0 5 1e5", "columns", "work read 3 1 1 65536 0 5 1e5", "work read 2 1 1288 8192 0 5 1e5", "runs read 2 64 8 65536 0 5 1e5", "runs read 2 0 1288 65536 0 5 1e5", "runs read 8 64 1288 8192 0 5 1e5", "runs", "streams 0 1048576 0 0 5 1e5", "streams 65 1048576 0 0 5 1e5", "streams 8 65535 0 0 5 1e5", "streams", "chase 1 64 0 1 5 1", "pin 100000", "team read 1 4096 1", "operation nothing latency 1 1", "hold x", "window 33 1048576 3"} {
		var refused *RefusedError
		if _, err := p.Ask(wrong); !errors.As(err, &refused) {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	if _, err := p.Ask("hold 9000000000000000000 0"); err == nil {
		t.Error("there cannot be so much memory")
	}
	ask("facts", 6)
}

// Without OpenMP the probe can be compiled as well.
func TestCompilesWithoutOpenMP(t *testing.T) {
	dir := t.TempDir()
	c, err := FindCompiler(nil)
	if err != nil {
		t.Skip(err)
	}
	script := "#!/bin/sh\ncase \" $* \" in *fopenmp*) exit 1;; esac\nexec " + c.Path + " \"$@\"\n"
	path := filepath.Join(dir, "cc")
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv(CompilerVariable, path)
	p := program(t)
	v, err := p.Ask("facts")
	if err != nil || v[2] != 0 {
		t.Fatal(v, err)
	}
	var refused *RefusedError
	if _, err := p.Ask("region fork 1 3 1e4"); !errors.As(err, &refused) {
		t.Error(err)
	}
	t.Setenv(CompilerVariable, "false")
	if c, err := FindCompiler(nil); err != nil {
		t.Error(err)
	} else if _, err := Start(context.Background(), c); err == nil || !strings.Contains(err.Error(), "cannot compile") {
		t.Error(err)
	}
}

// A window is measured anew after something else has written over the array that its chases go through, and where another command has
// made the ring.
func TestWindowAfterOtherWork(t *testing.T) {
	p := program(t)
	for _, command := range []string{"window 32 262144 3", "window 64 262144 3", "walk update 8 262144 1 3 1e5", "window 32 262144 3", "chase 262144 64 1 1 3 1e5", "window 32 262144 3"} {
		if _, err := p.Ask(command); err != nil {
			t.Fatalf("%s: %v", command, err)
		}
	}
}
