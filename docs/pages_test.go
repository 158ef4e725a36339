// Package docs_test holds the documentation to what is so: that links lead somewhere, that numbers are those of the code and of the
// tables of accuracy, and that versions agree. The commands that pages show are run by cmd/foresee.
package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// root is the folder of the repository.
const root = ".."

// pages are all Markdown files of the repository, by their path from its root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		if d.IsDir() && (name == ".git" || name == ".cache" || name == "bin" || name == "shared") {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".md" || d.IsDir() {
			return nil
		}
		text, err := os.ReadFile(path)
		out[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if out["README.md"] == "" || len(out) < 10 {
		t.Fatalf("found %d pages only", len(out))
	}
	return out
}

// prose is a page without its fenced blocks, whose lines are left empty.
func prose(page string) string {
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(page) {
		if strings.HasPrefix(strings.TrimLeft(line, " "), "```") {
			fenced = !fenced
			line = "\n"
		}
		if fenced {
			line = "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}
