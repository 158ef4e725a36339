package main

import (
	"errors"
	"io"
	"io/fs"

	"foresee/internal/output"
	"foresee/internal/terminal"
)

// cause leaves out the operation and the path, which the message has already.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// outputs are the files that a command was asked for; nil ones were not.
type outputs struct{ result, plot, html *output.File }

func (c *common) open() (*outputs, error) {
	o := &outputs{}
	for _, f := range []struct {
		path string
		to   **output.File
	}{{c.output, &o.result}, {c.plot, &o.plot}, {c.html, &o.html}} {
		if f.path == "" {
			continue
		}
		created, err := output.Create(f.path)
		if err != nil {
			o.discard()
			return nil, err
		}
		*f.to = created
	}
	return o, nil
}

func (o *outputs) discard() {
	if o == nil {
		return
	}
	o.result.Discard()
	o.plot.Discard()
	o.html.Discard()
}

// areParts says that what follows is of a part of the run, and where to say what becomes of it.
func (o *outputs) areParts(stderr io.Writer) {
	for _, f := range []*output.File{o.result, o.plot, o.html} {
		if f != nil {
			f.IsPart(stderr)
		}
	}
}

// writeResult writes text to the file of -o, or to standard output.
func (o *outputs) writeResult(stdout io.Writer, write func(io.Writer) error) error {
	if o.result != nil {
		return o.result.Finish(terminal.AsText(write))
	}
	return write(stdout)
}

// writePlot draws into the file of --plot.
func (o *outputs) writePlot(draw func(w io.Writer, format string) error) error {
	if o.plot == nil {
		return nil
	}
	return writePicture(o.plot, draw)
}

func writePicture(f *output.File, draw func(w io.Writer, format string) error) error {
	format, err := pictureFormat(f.Path())
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { return draw(w, format) }
	if format == "svg" {
		write = terminal.AsText(write)
	}
	return f.Finish(write)
}

// writePage writes the page of --html.
func (o *outputs) writePage(write func(io.Writer) error) error {
	if o.html == nil {
		return nil
	}
	return o.html.Finish(terminal.AsText(write))
}
