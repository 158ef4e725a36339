package trace

import (
	"errors"
	"io"
)

// What Ahead keeps. Chosen: a batch is 128 KiB, which stays in a second level; a few even out what takes longer now and then.
const (
	aheadBatch   = 8192
	aheadBatches = 4
)

// Ahead reads a source in a goroutine of its own, some batches before they are asked for, so that reading and analysing go on at the same time.
// What it gives is what the source gives, in batches of the same length. It suits sources whose names only grow.
type Ahead struct {
	full  chan aheadRead
	free  chan []Event
	names Names // as they were when what was given last had been read
	given []Event
	rest  []Event // of given, for Read
	last  error
	quit  chan struct{}
	ended chan struct{}
}

// aheadRead is what came of one reading.
type aheadRead struct {
	buffer []Event
	n      int
	names  Names
	err    error
}

// NewAhead begins to read. Close must be called in the end; the source is not to be used before.
func NewAhead(src Source) *Ahead {
	a := &Ahead{
		full: make(chan aheadRead, aheadBatches), free: make(chan []Event, aheadBatches),
		quit: make(chan struct{}), ended: make(chan struct{}), names: *src.Names(),
	}
	for range aheadBatches {
		a.free <- make([]Event, aheadBatch)
	}
	go a.read(src)
	return a
}

// read reads until the source ends or Close is called. full has room for all buffers, so that sending never waits.
func (a *Ahead) read(src Source) {
	defer close(a.ended)
	for {
		select {
		case <-a.quit:
			return
		case buffer := <-a.free:
			n, err := src.Read(buffer)
			a.full <- aheadRead{buffer, n, *src.Names(), err}
			if err != nil {
				return
			}
		}
	}
}

// Next gives the next events, which stand until it is called again, as Source.Read does otherwise.
func (a *Ahead) Next() ([]Event, error) {
	if a.last != nil {
		return nil, a.last
	}
	if a.given != nil {
		a.free <- a.given
	}
	r := <-a.full
	a.given, a.names, a.last = r.buffer, r.names, r.err
	return r.buffer[:r.n], r.err
}

// Read implements Source.
func (a *Ahead) Read(events []Event) (int, error) {
	if len(a.rest) == 0 {
		var err error
		if a.rest, err = a.Next(); len(a.rest) == 0 {
			return 0, err
		}
	}
	n := copy(events, a.rest)
	a.rest = a.rest[n:]
	if len(a.rest) == 0 && a.last != nil && !errors.Is(a.last, io.EOF) {
		return n, a.last
	}
	return n, nil
}

// Names implements Source.
func (a *Ahead) Names() *Names { return &a.names }

// Close ends the reading and waits for it; then the source is free again.
func (a *Ahead) Close() {
	close(a.quit)
	<-a.ended
}
