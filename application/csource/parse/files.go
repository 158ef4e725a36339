package parse

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"foresee/internal/claims"
	"foresee/internal/encoding"
)

// headers stand in for the system's.
//
//go:embed headers
var headers embed.FS

// emptyHeader is the one without text.
const emptyHeader = "foresee_empty.h"

// headerDir is where the embedded headers seem to be.
const headerDir = "<foresee>"

// Header is the text of an embedded header; "" where there is none.
func Header(name string) string {
	text, err := headers.ReadFile("headers/" + name)
	if err != nil {
		return ""
	}
	return string(text)
}

// MaxFileSize is the largest source or header that is read, in bytes. Chosen: sources have less.
const MaxFileSize = 16 << 20

// folder is where sources and headers are read from.
type folder struct{ files fs.FS } // nil: the host

// stat describes a file.
func (d folder) stat(name string) (fs.FileInfo, error) {
	if d.files == nil {
		return os.Stat(name)
	}
	return fs.Stat(d.files, path.Clean(name))
}

// open opens a file that holds bytes of its own, of no more than MaxFileSize: no fifo, no device.
func (d folder) open(name string) (fs.File, error) {
	info, err := d.stat(name) // before opening: a fifo would block
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", name)
	case d.files == nil && info.Size() == 0 && ofKernel(name):
		return nil, fmt.Errorf("%s is a file of the kernel, which may never end", name)
	case info.Size() > MaxFileSize:
		return nil, fmt.Errorf("%s is larger than %d MiB", name, MaxFileSize>>20)
	}
	if d.files == nil {
		return claims.Open(name)
	}
	return d.files.Open(path.Clean(name))
}

// ofKernel tells files that pass for regular ones and whose text the kernel makes as they are read, such as /proc/kmsg, which waits for more.
func ofKernel(name string) bool {
	at, err := filepath.Abs(name)
	if err == nil {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			at = real
		}
	}
	return strings.HasPrefix(at, "/proc/") || strings.HasPrefix(at, "/sys/")
}

// source reads a header or source, with the name in its errors.
func (d folder) source(name string) ([]byte, error) {
	f, err := d.open(name)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxFileSize))
	return encoding.WithoutMark(text), err
}

// sources is the file system of the parser: the embedded headers, and regular files that are not too large.
type sources struct {
	files  folder
	read   func(name, text string) // is given the text of every file that is read
	refuse func(error)             // is given why a file must not be read
	empty  func(name string) bool  // whether a header that is nowhere is taken as one without text
}

// Open implements fs.FS; unlike there, name may be absolute or lead upwards.
func (s sources) Open(name string) (fs.File, error) {
	if rest, ok := strings.CutPrefix(name, headerDir+"/"); ok {
		if info, err := fs.Stat(headers, "headers/"+rest); err == nil && !info.IsDir() {
			return headers.Open("headers/" + rest)
		}
		if s.empty(rest) {
			return headers.Open("headers/" + emptyHeader)
		}
		return nil, fmt.Errorf("there is no header %s", rest)
	}
	f, err := s.files.open(name)
	if errors.As(err, new(*claims.ClashError)) {
		s.refuse(err)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, MaxFileSize))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	text := prepare(guarded(string(encoding.WithoutMark(b))))
	s.read(name, text)
	return &rewritten{strings.NewReader(marked(text)), info}, nil
}

// rewritten is a file that was read and rewritten.
type rewritten struct {
	*strings.Reader
	info fs.FileInfo
}

// Stat describes the file before it was rewritten.
func (m *rewritten) Stat() (fs.FileInfo, error) { return m.info, nil }

// Close does nothing.
func (m *rewritten) Close() error { return nil }
