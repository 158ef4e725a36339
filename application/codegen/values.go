package codegen

import (
	"fmt"
	"strings"

	"foresee/application/nest"
)

// place names an operation: a statement, and which of its operations.
type place struct {
	stmt *nest.Stmt
	n    int
}

// numbers tell which operations of a loop's body give the same value, and which give the same in each iteration (value numbering, and the motion
// of what is invariant).
type numbers struct {
	names  map[place]string
	counts map[string]int
	still  []place // in order
	stays  map[place]bool
}

// valuesOf numbers the values of an innermost loop's body.
func (b *builder) valuesOf(statements []*nest.Stmt, kept map[string]*keptElement) *numbers {
	v := &numbers{names: map[place]string{}, counts: map[string]int{}, stays: map[place]bool{}}
	if large(statements) {
		return v
	}
	set := map[int]bool{}
	for _, s := range statements {
		for _, op := range s.Flow {
			if op.Out.Kind == nest.Scalar {
				set[op.Out.N] = true
			}
		}
	}
	scalars, writes := map[int]string{}, []*nest.Access{}
	for _, s := range statements {
		for i := range s.Flow {
			op := &s.Flow[i]
			at := place{s, i}
			parts := []string{fmt.Sprintf("%d.%d.%s.%v", op.Kind, op.Type, op.Name, op.Minus)}
			same, stays := true, !b.target.calls(op) && op.Kind != nest.Compare && op.Kind != nest.Move && op.Kind != nest.Lookup && len(op.Args) > 0
			for _, a := range op.Args {
				switch a.Kind {
				case nest.Temp:
					parts = append(parts, v.names[place{s, a.N}])
					stays = stays && v.stays[place{s, a.N}]
				case nest.Scalar:
					name, ok := scalars[a.N]
					if !ok {
						name = fmt.Sprintf("s%d", a.N)
					}
					parts = append(parts, name)
					stays = stays && !set[a.N]
				case nest.Load:
					x := s.Accesses[a.N]
					key, ok := keyOf(x)
					version := 0
					for _, w := range writes {
						if w.Object == x.Object && meets(x, w) || mayAlias(x.Object, w.Object) {
							version++
						}
					}
					parts = append(parts, fmt.Sprintf("%s/%d", key, version))
					same = same && ok
					e := kept[key]
					stays = stays && ok && e != nil && !e.written && e.carried == nil
				default: // constants have no names
					same = false
					stays = stays && op.Type.IsFloat() && a != counter
				}
			}
			name := strings.Join(parts, " ")
			if !same {
				name += fmt.Sprintf(" %p.%d", s, i)
			}
			v.names[at], v.stays[at] = name, stays
			v.counts[name]++
			if stays {
				v.still = append(v.still, at)
			}
			switch op.Out.Kind {
			case nest.Scalar:
				scalars[op.Out.N] = name
			case nest.Store:
				writes = append(writes, s.Accesses[op.Out.N])
			}
		}
	}
	return v
}

// hoist emits in front of a loop what stays the same in it, and gives the registers where it is.
func (b *builder) hoist(g *body, v *numbers, given int) map[place]int {
	out := map[place]int{}
	if b.target.Level == 0 {
		return out
	}
	most := b.mostKept()
	for _, at := range v.still {
		if g.stmt != at.stmt {
			g.begin(at.stmt)
		}
		op := at.stmt.Flow[at.n]
		op.Out = nest.Value{}
		r := &g.temps[at.n]
		r.typ, r.of = op.Type, &op
		switch {
		case op.Kind == nest.Convert:
			g.convert(&op, r)
		case op.Type.IsFloat():
			g.float(&op, r)
		default:
			g.whole(&op, r)
		}
		out[at] = constants
		if op.Type.IsFloat() && given < most {
			out[at] = firstKept + given
			g.copy(op.Type, r.register, vector(firstKept+given, sse))
			given++
		}
	}
	return out
}

// mostKept is how many registers a loop may keep.
func (b *builder) mostKept() int {
	if b.target.Vector >= avx512 {
		return manyKept
	}
	return fewKept
}
