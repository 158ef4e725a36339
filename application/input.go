package application

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"foresee/application/recording"
	"foresee/application/sass"
	"foresee/application/trace"
	"foresee/internal/claims"
	"foresee/internal/encoding"
)

// beginning is how many bytes of an input tell what it is. Of a listing of GPU code it takes more: resources of many kernels may stand
// before the code.
const (
	beginning      = 16 << 10
	beginningOfGPU = 256 << 10
)

// elfMagic begins programs.
var elfMagic = []byte("\x7fELF")

// IsProgram says whether a file begins as programs do.
func IsProgram(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := claims.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, len(elfMagic))
	_, err = io.ReadFull(f, start)
	return err == nil && bytes.Equal(start, elfMagic)
}

// Input is an input of which the beginning was read, so that it is known what it is.
type Input struct {
	Name   string // as messages call it
	Path   string // as it was given; "-" is standard input
	Kind   Kind
	Format string // of a trace, where it was given
	// Compiled says of a program that it is a source, which is compiled first.
	Compiled bool

	file    *os.File // nil: standard input
	again   bool     // it can be read twice
	counted *counter
	reader  *bufio.Reader
}

// Told is what the user says of an input, which its content may not tell.
type Told struct {
	Run         bool   // a source is to be compiled and run
	TraceFormat string // the input is a trace of this format
}

// Find looks into an input; standard input stands for "-". Kind is Source where nothing speaks for another.
func Find(ctx context.Context, path string, stdin io.Reader, told Told) (*Input, error) {
	in := &Input{Name: path, Path: path, Format: told.TraceFormat, counted: &counter{}}
	if path == "-" {
		in.Name = "<stdin>"
		in.counted.r = Interruptible(ctx, stdin)
	} else if err := in.open(ctx); err != nil {
		return nil, err
	}
	in.reader = bufio.NewReaderSize(in.counted, beginningOfGPU)
	encoding.SkipMark(in.reader)
	start, _ := in.reader.Peek(beginning)
	if ctx.Err() != nil {
		in.Close()
		return nil, ctx.Err()
	}
	if in.Kind = told.kind(start); in.Kind == Source {
		start, _ = in.reader.Peek(beginningOfGPU)
		in.Kind = kindOfText(path, start)
	}
	in.Compiled = in.Kind == Program && !bytes.HasPrefix(start, elfMagic)
	if in.Kind == Program && path == "-" {
		in.Close()
		return nil, errors.New("<stdin>: programs and sources that are run are named by their files")
	}
	return in, nil
}

// Exists refuses an input that cannot be opened for what it is called.
func Exists(path string) error {
	if path == "-" {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file", path)
	case err != nil:
		return fmt.Errorf("%s: %w", path, cause(err))
	case info.IsDir():
		return fmt.Errorf("%s: is a directory; name a file in it", path)
	}
	return nil
}

// open opens the input and looks at its beginning.
func (in *Input) open(ctx context.Context) (err error) {
	if err := Exists(in.Path); err != nil {
		return err
	}
	if in.file, err = claims.Open(in.Path); err != nil {
		return fmt.Errorf("%s: %w", in.Path, cause(err))
	}
	info, err := in.file.Stat()
	if err != nil {
		in.file.Close()
		return fmt.Errorf("%s: %w", in.Path, cause(err))
	}
	in.counted.r, in.counted.size, in.again = in.file, info.Size(), info.Mode().IsRegular()
	if !in.again {
		in.counted.r = Interruptible(ctx, in.file)
	}
	return nil
}

// kind tells what an input is by its beginning, and by what was said of it.
func (told Told) kind(start []byte) Kind {
	switch {
	case told.TraceFormat != "":
		return Trace
	case recording.IsRecording(start):
		return Recording
	case told.Run, bytes.HasPrefix(start, elfMagic):
		return Program
	case trace.Detect(start) != "":
		return Trace
	case IsSaved(start):
		return Saved
	}
	return Source
}

// kindOfText tells what a text is that nothing else claims.
func kindOfText(path string, start []byte) Kind {
	switch {
	case sass.Detect(start):
		return Listing
	case isYAML(path):
		return Parameters
	case isModule(path, start):
		return Module
	}
	return Source
}

func isYAML(path string) bool {
	return strings.HasSuffix(path, ".yaml") || strings.HasSuffix(path, ".yml")
}

// Read gives the bytes of a listing or of parameters.
func (in *Input) Read(p []byte) (int, error) { return in.reader.Read(p) }

// Report has the share of the input that was read told, in parts of a total.
func (in *Input) Report(progress func(done, total int)) { in.counted.report = progress }

// Close closes the input.
func (in *Input) Close() {
	if in.file != nil {
		in.file.Close()
	}
}

// Compile takes a source as a program that is compiled and run.
func (in *Input) Compile() { in.Kind, in.Compiled = Program, true }

// cause leaves out the operation and the path, which the message has already.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// counter counts what is read.
type counter struct {
	r       io.Reader
	n, size int64
	report  func(done, total int)
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	if c.report != nil && c.size > 0 {
		c.report(int(c.n*1000/c.size), 1000)
	}
	return n, err
}

// Interruptible reads r until ctx is done, also while r has nothing to give.
func Interruptible(ctx context.Context, r io.Reader) io.Reader {
	p := &patient{ctx: ctx, asked: make(chan []byte), got: make(chan read)}
	go func() {
		for buffer := range p.asked {
			n, err := r.Read(buffer)
			p.got <- read{buffer[:n], err}
		}
	}()
	p.buffer = make([]byte, 256<<10)
	return p
}

// read is what came of a reading.
type read struct {
	data []byte
	err  error
}

// patient reads from what may never answer, such as a terminal, in a goroutine of its own, so that it can be given up.
type patient struct {
	ctx    context.Context
	asked  chan []byte
	got    chan read
	buffer []byte
	rest   []byte
	err    error
}

func (p *patient) Read(b []byte) (int, error) {
	if len(p.rest) == 0 && p.err == nil {
		p.asked <- p.buffer
		select {
		case r := <-p.got:
			if p.rest, p.err = r.data, r.err; p.ctx.Err() != nil {
				p.rest, p.err = nil, p.ctx.Err() // it may be a pipe that was given up
			}
		case <-p.ctx.Done():
			p.err = p.ctx.Err() // what is still being read is lost with the process
			return 0, p.err
		}
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	if len(p.rest) > 0 {
		return n, nil
	}
	return n, p.err
}
