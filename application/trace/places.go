package trace

// Places finds objects by address. They are in a tree, sorted by address and, of equal ones, by number, that knows of each part the last
// address that an object in it has (a treap; an interval tree), so that adding, changing and finding one of n takes log n steps.
type Places struct {
	objects []Object
	nodes   []placeNode // by number of the object
	root    int32
}

// placeNode is the place of an object in the tree.
type placeNode struct {
	left, right int32 // −1: nothing
	there       bool
	weight      uint64 // the largest is on top
	last        uint64 // address of any object here and below
}

// Nowhere stands for no object.
const Nowhere = -1

// Len is the number of objects, those without bytes among them.
func (p *Places) Len() int { return len(p.objects) }

// Object gives one by its number.
func (p *Places) Object(i int) Object { return p.objects[i] }

// Set adds an object, whose number is Len, or changes the one of a number. One without bytes is nowhere.
func (p *Places) Set(i int, o Object) {
	switch {
	case i == len(p.objects):
		if i == 0 {
			p.root = Nowhere
		}
		p.objects = append(p.objects, o)
		p.nodes = append(p.nodes, placeNode{weight: scatter(uint64(i))})
	case p.nodes[i].there:
		p.root = p.without(p.root, int32(i))
	}
	p.objects[i] = o
	if p.nodes[i].there = o.Bytes > 0; p.nodes[i].there {
		p.nodes[i].left, p.nodes[i].right = Nowhere, Nowhere
		p.root = p.with(p.root, int32(i))
	}
}

// Find gives the object at an address, Nowhere where there is none: the inner of two that lie inside one another, and of two that lie
// across the one that begins later. It is the same for all addresses from one on and before another.
func (p *Places) Find(address uint64) (number int, from, until uint64) {
	number, from, until = Nowhere, address, ^uint64(0)
	if len(p.objects) == 0 {
		return number, from, until
	}
	nearest := int32(Nowhere) // that begins before or at the address
	for n := p.root; n >= 0; {
		if begin := p.objects[n].Address; begin <= address {
			nearest, n = n, p.nodes[n].right
		} else {
			until, n = begin, p.nodes[n].left
		}
	}
	found := p.holding(p.root, address)
	if found < 0 {
		return number, from, until
	}
	o := &p.objects[found]
	if found == nearest {
		from = o.Address
	}
	return int(found), from, min(until, p.lastOf(found)+1)
}

// holding is the last of the objects below a node that hold an address.
func (p *Places) holding(n int32, address uint64) int32 {
	for n >= 0 && p.nodes[n].last >= address {
		if p.objects[n].Address <= address {
			if later := p.holding(p.nodes[n].right, address); later >= 0 {
				return later
			}
			if p.lastOf(n) >= address {
				return n
			}
		}
		n = p.nodes[n].left
	}
	return Nowhere
}

// lastOf is the last address of an object.
func (p *Places) lastOf(n int32) uint64 { return p.objects[n].Address + p.objects[n].Bytes - 1 }

// before says whether an object comes before another in the tree.
func (p *Places) before(a, b int32) bool {
	x, y := p.objects[a].Address, p.objects[b].Address
	return x < y || x == y && a < b
}

// with adds an object below a node and gives the node that is on top then.
func (p *Places) with(n, added int32) int32 {
	if n < 0 || p.nodes[added].weight > p.nodes[n].weight {
		p.nodes[added].left, p.nodes[added].right = p.split(n, added)
		return p.see(added)
	}
	if p.before(added, n) {
		p.nodes[n].left = p.with(p.nodes[n].left, added)
	} else {
		p.nodes[n].right = p.with(p.nodes[n].right, added)
	}
	return p.see(n)
}

// without removes an object.
func (p *Places) without(n, removed int32) int32 {
	switch {
	case n == removed:
		return p.join(p.nodes[n].left, p.nodes[n].right)
	case p.before(removed, n):
		p.nodes[n].left = p.without(p.nodes[n].left, removed)
	default:
		p.nodes[n].right = p.without(p.nodes[n].right, removed)
	}
	return p.see(n)
}

// split gives the objects before one, and those after it.
func (p *Places) split(n, at int32) (before, after int32) {
	switch {
	case n < 0:
		return Nowhere, Nowhere
	case p.before(n, at):
		p.nodes[n].right, after = p.split(p.nodes[n].right, at)
		return p.see(n), after
	}
	before, p.nodes[n].left = p.split(p.nodes[n].left, at)
	return before, p.see(n)
}

// join puts b behind a.
func (p *Places) join(a, b int32) int32 {
	switch {
	case a < 0:
		return b
	case b < 0:
		return a
	case p.nodes[a].weight > p.nodes[b].weight:
		p.nodes[a].right = p.join(p.nodes[a].right, b)
		return p.see(a)
	}
	p.nodes[b].left = p.join(a, p.nodes[b].left)
	return p.see(b)
}

// see brings up to date what a node knows of those below it.
func (p *Places) see(n int32) int32 {
	last := p.lastOf(n)
	for _, below := range []int32{p.nodes[n].left, p.nodes[n].right} {
		if below >= 0 {
			last = max(last, p.nodes[below].last)
		}
	}
	p.nodes[n].last = last
	return n
}

// scatter makes weights of numbers that follow one another (splitmix64).
func scatter(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
