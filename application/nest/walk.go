package nest

import (
	"foresee/application/nest/expr"
)

// Walk finds the next use of the line at position p by walking on from there, access by access, as samplers that
// do not solve must; it is the baseline that Next is measured against. It gives up after limit accesses and
// returns false. Streams of phases are walked thread by thread, so that only private ones give next uses.
func (k *Cursor) Walk(p, limit int64) bool {
	place := k.At(p)
	w := walker{c: k.c, object: place.Object, line: place.Line, left: limit}
	w.on(k.at)
	return w.left > 0
}

type walker struct {
	c      *cursor
	object int
	line   int64
	left   int64
	found  bool
}

// on goes on after access a: the rest of its body, then the next iterations of the loops around it.
func (w *walker) on(a *access) {
	if w.rest(w.bodyAt(a, len(a.path)), a, len(a.path)) {
		return
	}
	for d := len(a.path) - 1; d >= 0; d-- {
		l := a.path[d]
		hi := l.high(w.c.env)
		for w.c.env[l.v]++; w.c.env[l.v] <= hi; w.c.env[l.v]++ {
			if !w.c.walk(l.body, w.visit) {
				return
			}
		}
		if w.rest(w.bodyAt(a, d), a, d) {
			return
		}
	}
}

func (w *walker) visit(a *access, offset int64) bool {
	w.left--
	if a.object == w.object && expr.FloorDiv(offset, w.c.m.line) == w.line {
		w.found = true
	}
	return !w.found && w.left > 0
}

func (w *walker) bodyAt(a *access, d int) *body {
	if d == 0 {
		return w.c.m.root
	}
	return a.path[d-1].body
}

// rest walks what follows, in body b, the part that holds a; true stops the walk.
func (w *walker) rest(b *body, a *access, d int) bool {
	i := partWith(b, a, d)
	it := &b.items[i]
	if it.run != nil {
		for j, x := range it.run {
			if x == a {
				for _, y := range it.run[j+1:] {
					if !w.visit(y, w.c.offset(y)) {
						return true
					}
				}
			}
		}
	}
	if it.cond != nil {
		branch := it.then
		if partWith(branch, a, d) < 0 {
			branch = it.els
		}
		if w.rest(branch, a, d) {
			return true
		}
	}
	return !w.c.walk(&body{items: b.items[i+1:]}, w.visit)
}

// partWith is the index of the item that holds a, whose loops from depth d on are inside b; −1 without.
func partWith(b *body, a *access, d int) int {
	for i := range b.items {
		it := &b.items[i]
		switch {
		case it.run != nil:
			for _, x := range it.run {
				if x == a {
					return i
				}
			}
		case it.loop != nil:
			if d < len(a.path) && a.path[d] == it.loop {
				return i
			}
		case partWith(it.then, a, d) >= 0 || partWith(it.els, a, d) >= 0:
			return i
		}
	}
	return -1
}
