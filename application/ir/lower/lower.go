// Package lower makes loop nests of a module of LLVM IR: it follows main, and functions that nobody calls, with what is known of each value,
// finds natural loops by dominators and what they count, and gives for each function of the source its loops, its accesses by object and offset,
// and the operations between them.
//
// A value is an integer expression of the loops' counters, an address (an object and an offset), or data, of which only how it is computed is
// known. Memory is followed where addresses are constant, so that pointers kept in members of structures lead to what was stored there. A loop
// whose end is not an expression of the counters around it is followed iteration by iteration as long as what decides is known, and refused
// else, with its place.
//
// Loops run from 0 in steps of 1; offsets and sizes are in bytes. Distinct objects are taken not to overlap. Exceptions are taken not to be
// thrown, and conversions between integers to keep their values where nothing is known against it.
package lower

import (
	"fmt"
	"slices"
	"strings"

	"foresee/application/csource"
	"foresee/application/csource/parse"
	"foresee/application/csource/value"
	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// Bounds of the work for one module. Chosen: real regions need a hundredth.
const (
	maxNodes   = 5_000     // statements, loops and conditions of a region
	maxSteps   = 4_000_000 // instructions that are looked at from one function on
	maxTotal   = 5 * maxSteps
	maxDepth   = 60  // calls in one another
	maxUnroll  = 600 // iterations of a loop that is followed one by one
	maxObjects = 10_000
)

// defineRemedy goes before a definition that would do.
const defineRemedy = "define it, such as "

// traceRemedy is what always helps.
const traceRemedy = parse.TraceRemedy

// lowerer follows a module and makes nests of it. It leaves deep recursions by panicking with a *parse.Error.
type lowerer struct {
	m       *text.Module
	choice  choice
	graphs  map[string]*graph
	bad     map[string]string // functions that are not followed, and why
	memory  memory
	globals map[string]val
	defined map[string]int64 // by the caller, by name
	tells   *telling         // values of a run; nil: there is none
	used    map[string]bool  // those of them that stood for something

	vars    []string // names of loop variables
	ranges  []expr.Range
	scalars []string
	given   []expr.Affine // forms that are not negative here
	known   []*expr.Expr  // expressions that are not either

	out    *[]nest.Node
	stmt   *nest.Stmt
	nodes  int
	steps  int
	spent  int // steps from functions that were begun at before
	notes  []note
	mpi    []string   // what is taken as MPI sets it where one rank runs the program
	made   int        // objects
	dry    int        // depth of walks that only look
	stack  []*frame   // functions that are being followed
	began  []*nesting // regions that are being made, outermost first
	found  map[string]*nesting
	chosen []*nesting // those that are regions, or would be if they could be read
	order  []string   // regions in the order in which they were met

	team     int // depth of parallel regions
	work     *sharing
	critical []*[]nest.Node
	depth    int                      // of loops
	passing  int                      // depth of loops that are left out
	counters []expr.Var               // of those whose iterations are followed as one
	bare     bool                     // main is given no arguments
	nothing  bool                     // no region was met
	whole    bool                     // the analysis begins at main, where global variables have their first values
	skimmed  map[string]bool          // functions that were met in what is left out
	late     bool                     // it began at another function, or left something out: the program may have changed them
	changed  map[string]bool          // global variables that functions may change
	copies   map[*object]*object      // what each thread has of variables that are threadprivate
	inner    map[nest.Node]bool       // nodes of functions that another one called
	calls    map[string]bool          // functions that others call
	spots    map[*nest.Object]*object // those on the heap
	unlaid   map[*nest.Object]rowsOf  // rows that lie a pitch apart until it is known how long they are
	toldRows []*object                // those of the function that is followed of which a run told the addresses
	taken    map[string]bool          // names of objects

	region      *text.Func                   // that alone is followed
	phases      map[*nest.Object]int64       // bytes from the begin of a line to where objects begin
	turns       *loop                        // of which an iteration begins that is followed for what it accesses
	inOrder     []csource.Place              // of instructions that took the numbers that a run told in order
	spans       map[expr.Var]counting        // of counters, while what they count is followed
	pieces      map[int64]val                // where the run met the first pointer into each piece of memory, of those in which arrays overlap
	whereabouts map[*nest.Object]whereabouts // of objects that were made before the region
}

// note is a warning and its place.
type note struct {
	pos  nest.Pos
	text string
}

// choice says what is wanted.
type choice struct {
	regions []string
	loops   bool
	file    string
}

// frame is a function that is being followed.
type frame struct {
	*graph
	vals      map[string]val
	names     map[string]string // of values in the source
	scalar    map[string]int    // numbers of the scalars that hold values beyond their statements
	from      *way
	left      *block              // where control went out of the loop that is followed one iteration after the other
	loops     []*loop             // that are being followed
	exits     map[*block]*block   // where control stays in a loop at the blocks that may end it
	others    map[*block][]*block // from where control may come to a block besides, as data may end a loop that is followed to its end
	uncounted []*loop             // of which one iteration stands for as many as data say
	returns   []val               // on each of its ways
	call      nest.Pos
	classes   map[string]string // values that share a scalar
	trails    map[string]trail  // values of loops that an iteration sets for the next one
}

// way is how control came to a block: from a block, or on one of two ways.
type way struct {
	pred *block
	cond *expr.Expr // nil: it depends on data
	a, b *way
}

// fail ends the lowering of what is being looked at.
func (l *lowerer) fail(pos nest.Pos, remedy, format string, args ...any) {
	lacks, _ := strings.CutPrefix(remedy, defineRemedy)
	if lacks == remedy {
		lacks = ""
	}
	panic(&parse.Error{Pos: pos, Message: fmt.Sprintf(format, args...), Remedy: remedy, Lacks: lacks})
}

// attempt runs f and gives what it failed with.
func attempt(f func()) (err *parse.Error) {
	defer parse.Catch(&err)
	f()
	return nil
}

// warn notes an assumption.
func (l *lowerer) warn(pos nest.Pos, format string, args ...any) {
	if l.dry > 0 {
		return
	}
	n := note{pos, fmt.Sprintf(format, args...)}
	if pos.Line > 0 {
		n.text = fmt.Sprintf("%s:%d: %s", pos.File, pos.Line, n.text)
	}
	if !slices.Contains(l.notes, n) {
		l.notes = append(l.notes, n)
	}
}

// place is where an instruction comes from: the innermost code that is the program's own, else that of the function.
func (l *lowerer) place(in *text.Inst) nest.Pos {
	frames := l.m.Place(in.Debug)
	for _, f := range frames {
		if !systemFile(f.File) && f.Line > 0 {
			return nest.Pos{File: f.File, Line: f.Line, Column: f.Column}
		}
	}
	for i := len(l.stack) - 1; i >= 0; i-- {
		if p := l.home(l.stack[i].f); p.Line > 0 && !systemFile(p.File) {
			return p
		}
		if p := l.stack[i].call; p.Line > 0 {
			return p
		}
	}
	return nest.Pos{File: l.choice.file}
}

// home is where a function is in the source.
func (l *lowerer) home(f *text.Func) nest.Pos {
	if s, ok := l.m.Subprogram(f.Debug); ok {
		return nest.Pos{File: s.File, Line: s.Line, Column: 1}
	}
	return nest.Pos{File: l.choice.file}
}

// systemFile tells files of compilers and libraries from those of the program.
func systemFile(name string) bool {
	for _, part := range []string{"/usr/include/", "/usr/lib/", "/include/c++/", "/lib/clang/", "/lib/gcc/", "/rustc/", "/rustc-", "/rustlib/"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return name == "" || strings.HasPrefix(name, "library/") // of Rust
}

// flush ends the statement under construction.
func (l *lowerer) flush() {
	if l.stmt != nil && len(l.stmt.Accesses)+len(l.stmt.Flow) > 0 && l.dry == 0 {
		l.count(1)
		*l.out = append(*l.out, l.stmt)
	}
	l.stmt = nil
}

// count keeps a region within bounds.
func (l *lowerer) count(n int) {
	if l.nodes += n; l.nodes > maxNodes {
		l.fail(l.home(l.stack[0].f), traceRemedy, "more than %d statements, with those of the functions that are called", maxNodes)
	}
}

// emit appends a node.
func (l *lowerer) emit(n nest.Node) {
	l.flush()
	if l.dry > 0 {
		return
	}
	l.count(1)
	*l.out = append(*l.out, n)
}

// collect gives the nodes that f makes.
func (l *lowerer) collect(f func()) []nest.Node {
	l.flush()
	saved := l.out
	var nodes []nest.Node
	l.out = &nodes
	f()
	l.flush()
	l.out = saved
	return nodes
}

// look runs f without making nodes.
func (l *lowerer) look(f func()) {
	l.flush()
	l.dry++
	saved := l.out
	l.out = new([]nest.Node)
	f()
	l.flush()
	l.out = saved
	l.dry--
}

// at is the statement under construction.
func (l *lowerer) at(in *text.Inst) *nest.Stmt {
	if l.stmt == nil {
		l.stmt = &nest.Stmt{Pos: l.place(in)}
	}
	return l.stmt
}

// step counts an instruction that is looked at.
func (l *lowerer) step(in *text.Inst) {
	if l.steps++; l.steps > min(maxSteps, maxTotal-l.spent) {
		l.fail(l.place(in), traceRemedy, "following this program takes too long")
	}
}

// newVar makes a loop variable.
func (l *lowerer) newVar(name string, r expr.Range) expr.Var {
	l.vars = append(l.vars, name)
	l.ranges = append(l.ranges, r)
	return expr.Var(len(l.vars) - 1)
}

// interval bounds an expression.
func (l *lowerer) interval(e *expr.Expr) expr.Range {
	return e.Interval(func(v expr.Var) expr.Range { return l.ranges[v] })
}

// never and always tell of a condition what its bounds and the conditions around it say.
func (l *lowerer) always(c *expr.Expr) bool {
	if r := l.interval(c); r.Lo > 0 || r.Hi < 0 {
		return true
	}
	forms, ok := expr.ConditionForms(c)
	return ok && !slices.ContainsFunc(forms, func(a expr.Affine) bool { return !l.notNegative(a) })
}

func (l *lowerer) never(c *expr.Expr) bool { return l.always(expr.Unary(expr.OpNot, c)) }

// notNegative tells whether a form is known to be at least 0.
func (l *lowerer) notNegative(a expr.Affine) bool {
	if a.Interval(l.ranges).Lo >= 0 {
		return true
	}
	return slices.ContainsFunc(l.given, func(g expr.Affine) bool { return a.Plus(g, -1).Interval(l.ranges).Lo >= 0 })
}

// under runs f where a condition holds.
func (l *lowerer) under(c *expr.Expr, f func()) {
	n, k := len(l.given), len(l.known)
	if c != nil {
		l.known = append(l.known, slack(c)...)
		if forms, ok := expr.ConditionForms(c); ok {
			l.given = append(l.given, forms...)
		}
	}
	f()
	l.given, l.known = l.given[:n], l.known[:k]
}

// slack is what is not negative exactly where a comparison holds; nothing of other conditions.
func slack(c *expr.Expr) []*expr.Expr {
	switch c.Op {
	case expr.OpLt:
		return []*expr.Expr{minus(minus(c.B, c.A), expr.Int(1))}
	case expr.OpLe:
		return []*expr.Expr{minus(c.B, c.A)}
	}
	return nil
}

// atLeastZero tells whether an expression is known not to be negative.
func (l *lowerer) atLeastZero(e *expr.Expr) bool { return l.proved(value.Normal(e), 4) }

// proved tells whether an expression is known not to be negative; minima and maxima in it are looked at one after the other, so many deep.
func (l *lowerer) proved(e *expr.Expr, depth int) bool {
	if l.interval(e).Lo >= 0 {
		return true
	}
	if form, ok := expr.AffineOf(e); ok && l.notNegative(form) {
		return true
	}
	if slices.ContainsFunc(l.known, func(k *expr.Expr) bool {
		d := minus(e, k)
		return d.Op == expr.OpConst && d.K >= 0
	}) {
		return true
	}
	part, sign := extremeIn(e, 1)
	if part == nil || depth == 0 {
		return false
	}
	a := l.proved(value.Normal(e.Replace(part, part.A)), depth-1)
	if both := (part.Op == expr.OpMin) == (sign > 0); both != a {
		return a // it is not, where both must be; it is, where one is enough
	}
	return l.proved(value.Normal(e.Replace(part, part.B)), depth-1)
}

// extremeIn is a minimum or maximum that is a term of a sum, and its sign; nil where there is none.
func extremeIn(e *expr.Expr, sign int) (*expr.Expr, int) {
	switch e.Op {
	case expr.OpMin, expr.OpMax:
		return e, sign
	case expr.OpAdd, expr.OpSub:
		if p, s := extremeIn(e.A, sign); p != nil {
			return p, s
		}
		if e.Op == expr.OpSub {
			sign = -sign
		}
		return extremeIn(e.B, sign)
	case expr.OpNeg:
		return extremeIn(e.A, -sign)
	case expr.OpMul:
		if e.B.Op == expr.OpConst && e.B.K < 0 || e.A.Op == expr.OpConst && e.A.K < 0 {
			sign = -sign
		}
		if e.B.Op == expr.OpConst {
			return extremeIn(e.A, sign)
		}
		if e.A.Op == expr.OpConst {
			return extremeIn(e.B, sign)
		}
	}
	return nil, 0
}
