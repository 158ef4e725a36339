package lower

import (
	"errors"
	"maps"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// left is what cannot be read and is left out: why, and the number of top-level nodes before it.
type left struct {
	pos nest.Pos
	err *parse.Error
	top int

	loops int // in it
}

// mayBeLeft says that something can be left out where it cannot be read: a loop or what a directive stands before, with all that is in it, and
// anything outside loops.
func (l *lowerer) mayBeLeft(n cc.Node) bool {
	s, ok := n.(*cc.Statement)
	if !ok {
		return l.loops == 0
	}
	return s.Case == cc.StatementIteration || l.loops == 0 && s.Case != cc.StatementCompound || len(l.Facts.Before[s]) > 0
}

// leaving lowers a statement or a declaration, and leaves it out where it cannot be read: it is named, and what it may change is not known any more.
func (l *lowerer) leaving(s cc.Node, f func()) {
	if !l.mayBeLeft(s) {
		f()
		return
	}
	restore := l.snapshot()
	err := parse.Attempt(f)
	if err == nil {
		return
	}
	if err.Whole {
		panic(err)
	}
	restore()
	l.forget(s)
	l.left = append(l.left, left{parse.Position(s), err, len(*l.root), l.loopsIn(s, map[*cc.FunctionDefinition]bool{})})
}

// loopsIn counts the loops of a statement or a declaration, and those of functions that it calls, each once.
func (l *lowerer) loopsIn(s cc.Node, seen map[*cc.FunctionDefinition]bool) (n int) {
	tree.Each(s, func(x cc.Node) bool {
		switch x := x.(type) {
		case *cc.Statement:
			if x.Case == cc.StatementIteration {
				n++
			}
		case *cc.PostfixExpression:
			if fd := l.Facts.ByName[tree.Callee(x)]; x.Case == cc.PostfixExpressionCall && fd != nil && !seen[fd] {
				seen[fd] = true
				n += l.loopsIn(fd.CompoundStatement, seen)
			}
		}
		return true
	})
	return n
}

// leftOut are the parts of some top-level nodes that are left out; of all, where the number of the node is negative. What touches no array
// is of no interest.
func (l *lowerer) leftOut(node int) []nest.Left {
	var all []nest.Left
	for _, x := range l.left {
		if node < 0 || x.top == node {
			reason := *x.err
			reason.Remedy = ""
			all = append(all, nest.Left{Pos: x.pos, Reason: reason.Error(), Loops: x.loops})
		}
	}
	return all
}

// lacking are the places for which parts cannot be read, or nothing can because of an error, that no value of a variable would help.
func (l *lowerer) lacking(e *parse.Error) (all []nest.Pos) {
	if e != nil && !e.Undefined && !e.Whole {
		all = append(all, e.Pos)
	}
	for _, x := range l.left {
		if !x.err.Undefined {
			all = append(all, x.err.Pos)
		}
	}
	return all
}

// unread is the error of a function of which nothing could be read, or of which something could be if it were told a value: all reasons, those that
// no value helps first.
func (l *lowerer) unread() error {
	var hopeless, undefined []error
	for _, x := range l.left {
		switch {
		case x.err.Undefined:
			undefined = append(undefined, x.err)
		default:
			hopeless = append(hopeless, x.err)
		}
	}
	if len(undefined) == 0 && hasLoop(*l.out) {
		return nil
	}
	all := distinct(append(hopeless, undefined...))
	return errors.Join(all[:min(len(all), parse.MaxErrors)]...)
}

// each lists the errors that one is made of.
func each(err error) []error {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		return several.Unwrap()
	}
	return []error{err}
}

// distinct drops errors that say what one before says.
func distinct(all []error) []error {
	seen := map[string]bool{}
	var out []error
	for _, err := range all {
		if !seen[err.Error()] {
			seen[err.Error()] = true
			out = append(out, err)
		}
	}
	return out
}

// hasLoop says whether there is a loop with accesses in some nodes.
func hasLoop(nodes []nest.Node) bool {
	found := false
	nest.Walk(nodes, func(n nest.Node) {
		if loop, ok := n.(*nest.Loop); ok && hasAccess(loop.Body) {
			found = true
		}
	})
	return found
}

// onlyLeft refuses a loop in which a loop is left out and none is there: what is left of it is not what it does.
func (l *lowerer) onlyLeft(before int, body []nest.Node) {
	if len(l.left) == before {
		return
	}
	loops := false
	nest.Walk(body, func(n nest.Node) {
		_, ok := n.(*nest.Loop)
		loops = loops || ok
	})
	if !loops {
		panic(l.left[before].err)
	}
}

// snapshot gives a function that brings the lowerer back to what it is now, but for the loop variables that were made since, whose numbers stay taken.
func (l *lowerer) snapshot() (restore func()) {
	saved, known, size := *l, l.Save(), len(*l.out)
	hidden, inside, inlining := maps.Clone(l.Hidden), maps.Clone(l.Inside), maps.Clone(l.Inlining)
	why, released, unstable := maps.Clone(l.Why), maps.Clone(l.Released), maps.Clone(l.Unstable)
	warned, opaque, rows := maps.Clone(l.Warned), maps.Clone(l.opaque), maps.Clone(l.Rows)
	return func() {
		ranges, limits := l.Ranges, l.Limits
		*l = saved
		l.Ranges, l.Limits = ranges, limits
		l.Restore(known)
		l.Hidden, l.Inside, l.Inlining = hidden, inside, inlining
		l.Why, l.Released, l.Unstable = why, released, unstable
		l.Warned, l.opaque, l.Rows = warned, opaque, rows
		*l.out = (*l.out)[:size]
		l.stmt, l.live, l.once = nil, nil, -1
	}
}

// setFirst tells whether nodes give a variable a value before they use the one that it has.
func setFirst(all []cc.Node, d *cc.Declarator) bool {
	set, used := false, false
	for _, n := range all {
		tree.Each(n, func(n cc.Node) bool {
			if set || used {
				return false
			}
			if to, v := parse.Assigns(n); to == d && v != nil && !tree.Mentions(v, d) {
				set = true
				return false
			}
			x, ok := n.(*cc.PrimaryExpression)
			used = ok && tree.Variable(x) == d && x.Case == cc.PrimaryExpressionIdent
			return true
		})
	}
	return set
}
