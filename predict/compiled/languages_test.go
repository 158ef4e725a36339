package compiled_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foresee/application"
	"foresee/application/nest"
	"foresee/model/timing"
	"foresee/predict/compiled"
)

// TestInlined has g++ put a loop into main, which runs it three times: its code takes what one run of it does, with as many iterations as the source has.
func TestInlined(t *testing.T) {
	needs(t, "g++")
	path := filepath.Join(t.TempDir(), "dot.cpp")
	source := `#include <vector>
inline double dot(const std::vector<double> &x, const std::vector<double> &y) {
  double s = 0;
  for (int i = 0; i < 4000; i++)
    s += x[i] * y[i];
  return s;
}
int main() {
  std::vector<double> x(4000, 1.0), y(4000, 2.0);
  for (int r = 0; r < 3; r++)
    x[r] = dot(x, y);
  return x[1] > 0;
}
`
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	at := func(line int) nest.Pos { return nest.Pos{File: path, Line: line} }
	programs := []*nest.Program{{Region: "dot", Function: "_Z3dotRKSt6vectorIdSaIdEES3_", Entry: at(2), Exit: at(7)}}
	code, err := compiled.Compile(context.Background(), []string{"g++", "-O2"}, &application.Code{Name: "dot.cpp", Path: path}, programs)
	if err != nil {
		t.Fatal(err)
	}
	cycles, err := code.On(context.Background(), zen4(t), programs)
	if err != nil {
		t.Fatal(err)
	}
	if n := cycles.Runs(0); n != 3 {
		t.Errorf("the function runs %g times, want 3", n)
	}
}

// TestCallers: the code of functions counts in full for one that calls them, whether they are regions of their own or not.
func TestCallers(t *testing.T) {
	needs(t, "g++")
	needs(t, "clang++")
	path := filepath.Join(t.TempDir(), "callers.cpp")
	source := `#include <vector>
void spread(std::vector<double> &a, double by) {
  for (int i = 0; i < 4000; i++)
    a[i] = by * a[i] + 1;
}
double total(const std::vector<double> &a) {
  double s = 0;
  for (int i = 0; i < 4000; i++)
    s += a[i];
  return s;
}
int main() {
  std::vector<double> a(4000, 1.0);
  double s = 0;
  for (int r = 0; r < 3; r++) {
    spread(a, 0.5);
    s += total(a);
  }
  return s > 1;
}
`
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := application.Find(t.Context(), path, nil, application.Told{})
	if err != nil {
		t.Fatal(err)
	}
	opened, err := in.Open(t.Context(), application.Options{Values: &application.ForValues{Command: "./callers"}})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	programs := opened.Signature.Loops
	i := slices.IndexFunc(programs, func(p *nest.Program) bool { return p.Region == "main" })
	if i < 0 || len(programs) != 3 {
		t.Fatalf("%d regions", len(programs))
	}
	var blocks [][]*timing.Block
	for _, p := range programs {
		b, err := timing.Blocks(p)
		if err != nil {
			t.Fatal(err)
		}
		blocks = append(blocks, b)
	}
	code := &application.Code{Name: "callers.cpp", Path: path}
	for _, flags := range []string{"-O2", "-O2 -fno-inline-functions"} {
		command := append([]string{"g++"}, strings.Fields(flags)...)
		given, _ := follow(t, zen4(t), command, code, programs).Give(programs, blocks)
		among, _ := total(given[i])
		given, _ = follow(t, zen4(t), command, code, programs[i:i+1]).Give(programs[i:i+1], blocks[i:i+1])
		alone, _ := total(given[0])
		if math.Abs(among/alone-1) > 0.02 || alone < 3*4000*3 {
			t.Errorf("%s: main takes %.0f cycles beside the functions that it calls, %.0f by itself", flags, among, alone)
		}
	}
}
