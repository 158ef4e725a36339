package ir

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"foresee/internal/claims"
)

// guards are headers that nothing keeps from being read twice where files of a program are compiled as one, and copies of them that are read once.
type guards struct {
	folder string // for the copies
	copies map[string]string
}

// mostGuards bounds how often a compiler is asked anew. Chosen: each time all are found of which it complains within its first errors.
const mostGuards = 16

// includedTwice is what clang says of a header whose definitions it has met before.
var includedTwice = regexp.MustCompile(`note: '([^']+)' included multiple times`)

// add takes the headers that an error is about; false where there is none that is new.
func (g *guards) add(err error) (bool, error) {
	var failed *CompilerError
	if !errors.As(err, &failed) {
		return false, nil
	}
	more := false
	for _, m := range includedTwice.FindAllStringSubmatch(failed.Said, -1) {
		path, err := filepath.Abs(m[1])
		if err != nil || g.copies[path] != "" {
			continue
		}
		text, err := claims.ReadFile(path)
		if err != nil {
			return false, err
		}
		name := filepath.Join(g.folder, fmt.Sprintf("once-%d.h", len(g.copies)))
		if err := os.WriteFile(name, append([]byte("#pragma once\n#line 1\n"), text...), 0o600); err != nil {
			return false, err
		}
		if g.copies == nil {
			g.copies = map[string]string{}
		}
		g.copies[path], more = name, true
	}
	return more, nil
}

// overlay are the flags by which clang reads the copies under the names of the headers.
func (g *guards) overlay() ([]string, error) {
	type file struct {
		Type     string `json:"type"`
		Name     string `json:"name"`
		Contents string `json:"external-contents"`
	}
	var roots []file
	for _, path := range slices.Sorted(maps.Keys(g.copies)) {
		roots = append(roots, file{"file", path, g.copies[path]})
	}
	text, err := json.Marshal(map[string]any{"version": 0, "use-external-names": false, "roots": roots})
	if err != nil {
		return nil, err
	}
	name := filepath.Join(g.folder, "overlay.json")
	return []string{"-ivfsoverlay", name}, os.WriteFile(name, text, 0o600)
}

// once runs a compiler, anew with headers that are read once for as long as it complains of their definitions.
func (g *guards) once(args []string, run func([]string) error) error {
	err := run(args)
	for round := 0; err != nil; round++ {
		more, failed := g.add(err)
		if failed != nil {
			return failed
		}
		if !more || round == mostGuards {
			return err
		}
		overlay, failed := g.overlay()
		if failed != nil {
			return failed
		}
		err = run(append(overlay, args...))
	}
	return nil
}
