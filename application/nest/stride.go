package nest

import (
	"math"
	"math/rand/v2"

	"foresee/application/nest/expr"
)

// Stride is how far apart, in bytes, a reference's accesses are in successive iterations of the innermost loop
// that moves it; 0 when no loop does, or when the subscript holds a division. A loop of few iterations, around which another one
// takes shorter steps, makes as many streams of these: then their step is the stride.
func (s *Stream) Stride(reference int, few int64) int64 {
	a := s.model.accesses[reference]
	if a.exact != nil {
		return 0
	}
	stride := int64(0)
	for i := len(a.path) - 1; i >= 0; i-- {
		c := a.offset.Coefficient(a.path[i].v)
		if c == 0 {
			continue
		}
		if stride == 0 || max(c, -c) < max(stride, -stride) {
			stride = c
		}
		if n, known := a.path[i].iterations(); !known || n > few {
			break
		}
	}
	return stride
}

// Advance is how many bytes an access goes on from one iteration of a loop to the next, the other variables staying as they are; 0
// outside loops.
func (a *Access) Advance(l *Loop) int64 {
	if l == nil {
		return 0
	}
	env := anywhere(l.Var, a)
	here := a.Offset.Eval(env)
	env[l.Var] += l.Step
	return a.Offset.Eval(env) - here
}

// AdvanceOver is how many bytes further an access is when those of the loops that are inside one of them begin in its next iteration;
// loops go from the outermost inwards. Variables that inner loops begin with count, other than in [Access.Advance].
func (a *Access) AdvanceOver(loops []*Loop, one int) int64 {
	var last expr.Var
	for _, l := range loops {
		last = max(last, l.Var)
		l.Lo.EachVar(func(v expr.Var) { last = max(last, v) })
	}
	env := anywhere(last, a)
	at := func(iteration int64) int64 {
		for i, l := range loops {
			env[l.Var] = l.Lo.Eval(env)
			switch {
			case i < one:
				env[l.Var] += l.Step // past what begins otherwise at an edge
			case i == one:
				env[l.Var] += iteration * l.Step
			}
		}
		return a.Offset.Eval(env)
	}
	return at(2) - at(1)
}

// anywhere gives the variables up to one, and those of accesses, values.
func anywhere(last expr.Var, accesses ...*Access) []int64 {
	for _, a := range accesses {
		a.Offset.EachVar(func(v expr.Var) { last = max(last, v) })
	}
	env := make([]int64, last+1)
	for i := range env {
		env[i] = int64(i) + 1 // something may be divided by them
	}
	return env
}

// Near says whether two accesses go together through one object, fewer than so many bytes apart.
func (a *Access) Near(b *Access, bytes int64) bool {
	if a.Object != b.Object {
		return false
	}
	env := anywhere(-1, a, b)
	apart := a.Offset.Eval(env) - b.Offset.Eval(env)
	for v := range env {
		env[v] += 3
		if a.Offset.Eval(env)-b.Offset.Eval(env) != apart {
			return false
		}
	}
	return max(apart, -apart) < bytes
}

// Mover is the variable of the innermost loop that moves a reference; false where none does, or the subscript holds a division.
func (s *Stream) Mover(reference int) (expr.Var, bool) {
	a := s.model.accesses[reference]
	if a.exact != nil {
		return 0, false
	}
	for i := len(a.path) - 1; i >= 0; i-- {
		if a.offset.Coefficient(a.path[i].v) != 0 {
			return a.path[i].v, true
		}
	}
	return 0, false
}

// iterations of the loop, where all its runs have as many.
func (l *loop) iterations() (n int64, known bool) {
	if len(l.lo) != 1 || len(l.hi) != 1 || l.lo[0].Den != 1 || l.hi[0].Den != 1 || !l.loExact || !l.hiExact {
		return 0, false
	}
	across := l.hi[0].Form.Plus(l.lo[0].Form, -1)
	for _, t := range across.Terms {
		if t.C != 0 {
			return 0, false
		}
	}
	return across.K + 1, true
}

// Balance is how evenly the work of a team is spread.
type Balance struct {
	Parallel  float64 // share of the accesses that the team makes in parallel
	Imbalance float64 // accesses of the busiest thread of a phase over the mean, averaged over all phases
}

// balanceSamples is the number of places looked at.
const balanceSamples = 400

// Balance measures a shared stream (Group = Threads) at random places.
func (s *Stream) Balance(seed uint64) Balance {
	b := Balance{Imbalance: 1}
	if s.options.Threads == 1 || s.Len() == 0 {
		return b
	}
	rng := rand.New(rand.NewPCG(seed, 0xba1a))
	k := s.Cursor()
	inside, sum := 0, 0.0
	for i := range balanceSamples {
		at := int64((float64(i) + rng.Float64()) / balanceSamples * float64(s.Len()))
		k.At(min(at, s.Len()-1))
		if k.phase.team == nil {
			continue
		}
		inside++
		most, all := int64(0), int64(0)
		for _, n := range k.phase.counts {
			most, all = max(most, n), all+n
		}
		sum += float64(most) * float64(s.options.Threads) / float64(all)
	}
	b.Parallel = float64(inside) / balanceSamples
	if inside > 0 {
		b.Imbalance = sum / float64(inside)
	}
	return b
}

// Of a table that is looked at to tell whether what it chooses is scattered. Chosen: how far back a line may lie whose neighbours prefetchers or the caches
// have, a pair of lines of 128 bytes on each side, and some thousand elements in all.
const (
	recentPlaces   = 64
	neighbourLines = 2
	lookedParts    = 32
)

// Scattered is the share of a reference's new lines that have nothing to do with those of the accesses before, where a table chooses them, as in a[idx[i]]: 0
// where they lie beside these, as columns of a mesh do in each row, and of references that no table chooses. Lines are of so many bytes.
func (s *Stream) Scattered(reference int, line int64) float64 {
	table, bytes := scattering(s.model.accesses[reference].source.Offset, 1)
	if table == nil || bytes == 0 {
		return 0
	}
	values := table.Values()
	fresh, far := 0, 0
	for part := range lookedParts {
		begin := len(values) * part / lookedParts
		window := values[begin:min(begin+2*recentPlaces, len(values))]
		for i := min(recentPlaces, len(window)/2); i < len(window); i++ {
			nearest := int64(math.MaxInt64)
			for _, before := range window[max(0, i-recentPlaces):i] {
				apart := expr.FloorDiv(window[i]*bytes, line) - expr.FloorDiv(before*bytes, line)
				nearest = min(nearest, max(apart, -apart))
			}
			if nearest > 0 {
				fresh++
			}
			if nearest > neighbourLines {
				far++
			}
		}
	}
	if fresh == 0 {
		return 0
	}
	return float64(far) / float64(fresh)
}

// scattering is a table that an offset takes numbers from, and how many bytes one of them is; nil where there is none, or is taken from in other ways.
func scattering(e *expr.Expr, bytes int64) (*expr.Table, int64) {
	switch e.Op {
	case expr.OpLookup:
		return e.Table(), bytes
	case expr.OpAdd, expr.OpSub:
		if t, by := scattering(e.A, bytes); t != nil {
			return t, by
		}
		return scattering(e.B, bytes)
	case expr.OpMul:
		if e.A.Op == expr.OpConst {
			return scattering(e.B, bytes*e.A.K)
		}
		if e.B.Op == expr.OpConst {
			return scattering(e.A, bytes*e.B.K)
		}
	}
	return nil, 0
}
