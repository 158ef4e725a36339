package machine

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"foresee/machine/library"

	"github.com/google/go-cmp/cmp"
)

// small is the least that a machine file can hold.
const small = `name: small
cores: {value: 4, source: s}
line_bytes: {value: 64, source: s}
levels:
- name: L1
  size: {value: 32 KiB, source: s}
  ways: {value: 8, source: s}
  shared_by: {value: 1, source: s}
- name: L2
  size: {value: 256 KiB, source: s}
  ways: {value: 8, source: s}
  shared_by: {value: 2, source: s}
`

func TestParseSmall(t *testing.T) {
	m, err := Parse("small.yaml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	if sets, ok := m.Sets(m.Level("L2")); !ok || sets != 512 {
		t.Errorf("L2 has %d sets, %v; want 512", sets, ok)
	}
}

// Every error names its place, its cause and its remedy, and all are reported at once.
func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{
			"unknown field", "cores: {", "coers: {",
			"m.yaml:1:1: cores: missing; write {value: …, source: …}\nm.yaml:2:1: unknown field \"coers\"; did you mean cores?",
		},
		{"unknown field in a level", "  ways: {value: 8, source: s}\n  shared_by: {value: 1", "  way: {value: 8, source: s}\n  shared_by: {value: 1", `m.yaml:7:3: levels[0]: unknown field "way"; did you mean ways?`},
		{"no source", "cores: {value: 4, source: s}", "cores: 4", "m.yaml:2:8: cores: no source; write {value: 4, source: where the value comes from}"},
		{"source left out", "cores: {value: 4, source: s}", "cores: {value: 4}", "m.yaml:2:8: cores: no source; write {value: …, source: where the value comes from}"},
		{"blank source", "cores: {value: 4, source: s}", "cores: {value: 4, source: ' '}", "m.yaml:2:8: cores: no source; write {value: …, source: where the value comes from}"},
		{"no value", "cores: {value: 4, source: s}", "cores: {source: s}", "m.yaml:2:8: cores: no value; write {value: …, source: where the value comes from}"},
		{"null", "cores: {value: 4, source: s}", "cores: {value: 4, source: s}\nsockets:", "m.yaml:3:9: sockets: empty; leave the line out where the value is not known"},
		{"word for a number", "value: 4,", "value: four,", `m.yaml:2:16: cores.value: "four" is not a whole number`},
		{"fraction of a core", "value: 4,", "value: 4.5,", `m.yaml:2:16: cores.value: "4.5" is not a whole number`},
		{"infinite", "cores:", "frequency_ghz: {value: .inf, source: s}\ncores:", `m.yaml:2:24: frequency_ghz.value: ".inf" is not a number`},
		{"bad size", "256 KiB", "256K", `m.yaml:10:17: levels[1].size.value: size "256K": unit "K" is not clear; write KiB (of 1024) or kB (of 1000)`},
		{
			"ways do not divide", "  ways: {value: 8, source: s}\n  shared_by: {value: 2", "  ways: {value: 7, source: s}\n  shared_by: {value: 2",
			"m.yaml:10:17: levels[1].size.value: 256 KiB is not a multiple of 7 ways × 64-byte lines = 448 bytes; correct size or ways",
		},
		{"sharing", "shared_by: {value: 2", "shared_by: {value: 3", "m.yaml:12:22: levels[1].shared_by.value: groups of 3 cores do not divide the socket's 4 cores"},
		{"shrinking", "256 KiB", "16 KiB", "m.yaml:10:17: levels[1].size.value: 16 KiB is not larger than the 32 KiB of L1"},
		{"order", "name: L2", "name: L3", `m.yaml:9:9: levels[1].name: "L3" is in the place of L2; list the levels from the core outwards`},
		{"line", "line_bytes: {value: 64", "line_bytes: {value: 96", "m.yaml:3:21: line_bytes.value: 96 is not a power of two, as lines are\n" +
			"m.yaml:6:17: levels[0].size.value: 32 KiB is not a multiple of 8 ways × 96-byte lines = 768 bytes; correct size or ways\n" +
			"m.yaml:10:17: levels[1].size.value: 256 KiB is not a multiple of 8 ways × 96-byte lines = 768 bytes; correct size or ways"},
		{"range", "cores: {value: 4", "frequency_ghz: {value: 3000, source: s}\ncores: {value: 4", "m.yaml:2:24: frequency_ghz.value: 3000 is out of range; it must be from 0.001 to 20"},
		{"huge", "256 KiB", "99999 TiB", "m.yaml:10:17: levels[1].size.value: 102398976 GiB is out of range; it must be from 1 B to 16384 GiB"},
		{"alias", "cores: {value: 4, source: s}", "cores: &c {value: 4, source: s}\nsockets: *c", "m.yaml:3:10: sockets: a machine file uses no aliases; write the value out"},
		{"twice", "cores: {value: 4, source: s}", "cores: {value: 4, source: s}\ncores: {value: 4, source: s}", `m.yaml:3:1: "cores" stands here a second time; the first is in line 2`},
		{"not a list", small[strings.Index(small, "levels"):], "levels: {name: L1}\n", "m.yaml:4:9: levels: must be a list, but it holds fields"},
		{"policy", "  ways: {value: 8, source: s}\n  shared_by: {value: 1", "  write_policy: {value: writeback, source: s}\n  shared_by: {value: 1", `m.yaml:7:25: levels[0].write_policy.value: "writeback" is not one of write-back, write-through; did you mean write-back?`},
		{"operation", "levels:", "operations:\n- {kind: ad, type: f64}\n- {kind: sqrt, type: int}\nlevels:", "m.yaml:5:10: operations[0].kind: \"ad\" is not one of add, mul, fma, div, sqrt, exp, log, pow, sin, cos; did you mean add?\nm.yaml:6:10: operations[1].kind: integers have no sqrt"},
		{"name", "name: small", "name: My Machine", `m.yaml:1:7: name: "My Machine" is not a machine's name; use lower case letters, digits, dots and dashes`},
		{"syntax", "cores: {", "cores: [", "m.yaml:2:28: not valid YAML: did not find expected ',' or ']', while parsing a flow sequence"},
		{"two documents", "name: small", "name: small\n---\nname: small", "m.yaml: more than one YAML document; write each machine to its own file"},
		{"empty", small, "", "m.yaml: the file is empty; docs/machines.md shows what a machine file holds"},
		{"a list", small, "- 1\n", "m.yaml:1:1: must hold fields (name: value), but it is a list"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := strings.Replace(small, c.old, c.new, 1)
			if in == small {
				t.Fatal("the case changes nothing")
			}
			m, err := Parse("m.yaml", []byte(in))
			if err == nil {
				t.Fatalf("parsed: %+v", m)
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseLimits(t *testing.T) {
	for name, in := range map[string]string{
		"large":   strings.Repeat("#", MaxFile+1),
		"unknown": strings.Repeat("a: 1\n", 200000),
		"levels":  "levels:\n" + strings.Repeat("- {nam: 1}\n", 90000),
		"repeats": strings.Repeat("a: 1\n", 9000),
		"inner":   "title:\n" + strings.Repeat("  a: 1\n", 9000),
		"deep":    "name: " + strings.Repeat("[", 50000),
		"aliases": "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]\n",
	} {
		start := cpuTime(t)
		_, err := Parse("m.yaml", []byte(in))
		if err == nil {
			t.Errorf("%s: parsed", name)
		} else if n := strings.Count(err.Error(), "\n"); n > maxShown {
			t.Errorf("%s: %d errors shown", name, n)
		}
		if took := cpuTime(t) - start; took > 20*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
	}
}

// What describes a machine is told by its fields, of which a few may be wrong, not by how the file is called, nor by one field.
func TestDescribes(t *testing.T) {
	for _, name := range Library() {
		data, err := library.Files.ReadFile(name + ".yaml")
		if err != nil || !Describes(data) {
			t.Errorf("%s: no machine, %v", name, err)
		}
	}
	for in, want := range map[string]bool{
		small:                             true,
		"name: x\ncoers: {}\nlevels: 3\n": true,
		"levels: []\n":                    true,
		"n: 4\nz: 2\ncores: 8\n":          false,
		"n: 4\ncores: 8\n":                false,
		"- levels\n- cores\n":             false,
		"levels":                          false,
		"":                                false,
		"{}":                              false,
		"levels: [\n":                     false,
	} {
		if Describes([]byte(in)) != want {
			t.Errorf("%.40q: %v", in, !want)
		}
	}
}

// cpuTime is what this process has computed, however busy the machine is.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func TestLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(file, []byte(small), 0o600); err != nil {
		t.Fatal(err)
	}
	if m, err := Load(file); err != nil || m.Name != "small" {
		t.Errorf("Load(%s) = %v, %v", file, m, err)
	}
	for in, want := range map[string]string{
		"i7-5960":      `unknown machine "i7-5960"; did you mean i7-5960x?`,
		"Zen-3":        `unknown machine "Zen-3"; did you mean zen3 or zen4 or zen5?`,
		"quantum":      `unknown machine "quantum"`,
		"no/such.yaml": "no/such.yaml: no such machine file: open no/such.yaml: no such file or directory",
	} {
		if _, err := Load(in); err == nil || err.Error() != want {
			t.Errorf("Load(%q): %v\nwant %s", in, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("name: a\ncores: {value: 1e400, source: [s]}\nlevels: [{name: L1, size: {value: -1, source: s}}]\n"))
	f.Add([]byte("a: &a [*a]\n<<: *a\n"))
	f.Add([]byte("levels:\n- {name: L1, ways: {value: 0, source: s}, shared_by: {value: 0, source: s}}\n"))
	for _, name := range Library()[:2] {
		m, err := Load(name)
		if err != nil {
			f.Fatal(err)
		}
		data, err := m.YAML()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse("fuzz.yaml", data)
		if err != nil {
			return
		}
		again := roundTrip(t, m)
		if diff := cmp.Diff(m, again); diff != "" {
			t.Errorf("parse, write, parse (-first +second):\n%s", diff)
		}
	})
}

func roundTrip(t *testing.T, m *Machine) *Machine {
	t.Helper()
	data, err := m.YAML()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse("again.yaml", data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return again
}

func TestUnknownSweepsAreRefused(t *testing.T) {
	text, err := library.Files.ReadFile("granite-rapids-vm.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Parse("x.yaml", []byte(strings.Replace(string(text), "kind: columns", "kind: colums", 1)))
	if err == nil || !strings.Contains(err.Error(), `"colums" is no kind of sweep`) {
		t.Error(err)
	}
}
