package recording

import (
	"foresee/application/trace"
)

// Lines are what one thread touches, in order: a use of the same line as just before is only counted.
type Lines struct {
	Shift uint     // a line is an address without so many bits
	Lines []uint64 // found, after those that were there
	Last  uint64   // the line used last, plus one; 0: none
	Again int64    // uses of the line used just before
}

func (l *Lines) add(address uint64, size uint32) {
	line, end := address>>l.Shift, (address+uint64(size)-1)>>l.Shift
	for ; ; line++ {
		if line+1 == l.Last {
			l.Again++
		} else {
			l.Lines = append(l.Lines, line)
			l.Last = line + 1
		}
		if line == end {
			return
		}
	}
}

// ReadLines is Read for one thread, and faster: it adds lines until there are some thousands more, and gives the marks that come
// after them. It must not be mixed with Read between two marks.
func (t *Team) ReadLines(l *Lines) (marks []trace.Event, err error) {
	most := len(l.Lines) + manyLines
	for {
		if len(t.ready) > 0 {
			marks, t.ready = t.ready, nil
			return marks, nil
		}
		if t.err != nil {
			return nil, t.err
		}
		switch t.mode {
		case alone:
			t.linesAlone(l, most)
		default:
			t.err = t.step()
		}
		if len(l.Lines) >= most-2*bufferEvents {
			return nil, nil
		}
	}
}

const manyLines = 1 << 14

// Single says that ReadLines may be used: one thread, whose regions are parallel ones.
func (t *Team) Single() bool {
	return t.options.Threads == 1 && !t.options.ByFunction && t.mimic == nil
}

// linesAlone decodes the frame at hand.
func (t *Team) linesAlone(l *Lines, most int) {
	r := t.runners[0]
	if t.tls.bytes > 0 || len(r.piece.known)+len(r.piece.own) > 0 { // private data lie elsewhere
		if r.buffer == nil {
			r.buffer = make([]trace.Event, bufferEvents)
		}
		for len(l.Lines) < most-2*bufferEvents {
			n := r.decode(r.buffer)
			for _, e := range r.buffer[:n] {
				l.add(e.Address, e.Size)
			}
			if n == 0 {
				break
			}
		}
	} else {
		r.decoder.lines(l, most-mostBatch)
	}
	if r.decoder.failed != nil {
		t.err = &Error{t.records, typeEvents, r.decoder.failed.Error()}
		return
	}
	if r.decoder.idle() {
		t.mode = reading
	}
}

// lines decodes until there are so many lines, for some steps, or until nothing is left.
func (d *decoder) lines(l *Lines, most int) {
	var events [2 * mostBatch]trace.Event
	for steps := 0; len(l.Lines) < most && steps < mostSteps; steps++ {
		if d.block.left == 0 && d.run > 0 && d.runLines(l, most) {
			continue
		}
		n := 0
		if d.block.left > 0 {
			n = d.fillBlock(events[:])
		} else {
			segment, ok := d.step()
			if !ok {
				return
			}
			n = d.accesses(segment, events[:])
		}
		for i := range events[:n] {
			l.add(events[i].Address, events[i].Size)
		}
	}
}

// runLines decodes predicted segments without blocks; false where the next one is none.
func (d *decoder) runLines(l *Lines, most int) bool {
	out, last, again, shift := l.Lines, l.Last, l.Again, l.Shift
	some := false
	for steps := 0; d.run > 0 && len(out) < most && steps < mostSteps; steps++ {
		segment := d.predicted()
		if segment < 0 {
			break
		}
		s := &d.states[segment]
		if !s.plain {
			break
		}
		some = true
		times := uint64(1)
		switch {
		case s.next != segment || d.previous != segment:
		case len(s.slots) == 0:
			times = d.run
		default:
			times = min(d.run, manyLines)
		}
		slots := s.slots
		of := s.accesses[:len(slots)]
		done := uint64(0)
		for ; done < times && len(out) < most; done++ {
			for i := range slots {
				p := &slots[i]
				a := p.last + p.stride
				p.last = a
				if a-1 >= mostAddress {
					continue
				}
				line := a >> shift
				if line+1 == last {
					again++
				} else {
					out = append(out, line)
					last = line + 1
				}
				for end := (a + uint64(of[i].Size) - 1) >> shift; line != end; { // it straddles
					line++
					out = append(out, line)
					last = line + 1
				}
			}
			if len(slots) == 0 {
				done = times
				break
			}
		}
		d.run -= done
		d.counts[segment] += int64(done)
		d.previous = segment
	}
	l.Lines, l.Last, l.Again = out, last, again
	return some
}
