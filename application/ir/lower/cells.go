package lower

import (
	"iter"
	"maps"

	"foresee/application/nest/expr"
)

// cells are what lies in an object, by offset in bytes. They are kept in stretches that copies share until one of them changes: loops that are followed one
// iteration after the other copy what is known in each.
type cells struct {
	stretches map[int64]*stretch // by offset, in stretchBytes
	widest    int64              // bytes of a cell
}

// stretch are cells that begin within stretchBytes. Others than its owner copy it before they change it.
type stretch struct {
	owner *cells
	cells map[int64]cell
}

// stretchBytes is a balance of copying many stretches and copying large ones. Chosen.
const stretchBytes = 512

func stretchOf(at int64) int64 { return expr.FloorDiv(at, stretchBytes) }

func (c *cells) get(at int64) (cell, bool) {
	k := c.stretches[stretchOf(at)]
	if k == nil {
		return cell{}, false
	}
	x, there := k.cells[at]
	return x, there
}

// at is the value that begins at a place.
func (c *cells) at(at int64) val {
	x, _ := c.get(at)
	return x.v
}

// own is the stretch of a place, to be changed.
func (c *cells) own(at int64) *stretch {
	n := stretchOf(at)
	k := c.stretches[n]
	switch {
	case k == nil:
		k = &stretch{c, map[int64]cell{}}
	case k.owner != c:
		k = &stretch{c, maps.Clone(k.cells)}
	default:
		return k
	}
	if c.stretches == nil {
		c.stretches = map[int64]*stretch{}
	}
	c.stretches[n] = k
	return k
}

func (c *cells) put(at int64, x cell) {
	c.own(at).cells[at] = x
	c.widest = max(c.widest, x.size)
}

func (c *cells) drop(at int64) {
	if _, there := c.get(at); there {
		delete(c.own(at).cells, at)
	}
}

// clone is a copy that shares all stretches.
func (c *cells) clone() cells { return cells{maps.Clone(c.stretches), c.widest} }

// all are those of all stretches; they may be changed and dropped meanwhile.
func (c *cells) all() iter.Seq2[int64, cell] { return c.besides(&cells{}) }

// besides are those of the stretches that are not shared with others.
func (c *cells) besides(o *cells) iter.Seq2[int64, cell] {
	return func(yield func(int64, cell) bool) {
		for n, k := range c.stretches {
			if o.stretches[n] == k {
				continue
			}
			for at, x := range k.cells {
				if !yield(at, x) {
					return
				}
			}
		}
	}
}

// dropOver drops those of which bytes lie from one place up to another.
func (c *cells) dropOver(from, past int64) {
	over := func(n int64, k *stretch) {
		if n*stretchBytes >= from && (n+1)*stretchBytes <= past {
			delete(c.stretches, n)
			return
		}
		for at, x := range k.cells {
			if at < past && from < at+x.size {
				c.drop(at)
			}
		}
	}
	first, last := stretchOf(from-c.widest), stretchOf(past)
	if last-first > int64(len(c.stretches)) {
		for n, k := range c.stretches {
			over(n, k)
		}
		return
	}
	for n := first; n <= last; n++ {
		if k := c.stretches[n]; k != nil {
			over(n, k)
		}
	}
}
