package codegen

import (
	"strings"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// pairs are accesses to every other element, such as to the real and the imaginary parts of complex numbers: in vectors two of them are loaded, and shuffled into one for
// each part; what is stored is shuffled back, or stored one by one where the others are not.
type pairs struct {
	second map[*nest.Access]bool // of those, the ones to the second element
	both   map[*nest.Access]bool // and those whose other element is loaded, or stored, as well
}

// pairsOf finds the accesses of a loop that go on by two elements; false where there are none, or an access goes on by more.
func pairsOf(l *nest.Loop, statements []*nest.Stmt) (*pairs, bool) {
	p := &pairs{map[*nest.Access]bool{}, map[*nest.Access]bool{}}
	var all []*nest.Access
	for _, s := range statements {
		for _, a := range s.Accesses {
			switch step := a.Advance(l); {
			case step == 2*a.Size:
				all = append(all, a)
			case step != 0 && step != a.Size:
				return nil, false
			}
		}
	}
	for _, a := range all {
		for _, o := range all {
			if a.Object != o.Object || a.Write != o.Write {
				continue
			}
			if behind(a, o, a.Size) {
				p.second[o] = true
				p.both[a], p.both[o] = true, true
			}
		}
		if _, known := p.second[a]; !known {
			p.second[a] = false
		}
	}
	return p, len(all) > 0
}

// of says whether an access is one of a pair.
func (p *pairs) of(a *nest.Access) bool {
	if p == nil {
		return false
	}
	_, ok := p.second[a]
	return ok
}

// half is where one of the two vectors lies in which the elements of a pair are.
func (g *body) half(a *nest.Access, upper bool) string {
	moved := *a
	if g.pairs.second[a] {
		moved.Offset = expr.Binary(expr.OpSub, moved.Offset, expr.Int(a.Size))
	}
	if upper {
		moved.Offset = expr.Binary(expr.OpAdd, moved.Offset, expr.Int(int64(g.bytesOf(typeOfSize(a.Size)))))
	}
	return g.memory(&moved, g.register(a))
}

// loadPair loads every other element into a register.
func (g *body) loadPair(a *nest.Access, t nest.Type, to string) {
	shuffle := "vshuf" + g.suffix(typeOfSize(a.Size))
	if !g.pairs.both[a] { // nobody wants the others
		lower := g.fresh(t)
		g.emit("%s %s, %s", g.move(t), g.half(a, false), lower)
		g.emit("%s %s, %s, %s, %s", shuffle, number, g.half(a, true), lower, to)
	} else {
		lower, upper := g.bothHalves(a, t)
		g.emit("%s %s, %s, %s, %s", shuffle, number, upper, lower, to)
	}
	g.crossed(to)
}

// keyOfPair names the pair that an element is of.
func (g *body) keyOfPair(a *nest.Access) string {
	first := *a
	if g.pairs.second[a] {
		first.Offset = expr.Binary(expr.OpSub, first.Offset, expr.Int(a.Size))
	}
	key, _ := keyOf(&first)
	return key
}

// bothHalves are the registers of the two vectors in which the elements of a pair are, loaded where they are in none.
func (g *body) bothHalves(a *nest.Access, t nest.Type) (lower, upper string) {
	key := g.keyOfPair(a)
	names := [2]string{"=lower " + key, "=upper " + key}
	var out [2]string
	for i, name := range names {
		if out[i] = g.known[name]; out[i] == "" {
			m := g.half(a, i == 1)
			out[i] = g.remember(name)
			g.emit("%s %s, %s", g.move(t), m, out[i])
		}
	}
	return out[0], out[1]
}

// crossed puts quarters of a vector wider than a plain one in order, which shuffles leave within its halves.
func (g *body) crossed(register string) {
	if g.width > sse {
		g.emit("vpermpd %s, %s, %s", number, register, register)
	}
}

// storeEach stores every other element: the halves of a vector of two, or one number after another, shuffled to where it can be stored.
func (g *body) storeEach(a *nest.Access, t nest.Type, register string) {
	for k := range g.lanes {
		moved := *a
		moved.Offset = expr.Binary(expr.OpAdd, a.Offset, expr.Int(k*2*a.Size))
		from := register
		if k > 0 && (a.Size < 8 || g.lanes > 2) {
			from = g.fresh(t)
			g.emit("vshuf%s %s, %s, %s, %s", g.suffix(typeOfSize(a.Size)), number, register, register, from)
		}
		g.emit("vmov%s %s, %s", g.scalarSuffix(t), plain(from), g.memory(&moved, g.register(a)))
	}
}

// plain is the narrow register that a wide one begins with.
func plain(register string) string {
	for _, wide := range []string{"%ymm", "%zmm"} {
		if rest, ok := strings.CutPrefix(register, wide); ok {
			return "%xmm" + rest
		}
	}
	return register
}

// storePair stores the elements of a pair as two vectors, once the values of both are there.
func (g *body) storePair(a *nest.Access, t nest.Type, register string) {
	if !g.pairs.both[a] {
		g.storeEach(a, t, register)
		return
	}
	key := g.keyOfPair(a)
	first, waits := g.waiting[key]
	if !waits {
		g.waiting[key] = register
		return
	}
	delete(g.waiting, key)
	for i, side := range []string{"l", "h"} {
		to := g.fresh(t)
		g.emit("vunpck%s%s %s, %s, %s", side, g.suffix(typeOfSize(a.Size)), register, first, to)
		g.crossed(to)
		g.emit("%s %s, %s", g.move(t), to, g.half(a, i == 1))
	}
}
