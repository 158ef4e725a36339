package lower

import (
	"maps"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// header is the head of a loop, taken apart.
type header struct {
	d      *cc.Declarator // the loop variable, an integer or a pointer, whose offset in bytes counts
	object *nest.Object   // that it points at; nil: an integer
	lo     *expr.Expr
	cond   cc.ExpressionNode
	whole  cc.ExpressionNode   // the condition with byData
	byData []cc.ExpressionNode // parts that stand beside cond and that data decide, where cond steps the variable
	until  bool                // it ends where the condition holds
	once   bool                // it is looked at behind an iteration
	// The condition steps the variable, by one: lo and bound are values that iterations see.
	stepped  bool
	byChance bool       // data may end it
	bound    *expr.Expr // its last value, where that is known before; nil: by the condition
	peeled   bool       // its first iteration stands before it
	wraps    bool       // it ends where its unsigned variable wraps below 0
	step     int64
	top      cc.ExpressionNode   // of a break that an iteration begins with
	rest     func()              // what is behind it
	body     []cc.Node           // what is run in each iteration
	reads    []cc.ExpressionNode // the parts of its condition that read memory again and again
	ending   []cc.ExpressionNode // those of them that are read where it holds no more
	looks    bool                // run reads them
	turns    bool                // threads take its iterations in turn
	run      func()
	same     unchanged    // what it changes in structures and leaves as it was
	odd      *parse.Error // why its third part does not step by a constant
}

// loop lowers a loop that is counted: of which one variable steps by a constant up to a bound that is known before.
func (l *lowerer) loop(it *cc.IterationStatement) {
	if it.Case == cc.IterationStatementDo {
		if v, ok := parse.IntegerValue(it.ExpressionList.Value()); ok && v == 0 && !tree.HasEffects(it.ExpressionList) {
			l.unleft(l.within(func() { l.statement(it.Statement, false) })) // break and continue are its own
			return
		}
	}
	if !l.isOfWork() {
		if left, ok := l.RunLoop(it); ok {
			l.flush()
			for d, v := range left {
				l.Ints.Set(d, expr.Int(v))
				delete(l.Why, d)
			}
			return
		}
	}
	if l.realLoop(it) {
		return
	}
	h, ok := l.header(it)
	if !ok {
		switch {
		case l.generic(it) || l.byValue(it, h) || l.toldLoop(it):
		case h.odd != nil:
			panic(h.odd)
		default:
			asked := l.asks(it)
			if err := parse.Attempt(func() { l.uncounted(it) }); err != nil && asked != nil && !err.Undefined {
				panic(asked)
			} else if err != nil {
				panic(err)
			}
		}
		return
	}
	restore := l.snapshot()
	err := parse.Attempt(func() { l.counted(it, h) })
	if err == nil {
		return
	}
	restore()
	if !err.Whole && !err.Undefined && l.generic(it) {
		return
	}
	if asked := l.asks(it); asked != nil && !err.Undefined {
		panic(asked)
	}
	told := false
	if l.ToldTrips == nil || err.Whole || !inHead(it, err.Pos) || parse.Attempt(func() { told = l.toldLoop(it) }) != nil || !told {
		panic(err)
	}
}

// asks is the error of a while loop whose condition names what a definition of the caller can give: with it the loop may be read, whatever else keeps it from
// that without. Nil where it names nothing of the kind.
func (l *lowerer) asks(it *cc.IterationStatement) (asked *parse.Error) {
	if it.Case != cc.IterationStatementWhile && it.Case != cc.IterationStatementDo {
		return nil
	}
	tree.Each(it.ExpressionList, func(n cc.Node) bool {
		e, ok := n.(cc.ExpressionNode)
		if d := tree.Variable(e); ok && d != nil && tree.IsInteger(d.Type()) && asked == nil {
			if _, err := l.TryInt(e); err != nil && err.Undefined {
				asked = err
			}
		}
		return asked == nil
	})
	return asked
}

// inHead tells whether something at a place of the source belongs to what a loop looks at before an iteration.
func inHead(it *cc.IterationStatement, at nest.Pos) bool {
	found := false
	for _, e := range []cc.ExpressionNode{it.ExpressionList, it.ExpressionList2, it.ExpressionList3} {
		if e != nil {
			tree.Each(e, func(n cc.Node) bool {
				found = found || parse.Position(n) == at
				return !found
			})
		}
	}
	return found
}

// asLoop lowers a loop by its head.
func (l *lowerer) asLoop(it *cc.IterationStatement, h header) {
	h.lo = value.Normal(h.lo)
	delete(l.endsTold, it)
	outer := l.counts
	l.counts = it
	defer func() { l.counts = outer }()
	l.flush()
	l.lookUpBound(h)
	v := l.newCounter(h)
	around := l.innermost
	l.innermost = &v
	defer func() { l.innermost = around }()
	before := l.Save()
	h.same = l.same(h, before, v)
	changed := l.trial(h, func() { l.inIteration(h, v); l.run(h) })
	l.forgetBody(h)
	l.inIteration(h, v)
	l.induct(changed, before, v, h)
	if h.top != nil {
		if _, err := l.tryBound(h.top, v); err != nil { // it depends on data
			h.top = nil
		} else {
			h.run = h.rest
		}
	}
	found := l.scout(it, h)
	early := l.endedByData(h, v, found)
	var told *expr.Expr
	if early {
		told = l.toldEnd(it, h)
	}
	guards, hi := l.bounds(it, &h, v)
	h = l.looking(h)
	switch {
	case told != nil && hi != nil:
		hi = value.Normal(further(hi, told, -h.step))
	case told != nil:
		hi = told
	}
	if told != nil && !found.byData { // its condition ends it, by a part that nobody knows
		h.ending = h.reads
	}
	own := hi
	if l.isDealt() {
		l.unleft(found)
	}
	if hi = l.limited(it, h, v, found, hi); hi == nil {
		l.Fail(it, parse.TraceRemedy, "nothing ends this %s loop", it.Token.SrcStr())
	}
	l.Ranges[v] = l.rangeOf(h, hi)
	l.Limits[v] = value.Limit{Lo: h.lo, Hi: hi}
	if h.step < 0 {
		l.Limits[v] = value.Limit{Lo: hi, Hi: h.lo}
	}
	l.ending(it, h, hi)
	l.induct(changed, before, v, h) // again, as the loop's bounds are known now
	last := hi
	if guards == nil && len(found.all) == 0 && !h.once && !h.peeled && !l.isOfWork() && carries(changed, before, v, h) && l.Always(expr.Binary(expr.OpLe, further(h.lo, hi, -h.step), h.lo)) {
		l.Restore(before)
		l.peel(it, h)
		return
	}
	left := len(l.left)
	body := l.collect(func() {
		given := guards
		if given == nil {
			given = expr.Int(1)
		}
		l.Under(given, func() {
			if again := l.run(h); len(again.all) > len(found.all) {
				l.unleft(again)
			}
		})
	})
	l.onlyLeft(left, body)
	if inner, ok := stripped(found, body); ok {
		before, top := found.all[0], found.all[0]
		top.top = true
		body, hi = inner, l.limited(it, h, v, &exits{all: []exit{top}}, own)
		found.all[0] = before
	}
	l.forgetBody(h)
	l.inIteration(h, v)
	if h.d != nil {
		l.Drop(h.d)
	}
	if guards == nil && l.Parallel == 0 && !h.wraps {
		l.leftAt(changed, before, h, v, found, own, last)
	}
	if len(body) == 0 {
		return
	}
	loop := &nest.Loop{Var: v, Lo: h.lo, Hi: hi, Step: h.step, Body: body, Pos: parse.Position(it), Unseen: !l.seenHead(it), Early: early || l.endsTold[it]}
	if h.turns && !l.turns(loop) || l.Thread != nil && (l.ofThreads(loop.Lo) || l.ofThreads(loop.Hi)) && !l.shared(loop) {
		l.Fail(it, "let omp for deal the iterations, or "+parse.TraceRemedy, "omp_get_thread_num or omp_get_num_threads decides which iterations each thread does")
	}
	if guards == nil {
		l.emit(loop)
		l.lookOnce(h, found)
		return
	}
	l.count(1)
	l.emit(&nest.If{Cond: guards, Then: []nest.Node{loop}, Pos: parse.Position(it)})
}

// unchanged are pointers and integers in structures.
type unchanged struct {
	pointers map[value.Member]value.Place
	ints     map[value.Member]*expr.Expr
}

// same are the pointers and integers in structures that an iteration changes and that are what they were when it ends, as where buffers are swapped twice:
// what holds before the loop then holds before each iteration.
func (l *lowerer) same(h header, before value.Known, v expr.Var) unchanged {
	u := l.lost(h, before)
	for len(u.pointers)+len(u.ints) > 0 && l.tried < maxTried {
		restore := l.snapshot()
		h.same = u
		l.forgetBody(h)
		l.tried++
		l.Quiet = true
		err := parse.Attempt(func() { l.collect(func() { l.inIteration(h, v); l.run(h) }) })
		after := l.Save()
		restore()
		if err != nil {
			return unchanged{}
		}
		kept := unchanged{maps.Clone(u.pointers), maps.Clone(u.ints)}
		maps.DeleteFunc(kept.pointers, func(m value.Member, p value.Place) bool {
			at := after.Members[m]
			return at.Object != p.Object || at.Scalar != p.Scalar || !expr.Equal(at.Offset, p.Offset)
		})
		maps.DeleteFunc(kept.ints, func(m value.Member, x *expr.Expr) bool {
			y := after.Fields[m]
			return y == nil || !expr.Equal(x, y)
		})
		if len(kept.pointers)+len(kept.ints) == len(u.pointers)+len(u.ints) {
			return kept
		}
		u = kept
	}
	return unchanged{}
}

// lost are the pointers and integers in structures that are known before a loop, or that nothing has set, and that an iteration may change.
func (l *lowerer) lost(h header, before value.Known) unchanged {
	restore := l.snapshot()
	l.forgetBody(h)
	after := l.Save()
	restore()
	u := unchanged{map[value.Member]value.Place{}, map[value.Member]*expr.Expr{}}
	for m, p := range before.Members {
		if p.Object != nil && after.Members[m] != p {
			u.pointers[m] = p
		}
	}
	for m, p := range after.Members {
		if _, ok := before.Members[m]; !ok && p == (value.Place{}) && l.unset[m].Object != nil {
			u.pointers[m] = l.unset[m]
		}
	}
	for m, x := range before.Fields {
		if x != nil && after.Fields[m] != x {
			u.ints[m] = x
		}
	}
	return u
}

// forgetBody drops what is known of what an iteration may change.
func (l *lowerer) forgetBody(h header) {
	l.forgetAll(h.body)
	maps.Copy(l.Members, h.same.pointers)
	maps.Copy(l.Fields, h.same.ints)
}

// scout lowers an iteration on trial for where it leaves its loop.
func (l *lowerer) scout(it *cc.IterationStatement, h header) *exits {
	found := &exits{}
	if h.d != nil && !jumpsOut(it.Statement) {
		return found
	}
	if l.tried >= maxTried {
		l.Fail(it, parse.TraceRemedy, "loops that are left early nest too deep")
	}
	restore := l.snapshot()
	l.tried++
	l.Quiet = true
	err := parse.Attempt(func() { l.collect(func() { found = l.run(h) }) })
	restore()
	l.reject(err)
	return found
}

// newCounter makes the variable of a loop, of which only the start is known so far.
func (l *lowerer) newCounter(h header) expr.Var {
	switch {
	case h.d == nil && h.bound == nil:
		v := l.newVar("iteration", h.lo, h.lo)
		l.Ranges[v].Hi, l.Limits[v].Hi = expr.Whole.Hi, nil
		return v
	case h.d == nil:
		return l.newVar("iteration", h.lo, h.bound)
	}
	v := l.newVar(h.d.Name(), h.lo, h.lo)
	if first, ok := value.Constant(h.lo); ok {
		l.Turns[v] = value.Turn{First: first, Step: h.step}
	}
	if h.step > 0 {
		l.Ranges[v].Hi, l.Limits[v].Hi = expr.Whole.Hi, nil
		return v
	}
	l.Ranges[v].Lo, l.Limits[v].Lo = expr.Whole.Lo, nil
	if tree.IsUnsigned(h.d.Type()) {
		l.Ranges[v].Lo = min(0, l.Ranges[v].Hi)
	}
	return v
}

// inIteration gives a loop's variable the value of an iteration.
func (l *lowerer) inIteration(h header, v expr.Var) { l.ends(h, expr.Ref(v)) }

// ends gives a loop's variable a value; nil: it is not known.
func (l *lowerer) ends(h header, x *expr.Expr) {
	switch {
	case h.d == nil:
	case h.object == nil:
		l.Ints.Set(h.d, x)
	case x != nil:
		l.Pointers.Set(h.d, value.Place{Object: h.object, Offset: x})
	}
}

// run lowers an iteration, and gives where the loop is left.
func (l *lowerer) run(h header) *exits { return l.within(h.run) }

// runAll lowers an iteration that does not leave the loop.
func (l *lowerer) runAll(h header) { l.unleft(l.within(h.run)) }

// ending refuses a loop whose variable cannot hold the value that ends it.
func (l *lowerer) ending(it *cc.IterationStatement, h header, hi *expr.Expr) {
	if h.object != nil || h.d == nil || h.wraps {
		return
	}
	w := value.WidthOf(h.d.Type())
	end, known := value.Constant(hi)
	if k, ok := value.Constant(h.lo); known && ok {
		if (h.step > 0) == (k > end) && k != end { // no iteration
			return
		}
		end = k + (end-k)/h.step*h.step
	}
	lo, top := w.Limits()
	r := l.Interval(hi)
	if known {
		r = expr.Range{Lo: end, Hi: end}
	}
	remedy := "count with a wider type, such as long"
	switch {
	case w.Size < 8 && h.step > 0 && r.Hi > top && r.Hi < value.Unbounded, w.Size < 4 && h.step > 0 && r.Hi+h.step > top:
		l.Fail(it, remedy, "the loop variable %s may leave its type, which ends at %d", h.d.Name(), top)
	case h.stepped && h.step < 0 || h.step > 0 || isNotEqual(h.cond):
	case w.Unsigned && r.Lo+h.step < lo && r.Lo > -value.Unbounded:
		l.Fail(it, "count with a signed type", "%s may step below 0, where the unsigned %s wraps and the loop goes on", h.d.Name(), h.d.Name())
	}
}

// isNotEqual tells whether a loop ends on one value: i != 0, or i.
func isNotEqual(e cc.ExpressionNode) bool {
	if _, _, ok := tree.Operands(tree.Strip(e)); ok {
		return tree.Operator(tree.Strip(e)) == "!="
	}
	return tree.Variable(e) != nil
}

// afterLoop is the value of the loop variable when its loop has ended; nil: not known.
func afterLoop(h header, last *expr.Expr) *expr.Expr {
	lo, ok1 := value.Constant(h.lo)
	hi, ok2 := value.Constant(last)
	switch {
	case ok1 && ok2 && (h.step > 0) == (lo > hi) && lo != hi:
		return h.lo
	case ok1 && ok2:
		return expr.Int(lo + (hi-lo)/h.step*h.step + h.step)
	case h.step == 1:
		return value.Normal(expr.Binary(expr.OpMax, h.lo, value.Normal(expr.Binary(expr.OpAdd, last, expr.Int(1)))))
	case h.step == -1:
		return value.Normal(expr.Binary(expr.OpMin, h.lo, value.Normal(expr.Binary(expr.OpSub, last, expr.Int(1)))))
	}
	return nil
}

// newVar makes a loop variable.
func (l *lowerer) newVar(name string, lo, hi *expr.Expr) expr.Var {
	l.prog.Vars = append(l.prog.Vars, name)
	l.Ranges = append(l.Ranges, expr.Range{Lo: l.Interval(lo).Lo, Hi: l.Interval(hi).Hi})
	l.Limits = append(l.Limits, value.Limit{Lo: lo, Hi: hi})
	return expr.Var(len(l.prog.Vars) - 1)
}

// rangeOf bounds the values of a loop variable.
func (l *lowerer) rangeOf(h header, hi *expr.Expr) expr.Range {
	lo := h.lo
	if h.step < 0 {
		lo, hi = hi, lo
	}
	r := expr.Range{Lo: l.Interval(lo).Lo, Hi: l.Interval(hi).Hi}
	r.Hi = max(r.Lo, r.Hi)
	return r
}
