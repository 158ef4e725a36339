package reuse

import "math/rand/v2"

// head measures short distances exactly, in bursts: stretches of the stream in which every line is followed. An
// access whose line was used before in the burst shows its distance; one whose line was not has a distance of at
// least the number of lines in the burst so far. Kaplan and Meier's estimator makes the distribution of such values.
//
// There is one burst in each of many consecutive stretches of the stream, at a random place. Stretches grow, so that
// short streams have enough of them and long ones spend no more than one access in a hundred.
type head struct {
	random  *rand.Rand
	ids     ids
	stack   *Stack
	now     int64
	stretch int64 // length of the present stretch
	start   int64 // of its burst
	end     int64 // of the stretch
	number  int   // of the stretch
	filled  int   // accesses of the burst so far
	lines   int64 // lines in the burst so far
	groups  [shardGroups]survival
	// weight is what the present burst stands for: how many bursts long its stretch is.
	weight float64
}

// survival counts, by distance, weights of values and of lower bounds of values.
type survival struct {
	seen   [headLines + 1]float64 // the last: of headLines or more
	bound  [headLines + 1]float64
	weight float64
}

const (
	// headLines is one more than the longest distance that bursts tell, in lines: 128 KiB of lines of 64 bytes, past which samples of one
	// line in a hundred tell caches apart. Chosen: half a burst.
	headLines = 2048
	// burstLength is how many accesses a burst has. Chosen: shorter ones know few distances to their end, longer ones would be fewer.
	burstLength = 4096
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
	h.filled, h.lines = 0, 0
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

// burst measures accesses of the present burst. Of a line that the burst has not seen, the distance is at least the number of those that it
// has.
func (h *head) burst(addresses []uint64, shift uint8) {
	g := &h.groups[h.number%shardGroups]
	g.weight += h.weight * float64(len(addresses))
	for _, a := range addresses {
		if d, ok := h.stack.Touch(h.ids.of(a >> (shift & 63))); ok {
			g.seen[min(d, headLines)] += h.weight
		} else {
			g.bound[min(h.lines, headLines)] += h.weight
			h.lines++
		}
	}
}
