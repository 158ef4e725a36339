package lower

import (
	"fmt"
	"slices"
	"strings"

	"foresee/application/csource"
	"foresee/application/csource/parse"
	"foresee/application/ir/place"
	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// nesting is a function of the source that is being followed, and what becomes of it.
type nesting struct {
	fn     *text.Func
	name   string
	pos    nest.Pos
	nodes  []nest.Node
	notes  []note
	err    *parse.Error
	lacks  *parse.Error // with what it cannot be followed by itself, where that lacks numbers that can be given, or a run can tell; nil else
	left   []nest.Left  // parts that cannot be followed, without which the others can
	args   []val        // it was entered with
	broken bool         // it was not followed to its end
	own    bool         // it holds loops itself
	inLoop bool         // it is called in a loop of another region
	marked bool         // its author marked it as one to look at: by OpenMP, or a name kernel_…
	aside  bool         // others are marked, and it stands beside them
	part   bool         // it is read as part of the function that calls it in its loops
	by     *nesting     // that calls it
	outer  *[]nest.Node
	depth  int
	count  int
	noted  []note
}

// Module lowers the functions of a module that are regions. A program is taken as run without arguments where that leads to regions and leaves no
// definition without use.
func Module(name string, m *text.Module, o csource.Options) (*csource.Unit, error) {
	defined, err := definitions(o.Defines)
	if err != nil {
		return nil, err
	}
	bare := newLowerer(name, m, o, defined)
	if !bare.asksArguments() {
		return bare.module()
	}
	bare.bare = true
	unit, err := bare.module()
	if err == nil && len(bare.used) == len(defined) {
		return unit, nil
	}
	told := newLowerer(name, m, o, defined)
	other, failed := told.module()
	if failed == nil && (err != nil || len(told.used) > len(bare.used)) || bare.nothing {
		return other, failed
	}
	return unit, err
}

func newLowerer(name string, m *text.Module, o csource.Options, defined map[string]int64) *lowerer {
	return &lowerer{
		m: m, choice: choice{regions: o.Regions, loops: o.By == csource.ByLoop, file: name}, graphs: map[string]*graph{}, bad: map[string]string{}, defined: defined,
		globals: map[string]val{}, used: map[string]bool{}, found: map[string]*nesting{}, taken: map[string]bool{}, spots: map[*nest.Object]*object{}, unlaid: map[*nest.Object]rowsOf{}, memory: memory{}, out: new([]nest.Node),
	}
}

// module follows the program from its beginning, and then what nobody calls.
func (l *lowerer) module() (*csource.Unit, error) {
	unit := &csource.Unit{}
	if main := l.entry(); main != nil {
		l.whole = true
		l.start(main)
	}
	for _, fn := range l.m.Functions {
		if !l.candidate(fn) {
			continue
		}
		switch r := l.found[fn.Name]; {
		case r == nil && (!l.called(fn) || l.skimmed[fn.Name]):
			l.start(fn)
		case r != nil && r.err != nil && r.by != nil:
			l.byItself(r)
		}
	}
	if l.bare {
		unit.Warnings = append(unit.Warnings, "the program is taken as run without arguments")
	}
	if len(l.mpi) > 0 {
		unit.Warnings = append(unit.Warnings, "the program is taken as run by one rank ("+strings.Join(l.mpi, ", ")+"); definitions give other values")
	}
	return unit, l.gather(unit)
}

// asksArguments tells whether the program looks at how many arguments it was given.
func (l *lowerer) asksArguments() bool {
	main := l.entry()
	if main == nil || len(main.Params) == 0 || main.Params[0].Type.Kind != text.Int {
		return false
	}
	for _, b := range main.Blocks {
		for _, in := range b.Insts {
			if !strings.HasPrefix(in.Op, "dbg.") && slices.ContainsFunc(in.Args, func(a text.Operand) bool { return a.Kind == text.Local && a.Name == main.Params[0].Name }) {
				return true
			}
		}
	}
	return false
}

// definitions reads NAME=VALUE with integers; others are for compilers.
func definitions(all []string) (map[string]int64, error) {
	out := map[string]int64{}
	for _, d := range all {
		name, text, ok := strings.Cut(d, "=")
		if !ok {
			continue
		}
		if n, known := parse.EvaluateClause(text, func(string) (int64, bool) { return 0, false }); known {
			out[strings.ReplaceAll(name, "->", ".")] = n
		} else if strings.ContainsAny(name, ".>") {
			return nil, &parse.Error{Message: "the definition of " + d + ": a member takes a whole number", Remedy: "define it, such as " + name + "=1000"}
		}
	}
	return out, nil
}

// entry is the function that the program begins with, nil where there is none.
func (l *lowerer) entry() *text.Func {
	if fn := l.m.ByName["_QQmain"]; fn != nil {
		return fn
	}
	for _, fn := range l.m.Functions { // in Rust the one that the linker knows by this name calls it
		if s, ok := l.m.Subprogram(fn.Debug); ok && s.Function == "main" && strings.HasSuffix(s.File, ".rs") && len(fn.Params) == 0 {
			return fn
		}
	}
	return l.m.ByName["main"]
}

// byItself follows a function once more that could not be followed with what the program gives it, with nothing but the numbers of that.
func (l *lowerer) byItself(r *nesting) {
	l.start(r.fn, r.args...)
	switch {
	case r.err == nil:
		r.inLoop = false
		r.notes = append(slices.Clone(r.notes), note{r.pos, fmt.Sprintf("%s:%d: %s is read by itself, as what the program gives it is not known", r.pos.File, r.pos.Line, r.name)})
	case r.lacks != nil:
		r.err = r.lacks
	}
}

// start follows a function from its beginning, with arguments of which only what the caller defined is known, and numbers that are given.
func (l *lowerer) start(fn *text.Func, given ...val) {
	l.spent += l.steps
	l.copies, l.late = map[*object]*object{}, fn != l.entry()
	l.memory, l.stack, l.began, l.dry, l.depth, l.team, l.work, l.critical, l.given = memory{}, nil, nil, 0, 0, 0, nil, nil, nil
	l.toldRows, l.pieces, l.whereabouts, l.phases, l.inOrder, l.spans = nil, nil, nil, nil, nil, map[expr.Var]counting{}
	l.out, l.stmt, l.steps, l.nodes, l.notes, l.made = new([]nest.Node), nil, 0, 0, nil, 0
	var args []val
	for i, p := range fn.Params {
		if i < len(given) {
			if _, known := given[i].isConstant(); known {
				args = append(args, given[i])
				continue
			}
		}
		args = append(args, l.argument(fn, p))
	}
	if l.whole {
		l.construct()
	}
	err := attempt(func() { l.follow(fn, args, nest.Pos{}, nil) })
	if err != nil && l.found[fn.Name] == nil {
		l.found[fn.Name] = &nesting{fn: fn, name: l.shownName(fn), pos: l.home(fn), err: err, own: true}
		l.order = append(l.order, fn.Name)
	}
}

// construct follows what gives global variables their values before main, as far as it can be followed. Its own accesses belong to no region.
func (l *lowerer) construct() {
	for _, fn := range l.m.Functions {
		if strings.HasPrefix(fn.Name, "_GLOBAL__") && len(fn.Params) == 0 {
			_ = attempt(func() { l.follow(fn, nil, nest.Pos{}, nil) })
		}
	}
	l.out, l.stmt, l.notes, l.stack, l.began, l.dry, l.depth = new([]nest.Node), nil, nil, nil, nil, 0, 0
}

// argument is a parameter of which nobody says what it is.
func (l *lowerer) argument(fn *text.Func, p text.Param) val {
	variable := l.parameter(fn, p.Name)
	name := variable.Name
	switch p.Type.Kind {
	case text.Pointer:
		o := l.newObject(name, nil)
		o.outside, o.debug = true, variable.Type
		return l.met(fn.Name, "%"+p.Name, o)
	case text.Int:
		if l.bare && fn == l.entry() && p.Name == fn.Params[0].Name {
			return constant(1)
		}
		if n, ok := l.defined[name]; ok {
			l.used[name] = true
			return constant(n)
		}
		if l.tells != nil {
			if n, ok := l.tells.at(place.Of(fn.Name, p.Name), plainName(name)); ok {
				return constant(n)
			}
		}
		if name != "" && (name[0] < '0' || name[0] > '9') { // without a name of the source it has a number
			return unknown(askFor + name)
		}
	}
	return unknown("it is an argument")
}

// parameter is a parameter as the source has it.
func (l *lowerer) parameter(fn *text.Func, name string) text.Variable {
	for i, b := range fn.Blocks {
		for _, in := range b.Insts {
			if (in.Op == "dbg.value" || in.Op == "dbg.declare") && len(in.Args) > 0 && in.Args[0].Kind == text.Local && in.Args[0].Name == name {
				if v, _, ok := l.m.Described(in); ok && (v.Argument > 0 || i == 0 && v.Function.Function == l.shownName(fn)) { // flang numbers no arguments that are given by value
					return v
				}
			}
		}
	}
	return text.Variable{Name: name, Type: -1}
}

// shownName is the name of a function in the source.
func (l *lowerer) shownName(fn *text.Func) string {
	if fn.Name == "_QQmain" {
		return "main"
	}
	name := text.Plain(fn.Name)
	if s, ok := l.m.Subprogram(fn.Debug); ok && (name == fn.Name || strings.HasSuffix(s.File, ".rs")) {
		return s.Function
	}
	return name
}

// candidate tells whether a function is one of the source, of which regions are made.
func (l *lowerer) candidate(fn *text.Func) bool {
	if strings.HasPrefix(fn.Name, "_FortranA") { // of flang's library
		return false
	}
	s, ok := l.m.Subprogram(fn.Debug)
	switch {
	case !ok:
		return fn.Debug < 0 && (fn.Name != "main" || l.entry() == fn) && !strings.Contains(fn.Name, "omp_outlined") && !strings.HasPrefix(fn.Name, "_GLOBAL_") && !strings.HasPrefix(fn.Name, "__clang")
	case systemFile(s.File), strings.Contains(fn.Name, "lang_start"), strings.Contains(fn.Name, "rust_begin_short"), fn.Name == "main" && l.entry() != fn, strings.Contains(s.Function, "omp_outlined"), strings.Contains(fn.Name, "omp_outlined"), strings.Contains(fn.Name, ".omp."), strings.Contains(fn.Name, "..omp"):
		return false
	}
	return !IsClosure(fn.Name) && !strings.HasPrefix(fn.Name, "_GLOBAL_") && !strings.HasPrefix(fn.Name, "__cxx_global_var_init")
}

// IsClosure tells the operator of a lambda expression by its linkage name.
func IsClosure(name string) bool {
	return strings.Contains(name, "ENKUl") || strings.Contains(name, "ENUl") || strings.Contains(name, "ENK3$_") || strings.Contains(name, "EN3$_") ||
		strings.Contains(name, "clE") && strings.Contains(name, "$_") || strings.Contains(name, "{{closure}}")
}

// called tells whether another function of the module calls a function.
func (l *lowerer) called(fn *text.Func) bool {
	if l.calls == nil {
		l.calls = map[string]bool{}
		for _, f := range l.m.Functions {
			for _, b := range f.Blocks {
				for _, in := range b.Insts {
					if in.Callee.Kind == text.GlobalName && in.Callee.Name != f.Name {
						l.calls[in.Callee.Name] = true
					}
				}
			}
		}
	}
	return l.calls[fn.Name] && !slices.Contains(l.choice.regions, l.shownName(fn))
}

// begin notes that a function of the source is entered. It gives nil where the function is none, or is only looked at.
func (l *lowerer) begin(fn *text.Func, args []val) *nesting {
	if l.dry > 0 || !l.candidate(fn) {
		return nil
	}
	r := &nesting{fn: fn, args: args, name: l.shownName(fn), pos: l.home(fn), outer: l.out, depth: l.depth, count: l.nodes, noted: l.notes, inLoop: l.depth > 0 && len(l.began) > 0}
	l.out = new([]nest.Node)
	if len(l.began) > 0 {
		r.by = l.began[len(l.began)-1]
	}
	l.depth, l.nodes, l.notes = 0, 0, nil
	l.began = append(l.began, r)
	return r
}

// end notes what became of a function.
func (r *nesting) end(l *lowerer) {
	if r == nil {
		return
	}
	l.flush()
	r.nodes, r.notes = *l.out, l.notes
	l.began = l.began[:len(l.began)-1]
	*r.outer = append(*r.outer, r.nodes...)
	l.out, l.depth = r.outer, r.depth
	l.nodes = r.count + l.nodes
	l.notes = append(slices.Clone(r.noted), r.notes...)
	for _, n := range r.nodes {
		if l.holdsLoops(n) {
			r.own = true
		}
		if _, ok := n.(*nest.Parallel); ok && !l.inner[n] {
			r.own, r.marked = true, true
		}
	}
	r.marked = r.marked || strings.HasPrefix(r.name, "kernel_")
	if len(l.began) > 0 {
		for _, n := range r.nodes {
			l.inner[n] = true
		}
	}
	if l.passing > 0 { // what cannot be followed was left out of it, unsaid
		if l.skimmed == nil {
			l.skimmed = map[string]bool{}
		}
		l.skimmed[r.fn.Name] = true
		return
	}
	first := l.found[r.fn.Name]
	if first == nil {
		l.found[r.fn.Name] = r
		l.order = append(l.order, r.fn.Name)
		return
	}
	l.tellOther(first, r)
	if !r.inLoop {
		first.inLoop = false
	}
	switch {
	case first.err != nil && r.err == nil:
		r.inLoop = first.inLoop
		*first = *r
	case r.by == nil && r.err != nil && (r.err.Lacks != "" || r.err.Remedy == parse.RunRemedy):
		first.lacks = r.err
	}
}

// tellOther notes that a function was entered with other numbers than those that it is analysed with.
func (l *lowerer) tellOther(first, r *nesting) {
	if first.err != nil || r.err != nil || !slices.ContainsFunc(first.nodes, l.holdsLoops) && !first.own {
		return
	}
	for i := range min(len(first.args), len(r.args), len(r.fn.Params)) {
		a, one := first.args[i].isConstant()
		b, other := r.args[i].isConstant()
		if !one || !other || a == b {
			continue
		}
		n := note{first.pos, fmt.Sprintf("%s:%d: %s is called with different %s; the first, %d, is taken", first.pos.File, first.pos.Line, first.name, l.parameter(r.fn, r.fn.Params[i].Name).Name, a)}
		if !slices.Contains(first.notes, n) {
			first.notes = append(slices.Clone(first.notes), n)
		}
	}
}

// holdsLoops tells whether a node is a loop or parallel region of the function itself, with accesses.
func (l *lowerer) holdsLoops(n nest.Node) bool {
	if l.inner == nil {
		l.inner = map[nest.Node]bool{}
	}
	if l.inner[n] {
		return false
	}
	found := false
	nest.Walk([]nest.Node{n}, func(n nest.Node) {
		if x, ok := n.(*nest.Loop); ok && hasAccess(x.Body) && !systemFile(x.Pos.File) {
			found = true
		}
	})
	return found
}

// optional tells whether a function was not asked for by name.
func (l *lowerer) optional(name string) bool { return !slices.Contains(l.choice.regions, name) }

// marking finds out which functions are regions before a compiler puts one into the other.
type marking struct {
	*lowerer
	callers map[string][]caller
	loops   map[string]bool // functions that hold loops
	taken   map[string]bool // functions that call what they are given
}

// caller is a place where a function is called.
type caller struct {
	from   *text.Func
	inLoop bool
}

// Regions are the linkage names of the functions of a module, as it is before optimisation, that are to be kept apart: those of the source that
// hold loops and are not called in loops. A function that is given a function to call is part of its caller, and so are those of libraries.
func Regions(m *text.Module) []string {
	k := &marking{
		lowerer: &lowerer{m: m, graphs: map[string]*graph{}, bad: map[string]string{}}, callers: map[string][]caller{}, loops: map[string]bool{}, taken: map[string]bool{},
	}
	for _, fn := range m.Functions {
		k.look(fn)
	}
	var names []string
	for _, fn := range m.Functions {
		if k.candidate(fn) && !k.transparent(fn) && fn.Name != "main" && k.holds(fn, map[string]bool{}) && !k.inLoop(fn.Name, map[string]bool{}) {
			names = append(names, fn.Name)
		}
	}
	return names
}

// look notes the loops and calls of a function.
func (k *marking) look(fn *text.Func) {
	g := k.graphOf(fn)
	k.loops[fn.Name] = len(g.loops) > 0
	for _, b := range g.blocks {
		for _, in := range b.Insts {
			if in.Callee.Kind != text.GlobalName {
				continue
			}
			name := in.Callee.Name
			k.callers[name] = append(k.callers[name], caller{fn, b.loop != nil})
			if IsClosure(name) {
				k.taken[fn.Name] = true
			}
		}
	}
}

// transparent tells functions that are part of those that call them.
func (k *marking) transparent(fn *text.Func) bool {
	return !k.candidate(fn) || k.taken[fn.Name] && hasClosure(fn.Name)
}

// hasClosure tells a function whose type names a lambda expression: it is given one.
func hasClosure(name string) bool {
	return strings.Contains(name, "$_") || strings.Contains(name, "EUl") || strings.Contains(name, "UlT") || strings.Contains(name, "{lambda")
}

// iterates tells functions of Rust's library that walk through what they are given.
func iterates(name string) bool { return strings.Contains(name, "4core4iter") }

// holds tells whether a function holds loops itself or in what is part of it.
func (k *marking) holds(fn *text.Func, seen map[string]bool) bool {
	if seen[fn.Name] {
		return false
	}
	seen[fn.Name] = true
	if k.loops[fn.Name] {
		return true
	}
	for _, b := range k.graphOf(fn).blocks {
		for _, in := range b.Insts {
			callee := k.m.ByName[in.Callee.Name]
			if in.Op == "call" && in.Callee.Name == "__kmpc_fork_call" && len(in.Args) > 2 {
				return true
			}
			if callee == nil || !k.transparent(callee) || strings.HasPrefix(callee.Name, "_ZN") && !hasClosure(callee.Name) && !iterates(callee.Name) {
				continue
			}
			if k.holds(callee, seen) {
				return true
			}
		}
	}
	return false
}

// inLoop tells whether a function is called in a loop, or in what is.
func (k *marking) inLoop(name string, seen map[string]bool) bool {
	if seen[name] {
		return false
	}
	seen[name] = true
	return slices.ContainsFunc(k.callers[name], func(c caller) bool {
		return c.from.Name != name && c.from.Name != "main" && (c.inLoop || k.inLoop(c.from.Name, seen))
	})
}
