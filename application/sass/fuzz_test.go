package sass

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// Whatever is read has blocks that hold each instruction once, and E between 1 and 2.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.sass")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		for _, k := range l.Kernels {
			flow := k.Flow()
			next := 0
			for _, b := range flow.Blocks {
				if b.First != next || b.Last < b.First || b.Issues() < 1 {
					t.Fatalf("block %+v after %d instructions", b, next)
				}
				next = b.Last + 1
			}
			if next != len(k.Instructions) {
				t.Fatalf("%d of %d instructions are in blocks", next, len(k.Instructions))
			}
			for _, blocks := range []string{"", WholeCode} {
				if w, err := flow.Workload(Choice{Blocks: blocks}); err == nil && (w.Z < 1 || w.E < 1 || w.E > 2) {
					t.Fatalf("Z %g, E %g", w.Z, w.E)
				}
			}
		}
	})
}
