package database

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// written is as CMake, with a command, and Bear, with arguments, write it (their documentation).
const written = `[
{ "directory": "/home/me/build", "command": "/usr/bin/cc -DN=64 -D 'TITLE=\"a b\"' -D GONE -UGONE -I/home/me/include -isystem ../deps -O3 -o main.o -c ../main.c", "file": "../main.c" },
{ "directory": "/home/me", "arguments": ["cc", "-c", "-I", "include", "-DN=32", "-DFAST", "kernel.c"], "file": "kernel.c" }
]`

func TestParse(t *testing.T) {
	d, err := Parse(strings.NewReader(written))
	if err != nil || len(d.Entries) != 2 {
		t.Fatalf("%v %v", d, err)
	}
	e := d.Of("/elsewhere", "/home/me/main.c")
	if e == nil {
		t.Fatal("main.c is not found")
	}
	r := e.Reading("/elsewhere")
	if want := []string{"N=64", `TITLE="a b"`}; !slices.Equal(r.Defines, want) {
		t.Errorf("%q, want %q", r.Defines, want)
	}
	if want := []string{"/home/me/include", "/home/me/deps"}; !slices.Equal(r.Includes, want) {
		t.Errorf("%q, want %q", r.Includes, want)
	}
	r.Join(d.Of("", "/home/me/kernel.c").Reading(""))
	if want := []string{`TITLE="a b"`, "N=32", "FAST"}; !slices.Equal(r.Defines, want) || len(r.Includes) != 2 {
		t.Errorf("%+v, want %q", r, want)
	}
	if d.Of("", "/home/me/other.c") != nil {
		t.Error("other.c is found")
	}
}

// TestRelative: a folder that is not absolute begins at that of the database.
func TestRelative(t *testing.T) {
	e := Entry{File: "src/a.c", Folder: "build"}
	if got := e.Path("/project"); got != filepath.Clean("/project/build/src/a.c") {
		t.Error(got)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                                     "byte 1",
		`[{"directory": "/"}]`:                  "entry 1 names no file",
		`[{"file": "a.c", "command": "cc 'a"}]`: "entry 1, of a.c: a quote",
	} {
		if _, err := Parse(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want …%s…", text, err, want)
		}
	}
}

// FuzzParse: nothing panics, and what was read is read the same when it is written again.
func FuzzParse(f *testing.F) {
	f.Add(written)
	f.Add(`[{"file":"a.c","command":"cc \\\"-D x\\\" \\"}]`)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(strings.NewReader(text))
		if err != nil {
			return
		}
		type entry struct {
			Directory string   `json:"directory"`
			File      string   `json:"file"`
			Arguments []string `json:"arguments"`
		}
		var all []entry
		for i := range d.Entries {
			e := &d.Entries[i]
			e.Reading("/base")
			all = append(all, entry{e.Folder, e.File, e.Arguments})
		}
		data, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(strings.NewReader(string(data)))
		if err != nil || len(again.Entries) != len(d.Entries) {
			t.Fatalf("%v: %s", err, data)
		}
		for i := range d.Entries {
			if !slices.Equal(d.Entries[i].Arguments, again.Entries[i].Arguments) && len(d.Entries[i].Arguments) > 0 {
				t.Errorf("%q, then %q", d.Entries[i].Arguments, again.Entries[i].Arguments)
			}
		}
	})
}
