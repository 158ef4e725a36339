package cycles

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"foresee/application/csource"
	"foresee/internal/oracle/kernels"
)

// The loops were written when an earlier model of the core was done, and no number was chosen by their times: set C.
//
//go:embed programs/loops/*.c
var loopSources embed.FS

// loopNames are the names of those loops, in order.
func loopNames() []string {
	all, err := fs.Glob(loopSources, "programs/loops/*.c")
	if err != nil {
		panic(err) // the pattern is sound
	}
	for i, name := range all {
		all[i] = strings.TrimSuffix(path.Base(name), ".c")
	}
	return all
}

// set says to which set a kernel belongs: C are the loops, and of the examples the half.
func set(kernel string) string {
	if slices.Contains(loopNames(), kernel) {
		return "C"
	}
	return half(kernel)
}

// loops writes the loops beside the examples in a folder, whose harness they include, and reads them at a size; names chooses some, none all.
func loops(folder, size string, names []string) ([]kernels.Kernel, error) {
	var all []kernels.Kernel
	for _, name := range loopNames() {
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		text, err := loopSources.ReadFile("programs/loops/" + name + ".c")
		if err != nil {
			return nil, err
		}
		file := filepath.Join(folder, name+".c")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return nil, err
		}
		u, err := csource.Load(file, text, csource.Options{Defines: []string{size}, Regions: []string{"kernel"}})
		if err != nil {
			return nil, err
		}
		if len(u.Programs) != 1 {
			return nil, fmt.Errorf("%s: %d regions", name, len(u.Programs))
		}
		all = append(all, kernels.Kernel{Name: name, Path: file, Program: u.Programs[0]})
	}
	return all, nil
}
