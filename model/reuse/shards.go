package reuse

import "math/bits"

// ShardsOptions steer a Shards.
type ShardsOptions struct {
	// Rate is the share of the lines that are followed at least; 0 with MaxLines set: as few as that needs.
	Rate float64
	// MaxLines is the number of lines that are followed at most, by letting the rate fall; 0: no bound but Rate.
	MaxLines int
	// Plain follows Rate from the start and measures no head, as published.
	Plain bool
	Seed  uint64
}

// Shards estimates the reuse distances of a stream from a sample of its lines (Waldspurger et al., FAST 2015): a
// line is followed if a hash of it is below a threshold, and a distance among the followed lines stands for one
// greater by 1/rate. The rate starts at 1 and falls by halves, to Rate or as MaxLines asks: lines are dropped by
// their hash, and what was counted before counts for less each.
//
// Lines alone do not tell caches of fewer than some 1/rate lines apart. Shards therefore measures the head of the
// distribution in short bursts, in which it follows every line, spread at random over the stream.
type Shards struct {
	options   ShardsOptions
	ids       ids // of the followed lines
	stack     *Stack
	threshold uint64 // of hashes of 32 bits; 1<<32 follows all
	floor     uint64 // below which the threshold does not fall
	limit     int64  // of followed lines, above which it falls
	shift     uint8  // binary logarithm of the bytes of a line
	seed      uint64
	seen      int64 // accesses so far
	head      *head // nil as published
	// tails holds, for each rate there was, the distances of the followed lines, by group of lines.
	tails   []tail
	pending [2 * batch]uint64
	count   int
	// of runs
	visits, current []visit
	expanded        []uint64
}

// tail is what was counted at one rate.
type tail struct {
	rate   float64
	groups [shardGroups]*Histogram
}

const (
	// shardGroups is the number of parts that lines and bursts are split into for standard errors. Chosen: a standard error from 32 values is
	// itself off by an eighth.
	shardGroups = 32
	// fewestLines are followed however low the rate is, if there are as many. Chosen: distances of all of them together are then known to 4 %.
	fewestLines = 512
	// fewestAccesses is how long a stream may be for all its lines to be followed, unless MaxLines forbids it. Chosen: some milliseconds.
	fewestAccesses = 1 << 17
	// allLines is the threshold of hashes of 32 bits below which all of them are.
	allLines = 1 << 32
)

// NewShards makes an empty sample; line is as for NewStack.
func NewShards(line int64, o ShardsOptions) *Shards {
	s := &Shards{options: o, ids: newIDs(), stack: NewStack(1), shift: uint8(bits.TrailingZeros64(uint64(line))), threshold: allLines}
	s.seed = hash(o.Seed)
	s.floor = max(uint64(o.Rate*allLines), 1)
	s.limit = fewestLines
	if o.MaxLines > 0 {
		s.limit = int64(o.MaxLines)
		if o.Rate == 0 {
			s.floor = 1
		}
	}
	if o.Plain {
		s.threshold = min(s.floor, allLines)
	} else {
		s.head = newHead(o.Seed)
	}
	s.tails = []tail{newTail(s.rate())}
	return s
}

// newTail begins the counts of a rate.
func newTail(rate float64) tail {
	t := tail{rate: rate}
	for g := range t.groups {
		t.groups[g] = NewHistogram(Fine)
	}
	return t
}

// rate is the share of the lines that are followed now.
func (s *Shards) rate() float64 { return float64(s.threshold) / allLines }

// Rate is the share of the lines that were followed at the end.
func (s *Shards) Rate() float64 { return s.rate() }

// Followed is the number of lines that are followed.
func (s *Shards) Followed() int64 { return int64(len(s.ids.lines)) }

// Add records accesses.
func (s *Shards) Add(addresses []uint64) {
	if s.head != nil {
		s.head.add(addresses, s.shift)
	}
	s.seen += int64(len(addresses))
	for len(addresses) > 0 {
		b := addresses[:min(batch, len(addresses))]
		addresses = addresses[len(b):]
		s.choose(b)
		if s.count >= batch {
			s.follow()
		}
	}
}

// choose adds the lines that are followed to pending, without a branch that nobody can foretell.
func (s *Shards) choose(addresses []uint64) {
	k := uint(s.count)
	threshold, seed, shift := s.threshold, s.seed, s.shift&63
	pending := &s.pending
	for _, a := range addresses {
		line := a >> shift
		pending[k%(2*batch)] = line
		_, below := bits.Sub64(mix(line, seed)>>32, threshold, 0)
		k += uint(below)
	}
	s.count = int(k)
}

// mix hashes a line; its upper half chooses the lines that are followed, what comes below it their group. It multiplies, shifts and multiplies:
// a product carries upwards only, so the shift brings the upper bits down before the second one spreads them. Each step can be undone, so
// that no two lines have the same hash; for that multipliers need only be odd.
func mix(line, seed uint64) uint64 {
	x := (line ^ seed) * scatter
	x ^= x >> 32
	return x * golden
}

// scatter is the first multiplier of mix. Chosen: odd, with 39 of its 64 bits set, in no order. Another such number does as well; TestMix
// holds what comes out against a random hash.
const scatter = 0xD6E8FEB86659FD93

// groupOf is the group of a line by its hash: bits that did not choose it.
func groupOf(mixed uint64) uint64 { return mixed >> 28 % shardGroups }

// follow measures the pending lines.
func (s *Shards) follow() {
	t := &s.tails[len(s.tails)-1]
	last, again := uint64(noLine), int64(0)
	for _, line := range s.pending[:s.count] {
		if line == last {
			again++
			continue
		}
		if again > 0 {
			t.groups[groupOf(mix(last, s.seed))].Add(0, again)
			again = 0
		}
		last = line
		g := t.groups[groupOf(mix(line, s.seed))]
		if d, ok := s.stack.Touch(s.ids.of(line)); ok {
			g.Add(d, 1)
		} else {
			g.Cold++
		}
	}
	if again > 0 {
		t.groups[groupOf(mix(last, s.seed))].Add(0, again)
	}
	s.count = 0
	for s.threshold > s.floor && s.Followed() > s.limit && (s.seen > fewestAccesses || s.options.MaxLines > 0) {
		s.lower()
	}
}

// lower halves the rate, or lowers it to its floor.
func (s *Shards) lower() {
	s.threshold = max(s.threshold/2, s.floor)
	s.drop()
	s.tails = append(s.tails, newTail(s.rate()))
}

// drop forgets the lines that the threshold no longer takes.
func (s *Shards) drop() {
	kept, cells := newIDs(), newTable[uint32]()
	for id, line := range s.ids.lines {
		slot := s.stack.table.cells[s.stack.table.cell(uint64(id))]
		if mix(line, s.seed)>>32 < s.threshold {
			cells.cells[cells.cell(kept.of(line))] = slot
		} else {
			s.stack.order.remove(uint64(slot - 1))
		}
	}
	s.ids, s.stack.table = kept, cells
}
