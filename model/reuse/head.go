package reuse

import "math/rand/v2"

// head measures short distances exactly, in bursts: stretches of the stream in which every line is followed. What is seen of a burst depends
// on time alone: a reuse is seen where its use is in the burst, whose beginning has nothing to do with it, and stands for those
// whose burst began between the two.
//
// There is one burst in each of many consecutive stretches of the stream, at a random place. Stretches grow, so that
// short streams have enough of them and long ones spend no more than one access in a hundred.
type head struct {
	random  *rand.Rand
	ids     ids
	stack   *Stack
	now     int64
	stretch int64   // length of the present stretch
	start   int64   // of its burst
	end     int64   // of the stretch
	number  int     // of the stretch
	filled  int     // accesses of the burst so far
	lines   int64   // lines in the burst so far
	last    []int32 // by line: place in the burst of its last use
	groups  [shardGroups]survival
	// weight is what the present burst stands for: how many bursts long its stretch is.
	weight float64
}

// survival counts, by distance, weights of values and of lower bounds of values.
type survival struct {
	seen [headLines + 1]float64 // the last: of headLines or more
	open [headLines + 1]float64
}

const (
	// headLines is one more than the longest distance that bursts tell, in lines: 128 KiB of lines of 64 bytes, past which samples of one
	// line in a hundred tell caches apart. Chosen: half a burst.
	headLines = 2048
	// burstLength is how many accesses a burst has. Chosen: shorter ones know few distances to their end, longer ones would be fewer.
	burstLength = 4096
	// horizon is the longest interval that bursts are asked for, in accesses. Chosen: three quarters of a burst, so that no reuse stands for
	// more than four.
	horizon = burstLength / 4 * 3
	// A stretch is at least leastStretch and at most mostStretch bursts long: from every access to one in 128 is in a burst.
	leastStretch = 1
	mostStretch  = 128
)

func newHead(seed uint64) *head {
	h := &head{random: rand.New(rand.NewPCG(seed, 0x68656164)), ids: newIDs(), stack: NewStack(1)}
	h.next()
	return h
}

// next begins a stretch, each second one a burst longer than those before, and draws the place of its burst.
func (h *head) next() {
	bursts := min(leastStretch+int64(h.number/2), mostStretch)
	h.stretch = bursts * burstLength
	h.start = h.end + h.random.Int64N(h.stretch-burstLength+1)
	h.end += h.stretch
	h.weight = float64(bursts)
	h.filled, h.lines, h.last = 0, 0, h.last[:0]
}

// add takes accesses as they come: those of a burst are measured, the others pass. The shift makes lines of addresses.
func (h *head) add(addresses []uint64, shift uint8) {
	for len(addresses) > 0 {
		switch {
		case h.now < h.start:
			n := min(int64(len(addresses)), h.start-h.now)
			addresses = addresses[n:]
			h.now += n
		case h.filled < burstLength:
			n := min(len(addresses), burstLength-h.filled)
			h.burst(addresses[:n], shift)
			addresses = addresses[n:]
			h.now += int64(n)
			h.filled += n
		case h.now < h.end:
			n := min(int64(len(addresses)), h.end-h.now)
			addresses = addresses[n:]
			h.now += n
		default:
			h.ids.clear()
			h.stack.clear()
			h.number++
			h.next()
		}
	}
}

// idle is the number of accesses that may pass unseen: those before the burst, or after it in the same stretch.
func (h *head) idle() int64 {
	switch {
	case h.now < h.start:
		return h.start - h.now
	case h.filled == burstLength && h.now < h.end:
		return h.end - h.now
	}
	return 0
}

// burst measures accesses of the present burst. A reuse of an interval I is seen where its use is in the burst as well, at the last B−I of the
// B places of a burst, and stands for B/(B−I) of its kind. At the last places, from the horizon on, all those of shorter intervals are
// seen; of the others the distance is at least the number of lines that the burst has.
func (h *head) burst(addresses []uint64, shift uint8) {
	g := &h.groups[h.number%shardGroups]
	for i, a := range addresses {
		at := int32(h.filled + i)
		id := h.ids.of(a >> (shift & 63))
		d, ok := h.stack.Touch(id)
		if !ok {
			h.last = append(h.last, -burstLength)
			h.lines++
		}
		interval := at - h.last[id]
		h.last[id] = at
		switch {
		case interval <= horizon:
			g.seen[min(d, headLines)] += h.weight * burstLength / float64(burstLength-interval)
		case at >= horizon:
			g.open[min(h.lines-1, headLines)] += h.weight * burstLength / (burstLength - horizon)
		}
	}
}
