// Package claims opens what a command reads and remembers it, so that no result is written over an input, nor two results
// into one file.
//
// Readers of any package open files of users here, and what writes results claims their places here: whichever of the
// two comes second is refused. Files are told apart by what they are, not by their names: a symbolic link, a hard link
// and ./NAME are the same file. Devices and pipes are no files that could be lost, and are left out.
package claims

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// ClashError is a result that would take the place of an input or of another result.
type ClashError struct {
	Result, Other string // names, as they were given
	Input         bool   // Other is an input; else a result too
}

func (e *ClashError) Error() string {
	other := ""
	if e.Other != e.Result {
		other = " " + e.Other
	}
	if e.Input {
		return fmt.Sprintf("%s is the input%s; name another file for the result", e.Result, other)
	}
	if other != "" {
		return fmt.Sprintf("%s and%s are one file, which cannot hold two results; name another for one of them", e.Result, other)
	}
	return fmt.Sprintf("%s cannot hold two results; name another file for one of them", e.Result)
}

// claim is a place that a result will take.
type claim struct {
	name, place string
	info        os.FileInfo // of the file that is there; nil: none
}

// known are the files of the command that runs.
var known struct {
	sync.Mutex
	inputs map[string]os.FileInfo // by absolute path
	names  map[string]string      // as the user gave them
	claims []claim
	ctx    context.Context // of the command; nil: it does not end early
}

// Forget begins anew, for another command.
func Forget() {
	known.Lock()
	defer known.Unlock()
	known.inputs, known.names, known.claims, known.ctx = nil, nil, nil, nil
}

// Open opens a file for reading, as os.Open, and remembers it as an input. It waits for a pipe no longer than Until says.
func Open(name string) (*os.File, error) {
	f, err := openWaiting(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = Input(name, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// ReadFile reads a file, as os.ReadFile, and remembers it as an input.
func ReadFile(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// Input remembers a file that something else reads, such as a compiler or a program that is run. It is an error if a
// result is to take its place.
func Input(name string, info os.FileInfo) error {
	if info == nil || !info.Mode().IsRegular() {
		return nil
	}
	path := absolute(name)
	known.Lock()
	defer known.Unlock()
	if known.inputs == nil {
		known.inputs, known.names = map[string]os.FileInfo{}, map[string]string{}
	}
	known.inputs[path], known.names[path] = info, name
	for _, c := range known.claims {
		if c.holds(path, info) {
			return &ClashError{Result: c.name, Other: name, Input: true}
		}
	}
	return nil
}

// Claim takes the place, as its links lead there, for the result that the user calls name. It is refused where an input is, or
// another result is to be.
func Claim(name, place string) error {
	info, err := os.Stat(place)
	if err != nil {
		info = nil
	} else if !info.Mode().IsRegular() {
		return nil
	}
	return take(claim{name: name, place: absolute(place), info: info})
}

// CheckFolder says whether a folder can be replaced, with all that is in it: an input in it is an error.
func CheckFolder(name string) error {
	path, err := filepath.EvalSymlinks(absolute(name))
	if err != nil {
		return nil // there is nothing in it
	}
	path += string(filepath.Separator)
	known.Lock()
	defer known.Unlock()
	for input := range known.inputs {
		if strings.HasPrefix(input, path) {
			return &ClashError{Result: name, Other: known.names[input], Input: true}
		}
	}
	return nil
}

// ClaimOpen takes a file that is open for writing, such as standard output.
func ClaimOpen(name string, f *os.File) error {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return take(claim{name: name, place: name, info: info})
}

// Release gives back a place that was claimed.
func Release(place string) {
	known.Lock()
	defer known.Unlock()
	for i, c := range known.claims {
		if c.place == absolute(place) {
			known.claims = append(known.claims[:i], known.claims[i+1:]...)
			return
		}
	}
}

func take(c claim) error {
	known.Lock()
	defer known.Unlock()
	for path, info := range known.inputs {
		if c.holds(path, info) {
			return &ClashError{Result: c.name, Other: known.names[path], Input: true}
		}
	}
	for _, other := range known.claims {
		if c.place == other.place || c.info != nil && other.info != nil && os.SameFile(c.info, other.info) {
			return &ClashError{Result: c.name, Other: other.name}
		}
	}
	known.claims = append(known.claims, c)
	return nil
}

// holds says whether a result takes the place of this input.
func (c *claim) holds(path string, info os.FileInfo) bool {
	return c.place == path || c.info != nil && os.SameFile(c.info, info)
}

// absolute is the path of a file whose folder is free of links.
func absolute(name string) string {
	path, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(folder, filepath.Base(path))
	}
	return path
}
