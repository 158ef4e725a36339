package ir

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
)

// TestRangesOfCounters counts what conditions let through that LLVM writes as comparisons of unsigned differences, and the lines that narrow and
// unsigned sums lead to.
func TestRangesOfCounters(t *testing.T) {
	if _, err := exec.LookPath("clang++"); err != nil {
		t.Skip("clang is missing; apt-get install clang")
	}
	type made struct {
		accesses int64
		lines    int
	}
	for body, want := range map[string]made{
		"if (i >= 10 && i < 60) a[i] = 1;":      {50, 7},
		"if (i < 200 || i > 800) a[i] = 1;":     {399, 50},
		"if ((unsigned)(i - 1) < 32) a[i] = 1;": {32, 5},
		"for (int d = -2; d <= 2; d++) { int x = i + d; if (x < 0 || x >= 1000) continue; a[x] = d; }": {4994, 125},
		"if (i > 0) a[i - 1] += 1; if (i < 999) a[i + 1] += 1;":                                        {3996, 125},
		"a[(signed char)i + 128] = 1;":                                                                 {1000, 32},
		"long k = (signed char)i; a[k + 128] = 1;":                                                     {1000, 32},
	} {
		path := filepath.Join(t.TempDir(), "a.cpp")
		if err := os.WriteFile(path, []byte("double a[1000];\nvoid f() { for (int i = 0; i < 1000; i++) { "+body+" } }\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: path})
		if err != nil {
			t.Fatal(err)
		}
		u, err := Load(path, module, csource.Options{})
		if err != nil || len(u.Programs) != 1 {
			t.Errorf("%s: %v, %v", body, u, err)
			continue
		}
		p := u.Programs[0]
		lines := map[int64]bool{}
		if got := executed(p.Body, make([]int64, len(p.Vars)), lines); got != want.accesses || len(lines) != want.lines {
			t.Errorf("%s: %d accesses of %d lines, want %+v", body, got, len(lines), want)
		}
	}
}

// executed counts accesses by going through all iterations, and notes the lines of their array.
func executed(nodes []nest.Node, env []int64, lines map[int64]bool) (n int64) {
	for _, x := range nodes {
		switch x := x.(type) {
		case *nest.Loop:
			for v := x.Lo.Eval(env); v <= x.Hi.Eval(env); v += x.Step {
				env[x.Var] = v
				n += executed(x.Body, env, lines)
			}
		case *nest.If:
			if x.Cond.Eval(env) != 0 {
				n += executed(x.Then, env, lines)
			} else {
				n += executed(x.Else, env, lines)
			}
		case *nest.Stmt:
			n += int64(len(x.Accesses))
			for _, a := range x.Accesses {
				lines[a.Offset.Eval(env)>>6] = true
			}
		}
	}
	return n
}
