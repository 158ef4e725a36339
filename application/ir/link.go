package ir

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"foresee/application/observe"
)

// clangs are looked for where the compiler of a language takes no module as its source; IR of a later LLVM than their own they do not read.
var clangs = []string{"clang", "clang-20", "clang-19", "clang-18", "clang-17", "clang-16"}

// LinkError says what a compiler or linker says of a program that was to be made of a module.
type LinkError struct {
	Command string
	Said    string
}

func (e *LinkError) Error() string { return e.Command + ": " + e.Said }

// Link makes a program of the module that was compiled of the source, perhaps changed, and of sources in C, in a folder of which it gives the
// path. flags say how the module is compiled. Programs in Rust link with its own library alone.
func (c Compilation) Link(ctx context.Context, folder, module string, sources, flags []string) (string, error) {
	own, err := c.find()
	if err != nil {
		return "", err
	}
	module = strings.ReplaceAll(module, `"probe-stack"="__rust_probestack"`, "") // is no part of Rust's shared library
	if err := os.WriteFile(filepath.Join(folder, "code.ll"), []byte(module), 0o600); err != nil {
		return "", err
	}
	made := filepath.Join(folder, "program")
	var libraries []string
	for _, f := range own[1:] {
		switch {
		case isLinked(f) && !strings.HasPrefix(f, "-") && !filepath.IsAbs(f):
			here, err := filepath.Abs(f)
			if err != nil {
				return "", err
			}
			libraries = append(libraries, here)
		case isLinked(f):
			libraries = append(libraries, f)
		}
	}
	if c.OpenMP && len(c.Command) == 0 || slices.Contains(own, "-fopenmp") {
		libraries = append(libraries, "-fopenmp")
	}
	libraries = append(libraries, "-lm", "-lpthread", "-ldl")
	objects, err := objectsOf(ctx, folder, sources)
	if err != nil {
		return "", err
	}
	compile := slices.Concat(flags, []string{"-c", "code.ll", "-o", "code.o"})
	switch c.Language {
	case Fortran:
		if err := command(ctx, folder, own[0], slices.DeleteFunc(slices.Clone(compile), ofClangAlone)...); err != nil && anyClang(ctx, folder, compile) != nil {
			return "", err
		}
	case Rust:
		if err := anyClang(ctx, folder, compile); err != nil {
			return "", &UnreadError{filepath.Base(own[0]), err.Error()}
		}
		library, err := rustLibrary(ctx, own[0])
		if err != nil {
			return "", err
		}
		return made, command(ctx, folder, "cc", slices.Concat([]string{"code.o"}, objects, []string{library, "-Wl,-rpath," + filepath.Dir(library), "-o", made}, libraries)...)
	default:
		if err := command(ctx, folder, own[0], compile...); err != nil {
			return "", err
		}
	}
	link := func(libraries, objects []string) error {
		return command(ctx, folder, own[0], slices.Concat([]string{"code.o"}, objects, []string{"-o", made}, libraries)...)
	}
	err = link(libraries, objects)
	if said := new(LinkError); c.Language == Fortran || !errors.As(err, &said) || !strings.Contains(said.Said, "-lomp") {
		return made, err
	}
	openMP := filepath.Join(folder, "openmp.c")
	if err := os.WriteFile(openMP, []byte(oneThread), 0o600); err != nil {
		return "", err
	}
	instead, err := objectsOf(ctx, folder, []string{openMP})
	if err != nil {
		return "", err
	}
	return made, link(slices.DeleteFunc(libraries, func(l string) bool { return l == "-fopenmp" }), append(objects, instead...))
}

// OneThread tells whether a program that was linked in a folder has OpenMP teams of one thread, for want of clang's library.
func OneThread(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "openmp.c"))
	return err == nil
}

// oneThread stands in for clang's OpenMP library where that is not installed.
//
//go:embed runtime/openmp.c
var oneThread string

// ofClangAlone tells flags that flang does not know.
func ofClangAlone(flag string) bool {
	return flag == "-w" || flag == "-Xclang" || flag == "-disable-llvm-passes"
}

// isLinked tells words of a command that are for the linker: libraries, and objects of a program's other parts.
func isLinked(word string) bool {
	for _, begins := range []string{"-l", "-L", "-Wl,", "-pthread"} {
		if strings.HasPrefix(word, begins) {
			return true
		}
	}
	switch filepath.Ext(word) {
	case ".o", ".a", ".so":
		return !strings.HasPrefix(word, "-")
	}
	return false
}

// objectsOf compiles sources in C.
func objectsOf(ctx context.Context, folder string, sources []string) (objects []string, err error) {
	for _, s := range sources {
		object := strings.TrimSuffix(filepath.Base(s), ".c") + ".o"
		if err := command(ctx, folder, "cc", "-O2", "-w", "-c", s, "-o", object); err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	return objects, nil
}

// UnreadError says that no compiler is here that makes code of the LLVM IR that another one writes.
type UnreadError struct {
	Command string // that writes it
	Said    string
}

func (e *UnreadError) Error() string {
	return "no clang is here that reads the LLVM IR of " + e.Command + ": " + e.Said
}

// anyClang compiles with the first clang that reads the module.
func anyClang(ctx context.Context, folder string, args []string) error {
	var err error = &MissingError{Language: C}
	for _, name := range clangs {
		if _, missing := exec.LookPath(name); missing != nil {
			continue
		}
		if err = command(ctx, folder, name, args...); err == nil || ctx.Err() != nil {
			return err
		}
	}
	return err
}

// rustLibrary is the shared library of a rustc that programs call.
func rustLibrary(ctx context.Context, rustc string) (string, error) {
	root, err := exec.CommandContext(ctx, rustc, "--print", "sysroot").Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", rustc, err)
	}
	found, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "lib", "rustlib", "*", "lib", "libstd-*.so"))
	if err != nil || len(found) == 0 {
		return "", &LinkError{filepath.Base(rustc), "its shared library libstd-*.so is not here"}
	}
	return found[0], nil
}

// command runs a compiler in a folder.
func command(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "LC_ALL=C")
	var said bytes.Buffer
	cmd.Stderr = &said
	err := cmd.Run()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return &LinkError{filepath.Base(name), observe.FirstErrors(said.String(), err)}
}
