package lower

import (
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// leastPairs is how many iterations a loop has that is followed in pairs: fewer are followed one by one.
const leastPairs = 4

// pairing is a loop of which every other iteration does the same, such as one that exchanges two buffers.
type pairing struct {
	l     *lowerer
	f     *frame
	lp    *loop
	x     leaving
	first map[string]val
	steps map[string]*expr.Expr // of what counts on

	byData bool // that data may end it earlier is not looked at
}

// paired follows a loop in pairs of iterations: after two, all that is known is what it was, but for what counts on.
func (l *lowerer) paired(f *frame, lp *loop, first map[string]val) *block {
	return l.inPairs(f, lp, first, false)
}

// pairedByData is paired for a loop that data may end before it has counted to its end, as if they did not.
func (l *lowerer) pairedByData(f *frame, lp *loop, first map[string]val) *block {
	return l.inPairs(f, lp, first, true)
}

func (l *lowerer) inPairs(f *frame, lp *loop, first map[string]val, byData bool) *block {
	at := l.loopPlace(lp)
	exits := lp.exits()
	if len(exits) != 1 || exits[0].stay != lp.header || l.work != nil && !l.work.loop {
		l.fail(at, traceRemedy, "this loop is not followed in pairs")
	}
	p := &pairing{l, f, lp, exits[0], first, map[string]*expr.Expr{}, byData}
	for _, in := range phisOf(lp.header) {
		if k := first[in.Name].kind; k == integer || k == pointer {
			if d := advance(f, lp, in); d != nil {
				p.steps[in.Name] = d
			}
		}
	}
	f.loops = append(f.loops, lp)
	f.exits[p.x.at] = p.x.stay
	n, known := value.Constant(plus(p.last(at), expr.Int(1)))
	if !known || n < leastPairs {
		l.fail(at, traceRemedy, "how often this loop runs is not known")
	}
	if byData {
		l.warn(l.place(p.x.in), "leaving this loop depends on data; what that skips is counted as executed")
	}
	pairs := (n - 1) / 2
	k := l.newVar(l.counterName(f, lp, p.steps), expr.Range{Lo: 0, Hi: pairs - 1})
	var body []nest.Node
	even := times(expr.Ref(k), expr.Int(2))
	values := first
	for i := range int64(2) {
		body = append(body, l.collect(func() { values = p.iteration(values, plus(even, expr.Int(i))) })...)
	}
	if len(body) > 0 && l.dry == 0 {
		l.emit(&nest.Loop{Var: k, Lo: expr.Int(0), Hi: expr.Int(pairs - 1), Step: 1, Body: body, Pos: at})
	}
	l.dropOpenRows(k)
	l.substitute(f, lp, nil, k, expr.Int(pairs-1))
	values = first
	for i := 2 * pairs; i < n; i++ {
		values = p.iteration(values, expr.Int(i))
	}
	return behind(f, p.x)
}

// stays is what must hold for another iteration, as far as that is asked for.
func (p *pairing) stays() val {
	c := p.l.condition(p.f, p.x)
	if p.byData && c.kind != integer {
		if part := p.l.knownPart(p.f, p.x); part != nil {
			return val{kind: integer, e: part}
		}
	}
	return c
}

// iteration follows the iteration of a number with values at its begin, and gives those of the next one.
func (p *pairing) iteration(values map[string]val, number *expr.Expr) map[string]val {
	p.begin(values, number)
	p.l.upTo(p.f, p.lp, p.x)
	return p.next()
}

// begin gives the values of a loop at the begin of an iteration.
func (p *pairing) begin(values map[string]val, number *expr.Expr) {
	for _, in := range phisOf(p.lp.header) {
		v := p.first[in.Name]
		switch d := p.steps[in.Name]; {
		case d != nil:
			v.e = plus(v.e, times(number, d))
		case v.kind == integer || v.kind == pointer:
			v = values[in.Name]
		default:
			v = p.l.changing(p.f, p.lp, in, v)
		}
		p.f.vals[in.Name] = v
	}
}

// next are the values that an iteration gives the next one.
func (p *pairing) next() map[string]val {
	made := map[string]val{}
	for _, in := range phisOf(p.lp.header) {
		if v, ok := p.l.repeated(p.f, p.lp, in); ok {
			made[in.Name] = v
		} else {
			made[in.Name] = unknown(changes)
		}
	}
	return made
}

// last is the number of the last iteration. What two iterations change in memory is not known afterwards.
func (p *pairing) last(at nest.Pos) *expr.Expr {
	const rounds = 4
	l := p.l
	j := l.newVar("", expr.Range{Lo: 0, Hi: endless})
	var ends [2]val
	settled := false
	for range rounds {
		before := l.memory
		l.memory = before.clone()
		values := p.first
		l.look(func() {
			for i := range ends {
				p.begin(values, expr.Ref(j))
				l.body(p.f, p.lp, leaving{})
				ends[i], values = p.stays(), p.next()
			}
		})
		after := l.memory
		l.memory = before
		for _, in := range phisOf(p.lp.header) {
			v := p.first[in.Name]
			if p.steps[in.Name] == nil && (v.kind == integer || v.kind == pointer) && !same(values[in.Name], v) {
				l.fail(at, traceRemedy, "%s is not the same after two iterations", in.Name)
			}
		}
		if settled = !l.invalidate(after); settled {
			break
		}
	}
	if settled && p.byData && ends[0].kind != integer {
		if n, told := l.toldIterations(p.f, p.lp); told {
			return expr.Int(n - 1)
		}
	}
	if !settled || ends[0].kind != integer || ends[1].kind != integer || !expr.Equal(ends[0].e, ends[1].e) {
		l.fail(at, traceRemedy, "how often this loop runs depends on data")
	}
	last := l.lastOf(ends[0].e, j)
	if last == nil {
		l.fail(at, traceRemedy, "how often this loop runs is not understood")
	}
	return last
}
