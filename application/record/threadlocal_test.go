package record_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"foresee/application/record"
)

// TestThreadLocals reads thread-local variables through pointers from other threads. The sums are those of any number of threads.
func TestThreadLocals(t *testing.T) {
	t.Parallel()
	c, err := record.FindCompiler(t.Context(), true)
	if err != nil || !c.Clang {
		t.Skip("clang++ is not installed")
	}
	foresee := filepath.Join(t.TempDir(), "foresee")
	mustRun(t, ".", nil, "go", "build", "-o", foresee, "foresee/cmd/foresee")
	for _, p := range []struct {
		compiler, library string
		sources           []string
		want              string
	}{
		{"cc", "library.c", []string{"registered.c", "other.c"}, "499500 999000 1.4985e+06 0 0\n"},
		{"c++", "once.cpp", []string{"pools.cpp"}, "499500 1 1 1\ngone 1\n"},
	} {
		for _, level := range []string{"-O0", "-O2"} {
			t.Run(p.sources[0]+level, func(t *testing.T) {
				t.Parallel()
				program := buildThreadLocals(t, foresee, p.compiler, level, p.library, p.sources)
				for _, threads := range []int{1, 4, 16} {
					if got, _ := mustRun(t, ".", nil, foresee, "trace", "--at-threads", fmt.Sprint(threads), program); got != p.want {
						t.Errorf("%d threads: %q, want %q", threads, got, p.want)
					}
				}
				if got, _ := mustRun(t, ".", nil, foresee, "trace", "--threads", "1,4", program); got != p.want+p.want {
					t.Errorf("by itself with 1 and 4 threads: %q, want %q twice", got, p.want)
				}
			})
		}
	}
}

// buildThreadLocals builds a program and an instrumented library of its own.
func buildThreadLocals(t *testing.T, foresee, compiler, level, library string, sources []string) string {
	t.Helper()
	source := func(name string) string {
		path, err := filepath.Abs(filepath.Join("testdata/threadlocal", name))
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	dir := t.TempDir()
	mustRun(t, dir, nil, foresee, compiler, level, "-fopenmp", "-fPIC", "-shared", source(library), "-o", "liblocal.so")
	args := []string{compiler, level, "-fopenmp", "-L.", "-Wl,-rpath," + dir, "-o", "program"}
	for _, s := range sources {
		args = append(args, source(s))
	}
	mustRun(t, dir, nil, foresee, append(args, "-llocal")...)
	return filepath.Join(dir, "program")
}
