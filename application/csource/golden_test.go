package csource

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden compares the nests of testdata/golden/*.c with dumps that were checked by hand. A comment
// "// options: -D NAME=VALUE by=loop" in the first lines gives options.
func TestGolden(t *testing.T) {
	files, _ := filepath.Glob("testdata/golden/*.c")
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			u, err := Load(f, src, options(string(src)))
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, p := range u.Programs {
				checkProgram(t, p)
				b.WriteString(dump(p))
			}
			for _, s := range u.Skipped {
				b.WriteString("skipped " + s.Function + ": " + s.Reason + "\n")
			}
			golden := strings.TrimSuffix(f, ".c") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// options reads the options in the comments at the head of a source.
func options(src string) Options {
	var o Options
	for _, line := range strings.SplitN(src, "\n", 4) {
		words := strings.Fields(line)
		if len(words) < 2 || words[1] != "options:" {
			continue
		}
		for i, w := range words {
			switch {
			case w == "-D":
				o.Defines = append(o.Defines, words[i+1])
			case w == "-I":
				o.Includes = append(o.Includes, words[i+1])
			case w == "by=loop":
				o.By = ByLoop
			}
		}
	}
	return o
}
