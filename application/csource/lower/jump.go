package lower

import (
	"slices"
	"strings"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// jump lowers return and continue where nothing follows them, and takes jumps that depend on data as not made: both what they skip and what they lead
// to is counted.
func (l *lowerer) jump(j *cc.JumpStatement, tail bool) {
	word := j.Token.SrcStr()
	inLoop := l.loopsHere() > 0
	switch {
	case l.armEnds[j]:
		return
	case tail && l.leaves(j):
		if j.Case == cc.JumpStatementReturn {
			l.returns(j)
			l.flush()
		}
		l.exit(j, nil)
		l.gone = true
		return
	case j.Case == cc.JumpStatementReturn && tail && !inLoop:
		l.returns(j)
		return
	case j.Case == cc.JumpStatementContinue && tail && inLoop:
		return
	case j.Case == cc.JumpStatementGoto && !l.isForward(j):
		panic(&parse.Error{Pos: parse.Position(j), Message: "goto " + j.Token2.SrcStr() + " jumps back", Remedy: "write it as a loop, or " + parse.TraceRemedy, Whole: true})
	case j.Case == cc.JumpStatementGotoExpr:
	case j.Case == cc.JumpStatementReturn && !inLoop && !l.decided && l.labelBehind(j):
		l.returns(j)
		l.Warn(j, "what stands behind this return is reached by jumps that depend on data; it is counted as executed")
		return
	case l.onData > l.dataAround && l.leavesByData(j):
		return
	case l.onData > l.dataAround, j.Case == cc.JumpStatementGoto && !l.decided && l.labelBetween(j):
		l.Warn(j, "%s depends on data; what it skips is counted as executed", strings.TrimSuffix(tree.Text(j), ";"))
		return
	}
	if inLoop {
		l.Fail(j, parse.TraceRemedy, "%s in a loop: exits from loops are not read where they depend on loop variables or on nothing", word)
	}
	l.Fail(j, parse.TraceRemedy, "%s before the end", word)
}

// jumpedBack is the loop that a label at the begin of some statements makes with the only goto that leads to it, which stands further behind: do … while
// where that is made on a condition, a loop without end otherwise; and of how many statements it takes the place. Nil where there is none, or where a break
// or continue in it would change its meaning.
func (l *lowerer) jumpedBack(list []*cc.BlockItem) (*cc.BlockItem, int) {
	s := list[0].Statement
	if s.Case != cc.StatementLabeled || s.LabeledStatement.Case != cc.LabeledStatementLabel {
		return nil, 0
	}
	label := s.LabeledStatement
	name := label.Token.SrcStr()
	for i, item := range list {
		cond, ok := gotoIn(item, name)
		switch {
		case i == 0:
			continue
		case !ok && (item.Declaration != nil || item.Statement == nil):
			return nil, 0
		case !ok:
			continue
		}
		body := append([]*cc.BlockItem{{Case: cc.BlockItemStmt, Statement: label.Statement}}, list[1:i]...)
		if l.gotos(name) != 1 || slices.ContainsFunc(body, func(b *cc.BlockItem) bool { return parse.OwnJump(b.Statement) }) {
			return nil, 0
		}
		block := blockOf(body)
		block.CompoundStatement.Token = label.Token
		loop := &cc.IterationStatement{Case: cc.IterationStatementDo, ExpressionList: cond, Token: label.Token, Statement: block}
		if cond == nil {
			loop.Case = cc.IterationStatementFor
		}
		return &cc.BlockItem{Case: cc.BlockItemStmt, Statement: &cc.Statement{Case: cc.StatementIteration, IterationStatement: loop}}, i + 1
	}
	return nil, 0
}

// gotoIn is the condition of if (c) goto name; nil of goto name by itself, and false of anything else.
func gotoIn(item *cc.BlockItem, name string) (cond cc.ExpressionNode, ok bool) {
	s := item.Statement
	if s != nil && s.Case == cc.StatementSelection && s.SelectionStatement.Case == cc.SelectionStatementIf {
		cond, s = s.SelectionStatement.ExpressionList, s.SelectionStatement.Statement
	}
	if s != nil && s.Case == cc.StatementCompound {
		if all := tree.Items(s.CompoundStatement); len(all) == 1 {
			s = all[0].Statement
		}
	}
	return cond, s != nil && s.Case == cc.StatementJump && s.JumpStatement.Case == cc.JumpStatementGoto && s.JumpStatement.Token2.SrcStr() == name
}

// gotos counts those of the function that lead to a label.
func (l *lowerer) gotos(name string) (n int) {
	tree.Each(l.current.CompoundStatement, func(x cc.Node) bool {
		if s, ok := x.(*cc.Statement); ok && s.Case == cc.StatementJump && s.JumpStatement.Case == cc.JumpStatementGoto && s.JumpStatement.Token2.SrcStr() == name {
			n++
		}
		return true
	})
	return n
}

// labels are where those of a function stand, by name.
func (l *lowerer) labels() map[string]*cc.LabeledStatement {
	out := map[string]*cc.LabeledStatement{}
	if l.current == nil {
		return out
	}
	tree.Each(l.current.CompoundStatement, func(n cc.Node) bool {
		if s, ok := n.(*cc.Statement); ok && s.Case == cc.StatementLabeled && s.LabeledStatement.Case == cc.LabeledStatementLabel {
			out[s.LabeledStatement.Token.SrcStr()] = s.LabeledStatement
		}
		return true
	})
	return out
}

// isForward tells whether a goto leads to something behind it.
func (l *lowerer) isForward(j *cc.JumpStatement) bool {
	to := l.labels()[j.Token2.SrcStr()]
	return to != nil && before(j, to)
}

// labelBetween tells whether what a goto skips can be reached otherwise.
func (l *lowerer) labelBetween(j *cc.JumpStatement) bool {
	all := l.labels()
	to := all[j.Token2.SrcStr()]
	for _, s := range all {
		if s != to && before(j, s) && before(s, to) {
			return true
		}
	}
	return false
}

// labelBehind tells whether something behind a jump can be reached by another.
func (l *lowerer) labelBehind(j *cc.JumpStatement) bool {
	for _, s := range l.labels() {
		if before(j, s) {
			return true
		}
	}
	return false
}

// before tells whether a node stands before another in the file.
func before(a, b cc.Node) bool {
	p, q := parse.Position(a), parse.Position(b)
	return p.Line < q.Line || p.Line == q.Line && p.Column < q.Column
}

// arm is what a switch runs from a label on.
type arm struct {
	values []cc.ExpressionNode
	other  bool // default
	items  []*cc.BlockItem
}

// switches lowers a switch, with what follows it where its arms jump: on a value that is known or made of loop variables as if … else; of one on data all arms are counted.
func (l *lowerer) switches(sel *cc.SelectionStatement, tail bool, behind []*cc.BlockItem) {
	arms := l.arms(sel)
	outer := l.inSwitch
	l.inSwitch = true
	defer func() { l.inSwitch = outer }()
	run := func(a arm) func() { return func() { l.armRun(a, behind, outer, tail) } }
	c, err := l.TryInt(sel.ExpressionList)
	if err != nil {
		if err.Wrap {
			panic(err)
		}
		l.anyArm(sel, arms, run)
		return
	}
	l.lookUp(sel.ExpressionList, nil)
	var rest func(int) func()
	rest = func(i int) func() {
		return func() {
			for i < len(arms) && len(arms[i].values) == 0 {
				i++
			}
			if i < len(arms) {
				l.decide(sel, value.Normal(l.among(c, arms[i].values)), run(arms[i]), rest(i+1))
				return
			}
			i := slices.IndexFunc(arms, func(a arm) bool { return a.other })
			if i < 0 {
				run(arm{})()
				return
			}
			run(arms[i])()
		}
	}
	for _, a := range arms {
		if a.other && len(a.values) > 0 {
			l.Fail(sel, "write it as if … else, or "+parse.TraceRemedy, "a default that stands beside a case")
		}
	}
	rest(0)()
}

// among is the condition that a value is one of some constants.
func (l *lowerer) among(c *expr.Expr, values []cc.ExpressionNode) *expr.Expr {
	var out *expr.Expr
	for _, v := range values {
		is := expr.Binary(expr.OpEq, c, l.Int(v))
		if out == nil {
			out = is
		} else {
			out = expr.Binary(expr.OpOr, out, is)
		}
	}
	return out
}

// arms parts the body of a switch. An arm that does not end in a break goes on with the next one's statements.
func (l *lowerer) arms(sel *cc.SelectionStatement) []arm {
	if sel.Statement.Case != cc.StatementCompound {
		l.Fail(sel, "write it as if … else, or "+parse.TraceRemedy, "a switch without braces")
	}
	items := tree.Items(sel.Statement.CompoundStatement)
	var out []arm
	all := 0
	for i, item := range items {
		if a, ok := l.labelled(item); ok {
			a.items = elseRest(untilBreak(items[i:]))
			l.endArm(a.items)
			out = append(out, a)
			all += len(a.items)
			l.bounded(all) // each arm is lowered to its break, and one that falls through has those of the next ones as well
		} else if i == 0 {
			l.Fail(sel, parse.TraceRemedy, "a switch that begins without a label")
		}
	}
	return out
}

// labelled takes the labels of an item.
func (l *lowerer) labelled(item *cc.BlockItem) (a arm, ok bool) {
	for s := item.Statement; s != nil && s.Case == cc.StatementLabeled; s = s.LabeledStatement.Statement {
		switch x := s.LabeledStatement; x.Case {
		case cc.LabeledStatementCaseLabel:
			a.values, ok = append(a.values, x.ConstantExpression), true
		case cc.LabeledStatementDefault:
			a.other, ok = true, true
		case cc.LabeledStatementRange:
			l.Fail(x, "write it as if … else, or "+parse.TraceRemedy, "a range of cases")
		}
	}
	return a, ok
}

// untilBreak are the items up to the first break, which is left out.
func untilBreak(items []*cc.BlockItem) []*cc.BlockItem {
	for i, item := range items {
		s := item.Statement
		for s != nil && s.Case == cc.StatementLabeled {
			s = s.LabeledStatement.Statement
		}
		if s == nil {
			continue
		}
		if s.Case == cc.StatementJump && s.JumpStatement.Case == cc.JumpStatementBreak {
			return items[:i]
		}
		if s.Case == cc.StatementJump && s.JumpStatement.Case != cc.JumpStatementGoto || s.Case == cc.StatementCompound && lastBreak(s.CompoundStatement) != nil {
			return items[:i+1]
		}
	}
	return items
}

// elseRest writes if (c) { …; break; } … of an arm as if (c) { … } else { … }.
func elseRest(items []*cc.BlockItem) []*cc.BlockItem {
	for i, item := range items {
		if item.Statement == nil || i == len(items)-1 {
			continue
		}
		s := unlabelled(item.Statement)
		if s.Case != cc.StatementSelection || s.SelectionStatement.Case != cc.SelectionStatementIf {
			continue
		}
		then := itemsOf(s.SelectionStatement.Statement)
		last := len(then) - 1
		if last < 0 || then[last].Statement == nil || then[last].Statement.Case != cc.StatementJump || then[last].Statement.JumpStatement.Case != cc.JumpStatementBreak {
			continue
		}
		sel := *s.SelectionStatement
		sel.Case = cc.SelectionStatementIfElse
		sel.Statement, sel.Statement2 = blockOf(then[:last]), blockOf(elseRest(items[i+1:]))
		return append(slices.Clone(items[:i]), &cc.BlockItem{Case: cc.BlockItemStmt, Statement: &cc.Statement{Case: cc.StatementSelection, SelectionStatement: &sel}})
	}
	return items
}

// blockOf is a block of statements.
func blockOf(items []*cc.BlockItem) *cc.Statement {
	block := &cc.CompoundStatement{}
	for _, item := range slices.Backward(items) {
		block.BlockItemList = &cc.BlockItemList{BlockItem: item, BlockItemList: block.BlockItemList}
	}
	return &cc.Statement{Case: cc.StatementCompound, CompoundStatement: block}
}

// lastBreak is the break that a block's last statement is; nil where it is none.
func lastBreak(cs *cc.CompoundStatement) *cc.JumpStatement {
	items := tree.Items(cs)
	if len(items) == 0 {
		return nil
	}
	s := items[len(items)-1].Statement
	if s == nil || s.Case != cc.StatementJump || s.JumpStatement.Case != cc.JumpStatementBreak {
		return nil
	}
	return s.JumpStatement
}

// endArm notes the break that ends the block which an arm ends in: nothing of the arm follows it.
func (l *lowerer) endArm(items []*cc.BlockItem) {
	if len(items) == 0 {
		return
	}
	s := items[len(items)-1].Statement
	for s != nil && s.Case == cc.StatementLabeled {
		s = s.LabeledStatement.Statement
	}
	if s == nil || s.Case != cc.StatementCompound {
		return
	}
	if j := lastBreak(s.CompoundStatement); j != nil {
		l.armEnds[j] = true
	}
}

// anyArm counts all arms of a switch on data.
func (l *lowerer) anyArm(sel *cc.SelectionStatement, arms []arm, run func(arm) func()) {
	asked := len(*l.out)
	l.value(sel.ExpressionList).used = true
	l.flush()
	branch((*l.out)[asked:])
	l.onData++
	defer func() { l.onData-- }()
	before := l.Save()
	var all []nest.Node
	for _, a := range arms {
		after := l.Save()
		l.Restore(before)
		before = l.Save()
		all = append(all, l.collect(run(a))...)
		l.merge(nil, after)
	}
	if len(all) > 0 {
		l.Warn(sel, "the value %s is not known before the run; all cases are counted as executed", tree.Text(sel.ExpressionList))
	}
	*l.out = append(*l.out, all...)
}

// follows notes what stands behind the statement that comes next: labels to which a loop may be left, or nothing of the function.
func (l *lowerer) follows(rest []*cc.BlockItem, tail bool) {
	l.behind = map[string]bool{}
	if len(rest) > 0 {
		for s := rest[0].Statement; s != nil && s.Case == cc.StatementLabeled; s = s.LabeledStatement.Statement {
			if s.LabeledStatement.Case == cc.LabeledStatementLabel {
				l.behind[s.LabeledStatement.Token.SrcStr()] = true
			}
		}
	}
	l.lastLoop = tail && l.loopsHere() == 0 && !slices.ContainsFunc(rest, func(i *cc.BlockItem) bool {
		s := i.Statement
		return s == nil || s.Case != cc.StatementJump || s.JumpStatement.Case != cc.JumpStatementReturn || s.JumpStatement.ExpressionList != nil && tree.TouchesMemory(s.JumpStatement.ExpressionList)
	})
}

// endsIteration tells whether nothing behind a statement is run: it jumps.
func (l *lowerer) endsIteration(s *cc.Statement) bool {
	return unlabelled(s).Case == cc.StatementJump && l.loopsHere() > 0 && l.onData == l.dataAround
}

// unlabelled is a statement without the labels before it.
func unlabelled(s *cc.Statement) *cc.Statement {
	for s.Case == cc.StatementLabeled {
		s = s.LabeledStatement.Statement
	}
	return s
}

// skip lowers "if (c) goto l; …; l: …" up to the label as an if, where c is known, and gives how many of the items behind it that takes; -1: it is no such thing.
func (l *lowerer) skip(s *cc.Statement, rest []*cc.BlockItem) int {
	if s.Case != cc.StatementSelection || s.SelectionStatement.Case != cc.SelectionStatementIf || len(l.Facts.Before[s]) > 0 {
		return -1
	}
	items := itemsOf(s.SelectionStatement.Statement)
	if len(items) == 0 {
		return -1
	}
	j := items[len(items)-1].Statement
	if j == nil || j.Case != cc.StatementJump || j.JumpStatement.Case != cc.JumpStatementGoto {
		return -1
	}
	to := slices.IndexFunc(rest, func(i *cc.BlockItem) bool { return i.Statement != nil && i.Statement.Case == cc.StatementLabeled })
	if to < 0 || rest[to].Statement.LabeledStatement.Case != cc.LabeledStatementLabel || rest[to].Statement.LabeledStatement.Token.SrcStr() != j.JumpStatement.Token2.SrcStr() {
		return -1
	}
	if _, err := l.asked(s.SelectionStatement, s.SelectionStatement.ExpressionList, l.TryInt); err != nil {
		return -1
	}
	l.flush()
	l.branch(s.SelectionStatement, func() { l.block(items[:len(items)-1], nil, false) }, func() { l.block(rest[:to], nil, false) })
	l.flush()
	return to
}

// distribute lowers a condition that loop variables decide, and that holds jumps of the loop around it, with what follows it in each of its branches.
func (l *lowerer) distribute(s *cc.Statement, rest []*cc.BlockItem, end *cc.CompoundStatement) bool {
	if s.Case != cc.StatementSelection || len(rest) == 0 || l.loopsHere() <= 0 || len(l.Facts.Before[s]) > 0 || l.splits > maxSplits {
		return false
	}
	sel := s.SelectionStatement
	if !holdsJump(s, l.inSwitch, true) {
		return false
	}
	if _, err := l.asked(sel, sel.ExpressionList, l.TryInt); err != nil {
		return false
	}
	l.flush()
	l.splits++
	defer func() { l.splits-- }()
	if sel.Case == cc.SelectionStatementSwitch {
		l.switches(sel, true, rest)
		return true
	}
	side := func(s *cc.Statement) func() {
		return func() { l.block(slices.Concat(itemsOf(s), rest), end, true) }
	}
	l.branch(sel, side(sel.Statement), side(sel.Statement2))
	l.flush()
	return true
}

// itemsOf are the statements of a branch.
func itemsOf(s *cc.Statement) []*cc.BlockItem {
	switch {
	case s == nil:
		return nil
	case s.Case == cc.StatementCompound:
		return tree.Items(s.CompoundStatement)
	}
	return []*cc.BlockItem{{Case: cc.BlockItemStmt, Statement: s}}
}

// armRun lowers an arm of a switch, and what follows the switch where the arm does not jump.
func (l *lowerer) armRun(a arm, rest []*cc.BlockItem, outer, tail bool) {
	switch last := len(a.items) - 1; {
	case len(rest) == 0:
		l.block(a.items, nil, tail)
	case last >= 0 && a.items[last].Statement != nil && jumps(unlabelled(a.items[last].Statement)):
		l.block(a.items, nil, true)
	case slices.ContainsFunc(a.items, func(i *cc.BlockItem) bool { return i.Statement != nil && holdsJump(i.Statement, true, true) }):
		l.block(slices.Concat(a.items, rest), nil, true)
	default:
		l.block(a.items, nil, false)
		l.flush()
		l.inSwitch = outer
		l.block(rest, nil, true)
		l.inSwitch = true
	}
}
