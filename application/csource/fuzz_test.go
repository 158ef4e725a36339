package csource

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// FuzzLoad looks for inputs that make Load panic, hang, or give a malformed program.
func FuzzLoad(f *testing.F) {
	files, _ := filepath.Glob("testdata/golden/*.c")
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
	}
	for _, c := range wrong {
		if c.name != "too many" && c.name != "loops by the hundred" { // slow
			f.Add(strings.Replace(around, "%", c.src, 1))
			f.Add(c.src)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		debugPanics = true
		defer func() { debugPanics = false }()
		start := time.Now()
		for _, by := range []By{ByFunction, ByLoop} {
			o := Options{Defines: []string{"MINI", "n=8"}, By: by, Includes: []string{"testdata/include"}}
			u, err := Load("fuzz.c", []byte(src), o)
			if err != nil {
				_ = err.Error()
				continue
			}
			for _, p := range u.Programs {
				checkProgram(t, p)
			}
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("took %v", d)
		}
	})
}
