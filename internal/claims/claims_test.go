package claims

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// clashes says whether an error is about two uses of one file.
func clashes(err error) bool { return errors.As(err, new(*ClashError)) }

func TestClaims(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(name, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Link("a", "hard"), os.Symlink("a", "soft"), os.Mkdir("d", 0o755), os.Symlink("d", "e"), os.WriteFile("d/x", nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		read, write string
		clash       bool
	}{
		{"a", "a", true},
		{"a", "./a", true},
		{"a", "d/../a", true},
		{"a", "hard", true},
		{"soft", "a", true},
		{"hard", "a", true},
		{"d/x", "e/x", true},
		{"a", "b", false},
		{"a", "new", false},
		{"/dev/null", "/dev/null", false},
	} {
		for _, readFirst := range []bool{true, false} {
			Forget()
			var first, second error
			if readFirst {
				_, first = ReadFile(test.read)
				second = Claim(test.write, test.write)
			} else {
				first = Claim(test.write, test.write)
				_, second = ReadFile(test.read)
			}
			if first != nil || clashes(second) != test.clash {
				t.Errorf("%s read, %s written, read first %v: %v, %v", test.read, test.write, readFirst, first, second)
			}
		}
	}
}

func TestClaimsOfResults(t *testing.T) {
	t.Chdir(t.TempDir())
	defer Forget()
	for _, test := range []struct {
		one, other string
		clash      bool
	}{
		{"x", "./x", true}, // neither is there
		{"x", "y", false},
		{"/dev/null", "/dev/null", false},
	} {
		Forget()
		if first, second := Claim(test.one, test.one), Claim(test.other, test.other); first != nil || clashes(second) != test.clash {
			t.Errorf("%s and %s: %v, %v", test.one, test.other, first, second)
		}
	}
	Forget()
	if first := Claim("x", "x"); first != nil {
		t.Fatal(first)
	}
	Release("x")
	if again := Claim("x", "x"); again != nil {
		t.Errorf("after its release: %v", again)
	}
}

func TestCheckFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	Forget()
	defer Forget()
	if err := errors.Join(os.Mkdir("run", 0o755), os.Mkdir("runs", 0o755), os.WriteFile("run/m.yaml", nil, 0o644), os.Symlink("run", "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile("run/m.yaml"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"run": true, "./run": true, "link": true, "runs": false, "none": false} {
		if err := CheckFolder(name); clashes(err) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// opened are the calls by which files could be read past this package.
var opened = regexp.MustCompile(`\bos\.(Open|ReadFile|OpenFile)\(|\bos\.DirFS\(`)

// unremembered are the files of the program that read, with the os package, what is no input of users: the machine, their own temporary
// files, folders to be synced, and what goes on from where it was.
var unremembered = map[string]string{
	"application/counters/check/check.go":    "samples of tests",
	"internal/oracle/callgrind/callgrind.go": "a temporary file of its own",
	"accuracy/readers/run.go":                "what a program that was run logged, in a temporary folder",
	"application/ir/compile.go":              "what a compiler wrote, in a temporary folder",
	"application/observe/run.go":             "what a program that was run told, in a temporary folder",
	"application/observe/arrays.go":          "what a program that was run told, in a temporary folder",
	"accuracy/advice/advice.go":              "an example, in a temporary folder",
	"accuracy/programs/set.go":               "the list of programs that are measured",
	"application/record/allocations.go":      "a source of the program that runs, for the names of its arrays",
	"sweep/store.go":                         "the folder of what sweeps keep",
	"application/ir/rust.go":                 "what rustc wrote, in a temporary folder",
	"application/record/mpi/salvage.go":      "the folder that is being recorded",
	"application/record/rust.go":             "what rustc was to link with, in a temporary folder",
	"application/record/own.go":              "the code that a compiler made, in a temporary folder",
	"application/versions/versions.go":       "files of a revision, in a temporary folder",
	"sweep/slurm/slurm.go":                   "what jobs said, and this program",
	"cmd/foresee/sweep.go":                   "this program",
	"accuracy/tracingcost.go":                "/proc",
	"accuracy/cycles/bench.go":               "the code of a kernel, in a temporary folder",
	"accuracy/cycles/times.go":               "a kernel, in a temporary folder",
	"application/record/build.go":            "temporary files of its own",
	"application/record/mpi/record.go":       "the folder that is being recorded",
	"application/record/plain.go":            "standard input, which is known already, once more",
	"application/record/runtime.go":          "the compiled runtime",
	"internal/output/file.go":                "devices that are written",
	"internal/output/place.go":               "unfinished files, and folders to be synced",
	"application/execution.go":               "the list of headers that a compiler has read, in a temporary folder",
	"cmd/foresee/validate.go":                "the document that is gone on with",
	"machine/host.go":                        "/proc and /sys",
	"machine/probe/resources.go":             "/proc and /sys",
	"machine/probe/state.go":                 "the measurement that is gone on with",
	"internal/claims/pipes.go":               "this package",
	"application/record/mpi/tools.go":        "temporary files of its own",
	"application/recording/hold.go":          "temporary files of its own",
	"internal/hostile/run.go":                "what a tried command left",
	"predict/compiled/compile.go":            "the code that a compiler made, in a temporary folder",
	"internal/workspace/clear.go":            "leftovers of dead commands",
	"internal/workspace/folder.go":           "locks of its own",
	"internal/workspace/trust.go":            "the folder of compiled objects",
	"machine/host_caches.go":                 "/proc",
}

// TestReadersRemember looks for code that reads files past this package, so that no new input is forgotten.
func TestReadersRemember(t *testing.T) {
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, "../../"))
		switch {
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "../.." || name == "tools" || name == "docs" || name == "scripts" || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || unremembered[name] != "":
			return nil
		}
		text, err := os.ReadFile(path)
		for i, line := range strings.Split(string(text), "\n") {
			if opened.MatchString(line) {
				t.Errorf("%s:%d: reads a file past this package; an input of users is opened by claims.Open, other files are named in unremembered", name, i+1)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
