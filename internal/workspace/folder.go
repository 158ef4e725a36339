//go:build linux

// Package workspace holds private folders on disk: those that one command works in and removes, and the one in which
// compiled objects are kept for the next. Nobody else can put files there, those that a killed command left are
// cleared by the next, and what is wrong with a disk is told with its place and what helps.
package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Folder is a folder that only this user can enter. A lock in it says that its process lives.
type Folder struct {
	Path string
	lock *os.File
}

const (
	folderEnd = ".work"      // of the names of work folders
	goneEnd   = "-gone.work" // of those that are being removed
	lockName  = ".lock"
)

// New makes a folder among the temporary files, and clears there what dead commands left. kind tells people what it is
// for, in small letters.
func New(kind string) (*Folder, error) {
	parent, err := filepath.Abs(os.TempDir())
	if err != nil {
		return nil, err
	}
	if resolved, err := filepath.EvalSymlinks(parent); err == nil {
		if err := swappable(resolved); err != nil {
			return nil, fmt.Errorf("temporary folder %s: %w; set TMPDIR to a folder of your own", parent, err)
		}
		parent = resolved // else a link on the way could lead elsewhere from now on
	}
	f, err := in(parent, "foresee-"+kind)
	if err != nil {
		return nil, temporaryError(parent, err)
	}
	return f, nil
}

// Beside makes a hidden folder in parent, for what will be renamed there when it is complete.
func Beside(parent, kind string) (*Folder, error) {
	f, err := in(parent, ".foresee-"+kind)
	if full := Full(err, "", parent); err != nil && full != nil {
		return nil, full
	}
	return f, err
}

func in(parent, name string) (*Folder, error) {
	clearOnce(parent)
	for range 10 {
		path, err := os.MkdirTemp(parent, name+"-*"+folderEnd)
		if err != nil {
			return nil, err
		}
		lock, err := hold(path)
		if errors.Is(err, unix.EWOULDBLOCK) { // somebody looks whether it is a leftover
			continue
		}
		if err != nil {
			os.RemoveAll(path)
			return nil, err
		}
		return &Folder{path, lock}, nil
	}
	return nil, fmt.Errorf("%s: no work folder could be locked; try again", parent)
}

// hold locks a new folder. Where the file system has no locks the folder is as good, but nobody will ever clear it.
func hold(path string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(path, lockName), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
	case errors.Is(err, unix.EWOULDBLOCK):
		f.Close()
		return nil, err
	case err != nil:
		return f, nil
	}
	if _, err := fmt.Fprintf(f, "%s\n%s\n%d\n", host(), boot(), os.Getpid()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Remove removes the folder with all that is in it.
func (f *Folder) Remove() error {
	if f == nil {
		return nil
	}
	err := discard(f.Path)
	f.release()
	clearDead(filepath.Dir(f.Path), time.Now().Add(mostClearing/10)) // also what a dying child still held at the begin
	return err
}

// discard removes a work folder. It gets a name first by which others know that it is not one that has just been made, however little is
// left in it when its remover is killed.
func discard(path string) error {
	gone := strings.TrimSuffix(path, folderEnd) + goneEnd
	if os.Rename(path, gone) == nil {
		path = gone
	}
	return os.RemoveAll(path)
}

// Become gives the folder a name for good, beside its own. An earlier folder of that name is removed; the two change places first,
// where the disk can do that, so that at no moment there is neither.
//
// The lock in the folder cannot stay, as the folder becomes a result; while there is none, the folder itself is locked, so that others
// do not take it for one that a killed command left.
func (f *Folder) Become(path string) error {
	if whole, err := os.Open(f.Path); err == nil {
		defer whole.Close()
		_ = unix.Flock(int(whole.Fd()), unix.LOCK_EX|unix.LOCK_NB) // where the disk has no locks, nobody clears what is new
	}
	if err := os.Remove(filepath.Join(f.Path, lockName)); err != nil {
		return err
	}
	err := unix.Renameat2(unix.AT_FDCWD, f.Path, unix.AT_FDCWD, path, unix.RENAME_EXCHANGE)
	if err == nil {
		f.release()
		return discard(f.Path)
	}
	if err := os.RemoveAll(path); err != nil { // there is none, or the disk cannot do that
		return err
	}
	if err := os.Rename(f.Path, path); err != nil {
		return err
	}
	f.release()
	return nil
}

func (f *Folder) release() {
	if f.lock != nil {
		f.lock.Close()
		f.lock = nil
	}
}

// Executable says whether programs can be started from the folder.
func (f *Folder) Executable() error { return Executable(f.Path) }

// Cause gives what is wrong with the folder's disk where that is behind an error, else the error.
func (f *Folder) Cause(err error) error {
	if full := Full(err, err.Error(), f.Path); full != nil {
		return full
	}
	if noexec := f.Executable(); noexec != nil && errors.Is(err, fs.ErrPermission) {
		return noexec
	}
	return err
}

// Executable says why programs and libraries in a folder cannot be used; nil where they can.
func Executable(dir string) error {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil || int64(s.Flags)&unix.ST_NOEXEC == 0 {
		return nil
	}
	dir = lasting(dir)
	return fmt.Errorf("%s: programs there cannot be started, its disk is mounted noexec; %s", dir, elsewhere(dir))
}

// File makes a file among the temporary files that has no name, and so is gone with its process.
func File() (*os.File, error) {
	dir := os.TempDir()
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err == nil {
		return os.NewFile(uintptr(fd), filepath.Join(dir, "foresee.part")), nil
	}
	f, err := os.CreateTemp(dir, "foresee-*.part") // file systems that always name files
	if err != nil {
		return nil, temporaryError(dir, err)
	}
	return f, os.Remove(f.Name())
}

// temporaryError says what is wrong with the folder of temporary files.
func temporaryError(dir string, err error) error {
	if full := Full(err, "", dir); full != nil && !errors.Is(err, unix.EROFS) {
		return full
	}
	why := ""
	switch {
	case errors.Is(err, unix.ENOENT):
		why = "does not exist; make it"
	case errors.Is(err, unix.ENOTDIR):
		why = "is no folder; remove the file"
	case errors.Is(err, unix.EROFS):
		why = "cannot be written, its disk is mounted read-only; mount it for writing"
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		why = "cannot be written by this user; change its mode"
	default:
		return fmt.Errorf("temporary folder %s: %w; %s", dir, err, elsewhere(dir))
	}
	return fmt.Errorf("temporary folder %s %s, or %s", dir, why, elsewhere(dir))
}
