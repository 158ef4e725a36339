package lower

import (
	"strings"

	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// graphOf is the graph of a function, nil where it cannot be followed.
func (l *lowerer) graphOf(fn *text.Func) *graph {
	if g, ok := l.graphs[fn.Name]; ok {
		return g
	}
	g, irreducible := graphOf(fn)
	if irreducible {
		l.bad[fn.Name] = "it jumps into a loop"
	}
	l.graphs[fn.Name] = g
	return g
}

// call follows a call.
func (l *lowerer) call(f *frame, in *text.Inst) val {
	callee := l.operand(f, in.Callee)
	args := make([]val, 0, len(in.Args))
	for _, a := range in.Args {
		args = append(args, l.operand(f, a))
	}
	if callee.kind != function {
		if in.Callee.Op != "asm" {
			l.opaque(f, in, args, "a function that is not known before the run")
		}
		return l.result(f, in, "it is the result of a function that is not known")
	}
	if v, ok := l.openmp(f, in, callee.f, args); ok {
		return v
	}
	if fn := l.m.ByName[callee.f]; fn != nil {
		return l.follow(fn, args, l.place(in), in)
	}
	return l.library(f, in, callee.f, args)
}

// result is a value that a call gives and that is not followed.
func (l *lowerer) result(f *frame, in *text.Inst, why string) val {
	if in.Type == nil || in.Type.Kind == text.Void {
		return val{}
	}
	return unknown(why)
}

// opaque notes a call of what is not defined here: what its arguments point at may have changed.
func (l *lowerer) opaque(f *frame, in *text.Inst, args []val, name string) {
	if ofMPI(name) {
		l.messages(args, name)
		return
	}
	for _, a := range args {
		if a.kind == pointer && a.o != nil && !a.o.fixed {
			l.memory.forget(a.o)
		}
	}
	l.warn(l.place(in), "%s is not defined here; it is taken to touch no arrays", name)
}

// follow follows a function with its arguments.
func (l *lowerer) follow(fn *text.Func, args []val, at nest.Pos, in *text.Inst) val {
	g := l.graphOf(fn)
	name := l.shownName(fn)
	switch {
	case l.bad[fn.Name] != "":
		l.fail(at, traceRemedy, "%s cannot be followed: %s", name, l.bad[fn.Name])
	case len(l.stack) >= maxDepth:
		l.fail(at, traceRemedy, "calls in one another are too deep")
	}
	for _, o := range l.stack {
		if o.f == fn {
			l.fail(at, traceRemedy, "%s calls itself", name)
		}
	}
	f := &frame{graph: g, vals: map[string]val{}, names: map[string]string{}, scalar: map[string]int{}, exits: map[*block]*block{}, loops: []*loop{g.whole}, call: at}
	f.classify()
	for i, p := range fn.Params {
		v := unknown("it is not followed")
		if i < len(args) {
			v = args[i]
		}
		if p.ByVal != nil && v.kind == pointer && v.o != nil {
			v = l.copied(v, p.ByVal)
		}
		f.vals[p.Name] = v
	}
	l.stack = append(l.stack, f)
	l.flush()
	done := l.begin(fn, args)
	depth := len(l.stack)
	err := attempt(func() { l.walk(f, g.blocks[0], nil) })
	switch {
	case err == nil:
	case l.passing > 0:
		for len(l.began) > 0 && done != nil && l.began[len(l.began)-1] != done {
			l.began = l.began[:len(l.began)-1]
		}
	case !done.passes(l, err):
		panic(err)
	}
	l.flush()
	l.stack = l.stack[:depth-1]
	done.end(l)
	if err != nil {
		return unknown("it is the result of a function that cannot be followed")
	}
	return returned(f)
}

// returned is what a function gives.
func returned(f *frame) val {
	v := val{}
	for i, r := range f.returns {
		if i == 0 {
			v = r
			continue
		}
		v = choose(nil, v, r)
	}
	return v
}

// copied is a copy of what an argument points at, which the function may change for itself.
func (l *lowerer) copied(v val, t *text.Type) val {
	o := l.newObject("", expr.Int(t.Size()))
	o.stack, o.typ, o.Elem = true, t, elementOf(t)
	l.copyCells(val{kind: pointer, o: o, e: expr.Int(0)}, v, t.Size())
	return val{kind: pointer, o: o, e: expr.Int(0)}
}

// mathKinds are mathematical functions that are more or less than a call.
var mathKinds = map[string]nest.Kind{
	"sqrt": nest.Sqrt, "fabs": nest.Select, "fmin": nest.Select, "fmax": nest.Select, "minnum": nest.Select, "maxnum": nest.Select, "minimum": nest.Select,
	"maximum": nest.Select, "copysign": nest.Select, "fma": nest.FMA, "floor": nest.Convert, "ceil": nest.Convert, "trunc": nest.Convert,
	"rint": nest.Convert, "lround": nest.Convert, "lrint": nest.Convert, "llround": nest.Convert, "llrint": nest.Convert,
	"abs": nest.Select, "smax": nest.Select, "smin": nest.Select, "umax": nest.Select, "umin": nest.Select,
	"bswap": nest.Logic, "ctpop": nest.Logic, "ctlz": nest.Logic, "cttz": nest.Logic, "fshl": nest.Logic, "fshr": nest.Logic, "bitreverse": nest.Logic,
}

// mathCalls are the others.
var mathCalls = set(`acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp2 exp10 expm1 fmod hypot ldexp lgamma log log10 log1p log2 logb
	nearbyint pow powi remainder round roundeven sin sinh tan tanh tgamma rand random drand48`)

// silent are functions that do nothing that is counted.
var silent = set(`free cfree exit abort _exit omp_get_wtime omp_get_wtick gettimeofday clock clock_gettime time srand srandom srand48 fflush fclose
	omp_set_num_threads omp_set_dynamic omp_set_nested omp_get_max_threads omp_get_num_procs __cxa_guard_release __cxa_guard_abort __cxa_atexit
	atexit __cxa_begin_catch __cxa_end_catch __clang_call_terminate __gxx_personality_v0 __rust_dealloc __rust_no_alloc_shim_is_unstable
	__rust_no_alloc_shim_is_unstable_v2
	_ZNSt6chrono3_V212steady_clock3nowEv _ZNSt6chrono3_V212system_clock3nowEv _FortranAioBeginExternalListOutput _FortranAProgramStart
	_FortranAProgramEndStatement _ZNSt8ios_base4InitC1Ev _ZNSt8ios_base4InitD1Ev`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// prints tells functions that print, whose accesses are not counted.
func prints(name string) bool {
	switch name {
	case "printf", "fprintf", "puts", "putchar", "fputc", "fputs", "putc", "fwrite", "snprintf", "sprintf", "perror", "strlen", "atoi", "atol", "strtol", "atof", "strtod", "getenv", "strcmp":
		return true
	}
	return strings.HasPrefix(name, "_ZNSo") || strings.HasPrefix(name, "_ZStls") || strings.HasPrefix(name, "_ZSt16__ostream_insert") ||
		strings.HasPrefix(name, "_FortranAio") || strings.HasPrefix(name, "_ZNSt3__1ls") || strings.HasPrefix(name, "_ZN3std2io")
}

// library follows calls of functions that the module does not define.
func (l *lowerer) library(f *frame, in *text.Inst, name string, args []val) val {
	if base, ok := strings.CutPrefix(name, "llvm."); ok {
		return l.intrinsic(f, in, base, args)
	}
	if plain, ok := strings.CutPrefix(text.Demangled(name), "__rustc::"); ok { // of Rust's runtime, which has longer names since 1.90
		name = plain
	}
	if v, ok := l.allocation(in, name, args); ok {
		return v
	}
	if v, ok := l.fortran(in, name, args); ok {
		return v
	}
	switch {
	case (name == "memset" || name == "memcpy" || name == "memmove") && len(args) == 3:
		l.blockAccess(f, in, name, args)
		return args[0]
	case strings.HasPrefix(name, "_ZdlPv"), strings.HasPrefix(name, "_ZdaPv"), silent[name]:
		if name == "omp_set_num_threads" {
			l.notFollowed(in, name)
		}
		if len(args) > 0 && args[0].kind == pointer && args[0].o != nil {
			args[0].o.freed = true
		}
		return l.result(f, in, resultOf+name)
	case prints(name):
		if name != "strlen" && name != "atoi" {
			if strings.HasPrefix(name, "_FortranAioInput") {
				l.input(name, args)
			}
			if strings.HasPrefix(name, "_FortranAio") {
				l.warn(nest.Pos{}, "what input and output do is not counted")
			} else {
				l.warn(l.place(in), "what %s does is not counted", text.Demangled(name))
			}
		}
		return l.result(f, in, resultOf+text.Demangled(name))
	case name == "omp_get_thread_num" || name == "omp_get_num_threads":
		return unknown(name + " decides it")
	}
	if base, ok := mathName(name); ok {
		return l.math(f, in, base, in.Args)
	}
	l.opaque(f, in, args, text.Demangled(name))
	if in.Type != nil && (in.Type.Kind == text.Float || in.Type.Kind == text.Int) {
		v := l.operate(f, in, nest.Operation{Kind: nest.Call, Type: typeOf(in.Type), Name: name}, in.Args...)
		v.why = resultOf + text.Demangled(name)
		return v
	}
	return l.result(f, in, resultOf+text.Demangled(name))
}

// mathName is the name of a mathematical function without what tells its type.
func mathName(name string) (string, bool) {
	for _, base := range []string{name, strings.TrimSuffix(name, "f"), strings.TrimSuffix(name, "l")} {
		if _, ok := mathKinds[base]; ok || mathCalls[base] {
			return base, true
		}
	}
	return "", false
}

// math is a mathematical function of its arguments.
func (l *lowerer) math(f *frame, in *text.Inst, name string, args []text.Operand) val {
	op := nest.Operation{Kind: nest.Call, Type: typeOf(in.Type), Name: name}
	if k, ok := mathKinds[name]; ok {
		op.Kind = k
		if !op.Rounds() && !nest.KeepsName[name] {
			op.Name = ""
		}
		if k == nest.FMA && len(args) > 3 || k != nest.FMA && len(args) > 2 {
			args = args[:2]
		}
		if name == "abs" || name == "ctlz" || name == "cttz" {
			args = args[:1]
		}
	}
	return l.operate(f, in, op, args...)
}

// intrinsic follows a function of LLVM's own.
func (l *lowerer) intrinsic(f *frame, in *text.Inst, name string, args []val) val {
	base, _, _ := strings.Cut(name, ".")
	switch {
	case base == "memset" || base == "memcpy" || base == "memmove":
		l.blockAccess(f, in, base, args)
		return val{}
	case base == "fmuladd" && len(in.Args) >= 3:
		return l.fused(f, in)
	case base == "expect" || base == "launder" || base == "strip" || base == "ssa" || strings.HasPrefix(name, "ptr.annotation"):
		if len(args) > 0 {
			return args[0]
		}
	case base == "umul" || base == "uadd" || base == "smul" || base == "sadd" || base == "usub" || base == "ssub":
		if strings.Contains(name, "with.overflow") && len(args) >= 2 {
			return l.checked(f, in, base, args)
		}
	case len(args) >= 2 && (base == "smax" || base == "smin" || base == "umax" || base == "umin"):
		if args[0].kind == integer && args[1].kind == integer {
			op := expr.OpMax
			if strings.HasSuffix(base, "min") {
				op = expr.OpMin
			}
			return l.extremum(op, args[0].e, args[1].e)
		}
	case base == "abs" && len(args) >= 1 && args[0].kind == integer:
		return l.extremum(expr.OpMax, args[0].e, expr.Unary(expr.OpNeg, args[0].e))
	}
	if b, ok := mathName(base); ok {
		return l.math(f, in, b, in.Args)
	}
	if strings.HasPrefix(name, "vector.reduce") || base == "masked" {
		l.fail(l.place(in), "compile without vectors (-fno-vectorize -fno-slp-vectorize), or "+traceRemedy, "llvm.%s is not followed", name)
	}
	return l.result(f, in, resultOf+"llvm."+name)
}

// extremum is a minimum or maximum, one of the two where their bounds tell.
func (l *lowerer) extremum(op expr.Op, a, b *expr.Expr) val {
	less := expr.Binary(expr.OpLe, a, b)
	if op == expr.OpMax {
		less = expr.Binary(expr.OpLe, b, a)
	}
	switch {
	case l.always(less):
		return val{kind: integer, e: a}
	case l.never(less):
		return val{kind: integer, e: b}
	}
	return val{kind: integer, e: expr.Binary(op, a, b)}
}

// checked is an operation that also tells whether its result leaves its type, which it is taken not to do.
func (l *lowerer) checked(f *frame, in *text.Inst, base string, args []val) val {
	op := map[string]string{"mul": "mul", "add": "add", "sub": "sub"}[base[1:]]
	v := unknown("it depends on data")
	if args[0].kind == integer && args[1].kind == integer {
		if e := l.combined(&text.Inst{Op: op}, args[0].e, args[1].e, 64); e != nil {
			v = val{kind: integer, e: e}
		}
	}
	return val{kind: aggregate, parts: []val{v, constant(0)}}
}

// fused is a product and a sum, which compilers make one instruction of where the machine has it.
func (l *lowerer) fused(f *frame, in *text.Inst) val {
	s := l.at(in)
	a, b, c := l.operand(f, in.Args[0]), l.operand(f, in.Args[1]), l.operand(f, in.Args[2])
	t := typeOf(in.Type)
	s.Flow = append(s.Flow, nest.Operation{Kind: nest.Mul, Type: t, Args: []nest.Value{l.flowOf(a), l.flowOf(b)}})
	product := nest.Value{Kind: nest.Temp, N: len(s.Flow) - 1}
	s.Flow = append(s.Flow, nest.Operation{Kind: nest.Add, Type: t, Args: []nest.Value{product, l.flowOf(c)}})
	return l.kept(f, in, val{flow: nest.Value{Kind: nest.Temp, N: len(s.Flow) - 1}, stmt: s, why: "it is computed of data"})
}

// allocation follows calls that make objects.
func (l *lowerer) allocation(in *text.Inst, name string, args []val) (val, bool) {
	arg := func(i int) val {
		if i < len(args) {
			return args[i]
		}
		return unknown("it is not followed")
	}
	switch {
	case name == "malloc", name == "valloc", strings.HasPrefix(name, "_Znwm"), strings.HasPrefix(name, "_Znam"), strings.HasSuffix(name, "__rust_alloc"), strings.HasSuffix(name, "__rust_alloc_zeroed"):
		return l.allocated(in, arg(0)), true
	case name == "calloc":
		size := unknown("it depends on data")
		if arg(0).kind == integer && arg(1).kind == integer {
			size = val{kind: integer, e: times(arg(0).e, arg(1).e)}
		}
		return l.allocated(in, size), true
	case name == "aligned_alloc", name == "memalign":
		return l.allocated(in, arg(1)), true
	case name == "posix_memalign" && arg(0).kind == pointer && arg(0).o != nil && arg(0).e.Op == expr.OpConst:
		l.memory.set(arg(0).o, arg(0).e.K, 8, l.allocated(in, arg(2)))
		return constant(0), true
	}
	return val{}, false
}

// word is how many bytes block copies move at once, as they are counted.
const word = 8

// blockAccess makes the accesses of memset, memcpy and memmove, word by word.
func (l *lowerer) blockAccess(f *frame, in *text.Inst, name string, args []val) {
	if len(args) < 3 {
		return
	}
	size := args[2]
	if size.kind != integer {
		why, remedy := reason(size)
		if l.depth == 0 {
			l.warn(l.place(in), "%s is left out, as its length is not known: %s", name, why)
			if args[0].kind == pointer && args[0].o != nil {
				l.memory.forget(args[0].o)
			}
			return
		}
		l.fail(l.place(in), remedy, "the length of this %s is not known: %s", name, why)
	}
	to, from := args[0], args[1]
	if name == "memset" {
		from = val{}
	}
	n, known := size.isConstant()
	switch {
	case known && n <= 0:
		return
	case known && n <= 16*word:
		l.words(in, to, from, 0, n)
	default:
		l.manyWords(in, to, from, size.e)
	}
	l.copiedBlock(to, from, size, args[1])
}

// copiedBlock notes what a block holds afterwards.
func (l *lowerer) copiedBlock(to, from, size, fill val) {
	if to.kind != pointer || to.o == nil {
		return
	}
	n, known := size.isConstant()
	switch {
	case from.kind == pointer && from.o != nil && known:
		l.copyCells(to, from, n)
	case from.kind == data && known && to.e.Op == expr.OpConst:
		c := l.memory.contentsOf(to.o)
		c.clear(to.e.K, n)
		if b, ok := fill.isConstant(); ok && b == 0 && n <= 64*word && to.o.stack {
			for at := to.e.K; at+word <= to.e.K+n; at += word {
				c.cells.put(at, cell{word, constant(0)})
			}
		} else {
			c.dirty, to.o.written = true, true
		}
	case from.kind == data && known:
		l.keep(to, n, unknown("it was set byte by byte"))
	default:
		l.memory.forget(to.o)
	}
}

// words makes the accesses of a short block from a byte on.
func (l *lowerer) words(in *text.Inst, to, from val, at, n int64) {
	for ; at < n; at += word {
		l.pair(in, to, from, expr.Int(at), min(word, n-at))
	}
}

// pair reads and writes a word of a block.
func (l *lowerer) pair(in *text.Inst, to, from val, at *expr.Expr, size int64) {
	var read nest.Value
	if from.kind == pointer {
		if k, ok := l.access(in, val{kind: pointer, o: from.o, e: plus(from.e, at)}, size, false); ok {
			read = nest.Value{Kind: nest.Load, N: k}
		}
	}
	k, ok := l.access(in, val{kind: to.kind, o: to.o, e: sum(to.e, at), why: to.why}, size, true)
	if !ok {
		return
	}
	if read.Kind == nest.None {
		read = nest.Value{Kind: nest.Const}
	}
	s := l.at(in)
	s.Flow = append(s.Flow, nest.Operation{Kind: nest.Move, Type: nest.I64, Args: []nest.Value{read}, Out: nest.Value{Kind: nest.Store, N: k}})
}

func sum(a, b *expr.Expr) *expr.Expr {
	if a == nil {
		return b
	}
	return plus(a, b)
}

// manyWords makes the loop of a long block.
func (l *lowerer) manyWords(in *text.Inst, to, from val, size *expr.Expr) {
	count := divided(size, word)
	if count == nil {
		count = expr.Binary(expr.OpFloorDiv, size, expr.Int(word))
	}
	last := minus(count, expr.Int(1))
	k := l.newVar("word", expr.Range{Lo: 0, Hi: max(0, l.interval(last).Hi)})
	l.depth++
	body := l.collect(func() { l.pair(in, to, from, times(expr.Ref(k), expr.Int(word)), word) })
	l.depth--
	if len(body) > 0 {
		l.emit(&nest.Loop{Var: k, Lo: expr.Int(0), Hi: last, Step: 1, Body: body, Pos: l.place(in)})
	}
	if n, ok := (val{kind: integer, e: size}).isConstant(); ok && n%word != 0 {
		l.pair(in, to, from, expr.Int(n/word*word), n%word)
	}
}
