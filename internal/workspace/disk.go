//go:build linux

package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// FullError is a disk without room.
type FullError struct {
	Dir         string // on that disk
	Free, Total uint64 // bytes; 0 in all where the system does not say
	Files       bool   // it is the number of files that is used up
}

func (e *FullError) Error() string {
	room := ""
	switch {
	case e.Files:
		room = " (it can hold no more files)"
	case e.Total > 0:
		room = fmt.Sprintf(" (%s of %s are free)", size(e.Free), size(e.Total))
	}
	return fmt.Sprintf("no space left on the disk of %s%s; free some, or %s", e.Dir, room, elsewhere(e.Dir))
}

// Unwrap makes it an ENOSPC.
func (e *FullError) Unwrap() error { return unix.ENOSPC }

// leastFree is the room, in bytes, below which a disk is called full after something failed.
const leastFree = 64 << 10

// Full looks for a disk without room after something failed: err and said, what a program printed, may tell so, or
// that there is no room left in one of the folders. It gives nil where that is not the cause.
func Full(err error, said string, dirs ...string) *FullError {
	var known *FullError
	if errors.As(err, &known) {
		return known
	}
	var least *FullError
	for _, dir := range dirs {
		if e := roomOf(dir); e != nil && (least == nil || e.Files || e.Free < least.Free && !least.Files) {
			least = e
		}
	}
	told := errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) || tells(said)
	if least == nil || !told && !least.Files && least.Free >= leastFree {
		return nil
	}
	return least
}

// tells says whether a program's messages are of a full disk.
func tells(said string) bool {
	return strings.Contains(said, unix.ENOSPC.Error()) || strings.Contains(strings.ToLower(said), "no space left") ||
		strings.Contains(strings.ToLower(said), "disk quota exceeded")
}

// roomOf is the room on the disk of a folder, or of the nearest one above it that is there.
func roomOf(dir string) *FullError {
	for at := dir; ; at = filepath.Dir(at) {
		var s unix.Statfs_t
		if err := unix.Statfs(at, &s); err == nil {
			unit := uint64(s.Bsize)
			return &FullError{Dir: lasting(dir), Free: s.Bavail * unit, Total: s.Blocks * unit, Files: s.Files > 0 && s.Ffree == 0 && s.Blocks > 0}
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

// lasting is the folder that a work folder is in: that will be gone when its name is read.
func lasting(dir string) string {
	if workFolder.MatchString(filepath.Base(dir)) {
		return filepath.Dir(dir)
	}
	return dir
}

// elsewhere says how to take another disk than that of dir.
func elsewhere(dir string) string {
	dir, temp := resolved(lasting(dir)), resolved(os.TempDir())
	if dir == temp || strings.HasPrefix(dir, filepath.Join(temp, "foresee-")) {
		return "set TMPDIR to a folder on another disk"
	}
	if cache, err := os.UserCacheDir(); err == nil && strings.HasPrefix(dir, filepath.Join(resolved(cache), "foresee")) {
		return "set XDG_CACHE_HOME to a folder on another disk"
	}
	return "name a place on another disk"
}

func resolved(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return filepath.Clean(dir)
}

// size prints bytes.
func size(n uint64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	x, i := float64(n), 0
	for ; x >= 1024 && i < len(units)-1; i++ {
		x /= 1024
	}
	if i == 0 || x >= 100 {
		return fmt.Sprintf("%.0f %s", x, units[i])
	}
	return fmt.Sprintf("%.1f %s", x, units[i])
}
