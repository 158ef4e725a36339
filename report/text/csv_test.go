package text

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneWriter wants all tables to be written by writeCSV, which makes cells harmless.
func TestOneWriter(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil || len(names) < 5 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name != "csv.go" && !strings.HasSuffix(name, "_test.go") && strings.Contains(string(text), "encoding/csv") {
			t.Errorf("%s writes CSV by itself", name)
		}
	}
}

func TestHarmlessKeepsNumbers(t *testing.T) {
	for cell, want := range map[string]string{
		"": "", "-1": "-1", "-1.5e-7": "-1.5e-7", "+3": "+3", "-Inf": "-Inf", "+Inf": "+Inf", "NaN": "NaN", "plain": "plain", "a=b": "a=b",
		"-1+1": "'-1+1", "=1": "'=1", "-": "'-", "@x": "'@x", "\tx": "'\tx",
	} {
		if got := harmless(cell); got != want {
			t.Errorf("%q gives %q, want %q", cell, got, want)
		}
	}
}
