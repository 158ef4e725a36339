package recording

import (
	"encoding/binary"
	"errors"
	"math"

	"foresee/application/trace"
)

// Tokens of encoded events.
const (
	tokenRun       = iota // the next value segments are as predicted
	tokenSite             // segment value, with its words as predicted
	tokenAddresses        // the predicted segment; value says which of its words are not as predicted
	tokenBoth             // segment value; which of its words are not as predicted, unless it is its first time in the piece
)

// mostRun is above what a program can do between two records, in words or segments: days, recorded.
const mostRun = 1 << 44

var errEvents = errors.New("damaged events")

// state is what a decoder knows of a segment. It predicts that each word moves on by its stride.
type state struct {
	generation   uint32
	chunk        chunkID // in which it ran last
	next         int32
	known, plain bool // plain: no blocks, and everybody runs it
	last, stride []uint64
	sizes        []uint32
	kinds        []trace.Kind
}

// decoder turns encoded events of one thread into accesses. Code may grow while it works.
type decoder struct {
	code       *Code
	states     []state
	generation uint32
	start      int32 // what follows the beginning of the piece; −1: nothing yet
	previous   int32 // −1: the beginning
	anchor     uint64
	data       []byte
	run        uint64
	counts     []int64 // executions by segment, since the last collect
	dealt      []Dealt // by segment, likewise
	chunk      chunkID // that the piece is of
	iterations int64   // of that chunk; 0: the piece is none, or others count it
	block      blockCopy
	earlier    []blockCopy // of the same segment, as far as they are not given
	values     [64]uint64  // of the segment that ran last
	notLast    bool        // another thread runs what is for that of the last iteration
	failed     error
	single     single
	lines      *lineRun // nil: all accesses are given
	follower   Follower
	region     *int // that runs, for the follower
}

func newDecoder(c *Code, region *int) *decoder { return &decoder{code: c, region: region} }

// begin forgets predictions: a new piece begins.
func (d *decoder) begin() {
	d.generation++
	d.start, d.previous, d.anchor = -1, -1, 0
	d.data, d.run = nil, 0
}

// feed gives the next events of the piece, without the count in front of them.
func (d *decoder) feed(data []byte) { d.data = data }

// idle says that all that was fed is decoded.
func (d *decoder) idle() bool {
	return len(d.data) == 0 && d.run == 0 && !d.copying() && !d.leaving()
}

// leaving says that a segment runs many times over, of which accesses are left out.
func (d *decoder) leaving() bool { return d.lines != nil && d.lines.going() }

// leave lets the predicted segment run as often as it does in a row, if accesses of it can be left out. It gives how often that is; 0: it cannot.
func (d *decoder) leave() uint64 {
	if d.lines == nil || d.run <= fewRuns {
		return 0
	}
	s, times := d.repeats()
	if s == nil || times <= fewRuns || !s.even(times) {
		return 0
	}
	d.lines.begin(s, times)
	d.skip(times)
	for i := range s.last {
		s.last[i] += times * s.stride[i]
	}
	return times
}

// touch makes sure that the state of a segment is there and of this piece.
func (d *decoder) touch(segment int32) (s *state, first bool) {
	if int(segment) >= len(d.states) {
		n := len(d.code.Segments)
		d.states = append(d.states, make([]state, n-len(d.states))...)
		d.counts = append(d.counts, make([]int64, n-len(d.counts))...)
		d.dealt = append(d.dealt, make([]Dealt, n-len(d.dealt))...)
	}
	s = &d.states[segment]
	if !s.known {
		d.know(s, segment)
	}
	if s.generation != d.generation {
		s.generation = d.generation
		s.next = -1
		if d.iterations > 0 && s.chunk != d.chunk { // not a piece that goes on with a chunk
			s.chunk = d.chunk
			d.dealt[segment].add(Dealt{1, d.iterations})
		}
		return s, true
	}
	return s, false
}

// know prepares a segment's accesses when it is met first.
func (d *decoder) know(s *state, segment int32) {
	words := d.code.of(segment)
	s.known = true
	s.last, s.stride = make([]uint64, len(words)), make([]uint64, len(words))
	s.sizes, s.kinds = make([]uint32, len(words)), make([]trace.Kind, len(words))
	s.plain = !d.code.Segments[segment].Last
	for i, w := range words {
		s.sizes[i], s.kinds[i] = w.size, w.kind
		s.plain = s.plain && w.size > 0
	}
}

func (d *decoder) predicted() int32 {
	if d.previous < 0 {
		return d.start
	}
	return d.states[d.previous].next
}

// follow notes which segment came after the one before, for the next prediction.
func (d *decoder) follow(segment int32) {
	if d.previous < 0 {
		d.start = segment
	} else {
		d.states[d.previous].next = segment
	}
}

// mostBatch is the least room that fill needs: the accesses of one segment.
const mostBatch = 64

// step runs one segment and gives its words; ok is false when nothing is left or the events are damaged.
func (d *decoder) step() (segment int32, ok bool) {
	if d.run > 0 {
		d.run--
		segment = d.predicted()
		if segment < 0 {
			return d.fail()
		}
		s := &d.states[segment]
		for i := range s.last {
			s.last[i] += s.stride[i]
			d.values[i] = s.last[i]
		}
		d.previous = segment
		d.counts[segment]++
		d.tell(segment)
		return segment, true
	}
	for len(d.data) > 0 {
		t, ok := d.varint()
		if !ok {
			return d.fail()
		}
		if t&3 == tokenRun {
			if d.run = t >> 2; d.run > mostRun {
				return d.fail()
			}
			if d.run > 0 {
				return d.step()
			}
			continue
		}
		return d.literal(t)
	}
	return 0, false
}

func (d *decoder) fail() (int32, bool) {
	d.failed = errEvents
	d.data, d.run = nil, 0
	return 0, false
}

// varint reads a number; false at the end of the data.
func (d *decoder) varint() (uint64, bool) {
	x, n := binary.Uvarint(d.data)
	if n <= 0 {
		return 0, false
	}
	d.data = d.data[n:]
	return x, true
}

// literal reads a segment that is written out, or the addresses that were not foretold of the one that was.
func (d *decoder) literal(t uint64) (int32, bool) {
	segment := d.predicted()
	var mask uint64
	switch t & 3 {
	case tokenAddresses:
		mask = t >> 2
	default:
		if t>>2 >= uint64(len(d.code.Segments)) {
			return d.fail()
		}
		segment = int32(t >> 2)
	}
	if segment < 0 {
		return d.fail()
	}
	s, first := d.touch(segment)
	if first && t&3 != tokenBoth {
		return d.fail()
	}
	if t&3 == tokenBoth && !first {
		var ok bool
		if mask, ok = d.varint(); !ok {
			return d.fail()
		}
	}
	for i := range s.last {
		if !first && mask>>i&1 == 0 {
			s.last[i] += s.stride[i]
			d.values[i] = s.last[i]
			continue
		}
		x, ok := d.varint()
		if !ok {
			return d.fail()
		}
		delta := x>>1 ^ -(x & 1)
		if first {
			d.anchor += delta
			s.last[i], s.stride[i] = d.anchor, 0
		} else {
			s.last[i] += delta
			s.stride[i] = delta
		}
		d.values[i] = s.last[i]
	}
	d.follow(segment)
	d.previous = segment
	d.counts[segment]++
	d.tell(segment)
	return segment, true
}

// tell tells the follower of the segment that ran last.
func (d *decoder) tell(segment int32) {
	switch {
	case d.follower == nil || d.notLast && d.code.Segments[segment].Last:
	case d.follower.Wants():
		d.follower.Follow(d.code, *d.region, segment, d.values[:len(d.states[segment].last)])
	default:
		d.follower.Pass(d.code, *d.region, segment, 1)
	}
}

// mostSteps bounds what is decoded at once: code may run long without an access.
const mostSteps = 1 << 16

// fill decodes into events, as long as there is room for a whole segment. The thread is for the caller to set. It may give
// none although the decoder is not idle.
func (d *decoder) fill(events []trace.Event) int {
	n := 0
	for steps := 0; len(events)-n >= 2*mostBatch+2 && steps < mostSteps; steps++ {
		if d.copying() {
			n += d.fillBlock(events[n:])
			continue
		}
		if d.leaving() || d.leave() > 0 {
			n += d.lines.fill(events[n:])
			continue
		}
		if d.run > 0 {
			k, run := d.fillRun(events[n:]), d.run
			n += k
			if k > 0 || run == 0 {
				continue
			}
		}
		segment, ok := d.step()
		if !ok {
			break
		}
		n += d.accesses(segment, events[n:])
	}
	return n
}

// mostAddress is above the address of any access; 0 stands for none.
const mostAddress = math.MaxUint64 - math.MaxUint32

// fillRun decodes predicted segments without blocks.
func (d *decoder) fillRun(events []trace.Event) int {
	n := 0
	for steps := 0; d.run > 0 && len(events)-n >= mostBatch && steps < mostSteps; steps++ {
		s, times := d.repeats()
		if s == nil {
			break
		}
		if len(s.last) > 0 {
			times = min(times, uint64((len(events)-n)/len(s.last)))
		}
		d.skip(times)
		last, stride := s.last, s.stride[:len(s.last)]
		sizes, kinds := s.sizes[:len(s.last)], s.kinds[:len(s.last)]
		for range times {
			for i := range last {
				a := last[i] + stride[i]
				last[i] = a
				events[n] = trace.Event{Address: a, Size: sizes[i], Kind: kinds[i]}
				if a-1 < mostAddress {
					n++
				}
			}
		}
	}
	return n
}

// repeats gives the predicted segment and how often it runs in a row; nil where it is not plain.
func (d *decoder) repeats() (*state, uint64) {
	segment := d.predicted()
	if segment < 0 {
		return nil, 0
	}
	s := &d.states[segment]
	switch {
	case !s.plain:
		return nil, 0
	case d.follower != nil && d.follower.Wants():
		return nil, 0
	case s.next == segment && d.previous == segment:
		if d.follower != nil {
			return s, min(d.run, d.follower.Idle(d.code, segment))
		}
		return s, d.run
	}
	return s, 1
}

// skip counts runs of the predicted segment; its words are for the caller to move on.
func (d *decoder) skip(times uint64) {
	segment := d.predicted()
	d.run -= times
	d.counts[segment] += int64(times)
	d.previous = segment
	if d.follower != nil {
		d.follower.Pass(d.code, *d.region, segment, times)
	}
}

// accesses writes those of the segment that ran last; the rest of a block copy is left to fillBlock.
func (d *decoder) accesses(segment int32, events []trace.Event) int {
	if d.notLast && d.code.Segments[segment].Last {
		d.counts[segment]--
		return 0
	}
	words := d.code.of(segment)
	n := 0
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w.size == 0 {
			n += d.beginBlock(words, i, events[n:])
			if d.block.read && d.block.write {
				i += 2
			}
			i++
			continue
		}
		if a := d.values[i]; a-1 < mostAddress {
			events[n] = trace.Event{Address: a, Size: w.size, Kind: w.kind}
			n++
		}
	}
	return n
}
