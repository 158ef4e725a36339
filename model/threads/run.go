package threads

// next is the first iteration of the run from a number on; −1: none.
func (r *Run) next(from int64) int64 {
	if from <= r.First {
		return r.First
	}
	rest, y := from-r.First, int64(0)
	if r.Repeat > 1 {
		y = rest / r.Period
		if y >= r.Repeat {
			y = r.Repeat - 1
		}
		rest -= y * r.Period
	}
	x := rest
	if r.Stride != 1 {
		x = (rest + r.Stride - 1) / r.Stride
	}
	if x >= r.Count {
		if y+1 >= r.Repeat {
			return -1
		}
		return r.First + (y+1)*r.Period
	}
	return r.First + y*r.Period + x*r.Stride
}

// last is the greatest iteration of the run.
func (r *Run) last() int64 { return r.First + (r.Count-1)*r.Stride + (r.Repeat-1)*r.Period }

// local is where an iteration of the run first touches the line, in accesses after its beginning. Where that may be anywhere, a hash of the
// iteration says where.
func (r *Run) local(iteration int64) int64 {
	if r.Scatter > 0 {
		return int64(uint64(iteration) * 0x9e3779b97f4a7c15 >> 11 % uint64(r.Scatter))
	}
	out := r.Local
	if r.Inner == 0 && r.Outer == 0 {
		return out
	}
	rest, y := iteration-r.First, int64(0)
	if r.Repeat > 1 {
		y = min(rest/r.Period, r.Repeat-1)
		out += r.Outer * y / (r.Repeat - 1)
		rest -= y * r.Period
	}
	if r.Count > 1 {
		if r.Stride > 1 {
			rest /= r.Stride
		}
		out += r.Inner * rest / (r.Count - 1)
	}
	return out
}

// nextOf is the first iteration of any of the runs from a number on, and the run; −1: none.
func nextOf(runs []Run, from int64) (int64, *Run) {
	best, which := int64(-1), (*Run)(nil)
	for i := range runs {
		r := &runs[i]
		if best >= 0 && r.First >= best {
			continue
		}
		if j := r.next(from); j >= 0 && (best < 0 || j < best) {
			best, which = j, r
		}
	}
	return best, which
}

// before is the last iteration of the run before a number; −1: none.
func (r *Run) before(end int64) int64 {
	if end <= r.First {
		return -1
	}
	rest, y := end-1-r.First, int64(0)
	if r.Repeat > 1 {
		y = min(rest/r.Period, r.Repeat-1)
		rest -= y * r.Period
	}
	return r.First + y*r.Period + min(rest/r.Stride, r.Count-1)*r.Stride
}

// neighbour is the iteration of the run nearest to the given one, the given one itself left out; −1 where the run has no other.
// Of a run 2, 5, 8 the neighbour of 5 is 8, and that of 7 is 8.
func (r *Run) neighbour(iteration int64) int64 {
	before, after := r.before(iteration), r.next(iteration+1)
	if before < 0 || after >= 0 && after-iteration <= iteration-before {
		return after
	}
	return before
}

func abs(x int64) int64 { return max(x, -x) }
