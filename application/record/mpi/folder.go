package mpi

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"foresee/application/counters"
	"foresee/files"
)

// checkPlace refuses to replace what is not a recording.
func checkPlace(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: cannot be the folder of a recording: %w", dir, err)
	}
	if len(entries) == 0 {
		return nil
	}
	if _, err := os.Stat(filepath.Join(dir, counters.RunFileName)); err != nil {
		return fmt.Errorf("%s holds something else than a recording; name another folder with -o", dir)
	}
	return files.CheckFolder(dir)
}

// unfinished makes the folder that is written to, beside the one that it becomes.
func unfinished(dir string) (string, error) {
	beside, err := filepath.Abs(filepath.Dir(dir))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(beside, 0o755); err != nil {
		return "", fmt.Errorf("%s: its folder cannot be made: %w", dir, err)
	}
	folder, err := os.MkdirTemp(beside, ".mpi.foresee-")
	if err != nil {
		return "", fmt.Errorf("%s: cannot write there: %w", dir, err)
	}
	return folder, os.Chmod(folder, 0o755) // ranks may run under another user's name elsewhere, and others may read results
}

// place gives a folder its name, in the place of an earlier recording. Where that name was taken by something else
// since the run began, it gets a number behind it: a run may have taken hours.
func place(folder, dir string) (string, error) {
	free := dir
	for i := 2; checkPlace(free) != nil; i++ {
		if i > 100 {
			return "", fmt.Errorf("%s and 99 names like it hold something else than a recording; name another folder with -o", dir)
		}
		free = fmt.Sprintf("%s-%d", dir, i)
	}
	// The two change places, so that at no moment there is neither; the caller removes what is then under the other name.
	err := unix.Renameat2(unix.AT_FDCWD, folder, unix.AT_FDCWD, free, unix.RENAME_EXCHANGE)
	if err == nil {
		return free, nil
	}
	if err := os.RemoveAll(free); err != nil { // there is none, or the disk cannot do that
		return "", err
	}
	return free, os.Rename(folder, free)
}
