package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"foresee/application/trace"
	"foresee/predict"
)

// traceFlags say how a trace is read and analysed.
type traceFlags struct {
	traceFormat string
	partial     bool
}

func (t *traceFlags) add(f *pflag.FlagSet) {
	f.StringVar(&t.traceFormat, "trace-format", "", "of a trace: "+strings.Join(trace.Formats(), ", ")+" (default: told by the content)")
	f.BoolVar(&t.partial, "partial", false, "of a trace that is cut off or damaged, take what is whole")
}

func (t *traceFlags) check() error {
	if t.traceFormat == "" {
		return nil
	}
	return oneOf("--trace-format", t.traceFormat, trace.Formats()...)
}

// traceInput is a trace that is being read.
type traceInput struct {
	*trace.Reader
	name string
	file *os.File // nil: standard input
	read *counter
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

// detected is how much of an input tells whether it is a trace.
const detected = 16 << 10

// openTrace opens an input that is a trace; it gives nil for what is none, with nothing of it lost.
func (s *streams) openTrace(name string, t *traceFlags) (*traceInput, error) {
	in := &traceInput{name: name, read: &counter{}}
	if name == "-" {
		in.name = "<stdin>"
		in.read.r = s.in
	} else {
		info, err := os.Stat(name)
		if err != nil || info.IsDir() {
			return nil, nil // readInput says it
		}
		if in.file, err = os.Open(name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, cause(err))
		}
		in.read.r, in.read.size = in.file, info.Size()
	}
	buffered := bufio.NewReaderSize(in.read, detected)
	start, _ := buffered.Peek(detected)
	if t.traceFormat == "" && trace.Detect(start) == "" {
		if in.file != nil {
			in.file.Close()
		} else {
			s.in = buffered
		}
		return nil, nil
	}
	var err error
	in.Reader, err = trace.Open(buffered, trace.Options{Format: t.traceFormat, Partial: t.partial, SkipFetches: true})
	if err != nil {
		in.close()
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	return in, nil
}

func (t *traceInput) close() {
	if t.Reader != nil {
		t.Reader.Close()
	}
	if t.file != nil {
		t.file.Close()
	}
}

// threads reads the whole trace for the number of its threads.
func (t *traceInput) threads(ctx context.Context) (int, error) {
	threads := 1
	events := make([]trace.Event, 8192)
	for {
		n, err := t.Read(events)
		for _, e := range events[:n] {
			threads = max(threads, int(e.Thread)+1)
		}
		switch {
		case errors.Is(err, io.EOF):
			return threads, nil
		case err != nil:
			return 0, fmt.Errorf("%s: %w", t.name, err)
		case ctx.Err() != nil:
			return 0, ctx.Err()
		}
	}
}

// finish says what should be known of how the trace was read. failed is how its analysis ended.
func (t *traceInput) finish(s *streams, failed error) error {
	var wrong *trace.Error
	if errors.As(failed, &wrong) {
		return fmt.Errorf("%s: %w", t.name, failed)
	}
	if d := t.Damage(); d != nil {
		warn(s.err, "%s: %v", t.name, d)
	}
	if n := t.Ignored(); n > 0 {
		fmt.Fprintf(s.err, "foresee: %s: %d lines that are no accesses were left out\n", t.name, n)
	}
	return failed
}

// interrupted says whether a result of what was seen until an interruption is worth showing.
func (s *streams) interrupted(err error, accesses int64) bool {
	if !errors.Is(err, context.Canceled) || accesses == 0 {
		return false
	}
	warn(s.err, "interrupted: this is of the first %d accesses", accesses)
	return true
}

func curveAccesses(r *predict.CurveResult) (n int64) {
	for _, c := range r.Curves {
		n += c.Accesses
	}
	return n
}

func profileAccesses(r *predict.ProfileResult) (n int64) {
	for _, p := range r.Profiles {
		n += p.Accesses
	}
	return n
}
