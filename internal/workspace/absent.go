//go:build !linux

package workspace

import (
	"errors"
	"os"
)

// ErrNone says that the system has no folders, as in a browser. What needs one, such as a compiler that is run, cannot be had there either.
var ErrNone = errors.New("there are no folders to work in here")

// Folder is a folder that only this user can enter.
type Folder struct{ Path string }

// New gives no folder.
func New(string) (*Folder, error) { return nil, ErrNone }

// Beside gives no folder.
func Beside(_, _ string) (*Folder, error) { return nil, ErrNone }

// File gives no file.
func File() (*os.File, error) { return nil, ErrNone }

// Remove does nothing.
func (f *Folder) Remove() error { return nil }

// Become fails.
func (f *Folder) Become(string) error { return ErrNone }

// Executable fails.
func (f *Folder) Executable() error { return ErrNone }

// Cause gives the error.
func (f *Folder) Cause(err error) error { return err }

// Executable fails.
func Executable(string) error { return ErrNone }

// Kept is a folder of what was compiled once.
type Kept struct{ Dir, Unkept string }

// Keep gives no folder.
func Keep(string, func(dir string) error) (*Kept, error) { return nil, ErrNone }

// Close does nothing.
func (k *Kept) Close() error { return nil }

// FullError is a disk without room.
type FullError struct {
	Dir         string
	Free, Total uint64
	Files       bool
}

func (e *FullError) Error() string { return ErrNone.Error() }

// Full knows of no disk.
func Full(error, string, ...string) *FullError { return nil }
