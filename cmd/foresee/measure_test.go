package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foresee/cmd/foresee/cli"
	"foresee/internal/claims"
	"foresee/machine"
	"foresee/machine/probe"
)

// TestMeasureLeavesOut ends machine measure as a probe does whose values are left out, as other work disturbed them: without memory, of which
// predictions are made, the command fails, and the file says what is known.
func TestMeasureLeavesOut(t *testing.T) {
	const note = "left out, as other work disturbed them however often they were measured: 40 points of sweeps"
	noisy := func(_ context.Context, base *machine.Machine, o probe.Options) (*machine.Machine, error) {
		m := *base
		m.Measured, m.Notes = nil, append(m.Notes, note)
		return &m, os.WriteFile(o.Keep, []byte("kept"), 0o600)
	}
	broken := func(context.Context, *machine.Machine, probe.Options) (*machine.Machine, error) {
		return nil, errors.New("the clock: disturbed by other work however often it was measured; measure again when nothing else runs")
	}
	for name, c := range map[string]struct {
		probe func(context.Context, *machine.Machine, probe.Options) (*machine.Machine, error)
		most  string
		code  int
		said  string // begins so
		file  bool
	}{
		"memory left out":           {noisy, "", exitFailed, "FILE: written, but nothing is known of memory in it", true},
		"memory not asked for":      {noisy, "1MiB", exitDone, "wrote FILE", true},
		"nothing could be measured": {broken, "", exitFailed, "the clock: disturbed", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("FORESEE_CC", "true") // a program that is there; nothing is compiled
			file := filepath.Join(t.TempDir(), "my.yaml")
			var stdout, stderr bytes.Buffer
			s := cli.NewStreams(nil, strings.NewReader(""), &stdout, &stderr)
			claims.Forget()
			f := &measureFlags{output: file, most: c.most, probe: c.probe}
			code := finish(t.Context(), s, s.Written(f.measure(t.Context(), s)))
			if err := s.Err.Finish(); err != nil || code != c.code {
				t.Errorf("exit %d, want %d, %v", code, c.code, err)
			}
			if said := "foresee: " + strings.ReplaceAll(c.said, "FILE", file); !strings.Contains(stderr.String(), said) {
				t.Errorf("said %q, want %q", stderr.String(), said)
			}
			claims.Forget() // the file was a result; now it is read
			m, err := machine.Load(file)
			if (err == nil) != c.file {
				t.Fatalf("the file: %v", err)
			}
			if c.file && (m.Name != "my" || m.Notes[len(m.Notes)-1] != note) {
				t.Errorf("%s, %q", m.Name, m.Notes)
			}
			if _, err := os.Stat(file + ".part"); err == nil {
				t.Error("what was kept for another try is still there")
			}
		})
	}
}
