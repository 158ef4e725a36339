package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	testName = regexp.MustCompile("`(Test[A-Z]\\w+)`")
	testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	ownPath  = regexp.MustCompile("`((?:application|machine|model|predict|report|accuracy|internal|cmd|docs|examples|scripts|tools)/[\\w./-]*)`")
)

// TestNames finds every test, and every file and folder of the repository, that a page writes as code.
func TestNames(t *testing.T) {
	tests := testNames(t)
	named := 0
	for name, text := range pages(t) {
		if name == "CHANGELOG.md" { // which tells of what was
			continue
		}
		for _, m := range testName.FindAllStringSubmatch(text, -1) {
			if named++; !tests[m[1]] {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
		for _, m := range ownPath.FindAllStringSubmatch(prose(text), -1) {
			if strings.Contains(m[1], "NAME") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
	}
	if named < 50 {
		t.Errorf("only %d tests are named", named)
	}
}

func testNames(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range testFunc.FindAllStringSubmatch(string(text), -1) {
			out[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPagesOfComments finds every page of docs that Go files name.
func TestPagesOfComments(t *testing.T) {
	page := regexp.MustCompile(`docs/[a-z/-]+\.md`)
	named := 0
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, name := range page.FindAllString(string(text), -1) {
			if _, err := os.Stat(filepath.Join(root, name)); err != nil {
				t.Errorf("%s: there is no %s", path, name)
			}
			named++
		}
		return err
	})
	if err != nil || named < 20 {
		t.Errorf("%d pages are named: %v", named, err)
	}
}
