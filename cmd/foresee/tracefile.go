package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"foresee/application/trace"
	"foresee/files"
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

// onlyTraces refuses flags that mean nothing for a C source.
func (t *traceFlags) onlyTraces() error {
	if t.partial {
		return usagef("--partial is for traces, and this is none; --trace-format names the format of one that is not told by its content")
	}
	return nil
}

// traceInput is a trace that is being read.
type traceInput struct {
	*trace.Reader
	name    string
	file    *os.File // nil: standard input
	regular bool     // can be read twice
	read    *counter
	// accesses counts what was read.
	accesses int64
}

// Read counts loads and stores.
func (t *traceInput) Read(events []trace.Event) (int, error) {
	n, err := t.Reader.Read(events)
	for i := range events[:n] {
		if events[i].IsAccess() {
			t.accesses++
		}
	}
	return n, err
}

// interruptible reads r until ctx is done, also while r has nothing to give.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
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

type read struct {
	data []byte
	err  error
}

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
			p.rest, p.err = r.data, r.err
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
func (s *streams) openTrace(ctx context.Context, name string, t *traceFlags) (*traceInput, error) {
	in := &traceInput{name: name, read: &counter{}}
	if name == "-" {
		in.name = "<stdin>"
		in.read.r = interruptible(ctx, s.in)
	} else {
		info, err := os.Stat(name)
		if err != nil || info.IsDir() {
			return nil, nil // readInput says it
		}
		if in.file, err = files.Open(name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, cause(err))
		}
		in.read.r, in.read.size = in.file, info.Size()
		if in.regular = info.Mode().IsRegular(); !in.regular {
			in.read.r = interruptible(ctx, in.file)
		}
	}
	buffered := bufio.NewReaderSize(in.read, detected)
	start, _ := buffered.Peek(detected)
	if ctx.Err() != nil {
		in.close()
		return nil, ctx.Err()
	}
	if t.traceFormat == "" && trace.Detect(start) == "" {
		if in.file != nil && in.regular {
			in.file.Close()
		} else {
			s.rest = buffered // cannot be read again
		}
		return nil, t.onlyTraces()
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
	if errors.Is(failed, context.Canceled) {
		return failed
	}
	var wrong *trace.Error
	if errors.As(failed, &wrong) {
		return fmt.Errorf("%s: %w", t.name, failed)
	}
	if n := t.Ignored(); n > 0 {
		fmt.Fprintf(s.err, "foresee: %s: %d lines are not accesses and were left out\n", t.name, n)
	}
	if failed == nil && t.accesses == 0 {
		return fmt.Errorf("%s: a trace (%s) without loads and stores; instruction fetches are not analysed", t.name, t.Format())
	}
	return failed
}

// damage says what of the trace was not taken, "" if all was.
func (t *traceInput) damage() string {
	if t == nil || t.Damage() == nil {
		return ""
	}
	message, _, _ := strings.Cut(t.Damage().Error(), "; use --partial")
	return fmt.Sprintf("%s: %s; what is whole before it was taken", t.name, message)
}

// ofRegions keeps those of the regions that are named, in all if none is.
func ofRegions[T any](names []string, all []T, region func(T) string) ([]T, error) {
	if len(names) == 0 {
		return all, nil
	}
	var kept []T
	var known []string
	for _, x := range all {
		if !slices.Contains(known, region(x)) {
			known = append(known, region(x))
		}
		if slices.Contains(names, region(x)) {
			kept = append(kept, x)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("there is no region %s; there are: %s", name, strings.Join(known, ", "))
		}
	}
	return kept, nil
}

// onlySources refuses flags that mean nothing for a trace.
func (c *common) onlySources() error {
	for _, f := range []struct {
		name string
		set  bool
	}{{"-D", len(c.defines) > 0}, {"-I", len(c.includes) > 0}, {"--by", c.by != "function"}, {"--samples", c.samples != 0}} {
		if f.set {
			return usagef("%s is for C sources, and this is a trace", f.name)
		}
	}
	return nil
}

// keeps says whether results are shown although the run did not go to its end.
func (s *streams) keeps(err error, accesses int64, warnings *[]string) bool {
	return s.interrupted(err, accesses, warnings) || errors.As(err, new(programError)) && accesses > 0
}

// interrupted says whether a result of what was seen until an interruption is worth showing.
func (s *streams) interrupted(err error, accesses int64, warnings *[]string) bool {
	if !errors.Is(err, context.Canceled) || accesses == 0 {
		return false
	}
	*warnings = append(*warnings, fmt.Sprintf("interrupted: this is of the first %d accesses", accesses))
	return true
}

// endedEarly says whether a run was ended before it came to its end.
func endedEarly(err error) bool {
	var program programError
	return errors.Is(err, context.Canceled) || errors.As(err, &program) && program.early
}

// settle marks a result that is of a part: of a run that ended early, whose files then get names of their own, or of a damaged
// input, as the user asked. failed is how the run ended.
func (s *streams) settle(out *outputs, failed error, damage string, partial *bool, warnings *[]string) {
	if damage != "" {
		*partial = true
		*warnings = append(*warnings, damage)
	}
	if !endedEarly(failed) {
		return
	}
	*partial = true
	out.areParts(s.err)
	if !errors.Is(failed, context.Canceled) {
		*warnings = append(*warnings, failed.Error())
	}
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
