package lower

import (
	"slices"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// mostUnrolled is how many iterations are lowered one by one where they have no common form, such as sizes that halve from one to the next.
const mostUnrolled = 32

// counted lowers a loop by its head. Where an iteration cannot be read for itself, those of a short loop are lowered one by one, and those of a long one in
// pairs: pointers that are swapped are where they were after two.
func (l *lowerer) counted(it *cc.IterationStatement, h header) {
	if l.eager && !l.work && setsNumbers(it) && l.unrolls(it, h) {
		return
	}
	restore, left := l.snapshot(), len(l.left)
	err := parse.Attempt(func() { l.asLoop(it, h) })
	if err == nil && len(l.left) == left {
		return
	}
	if err != nil && (err.Whole || err.Undefined) || l.work || l.unrolled {
		l.reject(err)
		return
	}
	found := l.snapshot()
	nodes := slices.Clone(*l.out)
	restore()
	first, n, ok := l.trips(it, h)
	for _, f := range []func(){func() { l.oneByOne(h, first, n) }, func() { l.inPairs(it, h, first, n) }} {
		if !ok {
			break
		}
		again := l.snapshot()
		l.unrolled = true
		failed := parse.Attempt(f)
		l.unrolled = false
		if failed == nil && len(l.left) == left {
			return
		}
		again()
	}
	found()
	*l.out = nodes
	l.reject(err)
}

// setsNumbers tells whether a loop sets integers in structures or arrays.
func setsNumbers(it *cc.IterationStatement) bool {
	found := false
	tree.Each(it.Statement, func(n cc.Node) bool {
		e := parse.AssignedMember(n)
		found = found || e != nil && tree.IsInteger(e.Type()) || parse.AssignedElement(n) != nil
		return !found
	})
	return found
}

// unrolls lowers the iterations of a short loop one by one; false where they are many, or cannot be read.
func (l *lowerer) unrolls(it *cc.IterationStatement, h header) bool {
	first, n, ok := l.trips(it, h)
	if !ok || n > mostUnrolled {
		return false
	}
	again, left := l.snapshot(), len(l.left)
	if parse.Attempt(func() { l.oneByOne(h, first, n) }) == nil && len(l.left) == left {
		return true
	}
	again()
	return false
}

// reject leaves with an error, if there is one.
func (l *lowerer) reject(err *parse.Error) {
	if err != nil {
		panic(err)
	}
}

// trips is the first value of a loop's variable and how many iterations it has, where both are constants.
func (l *lowerer) trips(it *cc.IterationStatement, h header) (first, n int64, ok bool) {
	first, ok = value.Constant(value.Normal(h.lo))
	if !ok || h.once || h.object != nil {
		return 0, 0, false
	}
	restore := l.snapshot()
	defer restore()
	err := parse.Attempt(func() {
		v := l.newVar(h.d.Name(), h.lo, h.lo)
		l.Ranges[v], l.Limits[v] = expr.Whole, value.Limit{}
		l.forgetAll(h.body)
		l.count1(h, v)
		guard, hi := l.bounds(it, h, v)
		last, constant := value.Constant(value.Normal(hi))
		l.ending(it, h, hi)
		ok = constant && guard == nil
		n = (last-first)/h.step + 1
	})
	return first, n, ok && err == nil && n > 0
}

// oneByOne lowers each iteration by itself.
func (l *lowerer) oneByOne(h header, first, n int64) {
	if n > mostUnrolled {
		l.Fail(h.body[0], parse.TraceRemedy, "%d iterations differ", n)
	}
	for i := range n {
		l.ends(h, expr.Int(first+i*h.step))
		*l.out = append(*l.out, l.collect(func() { l.run(h) })...)
	}
	l.ends(h, expr.Int(first+n*h.step))
}

// inPairs lowers two iterations as one, and the last one by itself where their number is odd.
func (l *lowerer) inPairs(it *cc.IterationStatement, h header, first, n int64) {
	if n < 2 {
		l.Fail(it, parse.TraceRemedy, "one iteration")
	}
	pair, one := h, h.run
	inHead := !slices.Contains(l.changedBy(h.body), h.d)
	pair.step = 2 * h.step
	pair.bound = expr.Int(first + (n/2-1)*pair.step)
	pair.run = func() {
		at := l.Ints[h.d]
		one()
		if inHead {
			l.flush()
			l.ends(h, value.Normal(expr.Binary(expr.OpAdd, at, expr.Int(h.step))))
		}
		one()
	}
	l.asLoop(it, pair)
	if n%2 == 1 {
		l.ends(h, expr.Int(first+(n-1)*h.step))
		*l.out = append(*l.out, l.collect(func() { l.run(h) })...)
	}
	l.ends(h, expr.Int(first+n*h.step))
}
