package value

import (
	"slices"

	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// Counter is the variable of a loop, which begins at Lo.
type Counter struct {
	Var  expr.Var
	Lo   *expr.Expr
	Step int64
}

// Rounds is how many iterations the loop has made when its variable has a value.
func (k Counter) Rounds(at *expr.Expr) *expr.Expr {
	if k.Step > 0 {
		at = expr.Binary(expr.OpSub, at, k.Lo)
	} else {
		at = expr.Binary(expr.OpSub, k.Lo, at)
	}
	if step := max(k.Step, -k.Step); step > 1 {
		return expr.Binary(expr.OpFloorDiv, at, expr.Int(step))
	}
	return at
}

// Change is what an iteration makes of a variable: it adds something, sets a value that does not depend on what it was, or makes another of what it and
// others were.
type Change struct {
	Add  int64
	More *expr.Expr // what it adds where that is no constant
	Set  *expr.Expr // of the iteration's loop variable; nil: it adds
	Next *expr.Expr // what it makes of values before the iteration, and of nothing else
}

// Changing is a variable that iterations change, or an integer in a structure.
type Changing struct {
	Variable *cc.Declarator // nil: Member
	Member   Member
}

// Changes are those of the variables, and of the integers in structures, whose value before a loop is known.
type Changes struct {
	Ints     map[*cc.Declarator]Change
	Pointers map[*cc.Declarator]Change // of their offsets
	Fields   map[Member]Change
	Of       map[expr.Var]Changing // what they were before the iteration, in More and Next
}

// ChangeOf compares a variable's value after an iteration with that before it.
func ChangeOf(after, before *expr.Expr, unknown map[expr.Var]bool) (Change, bool) {
	if after == nil {
		return Change{}, false
	}
	sum, ok := LinearOf(expr.Binary(expr.OpSub, after, before))
	if ok && len(sum.Vars) == 0 && sum.Plain() {
		return Change{Add: sum.K}, true
	}
	if !usesAny(after, unknown) {
		return Change{Set: after}, true
	}
	c := Change{}
	if ok && !Uses(sum.Expr(), expr.Var(before.K)) {
		c.More = sum.Expr()
	}
	if !slices.ContainsFunc(expr.Variables(after), func(v expr.Var) bool { return !unknown[v] }) {
		c.Next = after
	}
	return c, c.More != nil || c.Next != nil
}

// usesAny tells whether an expression has one of some variables.
func usesAny(e *expr.Expr, vars map[expr.Var]bool) bool {
	return slices.ContainsFunc(expr.Variables(e), func(v expr.Var) bool { return vars[v] })
}

// known is what an iteration makes of an integer, or of the offset of a pointer, and what that was before the loop.
func (c Changes) known(of Changing, before Known) (x Change, old *expr.Expr, ok bool) {
	d := of.Variable
	if d == nil {
		x, ok = c.Fields[of.Member]
		return x, before.Fields[of.Member], ok
	}
	if x, ok = c.Pointers[d]; ok {
		return x, before.Pointers.Of(d).Offset, true
	}
	x, ok = c.Ints[d]
	return x, before.Ints.Of(d), ok
}

// After is what the iterations of a loop before its variable is at a value have made of a variable; nil where that is not known.
func (vs *Values) After(c Changes, before Known, d Changing, at *expr.Expr, k Counter, within ...Changing) *expr.Expr {
	if e := vs.added(c, before, d, at, k, append(within, d)); e != nil {
		return e
	}
	return vs.orbit(c, before, d, Normal(k.Rounds(at)))
}

// added is a variable with what the iterations of a loop before its own is at a value add to it; nil where they do something else. What they add may depend
// on variables that they change, but for those within which it is asked for.
func (vs *Values) added(c Changes, before Known, d Changing, at *expr.Expr, k Counter, within []Changing) *expr.Expr {
	x, old, ok := c.known(d, before)
	switch {
	case !ok || old == nil || x.More == nil && x.Next != nil:
		return nil
	case x.More == nil:
		return Normal(expr.Binary(expr.OpAdd, old, expr.Binary(expr.OpMul, Normal(k.Rounds(at)), expr.Int(x.Add))))
	}
	known := map[expr.Var]*expr.Expr{}
	for _, w := range expr.Variables(x.More) {
		other, changes := c.Of[w]
		if !changes {
			continue
		}
		if change, _, ok := c.known(other, before); !ok || change.Set != nil || slices.Contains(within, other) {
			return nil
		}
		if known[w] = vs.After(c, before, other, expr.Ref(k.Var), k, within...); known[w] == nil {
			return nil
		}
	}
	sum, ok := vs.Sum(x.More.Substitute(known), k.Var, k.Lo, at, k.Step)
	if !ok {
		return nil
	}
	return Normal(expr.Binary(expr.OpAdd, old, sum))
}

// orbit is what rounds make of a variable and of those that it depends on, which begin with constants; nil where it is not known.
func (vs *Values) orbit(c Changes, before Known, d Changing, rounds *expr.Expr) *expr.Expr {
	first, next := map[expr.Var]int64{}, map[expr.Var]*expr.Expr{}
	number := expr.Var(-1)
	for v, of := range c.Of {
		if of == d {
			number = v
		}
	}
	for todo := []expr.Var{number}; len(todo) > 0; todo = todo[1:] {
		v := todo[0]
		if next[v] != nil {
			continue
		}
		x, old, ok := c.known(c.Of[v], before)
		if next[v] = x.Next; x.Next == nil && ok && x.More == nil && x.Set == nil {
			next[v] = expr.Binary(expr.OpAdd, expr.Ref(v), expr.Int(x.Add))
		}
		if next[v] == nil || old == nil {
			return nil
		}
		if first[v], ok = Constant(Normal(old)); !ok {
			return nil
		}
		todo = append(todo, expr.Variables(next[v])...)
	}
	e, _ := Orbit(number, first, next, rounds)
	return e
}

// Earlier is what the iteration before has set a variable to.
func (c Change) Earlier(k Counter) *expr.Expr {
	return Normal(c.Set.Substitute(map[expr.Var]*expr.Expr{k.Var: expr.Binary(expr.OpSub, expr.Ref(k.Var), expr.Int(k.Step))}))
}
