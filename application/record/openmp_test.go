package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The virtual OpenMP is tested without the recorder: testdata/openmp/stub.c stands for it.

var virtualOpenMP = []string{
	"arena", "depend", "doacross", "emutls", "fiber", "gomp", "gomp_loops", "gomp_tasks", "host", "kmpc", "kmpc_loops", "kmpc_tasks", "locals", "loops", "omp",
	"reductions", "schedule", "stacks", "switch", "sync", "tasks", "team", "threadprivate", "tls",
}

const openmpPrograms = "testdata/openmp"

// openmpRuntime is the virtual OpenMP with the stub, as object files and as a library to preload.
type openmpRuntime struct {
	objects []string
	library string
}

func compileOpenMP(t *testing.T) *openmpRuntime {
	t.Helper()
	needCompiler(t, "gcc")
	dir := t.TempDir()
	r := &openmpRuntime{library: filepath.Join(dir, "libvirtual.so")}
	flags := []string{"-O2", "-fPIC", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Iruntime", "-c"}
	sources := []string{sourceOf(t, "stub.c")}
	for _, name := range virtualOpenMP {
		sources = append(sources, filepath.Join("runtime", name+".c"))
	}
	for _, source := range sources {
		object := filepath.Join(dir, strings.TrimSuffix(filepath.Base(source), ".c")+".o")
		mustCompile(t, "gcc", append(flags, source, "-o", object)...)
		r.objects = append(r.objects, object)
	}
	mustCompile(t, "gcc", append([]string{"-shared", "-o", r.library}, r.objects...)...)
	return r
}

func TestOpenMP(t *testing.T) {
	t.Parallel()
	r := compileOpenMP(t)
	for name, test := range map[string]func(*openmpRuntime, *testing.T){
		"against libgomp":           (*openmpRuntime).againstLibgomp,
		"rewritten schedules":       (*openmpRuntime).rewrittenSchedules,
		"threadprivate without TLS": (*openmpRuntime).threadprivateWithoutTLS,
		"preloaded":                 (*openmpRuntime).preloaded,
		"listed":                    (*openmpRuntime).listed,
		"ends":                      (*openmpRuntime).ends,
		"stacks":                    (*openmpRuntime).stacks,
		"pieces":                    (*openmpRuntime).pieces,
		"cut":                       (*openmpRuntime).cut,
		"dealt":                     (*openmpRuntime).dealt,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(r, t)
		})
	}
}

func mustCompile(t *testing.T, compiler string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), compiler, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", compiler, strings.Join(args, " "), err, out)
	}
}

func needCompiler(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("%s is not installed", names[0])
	return ""
}

// compilersFor a program: gcc, and clang where it is installed.
func compilersFor(source string) []string {
	names := [][]string{{"gcc"}, {"clang", "clang-19"}}
	if strings.HasSuffix(source, ".cc") {
		names = [][]string{{"g++"}, {"clang++", "clang++-19"}}
	}
	var all []string
	for _, n := range names {
		for _, name := range n {
			if path, err := exec.LookPath(name); err == nil {
				all = append(all, path)
				break
			}
		}
	}
	return all
}

// sourceOf is the path of a program. Go's test cache notices when a file changes that the test has asked for.
func sourceOf(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(openmpPrograms, name)
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// build compiles a program, with a call of the stub in each block, and links it to the virtual OpenMP.
func (r *openmpRuntime) build(t *testing.T, compiler, source string, flags ...string) string {
	t.Helper()
	object, program := filepath.Join(t.TempDir(), "program.o"), filepath.Join(t.TempDir(), "program")
	mustCompile(t, compiler, append([]string{
		"-O1", "-fopenmp", "-fsanitize-coverage=trace-pc", "-isystem", "runtime/include",
		"-c", sourceOf(t, source), "-o", object,
	}, flags...)...)
	mustCompile(t, compiler, append(append([]string{object, "-o", program}, r.objects...), "-lm")...)
	return program
}

// buildReference links a program to libgomp.
func buildReference(t *testing.T, source string) string {
	t.Helper()
	compilers := compilersFor(source)
	if len(compilers) == 0 {
		t.Skipf("no compiler for %s is installed", source)
	}
	program := filepath.Join(t.TempDir(), "reference")
	mustCompile(t, compilers[0], "-O1", "-fopenmp", sourceOf(t, source), "-o", program, "-lm")
	return program
}

type outcome struct {
	out, log string
	code     int
}

func runProgram(t *testing.T, env []string, name string, args ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	err := cmd.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return outcome{out.String(), log.String(), cmd.ProcessState.ExitCode()}
}

func setting(name string, value any) string { return fmt.Sprintf("%s=%v", name, value) }

// compareRuns runs a program on virtual threads, which take turns seldom or often, and compares with real ones.
func compareRuns(t *testing.T, reference, program string, env ...string) {
	t.Helper()
	for _, threads := range []int{1, 3, 4, 7, 64} {
		want := runProgram(t, []string{setting("OMP_NUM_THREADS", threads)}, reference)
		for _, quantum := range []int{0, 1, 17} {
			env := append([]string{
				setting("FORESEE_STUB_THREADS", threads), setting("FORESEE_STUB_QUANTUM", quantum),
			}, env...)
			got := runProgram(t, env, program)
			if got.code != 0 || got.out != want.out {
				t.Errorf("%d threads, %d blocks a turn: exit code %d\n%sgot\n%swant\n%s", threads, quantum, got.code,
					got.log, got.out, want.out)
			}
		}
	}
}

func (r *openmpRuntime) againstLibgomp(t *testing.T) {
	for _, source := range []string{"worksharing.c", "sync.c", "tasks.c", "captured.c", "handed.c", "inner.c", "constructs.c", "teams.c", "cxx.cc"} {
		for _, compiler := range compilersFor(source) {
			t.Run(source+" "+filepath.Base(compiler), func(t *testing.T) {
				t.Parallel()
				compareRuns(t, buildReference(t, source), r.build(t, compiler, source))
			})
		}
	}
}

func (r *openmpRuntime) rewrittenSchedules(t *testing.T) {
	for _, compiler := range compilersFor("rewritten.c") {
		t.Run(filepath.Base(compiler), func(t *testing.T) {
			t.Parallel()
			program := r.build(t, compiler, "rewritten.c", "-DREWRITTEN")
			compareRuns(t, buildReference(t, "rewritten.c"), program, "FORESEE_STUB_REWRITTEN=1")
		})
	}
}

// listed gives numbers of threads for each level, with and without a bound of levels.
func (r *openmpRuntime) listed(t *testing.T) {
	reference := buildReference(t, "listed.c")
	for _, compiler := range compilersFor("listed.c") {
		program := r.build(t, compiler, "listed.c")
		for _, env := range [][]string{{"4,2"}, {"2,3,1"}, {"3,1,2", "OMP_NESTED=false"}, {"2,2,2", "OMP_MAX_ACTIVE_LEVELS=2"}, {"3", "OMP_NESTED=true"}, {" 2 , 4"}} {
			first, _, _ := strings.Cut(env[0], ",")
			env[0] = setting("OMP_NUM_THREADS", env[0])
			want := runProgram(t, env, reference)
			got := runProgram(t, append(env, setting("FORESEE_STUB_THREADS", strings.TrimSpace(first)), "FORESEE_STUB_QUANTUM=17"), program)
			if got.code != 0 || got.out != want.out {
				t.Errorf("%s, %v: exit code %d\n%sgot\n%swant\n%s", compiler, env, got.code, got.log, got.out, want.out)
			}
		}
	}
}

func (r *openmpRuntime) threadprivateWithoutTLS(t *testing.T) {
	clang := needCompiler(t, "clang", "clang-19")
	compareRuns(t, buildReference(t, "sync.c"), r.build(t, clang, "sync.c", "-fnoopenmp-use-tls"))
}

func (r *openmpRuntime) preloaded(t *testing.T) {
	for _, source := range []string{"worksharing.c", "sync.c", "tasks.c", "captured.c", "handed.c", "constructs.c", "teams.c", "cxx.cc"} {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			program := buildReference(t, source)
			for _, threads := range []int{1, 4, 64} {
				want := runProgram(t, []string{setting("OMP_NUM_THREADS", threads)}, program)
				env := []string{setting("LD_PRELOAD", r.library), setting("FORESEE_STUB_THREADS", threads)}
				if got := runProgram(t, env, program); got.code != 0 || got.out != want.out {
					t.Errorf("%d threads: exit code %d\n%sgot\n%swant\n%s", threads, got.code, got.log, got.out, want.out)
				}
			}
		})
	}
}

// TestOpenMPWithoutWarnings: clang warns where it reads and analyses code, before it compiles; TestTeams compiles the files by it.
func TestOpenMPWithoutWarnings(t *testing.T) {
	t.Parallel()
	clang := needCompiler(t, "clang", "clang-19")
	for _, name := range virtualOpenMP {
		mustCompile(t, clang, "-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "runtime/"+name+".c")
	}
}

func (r *openmpRuntime) ends(t *testing.T) {
	abort := -1 // by a signal
	for _, c := range []struct {
		source, how string
		code        int
		out, log    string
	}{
		{"ends.c", "", 0, "at exit 1\n", ""},
		{"ends.c", "exit", 5, "at exit 1\n", ""},
		{"ends.c", "deadlock", 7, "", "fail: deadlock: all virtual threads wait: thread 0 at a barrier, thread 1 for a lock, " +
			"thread 2 for a lock\n"},
		{"ends.c", "lock", 7, "", "fail: deadlock: all virtual threads wait: thread 0 for a lock\n"},
		{"ends.cc", "", 0, "destroyed 10\n", ""},
		{"ends.cc", "exit", 5, "destroyed 12\n", ""},
		{"ends.cc", "main", abort, "", "out of main"},
		{"ends.cc", "region", abort, "", "out of the region"},
	} {
		for _, compiler := range compilersFor(c.source) {
			t.Run(strings.Join([]string{c.source, c.how, filepath.Base(compiler)}, " "), func(t *testing.T) {
				t.Parallel()
				got := runProgram(t, nil, r.build(t, compiler, c.source), c.how)
				if got.code != c.code || got.out != c.out || !strings.Contains(got.log, c.log) {
					t.Errorf("got %+v\nwant %+v", got, c)
				}
			})
		}
	}
}
