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

// bindParameters gives the parameters of a region's function what its callers pass.
func (l *lowerer) bindParameters(fd *cc.FunctionDefinition) {
	ft, ok := fd.Declarator.Type().(*cc.FunctionType)
	if !ok {
		return
	}
	for _, p := range ft.Parameters() {
		d := p.Declarator
		if d != nil && (d.Type().Kind() == cc.Struct || d.Type().Kind() == cc.Union) {
			l.declared[d] = true
		}
		if d == nil || !tree.IsInteger(d.Type()) {
			continue
		}
		if v, given := l.Source.Defined[d.Name()]; given {
			value.ContradictionsOnEntry(l.Source, d, v, l.Warn)
			l.Ints.Set(d, expr.Int(v))
		} else if v, err := value.ArgumentOf(l.Source, d, l.Warn, 0); err == nil {
			l.Ints.Set(d, expr.Int(v))
		}
	}
	l.prog.Alone = l.invocation(fd, ft)
	l.bindArrays(fd, ft)
	l.passed = l.Pointers
	l.markAliased(fd, ft)
	for i := range l.notes {
		l.notes[i].top = -1
	}
}

// invocation is how a function can be entered by itself, variables aside; nil where it takes something that only the program can make, such as a function.
func (l *lowerer) invocation(fd *cc.FunctionDefinition, ft *cc.FunctionType) *nest.Invocation {
	v := &nest.Invocation{Function: fd.Declarator.Name()}
	giver := &giver{source: l.Source, left: mostGiven}
	for _, p := range ft.Parameters() {
		if p.Type().Kind() == cc.Void {
			continue
		}
		name := ""
		if p.Declarator != nil {
			name = p.Declarator.Name()
		}
		a, ok := giver.to(name, p.Type(), 0)
		if !ok {
			return nil
		}
		if x := l.Ints.Of(p.Declarator); x != nil && x.Op == expr.OpConst {
			a.Value = x.K
		}
		v.Arguments = append(v.Arguments, a)
	}
	return v
}

// variablesOf are the variables of a file that are given something before one of its functions is entered by itself.
func variablesOf(s *parse.Source) (all []nest.Given) {
	giver := &giver{source: s, left: mostGiven}
	for t := s.AST.TranslationUnit; t != nil; t = t.TranslationUnit {
		e := t.ExternalDeclaration
		if e == nil || e.Case != cc.ExternalDeclarationDecl {
			continue
		}
		for _, i := range tree.Declarators(e.Declaration) {
			if d := i.Declarator; !d.IsTypename() && d.Type().Kind() != cc.Function && i.Initializer == nil {
				all = append(all, giver.ofVariable(d)...)
			}
		}
	}
	return all
}

const (
	mostLinks = 3    // pointers to structures that are followed one after another
	mostGiven = 1000 // parts of memory that are given something: structures may lead to one another in many ways
)

// giver finds what is given to functions that are entered by themselves.
type giver struct {
	source *parse.Source
	left   int // parts that may still be given
}

// ofVariable are the parts of a variable of the file that are given something.
func (g *giver) ofVariable(d *cc.Declarator) []nest.Given {
	if !tree.IsInteger(d.Type()) {
		return g.holds(d.Name(), d.Type(), 0)
	}
	v, err := value.ConstantOf(g.source, d, func(cc.Node, string, ...any) {}, 0)
	if err != nil {
		return nil
	}
	return []nest.Given{{Name: d.Name(), Type: typeOf(d.Type()), Value: v}}
}

// to is what something of a type is given, behind so many pointers to structures; false where only the program can make it.
func (g *giver) to(name string, t cc.Type, links int) (given nest.Given, ok bool) {
	given.Name = name
	g.left--
	switch {
	case tree.IsInteger(t):
		given.Type, given.Value = typeOf(t), 1
		if v, ok := g.source.Defined[name]; ok {
			given.Value = v
		}
		return given, true
	case t.Kind() == cc.Float, t.Kind() == cc.Double:
		given.Type = typeOf(t)
		return given, true
	case t.Kind() != cc.Ptr || links > mostLinks || g.left < 0:
		return given, false
	}
	to := value.Pointee(t)
	given.Type, given.Memory = nest.I64, &nest.Memory{}
	for a, ok := to.(*cc.ArrayType); ok; a, ok = to.(*cc.ArrayType) {
		to = a.Elem()
	}
	switch to.Kind() {
	case cc.Function:
		return given, false
	case cc.Ptr:
		given.Memory.Rows = true
		row := value.Pointee(to)
		return given, tree.IsInteger(row) || cc.IsFloatingPointType(row)
	case cc.Struct:
		given.Memory.Holds = g.holds("", to, links+1)
	}
	return given, true
}

// holds are the parts of a variable, or of memory, that are given something: whole numbers that the caller defines, and pointers.
func (g *giver) holds(name string, t cc.Type, links int) (all []nest.Given) {
	add := func(name string, t cc.Type, offset int64, as string) {
		_, defined := g.source.Defined[as]
		if part, ok := g.to(as, t, links); ok && (part.Memory != nil || defined && tree.IsInteger(t)) {
			part.Name, part.Offset = name, offset
			all = append(all, part)
		}
	}
	if t.Kind() != cc.Struct {
		add(name, t, 0, name)
		return all
	}
	parse.EachMember(t, 0, func(member string, offset int64, t cc.Type) { add(name, t, offset, member) })
	return all
}

// bindArrays gives two parameters the same object when the first caller passes the same array.
func (l *lowerer) bindArrays(fd *cc.FunctionDefinition, ft *cc.FunctionType) {
	var args []cc.ExpressionNode
	caller := value.New(l.Source, nil)
	caller.Quiet = true
	if calls := l.Facts.Calls[fd.Declarator.Name()]; len(calls) > 0 {
		args = tree.Arguments(calls[0].Node)
		caller.Function = calls[0].From
	}
	objects := map[block]*nest.Object{}
	for i, p := range ft.Parameters() {
		d := p.Declarator
		if d == nil || d.Type().Kind() != cc.Ptr {
			continue
		}
		at := value.Place{Offset: expr.Int(0)}
		if i < len(args) {
			_ = parse.Attempt(func() { at = caller.Pointer(args[i]) })
		}
		l.Pointers.Set(d, l.parameterPlace(d, at, caller.RowOf(at), objects))
	}
	for key, o := range caller.Objects { // what the function may also use by its global name
		if p := objects[block{object: o}]; p != nil && key.Variable.StorageDuration() == cc.Static && !key.Variable.IsParam() {
			l.Objects[key] = p
		}
	}
}

// block is memory of a caller: an object, or a row of it that was allocated by itself.
type block struct {
	object *nest.Object
	row    value.Row
}

// parameterPlace is where a pointer parameter points, given where its argument does in the caller.
func (l *lowerer) parameterPlace(d *cc.Declarator, at value.Place, row value.Row, objects map[block]*nest.Object) value.Place {
	var bytes int64
	if a, ok := d.Type().Undecay().(*cc.ArrayType); ok {
		bytes = l.Extent(d, a)
	}
	if at.Object == nil || at.Offset.Op != expr.OpConst {
		return value.Place{Object: l.HeapObject(d, bytes), Offset: expr.Int(0)}
	}
	offset := expr.Int(at.Offset.K - row.Number*row.Bytes)
	if o := objects[block{at.Object, row}]; o != nil {
		l.Warn(d, "%s and %s are the same array in the call", o.Name, d.Name())
		return value.Place{Object: o, Offset: offset}
	}
	if row.Bytes == 0 {
		bytes = max(bytes, at.Object.Bytes)
	}
	o := l.HeapObject(d, bytes)
	objects[block{at.Object, row}] = o
	return value.Place{Object: o, Offset: offset}
}

// markAliased marks what compilers must take as one with others: arrays behind pointers without restrict, of a function that others may call.
func (l *lowerer) markAliased(fd *cc.FunctionDefinition, ft *cc.FunctionType) {
	if fd.Declarator.IsStatic() {
		return
	}
	for _, p := range ft.Parameters() {
		d := p.Declarator
		if d == nil || strings.Contains(cc.NodeSource(d), "restrict") {
			continue
		}
		if at, ok := l.Pointers.Get(d); ok && at.Object != nil {
			at.Object.Aliased = true
		}
	}
}

// entry is what is known where main, or what it calls, first calls a function.
type entry struct {
	value.Known
	objects    map[value.ObjectKey]*nest.Object
	rows       map[*nest.Object]value.Rows
	parameters []value.Place // what its pointers point at
}

// reached ends the search for a call.
var reached = &parse.Error{Message: "reached", Whole: true}

// entryOf follows main up to the first call of a function; nil where it is not reached.
func (l *lowerer) entryOf(fd *cc.FunctionDefinition) *entry {
	main := l.Facts.ByName["main"]
	if main == nil || main == fd {
		return nil
	}
	m := newLowerer(l.Source, main)
	m.Quiet = true
	var found *entry
	m.calls = func(callee *cc.FunctionDefinition) {
		if callee != fd {
			return
		}
		found = &entry{Known: m.Save(), objects: m.Objects, rows: m.Rows}
		for _, p := range pointersOf(fd) {
			found.parameters = append(found.parameters, m.Pointers.Of(p))
		}
		panic(reached)
	}
	_ = parse.Attempt(func() {
		m.bindParameters(main)
		m.startProgram(main)
		m.block(tree.Items(main.CompoundStatement), main.CompoundStatement, true)
	})
	return found
}

// startProgram gives variables of the file that something sets the values with which main begins: their own, or 0. What a definition of the caller, or a run,
// tells is left to these.
func (l *lowerer) startProgram(fd *cc.FunctionDefinition) {
	if l.Source.Told != nil {
		return
	}
	if fd.Declarator.Name() != "main" {
		l.startFunction(fd)
		return
	}
	for t := l.Source.AST.TranslationUnit; t != nil; t = t.TranslationUnit {
		e := t.ExternalDeclaration
		if e == nil || e.Case != cc.ExternalDeclarationDecl {
			continue
		}
		for _, i := range tree.Declarators(e.Declaration) {
			d := i.Declarator
			if d.IsTypename() || d.IsExtern() || d.Type().Kind() == cc.Function || d.Type().IsIncomplete() || d.IsVolatile() {
				continue
			}
			switch k := d.Type().Kind(); {
			case tree.IsInteger(d.Type()) && !l.Facts.Escapes[d]:
				l.startInteger(d, i.Initializer)
			case k == cc.Struct && i.Initializer == nil:
				l.zeroMembers(l.VariableObject(d, d), d.Type())
			}
		}
	}
}

// startFunction gives integers of the file that a function changes the values with which main first calls it.
func (l *lowerer) startFunction(fd *cc.FunctionDefinition) {
	for _, d := range l.Facts.Changed(fd.CompoundStatement) {
		_, given := l.Source.Defined[d.Name()]
		if _, known := l.Ints.Get(d); known || given || d.StorageDuration() != cc.Static || !tree.IsInteger(d.Type()) || d.IsVolatile() || l.Facts.Escapes[d] {
			continue
		}
		l.enter(fd)
		if v, ok := l.Entry[d]; ok {
			l.Ints.Set(d, expr.Int(v))
		}
	}
}

// zero gives a variable without an initializer, and that functions set, the 0 with which the program begins.
func (l *lowerer) zero(d *cc.Declarator) {
	switch k := d.Type().Kind(); {
	case tree.IsInteger(d.Type()) && !l.Facts.Escapes[d]:
		l.startInteger(d, nil)
	case k == cc.Struct:
		l.zeroMembers(l.VariableObject(d, d), d.Type())
	}
}

// zeroMembers makes the integers of a structure 0 that functions set; others may be set where nobody sees it.
func (l *lowerer) zeroMembers(o *nest.Object, t cc.Type) {
	set := l.membersSet()
	parse.EachMember(t, 0, func(name string, off int64, t cc.Type) {
		if _, given := l.Source.Defined[name]; tree.IsInteger(t) && !given && set[name] {
			m := value.Member{Object: o, Offset: off}
			l.Fields[m] = expr.Int(0)
			l.startedIn[m] = l.Fields[m]
		}
	})
}

// membersSet are the names of structure members that functions set.
func (l *lowerer) membersSet() map[string]bool {
	if l.set != nil {
		return l.set
	}
	all := map[string]bool{}
	for _, fd := range l.Facts.Functions {
		tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
			if e, ok := parse.AssignedMember(n).(*cc.PostfixExpression); ok {
				all[e.Token2.SrcStr()] = true
			}
			return true
		})
	}
	l.set = all
	return all
}

// startInteger gives an integer of the file that something sets its first value.
func (l *lowerer) startInteger(d *cc.Declarator, first *cc.Initializer) {
	if _, given := l.Source.Defined[d.Name()]; given || !slices.ContainsFunc(l.Facts.Assigned[d], func(a parse.Assignment) bool { return a.From != nil }) {
		return
	}
	v := int64(0)
	if first != nil {
		x, ok := parse.IntegerValue(first.AssignmentExpression.Value())
		if !ok {
			return
		}
		v = x
	}
	l.Ints.Set(d, expr.Int(v))
	l.started[d] = l.Ints.Of(d)
}

// loseStart forgets values with which the program began, where a function is called of which nothing is known: those that other files see, and all where it
// may call functions of this one.
func (l *lowerer) loseStart(all bool) {
	for d, x := range l.started {
		if l.Ints.Of(d) == x && (all || !d.IsStatic()) {
			l.Ints.Delete(d)
		}
	}
	for m, x := range l.startedIn {
		if of := l.Held[m.Object].Variable; l.Fields[m] == x && (all || of == nil || !of.IsStatic()) {
			delete(l.Fields, m)
		}
	}
}

// pointersOf are the pointers among the parameters of a function.
func pointersOf(fd *cc.FunctionDefinition) []*cc.Declarator {
	var all []*cc.Declarator
	if ft, ok := fd.Declarator.Type().(*cc.FunctionType); ok {
		for _, p := range ft.Parameters() {
			if d := p.Declarator; d != nil && d.Type().Kind() == cc.Ptr {
				all = append(all, d)
			}
		}
	}
	return all
}

// enter takes over what main knows where it calls the region's function, of what nothing else tells: integers, members of structures and rows of pointers.
func (l *lowerer) enter(fd *cc.FunctionDefinition) {
	if !l.entered {
		l.entered, l.entry = true, l.entryOf(fd)
	}
	e := l.entry
	if e == nil {
		return
	}
	here := l.objectsThere(fd)
	l.enterNumbers(fd, e, here)
	for m, p := range e.Members {
		if o := here[m.Object]; o != nil {
			l.EntryPlaces[value.Member{Object: o, Offset: m.Offset}] = p
		}
	}
	for o, r := range e.rows {
		if l.Rows[here[o]].Object == nil && here[o] != nil && r.Object != nil && r.Start.Op == expr.OpConst {
			if x := here[r.Object]; x != nil {
				r.Object = x
			}
			l.Rows[here[o]] = r
		}
	}
}

// enterNumbers takes over integers and members of structures.
func (l *lowerer) enterNumbers(fd *cc.FunctionDefinition, e *entry, here map[*nest.Object]*nest.Object) {
	fields := l.Fields
	if l.Told != nil {
		fields = l.EntryFields
	}
	for d, x := range e.Ints.All() {
		if k, ok := value.TryConstant(x, nil); ok && (d.StorageDuration() == cc.Static || isParameter(fd, d)) {
			l.Entry[d] = k
		}
	}
	for m, x := range e.Fields {
		at := value.Member{Object: here[m.Object], Offset: m.Offset}
		if _, known := l.Fields[at]; !known && at.Object != nil && !l.Released[at.Object] {
			if k, ok := value.TryConstant(x, nil); ok {
				fields[at] = expr.Int(k)
			}
		}
	}
}

// isParameter tells whether a variable is one of a function's parameters.
func isParameter(fd *cc.FunctionDefinition, d *cc.Declarator) bool {
	ft, ok := fd.Declarator.Type().(*cc.FunctionType)
	return ok && slices.ContainsFunc(ft.Parameters(), func(p *cc.Parameter) bool { return p.Declarator == d })
}

// objectsThere are the function's objects by those of main: of global variables, and of what pointers are given.
func (l *lowerer) objectsThere(fd *cc.FunctionDefinition) map[*nest.Object]*nest.Object {
	out := map[*nest.Object]*nest.Object{}
	for key, o := range l.Objects {
		if there := l.entry.objects[key]; there != nil && key.Variable.StorageDuration() == cc.Static {
			out[there] = o
		}
	}
	for i, d := range pointersOf(fd) {
		at, there := l.passed.Of(d), l.entry.parameters[i]
		if at.Object != nil && there.Object != nil && expr.Equal(at.Offset, there.Offset) {
			out[there.Object] = at.Object
		}
	}
	return out
}
