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
