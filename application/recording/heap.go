package recording

import (
	"fmt"
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
	b := &block{low, low + bytes, owner, t.allocated}
	t.blocks = t.blocks.with(b)
	t.current.own = t.current.own.with(b)
}

// settle says whose the blocks are that a piece allocated, once it is dealt.
func settle(p *piece, owner int) {
	for _, b := range p.own.all() {
		if b.owner == own {
			b.owner = owner
		}
	}
}

// own marks blocks of whoever runs the piece in which they are allocated; it is replaced when the piece is dealt.
const own = -2

const (
	namedBlock = 1024    // bytes from which on memory is worth a name. Chosen: lists of small nodes stay without
	mostNamed  = 1 << 14 // of these; a further one takes the number of one that was freed and has the same name, or has no name
)

// named is the memory that has names.
type named struct {
	places blocks
	count  int
	freed  map[string][]int // numbers of objects, by name
}

// nameBlock names an allocation of some size after the code that made it, so that arrays of the heap are told apart.
func (t *Team) nameBlock(low, bytes, pc uint64) {
	if bytes < namedBlock {
		return
	}
	name, n := t.allocatedAt(pc), &t.heapNames
	if b := n.places.find(low); b != nil && b.low == low && b.end == low+bytes && t.objects[b.owner].Name == name {
		return
	}
	for _, b := range n.places.within(low, low+bytes) { // what lay there before was freed
		t.changeObject(b.owner).Bytes = 0
		n.places = n.places.without(b.low)
		n.free(t.objects[b.owner].Name, b.owner)
	}
	if i := t.number(trace.Object{Name: name, Address: low, Bytes: bytes}); i >= 0 {
		n.places = n.places.with(&block{low, low + bytes, i, int64(i)})
	}
}

// changeObject gives an object to be changed.
func (t *Team) changeObject(i int) *trace.Object {
	t.names.Changes++
	t.names.Changed = append(t.names.Changed, i)
	return &t.objects[i]
}

// number takes a further object in and gives its number, −1 where there are enough.
func (t *Team) number(o trace.Object) int {
	n := &t.heapNames
	if n.count < mostNamed {
		n.count++
		t.objects = append(t.objects, o)
		return len(t.objects) - 1
	}
	all := n.freed[o.Name]
	if len(all) == 0 {
		return -1
	}
	i := all[len(all)-1]
	n.freed[o.Name] = all[:len(all)-1]
	*t.changeObject(i) = o
	return i
}

func (n *named) free(name string, i int) {
	if n.freed == nil {
		n.freed = map[string][]int{}
	}
	n.freed[name] = append(n.freed[name], i)
}

// allocatedAt is the name of what code at an address allocates: the variable or member that it is given to, where the source tells, and the place.
func (t *Team) allocatedAt(pc uint64) string {
	if s := t.info.names[pc]; s != "" {
		where, rest, _ := strings.Cut(s, " ")
		if _, name, _ := strings.Cut(rest, " "); name != "" {
			return name + " (" + where + ")"
		}
		return "allocated at " + where
	}
	return fmt.Sprintf("allocated at %#x", pc)
}
