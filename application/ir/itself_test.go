package ir

import (
	"slices"
	"strings"
	"testing"

	"foresee/application/csource"
)

// TestByItself: a function is read by itself where main gives it what cannot be followed, with the numbers that main gives it; what a loop of main may have
// set that is left out is not known behind it, and asked for.
func TestByItself(t *testing.T) {
	needs(t, "clang++")
	const program = `#include <cstdlib>
#include <vector>
void smooth(const std::vector<double> &a, double *b) { for (size_t i = 1; i + 1 < a.size(); i++) b[i] = a[i - 1] + a[i + 1]; }
double total(const std::vector<std::vector<double>> &rows, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += rows[i][j];
  return s;
}
double b[1000];
int main() {
  std::vector<double> a;
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 1000; i++) a.push_back(rand());
  for (int i = 0; i < 30; i++) rows.push_back(a);
  smooth(a, b);
  return total(rows, 30) > b[3];
}
`
	module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: write(t, "a.cpp", program)})
	if err != nil {
		t.Fatal(err)
	}
	u, err := Load("a.cpp", module, csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := names(u.Programs); !slices.Equal(got, []string{"total"}) || length(t, u.Programs[0]) < 30*30 {
		t.Errorf("%q are read", got)
	}
	if i := slices.IndexFunc(u.Skipped, func(k csource.Skipped) bool { return k.Function == "smooth" }); i < 0 || !strings.Contains(u.Skipped[i].Reason, "define it, such as a.size=1000") {
		t.Errorf("left out: %+v", u.Skipped)
	}
	if asked := Lacking("a.cpp", module, csource.Options{}, u, err); !slices.Equal(asked, []string{"a.size=1000"}) {
		t.Errorf("lacking: %q", asked)
	}
	u, err = Load("a.cpp", module, csource.Options{Defines: []string{"a.size=500"}})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.Index(names(u.Programs), "smooth")
	if i < 0 {
		t.Fatalf("%q are read", names(u.Programs))
	}
	p := u.Programs[i]
	if n := length(t, p); n < 3*498 || n > 3*498+10 { // and what of the vector is read itself
		t.Errorf("%d accesses", n)
	}
	if !slices.ContainsFunc(p.Warnings, func(w string) bool { return strings.Contains(w, "smooth is read by itself") }) {
		t.Errorf("warnings %q", p.Warnings)
	}
}
