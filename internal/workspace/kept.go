//go:build linux

package workspace

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Kept is a folder of what was compiled once, for this command and the next.
type Kept struct {
	Dir string
	// Unkept says why it could not be kept and was made for this command alone; empty where it is kept.
	Unkept string
	folder *Folder
}

// Close removes what was made for this command alone.
func (k *Kept) Close() error {
	if k == nil {
		return nil
	}
	return k.folder.Remove()
}

// Keep gives what fill makes under a name that says all that it depends on: from the user's cache where it is there,
// whole and nobody else's, else made now. fill is given an empty folder.
func Keep(name string, fill func(dir string) error) (*Kept, error) {
	var reasons []string
	for _, base := range cacheFolders() {
		dir, err := own(base)
		if err == nil {
			dir, err = keepIn(dir, name, fill)
		}
		var made *fillError
		if errors.As(err, &made) {
			return nil, made.error
		}
		if err == nil {
			return &Kept{Dir: dir}, nil
		}
		reasons = append(reasons, err.Error())
	}
	f, err := New("build")
	if err != nil {
		return nil, err
	}
	k := &Kept{Dir: filepath.Join(f.Path, name), folder: f, Unkept: strings.Join(reasons, "; ")}
	if err := errors.Join(os.Mkdir(k.Dir, 0o700), fill(k.Dir)); err != nil {
		return nil, errors.Join(f.Cause(err), f.Remove())
	}
	return k, nil
}

// fillError is an error of what is kept, which no other folder mends.
type fillError struct{ error }

// cacheFolders are where objects may be kept. A home that is not there is not made.
func cacheFolders() []string {
	var all []string
	if dir, err := os.UserCacheDir(); err == nil {
		makeCache(dir, os.Getenv("XDG_CACHE_HOME") != "")
		all = append(all, filepath.Join(dir, "foresee"))
	}
	if dir, err := filepath.Abs(os.TempDir()); err == nil {
		all = append(all, filepath.Join(dir, fmt.Sprintf("foresee-%d", os.Geteuid())))
	}
	return all
}

// makeCache makes the folder of caches where it is missing: in a home only if that is there, and never in the folder of another user,
// who could not use it afterwards.
func makeCache(dir string, withParents bool) {
	parent := filepath.Dir(dir)
	for withParents && parent != filepath.Dir(parent) {
		if _, err := os.Lstat(parent); err == nil {
			break
		}
		parent = filepath.Dir(parent)
	}
	if resolved, err := filepath.EvalSymlinks(parent); err == nil && swappable(resolved) == nil {
		_ = os.MkdirAll(dir, 0o700)
	}
}

// filling has a lock for each entry, so that parts of this command that need the same one make it once.
var filling sync.Map

// keepIn gives the entry of a name in a folder of ours.
func keepIn(dir, name string, fill func(string) error) (string, error) {
	entry := filepath.Join(dir, name)
	lock, _ := filling.LoadOrStore(entry, new(sync.Mutex))
	one := lock.(*sync.Mutex)
	one.Lock()
	defer one.Unlock()
	if verify(entry) == nil {
		return entry, nil
	}
	f, err := Beside(dir, "build")
	if err != nil {
		return "", err
	}
	defer f.Remove()
	part := filepath.Join(f.Path, name)
	if err := os.Mkdir(part, 0o700); err != nil {
		return "", err
	}
	if err := fill(part); err != nil {
		if full := Full(err, err.Error(), dir); full != nil {
			return "", full
		}
		return "", &fillError{err}
	}
	if err := seal(part); err != nil {
		return "", err
	}
	return entry, moveIn(part, entry, filepath.Join(f.Path, "old"))
}

// moveIn gives a whole entry its name, in the place of a damaged one. Somebody else may have been faster.
func moveIn(part, entry, old string) error {
	err := os.Rename(part, entry)
	if err == nil || verify(entry) == nil {
		return nil
	}
	if err := os.Rename(entry, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(part, entry); err != nil {
		return errors.Join(err, verify(entry))
	}
	return nil
}

// sumsName is the file of checksums in an entry: lines of SHA-256 and name, and a last one with their number.
const sumsName = "SHA256SUMS"

// seal writes the checksums of all files below dir.
func seal(dir string) error {
	var lines []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		sum, err := sumOf(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		lines = append(lines, sum+"  "+name)
		return err
	})
	if err != nil {
		return err
	}
	slices.Sort(lines)
	lines = append(lines, fmt.Sprintf("%d files\n", len(lines)))
	return os.WriteFile(filepath.Join(dir, sumsName), []byte(strings.Join(lines, "\n")), 0o600)
}

func sumOf(path string) (string, error) {
	f, err := openOurs(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}

// verify says what is wrong with an entry; nil where it is as it was sealed.
func verify(dir string) error {
	if err := onlyOurs(dir); err != nil {
		return err
	}
	f, err := openOurs(filepath.Join(dir, sumsName))
	if err != nil {
		return err
	}
	defer f.Close()
	count, last := 0, ""
	for lines := bufio.NewScanner(f); lines.Scan(); {
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		if last = lines.Text(); !ok {
			break
		}
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%s: %q is no file of it", dir, name)
		}
		if got, err := sumOf(filepath.Join(dir, name)); err != nil || got != sum {
			return fmt.Errorf("%s: %s is damaged", dir, name)
		}
		count++
	}
	if count == 0 || last != fmt.Sprintf("%d files", count) {
		return fmt.Errorf("%s: %s is damaged", dir, sumsName)
	}
	return nil
}
