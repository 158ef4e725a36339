package predict

import (
	"context"
	"errors"
	"io"

	"foresee/application/nest"
	"foresee/application/trace"
)

// eventBatch is how many events are handed on at once.
const eventBatch = 8192

// eachEvent calls f with all events of a source, until f or the source fails or ctx is done.
func eachEvent(ctx context.Context, src trace.Source, f func([]trace.Event) error) error {
	events := make([]trace.Event, eventBatch)
	for {
		n, err := src.Read(events)
		if n > 0 {
			if err := f(events[:n]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
}

// enumerate gives every access of a program's shared stream as an event. Addresses are those of nest.Stream.Address;
// an access stands for the line that it is to.
func enumerate(ctx context.Context, s *nest.Stream, progress func(part float64), f func([]trace.Event) error) error {
	events := make([]trace.Event, 0, eventBatch)
	var failed error
	hand := func() bool {
		if failed = f(events); failed == nil {
			failed = ctx.Err()
		}
		events = events[:0]
		return failed == nil
	}
	line := uint64(s.Options().Line)
	s.Each(func(p nest.Place) bool {
		kind := trace.Read
		if s.Reference(p.Reference).Write {
			kind = trace.Write
		}
		events = append(events, trace.Event{
			Address: uint64(s.Address(p)) * line, Size: 1, Thread: uint16(max(p.Thread, 0)), Kind: kind,
		})
		if len(events) < eventBatch {
			return true
		}
		progress(float64(p.Position) / float64(s.Len()))
		return hand()
	})
	if failed == nil && len(events) > 0 {
		hand()
	}
	return failed
}
