package lower

import (
	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

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
	m.Quiet, m.eager = true, true
	var found *entry
	m.calls = func(callee *cc.FunctionDefinition) {
		if callee != fd {
			return
		}
		found = &entry{Known: m.Save(), objects: m.Objects, rows: m.Rows}
		for _, p := range pointersOf(fd) {
			found.parameters = append(found.parameters, m.Pointers[p])
		}
		panic(reached)
	}
	_ = parse.Attempt(func() {
		m.bindParameters(main)
		m.block(tree.Items(main.CompoundStatement), main.CompoundStatement, true)
	})
	return found
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
	for d, x := range e.Ints {
		if k, ok := constantOf(x); ok {
			l.Entry[d] = k
		}
	}
	here := l.objectsThere(fd)
	for m, x := range e.Fields {
		at := value.Member{Object: here[m.Object], Offset: m.Offset}
		if _, known := l.Fields[at]; !known && at.Object != nil && !l.Released[at.Object] {
			if k, ok := constantOf(x); ok {
				l.Fields[at] = expr.Int(k)
			}
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

// objectsThere are the function's objects by those of main: of global variables, and of what pointers are given.
func (l *lowerer) objectsThere(fd *cc.FunctionDefinition) map[*nest.Object]*nest.Object {
	out := map[*nest.Object]*nest.Object{}
	for key, o := range l.Objects {
		if there := l.entry.objects[key]; there != nil && key.Variable.StorageDuration() == cc.Static {
			out[there] = o
		}
	}
	for i, d := range pointersOf(fd) {
		at, there := l.passed[d], l.entry.parameters[i]
		if at.Object != nil && there.Object != nil && expr.Equal(at.Offset, there.Offset) {
			out[there.Object] = at.Object
		}
	}
	return out
}

// constantOf is the value of what may not be known.
func constantOf(x *expr.Expr) (int64, bool) {
	if x == nil {
		return 0, false
	}
	return value.Constant(x)
}
