package compiled_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"foresee/application"
	"foresee/application/nest"
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
