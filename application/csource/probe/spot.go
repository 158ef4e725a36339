package probe

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// spot is the statement or declaration of a block before which a value is told.
type spot struct {
	pos    nest.Pos
	inside *cc.FunctionDefinition
	begins bool // it is the begin of the function's body
}

// want is an expression whose value is lacking, or a form that has it for %[1]s: then what it points at matters as well.
type want struct {
	cc.ExpressionNode
	form string
}

// table tells whether all elements of an array are wanted.
func (w want) table() bool { return strings.HasPrefix(w.form, "foresee_table(") }

func (w want) text() string {
	text := tree.Text(w.ExpressionNode)
	if w.form == "" {
		return text
	}
	return fmt.Sprintf(w.form, text)
}

// Spots finds where a source can tell values, each once.
type Spots struct {
	facts *parse.Facts
	found map[want]*spot
	loops map[*cc.IterationStatement]*counted
}

// NewSpots finds spots in a source of which this is known.
func NewSpots(f *parse.Facts) *Spots {
	return &Spots{facts: f, found: map[want]*spot{}, loops: map[*cc.IterationStatement]*counted{}}
}

// of is the outermost place from which on the value of a variable, member or element is what it is where it is used; nil where there is none, such
// as in a loop that changes it.
func (s *Spots) of(e want) *spot {
	if at, ok := s.found[e]; ok {
		return at
	}
	var at *spot
	for _, fd := range s.facts.Functions {
		if within(fd.CompoundStatement, e.ExpressionNode) {
			at = s.inFunction(fd, e)
			break
		}
	}
	if at == nil && e.form == "" {
		at = s.sizeOfParameter(e)
	}
	s.found[e] = at
	return at
}

// sizeOfParameter is where a parameter is told that stands in the size of another one, which is looked at before the body: at its begin. Nil for all else.
func (s *Spots) sizeOfParameter(e want) *spot {
	d := tree.Variable(e.ExpressionNode)
	if d == nil || !d.IsParam() {
		return nil
	}
	for _, fd := range s.facts.Functions {
		t, ok := fd.Declarator.Type().(*cc.FunctionType)
		if ok && !within(fd.CompoundStatement, e.ExpressionNode) && slices.ContainsFunc(t.Parameters(), func(p *cc.Parameter) bool { return p.Declarator == d }) {
			return &spot{parse.PositionOf(&fd.CompoundStatement.Token), fd, true}
		}
	}
	return nil
}

func (s *Spots) inFunction(fd *cc.FunctionDefinition, e want) *spot {
	if hasCall(e.ExpressionNode) || s.changesInLoop(fd, e) {
		return nil
	}
	if at := s.first(fd, e, e.mayFault()); at != nil || e.form != "" || !memberBehind.MatchString(e.text()) {
		return at
	}
	return s.first(fd, e, false)
}

// first is the outermost place of a function where what an expression is made of is what it is where it stands; where it may fault, no condition is between.
func (s *Spots) first(fd *cc.FunctionDefinition, e want, mayFault bool) *spot {
	ok := func(n cc.Node) bool { return !s.changes(n, e) && (!mayFault || !conditional(n, e.ExpressionNode)) }
	if ok(fd.CompoundStatement) {
		return &spot{parse.PositionOf(&fd.CompoundStatement.Token), fd, true}
	}
	for _, n := range itemsAround(fd.CompoundStatement, e.ExpressionNode) {
		if ok(n) {
			return &spot{pos: parse.Position(n), inside: fd}
		}
	}
	return nil
}

// loop is where a loop can be counted: before it, and at the begin of its body; nil where it is no statement of a block by itself.
func (s *Spots) loop(it *cc.IterationStatement) *counted {
	if at, ok := s.loops[it]; ok {
		return at
	}
	var at *counted
	for _, fd := range s.facts.Functions {
		tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
			block, ok := n.(*cc.CompoundStatement)
			if !ok {
				return at == nil
			}
			for _, i := range tree.Items(block) {
				if i.Statement != nil && i.Statement.IterationStatement == it {
					at = &counted{parse.Position(i.Statement), parse.Position(it.Statement)}
				}
			}
			return at == nil
		})
	}
	s.loops[it] = at
	return at
}

// counted is a loop whose iterations are counted.
type counted struct{ pos, body nest.Pos }

// itemsAround are the statements and declarations of blocks in which an expression stands, outermost first.
func itemsAround(block *cc.CompoundStatement, e cc.ExpressionNode) []cc.Node {
	var all []cc.Node
	for block != nil {
		var item cc.Node
		for _, i := range tree.Items(block) {
			switch {
			case i.Declaration != nil && within(i.Declaration, e):
				item = i.Declaration
			case i.Statement != nil && within(i.Statement, e):
				item = i.Statement
			}
		}
		if item == nil {
			return all
		}
		if s, ok := item.(*cc.Statement); !ok || s.Case != cc.StatementCompound {
			all = append(all, item)
		}
		block = blockIn(item, e)
	}
	return all
}

// blockIn is the outermost block in a node in which an expression stands.
func blockIn(n cc.Node, e cc.ExpressionNode) *cc.CompoundStatement {
	var found *cc.CompoundStatement
	tree.Each(n, func(n cc.Node) bool {
		if b, ok := n.(*cc.CompoundStatement); ok && found == nil && within(b, e) {
			found = b
		}
		return found == nil
	})
	return found
}

// within tells whether an expression stands in a node.
func within(n cc.Node, e cc.ExpressionNode) bool {
	found := false
	tree.Each(n, func(n cc.Node) bool {
		found = found || n == cc.Node(e)
		return !found
	})
	return found
}

// hasCall tells whether an expression calls a function or changes something: it is not evaluated once more.
func hasCall(e cc.ExpressionNode) bool {
	found := tree.HasEffects(e)
	tree.Each(e, func(n cc.Node) bool {
		p, ok := n.(*cc.PostfixExpression)
		found = found || ok && p.Case == cc.PostfixExpressionCall
		return !found
	})
	return found
}

// memberBehind is a member of a structure that a variable points at. It is asked for where that is not NULL, also where only conditions lead to it, if nothing
// else can.
var memberBehind = regexp.MustCompile(`^\(?([A-Za-z_]\w*)\)?->[A-Za-z_]\w*$`)

// mayFault tells whether evaluating it may end the program: it follows a pointer, or has a subscript.
func (w want) mayFault() bool {
	found := w.form != "" && !w.table()
	tree.Each(w.ExpressionNode, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.PostfixExpression:
			found = found || x.Case == cc.PostfixExpressionIndex || x.Case == cc.PostfixExpressionPSelect
		case *cc.UnaryExpression:
			found = found || x.Case == cc.UnaryExpressionDeref
		}
		return !found
	})
	return found
}

// conditional tells whether an expression in a node is evaluated only where a condition holds.
func conditional(n cc.Node, e cc.ExpressionNode) bool {
	found := false
	side := func(n cc.Node) { found = found || n != nil && within(n, e) }
	tree.Each(n, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.Statement:
			if x.Case == cc.StatementSelection {
				side(x.SelectionStatement.Statement)
				if x.SelectionStatement.Statement2 != nil {
					side(x.SelectionStatement.Statement2)
				}
			}
		case *cc.ConditionalExpression:
			side(x.ConditionalExpression)
			if x.ExpressionList != nil {
				side(x.ExpressionList)
			}
		case *cc.LogicalAndExpression, *cc.LogicalOrExpression:
			_, b, _ := tree.Operands(x.(cc.ExpressionNode))
			side(b)
		}
		return !found
	})
	return found
}

// changesInLoop tells whether a loop around an expression changes it.
func (s *Spots) changesInLoop(fd *cc.FunctionDefinition, e want) bool {
	found := false
	tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
		l, ok := n.(*cc.Statement)
		found = found || ok && l.Case == cc.StatementIteration && within(l, e.ExpressionNode) && s.changes(l, e)
		return !found
	})
	return found
}

// changes tells whether running a node may change what an expression is made of.
func (s *Spots) changes(n cc.Node, e want) bool {
	variables, members, elements := partsOf(e.ExpressionNode)
	elements = elements || e.form != ""
	if slices.ContainsFunc(s.facts.Changed(n), func(d *cc.Declarator) bool { return slices.Contains(variables, d) }) {
		return true
	}
	if len(members) == 0 && !elements {
		return false
	}
	found := false
	tree.Each(n, func(n cc.Node) bool {
		if m, ok := parse.AssignedMember(n).(*cc.PostfixExpression); ok {
			found = found || slices.Contains(members, m.Token2.SrcStr())
		}
		if p, ok := n.(*cc.PostfixExpression); ok && p.Case == cc.PostfixExpressionCall {
			found = found || e.table() && s.sets(p, variables, map[*cc.FunctionDefinition]bool{})
			found = found || slices.ContainsFunc(s.facts.MemberEffects(tree.Callee(p)), func(m string) bool { return slices.Contains(members, m) })
		}
		if target, _ := parse.Assigned(n); target != nil && elements && tree.IsPointer(target.Type()) == (e.form != "" && !e.table()) {
			found = found || isElementOf(target, variables, members)
		}
		return !found
	})
	return found
}

// isElementOf tells an element of what some variables, or these members of theirs, hold or point at; what its subscripts are made of does not matter.
func isElementOf(e cc.ExpressionNode, variables []*cc.Declarator, members []string) bool {
	subscript, through := false, ""
	for {
		e = tree.Uncast(e)
		switch n := e.(type) {
		case *cc.PostfixExpression:
			switch n.Case {
			case cc.PostfixExpressionIndex:
				e, _ = tree.Subscript(n)
				subscript = true
				continue
			case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
				subscript = subscript || n.Case == cc.PostfixExpressionPSelect
				if through == "" {
					through = n.Token2.SrcStr()
				}
				e = n.PostfixExpression
				continue
			}
		case *cc.UnaryExpression:
			if n.Case == cc.UnaryExpressionDeref {
				e, subscript = n.CastExpression, true
				continue
			}
		case *cc.AdditiveExpression:
			if e = n.AdditiveExpression; !tree.IsPointer(e.Type()) {
				e = n.MultiplicativeExpression
			}
			continue
		}
		shared := through == "" || len(members) == 0 || slices.Contains(members, through)
		other, _, _ := partsOf(e)
		return subscript && shared && slices.ContainsFunc(other, func(d *cc.Declarator) bool { return slices.Contains(variables, d) })
	}
}

// sets tells whether a call may set integers in arrays that some variables hold or point at.
func (s *Spots) sets(call *cc.PostfixExpression, variables []*cc.Declarator, seen map[*cc.FunctionDefinition]bool) bool {
	fd := s.facts.ByName[tree.Callee(call)]
	reaches := func(e cc.ExpressionNode) bool {
		inside, _, _ := partsOf(e)
		return tree.IsPointer(e.Type()) && slices.ContainsFunc(inside, func(d *cc.Declarator) bool { return slices.Contains(variables, d) })
	}
	if fd == nil {
		return tree.Callee(call) != "printf" && slices.ContainsFunc(tree.Arguments(call), reaches)
	}
	if seen[fd] {
		return false
	}
	seen[fd] = true
	inside := slices.Clone(variables)
	if t, ok := fd.Declarator.Type().(*cc.FunctionType); ok {
		for i, a := range tree.Arguments(call) {
			if i < len(t.Parameters()) && t.Parameters()[i].Declarator != nil && reaches(a) {
				inside = append(inside, t.Parameters()[i].Declarator)
			}
		}
	}
	found := false
	tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
		if target, _ := parse.Assigned(n); target != nil && tree.IsInteger(target.Type()) {
			found = found || isElementOf(target, inside, nil)
		}
		if p, ok := n.(*cc.PostfixExpression); ok && p.Case == cc.PostfixExpressionCall {
			found = found || s.sets(p, inside, seen)
		}
		return !found
	})
	return found
}

// partsOf are the variables and the names of members that an expression is made of; elements: it has subscripts, or follows pointers.
func partsOf(e cc.ExpressionNode) (variables []*cc.Declarator, members []string, elements bool) {
	tree.Each(e, func(n cc.Node) bool {
		if x, ok := n.(cc.ExpressionNode); ok {
			if d := tree.Variable(x); d != nil {
				variables = append(variables, d)
			}
		}
		switch x := n.(type) {
		case *cc.PostfixExpression:
			switch x.Case {
			case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
				members = append(members, x.Token2.SrcStr())
			case cc.PostfixExpressionIndex:
				elements = true
			}
		case *cc.UnaryExpression:
			elements = elements || x.Case == cc.UnaryExpressionDeref
		}
		return true
	})
	return variables, members, elements
}
