package lower

import (
	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// steppings tell by how much the values of a loop step from one iteration to the next; those that step in other ways are left out.
func (l *lowerer) steppings(f *frame, lp *loop, first map[string]val) map[string]*expr.Expr {
	steps, open := map[string]*expr.Expr{}, false
	for _, in := range phisOf(lp.header) {
		v := first[in.Name]
		if v.kind != integer && v.kind != pointer || v.kind == pointer && v.o == nil && in.Type.Kind != text.Pointer {
			continue
		}
		if d := advance(f, lp, in); d != nil {
			steps[in.Name] = d
		} else {
			open = true
		}
	}
	if open {
		l.symbolic(f, lp, first, steps)
	}
	return steps
}

// advance is the step of a value that a constant is added to; nil where it steps in another way.
func advance(f *frame, lp *loop, in *text.Inst) *expr.Expr {
	var step *expr.Expr
	for i, from := range in.Blocks {
		if !lp.in[f.byName[from]] {
			continue
		}
		d := stepOf(f, in.Name, in.Args[i])
		if d == nil || step != nil && !expr.Equal(step, d) {
			return nil
		}
		step = d
	}
	return step
}

// stepOf is the constant that an operand is more than a value.
func stepOf(f *frame, name string, a text.Operand) *expr.Expr {
	in := f.makes[a.Name]
	if a.Kind != text.Local || in == nil || len(in.Args) != 2 || in.Args[0].Kind != text.Local || in.Args[0].Name != name || in.Args[1].Kind != text.Number {
		return nil
	}
	switch in.Op {
	case "add":
		return expr.Int(in.Args[1].Int)
	case "sub":
		return expr.Int(-in.Args[1].Int)
	case "getelementptr":
		if size := in.Elem.Size(); size > 0 {
			return times(expr.Int(size), expr.Int(in.Args[1].Int))
		}
	}
	return nil
}

// symbolic finds the steps of values by following one iteration with a variable for each.
func (l *lowerer) symbolic(f *frame, lp *loop, first map[string]val, steps map[string]*expr.Expr) {
	symbols := map[string]expr.Var{}
	foreign := map[expr.Var]bool{}
	mark := len(l.vars)
	for _, in := range phisOf(lp.header) {
		v := first[in.Name]
		if v.kind != integer && v.kind != pointer {
			f.vals[in.Name] = l.changing(f, in, v)
			continue
		}
		s := l.newVar(in.Name, expr.Range{Lo: -endless, Hi: endless})
		symbols[in.Name], foreign[s] = s, true
		f.vals[in.Name] = val{kind: v.kind, o: v.o, e: expr.Ref(s)}
	}
	before := l.memory
	l.memory = before.clone()
	err := attempt(func() { l.look(func() { l.body(f, lp, leaving{}) }) })
	l.memory = before
	if err != nil {
		return
	}
	for _, in := range phisOf(lp.header) {
		s, ok := symbols[in.Name]
		if !ok || steps[in.Name] != nil {
			continue
		}
		if d := l.difference(f, lp, in, s, first[in.Name]); d != nil && !beyond(d, mark) {
			steps[in.Name] = d
		}
	}
}

// beyond tells whether an expression uses variables from a number on.
func beyond(e *expr.Expr, from int) bool {
	found := false
	e.EachVar(func(v expr.Var) { found = found || int(v) >= from })
	return found
}

// difference is what an iteration adds to a value that is s when it begins.
func (l *lowerer) difference(f *frame, lp *loop, in *text.Inst, s expr.Var, first val) *expr.Expr {
	var step *expr.Expr
	for i, from := range in.Blocks {
		if !lp.in[f.byName[from]] {
			continue
		}
		v := l.operand(f, in.Args[i])
		if v.kind != first.kind || v.o != first.o || v.kind != integer && v.kind != pointer {
			return nil
		}
		d := minus(v.e, expr.Ref(s))
		if step != nil && !expr.Equal(step, d) {
			return nil
		}
		step = d
	}
	return step
}

// changing is a value that a loop changes in a way that is not followed.
func (l *lowerer) changing(f *frame, in *text.Inst, first val) val {
	why := "it changes from one iteration to the next in a way that is not followed"
	v := unknown(why)
	if first.kind != pointer && in.Type.Kind != text.Pointer {
		v.flow = nest.Value{Kind: nest.Scalar, N: l.scalarOf(f, in.Name)}
	}
	return v
}

// settle gives the values of a loop at iteration k.
func (l *lowerer) settle(f *frame, lp *loop, first map[string]val, steps map[string]*expr.Expr, k *expr.Expr) {
	for _, in := range phisOf(lp.header) {
		v := first[in.Name]
		if d := steps[in.Name]; d != nil {
			f.vals[in.Name] = val{kind: v.kind, o: v.o, e: plus(v.e, times(k, d))}
			continue
		}
		f.vals[in.Name] = l.changing(f, in, v)
	}
}
