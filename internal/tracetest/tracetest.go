// Package tracetest gives tests small traces in memory.
package tracetest

import (
	"errors"
	"io"

	"foresee/application/trace"
)

// Slice is a trace.Source of events that are in memory.
func Slice(events []trace.Event, names trace.Names) trace.Source { return &slice{events, names} }

type slice struct {
	events []trace.Event
	names  trace.Names
}

func (s *slice) Names() *trace.Names { return &s.names }

func (s *slice) Read(events []trace.Event) (int, error) {
	if len(s.events) == 0 && len(events) > 0 {
		return 0, io.EOF
	}
	n := copy(events, s.events)
	s.events = s.events[n:]
	return n, nil
}

// All gives every event of src, for traces that are known to be small.
func All(src trace.Source) ([]trace.Event, error) {
	var all []trace.Event
	events := make([]trace.Event, 1<<10)
	for {
		n, err := src.Read(events)
		all = append(all, events[:n]...)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
	}
}
