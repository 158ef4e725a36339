package csource

import (
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
		if d == nil || !isInteger(d.Type()) {
			continue
		}
		if v, given := l.s.values[d.Name()]; given {
			l.s.contradictionsOnEntry(d, v, l.warn)
			l.ints[d] = expr.Int(v)
		} else if v, err := l.s.argumentOf(d, l.warn, 0); err == nil {
			l.ints[d] = expr.Int(v)
		}
	}
	l.bindArrays(fd, ft)
	for i := range l.notes {
		l.notes[i].top = -1
	}
}

// bindArrays gives two parameters the same object when the first caller passes the same array.
func (l *lowerer) bindArrays(fd *cc.FunctionDefinition, ft *cc.FunctionType) {
	var args []cc.ExpressionNode
	caller := newLowerer(l.s, nil)
	caller.quiet = true
	if calls := l.f.calls[fd.Declarator.Name()]; len(calls) > 0 {
		args = arguments(calls[0].node)
		caller.fd = calls[0].from
	}
	objects := map[*nest.Object]*nest.Object{}
	for i, p := range ft.Parameters() {
		d := p.Declarator
		if d == nil || d.Type().Kind() != cc.Ptr {
			continue
		}
		at := place{off: expr.Int(0)}
		if i < len(args) {
			_ = attempt(func() { at = caller.pointer(args[i]) })
		}
		l.pointers[d] = l.parameterPlace(d, at, objects)
	}
	for key, o := range caller.objects { // what the function may also use by its global name
		if p := objects[o]; p != nil && key.d.StorageDuration() == cc.Static && !key.d.IsParam() {
			l.objects[key] = p
		}
	}
}

// parameterPlace is where a pointer parameter points, given where its argument does in the caller.
func (l *lowerer) parameterPlace(d *cc.Declarator, at place, objects map[*nest.Object]*nest.Object) place {
	var bytes int64
	if a, ok := d.Type().Undecay().(*cc.ArrayType); ok {
		bytes = l.extent(d, a)
	}
	if at.obj == nil || at.off.Op != expr.OpConst {
		return place{obj: l.heapObject(d, bytes), off: expr.Int(0)}
	}
	if o := objects[at.obj]; o != nil {
		l.warn(d, "%s and %s are the same array in the call", o.Name, d.Name())
		return place{obj: o, off: at.off}
	}
	o := l.heapObject(d, max(bytes, at.obj.Bytes))
	objects[at.obj] = o
	return place{obj: o, off: at.off}
}
