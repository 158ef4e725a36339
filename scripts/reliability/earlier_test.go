package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// trialOf makes a section that tells of its round.
func trialOf(name string, change func(*section)) trial {
	return trial{name, "About " + name, func(context.Context, *bench, effort) (*section, error) {
		s := &section{text: "What is tried.", columns: []string{"row", "n"}}
		change(s)
		return s, nil
	}}
}

// round gives the trials one, two and three, whose tables hold the round; two fails many times, and three is of a part.
func round(n, failures int, part string) []trial {
	row := func(s *section) { s.add(fmt.Sprintf("round %d", n), n) }
	return []trial{
		trialOf("one", row),
		trialOf("two", func(s *section) {
			row(s)
			for range failures {
				s.fail("and 7 more.")
			}
		}),
		trialOf("three", func(s *section) { row(s); s.part = part }),
	}
}

// TestOnlyReplaces wants sections that are not tried again to stay byte by byte, and the head to tell of all of them.
func TestOnlyReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "doc.md")
	read := func() string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	try := func(all []trial, only string, want bool) string {
		t.Helper()
		some, err := chosen(all, only)
		if err != nil {
			t.Fatal(err)
		}
		if ok, err := (&bench{}).document(t.Context(), full, all, some, path); err != nil || ok != want {
			t.Fatal(ok, err)
		}
		return read()
	}
	first := try(round(1, mostShown+5, "3 of 9"), "two,three", false)
	for _, want := range []string{"Of a part, as each says: About one (not tried), About three.", fmt.Sprintf("**%d did not end", mostShown+5), "Of a part: 3 of 9.\n"} {
		if !strings.Contains(first, want) {
			t.Errorf("%q is not in\n%s", want, first)
		}
	}
	second := try(round(2, 0, ""), "one", true)
	_, of, _ := strings.Cut(first, "## About two")
	if _, now, _ := strings.Cut(second, "## About two"); now != of || !strings.Contains(second, "| round 2 | 2 |\n\n## About two") {
		t.Errorf("sections two and three are not as they were:\n%s", second)
	}
	if !strings.Contains(second, "Of a part, as each says: About three.") || !strings.Contains(second, fmt.Sprintf("**%d did not end", mostShown+5)) {
		t.Error(second)
	}
	if third := try(round(3, 0, ""), "three", true); !strings.Contains(third, "This is the whole.") || !strings.Contains(third, fmt.Sprintf("**%d did not end", mostShown+5)) {
		t.Error(third)
	}
	fourth := try(round(4, 0, ""), "two", true)
	if rows := strings.Count(fourth, "| round "); rows != 3 || !strings.Contains(fourth, "This is the whole.\n\nEverything that was tried ended") {
		t.Error(fourth)
	}
}

// TestInterruptedKeeps wants what was made before a failure to be in the file, and the rest as it was.
func TestInterruptedKeeps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "doc.md")
	b, all := &bench{}, round(1, 0, "")
	if _, err := b.document(t.Context(), full, all, all, path); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	again := round(2, 0, "")
	again[1].try = func(context.Context, *bench, effort) (*section, error) {
		stop()
		return &section{}, nil
	}
	if _, err := b.document(ctx, full, again, again, path); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Count(string(text), "| round 1 |") != 2 || strings.Count(string(text), "| round 2 |") != 1 {
		t.Errorf("%v: %s", err, text)
	}
}

func TestRefusesOtherFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "README.md")
	if err := os.WriteFile(path, []byte("# Something else\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	all := round(1, 0, "")
	if _, err := (&bench{}).document(t.Context(), full, all, all, path); err == nil || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
	if _, err := chosen(all, "one,kills"); err == nil || !strings.Contains(err.Error(), `"kills"`) {
		t.Error(err)
	}
	if got, err := readEarlier(os.DevNull); got != nil || err != nil {
		t.Error(got, err)
	}
}

// TestParts wants an effort that is less than the full one to be said in each section.
func TestParts(t *testing.T) {
	for given, want := range map[string]string{"30s": "", "1m": "", "5s": "5s of 30s"} {
		if got := shorter(given, full.fuzz); got != want {
			t.Errorf("%s: %q, want %q", given, got, want)
		}
	}
	s := &section{}
	if all := writers(); len(full.some(all, s)) != len(all) || s.part != "" {
		t.Errorf("the full effort leaves some out: %s", s.part)
	}
	if some := quick.some(writers(), s); len(some) != quick.writers || s.part != fmt.Sprintf("%d of %d writers", quick.writers, len(writers())) {
		t.Errorf("%d: %q", len(some), s.part)
	}
}
