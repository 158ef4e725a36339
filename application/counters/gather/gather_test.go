package gather

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foresee/application/counters"
)

// stat is what perf stat -x, writes of a run that took so many seconds.
func stat(seconds string) string {
	return seconds + ",msec,task-clock,1,100.00,,\n" + seconds + "000,,instructions,1,100.00,,\n"
}

func read(t *testing.T, q Request) (*counters.Set, error) {
	t.Helper()
	var err error
	if q.Quantities, err = counters.LoadQuantities(nil); err != nil {
		t.Fatal(err)
	}
	return Read(t.Context(), q)
}

// TestRead: parameters stand before a file's name, are shared by all, or stand in the file itself, and the same ones never twice.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one, two := write("one.csv", stat("1200")), write("two.csv", stat("700"))
	own := write("own.jsonl", `{"params":{"p":4},"callpath":"solve","metric":"time","value":2}`+"\n")

	set, err := read(t, Request{Inputs: []string{"p=1:" + one, "p=2:" + two}, Shared: map[string]float64{"n": 64}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range set.Series {
		if len(s.Points) != 2 {
			t.Errorf("%s: %d points, want 2", s.Metric, len(s.Points))
		}
	}
	if len(set.Series) == 0 || !slices.Equal(slices.Sorted(slices.Values(set.Parameters)), []string{"n", "p"}) {
		t.Errorf("%d series of %v", len(set.Series), set.Parameters)
	}
	if set, err = read(t, Request{Inputs: []string{"-"}, Stdin: strings.NewReader(`{"params":{"p":4},"metric":"time","value":2}` + "\n")}); err != nil || len(set.Series) != 1 {
		t.Errorf("standard input: %v, %v", set, err)
	}
	if _, err := read(t, Request{Inputs: []string{"p=8:" + own}}); !errors.As(err, new(*TwiceToldError)) {
		t.Errorf("parameters twice: %v", err)
	}
	for input, want := range map[string]string{one: "does not tell the parameters", filepath.Join(dir, "none"): "there is no such file", t.TempDir(): "neither a recorded run of MPI nor a folder"} {
		if _, err := read(t, Request{Inputs: []string{input}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", input, err, want)
		}
	}
}

// FuzzPrefixed: what stands before a colon is parameters, or all of it is a file's name.
func FuzzPrefixed(f *testing.F) {
	for _, text := range []string{"p=16,n=2:callgrind.out", "p=1e300:x", "p=-1:x", "p=:x", "a:b", "p=16"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, path := prefixed(text)
		if at == nil && path != text || at != nil && !strings.HasSuffix(text, ":"+path) {
			t.Errorf("%q: %v, %q", text, at, path)
		}
		again, err := Parameters([]string{text})
		if err == nil && len(again) != 1 {
			t.Errorf("%q: %v", text, again)
		}
		for _, v := range at {
			if !(v > 0) {
				t.Errorf("%q: %v", text, at)
			}
		}
	})
}
