//go:build !js

package application

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"foresee/application/ir"
	"foresee/internal/claims"
)

// OneLanguage tells whether files may be those of one program that are read together: all of C, of C++, or of Fortran in one form.
func OneLanguage(paths []string) bool {
	of := func(path string) string {
		switch l := languageOf(path); {
		case l == Fortran:
			return string(l) + fmt.Sprint(isFixed(path))
		case l == Cxx:
			return string(l)
		}
		if filepath.Ext(path) == ".c" {
			return "C"
		}
		return ""
	}
	return len(paths) > 0 && of(paths[0]) != "" && !slices.ContainsFunc(paths, func(p string) bool { return of(p) != of(paths[0]) })
}

// isFixed tells Fortran whose lines have columns.
func isFixed(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".f", ".for", ".ftn", ".f77":
		return true
	}
	return false
}

// part is one of the files of a program.
type part struct{ path, text string }

// readPart reads a file that belongs to another.
func readPart(path string) (part, error) {
	f, err := claims.Open(path)
	if err != nil {
		return part{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostText+1))
	if err == nil && len(data) > mostText {
		err = fmt.Errorf("longer than %d MiB", mostText>>20)
	}
	return part{path, string(data)}, err
}

// joined writes files of one program as one, whose parts keep their places: a module of Fortran before what uses it. Folders are those of the files,
// where what they include may lie.
func joined(folder string, language ir.Language, parts []part) (path string, folders []string, err error) {
	var text strings.Builder
	path = filepath.Join(folder, "program.cpp")
	if language == ir.Fortran {
		path = filepath.Join(folder, "program.F90")
		if isFixed(parts[0].path) {
			path = filepath.Join(folder, "program.F")
		}
		parts = inOrder(parts)
	} else {
		parts = specialisedFirst(parts)
	}
	for _, p := range parts {
		full, err := filepath.Abs(p.path)
		if err != nil {
			return "", nil, err
		}
		if dir := filepath.Dir(full); !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
		if language == ir.Fortran {
			fmt.Fprintf(&text, "#line 1 %q\n%s\n", full, p.text)
		} else {
			fmt.Fprintf(&text, "#include %q\n", full)
		}
		for _, m := range definesMacro.FindAllStringSubmatch(p.text, -1) { // of this file alone
			fmt.Fprintf(&text, "#undef %s\n", m[1])
		}
	}
	return path, folders, os.WriteFile(path, []byte(text.String()), 0o600)
}

var (
	definesMacro  = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)`)
	specialises   = regexp.MustCompile(`(?m)^[ \t]*template[ \t]*<[ \t]*>`)
	definesModule = regexp.MustCompile(`(?mi)^[ \t]*module[ \t]+(\w+)[ \t]*(!.*)?\r?$`)
	usesModule    = regexp.MustCompile(`(?mi)^[ \t]*use\b(?:[ \t]*,[ \t]*\w+)?[ \t]*(?:::)?[ \t]*(\w+)`)
)

// specialisedFirst puts files that define templates for types of their own before others, which may use them: C++ wants these to be declared before.
func specialisedFirst(files []part) []part {
	files = slices.Clone(files)
	rank := func(p part) int {
		if specialises.MatchString(p.text) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(files, func(a, b part) int { return cmp.Compare(rank(a), rank(b)) })
	return files
}

// inOrder puts files whose modules others use before those, and leaves them in their order otherwise.
func inOrder(files []part) (out []part) {
	home := map[string]int{}
	for i, f := range files {
		for _, m := range definesModule.FindAllStringSubmatch(f.text, -1) {
			home[strings.ToLower(m[1])] = i
		}
	}
	done := make([]bool, len(files))
	var take func(int)
	take = func(i int) {
		if done[i] {
			return
		}
		done[i] = true
		for _, u := range usesModule.FindAllStringSubmatch(files[i].text, -1) {
			if k, ok := home[strings.ToLower(u[1])]; ok {
				take(k)
			}
		}
		out = append(out, files[i])
	}
	for i := range files {
		take(i)
	}
	return out
}
