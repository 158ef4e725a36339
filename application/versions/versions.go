// Package versions gives sources as they were in a revision of git: all of the repository's sources of that revision, in a private folder, so that headers are
// those of the revision as well. It runs git, and changes nothing of the repository.
package versions

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"foresee/internal/workspace"
)

// Bounds of what is taken. Chosen: sources are smaller, and data that is kept beside them is not read.
const (
	mostFile  = 4 << 20
	mostBytes = 512 << 20
	mostFiles = 200_000
)

// ErrNoGit says that git is not installed.
var ErrNoGit = errors.New("git is not installed")

// Error is what git says.
type Error struct{ Revision, Text string }

func (e *Error) Error() string { return fmt.Sprintf("revision %s: git says: %s", e.Revision, e.Text) }

// Version is the sources of one revision.
type Version struct {
	Revision string
	top      string // folder of the repository
	folder   *workspace.Folder
}

// Of takes the sources of a revision of the repository that a file or folder lies in.
func Of(ctx context.Context, path, revision string) (*Version, error) {
	dir := path
	if info, err := os.Stat(path); err != nil || !info.IsDir() { // a file of the revision need not be there any more
		dir = filepath.Dir(path)
	}
	top, err := git(ctx, dir, revision, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	commit, err := git(ctx, dir, revision, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("%w (git log shows revisions, git fetch brings those of a server)", &Error{revision, "there is no such revision"})
	}
	v := &Version{Revision: revision, top: strings.TrimSpace(top)}
	if v.folder, err = workspace.New("versions"); err != nil {
		return nil, err
	}
	if err := v.fill(ctx, strings.TrimSpace(commit)); err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

// git runs git in a folder and gives what it prints.
func git(ctx context.Context, dir, revision string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	var out, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failed
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", ErrNoGit
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		text, _, _ := strings.Cut(strings.TrimSpace(failed.String()), "\n")
		return "", &Error{revision, text}
	}
	return out.String(), nil
}

// fill unpacks the files of a commit.
func (v *Version) fill(ctx context.Context, commit string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(ctx, "git", "-C", v.top, "archive", "--format=tar", commit)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	var failed bytes.Buffer
	cmd.Stderr = &failed
	if err := cmd.Start(); err != nil {
		return err
	}
	err = unpack(out, v.folder.Path)
	if err != nil {
		stop()
	}
	ended := cmd.Wait()
	if err == nil && ended != nil {
		err = &Error{v.Revision, strings.TrimSpace(failed.String())}
	}
	if err == nil {
		return nil
	}
	return v.folder.Cause(err)
}

// unpack writes the files of an archive into a folder: plain ones that are not too large to be sources.
func unpack(r io.Reader, dir string) error {
	t := tar.NewReader(r)
	bytes, files := int64(0), 0
	for {
		h, err := t.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case h.Typeflag != tar.TypeReg || h.Size > mostFile || !filepath.IsLocal(h.Name):
			continue
		}
		if bytes, files = bytes+h.Size, files+1; bytes > mostBytes || files > mostFiles {
			return fmt.Errorf("the revision has more than %d MiB or %d files; name two files instead", mostBytes>>20, mostFiles)
		}
		if err := write(filepath.Join(dir, h.Name), t); err != nil {
			return err
		}
	}
}

func write(path string, r io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}

// Path is where a file or folder of the repository lies in the version; what lies outside the repository stays.
func (v *Version) Path(path string) (string, error) {
	inside, ok := v.inside(path)
	if !ok {
		return path, nil
	}
	there := filepath.Join(v.folder.Path, inside)
	if _, err := os.Stat(there); err != nil {
		return "", fmt.Errorf("%s: there is none in revision %s, or it is no plain file of a source's size", path, v.Revision)
	}
	return there, nil
}

// inside is the path within the repository.
func (v *Version) inside(path string) (string, bool) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(whole)); err == nil {
		whole = filepath.Join(real, filepath.Base(whole))
	}
	inside, err := filepath.Rel(v.top, whole)
	return inside, err == nil && filepath.IsLocal(inside)
}

// Plain replaces the folder of the version in a text by nothing, so that places are those of the repository.
func (v *Version) Plain(text string) string {
	return strings.ReplaceAll(text, v.folder.Path+string(filepath.Separator), "")
}

// Close removes the folder.
func (v *Version) Close() { _ = v.folder.Remove() }

// Within is a file's path within its repository, with slashes; as it is where it lies in none. It looks for the folder .git.
func Within(path string) string {
	whole, err := filepath.Abs(path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	for dir := filepath.Dir(whole); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			inside, _ := filepath.Rel(dir, whole)
			return filepath.ToSlash(inside)
		}
		if filepath.Dir(dir) == dir {
			return filepath.ToSlash(path)
		}
	}
}
