package lower

import (
	"strings"

	"foresee/application/csource/value"
	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// steppings tell by how much the values of a loop step from one iteration to the next; those that step in other ways are left out.
func (l *lowerer) steppings(f *frame, lp *loop, first map[string]val) map[string]*expr.Expr {
	steps, open := map[string]*expr.Expr{}, false
	for _, in := range phisOf(lp.header) {
		delete(f.trails, in.Name)
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

// symbolic finds the steps of values by following one iteration with a variable for each. First all are taken to stay what they are, as those do that
// each iteration loads again; where one does not, the iteration is followed anew without that.
func (l *lowerer) symbolic(f *frame, lp *loop, first map[string]val, steps map[string]*expr.Expr) {
	stays := map[string]bool{}
	for _, in := range phisOf(lp.header) {
		k := first[in.Name].kind
		stays[in.Name] = steps[in.Name] == nil && (k == pointer || k == integer)
	}
	for {
		mark := len(l.vars)
		symbols := l.symbols(f, lp, first, stays)
		known := l.iterated(f, lp)
		again := false
		for _, in := range phisOf(lp.header) {
			if stays[in.Name] && !(known && l.stays(f, lp, in, first[in.Name])) {
				stays[in.Name], again = false, true
			}
		}
		switch {
		case again:
			continue
		case !known:
			return
		}
		for _, in := range phisOf(lp.header) {
			if stays[in.Name] {
				steps[in.Name] = expr.Int(0)
				continue
			}
			s, ok := symbols[in.Name]
			if !ok || steps[in.Name] != nil {
				continue
			}
			if d := l.difference(f, lp, in, s, first[in.Name]); d != nil && !beyond(d, mark) {
				steps[in.Name] = d
			}
		}
		l.followers(f, lp, first, steps, symbols, mark)
		return
	}
}

// followers finds the steps of values that an iteration sets anew from those that step: such as the next row, which is this row in the next iteration.
func (l *lowerer) followers(f *frame, lp *loop, first map[string]val, steps map[string]*expr.Expr, symbols map[string]expr.Var, mark int) {
	begin, next := map[expr.Var]*expr.Expr{}, map[expr.Var]*expr.Expr{}
	for name, s := range symbols {
		if d := steps[name]; d != nil {
			begin[s], next[s] = first[name].e, plus(first[name].e, d)
		}
	}
	for _, in := range phisOf(lp.header) {
		if _, ok := symbols[in.Name]; !ok || steps[in.Name] != nil {
			continue
		}
		v, ok := l.repeated(f, lp, in)
		if !ok || v.kind != first[in.Name].kind || v.o != first[in.Name].o {
			continue
		}
		_, affine := expr.AffineOf(v.e)
		open := !affine
		v.e.EachVar(func(x expr.Var) { open = open || int(x) >= mark && begin[x] == nil })
		one := value.Normal(v.e.Substitute(begin))
		if d := minus(value.Normal(v.e.Substitute(next)), one); !open && expr.Equal(d, minus(one, first[in.Name].e)) {
			steps[in.Name] = d
			continue
		}
		l.trail(f, in, first, steps, symbols, v.e, mark)
	}
}

// trail is a value that an iteration sets for the next one from what steps: the end of this row is where the next one begins.
type trail struct {
	number expr.Var   // of the iteration
	next   *expr.Expr // what it sets
}

// trail notes that an iteration sets a value to e for the next one, where the first iteration has it as if one before had set it.
func (l *lowerer) trail(f *frame, in *text.Inst, first map[string]val, steps map[string]*expr.Expr, symbols map[string]expr.Var, e *expr.Expr, mark int) {
	number := l.newVar("", expr.Range{Lo: -endless, Hi: endless})
	stepped, open := map[expr.Var]*expr.Expr{}, false
	for name, s := range symbols {
		if d := steps[name]; d != nil {
			stepped[s] = plus(first[name].e, times(expr.Ref(number), d))
		}
	}
	e.EachVar(func(x expr.Var) { open = open || int(x) >= mark && stepped[x] == nil })
	next := value.Normal(e.Substitute(stepped))
	if open || !expr.Equal(value.Normal(next.Substitute(map[expr.Var]*expr.Expr{number: expr.Int(-1)})), first[in.Name].e) {
		return
	}
	if f.trails == nil {
		f.trails = map[string]trail{}
	}
	f.trails[in.Name] = trail{number, next}
}

// repeated is what an iteration gives a value for the next one, where it is the same on all ways and an integer or a pointer.
func (l *lowerer) repeated(f *frame, lp *loop, in *text.Inst) (v val, ok bool) {
	for i, from := range in.Blocks {
		if !lp.in[f.byName[from]] {
			continue
		}
		w := l.operand(f, in.Args[i])
		if ok && !same(v, w) || w.kind != integer && w.kind != pointer {
			return val{}, false
		}
		v, ok = w, true
	}
	return v, ok
}

// symbols makes variables of the values of a loop, but of those that are taken to stay.
func (l *lowerer) symbols(f *frame, lp *loop, first map[string]val, stays map[string]bool) map[string]expr.Var {
	made := map[string]expr.Var{}
	for _, in := range phisOf(lp.header) {
		switch v := first[in.Name]; {
		case v.kind != integer && v.kind != pointer:
			f.vals[in.Name] = l.changing(f, lp, in, v)
		case stays[in.Name]:
			f.vals[in.Name] = v
		default:
			s := l.newVar(in.Name, expr.Range{Lo: -endless, Hi: endless})
			made[in.Name] = s
			f.vals[in.Name] = val{kind: v.kind, o: v.o, e: expr.Ref(s)}
		}
	}
	return made
}

// iterated follows an iteration without what iterations change in memory, and tells whether that can be done.
func (l *lowerer) iterated(f *frame, lp *loop) bool {
	const rounds = 4
	saved := *l
	defer func() { l.memory = saved.memory }()
	l.memory = saved.memory.clone()
	for range rounds {
		before := l.memory
		l.memory = before.clone()
		if attempt(func() { l.look(func() { l.body(f, lp, leaving{}) }) }) != nil {
			steps, made := l.steps, l.made
			*l = saved
			l.steps, l.made = steps, made
			return false
		}
		after := l.memory
		l.memory = before
		if !l.invalidate(after) {
			return true
		}
	}
	return false
}

// stays tells whether an iteration leaves a value as it is.
func (l *lowerer) stays(f *frame, lp *loop, in *text.Inst, first val) bool {
	v, ok := l.repeated(f, lp, in)
	return ok && same(v, first)
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

// changes is why it is not known what a loop makes of a value.
const changes = "it changes from one iteration to the next in a way that is not followed"

// changing is a value that a loop changes in a way that is not followed. Where it begins with a number that the caller may define, that is asked for:
// its way may be known then.
func (l *lowerer) changing(f *frame, lp *loop, in *text.Inst, first val) val {
	why := changes
	if strings.HasPrefix(first.why, askFor) {
		why = strings.TrimSuffix(first.why, asBegin)
		if d := advance(f, lp, in); d != nil && d.Op == expr.OpConst && d.K > 0 {
			why += asBegin
		}
	}
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
		if t, ok := f.trails[in.Name]; ok {
			f.vals[in.Name] = val{kind: v.kind, o: v.o, e: value.Normal(t.next.Substitute(map[expr.Var]*expr.Expr{t.number: minus(k, expr.Int(1))}))}
			continue
		}
		f.vals[in.Name] = l.turning(f, lp, in, l.changing(f, lp, in, v), k)
	}
}
