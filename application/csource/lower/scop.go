package lower

import (
	"slices"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// scop lowers what lies between scop and endscop in a block, and says whether it ended within a pair. What
// stands before is followed only for the values of variables.
func (l *lowerer) scop(cs *cc.CompoundStatement, on bool) bool {
	list := tree.Items(cs)
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

// itemNode is the declaration or statement that an item of a block is.
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
	for _, p := range l.Facts.Before[n] {
		switch p.Kind {
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
	l.Quiet = true
	err := parse.Attempt(func() { l.block([]*cc.BlockItem{item}, nil, false); l.flush() })
	l.abandon(saved)
	if err != nil {
		l.forgetOutside(itemNode(item))
	}
}

// abandon ends the lowering of what is thrown away; only what is known of variables stays.
func (l *lowerer) abandon(saved lowerer) {
	saved.Ints, saved.Pointers, saved.Members, saved.Fields = l.Ints, l.Pointers, l.Members, l.Fields
	saved.Ranges, saved.Limits = l.Ranges, l.Limits
	clear(l.Inlining)
	*l = saved
	l.stmt, l.live, l.once = nil, nil, -1
}

// holdsScop says whether a #pragma scop stands somewhere within a node.
func (l *lowerer) holdsScop(n cc.Node) bool {
	found := false
	tree.Each(n, func(n cc.Node) bool {
		found = found || slices.ContainsFunc(l.Facts.Before[n], func(p *parse.Pragma) bool { return p.Kind == "scop" })
		return !found
	})
	return found
}

// forgetOutside drops what a statement may change; pointers fall back to what the file tells about them.
func (l *lowerer) forgetOutside(n cc.Node) {
	l.forget(n)
	for _, d := range l.Facts.Changed(n) {
		if d.Type().Kind() == cc.Ptr {
			delete(l.Pointers, d)
		} else if _, err := value.ConstantOf(l.Source, d, l.Warn, 0); err == nil {
			l.Ints.Delete(d)
		}
	}
}

// descend goes into the statement that holds the region.
func (l *lowerer) descend(s *cc.Statement) {
	l.forgetOutside(s)
	tree.Each(s, func(n cc.Node) bool {
		if cs, ok := n.(*cc.CompoundStatement); ok && l.holdsScop(cs) {
			l.scop(cs, false)
			return false
		}
		return true
	})
}
