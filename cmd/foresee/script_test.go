package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "rewrite the expected outputs in testdata/script and testdata/golden")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"foresee": main, "foresee-cc": main, "foresee-c++": main, "foresee-fc": main, "foresee-rustc": main})
}

// TestScripts runs the command as a user would; see testdata/script.
func TestScripts(t *testing.T) {
	kernels, err := filepath.Abs("../../examples/kernels")
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := os.UserCacheDir() // of the recorder, which takes seconds to compile: it is there from other tests
	if err != nil {
		compiled = t.TempDir()
	}
	testscript.Run(t, testscript.Params{
		Dir:                "testdata/script",
		UpdateScripts:      *update,
		RequireUniqueNames: true,
		ContinueOnError:    true,
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "root":
				return os.Getuid() == 0, nil
			case "rayon":
				found, err := filepath.Glob("/usr/share/cargo/registry/rayon-[0-9]*")
				return len(found) > 0, err
			case "clang", "valgrind", "gcc", "mpicc.openmpi", "git":
				_, err := exec.LookPath(cond)
				return err == nil, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("KERNELS", kernels)
			e.Setenv("XDG_CACHE_HOME", compiled)
			if home, err := os.UserHomeDir(); err == nil { // rustup finds its compilers from there
				e.Setenv("RUSTUP_HOME", cmp.Or(os.Getenv("RUSTUP_HOME"), filepath.Join(home, ".rustup")))
			}
			program, err := exec.LookPath("foresee")
			e.Setenv("FORESEE", program)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"valid": validate, "alike": alike, "fails": fails, "ends": endsWith, "folder-has": folderHas, "records-alike": recordsAlike,
		},
	})
}

// validate FILE SCHEMA checks a JSON file against docs/schema.
func validate(ts *testscript.TestScript, _ bool, args []string) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(schemaDir(), args[1]))
	ts.Check(err)
	result, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	ts.Check(schema.Validate(result))
}

// alike FILE FILE compares two results but for the names of their inputs.
func alike(ts *testscript.TestScript, _ bool, args []string) {
	var text [2]string
	for i, name := range args[:2] {
		for line := range strings.Lines(ts.ReadFile(name)) {
			if !strings.Contains(line, `"input":`) {
				text[i] += line
			}
		}
	}
	if text[0] != text[1] {
		ts.Fatalf("%s and %s differ:\n%s\n%s", args[0], args[1], text[0], text[1])
	}
}

var schemaDir = func() string {
	dir, err := filepath.Abs("../../docs/schema")
	if err != nil {
		panic(err)
	}
	return dir
}

// fails CODE TEXT ARG... runs foresee and wants that exit code, the text on standard error, and nothing on standard
// output.
func fails(ts *testscript.TestScript, _ bool, args []string) {
	code := exitDone
	var exit *exec.ExitError
	if err := ts.Exec("foresee", args[2:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	}
	stdout, stderr := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	want := map[string]int{"1": exitFailed, "2": exitUsage}[args[0]]
	switch {
	case code != want:
		ts.Fatalf("exit code %d, want %d: %s", code, want, stderr)
	case !strings.Contains(stderr, args[1]):
		ts.Fatalf("standard error lacks %q:\n%s", args[1], stderr)
	case strings.Contains(stderr, "internal error"), strings.Contains(stderr, "goroutine "):
		ts.Fatalf("a panic:\n%s", stderr)
	case stdout != "":
		ts.Fatalf("output of a failed command:\n%s", stdout)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(stderr), "\n") {
		if !strings.HasPrefix(line, "foresee: ") {
			ts.Fatalf("a line of the error does not begin with foresee: %q", line)
		}
	}
}

// endsWith, as ends CODE ARG..., runs foresee and wants that exit code, with results.
func endsWith(ts *testscript.TestScript, _ bool, args []string) {
	code := exitDone
	var exit *exec.ExitError
	if err := ts.Exec("foresee", args[1:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s: %s", code, args[0], ts.ReadFile("stderr"))
	}
}

// recordsAlike FLAG... PROGRAM records a program ten times and wants the same bytes each time.
func recordsAlike(ts *testscript.TestScript, _ bool, args []string) {
	const runs = 10
	var first string
	for i := range runs {
		ts.Check(ts.Exec("foresee", append([]string{"trace", "--check=off", "-o", "alike.rec"}, args...)...))
		switch recorded := ts.ReadFile("alike.rec"); {
		case i == 0:
			first = recorded
		case recorded != first:
			ts.Fatalf("run %d of %d recorded other bytes than the first", i+1, runs)
		}
	}
}

// folderHas DIR NAME... wants exactly these files: nothing unfinished stays.
func folderHas(ts *testscript.TestScript, _ bool, args []string) {
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got, want := strings.Join(names, " "), strings.Join(args[1:], " "); got != want {
		ts.Fatalf("%s holds %q, want %q", args[0], got, want)
	}
}
