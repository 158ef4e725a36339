package application

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"foresee/application/recording"
	"foresee/application/trace"
)

// events are accesses in the order in which they were made, by the threads that made them. They implement Streams and Team.
type events struct{ trace.Source }

// Dealable implements Streams.
func (e *events) Dealable() bool { return false }

// OneByOne implements Streams.
func (e *events) OneByOne() bool { return false }

// Each implements Streams: the threads are those of the trace, whatever is asked for.
func (e *events) Each(ctx context.Context, _ Dealing, threads []int, f func(context.Context, int, Team, int) error) error {
	if len(threads) > 1 {
		return errors.New("a trace is of its own number of threads")
	}
	if t, ok := e.Source.(*traceFile); ok && t.in.again && runtime.GOMAXPROCS(0) > 1 {
		ahead := trace.NewAhead(t)
		defer ahead.Close() // at once: what reads a file does not wait for anyone
		return f(ctx, 0, &eventsAhead{events{ahead}, ahead}, 0)
	}
	return f(ctx, 0, e, 0)
}

// eventsAhead are events that are read while those before them are analysed.
type eventsAhead struct {
	events
	ahead *trace.Ahead
}

// Next gives the next events, as those of trace.Ahead.
func (e *eventsAhead) Next() ([]trace.Event, error) { return e.ahead.Next() }

// Ran implements Team.
func (e *events) Ran() *recording.Team { return nil }

// Mixed implements Team.
func (e *events) Mixed() (dealt, interleave string) { return "", "" }

// Notes implements Team.
func (e *events) Notes() []string { return nil }

// traceFile is a trace that is read from an input, once, or again where it is a file.
type traceFile struct {
	in      *Input
	partial bool
	reader  *trace.Reader
	// accesses counts what was read.
	accesses int64
}

// trace opens a trace.
func (in *Input) trace(partial bool) (*Signature, *traceFile, error) {
	t := &traceFile{in: in, partial: partial}
	err := t.begin()
	return OfTrace(in.Name, t), t, err
}

// begin opens the trace at the beginning of the file.
func (t *traceFile) begin() (err error) {
	t.reader, err = trace.Open(t.in.reader, trace.Options{Format: t.in.Format, Partial: t.partial, SkipFetches: true})
	if err != nil {
		return fmt.Errorf("%s: %w", t.in.Name, err)
	}
	return nil
}

// Threads reads the whole trace for the number of its threads, and begins anew; 0 where it can be read only once.
func (t *traceFile) Threads(ctx context.Context) (int, error) {
	if !t.in.again {
		return 0, nil
	}
	threads := 1
	events := make([]trace.Event, 8192)
	for {
		n, err := t.reader.Read(events)
		for _, e := range events[:n] {
			threads = max(threads, int(e.Thread)+1)
		}
		switch {
		case errors.Is(err, io.EOF):
			return threads, t.rewind()
		case err != nil:
			return 0, fmt.Errorf("%s: %w", t.in.Name, err)
		case ctx.Err() != nil:
			return 0, ctx.Err()
		}
	}
}

// rewind begins the file anew, to be read a second time.
func (t *traceFile) rewind() error {
	t.reader.Close()
	if _, err := t.in.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("%s: %w", t.in.Name, cause(err))
	}
	t.in.counted.n = 0
	t.in.reader.Reset(t.in.counted)
	return t.begin()
}

// finish says how reading ended; failed is how the analysis did.
func (t *traceFile) finish(failed error) (Ending, error) {
	var out Ending
	if errors.Is(failed, context.Canceled) {
		return out, failed
	}
	if wrong := (*trace.Error)(nil); errors.As(failed, &wrong) {
		return out, fmt.Errorf("%s: %w", t.in.Name, failed)
	}
	if n := t.reader.Ignored(); n > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%s: %d lines are not accesses and were left out", t.in.Name, n))
	}
	if damage := t.reader.Damage(); damage != nil {
		out.Missing = fmt.Sprintf("%s: %s; what is whole before it was taken", t.in.Name, withoutRemedy(damage))
	}
	if failed == nil && t.accesses == 0 {
		return out, fmt.Errorf("%s: a trace (%s) without loads and stores; instruction fetches are not analysed", t.in.Name, t.reader.Format())
	}
	return out, failed
}

// withoutRemedy is what is wrong with a trace, without what could be done about it: it was done.
func withoutRemedy(damage error) string {
	if e := (*trace.Error)(nil); errors.As(damage, &e) {
		bare := *e
		bare.Remedy = ""
		return bare.Error()
	}
	return damage.Error()
}

func (t *traceFile) close() {
	if t.reader != nil {
		t.reader.Close()
	}
}

// Read implements trace.Source, and counts loads and stores.
func (t *traceFile) Read(events []trace.Event) (int, error) {
	n, err := t.reader.Read(events)
	for i := range events[:n] {
		if events[i].IsAccess() {
			t.accesses++
		}
	}
	return n, err
}

// Names implements trace.Source.
func (t *traceFile) Names() *trace.Names { return t.reader.Names() }
