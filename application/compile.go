package application

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"foresee/application/record"
	"foresee/internal/claims"
	"foresee/internal/workspace"
)

// UsualFlags are those that sources are compiled with to be run, where none are given: of C, C++ and Fortran.
const UsualFlags = "-O2 -fopenmp -lm"

// usualRust are those of Rust.
const usualRust = "-O"

// Compiling says how a source is compiled to be run.
type Compiling struct {
	Compiler          []string // with flags of its own; empty: the usual one of the language
	Flags             string   // of the compiler, by blanks, before its own
	Defines, Includes []string // NAME=VALUE; folders
	Others            []string // sources that belong to the first
}

// NotCompiledError is an input that is to be compiled, and whose language is not known here.
type NotCompiledError struct{ Name string }

func (e *NotCompiledError) Error() string {
	return e.Name + ": sources in C, C++, Fortran and Rust, told by the ends of their names, are compiled here, and no others"
}

// NoMainError is a source without the function that a program begins with.
type NoMainError struct{ Name string }

func (e *NoMainError) Error() string {
	return e.Name + ": it has no function main, so that it cannot be run"
}

// withoutMain is what linkers (ld and gold, lld, mold) say of that.
var withoutMain = regexp.MustCompile("undefined (reference to [`']|symbol: )main\\b")

// build builds a program from sources, the first of which is the input, in a folder of its own.
func (c Compiling) build(ctx context.Context, input string, stderr io.Writer) (folder *workspace.Folder, program string, err error) {
	language := languageOf(input)
	if language == "" && filepath.Ext(input) != ".c" {
		return nil, "", &NotCompiledError{input}
	}
	for _, name := range append([]string{input}, c.Others...) {
		if _, err := os.Stat(name); err != nil {
			return nil, "", fmt.Errorf("%s: %w", name, cause(err))
		}
	}
	openmp := c.asksOpenMP(input)
	b, err := c.builder(ctx, language, openmp)
	if err != nil {
		return nil, "", err
	}
	if folder, err = workspace.New("trace"); err != nil {
		return nil, "", err
	}
	if err := folder.Executable(); err != nil {
		return nil, "", errors.Join(err, folder.Remove())
	}
	program = filepath.Join(folder.Path, strings.TrimSuffix(filepath.Base(input), filepath.Ext(input)))
	read := filepath.Join(folder.Path, "read.d")
	var said bytes.Buffer
	b.Stdin, b.Stdout, b.Stderr = strings.NewReader(""), &said, &said
	if language == Rust {
		err = b.BuildRust(ctx, append(c.flags(usualRust), input, "-o", program))
	} else {
		err = b.Build(ctx, c.arguments(input, program, read, openmp))
	}
	if err != nil && withoutMain.Match(said.Bytes()) {
		return nil, "", errors.Join(&NoMainError{input}, folder.Remove())
	}
	if _, e := stderr.Write(said.Bytes()); e != nil {
		err = cmp.Or(err, e)
	}
	if err != nil {
		_ = folder.Remove()
		if errors.As(err, new(*record.ExitError)) {
			err = fmt.Errorf("the compiler failed: %w", err)
		}
		return nil, "", fmt.Errorf("%s: %w", input, err)
	}
	if err := headersRead(read); err != nil {
		_ = folder.Remove()
		return nil, "", err
	}
	return folder, program, nil
}

// builder has the compiler that is named, or the usual one of the language.
func (c Compiling) builder(ctx context.Context, language What, openmp bool) (*record.Builder, error) {
	name := ""
	if len(c.Compiler) > 0 {
		name = c.Compiler[0]
	}
	b := &record.Builder{}
	var err error
	switch of := recorded[language]; {
	case language == Rust:
		if b.Compiler, err = record.Linker(ctx); err == nil {
			b.Rustc, err = record.RustCompiler(ctx, cmp.Or(name, record.UsualRust))
		}
	case name == "":
		b.Compiler, err = record.UsualCompiler(ctx, of, openmp)
	default:
		b.Compiler, err = record.OwnCompiler(ctx, name, of)
	}
	if errors.Is(err, exec.ErrNotFound) {
		err = &NoCompilerError{cmp.Or(name, record.UsualRust)}
	}
	return b, err
}

// recorded are the languages but C and Rust.
var recorded = map[What]record.Language{Cxx: record.Cxx, Fortran: record.Fortran}

// NoCompilerError is a compiler that is not here.
type NoCompilerError struct{ Name string }

func (e *NoCompilerError) Error() string { return e.Name + " is not here" }

// flags are those of the compiler; usual ones are those that it is given where none are.
func (c Compiling) flags(usual string) []string {
	own := c.Compiler[min(len(c.Compiler), 1):]
	switch {
	case c.Flags != UsualFlags:
		return append(strings.Fields(c.Flags), own...)
	case len(own) == 0:
		return strings.Fields(usual)
	case usual == usualRust:
		return slices.Clone(own)
	}
	return append(slices.Clone(own), "-lm")
}

// arguments are those of the compiler, which lists what it reads as a rule of a makefile.
func (c Compiling) arguments(input, program, rule string, openmp bool) (args []string) {
	var libraries []string
	usual := UsualFlags
	if !openmp {
		usual = strings.Replace(usual, " -fopenmp", "", 1)
	}
	for _, f := range c.flags(usual) {
		if strings.HasPrefix(f, "-l") {
			libraries = append(libraries, f)
		} else {
			args = append(args, f)
		}
	}
	for _, d := range c.Defines {
		args = append(args, "-D"+d)
	}
	for _, i := range c.Includes {
		args = append(args, "-I"+i)
	}
	switch fortran := languageOf(input) == Fortran; {
	case !fortran:
		args = append(args, "-MMD", "-MF", rule)
	case len(c.Defines) > 0:
		args = append(args, "-cpp")
	}
	args = append(args, input)
	return slices.Concat(args, c.Others, []string{"-o", program}, libraries)
}

// ofOpenMP is what sources that use OpenMP hold: directives, functions and its macro.
var ofOpenMP = regexp.MustCompile(`(?i)(?:pragma|_pragma\s*\(\s*")\s*omp\b|[!c*]\$omp\b|\bomp_\w|\b_openmp\b|\bomp\.h\b`)

// asksOpenMP tells whether sources speak of OpenMP.
func (c Compiling) asksOpenMP(input string) bool {
	for _, name := range append([]string{input}, c.Others...) {
		text, err := claims.ReadFile(name)
		if err != nil || ofOpenMP.Match(text) {
			return true
		}
	}
	return false
}
