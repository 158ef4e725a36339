package lower

import (
	"fmt"
	"slices"
	"strings"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// unknownCall lowers a call of a function that the file does not define. What it accesses is not counted. It may change data, and integers and structures
// that it is given a pointer to, which are not known after it; where arrays lie and what loops count it leaves as it is.
func (l *lowerer) unknownCall(n *cc.PostfixExpression, name string, t nest.Type) *operand {
	var args []*operand
	memory := false
	l.loseStart(l.mayCallBack(n))
	for i, a := range tree.Arguments(n) {
		if !tree.IsPointer(a.Type()) && !tree.IsPointer(tree.Strip(a).Type()) {
			args = append(args, l.value(a))
			continue
		}
		if !isText(a) {
			memory = true
			l.keepInMemory(a)
			l.handOver(n, name, i, a)
		}
	}
	l.warnOpaque(n, name, memory)
	return l.operation(n, nest.Operation{Kind: nest.Call, Type: t, Name: name}, args...)
}

// mayCallBack tells whether a call of a function that is not followed may run functions of the file: through a pointer, or one that it is given.
func (l *lowerer) mayCallBack(n *cc.PostfixExpression) bool {
	d := tree.Variable(n.PostfixExpression)
	return tree.Callee(n) == "" || d != nil && d.Type().Kind() == cc.Ptr || slices.ContainsFunc(tree.Arguments(n), func(a cc.ExpressionNode) bool {
		fd, _ := l.PointedFunction(a)
		return fd != nil
	})
}

// keepInMemory notes that a function which is not followed may access what an expression points at.
func (l *lowerer) keepInMemory(e cc.ExpressionNode) {
	_ = parse.Attempt(func() { l.inMemory[l.Pointer(e).Object] = true })
}

// warnOpaque says once of each function that it is not followed.
func (l *lowerer) warnOpaque(n cc.Node, name string, memory bool) {
	if strings.HasPrefix(name, "MPI_") {
		name, memory = "MPI_", true
	}
	if l.opaque[name] || l.Quiet {
		return
	}
	l.opaque[name] = true
	switch {
	case name == "MPI_":
		l.Warn(n, "what functions of MPI access is not counted, nor is the time that they take")
	case memory:
		l.Warn(n, "%s is not defined here; what it accesses is not counted", name)
	default:
		l.Warn(n, "%s is not defined here; it is taken to touch no memory", name)
	}
}

// isText tells string constants.
func isText(e cc.ExpressionNode) bool {
	p, ok := tree.Strip(e).(*cc.PrimaryExpression)
	return ok && (p.Case == cc.PrimaryExpressionString || p.Case == cc.PrimaryExpressionLString)
}

// handOver forgets what a function that is not defined here may change through a pointer that it is given.
func (l *lowerer) handOver(n *cc.PostfixExpression, name string, i int, e cc.ExpressionNode) {
	if isConst(tree.Strip(e).Type()) || takesConst(n, i) {
		return
	}
	if d := addressedPointer(e); d != nil { // it is given memory
		l.Pointers.Set(d, value.Place{Object: l.HeapObject(d, 0), Offset: expr.Int(0)})
		return
	}
	var at value.Place
	if parse.Attempt(func() { at = l.Pointer(e) }) != nil || strings.HasPrefix(name, "MPI_Init") { // which leaves the arguments of main as they are
		return
	}
	if v, ok := ofOneRank[name]; ok && i == 1 && l.Told == nil && l.rank(e, at, v) {
		return
	}
	switch d := at.Scalar; {
	case d == nil && at.Object != nil:
		l.Release(at.Object)
	case d != nil && tree.IsInteger(d.Type()):
		if v, ok := l.Source.Defined[d.Name()]; ok {
			l.Ints.Set(d, expr.Int(v))
			return
		}
		l.Ints.Set(d, nil)
		l.Why[d] = value.Undefined(n, d.Name(), d.Name()+", which "+name+" may set,")
	}
}

// ofOneRank is what functions of MPI set in a program that one rank runs.
var ofOneRank = map[string]int64{"MPI_Comm_size": 1, "MPI_Comm_rank": 0}

// rank gives a variable or a member that MPI sets its value in a run of one rank, where the caller defines no other; false where it cannot be followed.
func (l *lowerer) rank(e cc.ExpressionNode, at value.Place, v int64) bool {
	d := at.Scalar
	switch {
	case d != nil && tree.IsInteger(d.Type()):
		if given, ok := l.Source.Defined[d.Name()]; ok {
			l.Ints.Set(d, expr.Int(given))
			return true
		}
		l.Ints.Set(d, expr.Int(v))
		delete(l.Why, d)
		l.Source.TakeAlone(fmt.Sprintf("%s = %d", d.Name(), v))
	case at.Object != nil && at.Offset.Op == expr.OpConst:
		l.Fields[value.Member{Object: at.Object, Offset: at.Offset.K}] = expr.Int(v)
		l.Source.TakeAlone(fmt.Sprintf("%s = %d", strings.TrimPrefix(tree.Text(tree.Strip(e)), "&"), v))
	default:
		return false
	}
	return true
}

// addressedPointer is the pointer variable whose address an expression is, also cast.
func addressedPointer(e cc.ExpressionNode) *cc.Declarator {
	if u, ok := tree.Uncast(e).(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionAddrof {
		if d := tree.Variable(u.CastExpression); d != nil && d.Type().Kind() == cc.Ptr {
			return d
		}
	}
	return nil
}

// isConst tells pointers through which nothing is changed.
func isConst(t cc.Type) bool {
	p := value.Pointee(t)
	return p != nil && p.Attributes() != nil && p.Attributes().IsConst()
}

// takesConst tells whether a function is declared to change nothing through a parameter.
func takesConst(n *cc.PostfixExpression, i int) bool {
	t := n.PostfixExpression.Type()
	if p, ok := t.(*cc.PointerType); ok {
		t = p.Elem()
	}
	f, ok := t.(*cc.FunctionType)
	return ok && i < len(f.Parameters()) && isConst(f.Parameters()[i].Type())
}

// pointerFromCall gives a pointer what a function returns: one of this file by following it, of another memory of its own. False where it is no such
// call, or one that allocates.
func (l *lowerer) pointerFromCall(d *cc.Declarator, e cc.ExpressionNode) bool {
	n := callIn(e)
	if n == nil {
		return false
	}
	name := tree.Callee(n)
	fd := l.Facts.ByName[name]
	if _, allocates := l.Allocation(n, l.Function); allocates {
		return fd != nil && l.built(d, n, fd)
	}
	switch {
	case name == "" || fd == nil && (handled[name] || ignored[name]):
		return false
	case fd == nil:
		l.call(n).used = true
		l.Warn(n, "what %s returns is taken as memory of its own", name)
		l.Pointers.Set(d, value.Place{Object: l.HeapObject(d, 0), Offset: expr.Int(0)})
		return true
	case l.Inlining[fd] || fd == l.Function:
		return false
	}
	l.inline(n, fd).used = true
	l.Pointers.Set(d, l.returned)
	if l.returned.Object == nil && l.returned.Scalar == nil {
		l.Why[d] = &parse.Error{Pos: parse.Position(n), Message: "the pointer that " + name + " returns cannot be followed", Remedy: "pass the array itself, or " + parse.TraceRemedy}
	} else {
		delete(l.Why, d)
	}
	return true
}

// built gives a pointer what a function allocates and fills: a structure with its sizes, or an array of rows. False where that is more than memory to be
// followed, or less.
func (l *lowerer) built(d *cc.Declarator, n *cc.PostfixExpression, fd *cc.FunctionDefinition) bool {
	t := value.Pointee(d.Type())
	if t == nil || t.Kind() != cc.Struct && t.Kind() != cc.Ptr || l.Inlining[fd] || fd == l.Function {
		return false
	}
	restore, left := l.snapshot(), len(l.left)
	var nodes []nest.Node
	err := parse.Attempt(func() {
		l.returned = value.Place{}
		nodes = l.collect(func() { l.inline(n, fd).used = true })
	})
	if err != nil && err.Whole {
		panic(err)
	}
	if err != nil || len(l.left) > left || l.returned.Object == nil {
		restore()
		return false
	}
	*l.out = append(*l.out, nodes...)
	l.Adopt(d, l.returned.Object)
	l.Pointers.Set(d, l.returned)
	delete(l.Why, d)
	return true
}

// handled are functions whose pointers package value follows.
var handled = words("__builtin_assume_aligned __builtin_expect")

// callIn is the call that an expression is, also cast.
func callIn(e cc.ExpressionNode) *cc.PostfixExpression {
	if n, ok := tree.Uncast(e).(*cc.PostfixExpression); ok && n.Case == cc.PostfixExpressionCall {
		return n
	}
	return nil
}

// returnPointer notes what a function that is inlined returns.
func (l *lowerer) returnPointer(e cc.ExpressionNode) {
	var p value.Place
	if parse.Attempt(func() { p = l.Pointer(e) }) != nil {
		p = value.Place{}
	}
	l.returned = p
}
