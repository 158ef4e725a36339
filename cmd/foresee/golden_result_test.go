package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"foresee/predict"
)

// goldenResult is what a command gave. Numbers are results in their canonical form; words are what may be said otherwise without a
// number moving: warnings, what goes to standard error, and pictures.
type goldenResult struct {
	goldenCase
	code    int
	numbers []byte
	words   []string
	took    time.Duration
}

// take adds a text that the command has written, JSON or not.
func (r *goldenResult) take(text []byte, names *strings.Replacer) {
	text = []byte(names.Replace(string(text)))
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // as printed
	var value map[string]any
	if !bytes.HasPrefix(text, []byte("{")) || decoder.Decode(&value) != nil {
		r.numbers = append(r.numbers, text...)
		return
	}
	for _, key := range []string{"version", "input", "checksum"} {
		delete(value, key)
	}
	r.words = append(r.words, takeWarnings(value)...)
	var canonical bytes.Buffer
	encoder := json.NewEncoder(&canonical)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(value) // was decoded
	r.numbers = append(r.numbers, canonical.Bytes()...)
}

// takeWarnings removes the warnings from a JSON value, at any depth, and gives them.
func takeWarnings(value any) (all []string) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			all = append(all, takeWarnings(element)...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if list, ok := value[key].([]any); ok && key == "warnings" {
				for _, w := range list {
					all = append(all, fmt.Sprint(w))
				}
				delete(value, key)
				continue
			}
			all = append(all, takeWarnings(value[key])...)
		}
	}
	return all
}

func isPicture(name string) bool {
	return slices.Contains([]string{".svg", ".html"}, filepath.Ext(name))
}

// picture is the text of a picture or page, which show the version.
func picture(text []byte, names *strings.Replacer) string {
	return strings.ReplaceAll(names.Replace(string(text)), predict.Version, "VERSION")
}

// text is the line that the net keeps.
func (r *goldenResult) text() string {
	words := shortHash([]byte(strings.Join(r.words, "\n")))
	if r.code != exitDone {
		words = strconv.Quote(strings.Join(r.words, "\n"))
	}
	return fmt.Sprintf("%s %d %s %s", r.name, r.code, shortHash(r.numbers), words)
}

// shortHash is the beginning of the SHA-256, which is enough to notice a change; "-" of nothing.
func shortHash(text []byte) string {
	if len(text) == 0 {
		return "-"
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))[:12]
}

// check fails for what no command may do, whatever the net says.
func (r *goldenResult) check(t *testing.T) {
	if said := strings.Join(r.words, "\n"); strings.Contains(said, "internal error") || r.code != exitDone && said == "" {
		t.Errorf("%s: exit code %d: %s", r.name, r.code, said)
	}
}

// keep writes what lies behind the hashes, where FORESEE_GOLDEN asks for it.
func (r *goldenResult) keep(t *testing.T, group string) {
	folder := os.Getenv("FORESEE_GOLDEN")
	if folder == "" {
		return
	}
	path := filepath.Join(folder, "actual", group, r.name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	for end, text := range map[string][]byte{".numbers": r.numbers, ".words": []byte(strings.Join(append(r.words, ""), "\n"))} {
		if err := os.WriteFile(path+end, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func writeGolden(t *testing.T, file string, results []goldenResult) {
	text := goldenHead
	for _, r := range results {
		text += r.text() + "\n"
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// readGolden gives the lines of a file by name.
func readGolden(t *testing.T, file string) map[string]string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; write it with -update", err)
	}
	lines := map[string]string{}
	for line := range strings.Lines(strings.TrimPrefix(string(text), goldenHead)) {
		name, _, _ := strings.Cut(line, " ")
		lines[name] = strings.TrimSuffix(line, "\n")
	}
	return lines
}

// compareGolden fails for each case that is not as it was, and says how to look at it.
func compareGolden(t *testing.T, file string, results []goldenResult, left []goldenCase) {
	want, failed := readGolden(t, file), 0
	for _, c := range left {
		delete(want, c.name)
	}
	for _, r := range results {
		if line := r.text(); line != want[r.name] {
			t.Errorf("%s\n  was %s\n  is  %s\n  %s", difference(want[r.name], line), want[r.name], line, r.byHand())
			failed++
		}
		delete(want, r.name)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		t.Errorf("%s is in %s, and no case any more", name, file)
	}
	if failed > 0 {
		t.Log(goldenAdvice)
	}
}

// difference says which of the columns is another.
func difference(was, is string) string {
	before, now := strings.SplitN(was, " ", 4), strings.SplitN(is, " ", 4)
	if len(before) < 4 {
		return now[0] + ": a new case"
	}
	var what []string
	for i, column := range []string{"", "the exit code", "numbers", "words"} {
		if before[i] != now[i] {
			what = append(what, column)
		}
	}
	return now[0] + ": other than before: " + strings.Join(what, ", ")
}

// byHand is the command line as it is run in the root of the repository, once make build was there.
func (r *goldenResult) byHand() string { return "bin/foresee " + r.goldenCase.line }

// goldenAdvice says how to see what has changed behind a hash.
const goldenAdvice = `what differs, with the commit that made the net in OTHER (git worktree add OTHER COMMIT):
  FORESEE_GOLDEN=/tmp/now go test ./cmd/foresee -run TestGolden
  (cd OTHER && FORESEE_GOLDEN=/tmp/before go test ./cmd/foresee -run TestGolden)
  diff -r /tmp/before/actual /tmp/now/actual
Commands run by hand find in OUT=/tmp/now/files what others have written. Where numbers are meant to move, -update writes the net anew:
in a commit of its own, which says why.`
