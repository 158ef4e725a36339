package trace

import (
	"bytes"
	"os"
	"regexp"
	"testing"
)

// TestFormatsTable holds the table of formats against what writers do, and against the table of docs/formats.md.
func TestFormatsTable(t *testing.T) {
	doc, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	yes := func(b bool) string {
		if b {
			return "yes"
		}
		return "no"
	}
	for _, f := range formats {
		row := regexp.MustCompile("(?m)^\\| \\[`" + f.name + "`\\].*\\| (yes|no) \\| (?:yes|no) \\| (yes|no) \\| (yes|no) \\|$").FindStringSubmatch(string(doc))
		if len(row) != 4 || row[1] != yes(f.threads) || row[2] != yes(f.marks) || row[3] != yes(f.written) {
			t.Errorf("%+v, and docs/formats.md has %q", f, row)
		}
		sink, err := Create(&bytes.Buffer{}, f.name, nil)
		if (err == nil) != f.written {
			t.Errorf("%s: written %v, %v", f.name, f.written, err)
		}
		if err != nil {
			continue
		}
		if err := sink.Write([]Event{{Address: 1, Size: 1, Thread: 3}}); (err == nil) != f.threads {
			t.Errorf("%s: threads %v, %v", f.name, f.threads, err)
		}
		marked, err := Create(&bytes.Buffer{}, f.name, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := marked.Write([]Event{{Kind: Barrier}}); (err == nil) != f.marks {
			t.Errorf("%s: barriers %v, %v", f.name, f.marks, err)
		}
		if err := marked.Object(Object{Name: "a", Address: 64, Bytes: 64}); (err == nil) != f.marks {
			t.Errorf("%s: objects %v, %v", f.name, f.marks, err)
		}
	}
}
