package recording

import (
	"errors"
	"io"
	"sync"
)

// Fan hands the records of one source to n readers, each of which must be read, or closed, while the others are.
func Fan(src Source, n int) []*Branch {
	f := &fan{src: src}
	f.cond = sync.NewCond(&f.mutex)
	for range n {
		f.branches = append(f.branches, &Branch{fan: f})
	}
	return f.branches
}

// ahead is how many records the fastest reader may be before the slowest.
const ahead = 256

// fan gives the records of one source to several readers, none of which may be far ahead of another.
type fan struct {
	mutex    sync.Mutex
	cond     *sync.Cond
	src      Source
	branches []*Branch
	reading  bool
	err      error // how the source ended
}

// Branch is one reader of a Fan. It is a Source.
type Branch struct {
	fan    *fan
	queue  []*Record
	closed bool
}

// errClosed is given to a reader that was closed.
var errClosed = errors.New("recording: read after close")

// Next implements Source.
func (b *Branch) Next() (*Record, error) {
	f := b.fan
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for {
		switch {
		case b.closed:
			return nil, errClosed
		case len(b.queue) > 0:
			r := b.queue[0]
			b.queue = b.queue[1:]
			if len(b.queue) == ahead-1 {
				f.cond.Broadcast()
			}
			return r, nil
		case f.err != nil:
			return nil, f.err
		case f.reading || f.full():
			f.cond.Wait()
		default:
			f.read()
		}
	}
}

// full says whether a branch is as far behind as it may be.
func (f *fan) full() bool {
	for _, b := range f.branches {
		if len(b.queue) >= ahead {
			return true
		}
	}
	return false
}

// read takes the next record, without holding up readers that have some left.
func (f *fan) read() {
	f.reading = true
	f.mutex.Unlock()
	r, err := f.src.Next()
	f.mutex.Lock()
	f.reading = false
	if err != nil {
		f.err = err
	} else {
		for _, b := range f.branches {
			if !b.closed {
				b.queue = append(b.queue, r)
			}
		}
	}
	f.cond.Broadcast()
}

// Close says that no more is read here; the others go on.
func (b *Branch) Close() {
	b.fan.mutex.Lock()
	b.closed, b.queue = true, nil
	b.fan.cond.Broadcast()
	b.fan.mutex.Unlock()
}

// Drain reads a source to its end.
func Drain(src Source) error {
	for {
		if _, err := src.Next(); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}
