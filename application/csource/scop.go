package csource

import (
	"slices"

	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// scop lowers what lies between scop and endscop in a block, and says whether it ended within a pair. What
// stands before is followed only for the values of variables.
func (l *lowerer) scop(cs *cc.CompoundStatement, on bool) bool {
	list := items(cs)
	for i, item := range list {
		n := itemNode(item)
		if n == nil {
			continue
		}
		if on = l.mark(n, on); on {
			l.block(list[i:i+1], nil, false)
			l.flush()
			continue
		}
		l.outside(item)
	}
	return l.mark(cs, on)
}

func itemNode(item *cc.BlockItem) cc.Node {
	switch {
	case item.Declaration != nil:
		return item.Declaration
	case item.Statement != nil:
		return item.Statement
	}
	return nil
}

// mark applies the scop marks before a node.
func (l *lowerer) mark(n cc.Node, on bool) bool {
	for _, p := range l.f.before[n] {
		switch p.kind {
		case "scop":
			on = true
		case "endscop":
			on = false
		}
	}
	return on
}

// outside follows a statement that is not part of the region, unless the region lies within.
func (l *lowerer) outside(item *cc.BlockItem) {
	if s := item.Statement; s != nil {
		if l.holdsScop(s) {
			l.descend(s)
			return
		}
		if s.Case != cc.StatementExpr {
			l.forgetOutside(s)
			return
		}
	}
	saved := *l
	l.out = new([]nest.Node)
	l.quiet = true
	err := attempt(func() { l.block([]*cc.BlockItem{item}, nil, false); l.flush() })
	l.abandon(saved)
	if err != nil {
		l.forgetOutside(itemNode(item))
	}
}

// abandon ends the lowering of what is thrown away; only what is known of variables stays.
func (l *lowerer) abandon(saved lowerer) {
	saved.ints, saved.pointers, saved.members, saved.fields = l.ints, l.pointers, l.members, l.fields
	saved.ranges, saved.limits = l.ranges, l.limits
	clear(l.inlining)
	*l = saved
	l.stmt, l.live, l.once = nil, nil, -1
}

func (l *lowerer) holdsScop(n cc.Node) bool {
	found := false
	each(n, func(n cc.Node) bool {
		found = found || slices.ContainsFunc(l.f.before[n], func(p *pragma) bool { return p.kind == "scop" })
		return !found
	})
	return found
}

// forgetOutside drops what a statement may change; pointers fall back to what the file tells about them.
func (l *lowerer) forgetOutside(n cc.Node) {
	l.forget(n)
	for _, d := range l.f.changed(n) {
		if d.Type().Kind() == cc.Ptr {
			delete(l.pointers, d)
		} else if _, err := l.s.constantOf(d, l.warn, 0); err == nil {
			delete(l.ints, d)
		}
	}
}

// descend goes into the statement that holds the region.
func (l *lowerer) descend(s *cc.Statement) {
	l.forgetOutside(s)
	each(s, func(n cc.Node) bool {
		if cs, ok := n.(*cc.CompoundStatement); ok && l.holdsScop(cs) {
			l.scop(cs, false)
			return false
		}
		return true
	})
}
