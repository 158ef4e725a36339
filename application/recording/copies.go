package recording

import (
	"foresee/application/trace"
)

// blockCopy is what is left of a block: reads at from, writes at to, or one of them.
type blockCopy struct {
	from, to    uint64
	left        uint64
	read, write bool
}

// blockPiece is the bytes of one access of a block copy, as the C library's do on machines with AVX2.
const blockPiece = 32

// beginBlock takes the block at word i, with the one after it where they are the two sides of a copy. Of several
// blocks in a segment, all but the last are written at once, as few large accesses.
func (d *decoder) beginBlock(words []word, i int, events []trace.Event) int {
	n := 0
	if d.block.left > 0 { // an earlier block of the same segment
		n = d.flushBlock(events)
	}
	length := d.values[i+1]
	b := blockCopy{left: length}
	if words[i].kind == trace.Read {
		b.from, b.read = d.values[i], true
		if i+3 < len(words) && words[i+2].size == 0 && words[i+2].kind == trace.Write && d.values[i+3] == length {
			b.to, b.write = d.values[i+2], true
		}
	} else {
		b.to, b.write = d.values[i], true
	}
	if length > mostBlock || b.from+length < b.from || b.to+length < b.to {
		b.left = 0
	}
	d.block = b
	return n
}

// mostBlock is above the length of any block, in bytes.
const mostBlock = 1 << 44

// mostAtOnce is the most bytes of a block that is written at once, as of an access in a trace.
const mostAtOnce = 16 << 20

func (d *decoder) flushBlock(events []trace.Event) int {
	n := 0
	b := &d.block
	size := uint32(min(b.left, mostAtOnce))
	if b.read {
		events[n] = trace.Event{Address: b.from, Size: size, Kind: trace.Read}
		n++
	}
	if b.write {
		events[n] = trace.Event{Address: b.to, Size: size, Kind: trace.Write}
		n++
	}
	b.left = 0
	return n
}

func (d *decoder) fillBlock(events []trace.Event) int {
	n := 0
	b := &d.block
	for b.left > 0 && len(events)-n >= 2 {
		size := min(b.left, blockPiece)
		if b.read {
			events[n] = trace.Event{Address: b.from, Size: uint32(size), Kind: trace.Read}
			n++
		}
		if b.write {
			events[n] = trace.Event{Address: b.to, Size: uint32(size), Kind: trace.Write}
			n++
		}
		b.from += size
		b.to += size
		b.left -= size
	}
	return n
}
