package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// Compiler is a C or C++ compiler that programs are built with.
type Compiler struct {
	Path    string
	Cxx     bool
	Fortran bool // its sources are Fortran
	Clang   bool // else gcc
	Major   int  // version
	// Own records the machine code that this compiler makes, with its own assembly rewritten (package rewrite).
	Own     bool
	version string // what it says of its version; "": not asked yet
}

// Variables of the environment that name the compilers.
const (
	CompilerVariable    = "FORESEE_CC"
	CxxCompilerVariable = "FORESEE_CXX"
)

// The versions of clang whose text is read.
const (
	oldestClang = 13
	newestClang = 22
)

// No compiler of a language is there.
var (
	errNoCompiler        = errors.New("no C compiler; install gcc (Debian: apt-get install gcc), or name one in " + CompilerVariable)
	errNoFortranCompiler = errors.New("no Fortran compiler; install gfortran (Debian: apt-get install gfortran)")
	errNoCxxCompiler     = errors.New("no C++ compiler; install g++ (Debian: apt-get install g++), or name one in " + CxxCompilerVariable)
)

// UsualCompiler looks for the compiler whose machine code is recorded where none is named: that of the environment, then gcc, then clang 13
// or later; of code with OpenMP clang before gcc, whose thread-local variables the virtual threads each have at an address of their own. Where
// machine code is not recorded, it is the compiler whose IR is.
func UsualCompiler(ctx context.Context, language Language, openmp bool) (*Compiler, error) {
	cxx := language == Cxx
	switch {
	case language == Fortran:
		c, err := OwnCompiler(ctx, usualFortran, language)
		if errors.Is(err, exec.ErrNotFound) {
			return nil, errNoFortranCompiler
		}
		return c, err
	case !onX86():
		return FindCompiler(ctx, cxx)
	}
	_, gcc := usualNames(cxx)
	names := append([]string{gcc}, clangs(cxx)...)
	if openmp {
		names = append(clangs(cxx), gcc)
	}
	c, err := find(ctx, cxx, names)
	if err != nil {
		return nil, err
	}
	c.Own = true
	return c, nil
}

// usualFortran is the compiler of Fortran that is taken where none is named.
const usualFortran = "gfortran"

// Linker is the compiler that links and assembles programs in Rust: gcc, or else clang.
func Linker(ctx context.Context) (*Compiler, error) {
	c, err := OwnCompiler(ctx, "gcc", C)
	if errors.Is(err, exec.ErrNotFound) {
		c, err = OwnCompiler(ctx, "clang", C)
	}
	if err != nil {
		return nil, fmt.Errorf("what links and assembles programs in Rust: %w; install gcc (Debian: apt-get install gcc)", err)
	}
	return c, nil
}

// FindCompiler looks for the compiler whose IR is recorded: that which the environment names, then clang 13 or later; else gcc, which calls
// the recorder by itself.
func FindCompiler(ctx context.Context, cxx bool) (*Compiler, error) {
	_, gcc := usualNames(cxx)
	return find(ctx, cxx, append(clangs(cxx), gcc))
}

// findClang looks for clang, whatever the environment names.
func findClang(ctx context.Context, cxx bool) (*Compiler, error) {
	return findFirst(ctx, cxx, clangs(cxx))
}

func usualNames(cxx bool) (clang, gcc string) {
	if cxx {
		return "clang++", "g++"
	}
	return "clang", "gcc"
}

// clangs are the names that clang may have.
func clangs(cxx bool) []string {
	clang, _ := usualNames(cxx)
	names := []string{clang}
	for v := newestClang; v >= oldestClang; v-- {
		names = append(names, fmt.Sprintf("%s-%d", clang, v))
	}
	return names
}

// find takes the compiler that the environment names, else the first of those.
func find(ctx context.Context, cxx bool, names []string) (*Compiler, error) {
	variable := CompilerVariable
	if cxx {
		variable = CxxCompilerVariable
	}
	if name := os.Getenv(variable); name != "" {
		c, err := probeCompiler(ctx, name, cxx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", variable, err)
		}
		return c, nil
	}
	return findFirst(ctx, cxx, names)
}

func findFirst(ctx context.Context, cxx bool, names []string) (*Compiler, error) {
	for _, name := range names {
		c, err := probeCompiler(ctx, name, cxx)
		switch {
		case err == nil:
			return c, nil
		case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
			return nil, fmt.Errorf("the compiler cannot be started: %w; allow more open files (ulimit -n)", err)
		case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.ENOMEM):
			return nil, fmt.Errorf("the compiler cannot be started: %w; allow more processes (ulimit -u) or memory", err)
		}
	}
	if cxx {
		return nil, errNoCxxCompiler
	}
	return nil, errNoCompiler
}

// OwnCompiler is a compiler whose own machine code is to be recorded.
func OwnCompiler(ctx context.Context, name string, language Language) (*Compiler, error) {
	if !onX86() {
		return nil, ErrNotX86
	}
	c, err := probeCompiler(ctx, name, language == Cxx)
	if err != nil {
		return nil, err
	}
	c.Own, c.Fortran = true, language == Fortran
	return c, nil
}

// ErrNotX86 says that the machine code of this processor is not recorded.
var ErrNotX86 = errors.New("machine code is recorded on x86-64 alone")

// Language is what a compiler is asked to compile, where the names of files do not say it.
type Language int

// The languages.
const (
	C Language = iota
	Cxx
	Fortran
)

var clangVersion = regexp.MustCompile(`clang version (\d+)`)

// probeCompiler asks a compiler what it is.
func probeCompiler(ctx context.Context, name string, cxx bool) (*Compiler, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, err
	}
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("%s --version: %w", path, err)
	}
	c := &Compiler{Path: path, Cxx: cxx, version: string(out)}
	if m := clangVersion.FindSubmatch(out); m != nil {
		c.Clang = true
		c.Major, _ = strconv.Atoi(string(m[1]))
		if c.Major < oldestClang {
			return nil, fmt.Errorf("%s is clang %d; foresee needs %d or later", path, c.Major, oldestClang)
		}
		return c, nil
	}
	if !bytes.Contains(out, []byte("Free Software Foundation")) {
		return nil, fmt.Errorf("%s is neither clang nor gcc", path)
	}
	if v, err := exec.CommandContext(ctx, path, "-dumpversion").Output(); err == nil {
		major, _, _ := strings.Cut(strings.TrimSpace(string(v)), ".")
		c.Major, _ = strconv.Atoi(major)
	}
	return c, nil
}

// Opaque says that pointers in the compiler's IR have no types.
func (c *Compiler) Opaque() bool { return c.Clang && c.Major >= 15 }

// String names the compiler as users know it.
func (c *Compiler) String() string {
	kind := "gcc"
	if c.Clang {
		kind = "clang"
	}
	return fmt.Sprintf("%s %d (%s)", kind, c.Major, filepath.Base(c.Path))
}

// onX86 says whether all registers may be preserved across the calls of the instrumentation.
func onX86() bool { return runtime.GOARCH == "amd64" }
