package threads

import (
	"math"
	"slices"
	"sort"
)

// windows computes how many distinct lines lie in windows of a team's accesses: those accesses in the window whose
// line is not used again before its end, one a line.
//
// Serial code is run by thread 0, so the cache of thread 0's group sees its accesses and the caches of other groups do not. A window that
// begins in serial code is one of that group, and all serial accesses in it count. A sample of parallel code stands for threads of all groups:
// its window is the mean over the groups, in which serial accesses count by one over the number of groups.
type windows struct {
	f      *followed
	order  []int            // samples by when they are
	all    *pools           // of all samples, as windows see them that begin in parallel code
	first  *pools           // the same for windows that begin in serial code
	loops  map[int32]*pools // of the samples of one loop; −1: of serial code
	inLoop []int            // by sample: its place among the samples of its loop, by time
}

// pools are samples in the order of time, cut into pools of neighbours.
type pools struct {
	pool []pool
	size int // samples of each but the last
}

// pool gives the mean number of distinct lines in windows among its samples, by the length of the window: the
// integral of the share of accesses whose interval is longer.
type pool struct {
	interval []float64 // of its samples, ascending
	weight   []float64 // the sum of the accesses of the group that the samples up to each stand for
	product  []float64 // the same of accesses × interval
	time     float64   // accesses of all threads that all of them stand for
}

// poolSize is the least number of samples for which a pool is made; fewer make one pool, and pools have up to nearly twice as many. Chosen: six
// pools for the samples of a usual signature; a count of 480 is good to 1/√480, a twentieth.
const poolSize = 480

// newWindows prepares the windows of samples that are followed; order lists them by time.
func newWindows(f *followed, order []int) *windows {
	w := &windows{f: f, order: order, loops: map[int32]*pools{}, inLoop: make([]int, len(order))}
	members := map[int32][]int{}
	for _, i := range order {
		loop := int32(-1)
		if s := f.m.s.Samples[i].Shape; s >= 0 {
			loop = f.m.s.Shapes[s].Loop
		}
		w.inLoop[i] = len(members[loop])
		members[loop] = append(members[loop], i)
	}
	for loop, list := range members {
		w.loops[loop] = newPools(f, list, 1)
	}
	if len(members) == 1 {
		for _, p := range w.loops {
			w.all, w.first = p, p
		}
		return w
	}
	w.all = newPools(f, order, 1/f.groups())
	w.first = w.all
	if f.groups() > 1 && len(members[-1]) > 0 {
		w.first = newPools(f, order, 1)
	}
	return w
}

// newPools makes pools in which this share of the accesses in serial code counts: those that the group, or the mean of the groups, sees.
func newPools(f *followed, list []int, serial float64) *pools {
	n := max(1, len(list)/poolSize)
	p := &pools{size: max(1, (len(list)+n-1)/n)}
	p.pool = make([]pool, (len(list)+p.size-1)/p.size)
	inParallel(len(p.pool), func(from, to int) {
		for i := from; i < to; i++ {
			p.pool[i] = newPool(f, list[i*p.size:min((i+1)*p.size, len(list))], serial)
		}
	})
	return p
}

// newPool makes a pool of some samples.
func newPool(f *followed, members []int, serial float64) pool {
	sorted := slices.Clone(members)
	sortBy(sorted, f.interval)
	var p pool
	weight, product := 0.0, 0.0
	for _, i := range sorted {
		whole := f.m.s.Samples[i].Weight
		p.time += whole
		share := f.weight[i]
		if f.m.s.Samples[i].Shape < 0 {
			share = serial
		}
		weight += whole * share
		if !math.IsInf(f.interval[i], 1) {
			product += whole * share * f.interval[i]
		}
		p.interval = append(p.interval, f.interval[i])
		p.weight = append(p.weight, weight)
		p.product = append(p.product, product)
	}
	return p
}

// keyed is an index with what it is sorted by.
type keyed struct {
	value float64
	index int
}

// sortBy sorts indices by their values, and by themselves where these are equal.
func sortBy(indices []int, values []float64) {
	list := make([]keyed, len(indices))
	for i, x := range indices {
		list[i] = keyed{values[x], x}
	}
	slices.SortFunc(list, func(a, b keyed) int {
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return a.index - b.index
	})
	for i, k := range list {
		indices[i] = k.index
	}
}

// lines is the mean number of distinct lines in a window of some accesses.
func (p *pool) lines(window float64) float64 {
	k := sort.SearchFloat64s(p.interval, window) // shorter ones
	all := p.weight[len(p.weight)-1]
	below, product := 0.0, 0.0
	if k > 0 {
		below, product = p.weight[k-1], p.product[k-1]
	}
	return (product + (all-below)*window) / p.time
}

// pooled estimates the lines of the window of the sample that is at this place in time from the pool that it is in: of its own loop when the
// window stays inside an execution of it, else of all.
func (w *windows) pooled(inTime int, window float64, inside bool) float64 {
	i := w.order[inTime]
	switch {
	case inside:
	case w.f.m.s.Samples[i].Shape < 0:
		return w.first.pool[inTime/w.first.size].lines(window)
	default:
		return w.all.pool[inTime/w.all.size].lines(window)
	}
	loop := int32(-1)
	if s := w.f.m.s.Samples[i].Shape; s >= 0 {
		loop = w.f.m.s.Shapes[s].Loop
	}
	p := w.loops[loop]
	return p.pool[w.inLoop[i]/p.size].lines(window)
}

// direct estimates the lines of the window of each sample, in the order of time, from the samples within it: the accesses that those stand for
// whose next use comes after the window's end. It also tells how many samples lie within. Windows are taken by their ends, so that what has
// ended by then is what is used again within the window.
func (w *windows) direct() (lines []float64, within []int) {
	f, n := w.f, len(w.order)
	at := make([]float64, n)
	end := make([]float64, n)
	byEnd := make([]int, n)
	parallel, serial := newCounted(n), newCounted(n)
	for r, i := range w.order {
		at[r], end[r], byEnd[r] = f.at[i], f.at[i]+f.interval[i], r
		y := &f.m.s.Samples[i]
		if y.Shape < 0 {
			parallel.append(r, 0)
			serial.append(r, y.Weight)
		} else {
			parallel.append(r, y.Weight*f.weight[i])
			serial.append(r, 0)
		}
	}
	sortBy(byEnd, end)
	lines, within = make([]float64, n), make([]int, n)
	for _, r := range byEnd {
		if math.IsInf(end[r], 1) {
			continue
		}
		last := sort.SearchFloat64s(at, end[r]) // places r+1 … last−1 lie within
		if last > r+1 {
			within[r] = last - r - 1
			share := 1 / f.groups()
			if f.m.s.Samples[w.order[r]].Shape < 0 {
				share = 1
			}
			lines[r] = parallel.open(r+1, last) + share*serial.open(r+1, last)
		}
		parallel.end(r)
		serial.end(r)
	}
	return lines, within
}

// counted are weights in an order, of which one after the other ends. It tells how much of those between two places has not ended yet, in a time
// that grows with the logarithm of their number.
type counted struct {
	sums  []float64 // of the first i weights, by i
	ended []float64 // the sums of those that have ended, as a Fenwick tree
}

func newCounted(n int) *counted { return &counted{make([]float64, n+1), make([]float64, n+1)} }

// append adds the weight at place i, which is the next one.
func (c *counted) append(i int, weight float64) { c.sums[i+1] = c.sums[i] + weight }

// open is the weight from place first to before place end that has not ended.
func (c *counted) open(first, end int) float64 {
	return c.sums[end] - c.sums[first] - (prefix(c.ended, end) - prefix(c.ended, first))
}

// end ends the weight at place i.
func (c *counted) end(i int) {
	if w := c.sums[i+1] - c.sums[i]; w > 0 {
		add(c.ended, i, w)
	}
}

// prefix is the sum of the first n values of a Fenwick tree (A New Data Structure for Cumulative Frequency Tables, Software – Practice and
// Experience 24, 1994): entry i holds the sum of as many values up to the i-th as the lowest bit of i says, so that clearing bit after bit of n
// leads through the parts of the sum.
func prefix(tree []float64, n int) (sum float64) {
	for ; n > 0; n &= n - 1 {
		sum += tree[n]
	}
	return sum
}

// add adds v to value i, from 0, of a Fenwick tree: to all entries whose sums hold it.
func add(tree []float64, i int, v float64) {
	for i++; i < len(tree); i += i & -i {
		tree[i] += v
	}
}
