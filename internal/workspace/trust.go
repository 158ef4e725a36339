//go:build linux

package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// owner gives the numbers of a file's user and group; −1 where the system tells none.
func owner(info fs.FileInfo) (uid, gid int) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return -1, -1
	}
	return int(s.Uid), int(s.Gid)
}

// ownedByUs says whether a file is this user's.
func ownedByUs(info fs.FileInfo) bool {
	uid, _ := owner(info)
	return uid == os.Geteuid()
}

// nobody is the user as whom a user namespace shows those that it does not know, root of the host among them; −1 in
// the first namespace, where everybody is known.
var nobody = sync.OnceValue(func() int {
	m, err := os.ReadFile("/proc/self/uid_map")
	if fields := strings.Fields(string(m)); err != nil || len(fields) == 3 && fields[2] == allUsers {
		return -1
	}
	text, err := os.ReadFile("/proc/sys/kernel/overflowuid")
	if err != nil {
		return -1
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return -1
	}
	return n
})

// allUsers is how many there are in the map of the first namespace: all numbers of 32 bits but the last (user_namespaces(7)).
const allUsers = "4294967295"

// swappable says how others could put their own files in the place of those in dir, a path without symbolic links; nil
// where only this user and root can: each folder on the way is theirs, and written by others only with the sticky bit.
func swappable(dir string) error {
	for ; ; dir = filepath.Dir(dir) {
		info, err := os.Lstat(dir)
		if err != nil {
			return err
		}
		uid, gid := owner(info)
		mode := info.Mode()
		switch {
		case !mode.IsDir():
			return fmt.Errorf("%s is no folder", dir)
		case uid != os.Geteuid() && uid != 0 && uid != nobody():
			return fmt.Errorf("%s belongs to %s", dir, userName(uid))
		case mode&fs.ModeSticky != 0:
		case mode.Perm()&0o002 != 0, mode.Perm()&0o020 != 0 && !ownGroup(gid):
			return fmt.Errorf("others can rename what is in %s (mode %04o, without the sticky bit)", dir, mode.Perm())
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// ownGroup says whether a group is this user's alone, as systems make one for each user, with the user's number.
func ownGroup(gid int) bool { return gid == os.Getegid() && gid == os.Geteuid() }

// userName is a user by name, for messages.
func userName(uid int) string {
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		return "user " + u.Username
	}
	return fmt.Sprintf("user %d", uid)
}

// own makes a folder of mode 0700 or takes the one that is there, if it is ours alone and so is the way to it. It gives
// its path without symbolic links.
func own(dir string) (string, error) {
	parent, err := filepath.EvalSymlinks(filepath.Dir(dir))
	if err != nil {
		return "", err
	}
	if err := swappable(parent); err != nil {
		return "", err
	}
	dir = filepath.Join(parent, filepath.Base(dir))
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return dir, onlyOurs(dir)
}

// onlyOurs refuses a folder that somebody else has made or may have written in. One that others could read is closed.
func onlyOurs(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	uid, _ := owner(info)
	switch perm := info.Mode().Perm(); {
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link", dir)
	case !info.IsDir():
		return fmt.Errorf("%s is no folder", dir)
	case uid != os.Geteuid():
		return fmt.Errorf("%s belongs to %s", dir, userName(uid))
	case perm&0o022 != 0:
		return fmt.Errorf("others can write in %s (mode %04o)", dir, perm)
	case perm != 0o700:
		return os.Chmod(dir, 0o700)
	}
	return nil
}

// openOurs opens a file in a folder that is ours, without following a link.
func openOurs(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && (!info.Mode().IsRegular() || !ownedByUs(info) || info.Mode().Perm()&0o022 != 0) {
		err = fmt.Errorf("%s is not a file of ours alone", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
