package csource

import (
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// pointerVariable is where the pointer d points.
func (l *lowerer) pointerVariable(n cc.Node, d *cc.Declarator) place {
	p, ok := l.pointers[d]
	switch {
	case ok && p.known():
		return p
	case ok && l.why[d] != nil:
		panic(l.why[d])
	case ok:
		l.fail(n, "work on one array with one more dimension, or "+l.trace(),
			"the pointer %s changes (stepped, or swapped with another)", d.Name())
	}
	p = l.usualPointer(n, d)
	l.pointers[d] = p
	return p
}

// usualPointer is where a pointer points that the lowered code has not set: to memory of its own, unless the
// file sets it once to something else.
func (l *lowerer) usualPointer(n cc.Node, d *cc.Declarator) place {
	if l.s.busy[d] {
		l.fail(n, l.trace(), "the pointer %s depends on itself", d.Name())
	}
	l.s.busy[d] = true
	defer delete(l.s.busy, d)
	var other []assignment
	var bytes int64
	for _, a := range l.f.assigned[d] {
		switch size, ok := l.allocation(a.value, a.from); {
		case ok:
			bytes = max(bytes, size)
		case a.value != nil && isNull(a.value):
		default:
			other = append(other, a)
		}
	}
	switch {
	case len(other) == 0 || d.IsParam():
		return place{obj: l.heapObject(d, bytes), off: expr.Int(0)}
	case len(other) > 1 || other[0].value == nil || bytes > 0:
		l.fail(n, "work on one array with one more dimension, or "+l.trace(),
			"the pointer %s is set in several places", d.Name())
	}
	return l.pointer(other[0].value)
}

func isNull(e cc.ExpressionNode) bool {
	e = strip(e)
	if c, ok := e.(*cc.CastExpression); ok && c.Case == cc.CastExpressionCast {
		return isNull(c.CastExpression)
	}
	v, ok := integerValue(e.Value())
	return ok && v == 0
}

// allocators are functions that give fresh memory; the numbers are the arguments whose product is its size.
var allocators = map[string][]int{
	"malloc": {0}, "calloc": {0, 1}, "realloc": {1}, "aligned_alloc": {1}, "_mm_malloc": {0}, "alloca": {0},
	"__builtin_alloca": {0}, "__builtin_malloc": {0}, "memalign": {1}, "valloc": {0}, "polybench_alloc_data": {0, 1},
	"xmalloc": {0}, "omp_alloc": {0},
}

// allocation tells whether e gives fresh memory, and how many bytes (0: not known).
func (l *lowerer) allocation(e cc.ExpressionNode, from *cc.FunctionDefinition) (int64, bool) {
	if e == nil {
		return 0, false
	}
	e = strip(e)
	if c, ok := e.(*cc.CastExpression); ok && c.Case == cc.CastExpressionCast {
		return l.allocation(c.CastExpression, from)
	}
	call, ok := e.(*cc.PostfixExpression)
	if !ok || call.Case != cc.PostfixExpressionCall {
		return 0, false
	}
	name := callee(call)
	if which, ok := allocators[name]; ok {
		return l.product(call, which), true
	}
	if fd := l.f.byName[name]; fd != nil && l.allocates(fd) {
		return 0, true
	}
	return 0, false
}

// product multiplies arguments; 0 when one of them is not known.
func (l *lowerer) product(call *cc.PostfixExpression, which []int) int64 {
	args := arguments(call)
	size := expr.Int(1)
	for _, i := range which {
		if i >= len(args) {
			return 0
		}
		e, err := l.tryInt(args[i])
		if err != nil || e.Op != expr.OpConst {
			return 0
		}
		if e.K < 0 || e.K > mostObject {
			l.fail(args[i], "allocate as much as a machine has", "memory of %s bytes cannot be", text(args[i]))
		}
		size = l.arith(call, expr.OpMul, size, e)
	}
	l.checkSize(call, callee(call), size.K)
	return size.K
}

// mostObject is the most bytes of an array: what programs can address on the machines of today.
const mostObject = 1 << 47

// checkSize refuses objects that no memory holds.
func (l *lowerer) checkSize(n cc.Node, name string, bytes int64) {
	if bytes < 0 || bytes > mostObject {
		l.fail(n, "declare what a machine can have", "%s is larger than any memory: more than 128 TiB", name)
	}
}

// allocates tells whether a function of the file returns memory that it allocated.
func (l *lowerer) allocates(fd *cc.FunctionDefinition) bool {
	found := false
	each(fd.CompoundStatement, func(n cc.Node) bool {
		if p, ok := n.(*cc.PostfixExpression); ok && p.Case == cc.PostfixExpressionCall {
			name := callee(p)
			_, known := allocators[name]
			found = found || known || name == "posix_memalign"
		}
		return !found
	})
	return found && fd.Declarator.Type().(*cc.FunctionType).Result().Kind() == cc.Ptr
}

// setPointer lowers p = e.
func (l *lowerer) setPointer(d *cc.Declarator, e cc.ExpressionNode) {
	if bytes, ok := l.allocation(e, l.fd); ok {
		l.pointers[d] = place{obj: l.heapObject(d, bytes), off: expr.Int(0)}
		return
	}
	if isNull(e) {
		delete(l.pointers, d)
		return
	}
	var p place
	if err := attempt(func() { p = l.pointer(e) }); err != nil {
		l.pointers[d] = place{}
		l.why[d] = err
		return
	}
	delete(l.why, d)
	l.pointers[d] = p
}

// pointerCall follows the result of a call.
func (l *lowerer) pointerCall(n *cc.PostfixExpression) place {
	name := callee(n)
	if _, ok := l.allocation(n, l.fd); ok {
		l.fail(n, "keep its result in a variable", "%s in an expression", name)
	}
	switch name {
	case "__builtin_assume_aligned", "__builtin_expect":
		return l.pointer(arguments(n)[0])
	}
	l.fail(n, "pass the array itself, or "+l.trace(), "the pointer that %s returns cannot be followed", name)
	return place{}
}
