package lower

import (
	"maps"
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
		if d == nil || !tree.IsInteger(d.Type()) {
			continue
		}
		if v, given := l.Source.Defined[d.Name()]; given {
			value.ContradictionsOnEntry(l.Source, d, v, l.Warn)
			l.Ints[d] = expr.Int(v)
		} else if v, err := value.ArgumentOf(l.Source, d, l.Warn, 0); err == nil {
			l.Ints[d] = expr.Int(v)
		}
	}
	l.bindArrays(fd, ft)
	l.passed = maps.Clone(l.Pointers)
	l.markAliased(fd, ft)
	for i := range l.notes {
		l.notes[i].top = -1
	}
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
	objects := map[*nest.Object]*nest.Object{}
	for i, p := range ft.Parameters() {
		d := p.Declarator
		if d == nil || d.Type().Kind() != cc.Ptr {
			continue
		}
		at := value.Place{Offset: expr.Int(0)}
		if i < len(args) {
			_ = parse.Attempt(func() { at = caller.Pointer(args[i]) })
		}
		l.Pointers[d] = l.parameterPlace(d, at, objects)
	}
	for key, o := range caller.Objects { // what the function may also use by its global name
		if p := objects[o]; p != nil && key.Variable.StorageDuration() == cc.Static && !key.Variable.IsParam() {
			l.Objects[key] = p
		}
	}
}

// parameterPlace is where a pointer parameter points, given where its argument does in the caller.
func (l *lowerer) parameterPlace(d *cc.Declarator, at value.Place, objects map[*nest.Object]*nest.Object) value.Place {
	var bytes int64
	if a, ok := d.Type().Undecay().(*cc.ArrayType); ok {
		bytes = l.Extent(d, a)
	}
	if at.Object == nil || at.Offset.Op != expr.OpConst {
		return value.Place{Object: l.HeapObject(d, bytes), Offset: expr.Int(0)}
	}
	if o := objects[at.Object]; o != nil {
		l.Warn(d, "%s and %s are the same array in the call", o.Name, d.Name())
		return value.Place{Object: o, Offset: at.Offset}
	}
	o := l.HeapObject(d, max(bytes, at.Object.Bytes))
	objects[at.Object] = o
	return value.Place{Object: o, Offset: at.Offset}
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
		if at, ok := l.Pointers[d]; ok && at.Object != nil {
			at.Object.Aliased = true
		}
	}
}
