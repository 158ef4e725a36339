package terminal

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttext\n":        "plain\ttext\n",
		"größer – 漢字 😀":        "größer – 漢字 😀",
		"\x1b[31mred\x07":      `\x1b[31mred\x07`,
		"over\rwritten":        `over\x0dwritten`,
		"\x7f":                 `\u007f`,
		"\u009b31m":            `\u009b31m`,
		"a\u202eb\u2066c":      `a\u202eb\u2066c`,
		"bad\xff\xc3(":         `bad\xff\xc3(`,
		"cut off \xe2\x82":     `cut off \xe2\x82`,
		"the real \ufffd kept": "the real \ufffd kept",
	} {
		for size := 1; size <= len(text); size++ { // in pieces of any size
			var out bytes.Buffer
			v := &Visible{w: &out}
			for rest := []byte(text); len(rest) > 0; {
				n := min(size, len(rest))
				if m, err := v.Write(rest[:n]); m != n || err != nil {
					t.Fatalf("%d, %v", m, err)
				}
				rest = rest[n:]
			}
			if err := v.Finish(); err != nil || out.String() != want {
				t.Errorf("%q in pieces of %d gives %q, want %q, %v", text, size, out.String(), want, err)
			}
		}
	}
}

// TestVisibleJSON reads back what was made visible.
func TestVisibleJSON(t *testing.T) {
	name := "\x1b\x7f\u0085\u202e\u2069ü\t\n"
	var out bytes.Buffer
	if err := AsText(func(w io.Writer) error { return json.NewEncoder(w).Encode(name) })(&out); err != nil {
		t.Fatal(err)
	}
	var back string
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back != name || strings.ContainsRune(out.String(), '\u202e') {
		t.Errorf("%q, %v", back, err)
	}
}
