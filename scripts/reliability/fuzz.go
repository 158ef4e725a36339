package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// tryFuzz runs scripts/fuzz.sh and counts the inputs.
func tryFuzz(ctx context.Context, _ *bench, e effort) (*section, error) {
	s := &section{
		text:    "Inputs that Go's fuzzing makes from the seeds of each target, for each reader (`make fuzz`).",
		columns: []string{"target", "inputs", "ended as it should"},
	}
	if e.fuzz == "" {
		s.skip("fuzzing was not asked for; tests run the seeds of each target")
		return s, nil
	}
	if s.part = shorter(e.fuzz, full.fuzz); s.part != "" {
		s.part += " for each target"
	}
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "scripts/fuzz.sh", e.fuzz)
	cmd.Dir = strings.TrimSpace(string(root))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	failed := cmd.Run()
	targets := readFuzz(out.String())
	total, excused := int64(0), false
	for _, t := range targets {
		total += t.inputs
		excused = excused || t.failure != "" && t.well()
		well := "yes"
		if !t.well() {
			well = "no"
			s.fail("%s: %s", t.name, t.failure)
		}
		s.add(t.name, t.inputs, well)
	}
	s.add(fmt.Sprintf("**%d targets**", len(targets)), total, "")
	if failed != nil && len(s.failed) == 0 && !excused {
		s.fail("scripts/fuzz.sh: %v", failed)
	}
	return s, nil
}

// shorter says how much of the whole time is given; "" where it is all of it.
func shorter(given, whole string) string {
	g, err := time.ParseDuration(given)
	w, werr := time.ParseDuration(whole)
	if err == nil && werr == nil && g >= w {
		return ""
	}
	return given + " of " + whole
}

// target is what one fuzz target did.
type target struct {
	name    string
	inputs  int64
	failure string
	late    bool // its time was over within an input, which Go calls a failure
	wrote   bool // an input that fails was kept
}

// well says whether all inputs ended as they should.
func (t *target) well() bool { return t.failure == "" || t.late && !t.wrote }

var execs = regexp.MustCompile(`execs: (\d+)`)

// readFuzz reads the output of scripts/fuzz.sh.
func readFuzz(out string) (all []target) {
	for line := range strings.Lines(out) {
		if name, ok := strings.CutPrefix(line, "== "); ok {
			all = append(all, target{name: strings.Replace(strings.TrimSpace(name), "foresee/", "", 1)})
		}
		if len(all) == 0 {
			continue
		}
		last := &all[len(all)-1]
		if m := execs.FindStringSubmatch(line); m != nil {
			last.inputs, _ = strconv.ParseInt(m[1], 10, 64)
		}
		if strings.Contains(line, "--- FAIL:") && last.failure == "" {
			last.failure = strings.TrimSpace(line)
		}
		last.late = last.late || strings.TrimSpace(line) == "context deadline exceeded"
		last.wrote = last.wrote || strings.Contains(line, "Failing input written")
		if folder, ok := strings.CutPrefix(line, "!! "); ok {
			all = append(all, target{name: strings.TrimSpace(folder), failure: "its tests cannot be built"})
		}
	}
	return all
}
