package lower

import (
	"maps"
	"slices"
	"strings"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// block lowers the items of a compound statement from the first on; tail says that nothing follows it in the
// function or loop body, so that continue and return only skip the rest.
func (l *lowerer) block(list []*cc.BlockItem, end *cc.CompoundStatement, tail bool) {
	for i, item := range list {
		last := tail && i == len(list)-1
		switch {
		case item.Declaration != nil:
			l.directives(item.Declaration, nil)
			l.leaving(item.Declaration, func() { l.declare(item.Declaration) })
		case item.Statement != nil:
			if loop, n := l.jumpedBack(list[i:]); loop != nil {
				l.block(append([]*cc.BlockItem{loop}, list[i+n:]...), end, tail)
				return
			}
			if n := l.skip(item.Statement, list[i+1:]); n >= 0 {
				l.block(list[i+1+n:], end, tail)
				return
			}
			if tail && (l.guard(item.Statement, list[i+1:], end) || l.distribute(item.Statement, list[i+1:], end)) {
				return
			}
			l.follows(list[i+1:], tail)
			ends := tail && l.endsIteration(item.Statement)
			l.statement(item.Statement, last || ends)
			if ends || l.gone {
				return
			}
		case item.Case == cc.BlockItemFuncDef:
			l.Fail(item, "move it to the file's level", "a function within a function")
		}
	}
	if end != nil {
		l.directives(end, nil)
	}
}

// statement lowers one statement with the pragmas before it.
func (l *lowerer) statement(s *cc.Statement, tail bool) {
	l.flush()
	l.follow(s)
	l.leaving(s, func() {
		l.directives(s, func() { l.plain(s, tail) })
		l.flush()
	})
}

// plain lowers a statement that no pragma stands before; tail says that nothing comes after it in its function.
func (l *lowerer) plain(s *cc.Statement, tail bool) {
	switch s.Case {
	case cc.StatementCompound:
		l.block(tree.Items(s.CompoundStatement), s.CompoundStatement, tail)
	case cc.StatementExpr:
		if e := s.ExpressionStatement.ExpressionList; e != nil {
			l.lane = parse.VectorLane(e)
			l.effect(e)
			l.lane = nest.NoLane
		}
	case cc.StatementIteration:
		l.loop(s.IterationStatement)
	case cc.StatementSelection:
		l.selection(s.SelectionStatement, tail)
	case cc.StatementJump:
		l.jump(s.JumpStatement, tail)
	case cc.StatementLabeled:
		l.statement(s.LabeledStatement.Statement, tail)
	default:
		if !isBarrier(s) {
			l.Fail(s, parse.TraceRemedy, "assembler")
		}
		l.flush()
		l.Warn(s, "assembler without instructions: the times are those of code without it, of which a compiler may make more")
	}
}

// isBarrier tells assembler that computes nothing and only keeps a compiler from moving code across it.
func isBarrier(s *cc.Statement) bool {
	if s.Case != cc.StatementAsm || strings.Trim(s.AsmStatement.Asm.Token3.SrcStr(), "\" \t") != "" {
		return false
	}
	for list := s.AsmStatement.Asm.AsmArgList; list != nil; list = list.AsmArgList {
		for x := list.AsmExpressionList; x != nil; x = x.AsmExpressionList {
			if strings.HasPrefix(strings.TrimLeft(tree.Text(x.AssignmentExpression), "\""), "=") {
				return false
			}
		}
	}
	return true
}

// loopsHere is the depth of loops within the function being inlined.
func (l *lowerer) loopsHere() int {
	if l.result != nil {
		return l.loops - l.result.loops
	}
	return l.loops
}

// guard lowers "if (c) continue; rest" as "if (c) {} else rest", and return alike.
func (l *lowerer) guard(s *cc.Statement, rest []*cc.BlockItem, end *cc.CompoundStatement) bool {
	if s.Case != cc.StatementSelection || s.SelectionStatement.Case != cc.SelectionStatementIf || len(rest) == 0 {
		return false
	}
	sel := s.SelectionStatement
	if !jumps(sel.Statement) {
		return false
	}
	l.flush()
	l.branch(sel, func() { l.statement(sel.Statement, true) }, func() { l.block(rest, end, true) })
	l.flush()
	return true
}

// jumps tells whether a statement ends with continue or return.
func jumps(s *cc.Statement) bool {
	switch s.Case {
	case cc.StatementJump:
		return s.JumpStatement.Case == cc.JumpStatementContinue || s.JumpStatement.Case == cc.JumpStatementReturn
	case cc.StatementCompound:
		all := tree.Items(s.CompoundStatement)
		return len(all) > 0 && all[len(all)-1].Statement != nil && jumps(all[len(all)-1].Statement)
	}
	return false
}

// selection lowers an if.
func (l *lowerer) selection(sel *cc.SelectionStatement, tail bool) {
	if sel.Case == cc.SelectionStatementSwitch {
		l.switches(sel, tail, nil)
		return
	}
	var els func()
	if sel.Statement2 != nil {
		els = func() { l.statement(sel.Statement2, tail) }
	}
	l.branch(sel, func() { l.statement(sel.Statement, tail) }, els)
}

// branch lowers an if. A condition on loop variables becomes nest.If; of one on data both sides count.
func (l *lowerer) branch(sel *cc.SelectionStatement, then, els func()) {
	plain := els == nil
	if plain {
		els = func() {}
	}
	c, unknown := l.asked(sel, sel.ExpressionList, l.condition)
	switch {
	case unknown == nil:
		l.lookUp(sel.ExpressionList, nil)
		l.flush()
		l.decide(sel, value.Normal(c), then, els)
		return
	case unknown.Wrap:
		panic(unknown)
	}
	op := "&&"
	if a, _, ok := tree.Operands(tree.Strip(sel.ExpressionList)); ok && a != nil && tree.Operator(tree.Strip(sel.ExpressionList)) == "||" {
		op = "||"
	}
	l.split(sel, terms(sel.ExpressionList, op), op, then, els, plain)
}

// asked evaluates a part of what an if or a switch asks. Where a loop is left by what it decides, elements of arrays are data, whatever a run tells of them.
func (l *lowerer) asked(sel *cc.SelectionStatement, e cc.ExpressionNode, evaluate func(cc.ExpressionNode) (*expr.Expr, *parse.Error)) (*expr.Expr, *parse.Error) {
	before := l.Blind
	l.Blind = before || jumpsOut(sel.Statement) || sel.Statement2 != nil && jumpsOut(sel.Statement2)
	defer func() { l.Blind = before }()
	return evaluate(e)
}

// condition is the value of what an if asks, behind which what it steps is stepped; or why it is not known, with nothing done.
func (l *lowerer) condition(e cc.ExpressionNode) (*expr.Expr, *parse.Error) {
	if !tree.HasEffects(e) {
		return l.TryTruth(e)
	}
	restore, stepped := l.snapshot(), maps.Clone(l.Stepped)
	after := l.stepping(e)
	c, err := l.TryInt(e)
	if err == nil {
		after()
		l.flush()
	} else {
		restore()
	}
	l.Stepped = stepped // as it may be asked again, and steps again then
	return c, err
}

// knownBranch lowers both sides of an if whose condition is an integer expression, each with what it implies, and joins what they did to
// variables.
func (l *lowerer) knownBranch(sel *cc.SelectionStatement, c *expr.Expr, then, els func()) {
	before, decided := l.Save(), l.decided
	l.decided = true
	defer func() { l.decided = decided }()
	var a, b []nest.Node
	l.Under(c, func() { a = l.collect(then) })
	after, gone := l.Save(), l.gone
	l.Restore(before)
	l.gone = false
	l.Under(expr.Unary(expr.OpNot, c), func() { b = l.collect(els) })
	switch {
	case gone == l.gone:
		l.merge(c, after)
	case l.gone: // what goes on comes from the other side
		l.Restore(after)
		l.gone = false
	}
	if len(a) == 0 {
		a, b, c = b, nil, expr.Unary(expr.OpNot, c)
	}
	switch {
	case len(a) == 0:
	case l.ofThreads(c) && len(b) == 0:
		one := l.ofOne(c, a, parse.Position(sel))
		if one == nil {
			l.Fail(sel, parse.TraceRemedy, "%s, which omp_get_thread_num or omp_get_num_threads decides, says what each thread does", tree.Text(sel.ExpressionList))
		}
		l.emit(one)
	default:
		l.emit(&nest.If{Cond: c, Then: a, Else: b, Pos: parse.Position(sel)})
	}
}

// dataBranch counts both sides of an if whose condition depends on data.
func (l *lowerer) dataBranch(sel *cc.SelectionStatement, all []cc.ExpressionNode, op string, then, els func()) {
	l.hushed = true
	defer func() { l.hushed = false }()
	l.flush()
	asked := len(*l.out)
	l.chain(sel, all, op == "&&").used = true
	l.hushed = false
	l.flush()
	l.onData++
	defer func() { l.onData-- }()
	before := l.Save()
	a := l.collect(then)
	after := l.Save()
	l.Restore(before)
	b := l.collect(els)
	l.merge(nil, after)
	l.undecided(sel.ExpressionList, before)
	if len(b) == 0 && l.asChoice((*l.out)[asked:], a) {
		return
	}
	for _, cond := range (*l.out)[asked:] {
		l.readBefore(cond, a)
		l.readBefore(cond, b)
	}
	l.onlyOne(a, b)
	if jumped(a) || jumped(b) {
		branch((*l.out)[asked:])
	}
	if side, one := nest.Either(a, b); one {
		l.Warn(sel, "the condition %s is not known before the run; of its two sides, which both have loops, the one with more accesses is counted", tree.Text(sel.ExpressionList))
		*l.out = append(*l.out, side...)
		return
	}
	if len(a)+len(b) > 0 {
		l.Warn(sel, "the condition %s is not known before the run; both sides are counted as executed", tree.Text(sel.ExpressionList))
	}
	*l.out = append(append(*l.out, a...), b...)
}

// undecided says why what the sides of an if set is not known behind it, where that is so because its condition waits for a definition of the caller.
func (l *lowerer) undecided(cond cc.ExpressionNode, before value.Known) {
	_, why := l.TryInt(cond)
	if why == nil || !why.Undefined {
		return
	}
	for d, x := range l.Ints.All() {
		if was, ok := before.Ints.Get(d); x == nil && (!ok || was != nil) {
			l.Why[d] = why
		}
	}
	for d, p := range l.Pointers.All() {
		if was, ok := before.Pointers.Get(d); p.Object == nil && !p.Null && (!ok || was.Object != nil || was.Null) {
			l.Why[d] = why
		}
	}
}

// jumped tells whether compilers jump around a side of an if, and do not choose by a conditional move: which they do of scalars that are only copied.
func jumped(side []nest.Node) bool {
	return slices.ContainsFunc(side, func(n nest.Node) bool {
		s, ok := n.(*nest.Stmt)
		return !ok || len(s.Accesses) > 0 || slices.ContainsFunc(s.Flow, func(op nest.Operation) bool { return op.Kind != nest.Move })
	})
}

// branch notes that the last statement ends with a branch on data.
func branch(asked []nest.Node) {
	for _, n := range slices.Backward(asked) {
		if s, ok := n.(*nest.Stmt); ok {
			s.Branches++
			return
		}
	}
}

// merge joins what is known after two branches: k after the first, l itself after the second.
func (l *lowerer) merge(c *expr.Expr, k value.Known) {
	for d, a := range k.Ints.All() {
		b, ok := l.Ints.Get(d)
		l.Ints.Set(d, l.join(c, a, b, ok))
	}
	for d := range l.Ints.All() {
		if _, ok := k.Ints.Get(d); !ok {
			l.Ints.Set(d, nil)
		}
	}
	for d, a := range k.Pointers.All() {
		b, ok := l.Pointers.Get(d)
		switch {
		case ok && b == a:
		case !ok || a.Object == nil || b.Object != a.Object:
			l.Pointers.Set(d, value.Place{})
		default:
			if b.Offset = l.join(c, a.Offset, b.Offset, true); b.Offset == nil {
				b = value.Place{}
			}
			l.Pointers.Set(d, b)
		}
	}
	for m, a := range k.Fields {
		b, ok := l.Fields[m]
		l.Fields[m] = l.join(c, a, b, ok)
	}
	for m, a := range k.Members {
		if b, ok := l.Members[m]; !ok || b.Object != a.Object || !expr.Equal(b.Offset, a.Offset) {
			l.Members[m] = value.Place{}
		}
	}
}

// maxJoined bounds the size of an integer that depends on branches.
const maxJoined = 40

// join is the value of a variable after an if, from its values after both sides; nil where it is not known, or would be too long.
func (l *lowerer) join(c, a, b *expr.Expr, both bool) *expr.Expr {
	switch {
	case !both || a == nil || b == nil:
		return nil
	case expr.Equal(a, b):
		return a
	case c == nil:
		return nil
	}
	if x := l.Wrapped(c, a, b); x != nil {
		return x
	}
	if value.Nodes(c)+value.Nodes(a)+value.Nodes(b) > maxJoined {
		return nil
	}
	return value.Conditional(c, a, b)
}

// declare lowers a declaration: initializers are assignments.
func (l *lowerer) declare(d *cc.Declaration) {
	if d.Case == cc.DeclarationAuto {
		l.initialize(d.Declarator, d.Initializer)
		return
	}
	for _, id := range tree.Declarators(d) {
		l.flush()
		if id.Declarator.IsTypename() || id.Declarator.IsExtern() || id.Declarator.Type().Kind() == cc.Function {
			continue
		}
		l.initialize(id.Declarator, id.Initializer)
		l.flush()
	}
}

// initialize gives a variable its first value.
func (l *lowerer) initialize(d *cc.Declarator, init *cc.Initializer) {
	l.declared[d] = !d.IsStatic()
	switch {
	case init == nil:
		l.fresh(d)
		if d.IsStatic() && l.result == nil && l.Function != nil && l.Function.Declarator.Name() == "main" && l.Told == nil { // which is entered once
			l.zero(d)
		}
	case d.IsStatic():
	case init.AssignmentExpression == nil:
		l.initializeAggregate(d, init)
	case d.Type().Kind() == cc.Struct || d.Type().Kind() == cc.Union:
		l.copyStruct(d, init.AssignmentExpression)
	case d.Type().Kind() == cc.Array: // char s[] = "text"
	default:
		after := l.stepping(init.AssignmentExpression)
		l.assignVariable(init, d, init.AssignmentExpression)
		after()
	}
}

// fresh forgets the value that a variable had in an earlier iteration or call.
func (l *lowerer) fresh(d *cc.Declarator) {
	l.Ints.Delete(d)
	l.Pointers.Delete(d)
	if k := d.Type().Kind(); (k == cc.Struct || k == cc.Union) && !d.IsStatic() {
		l.forgetObject(l.VariableObject(d, d))
	}
}
