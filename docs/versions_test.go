package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"foresee/predict"
)

// TestVersions holds the version of the code to the changelog's newest, which it is of until the release, and that of the citation to the
// newest that was released.
func TestVersions(t *testing.T) {
	all := pages(t)
	entry := regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\] - (Unreleased|\d{4}-\d{2}-\d{2})$`)
	entries := entry.FindAllStringSubmatch(all["CHANGELOG.md"], -1)
	if len(entries) < 2 || len(entries) != strings.Count(all["CHANGELOG.md"], "\n## ") {
		t.Fatalf("of the changelog's versions only %d are ## [1.2.3] - date", len(entries))
	}
	want, released := entries[0][1], entries[0][1]
	if entries[0][2] == "Unreleased" {
		want, released = want+"-dev", entries[1][1]
	}
	if predict.Version != want {
		t.Errorf("predict.Version is %s, and the changelog's newest version %s", predict.Version, want)
	}
	citation, err := os.ReadFile(filepath.Join(root, "CITATION.cff"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(citation), "\nversion: "+released+"\n") {
		t.Errorf("CITATION.cff is not of version %s", released)
	}
}

// TestReadme keeps the README short, and wants the five papers that foresee builds on.
func TestReadme(t *testing.T) {
	text := pages(t)["README.md"]
	if n := strings.Count(text, "\n"); n > 80 {
		t.Errorf("%d lines; what does not fit into 80 belongs into docs/guide.md", n)
	}
	for _, paper := range []string{"PPT-Multicore", "PLUSS", "X-model", "MultiMAPS", "APMT"} {
		if !strings.Contains(text, paper) {
			t.Errorf("%s is not named", paper)
		}
	}
}
