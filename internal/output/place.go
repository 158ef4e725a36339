package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// mostLinks is how many symbolic links may lead to a file, as in Linux.
const mostLinks = 40

// followLinks finds the file that a path leads to, also where there is none yet.
func followLinks(path string) (string, error) {
	for range mostLinks {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		if err := trustLink(path, info); err != nil {
			return "", err
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			folder, err := filepath.EvalSymlinks(filepath.Dir(path)) // .. in a link is of the folder where it is
			if err != nil {
				return "", err
			}
			to = filepath.Join(folder, to)
		}
		path = to
	}
	return "", syscall.ELOOP
}

// trustLink refuses the links that Linux does not follow in folders like /tmp (fs.protected_symlinks): another user may have
// laid them.
func trustLink(path string, link os.FileInfo) error {
	folder, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return err
	}
	if folder.Mode()&fs.ModeSticky == 0 || folder.Mode().Perm()&0o002 == 0 {
		return nil
	}
	owner, there := ownerOf(link)
	above, _ := ownerOf(folder)
	if !there || owner == os.Geteuid() || owner == above {
		return nil
	}
	return fmt.Errorf("it is a link that user %d has laid in a folder of all users; remove it, or name another file", owner)
}

func ownerOf(info os.FileInfo) (user int, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}

// longestStem leaves room for what the name of an unfinished file has beside that of the file; names have 255 bytes at most.
const longestStem = 200

// unfinishedStem begins the names of unfinished files for a place; a process and a number follow.
func unfinishedStem(place string) string {
	base := filepath.Base(place)
	return "." + base[:min(len(base), longestStem)] + "."
}

// createTemp begins an unfinished file beside a place, with the owner and the mode of the file that is there, if one is.
func createTemp(place string, there os.FileInfo) (*os.File, error) {
	folder, stem := filepath.Dir(place), unfinishedStem(place)
	clearUnfinished(folder, stem)
	mode := fs.FileMode(0o666)
	if there != nil {
		mode = 0o600 // until it is known whose it is
	}
	for i := range 100 {
		name := filepath.Join(folder, fmt.Sprintf("%s%d-%d", stem, os.Getpid(), i))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		_ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) // tells others that it is being written; not all disks can
		if there != nil {
			err = keepMode(f, there)
		}
		if err != nil {
			f.Close()
			os.Remove(name)
			return nil, err
		}
		return f, nil
	}
	return nil, errors.New("the folder is full of unfinished files; remove them")
}

// keepMode gives a file the owner, group and mode of the one that it follows. Where the group cannot be kept, another gets no
// rights.
func keepMode(f *os.File, there os.FileInfo) error {
	mode := there.Mode().Perm()
	if stat, ok := there.Sys().(*syscall.Stat_t); ok {
		if f.Chown(int(stat.Uid), int(stat.Gid)) != nil && f.Chown(-1, int(stat.Gid)) != nil {
			mode &^= 0o070
		}
	}
	return f.Chmod(mode)
}

var processAndNumber = regexp.MustCompile(`^(\d+)-\d+$`)

// clearUnfinished removes what processes that were killed have left of a file: those of this user, that nobody writes.
func clearUnfinished(folder, stem string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if len(e.Name()) <= len(stem) || e.Name()[:len(stem)] != stem {
			continue
		}
		m := processAndNumber.FindStringSubmatch(e.Name()[len(stem):])
		if m == nil || !e.Type().IsRegular() {
			continue
		}
		if process, err := strconv.Atoi(m[1]); err == nil && process > 0 && syscall.Kill(process, 0) == syscall.ESRCH {
			removeAbandoned(filepath.Join(folder, e.Name()))
		}
	}
}

// removeAbandoned removes a file of this user that is not locked: a process on another machine may be writing it.
func removeAbandoned(path string) {
	f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	if owner, ok := ownerOf(info); !ok || owner != os.Geteuid() {
		return
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		os.Remove(path)
	}
}

// syncFolder makes a new name last. Not all disks can, and the content is there already.
func syncFolder(folder string) {
	if d, err := os.Open(folder); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// OnDisk names the disk that cannot take more. Devices have no place on one.
func OnDisk(place string, err error) error {
	if place == "" {
		return err
	}
	what, remedy := "", ""
	switch {
	case errors.Is(err, syscall.ENOSPC):
		what, remedy = "is full", "free some space on it, or name a file on another"
	case errors.Is(err, syscall.EDQUOT):
		what, remedy = "grants this user no more", "remove something on it, or name a file on another"
	case errors.Is(err, syscall.EROFS):
		what, remedy = "cannot be written to", "name a file on another"
	default:
		return err
	}
	return fmt.Errorf("%w: the disk at %s %s; %s", err, mountOf(place), what, remedy)
}

// mountOf finds the folder where the disk that holds a file begins.
func mountOf(place string) string {
	folder, err := filepath.Abs(filepath.Dir(place))
	if err != nil {
		return filepath.Dir(place)
	}
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	device := deviceOf(folder)
	for up := filepath.Dir(folder); up != folder && deviceOf(up) == device; up = filepath.Dir(folder) {
		folder = up
	}
	return folder
}

func deviceOf(folder string) uint64 {
	info, err := os.Stat(folder)
	if err != nil {
		return 0
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return uint64(stat.Dev)
}

// mountedAlone says whether a file is itself where something is mounted, as containers mount single files: it cannot be replaced.
func mountedAlone(place string) bool {
	var stat unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, place, unix.AT_NO_AUTOMOUNT, 0, &stat)
	return err == nil && stat.Attributes_mask&unix.STATX_ATTR_MOUNT_ROOT != 0 && stat.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0
}
