package cli

import (
	"errors"
	"io"
	"io/fs"

	"foresee/internal/output"
	"foresee/internal/terminal"
)

// Cause leaves out the operation and the path, which the message has already.
func Cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// Outputs are the files that a command was asked for; nil ones were not.
type Outputs struct{ Result, plot, HTML *output.File }

// Open begins the files that were asked for.
func (c *Common) Open() (*Outputs, error) {
	o := &Outputs{}
	for _, f := range []struct {
		path string
		to   **output.File
	}{{c.Output, &o.Result}, {c.Plot, &o.plot}, {c.HTML, &o.HTML}} {
		if f.path == "" {
			continue
		}
		created, err := output.Create(f.path)
		if err != nil {
			o.Discard()
			return nil, err
		}
		*f.to = created
	}
	return o, nil
}

// Discard removes what was begun and is not finished.
func (o *Outputs) Discard() {
	if o == nil {
		return
	}
	o.Result.Discard()
	o.plot.Discard()
	o.HTML.Discard()
}

// AreParts says that what follows is of a part of the run, and where to say what becomes of it.
func (o *Outputs) AreParts(stderr io.Writer) {
	for _, f := range []*output.File{o.Result, o.plot, o.HTML} {
		if f != nil {
			f.IsPart(stderr)
		}
	}
}

// WriteResult writes text to the file of -o, or to standard output.
func (o *Outputs) WriteResult(stdout io.Writer, write func(io.Writer) error) error {
	if o.Result != nil {
		return o.Result.Finish(terminal.AsText(write))
	}
	return write(stdout)
}

// WritePlot draws into the file of --plot.
func (o *Outputs) WritePlot(draw func(w io.Writer, format string) error) error {
	if o.plot == nil {
		return nil
	}
	return WritePicture(o.plot, draw)
}

// WritePicture draws into a file in the format that its name asks for.
func WritePicture(f *output.File, draw func(w io.Writer, format string) error) error {
	format, err := PictureFormat(f.Path())
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { return draw(w, format) }
	if format == "svg" {
		write = terminal.AsText(write)
	}
	return f.Finish(write)
}

// WritePage writes the page of --html.
func (o *Outputs) WritePage(write func(io.Writer) error) error {
	if o.HTML == nil {
		return nil
	}
	return o.HTML.Finish(terminal.AsText(write))
}
