package record

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestThreadStress runs random small programs of threads as they are and as virtual threads: results are the same, and none waits for ever.
// FORESEE_STRESS is how many; 10000 take minutes, for the real threads.
func TestThreadStress(t *testing.T) {
	t.Parallel()
	needCompiler(t, "gcc")
	clang := needCompiler(t, "clang")
	source, dir := "testdata/threads/stress.c", t.TempDir()
	plain, virtual := filepath.Join(dir, "plain"), filepath.Join(dir, "virtual")
	mustCompile(t, "gcc", "-O2", "-fopenmp", "-pthread", "-DRELAX=sched_yield()", source, "-o", plain)
	compiler, err := FindCompiler(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	b := &Builder{Compiler: compiler, Stdin: &said, Stdout: &said, Stderr: &said}
	if err := b.Build(t.Context(), []string{"-O2", "-fopenmp", "-pthread", source, "-o", virtual}); err != nil {
		t.Fatalf("%s: %v\n%s", clang, err, &said)
	}
	count := cmp.Or(os.Getenv("FORESEE_STRESS"), "60")
	want := printed(t, plain, count)
	got := printed(t, virtual, count)
	if d := CompareOutputs(got, want, "", false); d != nil {
		t.Errorf("of %s programs: %v", count, d)
	}
}

// printed runs so many programs of the stress.
func printed(t *testing.T, program, count string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, "0", count)
	cmd.Env = append(os.Environ(), "OMP_WAIT_POLICY=passive", "OMP_NUM_THREADS=4")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	return string(out)
}
