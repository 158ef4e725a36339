package main

import (
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The documentation shows every picture that is taken, as wide as it is taken, or in the same proportion.
func TestPictures(t *testing.T) {
	const docs = "../../docs"
	page, err := os.ReadFile(filepath.Join(docs, "page.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pictures {
		if !strings.Contains(string(page), "images/"+p.name) {
			t.Errorf("docs/page.md does not show %s", p.name)
		}
		f, err := os.Open(filepath.Join(docs, "images", p.name))
		if err != nil {
			t.Error(err)
			continue
		}
		c, err := png.DecodeConfig(f)
		_ = f.Close()
		if err != nil || int64(c.Width)*p.height != int64(c.Height)*p.width {
			t.Errorf("%s is %d × %d, taken %d × %d: %v", p.name, c.Width, c.Height, p.width, p.height, err)
		}
	}
}
