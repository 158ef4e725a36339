package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

const other = 65534 // a user who is not us

// homeless sets the environment in which objects are kept: a home, a cache and a temporary folder.
func homeless(t *testing.T) (temp string) {
	t.Helper()
	temp = filepath.Join(t.TempDir(), "tmp")
	mkdir(t, temp, 0o700)
	t.Setenv("TMPDIR", temp)
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	return temp
}

func mkdir(t *testing.T, dir string, mode fs.FileMode) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.Chmod(dir, mode)); err != nil {
		t.Fatal(err)
	}
}

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to act as another user")
	}
}

func fill(text string) func(string) error {
	return func(dir string) error {
		return errors.Join(os.Mkdir(filepath.Join(dir, "include"), 0o755),
			os.WriteFile(filepath.Join(dir, "a.o"), []byte(text), 0o644), os.WriteFile(filepath.Join(dir, "include", "b.h"), []byte(text), 0o644))
	}
}

// content is what an entry holds.
func content(t *testing.T, k *Kept) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(k.Dir, "a.o"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// plant makes an entry that looks whole, as an attacker would.
func plant(t *testing.T, folder string) {
	t.Helper()
	entry := filepath.Join(folder, "entry")
	mkdir(t, entry, 0o700)
	if err := errors.Join(fill("planted")(entry), seal(entry)); err != nil {
		t.Fatal(err)
	}
}

// What others planted where objects are kept is never taken.
func TestPlanted(t *testing.T) {
	chown := func(t *testing.T, names ...string) {
		needRoot(t)
		for _, n := range names {
			if err := os.Lchown(n, other, other); err != nil {
				t.Fatal(err)
			}
		}
	}
	tests := map[string]func(t *testing.T, folder string){
		"of another user": func(t *testing.T, folder string) {
			plant(t, folder)
			chown(t, folder, filepath.Join(folder, "entry"), filepath.Join(folder, "entry", "a.o"), filepath.Join(folder, "entry", sumsName))
		},
		"entry of another user": func(t *testing.T, folder string) {
			plant(t, folder)
			chown(t, filepath.Join(folder, "entry"))
		},
		"file of another user": func(t *testing.T, folder string) {
			plant(t, folder)
			chown(t, filepath.Join(folder, "entry", "a.o"))
		},
		"written by the group": func(t *testing.T, folder string) {
			plant(t, folder)
			mkdir(t, folder, 0o770)
		},
		"written by all": func(t *testing.T, folder string) {
			plant(t, folder)
			mkdir(t, folder, 0o777)
		},
		"a link": func(t *testing.T, folder string) {
			elsewhere := filepath.Join(t.TempDir(), "else")
			mkdir(t, elsewhere, 0o700)
			plant(t, elsewhere)
			if err := os.Symlink(elsewhere, folder); err != nil {
				t.Fatal(err)
			}
		},
		"the entry a link": func(t *testing.T, folder string) {
			elsewhere := filepath.Join(t.TempDir(), "else")
			plant(t, elsewhere)
			mkdir(t, folder, 0o700)
			if err := os.Symlink(filepath.Join(elsewhere, "entry"), filepath.Join(folder, "entry")); err != nil {
				t.Fatal(err)
			}
		},
		"a file": func(t *testing.T, folder string) {
			if err := os.WriteFile(folder, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"in a folder that all write": func(t *testing.T, folder string) {
			plant(t, folder)
			mkdir(t, filepath.Dir(folder), 0o777)
		},
		"in a folder of another user": func(t *testing.T, folder string) {
			plant(t, folder)
			chown(t, filepath.Dir(folder))
		},
	}
	for name, prepare := range tests {
		t.Run(name, func(t *testing.T) {
			homeless(t)
			cache := filepath.Join(t.TempDir(), "cache")
			t.Setenv("XDG_CACHE_HOME", cache)
			mkdir(t, cache, 0o700)
			prepare(t, filepath.Join(cache, "foresee"))
			check(t, "right")
		})
		t.Run(name+", temporary", func(t *testing.T) {
			temp := homeless(t)
			prepare(t, filepath.Join(temp, fmt.Sprintf("foresee-%d", os.Geteuid())))
			if err := swappable(temp); err != nil { // then there is no place at all
				if _, err := Keep("entry", fill("right")); err == nil || !strings.Contains(err.Error(), "TMPDIR") {
					t.Error(err)
				}
				return
			}
			check(t, "right")
		})
	}
}

// check wants the right content, and nothing left when it is closed.
func check(t *testing.T, want string) {
	t.Helper()
	k, err := Keep("entry", fill(want))
	if err != nil {
		t.Fatal(err)
	}
	if got := content(t, k); got != want {
		t.Errorf("%q was taken from %s", got, k.Dir)
	}
	if err := k.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(k.Dir); (err == nil) != (k.Unkept == "") {
		t.Errorf("kept: %q, then %v", k.Unkept, err)
	}
}

// Objects are made once and kept, wherever there is a place that is ours.
func TestKept(t *testing.T) {
	for name, test := range map[string]struct {
		set  func(t *testing.T, temp string)
		kept string // below the temporary folder; "": not kept
	}{
		"cache":                {func(t *testing.T, temp string) { t.Setenv("XDG_CACHE_HOME", filepath.Join(temp, "a", "b")) }, "a/b/foresee/entry"},
		"home":                 {func(t *testing.T, temp string) { t.Setenv("HOME", temp) }, ".cache/foresee/entry"},
		"no home":              {func(*testing.T, string) {}, fmt.Sprintf("foresee-%d/entry", os.Geteuid())},
		"home that is missing": {func(t *testing.T, temp string) { t.Setenv("HOME", filepath.Join(temp, "none")) }, fmt.Sprintf("foresee-%d/entry", os.Geteuid())},
		"relative cache":       {func(t *testing.T, temp string) { t.Setenv("XDG_CACHE_HOME", "cache") }, fmt.Sprintf("foresee-%d/entry", os.Geteuid())},
		"home on a device":     {func(t *testing.T, temp string) { t.Setenv("HOME", "/proc/self") }, fmt.Sprintf("foresee-%d/entry", os.Geteuid())},
	} {
		t.Run(name, func(t *testing.T) {
			temp := homeless(t)
			test.set(t, temp)
			check(t, "first")
			check(t, "first")
			k, err := Keep("entry", fill("second"))
			if err != nil {
				t.Fatal(err)
			}
			if want := filepath.Join(resolved(temp), test.kept); k.Dir != want || content(t, k) != "first" {
				t.Errorf("%s %q, want %s", k.Dir, content(t, k), want)
			}
			if info, err := os.Stat(filepath.Dir(k.Dir)); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("%v %v", info.Mode(), err)
			}
			if _, err := os.Stat(filepath.Join(temp, "none")); err == nil {
				t.Error("a home was made")
			}
			if _, err := os.Stat("cache"); err == nil {
				t.Error("a folder was made where the command runs")
			}
		})
	}
}

// An entry that is damaged in any file, or lacks one, is made anew.
func TestDamagedEntry(t *testing.T) {
	homeless(t)
	for _, damage := range []func(dir string) error{
		func(dir string) error { return os.WriteFile(filepath.Join(dir, "a.o"), []byte("other"), 0o644) },
		func(dir string) error { return os.Truncate(filepath.Join(dir, "include", "b.h"), 0) },
		func(dir string) error { return os.Remove(filepath.Join(dir, "a.o")) },
		func(dir string) error { return os.Truncate(filepath.Join(dir, sumsName), 70) },
		func(dir string) error { return os.Truncate(filepath.Join(dir, sumsName), 0) },
		func(dir string) error { return os.Remove(filepath.Join(dir, sumsName)) },
		func(dir string) error { return os.RemoveAll(dir) },
		func(dir string) error {
			return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, []byte("a file in its place"), 0o600))
		},
	} {
		k, err := Keep("entry", fill("first"))
		if err == nil {
			err = damage(k.Dir)
		}
		if err != nil {
			t.Fatal(err)
		}
		if k, err = Keep("entry", fill("first")); err != nil || content(t, k) != "first" || verify(k.Dir) != nil {
			t.Errorf("%+v %v", k, err)
		}
	}
	if _, err := Keep("new", func(string) error { return errDisk }); !errors.Is(err, errDisk) {
		t.Errorf("an error of the compiler: %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*", "*"+folderEnd))
	if hidden, _ := filepath.Glob(filepath.Join(os.TempDir(), "*", ".*"+folderEnd)); len(left)+len(hidden) > 0 {
		t.Errorf("left: %v %v", left, hidden)
	}
}

var errDisk = errors.New("no such instruction")

// Many at once make one entry, once.
func TestKeptTogether(t *testing.T) {
	homeless(t)
	var made atomic.Int64
	one := fill("one")
	errs := make(chan error)
	for range 16 {
		go func() {
			k, err := Keep("entry", func(dir string) error { made.Add(1); return one(dir) })
			if err == nil {
				err = verify(k.Dir)
			}
			errs <- err
		}()
	}
	for range 16 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if n := made.Load(); n != 1 {
		t.Errorf("it was made %d times", n)
	}
}

// Commands beside one another, which do not wait for each other, all find a whole entry.
func TestMovedTogether(t *testing.T) {
	dir := t.TempDir()
	entry := filepath.Join(dir, "entry")
	errs := make(chan error)
	for i := range 16 {
		go func() {
			part := filepath.Join(dir, fmt.Sprint("part", i))
			err := errors.Join(os.Mkdir(part, 0o700), fill("one")(part), seal(part))
			if err == nil {
				err = errors.Join(moveIn(part, entry, filepath.Join(dir, fmt.Sprint("old", i))), verify(entry))
			}
			errs <- err
		}()
	}
	for range 16 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}
