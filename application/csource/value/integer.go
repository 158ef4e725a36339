package value

import (
	"fmt"
	"math"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// TryInt is int, with the reason when e is not a known integer.
func (vs *Values) TryInt(e cc.ExpressionNode) (x *expr.Expr, err *parse.Error) {
	defer parse.Catch(&err)
	return vs.Int(e), nil
}

// TryTruth is the value of an integer as a condition, or whether a pointer leads anywhere.
func (vs *Values) TryTruth(e cc.ExpressionNode) (*expr.Expr, *parse.Error) {
	if !tree.IsPointer(e.Type()) {
		return vs.TryInt(e)
	}
	var x *expr.Expr
	err := parse.Attempt(func() { x = vs.notNull(tree.Strip(e)) })
	return x, err
}

// TryUntold is TryInt by the source alone: for what is read as data, of which a run is not asked.
func (vs *Values) TryUntold(e cc.ExpressionNode) (*expr.Expr, *parse.Error) {
	told := vs.Told
	vs.Told = nil
	defer func() { vs.Told = told }()
	return vs.TryInt(e)
}

// tryAs is as, with the reason when e is not a known integer.
func (vs *Values) tryAs(e cc.ExpressionNode, w Width) (x *expr.Expr, err *parse.Error) {
	defer parse.Catch(&err)
	return vs.as(e, w), nil
}

// Int is the value of an integer expression over loop variables and constants. It has no side effects.
func (vs *Values) Int(e cc.ExpressionNode) *expr.Expr {
	e = tree.Strip(e)
	if vs.Told == nil || !isPlace(e) {
		return vs.integer(e)
	}
	var x *expr.Expr
	err := parse.Attempt(func() { x = vs.integer(e) })
	if err == nil {
		return x
	}
	if v, ok := vs.told(e); ok && !err.Wrap {
		return expr.Int(v)
	}
	if x := vs.toldElement(e); x != nil {
		return x
	}
	panic(err)
}

// told is what a run tells of a variable, member or element; of a pointer, whether it is one.
func (vs *Values) told(e cc.ExpressionNode) (int64, bool) {
	if vs.Told == nil || !vs.sameInLoops(e) {
		return 0, false
	}
	form := ""
	if tree.IsPointer(e.Type()) {
		form = "(%[1]s) != 0"
	}
	return vs.Told(e, form)
}

// isPlace tells variables, members and elements: what a run can tell the value of.
func isPlace(e cc.ExpressionNode) bool {
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		return tree.Variable(n) != nil
	case *cc.PostfixExpression:
		return n.Case == cc.PostfixExpressionIndex || n.Case == cc.PostfixExpressionSelect || n.Case == cc.PostfixExpressionPSelect
	case *cc.UnaryExpression:
		return n.Case == cc.UnaryExpressionDeref
	}
	return false
}

// sameInLoops tells whether nothing that an expression is made of changes with a loop that is being lowered.
func (vs *Values) sameInLoops(e cc.ExpressionNode) bool {
	same := true
	tree.Each(e, func(n cc.Node) bool {
		if x, ok := n.(cc.ExpressionNode); ok {
			if d := tree.Variable(x); d != nil {
				known := vs.Ints.Of(d)
				same = same && (known == nil || known.Op == expr.OpConst)
				if at, ok := vs.Pointers.Get(d); ok && at.Object != nil {
					same = same && at.Offset.Op == expr.OpConst
				}
			}
		}
		return same
	})
	return same
}

// integer is Int by the source alone.
func (vs *Values) integer(e cc.ExpressionNode) *expr.Expr {
	a, b, binary := tree.Operands(e)
	whole := binary && tree.IsInteger(a.Type()) && tree.IsInteger(b.Type()) // the parser does not see overflows
	if v, ok := parse.IntegerValue(e.Value()); ok && !whole && !tree.IsPointer(e.Type()) && !tree.HasEffects(e) && !tree.SizesParameter(e) {
		if u, unsigned := e.Value().(cc.UInt64Value); unsigned && uint64(u) > math.MaxInt64 || Magnitude(v) > 1<<62 {
			vs.Fail(e, "use smaller numbers", "the constant %s is too large", tree.Text(e))
		}
		return expr.Int(v)
	}
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		return vs.intPrimary(n)
	case *cc.PostfixExpression:
		return vs.intPostfix(n)
	case *cc.UnaryExpression:
		return vs.intUnary(n)
	case *cc.CastExpression:
		return vs.intCast(n)
	case *cc.ConditionalExpression:
		return vs.choose(n)
	case *cc.AssignmentExpression:
		if vs.Stepped[n] {
			return vs.Int(n.UnaryExpression)
		}
	}
	if binary {
		return vs.intBinary(e, a, b)
	}
	return vs.notInt(e)
}

// notInt leaves with the reason that e is not a known integer.
func (vs *Values) notInt(e cc.ExpressionNode) *expr.Expr {
	if x, ok := vs.Real(e); ok && x == math.Trunc(x) && math.Abs(x) < 1<<53 && e.Value() != cc.Unknown && !tree.IsInteger(e.Type()) {
		panic(&parse.Error{Pos: parse.Position(e), Message: tree.Text(e) + " is no integer in C", Remedy: fmt.Sprintf("write %.0f", x)})
	}
	why := "is not a known integer"
	if tree.TouchesMemory(e) {
		why = "depends on data"
	}
	panic(&parse.Error{Pos: parse.Position(e), Message: tree.Text(e) + " " + why, Remedy: parse.TraceRemedy, Data: tree.TouchesMemory(e)})
}

// intPrimary is the value of a name, or of statements in parentheses.
func (vs *Values) intPrimary(n *cc.PrimaryExpression) *expr.Expr {
	if n.Case == cc.PrimaryExpressionStmt {
		return vs.intStatements(n)
	}
	if d := tree.Variable(n); d != nil && tree.IsInteger(d.Type()) {
		return vs.intVariable(n, d)
	}
	return vs.notInt(n)
}

// intVariable is the value of an integer variable.
func (vs *Values) intVariable(n cc.ExpressionNode, d *cc.Declarator) *expr.Expr {
	x, ok := vs.Ints.Get(d)
	if x != nil {
		return x
	}
	if ok {
		switch x, ask := vs.ofInputOr(n, d); {
		case ask:
			vs.undefined(n, d.Name(), d.Name())
		case x != nil:
			return x
		}
	}
	if ok && vs.Why[d] != nil {
		panic(vs.Why[d])
	}
	if ok {
		vs.Fail(n, "compute it from the loop variables, or "+parse.TraceRemedy, "the value of %s is not known here: it changes while the program runs", d.Name())
	}
	v, err := ConstantOf(vs.Source, d, vs.Warn, 0)
	if err == nil {
		return expr.Int(v)
	}
	if v, ok := vs.told(n); ok {
		return expr.Int(v)
	}
	if vs.Ask != nil {
		vs.Ask()
	}
	if v, ok := vs.Entry[d]; ok {
		return expr.Int(v)
	}
	vs.undefined(n, d.Name(), d.Name())
	return nil
}

// intUnary is the value of an operator before its operand.
func (vs *Values) intUnary(n *cc.UnaryExpression) *expr.Expr {
	switch n.Case {
	case cc.UnaryExpressionMinus:
		return expr.Unary(expr.OpNeg, vs.as(n.CastExpression, WidthOf(n.Type()).promoted()))
	case cc.UnaryExpressionPlus:
		return vs.Int(n.CastExpression)
	case cc.UnaryExpressionNot:
		if tree.IsPointer(n.CastExpression.Type()) {
			return expr.Unary(expr.OpNot, vs.notNull(n.CastExpression))
		}
		return expr.Unary(expr.OpNot, vs.Int(n.CastExpression))
	case cc.UnaryExpressionCpl:
		return expr.Binary(expr.OpSub, expr.Int(-1), vs.as(n.CastExpression, WidthOf(n.Type()).promoted()))
	case cc.UnaryExpressionSizeofExpr:
		return vs.SizeOf(n, undecayed(n.UnaryExpression))
	case cc.UnaryExpressionSizeofType:
		return vs.SizeOf(n, n.TypeName.Type())
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		if vs.Stepped[n] {
			return vs.Int(n.UnaryExpression)
		}
	case cc.UnaryExpressionDeref:
		if p, err := vs.TryAddress(n); err == nil && p.Scalar != nil {
			return vs.intVariable(n, p.Scalar)
		}
		if x := vs.byAddress(n, n.CastExpression); x != nil {
			return x
		}
	}
	return vs.notInt(n)
}

// undecayed is the type of an expression before arrays become pointers.
func undecayed(e cc.ExpressionNode) cc.Type {
	t := tree.Strip(e).Type()
	if d := tree.Variable(e); d != nil && d.IsParam() {
		return t.Decay()
	}
	if u := t.Undecay(); u != nil {
		return u
	}
	return t
}

// TryAddress is Address, with the reason when it is not known.
func (vs *Values) TryAddress(e cc.ExpressionNode) (p Place, err *parse.Error) {
	defer parse.Catch(&err)
	return vs.Address(e), nil
}

// intCast is the value of a cast, which may cut it off.
func (vs *Values) intCast(n *cc.CastExpression) *expr.Expr {
	if !tree.IsInteger(n.Type()) && !cc.IsFloatingPointType(n.Type()) {
		return vs.notInt(n)
	}
	if n.Type().Kind() == cc.Bool {
		return vs.Converted(n.CastExpression, n.Type())
	}
	if tree.IsInteger(n.Type()) {
		return vs.as(n.CastExpression, WidthOf(n.Type()))
	}
	return vs.Int(n.CastExpression)
}

// intBinary is the value of an operator between two operands.
func (vs *Values) intBinary(e, a, b cc.ExpressionNode) *expr.Expr {
	if tree.IsPointer(a.Type()) || tree.IsPointer(b.Type()) {
		return vs.comparePointers(e, a, b)
	}
	if !tree.IsInteger(e.Type()) {
		return vs.notInt(e)
	}
	if x := vs.compareReals(e, a, b); x != nil {
		return x
	}
	and := false
	switch e.(type) { // && and || do not need their right side always
	case *cc.LogicalAndExpression:
		and = true
	case *cc.LogicalOrExpression:
	default:
		if x := vs.parity(e, a, b); x != nil {
			return x
		}
		return vs.intArithmetic(e, a, b)
	}
	x := vs.Int(a)
	switch {
	case and && vs.Never(x):
		return expr.Int(0)
	case !and && vs.Always(x):
		return expr.Int(1)
	}
	given := x
	if !and {
		given = expr.Unary(expr.OpNot, x)
	}
	var y *expr.Expr
	vs.Under(given, func() { y = vs.Int(b) })
	return vs.combine(e, x, y)
}

// combine is an operator on the values of its operands.
func (vs *Values) combine(e cc.ExpressionNode, a, b *expr.Expr) *expr.Expr {
	switch n := e.(type) {
	case *cc.AdditiveExpression:
		if n.Case == cc.AdditiveExpressionSub {
			return vs.Arithmetic(n, expr.OpSub, a, b)
		}
		return vs.Arithmetic(n, expr.OpAdd, a, b)
	case *cc.MultiplicativeExpression:
		switch n.Case {
		case cc.MultiplicativeExpressionMul:
			return vs.Arithmetic(n, expr.OpMul, a, b)
		case cc.MultiplicativeExpressionDiv:
			return vs.Quotient(n, a, b)
		default:
			return vs.Arithmetic(n, expr.OpMod, a, b)
		}
	case *cc.ShiftExpression:
		return vs.shift(n, a, b)
	case *cc.RelationalExpression:
		return relation(n.Case, a, b)
	case *cc.EqualityExpression:
		if n.Case == cc.EqualityExpressionNeq {
			return expr.Binary(expr.OpNe, a, b)
		}
		return expr.Binary(expr.OpEq, a, b)
	case *cc.LogicalAndExpression:
		return expr.Binary(expr.OpAnd, a, b)
	case *cc.LogicalOrExpression:
		return expr.Binary(expr.OpOr, a, b)
	case *cc.AndExpression:
		return vs.mask(n, a, b)
	}
	return vs.bitwise(e, a, b)
}

// relation is a comparison by order; there is one form of each, so that > swaps its sides.
func relation(c cc.RelationalExpressionCase, a, b *expr.Expr) *expr.Expr {
	switch c {
	case cc.RelationalExpressionLt:
		return expr.Binary(expr.OpLt, a, b)
	case cc.RelationalExpressionGt:
		return expr.Binary(expr.OpLt, b, a)
	case cc.RelationalExpressionLeq:
		return expr.Binary(expr.OpLe, a, b)
	}
	return expr.Binary(expr.OpLe, b, a)
}

// Arithmetic combines two integers; constants that overflow are refused.
func (vs *Values) Arithmetic(n cc.Node, op expr.Op, a, b *expr.Expr) *expr.Expr {
	x, okA := Constant(a)
	y, okB := Constant(b)
	if okB && y == 0 && (op == expr.OpDiv || op == expr.OpMod || op == expr.OpFloorDiv || op == expr.OpCeilDiv) {
		vs.Fail(n, "", "division by zero in %s", tree.Text(n))
	}
	if okA && okB {
		ok := true
		switch op {
		case expr.OpAdd:
			ok = sum64(&x, y)
		case expr.OpSub:
			ok = sum64(&x, -y)
		case expr.OpMul:
			_, ok = mul64(x, y)
		}
		if !ok {
			vs.Fail(n, "use smaller sizes", "the integer %s overflows", tree.Text(n))
		}
	}
	if op == expr.OpMod && okB {
		if rest, ok := vs.residue(a, y); ok {
			return expr.Int(rest)
		}
	}
	r := expr.Binary(op, a, b)
	if Nodes(r) > maxExpression {
		vs.Fail(n, parse.TraceRemedy, "the integer %s is too complicated", tree.Text(n))
	}
	return r
}

// maxExpression bounds the nodes of one integer expression.
const maxExpression = 2000

// Quotient is C's division, which rounds down where both sides are known not to be negative.
func (vs *Values) Quotient(n cc.Node, a, b *expr.Expr) *expr.Expr {
	if vs.Interval(a).Lo >= 0 && vs.Interval(b).Lo > 0 {
		return vs.Arithmetic(n, expr.OpFloorDiv, a, b)
	}
	return vs.Arithmetic(n, expr.OpDiv, a, b)
}

// Interval bounds an expression by the bounds of the loops around it.
func (vs *Values) Interval(e *expr.Expr) expr.Range {
	return e.Interval(func(v expr.Var) expr.Range { return vs.Ranges[v] })
}

// Always tells that a condition is known to hold.
func (vs *Values) Always(c *expr.Expr) bool { r := vs.Interval(c); return r.Lo > 0 || r.Hi < 0 }

// Never tells that a condition is known not to hold.
func (vs *Values) Never(c *expr.Expr) bool { return vs.Interval(c) == expr.Range{} }

// notNull is 1 when a pointer is known to point at something.
func (vs *Values) notNull(e cc.ExpressionNode) *expr.Expr {
	if IsNull(e) {
		return expr.Int(0)
	}
	if d := tree.Variable(e); d != nil && d.StorageDuration() == cc.Static && !d.IsParam() {
		if _, set := vs.Pointers.Get(d); !set { // by whom it may be set, and when, is not known
			return vs.notInt(e)
		}
	}
	if vs.IsNull(e) {
		return expr.Int(0)
	}
	p := vs.Pointer(e)
	if !p.known() {
		return vs.notInt(e)
	}
	for _, r := range vs.Rows {
		if r.taken && r.Object == p.Object && isRow(e) {
			return vs.notInt(e)
		}
	}
	return expr.Int(1)
}

// comparePointers compares a pointer with NULL, or with another that points into the same object, from which it is so many elements apart.
func (vs *Values) comparePointers(e, a, b cc.ExpressionNode) *expr.Expr {
	n, equality := e.(*cc.EqualityExpression)
	_, order := e.(*cc.RelationalExpression)
	switch {
	case equality && IsNull(a) != IsNull(b):
		if IsNull(a) {
			a = b
		}
		x := vs.notNull(a)
		if n.Case == cc.EqualityExpressionEq {
			return expr.Unary(expr.OpNot, x)
		}
		return x
	case !equality && !order && !isDifference(e) || IsNull(a):
		return vs.notInt(e)
	}
	p, q := vs.Pointer(a), vs.Pointer(b)
	if p.Object == nil || p.Object != q.Object {
		return vs.notInt(e)
	}
	if t := Pointee(a.Type()); isDifference(e) {
		if t == nil || !tree.IsPointer(b.Type()) {
			return vs.notInt(e)
		}
		return vs.elementsApart(e, expr.Binary(expr.OpSub, p.Offset, q.Offset), vs.SizeOf(e, t).K)
	}
	return vs.combine(e, p.Offset, q.Offset)
}

// isDifference tells a - b.
func isDifference(e cc.ExpressionNode) bool {
	n, ok := e.(*cc.AdditiveExpression)
	return ok && n.Case == cc.AdditiveExpressionSub
}

// elementsApart is a distance in bytes, which C wants to be of whole elements, as their number.
func (vs *Values) elementsApart(n cc.Node, bytes *expr.Expr, size int64) *expr.Expr {
	if whole := Quotient(bytes, size); whole != nil {
		return whole
	}
	sum, ok := LinearOf(bytes)
	if !ok || size <= 0 {
		vs.Fail(n, parse.TraceRemedy, "%s is too far apart", tree.Text(n))
	}
	return vs.Arithmetic(n, expr.OpFloorDiv, sum.Expr(), expr.Int(size))
}
