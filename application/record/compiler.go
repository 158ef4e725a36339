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

// ErrNoCompiler says that neither clang nor gcc is there.
var ErrNoCompiler = errors.New("no C compiler; install clang (Debian: apt-get install clang), or name one in " + CompilerVariable)

// FindCompiler looks for the compiler that the environment names, then for clang 13 or later, then for gcc.
func FindCompiler(ctx context.Context, cxx bool) (*Compiler, error) {
	variable, clang, gcc := CompilerVariable, "clang", "gcc"
	if cxx {
		variable, clang, gcc = CxxCompilerVariable, "clang++", "g++"
	}
	if name := os.Getenv(variable); name != "" {
		c, err := probeCompiler(ctx, name, cxx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", variable, err)
		}
		return c, nil
	}
	names := []string{clang}
	for v := newestClang; v >= oldestClang; v-- {
		names = append(names, fmt.Sprintf("%s-%d", clang, v))
	}
	for _, name := range append(names, gcc) {
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
		return nil, errors.New("no C++ compiler; install clang (Debian: apt-get install clang), or name one in " + CxxCompilerVariable)
	}
	return nil, ErrNoCompiler
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
