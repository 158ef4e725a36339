package reuse

import "math/bits"

// order keeps which slots of a time axis are live, and counts those after a slot. Slots are taken in rising order;
// each is live until it is removed.
//
// It is a bitmap under a tree of prefix counters packed several to a word: a node says how many live slots lie
// before each of its children, so a count reads one counter a level and a removal takes one from the counters of the
// later children with a masked subtraction. Nodes have 8 words of bits (9-bit counters), then 16, 8 (16-bit) and,
// further up, 8 children (32-bit). Of the newest node of each level only the counters of children that have been
// entered are valid, so a slot that is near the newest in time needs only the lowest levels: counting goes up no
// further than to the node that it shares with the newest slot, since before says what lies before that.
type order struct {
	words  []uint64    // bitmap
	blocks []uint64    // a block is 8 words: 7 counters of 9 bits
	nodes  [][4]uint64 // 16 blocks: 16 counters of 16 bits
	groups [][2]uint64 // 8 nodes: 8 counters of 16 bits
	upper  [][][4]uint64
	now    uint64 // next slot
	live   uint64
	block  uint64 // the newest that was entered
	// before counts the live slots before the newest block, node, group, and node of each upper level.
	before [3 + upperLevels]uint64

	counted []uint32 // memory of ranks
}

// The levels of the tree, as binary logarithms of how many slots lie below one of their elements.
const (
	blockBits = 9  // of a block: 8 words of 64 slots
	nodeBits  = 13 // of a node: 16 blocks
	groupBits = 16 // of a group: 8 nodes; their counts fit into 16 bits
	// upperLevels is how many levels of nodes of 8 may lie above the groups: 2¹⁶·8⁶ is more than 2³² slots, the most that a table of
	// 32-bit slots numbers.
	upperLevels = 6
	// fewestSlots is how long the time axis is at first: a group.
	fewestSlots = 1 << groupBits
	// roomFactor is how many slots there are for each live one after a compaction, at least. Chosen: a compaction walks through all lines,
	// and so comes once in three times as many accesses.
	roomFactor = 4
)

var (
	fullBlock  uint64        // the counters of a block of live slots
	laterWords [8]uint64     // 1 in the counter of each word after c
	later16    [16][4]uint64 // 1 in each 16-bit counter after c
	later8     [8][2]uint64
	later32    [8][4]uint64 // 1 in each 32-bit counter after c
)

func init() {
	for c := range 8 {
		if c > 0 {
			fullBlock |= uint64(64*c) << (9 * (c - 1))
		}
		for j := c + 1; j < 8; j++ {
			laterWords[c] |= 1 << (9 * (j - 1))
			later8[c][j/4] |= 1 << (16 * (j % 4))
			later32[c][j/2] |= 1 << (32 * (j % 2))
		}
	}
	for c := range 16 {
		for j := c + 1; j < 16; j++ {
			later16[c][j/4] |= 1 << (16 * (j % 4))
		}
	}
}

func newOrder() order {
	var o order
	o.pack(fewestSlots)
	return o
}

// slots is the length of the time axis.
func (o *order) slots() uint64 { return uint64(len(o.words)) * 64 }

// take gives the next slot.
func (o *order) take() uint64 {
	s := o.now
	if s&(1<<blockBits-1) == 0 {
		o.enter()
	}
	o.now = s + 1
	o.live++
	return s
}

// enter makes the next block the newest.
func (o *order) enter() {
	s, live := o.now, o.live
	words := o.words[s>>6:][:8]
	for i := range words {
		words[i] = ^uint64(0)
	}
	o.blocks[s>>blockBits] = fullBlock
	o.block = s >> blockBits
	o.before[0] = live
	if s&(1<<nodeBits-1) != 0 {
		set16(o.nodes[s>>nodeBits][:], s>>blockBits&15, live-o.before[1])
		return
	}
	o.before[1] = live
	if s&(1<<groupBits-1) != 0 {
		set16(o.groups[s>>groupBits][:], s>>nodeBits&7, live-o.before[2])
		return
	}
	o.before[2] = live
	for k, nodes := range o.upper {
		child := groupBits + 3*uint(k)
		if s&(8<<child-1) != 0 {
			p := &nodes[s>>(child+3)]
			c := s >> child & 7
			p[c>>1] = p[c>>1]&^(0xffffffff<<(32*(c&1))) | (live-o.before[3+k])<<(32*(c&1))
			return
		}
		o.before[3+k] = live
	}
}

// set16 sets counter c of those of 16 bits that are packed in p to v.
func set16(p []uint64, c, v uint64) {
	shift := 16 * (c & 3)
	p[c>>2] = p[c>>2]&^(0xffff<<shift) | v<<shift
}

// remove ends the life of slot s and gives the number of live slots after it.
func (o *order) remove(s uint64) uint64 {
	live := o.live
	o.live = live - 1
	word := &o.words[s>>6]
	bit := s & 63
	upTo := uint64(bits.OnesCount64(*word << (63 - bit))) // live slots of the node, up to s
	*word &^= 1 << bit
	c := s >> 6 & 7
	block := &o.blocks[s>>blockBits]
	upTo += *block >> (9 * ((c - 1) & 7)) & 511
	*block -= laterWords[c]
	if s>>blockBits == o.block {
		return live - o.before[0] - upTo
	}
	o.before[0]--
	c = s >> blockBits & 15
	node := &o.nodes[s>>nodeBits]
	upTo += node[c>>2] >> (16 * (c & 3)) & 0xffff
	m := &later16[c]
	node[0] -= m[0]
	node[1] -= m[1]
	node[2] -= m[2]
	node[3] -= m[3]
	if s>>nodeBits == o.block>>(nodeBits-blockBits) {
		return live - o.before[1] - upTo
	}
	o.before[1]--
	return o.removeFar(s, live, upTo)
}

// removeFar is the rest of remove for a slot that is not in the newest node: upTo is what the lower levels counted.
func (o *order) removeFar(s, live, upTo uint64) uint64 {
	newest := o.block << blockBits
	c := s >> nodeBits & 7
	group := &o.groups[s>>groupBits]
	upTo += group[c>>2] >> (16 * (c & 3)) & 0xffff
	m := &later8[c]
	group[0] -= m[0]
	group[1] -= m[1]
	if (s^newest)>>groupBits == 0 {
		return live - o.before[2] - upTo
	}
	o.before[2]--
	for k, nodes := range o.upper {
		child := groupBits + 3*uint(k)
		c := s >> (child & 63) & 7
		p := &nodes[s>>((child+3)&63)]
		upTo += p[c>>1] >> (32 * (c & 1)) & 0xffffffff
		m := &later32[c]
		p[0] -= m[0]
		p[1] -= m[1]
		p[2] -= m[2]
		p[3] -= m[3]
		if (s^newest)>>((child+3)&63) == 0 {
			return live - o.before[3+k] - upTo
		}
		o.before[3+k]--
	}
	return live - upTo
}

// ranks gives, for each word of the bitmap, the number of live slots before it, until it is called again.
func (o *order) ranks() []uint32 {
	words := o.words[:(o.now+63)/64]
	o.counted = grown(o.counted[:0], len(words))
	ranks := o.counted
	n := uint32(0)
	for i, w := range words {
		ranks[i] = n
		if i == len(words)-1 && o.now&63 != 0 {
			w &= 1<<(o.now&63) - 1
		}
		n += uint32(bits.OnesCount64(w))
	}
	return ranks
}

// pack moves the live slots to the start of an axis that has room for slots.
func (o *order) pack(slots uint64) {
	size := o.slots()
	for size < max(slots, fewestSlots) {
		size = max(2*size, fewestSlots)
	}
	if size != o.slots() {
		o.allocate(size)
	}
	o.now = o.live
	o.block = (max(o.live, 1) - 1) >> blockBits
	used := o.block + 1
	for i := range o.words[:8*used] {
		o.words[i] = ^uint64(0)
	}
	for i := range o.blocks[:used] {
		o.blocks[i] = fullBlock
	}
	o.packCounters(used)
	newest := o.block << blockBits
	for k, child := range []uint{blockBits, nodeBits, groupBits} {
		o.before[k] = newest >> child << child
	}
	for k := range o.upper {
		child := groupBits + 3*uint(k) + 3
		o.before[3+k] = newest >> child << child
	}
}

// packCounters fills in the counters of the first blocks, whose slots are all live.
func (o *order) packCounters(used uint64) {
	for i := range o.nodes[:used>>(nodeBits-blockBits)+1] {
		for c := range uint64(16) {
			set16(o.nodes[i][:], c, c<<blockBits)
		}
	}
	for i := range o.groups[:used>>(groupBits-blockBits)+1] {
		for c := range uint64(8) {
			set16(o.groups[i][:], c, c<<nodeBits)
		}
	}
	for k, nodes := range o.upper {
		child := groupBits + 3*uint(k)
		for i := range nodes[:used>>(child+3-blockBits)+1] {
			for c := range uint64(4) {
				nodes[i][c] = 2*c<<child | (2*c+1)<<child<<32
			}
		}
	}
}

// allocate makes an axis of that many slots, a power of two, with the levels that it needs.
func (o *order) allocate(slots uint64) {
	o.words = make([]uint64, slots>>6)
	o.blocks = make([]uint64, slots>>blockBits+1)
	o.nodes = make([][4]uint64, slots>>nodeBits+1)
	o.groups = make([][2]uint64, slots>>groupBits+1)
	o.upper = nil
	for child := uint(groupBits); slots > 1<<child; child += 3 {
		o.upper = append(o.upper, make([][4]uint64, slots>>(child+3)+1))
	}
}
