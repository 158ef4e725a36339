package nest

import "foresee/application/nest/expr"

// Most tables are of loops whose body holds innermost loops with bounds like max(0, w − i) and min(2w, n − 1 − i): of one variable, the rest standing
// still, these are straight lines, and a table is made of them much faster than by counting each iteration's accesses by themselves.

// line is a bound as a function of one variable.
type line struct{ slope, base, den int64 }

// straight is how many accesses an item makes, by one variable: size times the iterations from the greatest of the lower bounds to the least of the upper.
type straight struct {
	lo, hi []line
	size   int64
}

// lines are bounds as functions of v, the other variables being as they stand.
func lines(bounds []expr.Ratio, env []int64, v expr.Var) []line {
	out := make([]line, len(bounds))
	for i := range bounds {
		l := line{base: bounds[i].Form.K, den: bounds[i].Den}
		for _, t := range bounds[i].Form.Terms {
			if t.V == v {
				l.slope += t.C
			} else {
				l.base += t.C * env[t.V]
			}
		}
		out[i] = l
	}
	return out
}

// straights are the items of a body by the variable v, where all are runs and loops of this kind; fixed is what the runs make.
func (c *cursor) straights(b *body, v expr.Var) (all []straight, fixed int64, ok bool) {
	for i := range b.items {
		switch it := &b.items[i]; {
		case it.run != nil:
			fixed += int64(len(it.run))
		case it.loop != nil && it.loop.body.fixed && it.loop.loExact && it.loop.hiExact:
			all = append(all, straight{lines(it.loop.lo, c.env, v), lines(it.loop.hi, c.env, v), it.loop.body.size})
		default:
			return nil, 0, false
		}
	}
	return all, fixed, true
}

// at is how many accesses the item makes where the variable is x.
func (s *straight) at(x int64) int64 {
	var lo, hi int64
	for i := range s.lo {
		y := s.lo[i].base + s.lo[i].slope*x
		if d := s.lo[i].den; d != 1 {
			y = expr.CeilDiv(y, d)
		}
		if i == 0 || y > lo {
			lo = y
		}
	}
	for i := range s.hi {
		y := s.hi[i].base + s.hi[i].slope*x
		if d := s.hi[i].den; d != 1 {
			y = expr.FloorDiv(y, d)
		}
		if i == 0 || y < hi {
			hi = y
		}
	}
	if hi < lo {
		return 0
	}
	return saturatingProduct(hi-lo+1, s.size)
}
