package observe

import (
	"bytes"
	"errors"
	"fmt"
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
	text := "argument x612f62\nargument x\nargument x3320\nregion 0 100 0\ngroup 10 3 6~2..9\ngroup 40 4 1..9\nregion 1 7 0\ngroup 7\nend\n"
	got, arguments, err := read(strings.NewReader(text), planOf())
	if err != nil || !reflect.DeepEqual(arguments, []string{"a/b", "", "3 "}) {
		t.Fatal(arguments, err)
	}
	n, m := csource.Place{Text: "n"}, csource.Place{Text: "m"}
	want := []Entered{ // of f only one entry in two was looked at
		{Function: "f", Entries: 100, Groups: []Group{
			{80, map[csource.Place]int64{n: 4}, map[csource.Place]string{m: "1..9"}}, {20, map[csource.Place]int64{n: 3, m: 6}, map[csource.Place]string{m: "2..9"}},
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

// valuesOf runs a program, and gives it with what it told.
func valuesOf(t *testing.T, source, command string) ([]Entered, *Program, error) {
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
	p := &Program{Sources: []string{path}, Command: command}
	all, err := p.Values(t.Context(), f, csource.Options{}, Streams{Out: io.Discard, Err: io.Discard})
	return all, p, err
}

// TestFaults: what follows a pointer is not asked for where that ends the program.
func TestFaults(t *testing.T) {
	all, _, err := valuesOf(t, `#include <stdlib.h>
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
		_, _, err := valuesOf(t, c.source, "./a")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.name == "abort" && !errors.As(err, new(*RunError)) {
			t.Errorf("%T", err)
		}
	}
}

// TestArrays: an array is told once for all entries with the same content, as another one where that changes, and not where it is not known how long it is.
func TestArrays(t *testing.T) {
	source := `#include <stdlib.h>
double a[100];
int table[40];
static short small[3][4];
void f(int n, const int *p) {
  for (int i = 0; i < n; i++)
    a[p[i]] = 1;
}
void g(const short (*q)[4]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      a[q[i][j]] = 1;
}
int main(int argc, char **argv) {
  unsigned char on_stack[8] = {0};
  int *p = malloc(30 * sizeof *p), *part = realloc(calloc(50, sizeof *p), 60 * sizeof *p);
  for (int i = 0; i < 30; i++)
    p[i] = table[i] = 3 * i;
  f(30, p);
  f(30, p);
  f(30, table);
  for (int i = 0; i < 60; i++)
    part[i] = i / 2;
  f(9, part + 20);
  free(p);
  p = malloc(30 * sizeof *p);
  for (int i = 0; i < 30; i++)
    p[i] = 29 - i;
  f(30, p);
  for (int i = 0; i < 12; i++)
    small[i / 4][i % 4] = i % 3 - (i == 11);
  small[2][3] = 5;
  g(small);
  return on_stack[argc];
}
`
	all, p, err := valuesOf(t, source, "./a")
	if err != nil {
		t.Fatal(err)
	}
	contents := map[string]int64{} // entries by the numbers of the array
	for _, e := range all {
		for _, g := range e.Groups {
			for place, v := range g.Values {
				if place.IsTable() && e.Function != "main" {
					contents[fmt.Sprint(e.Function, p.Tables[v].Values())] += g.Count
				}
			}
		}
	}
	numbers := func(function string, n int, f func(int) int) string {
		var out []int
		for i := range n {
			out = append(out, f(i))
		}
		return fmt.Sprint(function, out)
	}
	want := map[string]int64{
		numbers("f", 30, func(i int) int { return 3 * i }):                        2,
		numbers("f", 40, func(i int) int { return 3 * i * min(1, max(0, 30-i)) }): 1,
		numbers("f", 40, func(i int) int { return (i + 20) / 2 }):                 1,
		numbers("f", 30, func(i int) int { return 29 - i }):                       1,
		numbers("g", 12, func(i int) int {
			if i == 11 {
				return 5
			}
			return i % 3
		}): 1,
	}
	if !reflect.DeepEqual(contents, want) {
		t.Errorf("%v\nwant %v", contents, want)
	}
}

func FuzzReadArrays(f *testing.F) {
	f.Add([]byte("\x01\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x03\x00\xff\xff"))
	f.Add([]byte("\x01\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := readArrays(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, table := range all {
			if n := len(table.Values()); n < 1 || n > len(data) {
				t.Errorf("%d numbers of %d bytes", n, len(data))
			}
		}
	})
}

// unsure is an analysis that is never content with what it was told.
type unsure struct{ Asking }

func (unsure) Answers(*csource.Plan, csource.Options) bool { return false }

// TestSaidOnce: a program that is run again says nothing again.
func TestSaidOnce(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is missing; apt-get install gcc")
	}
	path := filepath.Join(t.TempDir(), "a.c")
	source := `#include <stdio.h>
#include <stdlib.h>
double a[100];
void f(int n) { for (int i = 0; i < n; i++) a[i] = 1; }
int main(int c, char **v) { f(atoi(v[1])); puts("said"); }`
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := csource.Open(path, nil, csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	p := &Program{Sources: []string{path}, Command: "./a 50"}
	if _, err := p.Values(t.Context(), unsure{f}, csource.Options{}, Streams{Out: &said, Err: io.Discard}); err != nil {
		t.Fatal(err)
	}
	if said.String() != "said\n" || p.Runs < 2 {
		t.Errorf("%d runs say %q", p.Runs, said.String())
	}
}
