package output_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"foresee/internal/claims"
	"foresee/internal/output"
)

// folder is an empty one, with an earlier result in it.
func folder(t *testing.T) (dir, result string) {
	t.Helper()
	claims.Forget()
	t.Cleanup(claims.Forget)
	dir = t.TempDir()
	result = filepath.Join(dir, "result")
	if err := os.WriteFile(result, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	return dir, result
}

// holds fails where a folder holds other files than these, or the result another text.
func holds(t *testing.T, dir, text string, names ...string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, e := range all {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("the folder holds %q, want %q", got, names)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "result")); err != nil || string(b) != text {
		t.Errorf("the result is %q, %v, want %q", b, err, text)
	}
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// TestFinish: the earlier result stays until the new one is whole, and its mode is the new one's.
func TestFinish(t *testing.T) {
	dir, result := folder(t)
	f, err := output.Create(result)
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(result); string(b) != "old" {
		t.Errorf("%q before the new one is whole", b)
	}
	if err := f.Finish(text("new")); err != nil {
		t.Fatal(err)
	}
	f.Discard() // of what is finished nothing goes
	holds(t, dir, "new", "result")
	if info, _ := os.Stat(result); info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestNotFinished(t *testing.T) {
	dir, result := folder(t)
	for what, end := range map[string]func(*output.File) error{
		"discarded": func(f *output.File) error { f.Discard(); return errors.New("as it should") },
		"failed": func(f *output.File) error {
			return f.Finish(func(w io.Writer) error { _, _ = io.WriteString(w, "half"); return errors.New("no more") })
		},
	} {
		claims.Forget() // each is a command of its own
		f, err := output.Create(result)
		if err != nil {
			t.Fatal(err)
		}
		if end(f) == nil {
			t.Errorf("%s: no error", what)
		}
		f.Discard()
		holds(t, dir, "old", "result")
	}
}

func TestLinkIsFollowed(t *testing.T) {
	dir, result := folder(t)
	link := filepath.Join(dir, "link")
	if err := os.Symlink("result", link); err != nil {
		t.Fatal(err)
	}
	f, err := output.Create(link)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Finish(text("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, "new", "link", "result")
	if to, err := os.Readlink(link); err != nil || to != "result" || f.Path() != link || f.Place() != result {
		t.Errorf("the link leads to %q, %v; path %s, place %s", to, err, f.Path(), f.Place())
	}
}

func TestRefused(t *testing.T) {
	dir, result := folder(t)
	if err := os.Chmod(result, 0o440); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{dir: "is a directory", result: "chmod u+w", filepath.Join(dir, "none", "x"): "cannot write there"} {
		if _, err := output.Create(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	holds(t, dir, "old", "result")
}

func TestPartName(t *testing.T) {
	for place, want := range map[string]string{"a/b.csv": "a/b.partial.csv", "a/b": "a/b.partial"} {
		if got := output.PartName(place, 1); got != want {
			t.Errorf("%s: %s, want %s", place, got, want)
		}
	}
	if a, b := output.PartName("x.json", 1), output.PartName("x.json", 2); a == b {
		t.Errorf("two parts of one name: %s", a)
	}
}

// TestLeftWhileHeld has an unfinished file of a process that is dead, whose lock a child still held when the next one began: a child has its parent's files
// open until it runs a program of its own. It is gone when the next result is there.
func TestLeftWhileHeld(t *testing.T) {
	dir, result := folder(t)
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Skip("needs true")
	}
	left := filepath.Join(dir, fmt.Sprintf(".result.%d-0", dead.Process.Pid))
	child, err := os.Create(left)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(child.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	f, err := output.Create(result)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); err != nil {
		t.Errorf("what is held is removed: %v", err)
	}
	child.Close()
	if err := f.Finish(text("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, "new", "result")
}
