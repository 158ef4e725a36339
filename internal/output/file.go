// Package output writes results that appear whole or not at all: a file is written under another name beside its place and gets its name when
// it is complete, with the owner and the mode of the file that was there. A part of a result never takes the place of a whole one.
package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"foresee/internal/claims"
)

// File is a result on its way: it is written under another name and gets its own when it is complete. A part of a result
// never does: it gets a name of its own.
type File struct {
	path  string // as it was given
	place string // where its links lead
	temp  *os.File
	done  bool
	kept  io.Writer // where to say that this is a part; nil: it is whole
}

// Cause leaves out the operation and the path, which the message has already.
func Cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// Create begins a file, so that a place that cannot be written is known before the work begins.
func Create(path string) (*File, error) {
	if f, err := openDescriptor(path); f != nil || err != nil {
		return f, err
	}
	place, err := followLinks(path)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot write there: %w", path, Cause(err))
	}
	info, err := os.Stat(place)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s: is a directory; name a file in it", path)
	case err == nil && !info.Mode().IsRegular():
		return openDevice(path)
	case err == nil:
		if err := writable(path, place, info); err != nil {
			return nil, err
		}
	default:
		info = nil
	}
	if err := claims.Claim(path, place); err != nil {
		return nil, err
	}
	temp, err := createTemp(place, info)
	if err == nil {
		err = hasRoom(temp)
	}
	if err != nil {
		claims.Release(place)
		return nil, fmt.Errorf("%s: cannot write there: %w", path, OnDisk(place, Cause(err)))
	}
	return &File{path: path, place: place, temp: temp}, nil
}

// leastRoom is written on trial, in bytes: a full disk has room for a file without content.
const leastRoom = 4096

// hasRoom removes an unfinished file on a disk that has no room for any content.
func hasRoom(temp *os.File) error {
	_, err := temp.WriteAt(make([]byte, leastRoom), 0)
	if err == nil {
		return temp.Truncate(0)
	}
	return errors.Join(err, temp.Close(), os.Remove(temp.Name()))
}

// openDevice opens what is written as it is, such as a device or a pipe.
func openDevice(path string) (*File, error) {
	f, err := claims.Wait(func() (*os.File, error) { return os.OpenFile(path, os.O_WRONLY, 0) })
	if err != nil {
		return nil, fmt.Errorf("%s: cannot write: %w", path, Cause(err))
	}
	return &File{path: path, temp: f, done: true}, nil
}

// openDescriptor opens /dev/stdout and the like as what they stand for: where they lead to a file, another program is writing
// there too. It gives nil for other paths.
func openDescriptor(path string) (*File, error) {
	number := 0
	switch clean := filepath.Clean(path); {
	case clean == "/dev/stdout":
		number = 1
	case clean == "/dev/stderr":
		number = 2
	default:
		name, ok := strings.CutPrefix(clean, "/dev/fd/")
		if !ok {
			name, ok = strings.CutPrefix(clean, "/proc/self/fd/")
		}
		if _, err := fmt.Sscanf(name, "%d", &number); !ok || err != nil {
			return nil, nil
		}
	}
	fd, err := syscall.Dup(number)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot write: %w", path, err)
	}
	f := os.NewFile(uintptr(fd), path)
	if number > 2 { // the standard ones are known already
		if err := claims.ClaimOpen(path, f); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return &File{path: path, temp: f, done: true}, nil
}

// writable refuses a file that its owner has protected, which giving another file its name would not notice.
func writable(path, place string, info os.FileInfo) error {
	if mountedAlone(place) {
		return fmt.Errorf("%s: is mounted by itself, so that nothing can take its place; name another file, or send standard output there", path)
	}
	protected := info.Mode().Perm()&0o222 == 0 // which does not hold root back
	if err := syscall.Access(place, 2); err != nil && !errors.Is(err, syscall.EACCES) {
		return fmt.Errorf("%s: cannot write: %w", path, OnDisk(place, err))
	} else if err == nil && !protected {
		return nil
	}
	remedy := "chmod u+w it, or name another file"
	if owner, ok := ownerOf(info); ok && owner != os.Geteuid() && os.Geteuid() != 0 {
		remedy = "it is another user's; name another file"
	}
	return fmt.Errorf("%s: is protected from writing (mode %04o); %s", path, info.Mode().Perm(), remedy)
}

// Unkept is the reason, other than the disk, why a content is not to be kept after all.
type Unkept struct{ Err error }

func (u Unkept) Error() string { return u.Err.Error() }

// Unwrap gives the reason.
func (u Unkept) Unwrap() error { return u.Err }

// Finish writes the content and gives the file its name.
func (f *File) Finish(write func(io.Writer) error) error {
	w := &noting{w: f.temp}
	err := write(w)
	if w.err != nil && (err != nil || f.kept == nil) {
		err = w.err // which is the cause of others
	}
	if err == nil && !f.done {
		err = f.temp.Sync() // else a crash could leave the name to a file without its content
	}
	if refused := (Unkept{}); errors.As(err, &refused) {
		return refused.Err
	}
	if err = errors.Join(err, f.temp.Close()); err != nil {
		return f.failed(err)
	}
	if f.done {
		return nil
	}
	place := f.place
	if f.kept != nil {
		if place, err = f.partPlace(); err != nil {
			return err
		}
	}
	if err := os.Rename(f.temp.Name(), place); err != nil {
		return f.failed(err)
	}
	f.done = true
	clearUnfinished(filepath.Dir(f.temp.Name()), unfinishedStem(f.place)) // also what a dying child still held at the begin
	syncFolder(filepath.Dir(place))
	if f.kept != nil {
		fmt.Fprintf(f.kept, "foresee: %s holds what there is, a part; %s\n", place, f.untouched())
	}
	return nil
}

// noting remembers the first error of writing, whoever does not look.
type noting struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (n *noting) Write(p []byte) (int, error) {
	m, err := n.w.Write(p)
	if err != nil && n.err == nil {
		n.err = err
	}
	return m, err
}

func (f *File) failed(err error) error {
	return fmt.Errorf("%s: cannot write: %w", f.path, OnDisk(f.place, Cause(err)))
}

func (f *File) untouched() string {
	if _, err := os.Lstat(f.place); err != nil {
		return f.path + " was not written"
	}
	return f.path + " is as it was"
}

// PartName is the name of a part: result.partial.csv of result.csv, and a number where that is taken.
func PartName(place string, i int) string {
	folder, base := filepath.Split(place)
	end := filepath.Ext(base)
	stem := strings.TrimSuffix(base, end)
	if stem == "" { // .profile has no ending
		stem, end = base, ""
	}
	if i > 1 {
		return fmt.Sprintf("%s%s.partial-%d%s", folder, stem, i, end)
	}
	return folder + stem + ".partial" + end
}

// partPlace finds a name for a part. An earlier part gives way, but nothing else does.
func (f *File) partPlace() (string, error) {
	const most = 100
	for i := range most {
		place := PartName(f.place, i+1)
		info, err := os.Lstat(place)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", f.failed(err)
		}
		if err == nil && !info.Mode().IsRegular() || claims.Claim(place, place) != nil {
			continue
		}
		return place, nil
	}
	return "", fmt.Errorf("%s: %s and %d names like it are taken; nothing was kept", f.path, PartName(f.place, 1), most-1)
}

// Discard removes an unfinished file.
func (f *File) Discard() {
	if f == nil || f.done {
		return
	}
	f.temp.Close()
	os.Remove(f.temp.Name())
	claims.Release(f.place)
}

// IsPart says that what will be written is of a part of the work: it gets a name of its own, which is said to w.
func (f *File) IsPart(w io.Writer) { f.kept = w }

// Path is the name of the file as it was given.
func (f *File) Path() string { return f.path }

// Place is where the links of its name lead.
func (f *File) Place() string { return f.place }
