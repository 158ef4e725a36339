// Package kernels reads the example programs at a size, for tests and for tables of accuracy.
package kernels

import (
	"fmt"
	"path/filepath"

	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/examples"
	"foresee/internal/workspace"
)

// Kernel is one example program at one size.
type Kernel struct {
	Name    string
	Path    string
	Program *nest.Program
}

// Load extracts the examples into dir and reads them at a size, MINI to EXTRALARGE; names chooses some.
func Load(dir, size string, names ...string) ([]Kernel, error) {
	if err := examples.Extract(dir); err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = examples.Kernels()
	}
	var out []Kernel
	for _, name := range names {
		path := filepath.Join(dir, name+".c")
		unit, err := csource.Load(path, nil, csource.Options{Defines: []string{size}})
		if err != nil {
			return nil, err
		}
		if len(unit.Programs) != 1 {
			return nil, fmt.Errorf("%s has %d regions, not one", name, len(unit.Programs))
		}
		out = append(out, Kernel{name, path, unit.Programs[0]})
	}
	return out, nil
}

// With calls f with the kernels in a temporary folder.
func With(size string, names []string, f func([]Kernel) error) error {
	work, err := workspace.New("kernels")
	if err != nil {
		return err
	}
	defer work.Remove()
	ks, err := Load(work.Path, size, names...)
	if err != nil {
		return err
	}
	return f(ks)
}
