package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// What is wrong with the temporary folder is said with its place and what helps.
func TestTemporary(t *testing.T) {
	temp := homeless(t)
	file := filepath.Join(temp, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(temp, "open")
	mkdir(t, open, 0o777)
	closed := filepath.Join(temp, "closed")
	mkdir(t, closed, 0o500)
	tests := []struct{ dir, want string }{
		{filepath.Join(temp, "none"), "temporary folder " + temp + "/none does not exist; make it, or set TMPDIR"},
		{file, "no folder"},
		{open, "others can rename what is in " + resolved(open) + " (mode 0777, without the sticky bit); set TMPDIR"},
	}
	if os.Geteuid() != 0 {
		tests = append(tests, struct{ dir, want string }{closed, "cannot be written by this user; change its mode, or set TMPDIR"})
	}
	for _, test := range tests {
		t.Setenv("TMPDIR", test.dir)
		if f, err := New("test"); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v %v, want %q", test.dir, f, err, test.want)
		}
	}
	mkdir(t, open, 0o777|fs.ModeSticky)
	t.Setenv("TMPDIR", open)
	f, err := New("test")
	if err != nil {
		t.Error(err)
	}
	_ = f.Remove()
}

// Disks that are full, mounted read-only or noexec are named. The mounts are seen by the child alone.
func TestDisks(t *testing.T) {
	if disks := os.Getenv("FORESEE_TEST_DISKS"); disks != "" {
		onDisks(t, disks)
		return
	}
	needRoot(t)
	dir := t.TempDir()
	script := `set -e
mount -t tmpfs -o size=256k none "$1"; head -c 300000 /dev/zero >"$1/fill" 2>/dev/null || true
mkdir "$2" "$3" "$4"; mount -t tmpfs -o size=1m,noexec none "$2"; mount -t tmpfs -o size=1m,ro none "$3"; mount -t tmpfs -o size=1m,nr_inodes=1 none "$4"
FORESEE_TEST_DISKS="$0" exec "$5" -test.run='^TestDisks$' -test.v`
	full := filepath.Join(dir, "full")
	mkdir(t, full, 0o700)
	cmd := exec.Command("unshare", "-m", "sh", "-c", script, dir, full, filepath.Join(dir, "noexec"), filepath.Join(dir, "ro"), filepath.Join(dir, "inodes"), os.Args[0])
	out, err := cmd.CombinedOutput()
	if err != nil && strings.Contains(string(out), "unshare:") || strings.Contains(string(out), "mount:") {
		t.Skipf("needs to mount: %s", out)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func onDisks(t *testing.T, dir string) {
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	for disk, want := range map[string]string{
		"full":   "no space left on the disk of " + dir + "/full (0 B of 256 KiB are free); free some, or set TMPDIR to a folder on another disk",
		"inodes": "no space left on the disk of " + dir + "/inodes (it can hold no more files); free some, or set TMPDIR to a folder on another disk",
		"ro":     "temporary folder " + dir + "/ro cannot be written, its disk is mounted read-only; mount it for writing, or set TMPDIR to a folder on another disk",
	} {
		t.Setenv("TMPDIR", filepath.Join(dir, disk))
		if _, err := New("test"); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		if _, err := Keep("entry", fill("x")); err == nil {
			t.Errorf("%s: kept", disk)
		}
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "noexec"))
	f, err := New("test")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Executable(); err == nil || !strings.Contains(err.Error(), "mounted noexec; set TMPDIR to a folder on another disk") {
		t.Error(err)
	}
	if err := f.Cause(fmt.Errorf("the probe: %w", unix.EACCES)); !strings.Contains(err.Error(), "noexec") {
		t.Error(err)
	}
	if err := f.Cause(errDisk); !errors.Is(err, errDisk) {
		t.Error(err)
	}
	if err := Full(unix.EIO, "", f.Path); err != nil {
		t.Errorf("a disk with room is called full: %v", err)
	}
	if err := Full(nil, "fatal error: error writing to /tmp/x.s: No space left on device", f.Path); err == nil || err.Dir != filepath.Dir(f.Path) {
		t.Errorf("what the compiler says: %v", err)
	}
}
