package recording

import (
	"fmt"
	"sort"
	"strings"

	"foresee/application/trace"
)

// heap keeps track of memory allocated in regions, which may be a thread's own, and of arrays worth a name.
func (t *Team) heap(r *Record) {
	n := &numbers{data: r.Data}
	low := n.next()
	if r.Type == typeFree {
		t.blocks = t.blocks.without(low) // the piece that uses it keeps it: pieces are decoded later
		return
	}
	bytes, pc := n.next(), n.next()
	if n.bad || low == 0 || low+bytes <= low {
		return
	}
	t.nameBlock(low, bytes, pc)
	if !t.inRegion || t.current == nil {
		return
	}
	owner := 0
	switch {
	case !t.spread():
		owner = t.current.thread
	case t.current.kind == pieceEach:
		owner = each
	case t.current.kind == pieceChunk, t.current.kind == pieceTask:
		owner = own
	}
	t.allocated++
	b := block{low, low + bytes, owner, t.allocated}
	t.blocks = t.blocks.with(b)
	t.current.own = t.current.own.with(b)
}

// settle says whose the blocks are that a piece allocated, once it is dealt.
func settle(pieces []*piece, now blocks, p *piece, owner int) {
	lists := []blocks{now}
	for _, q := range pieces {
		lists = append(lists, q.known, q.own)
	}
	for _, b := range p.own {
		if b.owner != own {
			continue
		}
		for _, list := range lists {
			if i := list.find(b.low); i >= 0 && list[i].id == b.id {
				list[i].owner = owner
			}
		}
	}
}

// own marks blocks of whoever runs the piece in which they are allocated; it is replaced when the piece is dealt.
const own = -2

const namedBlock = 4096

func (t *Team) nameBlock(low, bytes, pc uint64) {
	if bytes < namedBlock {
		return
	}
	name := t.allocatedAt(pc)
	for i := range t.objects {
		o := &t.objects[i]
		if o.Address < low+bytes && low < o.Address+o.Bytes { // what lay there before was freed
			t.objects = append([]trace.Object{}, t.objects...) // readers may have the other
			t.objects[i].Bytes = 0
			t.names.Changes++
		}
	}
	t.objects = append(t.objects, trace.Object{Name: name, Address: low, Bytes: bytes})
}

func (t *Team) allocatedAt(pc uint64) string {
	if s := t.info.names[pc]; s != "" {
		where, _, _ := strings.Cut(s, " ")
		return "allocated at " + where
	}
	return fmt.Sprintf("allocated at %#x", pc)
}

// block is memory that was allocated in a parallel region.
type block struct {
	low, end uint64
	owner    int // a thread; −1: each thread that runs the piece has one of its own
	id       int64
}

// blocks are sorted and do not overlap; they are not changed once they are shared.
type blocks []block

func (b blocks) find(a uint64) int {
	i := sort.Search(len(b), func(i int) bool { return b[i].end > a })
	if i < len(b) && b[i].low <= a {
		return i
	}
	return -1
}

func (b blocks) with(n block) blocks {
	out := make(blocks, 0, len(b)+1)
	placed := false
	for _, o := range b {
		if o.low < n.end && n.low < o.end {
			continue
		}
		if !placed && o.low > n.low {
			out = append(out, n)
			placed = true
		}
		out = append(out, o)
	}
	if !placed {
		out = append(out, n)
	}
	return out
}

func (b blocks) without(a uint64) blocks {
	i := b.find(a)
	if i < 0 || b[i].low != a {
		return b
	}
	return append(append(blocks{}, b[:i]...), b[i+1:]...)
}
