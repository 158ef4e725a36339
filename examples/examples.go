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

//go:embed kernels/*.c kernels/*.h
var files embed.FS

// HaloStep is the source of one rank of a stencil with halo exchange; LX, LY and LZ are its cells.
//
//go:embed measurements/halo-step.c
var HaloStep []byte

//go:embed real/cpp/*.cpp
var real embed.FS

// Real lists the programs in C++ by the names of their files, in order.
func Real() []string {
	entries, err := fs.Glob(real, "real/cpp/*.cpp")
	if err != nil {
		return nil
	}
	for i, e := range entries {
		entries[i] = path.Base(e)
	}
	return entries
}

// ExtractReal writes the programs in C++ into a folder.
func ExtractReal(dir string) error {
	for _, name := range Real() {
		text, err := real.ReadFile("real/cpp/" + name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
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

// Extract writes the kernels and their header into a folder.
func Extract(dir string) error {
	return fs.WalkDir(files, "kernels", func(name string, d fs.DirEntry, err error) error {
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
