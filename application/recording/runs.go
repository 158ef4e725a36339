package recording

import (
	"foresee/application/trace"
)

// Taker takes the accesses of one thread, in order.
type Taker interface {
	// AddRun takes accesses to from[i] + j·stride[i], of sizes[i] bytes, for j = 1 … times and, within each, for all i.
	// The slices are not to be kept.
	AddRun(from, stride []uint64, sizes []uint32, times int)
}

// ReadRuns is Read for one thread, and faster: accesses go to a taker, many at once where they move on evenly. It returns from time
// to time, at the latest with marks that come after what was taken. It must not be mixed with Read between two marks.
func (t *Team) ReadRuns(to Taker) (marks []trace.Event, err error) {
	for range runsAtOnce {
		if len(t.ready) > 0 {
			marks, t.ready = t.ready, nil
			return marks, nil
		}
		if t.err != nil {
			return nil, t.err
		}
		switch t.mode {
		case alone:
			t.takeAlone(to)
		default:
			t.err = t.step()
		}
	}
	return nil, nil
}

// runsAtOnce is the number of records that are read at once, or frames decoded.
const runsAtOnce = 16

// Single says that ReadRuns may be used: one thread, whose regions are parallel ones.
func (t *Team) Single() bool {
	return t.options.Threads == 1 && !t.options.ByFunction && t.mimic == nil
}

// takeAlone decodes the frame at hand.
func (t *Team) takeAlone(to Taker) {
	r := t.runners[0]
	if t.tls.bytes > 0 || !r.piece.known.empty() || !r.piece.own.empty() { // private data lie elsewhere
		if r.buffer == nil {
			r.buffer = make([]trace.Event, bufferEvents)
		}
		for n := -1; n != 0; {
			n = r.decode(r.buffer)
			r.decoder.single.give(r.buffer[:n], to)
		}
	} else {
		r.decoder.runs(to)
	}
	if r.decoder.failed != nil {
		t.err = &Error{t.records, typeEvents, r.decoder.failed.Error()}
		return
	}
	if r.decoder.idle() {
		t.mode = reading
	}
}

// single is a run of one.
type single struct {
	from, stride [mostBatch]uint64
	sizes        [mostBatch]uint32
}

// give hands accesses on, each as a run of one.
func (s *single) give(events []trace.Event, to Taker) {
	for len(events) > 0 {
		n := min(len(events), mostBatch)
		for i, e := range events[:n] {
			s.from[i], s.sizes[i] = e.Address, e.Size
		}
		to.AddRun(s.from[:n], s.stride[:n], s.sizes[:n], 1)
		events = events[n:]
	}
}

// runs decodes for some steps, or until nothing is left.
func (d *decoder) runs(to Taker) {
	var events [2 * mostBatch]trace.Event
	for range mostSteps {
		if d.run > 0 && !d.copying() {
			if s, times := d.repeats(); s != nil {
				times = min(times, mostTimes)
				d.skip(times)
				d.giveRun(s, times, to)
				continue
			}
		}
		n := 0
		if d.copying() {
			n = d.fillBlock(events[:])
		} else {
			segment, ok := d.step()
			if !ok {
				return
			}
			if s := &d.states[segment]; s.plain && s.all() {
				to.AddRun(s.last, d.single.stride[:len(s.last)], s.sizes, 1)
				continue
			}
			n = d.accesses(segment, events[:])
		}
		d.single.give(events[:n], to)
	}
}

// What a run may be; longer ones are given in pieces. Chosen: sums of addresses stay within 64 bits.
const (
	mostTimes  = 1 << 20 // accesses
	mostStride = 1 << 40 // bytes
)

// giveRun gives a segment so many times over.
func (d *decoder) giveRun(s *state, times uint64, to Taker) {
	if s.even(times) {
		to.AddRun(s.last, s.stride, s.sizes, int(times))
		for i := range s.last {
			s.last[i] += times * s.stride[i]
		}
		return
	}
	for range times {
		n := 0
		for i := range s.last {
			a := s.last[i] + s.stride[i]
			s.last[i] = a
			d.single.from[n], d.single.sizes[n] = a, s.sizes[i]
			if a-1 < mostAddress {
				n++
			}
		}
		to.AddRun(d.single.from[:n], d.single.stride[:n], d.single.sizes[:n], 1)
	}
}

// all says that all of its words were accesses.
func (s *state) all() bool {
	for _, a := range s.last {
		if a-1 >= mostAddress {
			return false
		}
	}
	return true
}

// even says that all of its words are accesses all the time.
func (s *state) even(times uint64) bool {
	for i, a := range s.last {
		stride := s.stride[i]
		if stride+mostStride > 2*mostStride || a+stride-1 >= mostAddress || a+times*stride-1 >= mostAddress {
			return false
		}
	}
	return true
}
