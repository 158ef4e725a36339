package recording

import (
	"foresee/application/trace"
)

// blockCopy is what is left of a block of bytes that the program copied, set or compared at once: reads at from, writes at to, or one of them.
type blockCopy struct {
	from, to    uint64
	left        uint64
	read, write bool
}

// blockPiece is the bytes of one access of a block copy, as the C library's do on machines with AVX2.
const blockPiece = 32

// beginBlock takes the block at word i, with the one after it where they are the two sides of a copy. Of several
// blocks in a segment, all but the last are written as few large accesses.
func (d *decoder) beginBlock(words []word, i int, events []trace.Event) int {
	n := 0
	if d.block.left > 0 { // an earlier block of the same segment
		n = d.block.give(events, trace.MostAccess)
	}
	if d.block.left > 0 {
		d.earlier = append(d.earlier, d.block)
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

// mostBlock is above the length of any block, in bytes. Chosen: 16 TiB, more than any memory; a recording that says more is damaged.
const mostBlock = 1 << 44

// copying says that a block, or an earlier one, is not given to its end.
func (d *decoder) copying() bool { return d.block.left > 0 || len(d.earlier) > 0 }

// fillBlock writes what there is room for of the blocks that have begun.
func (d *decoder) fillBlock(events []trace.Event) int {
	n := 0
	for len(d.earlier) > 0 && len(events)-n >= 2 {
		n += d.earlier[0].give(events[n:], trace.MostAccess)
		if d.earlier[0].left == 0 {
			d.earlier = d.earlier[1:]
		}
	}
	for len(d.earlier) == 0 && d.block.left > 0 && len(events)-n >= 2 {
		n += d.block.give(events[n:], blockPiece)
	}
	return n
}

// give writes the next piece of a block, one or two events.
func (b *blockCopy) give(events []trace.Event, piece uint64) (n int) {
	size := min(b.left, piece)
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
	return n
}
