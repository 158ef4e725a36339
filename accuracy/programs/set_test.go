package programs

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestParse reads lists of programs. By hand.
func TestParse(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.c", "b.cc", "include"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set, err := parse(strings.NewReader("# a comment\n\none: a.c -Iinclude -lm -- 5 a.c\ntwo: b.cc -std=c++11 --\nthree: a.c\n"), dir, List)
	if err != nil {
		t.Fatal(err)
	}
	if len(set) != 3 {
		t.Fatalf("%d programs, not 3", len(set))
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	one, two, three := set[0], set[1], set[2]
	if want := []string{in("a.c"), "-I" + in("include"), "-lm"}; !slices.Equal(one.words, want) || one.cxx {
		t.Errorf("%q of C++ %v, not %q", one.words, one.cxx, want)
	}
	if want := []string{"5", "a.c"}; !slices.Equal(one.args, want) { // arguments stay as they are
		t.Errorf("arguments %q, not %q", one.args, want)
	}
	if want := []string{in("b.cc"), "-std=c++11"}; !slices.Equal(two.words, want) || !two.cxx || len(two.args) > 0 {
		t.Errorf("%q %q of C++ %v, not %q", two.words, two.args, two.cxx, want)
	}
	if len(three.args) > 0 || three.name != "three" {
		t.Errorf("%+v", three)
	}
}

// TestParseRefuses says where a list is wrong.
func TestParseRefuses(t *testing.T) {
	for text, problem := range map[string]string{
		"one a.c\n":           ":1: a line is a name",
		"# x\n../one: a.c\n":  ":2: a line is a name",
		"one: -- 5\n":         ":1: one has no sources",
		"one: a.c\none: b.c ": ":2: a second program one",
	} {
		_, err := parse(strings.NewReader(text), t.TempDir(), List)
		if e := new(ListError); !errors.As(err, &e) || !strings.Contains(err.Error(), problem) {
			t.Errorf("%q: %v does not say %q", text, err, problem)
		}
	}
}

// FuzzParse reads any list.
func FuzzParse(f *testing.F) {
	f.Add("one: a.c -Iinclude -- 5\n# two\n")
	f.Add("x: -- --\ny: a -- b -- c\n")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		set, err := parse(strings.NewReader(text), dir, List)
		if err != nil {
			return
		}
		for _, p := range set {
			if p.name == "" || len(p.words) == 0 || p.half != "A" && p.half != "B" {
				t.Errorf("%+v of %q", p, text)
			}
		}
	})
}

// TestSame compares what programs print: times may differ, and lines that plain runs do not agree on.
func TestSame(t *testing.T) {
	for _, c := range []struct {
		name, plain, again, recorded string
		differs                      bool
	}{
		{"the same", "sum 5\n", "sum 5\n", "sum 5\n", false},
		{"another number", "sum 5\n", "sum 5\n", "sum 6\n", true},
		{"times", "sum 5\nTime = 0.01 seconds\n", "sum 5\nTime = 0.01 seconds\n", "sum 5\nTime = 0.31 seconds\n", false},
		{"what runs do not agree on", "at 0x5\n", "at 0x6\n", "at 0x7\n", false},
		{"a line more", "sum 5\n", "sum 5\n", "sum 5\nsum 6\n", true},
		{"a line more, now and then", "sum 5\n", "sum 5\nretried\n", "sum 5\nretried\nretried\n", false},
	} {
		err := same("p", c.plain, c.again, c.recorded)
		if e := new(OutputError); errors.As(err, &e) != c.differs {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestHalves holds that those that were looked at are never called untouched.
func TestHalves(t *testing.T) {
	for _, name := range looked {
		if half(name) != "A" {
			t.Errorf("%s is of half %s", name, half(name))
		}
	}
	if half("lulesh") != "B" || half("hpccg") != "A" { // the first bytes of their SHA-256 by sha256sum: odd and even
		t.Error("halves are not by SHA-256")
	}
}
