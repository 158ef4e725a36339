package hostile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestBoundsOfLongCases runs shell scripts in the place of foresee, as cases that may take longer than the limit, and wants each that does
// not keep the bound of its case to be found.
func TestBoundsOfLongCases(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	most := Limit{Time: 2 * time.Second, Memory: 1 << 30}
	for name, test := range map[string]struct {
		script string
		ends   time.Duration
		want   string // in what is wrong; "": nothing
	}{
		"stops with a part":          {`trap 'echo Partial: some; echo "foresee: interrupted" >&2; exit 130' TERM; while :; do sleep 0.1; done`, 0, ""},
		"ends before it is told":     {`exit 0`, 0, ""},
		"stops with nothing":         {`trap 'echo "foresee: interrupted" >&2; exit 130' TERM; while :; do sleep 0.1; done`, 0, "no partial result"},
		"stops with another code":    {`trap 'echo Partial; echo "foresee: no" >&2; exit 1' TERM; while :; do sleep 0.1; done`, 0, "exit code 1"},
		"does not listen":            {`trap '' TERM; while :; do sleep 0.1; done`, 0, "told to stop, it went on"},
		"ends too late by itself":    {`trap '' TERM; sleep 7; echo Partial`, 0, "told to stop, it went on"},
		"takes its time":             {`sleep 2.5`, 4 * time.Second, ""},
		"takes more than its time":   {`while :; do :; done`, 2 * time.Second, "it took"},
		"is stopped by the signal":   {`while :; do sleep 0.1; done`, 0, "exit code -1"},
		"crashes when it is told to": {`trap 'echo "goroutine 1" >&2; exit 130' TERM; while :; do sleep 0.1; done`, 0, "it crashed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := filepath.Join(t.TempDir(), "pretended")
			if err := os.WriteFile(program, []byte("#!/bin/sh\n"+test.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			c := Case{Name: "a/b", Exit: taken, Why: "it is long", Ends: test.ends}
			r, err := c.Run(t.Context(), program, t.TempDir(), most)
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Wrong(r, most); test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Errorf("%q, want %q: %+v", got, test.want, r)
			}
		})
	}
}
