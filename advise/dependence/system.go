package dependence

import (
	"math"
	"math/big"
	"slices"

	"foresee/application/nest/expr"
)

// form is a linear form of the variables of a system: constant + Σ coefficient × variable.
type form struct {
	k int64
	c []int64
}

// system is a question: are there integers so that all of zero are 0 and all of atLeast are at least 0?
type system struct {
	n       int
	asked   *int // variables of the systems that were looked at, with all that came of the same question
	zero    []form
	atLeast []form
}

func (s *system) form() form { return form{c: make([]int64, s.n)} }

// with is a copy that can be added to.
func (s *system) with(zero, atLeast []form) *system {
	return &system{s.n, s.asked, slices.Concat(s.zero, zero), slices.Concat(s.atLeast, atLeast)}
}

// Limits of what is tried before a system is taken to be feasible. Chosen: nests need a tenth of them.
const (
	mostForms   = 600 // inequalities that elimination may lead to
	mostRounds  = 12  // of bounds that follow from one another
	mostSplits  = 4   // constants that a part of an equation is tried with
	mostDepth   = 12  // parts of parts
	largestSize = 1 << 50
)

// feasible is false where it is proved that there are no such integers.
func (s *system) feasible() bool { return s.solve(0) }

func (s *system) solve(depth int) bool {
	*s.asked += s.n
	t := &system{s.n, s.asked, copies(s.zero), copies(s.atLeast)}
	box := make([]expr.Range, s.n)
	for i := range box {
		box[i] = expr.Range{Lo: -largestSize, Hi: largestSize}
	}
	if !t.propagate(box) {
		return false
	}
	if depth < mostDepth {
		for i, e := range t.zero {
			parts, several, ok := split(e, box)
			if !ok {
				return false
			}
			if several == nil {
				continue
			}
			rest := slices.Delete(slices.Clone(t.zero), i, i+1)
			return slices.ContainsFunc(several, func(m int64) bool {
				a, b := parts[0], parts[1]
				a.k, b.k = a.k+m, b.k-m
				return (&system{t.n, t.asked, append(slices.Clone(rest), a, b), t.atLeast}).solve(depth + 1)
			})
		}
	}
	return t.substitute() && t.withBox(box).eliminate()
}

func copies(all []form) []form {
	out := make([]form, len(all))
	for i, f := range all {
		out[i] = form{f.k, slices.Clone(f.c)}
	}
	return out
}

// withBox adds what is known of each variable.
func (s *system) withBox(box []expr.Range) *system {
	for i, r := range box {
		used := slices.ContainsFunc(s.atLeast, func(f form) bool { return f.c[i] != 0 })
		if !used {
			continue
		}
		if r.Lo > -largestSize {
			f := s.form()
			f.k, f.c[i] = -r.Lo, 1
			s.atLeast = append(s.atLeast, f)
		}
		if r.Hi < largestSize {
			f := s.form()
			f.k, f.c[i] = r.Hi, -1
			s.atLeast = append(s.atLeast, f)
		}
	}
	return s
}

// interval bounds a form over a box.
func (f form) interval(box []expr.Range) expr.Range {
	r := expr.Range{Lo: f.k, Hi: f.k}
	for i, c := range f.c {
		switch {
		case c > 0:
			r.Lo, r.Hi = plus(r.Lo, times(c, box[i].Lo)), plus(r.Hi, times(c, box[i].Hi))
		case c < 0:
			r.Lo, r.Hi = plus(r.Lo, times(c, box[i].Hi)), plus(r.Hi, times(c, box[i].Lo))
		}
	}
	return r
}

// times multiplies and stays within what sums can hold.
func times(a, b int64) int64 {
	p := float64(a) * float64(b)
	if math.Abs(p) > 1<<60 {
		return int64(math.Copysign(1<<60, p))
	}
	return a * b
}

func plus(a, b int64) int64 { return max(min(a+b, 1<<61), -(1 << 61)) }

// propagate narrows the box by every form, and is false where nothing is left.
func (s *system) propagate(box []expr.Range) bool {
	for range mostRounds {
		changed := false
		for _, f := range s.atLeast {
			c, ok := f.narrow(box)
			if !ok {
				return false
			}
			changed = changed || c
		}
		for _, f := range s.zero {
			c, ok := f.narrow(box)
			d, also := f.negative().narrow(box)
			if !ok || !also {
				return false
			}
			changed = changed || c || d
		}
		if !changed {
			return true
		}
	}
	return true
}

func (f form) negative() form {
	g := form{-f.k, make([]int64, len(f.c))}
	for i, c := range f.c {
		g.c[i] = -c
	}
	return g
}

// narrow bounds each variable of a form that is at least 0 by the others.
func (f form) narrow(box []expr.Range) (changed, ok bool) {
	whole := f.interval(box)
	if whole.Hi < 0 {
		return false, false
	}
	if whole.Hi >= 1<<59 {
		return false, true
	}
	for i, c := range f.c {
		if c == 0 {
			continue
		}
		r := &box[i]
		if c > 0 { // c v ≥ −(the rest at its most)
			rest := whole.Hi - c*r.Hi
			if lo := expr.CeilDiv(-rest, c); lo > r.Lo {
				r.Lo, changed = lo, true
			}
		} else {
			rest := whole.Hi - c*r.Lo
			if hi := expr.FloorDiv(rest, -c); hi < r.Hi {
				r.Hi, changed = hi, true
			}
		}
		if r.Lo > r.Hi {
			return changed, false
		}
	}
	return changed, true
}

// split parts an equation into one of its large coefficients and one of the others, where the latter, which are small, can only make up few
// multiples of the greatest common divisor of the former: several are these. Not ok: they make up none.
func split(e form, box []expr.Range) (parts [2]form, several []int64, ok bool) {
	order := byMagnitude(e)
	g := int64(0)
	for p := range order {
		g = gcd(g, e.c[order[p]])
		rest := form{e.k, slices.Clone(e.c)}
		for _, v := range order[:p+1] {
			rest.c[v] = 0
		}
		r := rest.interval(box)
		first, last := expr.CeilDiv(r.Lo, g), expr.FloorDiv(r.Hi, g)
		if first > last {
			return parts, nil, false
		}
		if p == len(order)-1 || last-first >= mostSplits {
			continue
		}
		front := form{0, slices.Clone(e.c)}
		for _, v := range order[p+1:] {
			front.c[v] = 0
		}
		for m := first; m <= last; m++ {
			several = append(several, m*g)
		}
		return [2]form{front, rest}, several, true
	}
	return parts, nil, true
}

// byMagnitude are the variables of a form, those with the largest coefficients first.
func byMagnitude(e form) (order []int) {
	for i, c := range e.c {
		if c != 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := magnitude(e.c[a]), magnitude(e.c[b]); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return order
}

func magnitude(a int64) int64 { return max(a, -a) }

func gcd(a, b int64) int64 {
	a, b = magnitude(a), magnitude(b)
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// substitute uses equations to do without a variable each, and is false where one cannot hold.
func (s *system) substitute() bool {
	for len(s.zero) > 0 {
		e := s.zero[0]
		s.zero = s.zero[1:]
		g := int64(0)
		unit := -1
		for i, c := range e.c {
			g = gcd(g, c)
			if magnitude(c) == 1 {
				unit = i
			}
		}
		switch {
		case g == 0 && e.k != 0, g != 0 && e.k%g != 0:
			return false
		case g == 0:
		case unit < 0: // as two inequalities
			s.atLeast = append(s.atLeast, e, e.negative())
		default:
			for _, all := range [][]form{s.zero, s.atLeast} {
				for i := range all {
					all[i] = without(all[i], e, unit)
				}
			}
		}
	}
	return true
}

// without replaces a variable by what an equation in which it has coefficient 1 or −1 says that it is.
func without(f, e form, v int) form {
	factor := f.c[v] * e.c[v]
	if factor == 0 {
		return f
	}
	out := form{f.k - factor*e.k, slices.Clone(f.c)}
	for i := range out.c {
		out.c[i] -= factor * e.c[i]
	}
	return out
}

// eliminate does without one variable after the other, and is false where a constant is left that is not at least 0.
func (s *system) eliminate() bool {
	forms := s.atLeast
	for {
		var ok bool
		if forms, ok = tightened(forms); !ok {
			return false
		}
		v := s.cheapest(forms)
		if v < 0 {
			return true
		}
		var keep, low, high []form
		for _, f := range forms {
			switch {
			case f.c[v] > 0:
				low = append(low, f)
			case f.c[v] < 0:
				high = append(high, f)
			default:
				keep = append(keep, f)
			}
		}
		if len(keep)+len(low)*len(high) > mostForms {
			return true
		}
		for _, a := range low {
			for _, b := range high {
				f, fits := combined(a, b, v)
				if !fits {
					return true
				}
				keep = append(keep, f)
			}
		}
		forms = keep
	}
}

// combined does without a variable that has a positive coefficient in a and a negative one in b.
func combined(a, b form, v int) (form, bool) {
	x, y := -b.c[v], a.c[v]
	out := form{c: make([]int64, len(a.c))}
	ok := true
	sum := func(p, q int64) int64 {
		s := new(big.Int).Add(new(big.Int).Mul(big.NewInt(x), big.NewInt(p)), new(big.Int).Mul(big.NewInt(y), big.NewInt(q)))
		ok = ok && s.IsInt64() && magnitude(s.Int64()) < largestSize
		return s.Int64()
	}
	out.k = sum(a.k, b.k)
	for i := range out.c {
		out.c[i] = sum(a.c[i], b.c[i])
	}
	return out, ok
}

// tightened divides by common divisors, the constants rounded down as the variables are integers, and leaves out what says nothing.
func tightened(forms []form) (out []form, ok bool) {
	seen := map[string]int{}
	for _, f := range forms {
		g := int64(0)
		for _, c := range f.c {
			g = gcd(g, c)
		}
		if g == 0 {
			if f.k < 0 {
				return nil, false
			}
			continue
		}
		h := form{expr.FloorDiv(f.k, g), make([]int64, len(f.c))}
		key := make([]byte, 0, 8*len(f.c))
		for i, c := range f.c {
			h.c[i] = c / g
			for shift := 0; shift < 64; shift += 8 {
				key = append(key, byte(h.c[i]>>shift))
			}
		}
		if i, known := seen[string(key)]; known {
			out[i].k = min(out[i].k, h.k)
			continue
		}
		seen[string(key)] = len(out)
		out = append(out, h)
	}
	return out, true
}

// cheapest is the variable whose elimination leaves the fewest forms; −1: none is left.
func (s *system) cheapest(forms []form) int {
	best, cost := -1, 0
	for v := range s.n {
		low, high := 0, 0
		for _, f := range forms {
			if f.c[v] > 0 {
				low++
			} else if f.c[v] < 0 {
				high++
			}
		}
		if low+high == 0 {
			continue
		}
		if c := low*high - low - high; best < 0 || c < cost {
			best, cost = v, c
		}
	}
	return best
}
