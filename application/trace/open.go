package trace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"foresee/internal/encoding"
)

// Options say how Open reads a trace.
type Options struct {
	Format      string // one of Formats; empty to tell it by the content
	Partial     bool   // of a trace that is cut off or damaged, take what is whole, and say so in Reader.Damage
	SkipFetches bool   // leave out instruction fetches
}

// Reader reads a trace of any format. It is a Source.
type Reader struct {
	format  string
	source  source
	partial bool
	failed  error
	damage  error
	close   []func()
}

// source is what the formats implement. Unlike a Source, it may give its last events together with io.EOF.
type source interface {
	Source
	meta() map[string]string
	ignored() int64
	close()
}

// window is how much of a trace tells its format.
const window = 16 << 10

// maxWindow bounds the memory for a zstd container; it is what zstd --long writes.
const maxWindow = 128 << 20

// Open begins to read a trace, which gzip or zstd may have compressed. It does not close r.
func Open(r io.Reader, o Options) (*Reader, error) {
	t := &Reader{format: o.Format, partial: o.Partial}
	buffered := bufio.NewReaderSize(r, window)
	for range 2 {
		inner, err := t.decompress(buffered)
		if err != nil {
			t.Close()
			return nil, &Error{Cause: "cannot decompress the trace", Err: err}
		}
		if inner == nil {
			break
		}
		buffered = bufio.NewReaderSize(inner, window)
	}
	encoding.SkipMark(buffered)
	start, failed := buffered.Peek(window)
	if t.format == "" {
		t.format = detect(start)
	}
	err := t.open(buffered, o, start, failed)
	if err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// decompress gives what is in a container, nil where there is none.
func (t *Reader) decompress(r *bufio.Reader) (io.Reader, error) {
	start, _ := r.Peek(containerStart)
	switch container(start) {
	case "gzip":
		z, err := gzip.NewReader(r)
		return z, err
	case "zstd":
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		t.close = append(t.close, z.Close)
		return z, nil
	}
	return nil, nil
}

// open makes the source of the format.
func (t *Reader) open(r io.Reader, o Options, start []byte, failed error) error {
	state := lineState{skipFetches: o.SkipFetches}
	var p parser
	switch t.format {
	case "native":
		n, err := newNative(r, o.SkipFetches)
		if err != nil {
			return err
		}
		t.source = n
		t.close = append(t.close, n.close)
		return nil
	case "text":
		p = &text{lineState: state}
	case "lackey":
		p = &lackey{lineState: state}
	case "drmemtrace":
		p = &drmemtrace{lineState: state}
	case "din":
		p = &din{state}
	case "xdin":
		p = &xdin{state}
	case "":
		return unknown(start, failed)
	default:
		return fmt.Errorf("the trace format %q is unknown; known are %s", t.format, list(Formats()))
	}
	t.source = newLines(t.format, p, r)
	return nil
}

// unknown is the error for a trace of no format.
func unknown(start []byte, failed error) error {
	e := &Error{Offset: -1, Cause: "this is no trace of a known format", Remedy: "name its format if it is one of " + list(Formats())}
	switch {
	case failed != nil && !errors.Is(failed, io.EOF):
		e.Cause, e.Err, e.Remedy = "cannot read the trace", failed, ""
	case len(start) == 0:
		e.Cause, e.Remedy = "the trace is empty", ""
	}
	return e
}

func list(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Read implements Source.
func (t *Reader) Read(events []Event) (int, error) {
	if t.failed != nil {
		return 0, t.failed
	}
	n, err := t.source.Read(events)
	if err != nil && !errors.Is(err, io.EOF) && t.partial {
		t.damage = err
		err = io.EOF
	}
	t.failed = err
	if n > 0 && errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// Names implements Source.
func (t *Reader) Names() *Names { return t.source.Names() }

// Format is one of Formats.
func (t *Reader) Format() string { return t.format }

// Meta is what the trace says of itself, such as the command line; nil where it says nothing.
func (t *Reader) Meta() map[string]string { return t.source.meta() }

// Ignored is how many lines so far were neither an access nor anything else that foresee takes, in formats in which
// such lines are usual.
func (t *Reader) Ignored() int64 { return t.source.ignored() }

// Damage says why the trace ended early, with Options.Partial; nil where it did not.
func (t *Reader) Damage() error { return t.damage }

// Close frees what Open took. It does not close the reader below.
func (t *Reader) Close() error {
	for _, f := range t.close {
		f()
	}
	t.close = nil
	return nil
}
