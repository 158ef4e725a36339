package ir

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
)

// TestRangesOfCounters counts what conditions let through that LLVM writes as comparisons of unsigned differences.
func TestRangesOfCounters(t *testing.T) {
	if _, err := exec.LookPath("clang++"); err != nil {
		t.Skip("clang is missing; apt-get install clang")
	}
	for body, want := range map[string]int64{
		"if (i >= 10 && i < 60) a[i] = 1;":      50,
		"if (i < 200 || i > 800) a[i] = 1;":     399,
		"if ((unsigned)(i - 1) < 32) a[i] = 1;": 32,
		"for (int d = -2; d <= 2; d++) { int x = i + d; if (x < 0 || x >= 1000) continue; a[x] = d; }": 4994,
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
		if got := executed(p.Body, make([]int64, len(p.Vars))); got != want {
			t.Errorf("%s: %d accesses, want %d", body, got, want)
		}
	}
}

// executed counts accesses by going through all iterations.
func executed(nodes []nest.Node, env []int64) (n int64) {
	for _, x := range nodes {
		switch x := x.(type) {
		case *nest.Loop:
			for v := x.Lo.Eval(env); v <= x.Hi.Eval(env); v += x.Step {
				env[x.Var] = v
				n += executed(x.Body, env)
			}
		case *nest.If:
			if x.Cond.Eval(env) != 0 {
				n += executed(x.Then, env)
			} else {
				n += executed(x.Else, env)
			}
		case *nest.Stmt:
			n += int64(len(x.Accesses))
		}
	}
	return n
}
