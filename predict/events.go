package predict

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"foresee/application"
	"foresee/application/nest"
	"foresee/application/trace"
)

// eventBatch is how many events are handed on at once. Chosen: 128 KiB of them, so that they stay in a second level.
const eventBatch = 8192

// ahead is a source that reads before it is asked, and hands on what it has read as it is.
type ahead interface {
	Next() ([]trace.Event, error)
}

// eachEvent calls f with all events of a source, until f or the source fails or ctx is done.
func eachEvent(ctx context.Context, src trace.Source, f func([]trace.Event) error) error {
	var next func() ([]trace.Event, error)
	if a, ok := src.(ahead); ok {
		next = a.Next
	} else {
		buffer := make([]trace.Event, eventBatch)
		next = func() ([]trace.Event, error) {
			n, err := src.Read(buffer)
			return buffer[:n], err
		}
	}
	for {
		events, err := next()
		if len(events) > 0 {
			if err := f(events); err != nil {
				return err
			}
		}
		if over, err := ended(ctx, err); over {
			return err
		}
	}
}

// ended says whether a source has no more, failed, or nobody waits for more, and gives the error of it.
func ended(ctx context.Context, err error) (over bool, failed error) {
	if errors.Is(err, io.EOF) {
		return true, nil
	}
	failed = cmp.Or(err, ctx.Err())
	return failed != nil, failed
}

// enumerate gives every access of a program's shared stream, walked by each, as an event. Addresses are those of nest.Stream.Address;
// an access stands for the line that it is to.
func enumerate(ctx context.Context, s *nest.Stream, each func(func(nest.Place) bool), progress func(part float64), f func([]trace.Event) error) error {
	if s.Len() > mostEnumerated {
		return TooManyAccesses(s.Len())
	}
	e := &enumeration{stream: s, line: uint64(s.Options().Line), kinds: make([]trace.Kind, s.References())}
	for i := range e.kinds {
		if s.Reference(i).Write {
			e.kinds[i] = trace.Write
		}
	}
	var failed error
	each(func(p nest.Place) bool {
		if !e.add(p) {
			return true
		}
		progress(float64(p.Position) / float64(s.Len()))
		failed = cmp.Or(e.hand(f), ctx.Err())
		return failed == nil
	})
	return cmp.Or(failed, e.hand(f))
}

// mostEnumerated is how many accesses are walked one by one. Chosen: some hours' work.
const mostEnumerated = 1_000_000_000_000

// TooManyAccesses is the error of a region whose accesses would have to be walked one by one, and are so many.
type TooManyAccesses int64

func (n TooManyAccesses) Error() string {
	return fmt.Sprintf("makes %.2g accesses; up to %.0g can be walked one by one: take a smaller problem, or a method that samples", float64(n), float64(mostEnumerated))
}

// inRegion adds to an error the region and where it begins, unless the error begins with a place in the same file.
func inRegion(p *nest.Program, err error) error {
	switch {
	case p.Pos.File == "":
		return fmt.Errorf("%s: %w", p.Region, err)
	case strings.HasPrefix(err.Error(), p.Pos.File+":"):
		return err
	}
	return fmt.Errorf("%s: %s: %w", p.Pos, p.Region, err)
}

// enumeration gathers the places of a stream as events.
type enumeration struct {
	stream *nest.Stream
	line   uint64
	kinds  []trace.Kind // by reference
	events [eventBatch]trace.Event
	n      int
}

// add says whether there is no more room.
func (e *enumeration) add(p nest.Place) bool {
	e.events[e.n%eventBatch] = trace.Event{
		Address: uint64(e.stream.Address(p)) * e.line, Size: 1, Thread: uint16(max(p.Thread, 0)), Kind: e.kinds[p.Reference],
	}
	e.n++
	return e.n == eventBatch
}

// hand gives away the events that are gathered.
func (e *enumeration) hand(f func([]trace.Event) error) error {
	n := e.n
	e.n = 0
	if n == 0 {
		return nil
	}
	return f(e.events[:n])
}

// take takes all events of a team; said is how many threads a trace is said to have, 0 where that is not said.
func (l *locality) take(ctx context.Context, t application.Team, said int) error {
	if ran := t.Ran(); ran != nil {
		return l.team(ctx, ran)
	}
	return eachEvent(ctx, t, func(events []trace.Event) error {
		if err := l.add(events); err != nil {
			return err
		}
		if seen := l.threads(); said > 0 && seen > said {
			return &ThreadError{Thread: seen - 1, Threads: said}
		}
		return nil
	})
}

func (j *job) warn(w string) {
	if !slices.Contains(j.warnings, w) {
		j.warnings = append(j.warnings, w)
	}
}
