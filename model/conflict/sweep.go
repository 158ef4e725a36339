package conflict

import (
	"cmp"
	"math/bits"
	"slices"

	"foresee/application/nest"
	"foresee/model/cache"
)

// visit is the accesses of one reference to one line, from one iteration to another, without one to another line in between.
type visit struct {
	from, to int64
	key      uint64 // from and, below it, the number of the reference in the run: the order of visits
	line     uint64 // in physical memory
}

// slotBits is for the references of a run, of which the last of many keep no order; positions of accesses are below 2^60, and iterations far below that.
const slotBits = 16

// slot is the number of the reference in the run.
func (v *visit) slot() uint64 { return v.key & (1<<slotBits - 1) }

// sweep finds, in runs, the accesses to lines that can fall into the sets of a chain.
type sweep struct {
	chain     *cache.Chain
	colouring cache.Colouring
	shift     uint  // log₂ of the line
	spread    int64 // sets that all levels agree on: lines whose numbers differ by another amount never meet; a power of two
	low       int64 // bytes: where the first of the lines begins that can meet
	visits    []visit
	current   []visit
	work      int64
	missed    int64                  // accesses that the first level did not serve
	touch     func(line uint64) bool // an access; false ends the walk
}

// aim turns to the sets of a line, given as it is numbered in the stream.
func (s *sweep) aim(line int64) uint64 {
	s.low = (line & (s.spread - 1)) << s.shift
	physical := s.colouring.Line(uint64(line))
	s.chain.Aim(physical)
	return physical
}

// feed takes the next run; false ends the walk.
func (s *sweep) feed(r *nest.Run) bool {
	s.visits = s.visits[:0]
	for i, o := range r.Offsets {
		s.find(i, o, r.Steps[i], r.Count)
	}
	s.work += 6 + int64(len(r.Offsets)) + 2*int64(len(s.visits))
	if len(s.visits) == 0 {
		return true
	}
	if r.Count == 1 {
		for i := range s.visits {
			if !s.touch(s.visits[i].line) {
				return false
			}
		}
		return true
	}
	return s.replay(r.Count)
}

// add takes a visit down where its line falls into any of the sets.
func (s *sweep) add(slot int, from, to, address int64) {
	line := s.colouring.Line(uint64(address) >> s.shift)
	if s.chain.Meets(line) {
		s.visits = append(s.visits, visit{from, to, uint64(from)<<slotBits | uint64(min(slot, 1<<slotBits-1)), line})
	}
}

// find lists the visits of a reference that begins at an address and moves by a step, so many times.
func (s *sweep) find(slot int, address, step, times int64) {
	line := int64(1) << s.shift
	mask := s.spread<<s.shift - 1
	at := (address - s.low) & mask // the reference meets where this is less than a line
	switch {
	case step == 0 || times == 1:
		if at < line {
			s.add(slot, 0, times-1, address)
		}
	case step > 0 && step <= line:
		for j := int64(0); j < times; {
			next := line
			if at >= line {
				next = mask + 1
			}
			n := (next - at + step - 1) / step
			if at < line {
				s.add(slot, j, min(j+n, times)-1, address+j*step)
			}
			j += n
			at = (at + n*step) & mask
		}
	case step < 0 && -step <= line:
		for j := int64(0); j < times; {
			n := at/-step + 1
			if at < line {
				s.add(slot, j, min(j+n, times)-1, address+j*step)
			} else {
				n = (at - line - step) / -step
			}
			j += n
			at = (at + n*step) & mask
		}
	default:
		s.stride(slot, address, step, times, at, mask)
	}
}

// stride is find for steps of more than a line.
func (s *sweep) stride(slot int, address, step, times, at, mask int64) {
	line := int64(1) << s.shift
	first, period := int64(0), int64(1) // of the iterations to look at
	end := times
	if step&(line-1) == 0 { // the same after so many: those that meet are evenly spaced, or there are none
		repeats := s.spread >> min(bits.TrailingZeros64(uint64(step>>s.shift)), bits.TrailingZeros64(uint64(s.spread)))
		if (at>>s.shift)&(s.spread/repeats-1) != 0 {
			return
		}
		for end = min(times, repeats); first < end && (at+first*step)&mask >= line; first++ {
		}
		s.work += first / 8
		if first == end {
			return
		}
		period, end = repeats, times
	}
	s.work += (end - first) / period / 8
	for j := first; j < end; j += period {
		if (at+j*step)&mask < line {
			s.add(slot, j, j, address+j*step)
		}
	}
}

// replay makes the accesses of the visits in their order: iteration by iteration, and in each one slot after the other.
func (s *sweep) replay(times int64) bool {
	s.order()
	rest, now := s.visits, s.current[:0] // to come, and going on
	defer func() { s.current = now[:0] }()
	for len(rest) > 0 || len(now) > 0 {
		if len(now) == 0 && rest[0].to == rest[0].from && begin(rest[1:], times) > rest[0].from { // alone
			if !s.repeat(rest[:1], 1) {
				return false
			}
			rest = rest[1:]
			continue
		}
		j := begin(now, begin(rest, times))
		for len(rest) > 0 && rest[0].from <= j {
			now, rest = join(now, rest[0]), rest[1:]
		}
		until := begin(rest, times)
		for _, v := range now {
			until = min(until, v.to+1)
		}
		if !s.repeat(now, until-j) {
			return false
		}
		now = slices.DeleteFunc(now, func(v visit) bool { return v.to < until })
		for i := range now {
			now[i].from = until
		}
	}
	return true
}

// begin is where the first of some visits begins, or another place where there is none.
func begin(visits []visit, other int64) int64 {
	if len(visits) == 0 {
		return other
	}
	return visits[0].from
}

// join adds a visit to those of the same iteration, which are in the order of their slots.
func join(now []visit, v visit) []visit {
	at := len(now)
	for at > 0 && now[at-1].slot() > v.slot() {
		at--
	}
	return slices.Insert(now, at, v)
}

// order sorts the visits, which are in order for each slot, by their beginnings, and by slots where those are the same.
func (s *sweep) order() {
	v := s.visits
	for i := 1; i < len(v); i++ {
		if i > fewVisits {
			slices.SortFunc(v, func(a, b visit) int { return cmp.Compare(a.key, b.key) })
			return
		}
		x, j := v[i], i
		for ; j > 0 && v[j-1].key > x.key; j-- {
			v[j] = v[j-1]
		}
		v[j] = x
	}
}

// fewVisits is up to how many visits are sorted by insertion. Chosen.
const fewVisits = 32

// repeat makes the same accesses again and again. Once the first level serves all of them, nothing changes any more.
func (s *sweep) repeat(now []visit, times int64) bool {
	for range times {
		s.work += int64(len(now))
		if len(now) == 0 {
			return true
		}
		served := s.missed
		for _, v := range now {
			if !s.touch(v.line) {
				return false
			}
		}
		if s.missed == served {
			return true
		}
	}
	return true
}
