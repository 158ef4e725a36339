package versions_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"foresee/application/versions"
)

// repository makes one with two commits.
func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git: apt-get install git")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(t.TempDir(), "none"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir := t.TempDir()
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	for i, text := range []string{"first", "second"} {
		if err := os.MkdirAll(filepath.Join(dir, "src"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "src", "f.c"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		git("add", ".")
		git("commit", "-q", "-m", text)
		git("tag", "v"+string('1'+rune(i)))
	}
	return dir
}

func TestFilesAreThoseOfTheRevision(t *testing.T) {
	dir := repository(t)
	file := filepath.Join(dir, "src", "f.c")
	for revision, want := range map[string]string{"v1": "first", "main": "second", "HEAD~1": "first"} {
		v, err := versions.Of(context.Background(), file, revision)
		if err != nil {
			t.Fatal(err)
		}
		path, err := v.Path(file)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", revision, text, err)
		}
		if got := v.Plain("at " + path + ":3"); got != "at src/f.c:3" {
			t.Errorf("%q", got)
		}
		if outside, err := v.Path("/usr/include"); err != nil || outside != "/usr/include" {
			t.Errorf("%q, %v", outside, err)
		}
		if _, err := v.Path(filepath.Join(dir, "none.c")); err == nil {
			t.Error("a file that is not there")
		}
		v.Close()
		if _, err := os.Stat(path); err == nil {
			t.Error("its folder stays")
		}
	}
	if got := versions.Within(file); got != "src/f.c" {
		t.Errorf("within %q", got)
	}
}

func TestRevisionsThatAreNone(t *testing.T) {
	dir := repository(t)
	for _, revision := range []string{"none", "--help", "v1:src/f.c"} {
		if v, err := versions.Of(context.Background(), dir, revision); err == nil {
			v.Close()
			t.Errorf("%s is taken", revision)
		} else if wrong := new(versions.Error); !errors.As(err, &wrong) {
			t.Errorf("%s: %v", revision, err)
		}
	}
	if _, err := versions.Of(context.Background(), t.TempDir(), "HEAD"); err == nil || !strings.Contains(err.Error(), "git says") {
		t.Errorf("no repository: %v", err)
	}
}

// FuzzUnpack unpacks archives that git never makes: nothing is written outside the folder.
func FuzzUnpack(f *testing.F) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range []string{"a/b.c", "../out.c", "/abs.c"} {
		_ = w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Size: 2, Mode: 0o644})
		_, _ = w.Write([]byte("hi"))
	}
	_ = w.Close()
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		parent := t.TempDir()
		dir := filepath.Join(parent, "in")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		_ = versions.Unpack(bytes.NewReader(data), dir)
		if all, err := os.ReadDir(parent); err != nil || len(all) != 1 {
			t.Errorf("%v, %v", all, err)
		}
	})
}
