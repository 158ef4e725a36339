package lower

import (
	"fmt"
	"maps"
	"slices"

	"foresee/application/csource"
	"foresee/application/csource/value"
	"foresee/application/ir/place"
	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// whereabouts is where an object begins that was made before the region: in which of the pieces of memory that a run met, and how many bytes behind the
// first pointer that it met there.
type whereabouts struct {
	place     csource.Place // of the pointer that tells it
	piece, at int64
}

// overlap is of two pointers, by the names of what they lead to: the second leads so many bytes behind the first, to bytes that both access.
type overlap struct {
	first, second string
	apart         int64
}

func (o overlap) String() string {
	if o.apart == 0 {
		return fmt.Sprintf("%s and %s are the same array in the run", o.first, o.second)
	}
	return fmt.Sprintf("%s and %s overlap in the run: they are one array, %[1]s", o.first, o.second)
}

// A value that tells where a pointer leads is pieceSize times the piece, and how far behind.
const pieceSize = int64(1) << 48

// whereAt is what such a value tells; false of a null pointer.
func whereAt(p csource.Place, told int64) (whereabouts, bool) {
	piece := (told + pieceSize/2) / pieceSize
	return whereabouts{p, piece, told - piece*pieceSize}, piece > 0
}

// met is the pointer to the begin of an object that a function finds by a name of its own, where the analysis knows no other that it could be: one that the run
// told to overlap with another one is that.
func (l *lowerer) met(function, name string, o *object) val {
	fresh := val{kind: pointer, o: o, e: expr.Int(0)}
	if l.tells == nil {
		return fresh
	}
	l.align(function, name, o)
	at := place.WhereOf(function, name)
	n, told := l.tells.told[at]
	if l.tells.asks {
		l.tells.at(at, "")
		return fresh
	}
	w, ok := whereAt(at, n)
	if !told || !ok {
		return fresh
	}
	if l.tells.overlap[at] {
		l.tells.at(at, "")
		if first, there := l.pieces[w.piece]; there {
			first.e = plus(first.e, expr.Int(w.at))
			l.tells.overlaps = append(l.tells.overlaps, overlap{shown(first.o), shown(o), first.e.K})
			return first
		}
		if l.pieces == nil {
			l.pieces = map[int64]val{}
		}
		l.pieces[w.piece] = val{kind: pointer, o: o, e: expr.Int(-w.at)}
	}
	if l.whereabouts == nil {
		l.whereabouts = map[*nest.Object]whereabouts{}
	}
	l.whereabouts[o.Object] = w
	return fresh
}

// align notes where in a line an object begins, as a run told of the pointer to it.
func (l *lowerer) align(function, name string, o *object) {
	n, told := l.tells.at(place.PhaseOf(function, name), "")
	if !told || l.tells.asks || n <= 0 || n >= place.LineBytes {
		return
	}
	if l.phases == nil {
		l.phases = map[*nest.Object]int64{}
	}
	l.phases[o.Object] = n
}

// aligned moves what a program accesses to where in lines its arrays begin.
func (l *lowerer) aligned(p *nest.Program) {
	nest.Walk(p.Body, func(n nest.Node) {
		if s, ok := n.(*nest.Stmt); ok {
			for _, a := range s.Accesses {
				if n := l.phases[a.Object]; n > 0 {
					a.Offset = value.Normal(plus(a.Offset, expr.Int(n)))
				}
			}
		}
	})
}

// metInMemory is a pointer that was loaded, to an object that was made before the region: see met.
func (l *lowerer) metInMemory(f *frame, in *text.Inst, p, v val) val {
	if v.kind != pointer || v.o == nil || !v.o.outside || v.o.met || in.Name == "" {
		return v
	}
	v.o.met = true
	if first, there := p.o.first[p.e.K]; !there || p.e.Op != expr.OpConst || first.o != v.o {
		return v
	}
	if met := l.met(f.f.Name, "%"+in.Name, v.o); met.o != v.o {
		l.begins(p.o, p.e.K, in.Type, met)
		return met
	}
	return v
}

// overlapping are the places that tell of objects of a function which overlap with others as far as it accesses them.
func (l *lowerer) overlapping(nodes []nest.Node) map[csource.Place]bool {
	reach := map[*nest.Object]expr.Range{}
	nest.Walk(nodes, func(n nest.Node) {
		s, ok := n.(*nest.Stmt)
		if !ok {
			return
		}
		for _, a := range s.Accesses {
			w, told := l.whereabouts[a.Object]
			if !told {
				continue
			}
			of := l.interval(a.Offset)
			of = expr.Range{Lo: max(of.Lo, -pieceSize) + w.at, Hi: min(of.Hi, pieceSize) + w.at + a.Size}
			if old, there := reach[a.Object]; there {
				of = expr.Range{Lo: min(of.Lo, old.Lo), Hi: max(of.Hi, old.Hi)}
			}
			reach[a.Object] = of
		}
	})
	overlap := map[csource.Place]bool{}
	for a, ofA := range reach {
		for b, ofB := range reach {
			if a != b && l.whereabouts[a].piece == l.whereabouts[b].piece && ofA.Lo < ofB.Hi && ofB.Lo < ofA.Hi {
				overlap[l.whereabouts[a].place] = true
			}
		}
	}
	return overlap
}

// onlyOne forgets the place that tells where a pointer of a region leads, where there is no other.
func onlyOne(asked map[csource.Place]bool) {
	where := slices.DeleteFunc(slices.Collect(maps.Keys(asked)), func(p csource.Place) bool {
		_, form := place.ValueAt(p)
		return form != place.Where
	})
	if len(where) == 1 {
		delete(asked, where[0])
	}
}
