package application

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"foresee/application/record"
)

// TestTriedWithTeam says which programs a team prints something else of than one thread, where that was not seen in their code.
func TestTriedWithTeam(t *testing.T) {
	for _, c := range []struct {
		name, body string
		apart      bool
	}{
		{"a command that knows", `FILE *f = popen("echo $OMP_NUM_THREADS", "r"); int n = 0; if (fscanf(f, "%d", &n) == 1) printf("%d\n", n); pclose(f);
			#pragma omp parallel
			{ }`, true},
		{"what iterations left", "double s = 0;\n#pragma omp parallel reduction(+ : s)\n{ double t[10] = {0};\n#pragma omp for\nfor (int i = 0; i < 100; i++) { for (int k = 0; k < i % 7; k++) t[k] = i + k; for (int k = 0; k < 10; k++) s += t[k] * k; } }\nprintf(\"%g\\n\", s);", true},
		{"a sum", "double s = 0;\n#pragma omp parallel for reduction(+ : s)\nfor (int i = 0; i < 100; i++) s += 1.0 / (i + 1);\nprintf(\"%.15g\\n\", s);", false},
		{"what each prints", "#pragma omp parallel\nputs(\"from each\");", false},
		{"its number", "#pragma omp parallel\nprintf(\"%d\\n\", omp_get_thread_num());", false},
		{"the time", "#pragma omp parallel\n{ }\nprintf(\"%d threads, %.9f s\\n\", omp_get_max_threads(), omp_get_wtime());", false},
	} {
		for _, compiler := range []string{"clang", "gcc"} {
			t.Run(c.name+", "+compiler, func(t *testing.T) {
				if compiler == "gcc" && strings.Contains(c.body, "omp_get") {
					t.Skip("its code is not followed")
				}
				e := tryProgram(t, compiler, c.body)
				difference, err := e.tryTeam([]int{1, 5})
				if err != nil || (difference != "") != c.apart {
					t.Errorf("difference %q, %v; want one: %v", difference, err, c.apart)
				}
				if e.team != nil || e.known == nil {
					t.Errorf("to be tried again: %v, plain run: %v", e.team, e.known)
				}
				late := &check{how: CheckOn, team: e.teamCheckOf([]int{1, 5}), begun: time.Now()}
				if err := late.tryTeam(t.Context(), "p", e.known); errors.As(err, new(*OutputError)) != c.apart {
					t.Errorf("after the run: %v", err)
				}
			})
		}
	}
}

// tryProgram builds a program of a body of main.
func tryProgram(t *testing.T, compiler, body string) *Execution {
	t.Helper()
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skip(compiler + " is not installed")
	}
	t.Setenv("FORESEE_CC", compiler)
	found, err := record.FindCompiler(t.Context(), false)
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	file, program := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	source := "#include <stdio.h>\n#include <omp.h>\nint main(void) {\n" + body + "\nreturn 0; }\n"
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	b := &record.Builder{Compiler: found, Stdout: io.Discard, Stderr: &said}
	if err := b.Build(t.Context(), []string{"-O2", "-w", "-fopenmp", file, "-o", program}); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	asks, err := record.Asks(program)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := inputOf(nil, program)
	return &Execution{ctx: t.Context(), how: CheckAuto, asks: asks, again: again, run: record.Run{Program: program}, warn: func(err error) { t.Log(err) }}
}

// TestTeamsInside runs regions inside regions, which print what they print in a plain run, with teams of their own or of one thread.
func TestTeamsInside(t *testing.T) {
	const inner = "#pragma omp parallel num_threads(2)\n#pragma omp parallel num_threads(3)\n"
	for _, c := range []struct {
		name, body string
	}{
		{"it has threads of its own", "int n = 0; omp_set_max_active_levels(2);\n" + inner + "#pragma omp atomic\nn++;\nprintf(\"%d\\n\", n);"},
		{"one active level", "int n = 0;\n" + inner + "#pragma omp atomic\nn++;\nprintf(\"%d\\n\", n);"},
		{"they do not matter", "int a[100] = {0}; omp_set_max_active_levels(2);\n" + inner + "#pragma omp for\nfor (int i = 0; i < 100; i++) a[i] = i;\nprintf(\"%d\\n\", a[99]);"},
		{"a team of one", "int n = 0;\n#pragma omp parallel num_threads(1)\n#pragma omp parallel num_threads(3)\n#pragma omp atomic\nn++;\nprintf(\"%d\\n\", n);"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := tryProgram(t, "clang", c.body)
			e.each = len(e.asks.Decisive) > 0
			src, finish, err := e.Begin(2)
			for err == nil {
				_, err = src.Next()
			}
			if err = finish(nil); err != nil {
				t.Errorf("ended with %v", err)
			}
		})
	}
}

// TestWaitsInPlainRun runs a program whose threads wait for one another in loops of their own, unrecorded.
func TestWaitsInPlainRun(t *testing.T) {
	for _, compiler := range []string{"clang", "gcc"} {
		t.Run(compiler, func(t *testing.T) {
			e := tryProgram(t, compiler, "static volatile int n;\n#pragma omp parallel num_threads(3)\n{ __sync_fetch_and_add(&n, 1); while (n < 3); }\nprintf(\"%d\\n\", n);")
			out, err := plainRun(t.Context(), e.run, e.again, record.Plainly{Limit: time.Minute})
			if err != nil || out.String() != "3\n" {
				t.Errorf("%q, %v", out, err)
			}
		})
	}
}
