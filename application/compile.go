package application

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"foresee/application/record"
	"foresee/internal/workspace"
)

// Compiling says how a source is compiled to be run.
type Compiling struct {
	Flags             string   // of the compiler, by blanks
	Defines, Includes []string // NAME=VALUE; folders
}

// NotCompiledError is an input that is to be compiled, and whose language is not known here.
type NotCompiledError struct{ Name string }

func (e *NotCompiledError) Error() string {
	return e.Name + ": C and C++ sources (.c, .cc, .cpp, .cxx) are compiled here, and no others"
}

// NoMainError is a source without the function that a program begins with.
type NoMainError struct{ Name string }

func (e *NoMainError) Error() string {
	return e.Name + ": it has no function main, so that it cannot be run"
}

// withoutMain is what linkers (ld and gold, lld, mold) say of that.
var withoutMain = regexp.MustCompile("undefined (reference to [`']|symbol: )main\\b")

// build builds a program from one source file, in a folder of its own.
func (c Compiling) build(ctx context.Context, input string, stderr io.Writer) (folder *workspace.Folder, program string, err error) {
	cxx := languageOf(input) == Cxx
	if l := languageOf(input); l == Fortran || l == Rust {
		return nil, "", &NotSourceError{input, l}
	}
	if !cxx && filepath.Ext(input) != ".c" {
		return nil, "", &NotCompiledError{input}
	}
	if _, err := os.Stat(input); err != nil {
		return nil, "", fmt.Errorf("%s: %w", input, cause(err))
	}
	compiler, err := record.FindCompiler(ctx, cxx)
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
	b := &record.Builder{Compiler: compiler, Stdin: strings.NewReader(""), Stdout: &said, Stderr: &said}
	err = b.Build(ctx, c.arguments(input, program, read))
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

// arguments are those of the compiler, which lists what it reads as a rule of a makefile.
func (c Compiling) arguments(input, program, rule string) (args []string) {
	var libraries []string
	for f := range strings.FieldsSeq(c.Flags) {
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
	return append(append(args, "-MMD", "-MF", rule, input, "-o", program), libraries...)
}
