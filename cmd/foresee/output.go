package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// file is a result on its way: it is written under another name and gets its own when it is complete.
type file struct {
	path string
	temp *os.File
	done bool
}

// createFile begins a file, so that a place that cannot be written is known before the work begins.
func createFile(path string) (*file, error) {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: is a directory; name a file in it", path)
	}
	if err == nil && !info.Mode().IsRegular() { // a device or pipe is written as it is
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, fmt.Errorf("%s: cannot write: %w", path, cause(err))
		}
		return &file{path: path, temp: f, done: true}, nil
	}
	for i := range 100 {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d-%d", filepath.Base(path), os.Getpid(), i))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: cannot write there: %w", path, cause(err))
		}
		return &file{path: path, temp: f}, nil
	}
	return nil, fmt.Errorf("%s: its folder is full of unfinished files; remove them", path)
}

// finish writes the content and gives the file its name.
func (f *file) finish(write func(io.Writer) error) error {
	err := errors.Join(write(f.temp), f.temp.Close())
	if err != nil {
		return fmt.Errorf("%s: cannot write: %w", f.path, err)
	}
	if f.done {
		return nil
	}
	if err := os.Rename(f.temp.Name(), f.path); err != nil {
		return fmt.Errorf("%s: cannot write: %w", f.path, err)
	}
	f.done = true
	return nil
}

// discard removes an unfinished file.
func (f *file) discard() {
	if f == nil || f.done {
		return
	}
	f.temp.Close()
	os.Remove(f.temp.Name())
}

// keepInput refuses to write a result over what it is made from.
func (c *common) keepInput(input string) error {
	from, err := os.Stat(input)
	if err != nil || !from.Mode().IsRegular() {
		return nil // whatever is wrong, reading it says so
	}
	for _, path := range []string{c.output, c.plot, c.html} {
		if to, err := os.Stat(path); err == nil && os.SameFile(from, to) {
			return usagef("%s is the input; name another file for the result", path)
		}
	}
	return nil
}

// outputs are the files that a command was asked for; nil ones were not.
type outputs struct{ result, plot, html *file }

func (c *common) open() (*outputs, error) {
	o := &outputs{}
	for _, f := range []struct {
		path string
		to   **file
	}{{c.output, &o.result}, {c.plot, &o.plot}, {c.html, &o.html}} {
		if f.path == "" {
			continue
		}
		created, err := createFile(f.path)
		if err != nil {
			o.discard()
			return nil, err
		}
		*f.to = created
	}
	return o, nil
}

func (o *outputs) discard() {
	o.result.discard()
	o.plot.discard()
	o.html.discard()
}

// writeResult writes to the file of -o, or to standard output.
func (o *outputs) writeResult(stdout io.Writer, write func(io.Writer) error) error {
	if o.result != nil {
		return o.result.finish(write)
	}
	if err := write(stdout); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}

// writePlot draws into the file of --plot.
func (o *outputs) writePlot(draw func(w io.Writer, format string) error) error {
	if o.plot == nil {
		return nil
	}
	format, err := pictureFormat(o.plot.path)
	if err != nil {
		return err
	}
	return o.plot.finish(func(w io.Writer) error { return draw(w, format) })
}
