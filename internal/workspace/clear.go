//go:build linux

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

const (
	mostClearing = time.Second // that a command spends on what others left
	unlockedAge  = time.Hour   // of a folder whose process was killed before it had its lock
)

// workFolder are the names that in gives, and those that discard does.
var workFolder = regexp.MustCompile(`^\.?foresee-[a-z]+-\d+(-gone)?\` + folderEnd + `$`)

var cleared sync.Map

func clearOnce(parent string) {
	if _, done := cleared.LoadOrStore(parent, true); !done {
		clearDead(parent, time.Now().Add(mostClearing))
	}
}

// clearDead removes the work folders in parent whose processes are dead. Nothing is said where that fails: the folder is
// no worse for it.
func clearDead(parent string, until time.Time) {
	root, err := os.OpenRoot(parent)
	if err != nil {
		return
	}
	defer root.Close()
	list, err := root.Open(".")
	if err != nil {
		return
	}
	defer list.Close()
	for time.Now().Before(until) {
		names, err := list.Readdirnames(256)
		for _, name := range names {
			if workFolder.MatchString(name) && isDead(root, name) && time.Now().Before(until) {
				_ = root.RemoveAll(name)
			}
		}
		if err != nil {
			return
		}
	}
}

// isLeft says whether a folder without a lock file is what a command left that was killed while a folder became a result: there is
// something in it, which no folder has that has just been made, and nobody has it locked. A new folder's first file is its lock, so
// that is looked for again after the others. Only disks of this machine are asked, as locks on others may not reach here.
func isLeft(folder *os.Root) bool {
	f, err := folder.Open(".")
	if err != nil {
		return false
	}
	defer f.Close()
	var disk unix.Statfs_t
	if names, err := f.Readdirnames(1); err != nil || len(names) == 0 || unix.Fstatfs(int(f.Fd()), &disk) != nil || !localDisks[int64(disk.Type)] {
		return false
	}
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		return false
	}
	_, err = folder.Lstat(lockName)
	return errors.Is(err, fs.ErrNotExist)
}

// localDisks are file systems that no other machine has at the same time, by their numbers.
var localDisks = map[int64]bool{
	unix.EXT4_SUPER_MAGIC: true, unix.XFS_SUPER_MAGIC: true, unix.BTRFS_SUPER_MAGIC: true, unix.TMPFS_MAGIC: true, unix.OVERLAYFS_SUPER_MAGIC: true, unix.F2FS_SUPER_MAGIC: true,
}

// isDead says whether a work folder is ours and its process has ended.
func isDead(root *os.Root, name string) bool {
	info, err := root.Lstat(name)
	if err != nil || !info.IsDir() || !ownedByUs(info) || info.Mode().Perm()&0o022 != 0 {
		return false
	}
	if strings.HasSuffix(name, goneEnd) {
		return true
	}
	folder, err := root.OpenRoot(name)
	if err != nil {
		return false
	}
	defer folder.Close()
	if same, err := folder.Stat("."); err != nil || !os.SameFile(info, same) {
		return false
	}
	old := time.Since(info.ModTime()) > unlockedAge
	held, err := folder.Lstat(lockName)
	if errors.Is(err, fs.ErrNotExist) {
		return old || isLeft(folder)
	}
	if err != nil || !held.Mode().IsRegular() {
		return false
	}
	lock, err := folder.OpenFile(lockName, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer lock.Close()
	if unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		return false
	}
	text := make([]byte, 4096)
	n, _ := lock.Read(text)
	return n == 0 && old || wasHere(string(text[:n]))
}

// wasHere says whether a lock was taken by a process of this system: locks of others may not be seen here. The name of
// the host tells that after it was started again, the boot in a container, whose name may be new.
func wasHere(text string) bool {
	lines := strings.Split(text, "\n")
	return len(lines) >= 3 && (lines[0] == host() && lines[0] != "" || lines[1] == boot() && lines[1] != "")
}

func host() string {
	name, _ := os.Hostname()
	return name
}

var boot = sync.OnceValue(func() string {
	text, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(text))
})
