package transform

import (
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// unknownTrips is a number of iterations that is not known. Chosen: more than any tile has.
const unknownTrips = 1 << 40

// tripsOf bounds how many iterations a loop has, whatever those around it are at.
func tripsOf(l *nest.Loop, around []*nest.Loop) int64 {
	box := boxOf(around)
	span := expr.Binary(expr.OpSub, l.Hi, l.Lo)
	step := l.Step
	if step < 0 {
		span, step = expr.Binary(expr.OpSub, l.Lo, l.Hi), -step
	}
	r := span.Interval(func(v expr.Var) expr.Range { return rangeIn(box, v) })
	if r.Hi >= unknownTrips {
		return unknownTrips
	}
	return max(expr.FloorDiv(r.Hi, step)+1, 0)
}

// runsAlways tells loops with at least one iteration, whatever those around them are at.
func runsAlways(l *nest.Loop, around []*nest.Loop) bool {
	box := boxOf(around)
	span := expr.Binary(expr.OpSub, l.Hi, l.Lo)
	if l.Step < 0 {
		span = expr.Binary(expr.OpSub, l.Lo, l.Hi)
	}
	return span.Interval(func(v expr.Var) expr.Range { return rangeIn(box, v) }).Lo >= 0
}

func rangeIn(box map[expr.Var]expr.Range, v expr.Var) expr.Range {
	if r, ok := box[v]; ok {
		return r
	}
	return expr.Whole
}

// boxOf bounds the variables of loops, outermost first.
func boxOf(loops []*nest.Loop) map[expr.Var]expr.Range {
	box := map[expr.Var]expr.Range{}
	for _, l := range loops {
		lo, hi := l.Lo, l.Hi
		if l.Step < 0 {
			lo, hi = hi, lo
		}
		at := func(v expr.Var) expr.Range { return rangeIn(box, v) }
		box[l.Var] = expr.Range{Lo: lo.Interval(at).Lo, Hi: hi.Interval(at).Hi}
	}
	return box
}
