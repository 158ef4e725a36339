package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// repository is where README.md is.
const repository = "../.."

// TestDocumentedCommands runs every ```sh block of README.md and of the pages under docs, line by line, and wants exit code 0. Where a
// ```text block comes next, its lines must be in what the block before printed, in that order; a line … stands for what was left out.
// "```sh needs=PROGRAM,…" skips a block without these programs, and names them.
func TestDocumentedCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	for _, page := range documents(t) {
		blocks := fences(t, page)
		if !slices.ContainsFunc(blocks, fence.runs) {
			continue
		}
		t.Run(strings.TrimPrefix(filepath.ToSlash(page), repository+"/"), func(t *testing.T) {
			t.Parallel()
			dir := workplace(t)
			printed := ""
			for _, b := range blocks {
				switch {
				case b.runs():
					printed = b.run(t, dir)
				case b.language() == "text" && printed != "":
					if missing := absent(b.lines, printed); missing != "" {
						t.Errorf("line %d: no %q in what the commands before print:\n%s", b.at, missing, printed)
					}
				}
			}
		})
	}
}

// documents are README.md and the pages under docs.
func documents(t *testing.T) []string {
	t.Helper()
	out := []string{filepath.Join(repository, "README.md")}
	err := filepath.WalkDir(filepath.Join(repository, "docs"), func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// fence is a fenced block of a page.
type fence struct {
	info  string // what stands behind the fence
	at    int    // line of the page
	lines []string
}

func (f fence) language() string { return strings.SplitN(f.info+" ", " ", 2)[0] }

func (f fence) runs() bool { return f.language() == "sh" }

// fences are the blocks of a page. One that shows foresee's commands without being sh is a mistake: nobody would run them.
func fences(t *testing.T, page string) (out []fence) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	open := false
	for i, line := range strings.Split(string(text), "\n") {
		switch info, found := strings.CutPrefix(line, "```"); {
		case found && !open:
			open = true
			out = append(out, fence{info: info, at: i + 1})
		case found:
			open = false
		case open:
			b := &out[len(out)-1]
			b.lines = append(b.lines, line)
			if !b.runs() && regexp.MustCompile(`^(bin/)?foresee [a-z]|^go run `).MatchString(line) {
				t.Errorf("%s:%d: a command in a block that is not sh is never run", page, i+1)
			}
		}
	}
	if open {
		t.Errorf("%s: a block is not closed", page)
	}
	return out
}

// run runs the lines of a block in a folder, and gives what they print.
func (f fence) run(t *testing.T, dir string) string {
	t.Helper()
	_, needs, _ := strings.Cut(f.info, "needs=")
	for program := range strings.SplitSeq(needs, ",") {
		if needs != "" && !present(program) {
			t.Logf("line %d: skipped, needs %s", f.at, program)
			return ""
		}
	}
	var out bytes.Buffer
	for i, line := range f.lines {
		cmd := exec.Command("bash", "-c", tamed(line))
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1", "OMPI_MCA_mpi_yield_when_idle=1")
		text, err := cmd.CombinedOutput()
		out.Write(text)
		if err != nil {
			t.Errorf("line %d: %s: %v\n%s", f.at+1+i, line, err, text)
		}
	}
	return out.String()
}

// tamed is a command as a test can run it: with the binary at hand instead of a build, and without arrays that take a minute to measure.
func tamed(line string) string {
	line = strings.Replace(line, "go run ./cmd/foresee", "bin/foresee", 1)
	if strings.Contains(line, "machine measure") {
		line += " --max-size 256KiB"
	}
	return line
}

// absent is the first of some lines that is not in a text after those before it; "" if all are.
func absent(lines []string, text string) string {
	rest := strings.Split(text, "\n")
	for _, want := range lines {
		want = strings.TrimRight(want, " ")
		if want == "…" || want == "" {
			continue
		}
		at := slices.IndexFunc(rest, func(line string) bool { return strings.TrimRight(line, " ") == want })
		if at < 0 {
			return want
		}
		rest = rest[at+1:]
	}
	return ""
}

func TestAbsent(t *testing.T) {
	const text = "a\nb  \nc\na\n"
	for lines, want := range map[string]string{"a|b": "", "a|…|c": "", "c|a": "", "b|b": "b", "c|b": "b", "d": "d", "a|c|a|a": "a"} {
		if got := absent(strings.Split(lines, "|"), text); got != want {
			t.Errorf("%s: %q, want %q", lines, got, want)
		}
	}
}

// present says whether a program is here; slurm is a cluster that answers, as its commands alone are no use.
func present(program string) bool {
	if program == "slurm" {
		return exec.Command("sinfo").Run() == nil
	}
	_, err := exec.LookPath(program)
	return err == nil
}

// workplace is a folder with what the documented commands take for granted: a clone with bin/foresee, and the programs and files that
// pages name.
func workplace(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writeRing(t, dir, "solver.events.foresee")
	binary, err := exec.LookPath("foresee")
	if err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"bin/foresee": binary, "examples": filepath.Join(repository, "examples"), "gesummv.sass": filepath.Join(repository, "application/sass/testdata/gesummv-sm20.sass")} {
		target, err := filepath.Abs(target)
		if err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range documentedFiles {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := exec.LookPath("mpicc"); err == nil {
		for _, program := range []string{"solver", "app"} {
			cmd := exec.Command("mpicc", "ring.c", "-o", program)
			cmd.Dir = dir
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
	}
	return dir
}

// documentedFiles are those that pages name without showing them.
var documentedFiles = map[string]string{
	"input.dat": "1\n",
	"nodes":     "localhost slots=4\n",
	"ring.c": "#include <mpi.h>\nint main(int c, char **v) {\n    int n, me, in = 0, out = 1;\n    MPI_Init(&c, &v);\n    MPI_Comm_size(MPI_COMM_WORLD, &n);\n    MPI_Comm_rank(MPI_COMM_WORLD, &me);\n" +
		"    for (int i = 0; i < 20; i++)\n        MPI_Sendrecv(&out, 1, MPI_INT, (me + 1) % n, 0, &in, 1, MPI_INT, (me + n - 1) % n, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n" +
		"    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);\n    MPI_Finalize();\n    return out != n;\n}\n",
	"solver.cpp":     "#include <cstdio>\nint main() {\n    double s = 0;\n#pragma omp parallel for reduction(+ : s)\n    for (int i = 0; i < 999; i++)\n        s += i;\n    std::printf(\"%g\\n\", s);\n}\n",
	"Makefile":       "CXXFLAGS = -O2 -fopenmp\nbuild/solver: solver.cpp\n\tmkdir -p build\n\t$(CXX) $(CXXFLAGS) $< -o $@\n",
	"CMakeLists.txt": "cmake_minimum_required(VERSION 3.13)\nproject(solver CXX)\nadd_executable(solver solver.cpp)\ntarget_compile_options(solver PRIVATE -O2 -fopenmp)\ntarget_link_options(solver PRIVATE -fopenmp)\n",
}

// TestDocumentedPictures draws the pictures of the documentation again; each must be the file that pages show, byte for byte.
func TestDocumentedPictures(t *testing.T) {
	gesummv := []string{"xgraph", "--machine", "gtx570-sp", "--param", "n=48,Z=2,E=0.06,R=0.01307,size=16KiB,latency=40,alpha=6,beta=668", "--against"}
	for name, args := range map[string][]string{
		"lu.svg":                {"predict", filepath.Join(repository, "examples/kernels/lu.c"), "--machine", "i7-5960x", "--threads", "1-8"},
		"xgraph-throttling.png": append(slices.Clone(gesummv), "n=34"),
		"xgraph-cache.png":      append(slices.Clone(gesummv), "size=32KiB"),
		"xgraph-bypassing.png":  append(slices.Clone(gesummv), "R=x1.25,L=x0.8"),
		"xgraph-intensity.png":  append(slices.Clone(gesummv), "Z=4"),
		"xgraph-ilp.png":        append(slices.Clone(gesummv), "E=0.04"),
	} {
		drawn, shown := filepath.Join(t.TempDir(), name), filepath.Join(repository, "docs/images", name)
		if code, _, stderr := command(append(args, "--plot", drawn)...); code != 0 {
			t.Fatal(stderr)
		}
		got, err := os.ReadFile(drawn)
		if err != nil {
			t.Fatal(err)
		}
		if want, err := os.ReadFile(shown); err != nil || !bytes.Equal(got, want) {
			t.Errorf("docs/images/%s is not what foresee %s draws: %v", name, strings.Join(args, " "), err)
		}
	}
}
