package observe

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/csource/probe"
)

func TestCommandOf(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{"./app 100 in.txt", "exec '/x/p' 100 in.txt"},
		{"app", "exec '/x/p'"},
		{"  N=3 M='a b' ./app < in", "  N=3 M='a b' exec '/x/p' < in"},
		{"./app<in >out", "exec '/x/p'<in >out"},
	} {
		if got := CommandOf(c.command, "/x/p"); got != c.want {
			t.Errorf("%q: %q, want %q", c.command, got, c.want)
		}
	}
	if got := CommandOf("a", "/it's/p"); got != `exec '/it'\''s/p'` {
		t.Error(got)
	}
}

// planOf is a plan of one function with two values.
func planOf() *csource.Plan {
	return &csource.Plan{
		Places:  []csource.Place{{Text: "n"}, {Text: "m"}},
		Regions: []probe.Region{{Function: "f", Places: []int{0, 1}}, {Function: "g"}},
	}
}

func TestRead(t *testing.T) {
	text := "argument x612f62\nargument x\nargument x3320\nregion 0 100 0\ngroup 10 3 -\ngroup 40 4 1..9\nregion 1 7 0\ngroup 7\nend\n"
	got, arguments, err := read(strings.NewReader(text), planOf())
	if err != nil || !reflect.DeepEqual(arguments, []string{"a/b", "", "3 "}) {
		t.Fatal(arguments, err)
	}
	n, m := csource.Place{Text: "n"}, csource.Place{Text: "m"}
	want := []Entered{ // of f only one entry in two was looked at
		{Function: "f", Entries: 100, Groups: []Group{
			{80, map[csource.Place]int64{n: 4}, map[csource.Place]string{m: "1..9"}}, {20, map[csource.Place]int64{n: 3}, map[csource.Place]string{}},
		}},
		{Function: "g", Entries: 7, Groups: []Group{{7, map[csource.Place]int64{}, map[csource.Place]string{}}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, bad := range []string{"", "region 0 1 0\n", "region 9 1 0\nend\n", "group 1 2 3\nend\n", "region 0 1 0\ngroup 1\nend\n", "region 0 x 0\nend\n", "argument x6\nend\n", "argument\nend\n"} {
		if _, _, err := read(strings.NewReader(bad), planOf()); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("argument x612f62\nend\n")
	f.Add("region 0 100 0\ngroup 10 3 -\ngroup 40 4 1..9\nregion 1 7 0\ngroup 7\nend\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, _, err := read(strings.NewReader(text), planOf())
		if err == nil && len(all) != 2 {
			t.Errorf("%+v", all)
		}
	})
}

// valuesOf runs a program.
func valuesOf(t *testing.T, source, command string) ([]Entered, error) {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is missing; apt-get install gcc")
	}
	path := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := csource.Open(path, nil, csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := Program{Sources: []string{path}, Command: command}
	return p.Values(t.Context(), f, csource.Options{}, Streams{Out: io.Discard, Err: io.Discard})
}

// TestFaults: what follows a pointer is not asked for where that ends the program.
func TestFaults(t *testing.T) {
	all, err := valuesOf(t, `#include <stdlib.h>
struct s { int n; };
double a[100];
void f(struct s *p, int have) {
  while (have-- > 0)
    for (int i = 0; i < p->n; i++)
      a[i] = 1;
}
int main(int argc, char **argv) {
  f((struct s *)8, 0);
  return 0;
}
`, "./a")
	if err != nil || len(all) == 0 {
		t.Errorf("%+v %v", all, err)
	}
}

func TestFailures(t *testing.T) {
	loop := "double a[100];\nint main(int argc, char **argv) { for (int i = 0; i < argc * 9; i++) a[i] = 1; %s }\n"
	for _, c := range []struct{ name, source, want string }{
		{"abort", "#include <stdlib.h>\n" + strings.Replace(loop, "%s", "abort();", 1), "the run of ./a failed: signal: aborted"},
		{"missing", strings.Replace(loop, "%s", "void other(void); other();", 1), "undefined reference to `other'"},
	} {
		_, err := valuesOf(t, c.source, "./a")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.name == "abort" && !errors.As(err, new(*RunError)) {
			t.Errorf("%T", err)
		}
	}
}
