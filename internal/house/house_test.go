// Package house holds the shape of the repository: which folder may import which, and how large packages and files may grow.
package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// root is the folder of the repository.
const root = "../.."

// listed is what go list tells of a package.
type listed struct {
	ImportPath, Name string
	GoFiles, Imports []string // without tests
	Deps             []string // of all that it imports, and what that imports
}

// short is the import path within the repository.
func (p listed) short() string { return strings.TrimPrefix(p.ImportPath, module) }

const module = "foresee/"

// packages are those of the repository that have more than tests.
func packages(t *testing.T) (all []listed) {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Name,GoFiles,Imports,Deps", "./...")
	cmd.Dir = root
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &failed)
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if len(p.GoFiles) > 0 {
			all = append(all, p)
		}
	}
	if len(all) < 30 {
		t.Fatalf("go list shows %d packages only", len(all))
	}
	return all
}

// floors are the folders in the order in which data flow: what stands on a floor imports what stands on it or below. Of two folders one in
// the other, the inner one counts.
var floors = [][]string{
	{"internal", "examples"},
	{"application"},
	{"machine"},
	{"model"},
	{"predict"},
	{"advise", "sweep"},
	{"report", "internal/oracle"},
	{"accuracy", "web"},
	{"cmd", "docs", "scripts", "tools"},
}

// exceptions are the imports that point up all the same, and why.
var exceptions = []struct{ from, to, why string }{
	{"application/", "model/schedule", "how OpenMP deals iterations is a table that imports nothing; loop nests are dealt by it before any model sees them"},
	{"internal/hostile", "application/recording", "it damages recordings, to try what becomes of them"},
	{"internal/tracetest", "application/trace", "it makes traces for tests"},
}

func floorOf(short string) int {
	floor, longest := -1, ""
	for i, folders := range floors {
		for _, folder := range folders {
			if (short == folder || strings.HasPrefix(short, folder+"/")) && len(folder) > len(longest) {
				floor, longest = i, folder
			}
		}
	}
	return floor
}

func excepted(from, to string) bool {
	return slices.ContainsFunc(exceptions, func(e struct{ from, to, why string }) bool {
		return strings.HasPrefix(from+"/", strings.TrimSuffix(e.from, "/")+"/") && to == e.to
	})
}

// TestArrows looks for imports that point back.
func TestArrows(t *testing.T) {
	used := map[string]bool{}
	for _, p := range packages(t) {
		from := p.short()
		if floorOf(from) < 0 {
			t.Errorf("%s stands on no floor", from)
		}
		for _, path := range p.Imports {
			to, ours := strings.CutPrefix(path, module)
			if !ours || floorOf(to) <= floorOf(from) {
				continue
			}
			if used[to] = true; !excepted(from, to) {
				t.Errorf("%s imports %s, which stands above it", from, to)
			}
		}
	}
	for _, e := range exceptions {
		if !used[e.to] {
			t.Errorf("nothing needs the exception for %s any more", e.to)
		}
	}
}

// worldly are packages that reach out of the program: models are functions of plain values.
var worldly = []string{"os", "os/exec", "os/signal", "flag", "net", "net/http", "log", "syscall", "time", "io/fs", "io/ioutil", "github.com/spf13/cobra", "github.com/spf13/pflag"}

func TestModelsTouchNothing(t *testing.T) {
	for _, p := range packages(t) {
		if !strings.HasPrefix(p.short(), "model/") {
			continue
		}
		for _, path := range p.Imports {
			if slices.Contains(worldly, path) || strings.HasPrefix(path, module+"report") || strings.HasPrefix(path, module+"cmd") {
				t.Errorf("%s imports %s", p.short(), path)
			}
		}
	}
}

// mostFiles is how many files a package has, tests left out. Design: below some 25.
const mostFiles = 25

func TestPackagesAreSmall(t *testing.T) {
	for _, p := range packages(t) {
		if n := len(p.GoFiles); n > mostFiles {
			t.Errorf("%s has %d files, more than %d", p.short(), n, mostFiles)
		}
	}
}

// mostLines bounds the lines of a file, tests too. It is the bound alone: what is aimed at is 100 to 300 lines, and a file above those is
// split where it falls into parts that are read by themselves.
const mostLines = 500

func TestFilesAreShort(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == ".cache" || d.Name() == "bin" || d.Name() == "shared"):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		seen++
		text, err := os.ReadFile(path)
		if n := bytes.Count(text, []byte("\n")); n > mostLines {
			t.Errorf("%s has %d lines, more than %d", path, n, mostLines)
		}
		return err
	})
	if err != nil || seen < 400 {
		t.Errorf("%d files, %v", seen, err)
	}
}

// forTests are the packages that tests share and no program reaches.
var forTests = []string{"application/counters/check", "application/nest/nesttest", "report/sample", "internal/longtest", "internal/tracetest", "machine/bandwidth/internal/synthetic"}

// TestEveryPackageIsOfAProgram looks for packages that nothing imports: make deadcode sees those alone that some program does.
func TestEveryPackageIsOfAProgram(t *testing.T) {
	all := packages(t)
	reached := map[string]bool{}
	for _, p := range all {
		if p.Name != "main" {
			continue
		}
		for _, path := range append(p.Deps, p.ImportPath) {
			reached[path] = true
		}
	}
	for _, p := range all {
		if reached[p.ImportPath] == slices.Contains(forTests, p.short()) {
			t.Errorf("%s: reached by a program: %v", p.short(), reached[p.ImportPath])
		}
	}
}
