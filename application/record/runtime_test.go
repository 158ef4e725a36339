package record

import (
	"io/fs"
	"strings"
	"testing"
)

// TestPreloadMark holds what buildShared relies on: a file that does not ask for the mark itself is the same with it.
func TestPreloadMark(t *testing.T) {
	asking := 0
	err := fs.WalkDir(runtimeFiles, "runtime", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := runtimeFiles.ReadFile(name)
		switch asks := strings.Contains(string(text), preloadMark); {
		case asks && strings.HasSuffix(name, ".h"):
			t.Errorf("%s asks for %s: files that include it are taken as they are without", name, preloadMark)
		case asks:
			asking++
		}
		return err
	})
	if err != nil || asking == 0 {
		t.Errorf("%d files ask for %s (%v)", asking, preloadMark, err)
	}
}

// TestSharedRuntime compares keys: compilers of C and C++ of one kind have one compiled runtime.
func TestSharedRuntime(t *testing.T) {
	for _, names := range [][2]string{{"gcc", "g++"}, {"clang", "clang++"}} {
		var keys [2]string
		for i, name := range names {
			c := compilerNamed(t, name, i == 1)
			if c == nil {
				t.Skipf("%s is not installed", name)
			}
			var err error
			if keys[i], err = runtimeKey(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
		if keys[0] != keys[1] {
			t.Errorf("%s and %s: keys %v", names[0], names[1], keys)
		}
	}
}
