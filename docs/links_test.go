package docs_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinks follows every relative link of every page, to the file and to the heading in it.
func TestLinks(t *testing.T) {
	all := pages(t)
	followed := 0
	for name, text := range all {
		for _, found := range link.FindAllStringSubmatch(prose(text), -1) {
			if strings.Contains(found[1], "://") {
				continue
			}
			followed++
			if problem := broken(all, name, found[1]); problem != "" {
				t.Errorf("%s: link to %s: %s", name, found[1], problem)
			}
		}
	}
	if followed < 50 {
		t.Errorf("only %d links were followed", followed)
	}
}

// broken says what is wrong with a link of a page; "" if nothing is.
func broken(all map[string]string, page, target string) string {
	file, anchor, _ := strings.Cut(target, "#")
	if file == "" {
		file = page
	} else {
		file = path.Join(path.Dir(page), file)
	}
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(file))); err != nil {
		return "no such file"
	}
	if anchor == "" {
		return ""
	}
	for _, h := range headings(all[file]) {
		if h == anchor {
			return ""
		}
	}
	return "no such heading; there are " + strings.Join(headings(all[file]), ", ")
}

// headings are the anchors of a page's headings, as GitHub makes them.
func headings(page string) (out []string) {
	for line := range strings.Lines(prose(page)) {
		if text, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			out = append(out, anchorOf(strings.TrimSpace(text)))
		}
	}
	return out
}

func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

func TestAnchors(t *testing.T) {
	for heading, want := range map[string]string{
		"What it reads": "what-it-reads", "Hit rates, 4 KiB": "hit-rates-4-kib", "`foresee mpi` – how": "foresee-mpi--how", "X-model": "x-model",
	} {
		if got := anchorOf(heading); got != want {
			t.Errorf("%q: %q, want %q", heading, got, want)
		}
	}
}
