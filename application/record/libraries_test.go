package record_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"foresee/application/record"
	"foresee/internal/longtest"
)

// library is a driver in examples/libraries, of code that was not written for foresee.
type library struct {
	name, header, pack string
	cmake              bool
}

var libraries = []library{
	{"armadillo", "armadillo", "libarmadillo-dev", false},
	{"cimg", "CImg.h", "cimg-dev", false},
	{"eigen", "eigen3/Eigen/Core", "libeigen3-dev", true},
	{"libstdcxx", "parallel/algorithm", "libstdc++-12-dev", false},
	{"viennacl", "viennacl/vector.hpp", "libviennacl-dev", true},
}

// TestLibraries builds programs that use libraries' parallel loops, with the compiler and with foresee in its place.
func TestLibraries(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles large headers")
	}
	t.Parallel()
	plain := needProgram(t, "g++")
	c, err := record.FindCompiler(t.Context(), true)
	if err != nil || !c.Clang {
		t.Skip("clang++ is not installed")
	}
	foresee := filepath.Join(t.TempDir(), "foresee")
	mustRun(t, ".", nil, "go", "build", "-o", foresee, "foresee/cmd/foresee")
	for _, l := range libraries {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			if l.name != "armadillo" && l.name != "eigen" {
				longtest.Skip(t, "the headers of five libraries, each compiled twice")
			}
			l.needHeader(t, plain)
			reference, traced := l.build(t, plain), l.build(t, foresee+" c++")
			l.compareEach(t, foresee, reference, traced)
			for _, threads := range []int{4, 16} {
				l.compare(t, foresee, reference, traced, threads)
			}
		})
	}
}

// headers tells compilers and CMake of the headers that scripts/ensure-packages.sh takes out of packages.
func headers(t *testing.T) []string {
	t.Helper()
	fetched, err := filepath.Abs("../../.cache/headers/usr")
	if err != nil {
		t.Fatal(err)
	}
	return []string{"CPLUS_INCLUDE_PATH=" + filepath.Join(fetched, "include"), "CMAKE_PREFIX_PATH=" + fetched}
}

func (l *library) needHeader(t *testing.T, compiler string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), compiler, "-M", "-DCL_TARGET_OPENCL_VERSION=120", "-x", "c++", "-")
	cmd.Env = append(os.Environ(), headers(t)...)
	cmd.Stdin = strings.NewReader("#include <" + l.header + ">\n")
	if cmd.Run() != nil {
		t.Skipf("%s is not there (Debian: apt-get install %s)", l.header, l.pack)
	}
}

// build builds a copy of the example as its users would.
func (l *library) build(t *testing.T, compiler string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), l.name)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("../../examples/libraries", l.name))); err != nil {
		t.Fatal(err)
	}
	needProgram(t, "make")
	if l.cmake {
		needProgram(t, "cmake")
		mustRun(t, dir, append(headers(t), "CXX="+compiler), "cmake", ".")
		mustRun(t, dir, headers(t), "make")
	} else {
		mustRun(t, dir, headers(t), "make", "CXX="+compiler)
	}
	return filepath.Join(dir, l.name)
}

func (l *library) compare(t *testing.T, foresee, reference, traced string, threads int) {
	t.Helper()
	want, _ := mustRun(t, ".", []string{fmt.Sprintf("OMP_NUM_THREADS=%d", threads)}, reference)
	args := []string{"trace", "--at-threads", fmt.Sprint(threads), traced}
	got, said := mustRun(t, ".", nil, foresee, args...)
	if got != want || want == "" {
		t.Errorf("%d threads:\n%swant\n%s", threads, got, want)
	}
	if !strings.HasPrefix(said, "region ") && !strings.Contains(said, "\nregion ") {
		t.Errorf("%d threads: no table of regions:\n%s", threads, said)
	}
}

// compareEach lets foresee decide. All of these libraries ask for their threads, and so the program runs with each number by itself.
func (l *library) compareEach(t *testing.T, foresee, reference, traced string) {
	t.Helper()
	var want strings.Builder
	for _, threads := range []int{1, 4, 16} {
		out, _ := mustRun(t, ".", []string{fmt.Sprintf("OMP_NUM_THREADS=%d", threads)}, reference)
		want.WriteString(out)
	}
	got, said := mustRun(t, ".", nil, foresee, "trace", "--threads", "1,4,16", traced)
	if got != want.String() {
		t.Errorf("each number by itself:\n%swant\n%s", got, want.String())
	}
	if !strings.Contains(said, "it is run with each number of threads by itself") {
		t.Errorf("foresee does not say that it depends on its threads:\n%s", said)
	}
}

func needProgram(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

// mustRun runs a command and gives what it printed to standard output and to standard error.
func mustRun(t *testing.T, dir string, env []string, name string, args ...string) (out, said string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), errors.Join(err, ctx.Err()), stdout.String(), stderr.String())
	}
	return stdout.String(), stderr.String()
}
