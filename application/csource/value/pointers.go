package value

import (
	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// PointerVariable is where the pointer d points.
func (vs *Values) PointerVariable(n cc.Node, d *cc.Declarator) Place {
	p, ok := vs.Pointers.Get(d)
	switch {
	case ok && p.known():
		return p.by(d)
	case ok && p.Null:
		vs.Fail(n, parse.TraceRemedy, "the pointer %s is NULL here", d.Name())
	case ok && vs.Why[d] != nil:
		panic(vs.Why[d])
	case ok:
		vs.Fail(n, "work on one array with one more dimension, or "+parse.TraceRemedy,
			"the pointer %s changes (stepped, or swapped with another)", d.Name())
	}
	p = vs.usualPointer(n, d)
	vs.Pointers.Set(d, p)
	return p.by(d)
}

// by notes where a pointer lies that leads to a place.
func (p Place) by(d *cc.Declarator) Place {
	if d.StorageDuration() == cc.Static {
		return p.behind()
	}
	return p
}

// IsNull tells NULL, and a variable that a call gave it.
func (vs *Values) IsNull(e cc.ExpressionNode) bool {
	return IsNull(e) || vs.Pointers.Of(tree.Variable(e)).Null
}

// usualPointer is where a pointer points that the lowered code has not set: to memory of its own, unless the
// file sets it once to something else.
func (vs *Values) usualPointer(n cc.Node, d *cc.Declarator) Place {
	if vs.Source.Busy[d] {
		vs.Fail(n, parse.TraceRemedy, "the pointer %s depends on itself", d.Name())
	}
	vs.Source.Busy[d] = true
	defer delete(vs.Source.Busy, d)
	var other []parse.Assignment
	var bytes int64
	for _, a := range vs.Facts.Assigned[d] {
		switch size, ok := vs.Allocation(a.Value, a.From); {
		case ok:
			bytes = max(bytes, size)
		case a.Value != nil && IsNull(a.Value):
		default:
			other = append(other, a)
		}
	}
	switch {
	case len(other) == 0 || d.IsParam():
		return Place{Object: vs.HeapObject(d, bytes), Offset: expr.Int(0)}
	case len(other) > 1 || other[0].Value == nil || bytes > 0:
		vs.Fail(n, "work on one array with one more dimension, or "+parse.TraceRemedy,
			"the pointer %s is set in several places", d.Name())
	}
	return vs.Pointer(other[0].Value)
}

// IsNull tells whether e is a null pointer constant, also cast.
func IsNull(e cc.ExpressionNode) bool {
	e = tree.Strip(e)
	if c, ok := e.(*cc.CastExpression); ok && c.Case == cc.CastExpressionCast {
		return IsNull(c.CastExpression)
	}
	v, ok := parse.IntegerValue(e.Value())
	return ok && v == 0
}

// allocators are functions that give fresh memory; the numbers are the arguments whose product is its size.
var allocators = map[string][]int{
	"malloc": {0}, "calloc": {0, 1}, "realloc": {1}, "aligned_alloc": {1}, "_mm_malloc": {0}, "alloca": {0},
	"__builtin_alloca": {0}, "__builtin_malloc": {0}, "memalign": {1}, "valloc": {0}, "polybench_alloc_data": {0, 1},
	"xmalloc": {0}, "omp_alloc": {0},
}

// Allocation tells whether e gives fresh memory, and how many bytes (0: not known).
func (vs *Values) Allocation(e cc.ExpressionNode, from *cc.FunctionDefinition) (int64, bool) {
	if e == nil {
		return 0, false
	}
	e = tree.Strip(e)
	if c, ok := e.(*cc.CastExpression); ok && c.Case == cc.CastExpressionCast {
		return vs.Allocation(c.CastExpression, from)
	}
	call, ok := e.(*cc.PostfixExpression)
	if !ok || call.Case != cc.PostfixExpressionCall {
		return 0, false
	}
	name := tree.Callee(call)
	if which, ok := allocators[name]; ok {
		return vs.Product(call, which), true
	}
	if fd := vs.Facts.ByName[name]; fd != nil && vs.allocates(fd) {
		return 0, true
	}
	return 0, false
}

// Product multiplies arguments; 0 when one of them is not known.
func (vs *Values) Product(call *cc.PostfixExpression, which []int) int64 {
	args := tree.Arguments(call)
	size := expr.Int(1)
	for _, i := range which {
		if i >= len(args) {
			return 0
		}
		e, err := vs.TryInt(args[i])
		if err != nil || e.Op != expr.OpConst {
			return 0
		}
		if e.K < 0 || e.K > mostObject {
			vs.Fail(args[i], "allocate as much as a machine has", "memory of %s bytes cannot be", tree.Text(args[i]))
		}
		size = vs.Arithmetic(call, expr.OpMul, size, e)
	}
	vs.checkSize(call, tree.Callee(call), size.K)
	return size.K
}

// mostObject is the most bytes of an array: what programs can address on the machines of today.
const mostObject = 1 << 47

// checkSize refuses objects that no memory holds.
func (vs *Values) checkSize(n cc.Node, name string, bytes int64) {
	if bytes < 0 || bytes > mostObject {
		vs.Fail(n, "declare what a machine can have", "%s is larger than any memory: more than 128 TiB", name)
	}
}

// allocates tells whether a function of the file returns memory that it allocated.
func (vs *Values) allocates(fd *cc.FunctionDefinition) bool {
	found := false
	tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
		if p, ok := n.(*cc.PostfixExpression); ok && p.Case == cc.PostfixExpressionCall {
			name := tree.Callee(p)
			_, known := allocators[name]
			found = found || known || name == "posix_memalign"
		}
		return !found
	})
	return found && fd.Declarator.Type().(*cc.FunctionType).Result().Kind() == cc.Ptr
}

// SetPointer lowers p = e.
func (vs *Values) SetPointer(d *cc.Declarator, e cc.ExpressionNode) {
	if bytes, ok := vs.Allocation(e, vs.Function); ok {
		vs.Pointers.Set(d, Place{Object: vs.HeapObject(d, bytes), Offset: expr.Int(0)})
		return
	}
	if IsNull(e) {
		vs.Pointers.Delete(d)
		return
	}
	var p Place
	if err := parse.Attempt(func() { p = vs.Pointer(e) }); err != nil {
		vs.Pointers.Set(d, Place{})
		vs.Why[d] = err
		return
	}
	delete(vs.Why, d)
	vs.Pointers.Set(d, p)
}

// pointerCall follows the result of a call.
func (vs *Values) pointerCall(n *cc.PostfixExpression) Place {
	name := tree.Callee(n)
	if _, ok := vs.Allocation(n, vs.Function); ok {
		vs.Fail(n, "keep its result in a variable", "%s in an expression", name)
	}
	switch name {
	case "__builtin_assume_aligned", "__builtin_expect":
		return vs.Pointer(tree.Arguments(n)[0])
	}
	if fd := vs.Facts.ByName[name]; fd != nil && !vs.Inlining[fd] && len(vs.Inlining) <= MaxInline {
		if p := vs.pointerInline(fd, tree.Arguments(n)); p.known() {
			return p
		}
	}
	vs.Fail(n, "pass the array itself, or "+parse.TraceRemedy, "the pointer that %s returns cannot be followed", name)
	return Place{}
}

// pointerInline is where the pointer leads that a function of the file returns, which does nothing but compute it; not known where it does more.
func (vs *Values) pointerInline(fd *cc.FunctionDefinition, args []cc.ExpressionNode) Place {
	ft, ok := fd.Declarator.Type().(*cc.FunctionType)
	if !ok || len(ft.Parameters()) != len(args) {
		return Place{}
	}
	var bind []func()
	for i, a := range args {
		bind = append(bind, vs.intArgument(a, ft.Parameters()[i]))
	}
	for _, f := range bind {
		f()
	}
	vs.Inlining[fd] = true
	defer delete(vs.Inlining, fd)
	for _, item := range tree.Items(fd.CompoundStatement) {
		s := item.Statement
		switch {
		case item.Declaration != nil:
			vs.intDeclaration(item.Declaration)
		case s != nil && s.Case == cc.StatementJump && s.JumpStatement.Case == cc.JumpStatementReturn && s.JumpStatement.ExpressionList != nil:
			e := s.JumpStatement.ExpressionList
			if RowBelow(e) != nil || len(vs.Looked(e)) > 0 || tree.HasEffects(e) {
				return Place{} // what is read and set on the way is not seen here
			}
			return vs.Pointer(e)
		case s == nil || !vs.onlyChecks(s):
			return Place{}
		}
	}
	return Place{}
}

// onlyChecks tells a statement that sets nothing, calls no function of the file and goes on with the next one, as assert does.
func (vs *Values) onlyChecks(s *cc.Statement) bool {
	only := true
	tree.Each(s, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.Statement:
			only = only && x.Case != cc.StatementJump && x.Case != cc.StatementIteration && x.Case != cc.StatementLabeled
		case *cc.PostfixExpression:
			only = only && (x.Case != cc.PostfixExpressionCall || vs.Facts.ByName[tree.Callee(x)] == nil && len(tree.Arguments(x)) < 2)
		}
		target, _ := parse.Assigned(n)
		only = only && target == nil
		return only
	})
	return only
}
