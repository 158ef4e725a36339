package mpi

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"foresee/application/counters/ranks"
	"foresee/internal/claims"
	"foresee/internal/workspace"
)

// mostNames is how many names are tried for the folder of a recording; chosen: who has so many looks after them.
const mostNames = 100

// TakenError is the name of a folder that holds something else than a recording.
type TakenError struct {
	Folder string
	Like   int // how many names like it do so too
}

func (e *TakenError) Error() string {
	if e.Like > 0 {
		return fmt.Sprintf("%s and %d names like it hold something else than a recording", e.Folder, e.Like)
	}
	return e.Folder + " holds something else than a recording"
}

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
	if _, err := os.Stat(filepath.Join(dir, ranks.FileName)); err != nil {
		return &TakenError{Folder: dir}
	}
	return claims.CheckFolder(dir)
}

// unfinished makes the folder that is written to, beside the one that it becomes.
func unfinished(dir string) (*workspace.Folder, error) {
	beside, err := filepath.Abs(filepath.Dir(dir))
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(beside, 0o755); err != nil {
		return nil, fmt.Errorf("%s: its folder cannot be made: %w", dir, err)
	}
	f, err := workspace.Beside(beside, "mpi")
	if err == nil {
		// Ranks may run under another user's name elsewhere, and others may read results.
		err = errors.Join(os.Chmod(f.Path, 0o755), reserve(f.Path))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: cannot write there: %w", dir, fullOr(err, beside)), f.Remove())
	}
	return f, nil
}

// reserveName is a file that keeps room for run.json, so that what the ranks left can be described when they have filled
// the disk. Without that much room, a run that may take hours is not begun.
const (
	reserveName  = ".reserve"
	reserveBytes = 256 << 10
)

func reserve(folder string) error {
	return os.WriteFile(filepath.Join(folder, reserveName), bytes.Repeat([]byte("foresee\n"), reserveBytes/8), 0o644)
}

// fullOr gives the disk without room where that is what is behind an error, else the error.
func fullOr(err error, dir string) error {
	if full := workspace.Full(err, "", dir); full != nil {
		return full
	}
	return err
}

// lostRanks are the ranks that began their file and could not end it.
func lostRanks(folder string) (ranks []string) {
	parts, _ := filepath.Glob(filepath.Join(folder, ".messages.*.part"))
	for _, p := range parts {
		ranks = append(ranks, strings.TrimSuffix(strings.TrimPrefix(filepath.Base(p), ".messages."), ".part"))
	}
	return ranks
}

// tidy removes what is not of the recording.
func tidy(folder string) error {
	var err error
	parts := []string{filepath.Join(folder, reserveName)}
	for _, prefix := range []string{".messages.", snapshotPrefix, eventsPrefix, restPrefix} {
		some, e := filepath.Glob(filepath.Join(folder, prefix+"*"))
		parts, err = append(parts, some...), errors.Join(err, e)
	}
	for _, p := range parts {
		if e := os.Remove(p); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// place gives a folder its name, in the place of an earlier recording. Where that name was taken by something else
// since the run began, it gets a number behind it: a run may have taken hours.
func place(folder *workspace.Folder, dir string) (string, error) {
	free := dir
	for i := 2; checkPlace(free) != nil; i++ {
		if i > mostNames {
			return "", &TakenError{Folder: dir, Like: mostNames - 1}
		}
		free = fmt.Sprintf("%s-%d", dir, i)
	}
	return free, folder.Become(free)
}
