package threads

import (
	"math"
	"slices"

	"foresee/application/nest"
)

// touches lists uses of the line in an iteration on both sides of a place in it, at distances that double.
func touches(k *nest.Cursor, t nest.Touch) ([]Use, error) {
	var at []int64
	find := func(local int64) (int64, bool, error) { return k.TouchIn(t.Iteration, max(local, 0)) }
	first, _, err := find(0)
	if err != nil {
		return nil, err
	}
	at = append(at, first)
	for far := int64(1); t.Local-far > first; far *= 2 {
		x, ok, err := find(t.Local - far)
		if err != nil {
			return nil, err
		}
		if ok {
			at = append(at, x)
		}
	}
	for from := t.Local; ; {
		x, ok, err := find(from)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		at = append(at, x)
		from = max(x+1, t.Local+2*(x-t.Local))
	}
	slices.Sort(at)
	at = slices.Compact(at)
	var out []Use
	for i, x := range at {
		limit := int64(math.MaxInt64)
		if i+1 < len(at) {
			limit = at[i+1]
		}
		u, err := row(find, x, limit)
		if err != nil {
			return nil, err
		}
		out = append(out, u)
	}
	return out, nil
}

// mostInner bounds the uses that are looked at for a period. Chosen: of more, these alone are kept.
const mostInner = 12

// row finds how the uses go on after one, before a limit: evenly, or with a short period.
func row(find func(int64) (int64, bool, error), from, limit int64) (Use, error) {
	at := []int64{from}
	more := func() (bool, error) {
		next, ok, err := find(at[len(at)-1] + 1)
		if ok = ok && err == nil && next < limit; ok {
			at = append(at, next)
		}
		return ok, err
	}
	for {
		ok, err := more()
		if err != nil {
			return Use{}, err
		}
		if !ok || len(at) > mostInner {
			return listed(at), nil
		}
		period := periodOf(at)
		if period == 0 {
			continue
		}
		u := listed(at[:period+1])
		if err := u.grow(find, limit); err != nil {
			return u, err
		}
		if from+u.Count*u.Step > at[len(at)-1] { // farther than was looked
			return u, nil
		}
	}
}

// listed is a row of one period: all of the uses.
func listed(at []int64) Use {
	u := Use{Local: at[0]}
	if last := len(at) - 1; last > 0 {
		u.Step, u.Count = at[last]-at[0], 1
		for _, x := range at[1:last] {
			u.Inner = append(u.Inner, x-at[0])
		}
	}
	return u
}

// grow finds how often the period repeats, by ever longer strides.
func (u *Use) grow(find func(int64) (int64, bool, error), limit int64) error {
	gap := u.Step // before the last use of a period
	if n := len(u.Inner); n > 0 {
		gap -= u.Inner[n-1]
	}
	for more := int64(1); more > 0; {
		x, next, ok := u.Local+(u.Count+more)*u.Step, int64(-1), false
		if x < limit {
			var err error
			if next, ok, err = find(x - gap + 1); err != nil {
				return err
			}
		}
		if ok && next == x {
			u.Count += more
			more *= 2
		} else {
			more /= 2
		}
	}
	return nil
}

// periodOf is after how many of a list of numbers their differences repeat, seen twice; 0: they do not yet.
func periodOf(at []int64) int {
	n := len(at) - 1
	for k := 1; 2*k <= n; k++ {
		same := true
		for i := 0; i+k <= n; i++ {
			same = same && at[i+k]-at[i] == at[k]-at[0]
		}
		if same {
			return k
		}
	}
	return 0
}

// next is the first of the uses at or after a place; −1: none.
func (u *Use) next(x float64) float64 {
	if u.Count == 0 {
		return -1
	}
	step, past := float64(u.Step), x-float64(u.Local)
	m := math.Ceil(past / step)
	at := -1.0
	if m <= float64(u.Count) {
		at = float64(u.Local) + m*step
	}
	for _, inner := range u.Inner {
		m = max(math.Ceil((past-float64(inner))/step), 0)
		if x := float64(u.Local+inner) + m*step; m < float64(u.Count) && (at < 0 || x < at) {
			at = x
		}
	}
	return at
}

// usesBefore counts the uses of an ascending list that come before a place.
func usesBefore(uses []Use, x float64) int {
	k := 0
	for n := len(uses); n > 0; {
		half := (n + 1) / 2
		if float64(uses[k+half-1].Local) < x {
			k += half
		}
		n -= half
	}
	return k
}

// nextIn is the first use in an iteration of the run at or after a place, in accesses after its beginning; −1: none. Only the uses of one
// iteration are known, the model; those of another one are as far from its own first touch.
func (r *Run) nextIn(iteration int64, local float64) float64 {
	shift := 0.0
	switch {
	case r.Scatter == 0:
		shift = float64(r.local(iteration) - r.local(r.Model))
	case len(r.Touches) > 0:
		shift = float64(r.local(iteration) - r.Touches[0].Local)
	}
	x := local - shift // as the model has it
	uses := r.Touches
	k := usesBefore(uses, x)
	next := -1.0
	if k < len(uses) {
		next = float64(uses[k].Local)
	}
	if k > 0 {
		if at := uses[k-1].next(x); at >= 0 && (next < 0 || at < next) {
			next = at
		}
	}
	if next < 0 {
		return -1
	}
	return next + shift
}
