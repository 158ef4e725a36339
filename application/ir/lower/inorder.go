package lower

import (
	"slices"

	"foresee/application/csource/value"
	"foresee/application/ir/place"
	"foresee/application/ir/text"
	"foresee/application/nest/expr"
)

// counting is from where to where a counter goes while what is followed runs.
type counting struct{ lo, hi *expr.Expr }

// toldInOrder is the next of the numbers that an instruction gave, one after the other, since the region was entered, where a run told as many as there are
// iterations around it; else v. Asked are those that decide where an access goes: what is computed from data, and what lies in memory that is written.
func (l *lowerer) toldInOrder(f *frame, in *text.Inst, v val) val {
	if l.depth == 0 || l.passing > 0 || !isSource(in) && v.why != notFollowed || !decides(f, in) {
		return v
	}
	return l.nextTold(f, in, v, l.dry == 0, l.dry > 0)
}

// nextTold is the number that a run told of an instruction for the iteration that is followed, one of those that it told where the code is only looked at, what
// stands for it while it is asked for, and else v.
func (l *lowerer) nextTold(f *frame, in *text.Inst, v val, followed, looked bool) val {
	n, told := l.tells.at(place.InOrderOf(f.f.Name, in.Name), "")
	table := l.tells.tables[n]
	switch {
	case told && table == nil && l.tells.asks:
		return constant(n)
	case !told || table == nil:
		return v
	case followed:
		return l.ofIteration(f, in, table, v)
	case looked:
		return l.oneOf(table)
	}
	return v
}

// oneOf is any of the values of a table, while code is only looked at: it is no other's, and no constant.
func (l *lowerer) oneOf(table *expr.Table) val {
	return val{kind: integer, e: expr.Lookup(table, expr.Ref(l.newVar("", expr.Range{Lo: 0, Hi: int64(len(table.Values())) - 1})))}
}

// turning is a number that a loop changes from one iteration to the next as data say, as toldInOrder has it; k is the iteration. The loop that is followed for
// what it accesses is l.turns.
func (l *lowerer) turning(f *frame, lp *loop, in *text.Inst, v val, k *expr.Expr) val {
	if l.tells == nil || v.kind != data || v.why != changes || in.Type.Kind != text.Int || in.Type.Bits > 64 || l.passing > 0 || !decides(f, in) {
		return v
	}
	return l.nextTold(f, in, v, l.dry == 0 && l.turns == lp, l.dry > 0 || k.Op == expr.OpVar)
}

// toldCondition is a condition; where data decide it in each iteration, as a run told.
func (l *lowerer) toldCondition(f *frame, a text.Operand) val {
	c, in := l.operand(f, a), f.makes[a.Name]
	if l.tells == nil || c.kind != data || l.depth == 0 || l.passing > 0 || a.Kind != text.Local || in == nil || in.Op != "icmp" && in.Op != "fcmp" {
		return c
	}
	told := l.nextTold(f, in, c, l.dry == 0, l.dry > 0)
	if l.tells.asks { // what both sides lack is asked for
		return c
	}
	f.vals[a.Name] = told // which other jumps may ask for
	return told
}

// ofIteration is what an instruction gives in the iteration that is followed; v where it gave more or fewer numbers than there are iterations.
func (l *lowerer) ofIteration(f *frame, in *text.Inst, table *expr.Table, v val) val {
	at := place.InOrderOf(f.f.Name, in.Name)
	if slices.Contains(l.inOrder, at) { // it gives others here
		return v
	}
	l.inOrder = append(slices.Clip(l.inOrder), at)
	if index, all := l.iteration(); index != nil && all == int64(len(table.Values())) {
		return val{kind: integer, e: expr.Lookup(table, index)}
	}
	return v
}

// isSource tells instructions that give numbers which are known from no others.
func isSource(in *text.Inst) bool {
	switch in.Op {
	case "load", "fptosi", "fptoui", "call", "invoke":
		return in.Type.Bits >= 8
	}
	return false
}

// mostUses bounds the values that are looked at for what a number decides. Chosen: a subscript is some instructions away.
const mostUses = 64

// decides tells whether an address is computed from a number.
func decides(f *frame, in *text.Inst) bool {
	seen := map[string]bool{in.Name: true}
	for next := []string{in.Name}; len(next) > 0 && len(seen) < mostUses; {
		name := next[0]
		next = next[1:]
		for _, u := range f.graph.uses[name] {
			switch u.in.Op {
			case "getelementptr":
				if slices.ContainsFunc(u.in.Args[1:], func(a text.Operand) bool { return a.Kind == text.Local && a.Name == name }) {
					return true
				}
			case "sext", "zext", "trunc", "add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor", "udiv", "sdiv", "urem", "srem", "select", "phi":
				if !seen[u.in.Name] {
					seen[u.in.Name] = true
					next = append(next, u.in.Name)
				}
			}
		}
	}
	return false
}

// iteration is which of all iterations of the loops around it the one is that is followed, from 0, and how many there are; nil where that is not known.
func (l *lowerer) iteration() (index *expr.Expr, all int64) {
	index, all = expr.Int(0), 1
	for _, k := range l.counters {
		c, known := l.spans[k]
		if !known {
			return nil, 0
		}
		n, fixed := value.Constant(value.Normal(plus(minus(c.hi, c.lo), expr.Int(1))))
		if !fixed {
			return l.raggedIteration()
		}
		if n = max(n, 0); n > 0 && all > expr.MostInTable/n {
			return nil, 0
		}
		index, all = plus(times(index, expr.Int(n)), minus(expr.Ref(k), c.lo)), all*n
	}
	return value.Normal(index), all
}

// mostOuter bounds the iterations of outer loops that are counted one by one. Chosen: some ten MiB.
const mostOuter = 1 << 21

// raggedIteration is iteration where loops are of different lengths: those before each iteration of the outer loops stand in a table.
func (l *lowerer) raggedIteration() (index *expr.Expr, all int64) {
	outer, inner := l.counters[:len(l.counters)-1], l.counters[len(l.counters)-1]
	size, at := int64(1), expr.Int(0)
	for _, k := range outer {
		r := l.ranges[k]
		n := r.Hi - r.Lo + 1
		if n <= 0 || n > mostOuter/size {
			return nil, 0
		}
		size *= n
		at = plus(times(at, expr.Int(n)), minus(expr.Ref(k), expr.Int(r.Lo)))
	}
	before := make([]int64, size)
	env := make([]int64, slices.Max(l.counters)+1)
	var count func(depth int, cell int64) bool
	count = func(depth int, cell int64) bool {
		c, known := l.spans[l.counters[depth]]
		if !known || !evaluable(c.lo, l.counters[:depth]) || !evaluable(c.hi, l.counters[:depth]) {
			return false
		}
		lo, hi := c.lo.Eval(env), c.hi.Eval(env)
		if depth == len(outer) {
			before[cell] = all
			all += max(hi-lo+1, 0)
			return all <= expr.MostInTable
		}
		k := outer[depth]
		r := l.ranges[k]
		if lo < r.Lo || hi > r.Hi {
			return false
		}
		for env[k] = lo; env[k] <= hi; env[k]++ {
			if !count(depth+1, cell*(r.Hi-r.Lo+1)+env[k]-r.Lo) {
				return false
			}
		}
		return true
	}
	if !count(0, 0) {
		return nil, 0
	}
	first := expr.Lookup(expr.NewTable("", before), value.Normal(at))
	return plus(first, minus(expr.Ref(inner), l.spans[inner].lo)), all
}

// evaluable tells whether an expression depends on no other variables.
func evaluable(e *expr.Expr, on []expr.Var) bool {
	all := true
	e.EachVar(func(v expr.Var) { all = all && slices.Contains(on, v) })
	return all
}
