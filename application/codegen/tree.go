package codegen

import (
	"cmp"
	"maps"
	"slices"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// node is a *statement, *loop, *condition or *entered.
type node any

// statement is one of the region's, with values put in for the variables of loops that were unrolled.
type statement struct {
	stmt  *nest.Stmt
	block int32
}

// loop is one that is left.
type loop struct {
	loop  *nest.Loop
	block int32
	body  []node
}

type condition struct {
	cond      *expr.Expr
	then, els []node
	block     int32
}

// entered says that a block is executed once.
type entered struct{ block int32 }

// What gcc 12 unrolls whole (its manual, max-completely-peel-times and max-completely-peeled-insns, at -O3).
const (
	mostPeeled       = 16
	mostPeeledInsns  = 200
	insnsOfStatement = 4 // besides its operations. Chosen.
)

// trees makes nodes of a body.
func (b *builder) tree(nodes []nest.Node, block int32, values map[expr.Var]*expr.Expr) []node {
	var out []node
	for _, n := range nodes {
		switch n := n.(type) {
		case *nest.Stmt:
			if n.Lane != nest.OtherLane {
				out = append(out, &statement{substituted(n, values), block})
			}
		case *nest.Loop:
			out = append(out, b.loopTree(n, values)...)
		case *nest.If:
			cond := n.Cond.Substitute(values)
			if cond.Op == expr.OpConst {
				taken := n.Then
				if cond.K == 0 {
					taken = n.Else
				}
				out = append(out, b.tree(taken, block, values)...)
				continue
			}
			out = append(out, &condition{cond, b.tree(n.Then, block, values), b.tree(n.Else, block, values), block})
		case *nest.Parallel:
			out = append(out, b.construct(n, n.Body, values)...)
		case *nest.Single:
			out = append(out, b.construct(n, n.Body, values)...)
		case *nest.Critical:
			out = append(out, b.construct(n, n.Body, values)...)
		}
	}
	return out
}

func (b *builder) construct(n nest.Node, body []nest.Node, values map[expr.Var]*expr.Expr) []node {
	block := b.blocks.other[n]
	return append([]node{&entered{block}}, b.tree(body, block, values)...)
}

// loopTree is a loop, or its iterations where they are few and gcc puts them one after another.
func (b *builder) loopTree(l *nest.Loop, values map[expr.Var]*expr.Expr) []node {
	block := b.blocks.loops[l]
	own := *l
	own.Lo, own.Hi = l.Lo.Substitute(values), l.Hi.Substitute(values)
	if n, ok := trip(&own); ok && l.Work == nil && b.unrolls(n, l.Body) {
		var out []node
		with := maps.Clone(values)
		if with == nil {
			with = map[expr.Var]*expr.Expr{}
		}
		for i := range n {
			with[l.Var] = expr.Int(own.Lo.K + i*l.Step)
			out = append(out, &entered{block})
			out = append(out, b.tree(l.Body, block, maps.Clone(with))...)
		}
		return out
	}
	return []node{&loop{&own, block, b.tree(clamped(l.Body, l.Var), block, values)}}
}

// unrolls says whether gcc unrolls a loop of so many iterations whole.
func (b *builder) unrolls(n int64, body []nest.Node) bool {
	if b.target.Level < 3 || n > mostPeeled {
		return false
	}
	insns := int64(0)
	nest.Walk(body, func(x nest.Node) {
		if s, ok := x.(*nest.Stmt); ok {
			insns += int64(len(s.Flow)+len(s.Accesses)) + insnsOfStatement
		}
		if inner, ok := x.(*nest.Loop); ok {
			if m, ok := trip(inner); !ok || m > mostPeeled {
				insns = mostPeeledInsns + 1
			} else {
				insns *= max(m, 1)
			}
		}
	})
	return insns*n <= mostPeeledInsns
}

// trip is how many iterations a loop has; false where that depends on others, or a compiler does not see it.
func trip(l *nest.Loop) (int64, bool) {
	if l.Unseen {
		return 0, false
	}
	if l.Lo.Op == expr.OpConst && l.Hi.Op == expr.OpConst {
		return max(0, (l.Hi.K-l.Lo.K)/l.Step+1), (l.Hi.K-l.Lo.K)/l.Step >= -1
	}
	lo, okLo := expr.AffineOf(l.Lo)
	hi, okHi := expr.AffineOf(l.Hi)
	if !okLo || !okHi {
		return 0, false
	}
	d := hi.Plus(lo, -1)
	if len(d.Terms) > 0 {
		return 0, false
	}
	return max(0, d.K/l.Step+1), true
}

// substituted is a statement with values put in.
func substituted(s *nest.Stmt, values map[expr.Var]*expr.Expr) *nest.Stmt {
	if len(values) == 0 {
		return s
	}
	own := *s
	own.Accesses = make([]*nest.Access, len(s.Accesses))
	for i, a := range s.Accesses {
		x := *a
		x.Offset = a.Offset.Substitute(values)
		own.Accesses[i] = &x
	}
	return &own
}

// byUse are scalars, the one that is used most first.
func byUse(uses map[int]float64) []int {
	return slices.SortedFunc(maps.Keys(uses), func(a, b int) int { return cmp.Or(cmp.Compare(uses[b], uses[a]), cmp.Compare(a, b)) })
}

// innermost says whether a body has no loops and no conditions.
func innermost(body []node) (statements []*nest.Stmt, ok bool) {
	for _, n := range body {
		switch n := n.(type) {
		case *statement:
			statements = append(statements, n.stmt)
		case *entered:
		default:
			return nil, false
		}
	}
	return statements, len(statements) > 0
}
