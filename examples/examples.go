// Package examples carries the example programs, so that they are at hand wherever the command runs.
package examples

import (
	"embed"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

//go:embed kernels/*.c kernels/*.h slow/*.c
var files embed.FS

// HaloStep is the source of one rank of a stencil with halo exchange; LX, LY and LZ are its cells.
//
//go:embed measurements/halo-step.c
var HaloStep []byte

//go:embed real/cpp/*.cpp real/fortran/*.f90 real/rust/*.rs
var real embed.FS

//go:embed programs
var programs embed.FS

// Programs lists whole programs by the names of their files, in order: of what the kernels lack, such as branches at random, pointers and libraries.
func Programs() []string {
	entries, err := fs.Glob(programs, "programs/*.c*")
	if err != nil {
		return nil
	}
	for i, e := range entries {
		entries[i] = path.Base(e)
	}
	return entries
}

// Program is the source of one of the programs.
func Program(name string) ([]byte, error) { return programs.ReadFile("programs/" + name) }

// Real lists the programs in C++, Fortran and Rust by the names of their files, in order of languages and names.
func Real() []string {
	var names []string
	for _, pattern := range []string{"real/cpp/*.cpp", "real/fortran/*.f90", "real/rust/*.rs"} {
		entries, err := fs.Glob(real, pattern)
		if err != nil {
			return nil
		}
		for _, e := range entries {
			names = append(names, path.Base(e))
		}
	}
	return names
}

// ExtractReal writes the programs in C++, Fortran and Rust into a folder.
func ExtractReal(dir string) error {
	return extract(real, "real", dir)
}

// extract writes the files below a folder of some that are carried into one folder.
func extract(files embed.FS, from, dir string) error {
	return fs.WalkDir(files, from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, path.Base(name)), text, 0o644)
	})
}

// Kernels lists the kernels by name, in order.
func Kernels() []string {
	entries, err := fs.Glob(files, "kernels/*.c")
	if err != nil {
		return nil
	}
	for i, e := range entries {
		entries[i] = strings.TrimSuffix(path.Base(e), ".c")
	}
	return entries
}

// Slow lists the loops that are written badly on purpose, in order; each says in a line "// Expert: …" what would make it faster.
func Slow() []string {
	entries, err := fs.Glob(files, "slow/*.c")
	if err != nil {
		return nil
	}
	for i, e := range entries {
		entries[i] = strings.TrimSuffix(path.Base(e), ".c")
	}
	return entries
}

// ExtractSlow writes those loops and the kernels into folders slow and kernels of a folder.
func ExtractSlow(dir string) error {
	for _, folder := range []string{"slow", "kernels"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			return err
		}
	}
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, name), text, 0o644)
	})
}

// Extract writes the kernels and their header into a folder.
func Extract(dir string) error {
	return extract(files, "kernels", dir)
}

// Kernel is the source of a kernel; false: there is none of that name.
func Kernel(name string) ([]byte, bool) {
	text, err := files.ReadFile("kernels/" + name + ".c")
	return text, err == nil
}

// Headers are what the kernels include.
func Headers() fs.FS {
	headers, err := fs.Sub(files, "kernels")
	if err != nil {
		return files
	}
	return headers
}
