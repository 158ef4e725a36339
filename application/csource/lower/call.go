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

// mathKinds are the functions of <math.h>, and of gcc for bits, that are more or less than a call, without the suffix f or l.
var mathKinds = map[string]nest.Kind{
	"sqrt": nest.Sqrt, "fabs": nest.Select, "fmin": nest.Select, "fmax": nest.Select, "fdim": nest.Select,
	"copysign": nest.Select, "abs": nest.Select, "labs": nest.Select, "llabs": nest.Select, "fma": nest.FMA,
	"floor": nest.Convert, "ceil": nest.Convert, "trunc": nest.Convert, "rint": nest.Convert,
	"lround": nest.Convert, "lrint": nest.Convert, "llround": nest.Convert,
	"popcount": nest.Logic, "popcountll": nest.Logic, "ctz": nest.Logic, "ctzll": nest.Logic, "clz": nest.Logic, "clzll": nest.Logic,
	"ffs": nest.Logic, "ffsll": nest.Logic, "bswap32": nest.Logic, "bswap64": nest.Logic,
}

// mathCalls are the other functions of <math.h>, and random numbers.
var mathCalls = words(`acos acosh asin asinh atan atanh atan2 cbrt cos cosh erf erfc exp exp2 expm1 fmod hypot ldexp
	lgamma log log10 log1p log2 logb nearbyint nextafter pow remainder round roundeven sin sinh tan tanh tgamma rand random drand48`)

// ignored are functions that do not touch the program's arrays, or only to print them.
var ignored = words(`printf fprintf puts putchar putc fputc fputs fflush perror exit abort free _mm_free srand srandom
	srand48 gettimeofday clock clock_gettime time omp_get_wtime omp_get_wtick omp_set_num_threads omp_set_dynamic
	omp_set_nested omp_set_schedule omp_set_max_active_levels omp_init_lock omp_destroy_lock omp_set_lock
	omp_unset_lock fopen fclose getrusage sleep usleep __assert_fail omp_free snprintf sprintf`)

// silent are those of them that need no warning.
var silent = words(`free _mm_free omp_free exit abort fflush omp_get_wtime omp_get_wtick gettimeofday clock clock_gettime
	time omp_set_num_threads omp_set_dynamic omp_set_nested omp_set_max_active_levels srand srandom srand48
	omp_init_lock omp_destroy_lock fclose`)

// words makes a set of the words in a text.
func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// mathOf is the name by which a function is among those of <math.h>; empty where it is none.
func mathOf(name string) string {
	for _, base := range []string{name, realName(name)} {
		if _, ok := mathKinds[base]; ok || mathCalls[base] {
			return base
		}
	}
	return ""
}

// call lowers a function call as a value.
func (l *lowerer) call(n *cc.PostfixExpression) *operand {
	name := strings.TrimPrefix(tree.Callee(n), "__builtin_")
	if d := tree.Variable(n.PostfixExpression); name == "" || d != nil && d.Type().Kind() == cc.Ptr {
		if fd := l.pointedAt(n); fd != nil {
			return l.inline(n, fd)
		}
		return l.unknownCall(n, "the function that "+tree.Text(n.PostfixExpression)+" points at", typeOf(n.Type()))
	}
	if fd := l.Facts.ByName[name]; fd != nil {
		if tree.IsInteger(n.Type()) {
			if x, err := l.TryUntold(n); err == nil {
				return l.intChoice(n, x)
			}
		}
		return l.inline(n, fd)
	}
	if base := mathOf(name); base != "" {
		return l.mathCall(n, base)
	}
	if o := l.ofComplex(n, name); o != nil {
		return o
	}
	return l.otherCall(n, name)
}

// pointedAt is the function of the file that a call through a pointer runs; nil where it is not known, or changes numbers of which what stands around the
// call knows nothing.
func (l *lowerer) pointedAt(n *cc.PostfixExpression) *cc.FunctionDefinition {
	fd, err := l.PointedFunction(n.PostfixExpression)
	if err != nil {
		panic(err)
	}
	if fd == nil || l.Facts.ChangesNumbers(fd.Declarator.Name()) {
		return nil
	}
	return fd
}

// mathCall lowers a call of a function of the C library that computes from its arguments alone.
func (l *lowerer) mathCall(n *cc.PostfixExpression, name string) *operand {
	t := typeOf(n.Type())
	var args []*operand
	all := true
	for _, a := range tree.Arguments(n) {
		v := l.value(a)
		all = all && v.literal
		args = append(args, v)
	}
	if _, isMath := mathKinds[name]; !isMath {
		return l.operation(n, nest.Operation{Kind: nest.Call, Type: t, Name: name}, args...)
	}
	if all {
		return literal(t)
	}
	for i, a := range args {
		if t.IsFloat() {
			args[i] = l.convert(n, a, t)
		}
	}
	op := nest.Operation{Kind: mathKinds[name], Type: t, Name: name}
	if !op.Rounds() && !nest.KeepsName[name] {
		op.Name = ""
	}
	if op.Kind == nest.Convert && len(args) > 0 {
		op.From = args[0].t
	}
	return l.operation(n, op, args...)
}

// otherCall lowers calls of functions that the file does not define.
func (l *lowerer) otherCall(n *cc.PostfixExpression, name string) *operand {
	t := typeOf(n.Type())
	switch {
	case ignored[name]:
		switch {
		case name == "omp_set_num_threads":
			l.notFollowed(parse.Position(n), tree.Text(n))
		case !silent[name]:
			l.Warn(n, "%s is not counted", name)
		}
		l.workGiven(n)
		return literal(t)
	case name == "memset" || name == "memcpy" || name == "memmove":
		return l.memory(n, name)
	case name == "expect" || name == "assume_aligned":
		return l.value(tree.Arguments(n)[0])
	case name == "omp_get_thread_num" || name == "omp_get_num_threads":
		l.Warn(n, "the value of %s is not followed", name)
		return literal(t)
	case strings.HasPrefix(name, "omp_get_") || name == "prefetch":
		return literal(t)
	case name == "posix_memalign":
		return l.posixMemalign(n)
	}
	if op, ok := value.IntegerFunctions[strings.TrimLeft(name, "_")]; ok && len(tree.Arguments(n)) == 2 && (op == expr.OpMin || op == expr.OpMax) {
		return l.mathSelect(n, t)
	}
	return l.unknownCall(n, name, t)
}

// callsOwn tells calls of functions of the file.
func (l *lowerer) callsOwn(e cc.ExpressionNode) bool {
	call, ok := e.(*cc.PostfixExpression)
	return ok && l.Facts.ByName[tree.Callee(call)] != nil
}

// workGiven lowers what takes work of what a function is given that is not counted itself: printf("%g", sum(a, n)).
func (l *lowerer) workGiven(n *cc.PostfixExpression) {
	for _, a := range tree.Arguments(n) {
		if !tree.IsPointer(a.Type()) && tree.Acts(a, l.callsOwn) {
			restore := l.snapshot()
			if parse.Attempt(func() { l.flush(); l.value(a).used = true; l.flush() }) != nil {
				restore()
			}
		}
	}
}

func (l *lowerer) mathSelect(n *cc.PostfixExpression, t nest.Type) *operand {
	args := tree.Arguments(n)
	a := l.value(args[0])
	b := l.value(args[1])
	return l.operation(n, nest.Operation{Kind: nest.Select, Type: max(t, a.t, b.t)}, a, b)
}

// posixMemalign binds the pointer whose address it is given.
func (l *lowerer) posixMemalign(n *cc.PostfixExpression) *operand {
	args := tree.Arguments(n)
	if len(args) == 3 {
		if d := addressedPointer(args[0]); d != nil {
			l.Pointers.Set(d, value.Place{Object: l.HeapObject(d, l.Product(n, []int{2})), Offset: expr.Int(0)})
			return literal(nest.I32)
		}
	}
	l.Fail(n, "use malloc", "posix_memalign into something else than a variable")
	return nil
}

// elementLoop makes the loop of memcpy, memset and their kind: an access to each element of so many bytes.
func (l *lowerer) elementLoop(n cc.Node, name string, to, from value.Place, elem int64, bytes *expr.Expr) {
	hi := value.Normal(expr.Binary(expr.OpSub, expr.Binary(expr.OpFloorDiv, bytes, expr.Int(elem)), expr.Int(1)))
	v := l.newVar(name, expr.Int(0), hi)
	step := expr.Binary(expr.OpMul, expr.Ref(v), expr.Int(elem))
	t := nest.I64
	if elem <= 4 {
		t = nest.I32
	}
	what := tree.Text(n)
	body := l.collect(func() {
		s := l.at(n)
		value := nest.Value{Kind: nest.Const}
		if from.Object != nil {
			value = nest.Value{Kind: nest.Load, N: 0}
			s.Accesses = append(s.Accesses, &nest.Access{
				Object: from.Object, Offset: l.Plus(n, from, step).Offset, Size: elem, Pos: parse.Position(n), Text: what,
			})
		}
		s.Accesses = append(s.Accesses, &nest.Access{
			Object: to.Object, Offset: l.Plus(n, to, step).Offset, Size: elem, Write: true, Pos: parse.Position(n), Text: what,
		})
		s.Flow = append(s.Flow, nest.Operation{
			Kind: nest.Move, Type: t, Args: []nest.Value{value},
			Out: nest.Value{Kind: nest.Store, N: len(s.Accesses) - 1},
		})
	})
	l.emit(&nest.Loop{Var: v, Lo: expr.Int(0), Hi: hi, Step: 1, Body: body, Pos: parse.Position(n)})
}

// acts tells whether evaluating an expression changes numbers or pointers that are followed.
func (l *lowerer) acts(e cc.ExpressionNode) bool { return tree.Acts(e, l.does) }

// does tells whether an assignment or a call may change numbers or pointers that are followed: functions that compute, or change elements of arrays alone, do not.
func (l *lowerer) does(e cc.ExpressionNode) bool {
	followed := func(t cc.Type) bool { return !cc.IsFloatingPointType(t) }
	call, ok := e.(*cc.PostfixExpression)
	if !ok {
		return followed(e.(*cc.AssignmentExpression).UnaryExpression.Type())
	}
	name := strings.TrimPrefix(tree.Callee(call), "__builtin_")
	if l.Facts.ByName[name] == nil {
		return mathOf(name) == ""
	}
	return l.Facts.ChangesNumbers(name) || slices.ContainsFunc(l.changes(call), func(d *cc.Declarator) bool { return followed(d.Type()) })
}

// computes tells calls and assignments: what costs more than to look at values.
func computes(n cc.Node) bool {
	if _, ok := n.(*cc.AssignmentExpression); ok {
		return true
	}
	p, ok := n.(*cc.PostfixExpression)
	return ok && p.Case == cc.PostfixExpressionCall
}

// result is where the function being inlined puts its value.
type result struct {
	to    *operand // where it puts it
	t     cc.Type
	void  bool        // there is none
	loops int         // depth of loops at the call
	into  value.Place // a structure that is set to it
	outer *result     // of the function that calls this one, where that is being inlined too
}

// inline lowers a call of a function of the file by lowering its body.
func (l *lowerer) inline(n *cc.PostfixExpression, fd *cc.FunctionDefinition) *operand {
	name := fd.Declarator.Name()
	into := l.into
	l.into = value.Place{}
	if l.Inlining[fd] || fd == l.Function {
		panic(&parse.Error{Pos: parse.Position(n), Message: name + " calls itself", Remedy: parse.TraceRemedy, Whole: fd == l.Function})
	}
	if len(l.Inlining) >= value.MaxInline {
		l.Fail(n, parse.TraceRemedy, "calls nest too deeply at %s", name)
	}
	l.bindArguments(n, fd)
	if l.calls != nil {
		l.calls(fd)
	}
	l.flush()
	t := fd.Declarator.Type().(*cc.FunctionType).Result()
	if k := t.Kind(); into.Object == nil && (k == cc.Struct || k == cc.Union) {
		into = l.unnamed(t)
	}
	r := &result{void: t.Kind() == cc.Void || into.Object != nil, loops: l.loops, into: into, outer: l.result}
	if !r.void {
		r.t = t
		r.to = ofParts(t, func(p part) *operand { return &operand{v: l.scalarPart(fd.Declarator, p), t: p.t} })
	}
	l.Inlining[fd] = true
	l.result = r
	if parse.InVectorHeader(fd.Declarator) && l.intrinsic == nil {
		l.intrinsic = n
		defer func() { l.intrinsic = nil }()
	}
	caller := l.current
	l.current = fd
	l.markInside(fd.CompoundStatement)
	if d := returnedVariable(fd); d != nil && l.isWhole(into, d.Type()) {
		before := l.Hidden[d]
		l.Hidden[d] = into.Object // compilers build it there
		if l.addressed()[d] {
			l.addressed()[l.Held[into.Object].Variable] = true
		}
		defer l.unhide(d, before)
	}
	l.block(tree.Items(fd.CompoundStatement), fd.CompoundStatement, true)
	l.flush()
	l.result, l.current = r.outer, caller
	delete(l.Inlining, fd)
	if parse.InVectorHeader(fd.Declarator) {
		l.unbindVectors(fd)
	}
	if r.void {
		return literal(nest.I32)
	}
	to := *r.to
	return &to
}

// bindArguments gives the parameters of fd the values of a call.
func (l *lowerer) bindArguments(n *cc.PostfixExpression, fd *cc.FunctionDefinition) {
	ft, ok := fd.Declarator.Type().(*cc.FunctionType)
	args := tree.Arguments(n)
	if ok && len(ft.Parameters()) == 1 && ft.Parameters()[0].Type().Kind() == cc.Void { // f(void)
		return
	}
	if !ok || len(ft.Parameters()) > len(args) {
		l.Fail(n, "", "%s is called with too few arguments", fd.Declarator.Name())
	}
	var bind []func()
	for i, p := range ft.Parameters() {
		if d := p.Declarator; d != nil {
			bind = append(bind, l.bindArgument(args[i], d))
		}
	}
	for _, f := range bind {
		f()
	}
}

// unbindVectors ends that parameters are what a call gave.
func (l *lowerer) unbindVectors(fd *cc.FunctionDefinition) {
	for _, p := range fd.Declarator.Type().(*cc.FunctionType).Parameters() {
		if p.Declarator != nil {
			delete(l.Hidden, p.Declarator)
		}
	}
}

// bindArgument evaluates one argument; the function it gives sets the parameter, after all are evaluated.
func (l *lowerer) bindArgument(e cc.ExpressionNode, d *cc.Declarator) func() {
	t := d.Type()
	switch {
	case t.Kind() == cc.Ptr:
		if value.Pointee(t).Kind() == cc.Function {
			fd, _ := l.PointedFunction(e)
			return func() { l.Pointers.Set(d, value.Place{}); l.Callees[d] = fd }
		}
		if l.IsNull(e) {
			return func() { l.Pointers.Set(d, value.Place{Null: true}) }
		}
		var p value.Place
		err := parse.Attempt(func() { p = l.Pointer(e); l.loadRow(e) })
		return func() { l.Pointers.Set(d, p); l.Why[d] = err }
	case parse.IsVector(t) && parse.InVectorHeader(d) && (isStructValue(e) || tree.Variable(e) != nil): // functions there only read them
		var o *nest.Object
		if isStructValue(e) {
			o = l.structValue(e).Object
		} else {
			o = l.VariableObject(e, tree.Variable(e))
		}
		return func() { l.Hidden[d] = o }
	case t.Kind() == cc.Struct || t.Kind() == cc.Union:
		l.declared[d] = true
		if isStructValue(e) { // what it calls may have parameters of the same name
			from := l.structValue(e)
			return func() { l.copyMembers(e, t, from, value.Place{Object: l.VariableObject(d, d), Offset: expr.Int(0)}) }
		}
		return func() { l.copyStruct(d, e) }
	case tree.IsInteger(t):
		x, why := l.followed(e, t)
		if why == nil {
			return func() {
				l.Ints.Set(d, value.Normal(x))
				delete(l.Why, d)
			}
		}
		v := l.value(e)
		return func() {
			l.setScalar(e, d, v)
			l.Why[d] = why
		}
	}
	v, bind := l.value(e), l.BindReal(d, e)
	return func() {
		l.setScalar(e, d, v)
		bind()
	}
}

// returns lowers the return at the end of a function.
func (l *lowerer) returns(j *cc.JumpStatement) {
	e := j.ExpressionList
	switch {
	case e == nil:
	case l.result != nil && l.result.into.Object != nil:
		l.setStruct(l.result.into, e.Type(), e)
	case l.result == nil || l.result.void:
		if tree.TouchesMemory(e) {
			l.effect(e)
		}
	case tree.IsPointer(e.Type()):
		l.returnPointer(e)
	default:
		v := l.convertTo(j, l.value(e), l.result.t)
		l.at(j)
		l.moveTo(v, l.result.to)
	}
}

// returnedVariable is the structure variable of its own that a function returns wherever it returns; nil: there is none.
func returnedVariable(fd *cc.FunctionDefinition) (d *cc.Declarator) {
	same := true
	if k := fd.Declarator.Type().(*cc.FunctionType).Result().Kind(); k != cc.Struct && k != cc.Union {
		return nil
	}
	tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
		if s, ok := n.(*cc.Statement); ok && s.Case == cc.StatementJump && s.JumpStatement.Case == cc.JumpStatementReturn {
			v := tree.Variable(s.JumpStatement.ExpressionList)
			same = same && v != nil && (d == nil || d == v)
			d = v
		}
		return true
	})
	if !same || d == nil || d.IsParam() || d.StorageDuration() != cc.Automatic {
		return nil
	}
	return d
}
