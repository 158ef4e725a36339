package perf

import (
	"testing"
)

func TestFrameSymbol(t *testing.T) {
	for frame, want := range map[string]string{
		"55ec strided+0x30 (/usr/bin/sample)":              "strided",
		"  7f8d [unknown] ([unknown])":                     "[unknown]",
		"55ec std::vector<int>::at(unsigned long)+0x1 (a)": "std::vector<int>::at(unsigned long)",
		"add":        "add",
		"1b7 add":    "add",
		"f (a b.so)": "f",
		"":           "",
	} {
		if got := frameSymbol(frame); got != want {
			t.Errorf("%q: %q, not %q", frame, got, want)
		}
	}
}
