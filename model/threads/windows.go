package threads

import (
	"math"
	"slices"
	"sort"
)

// windows computes how many distinct lines lie in windows of a team's accesses: those accesses in the window whose
// line is not used again before its end, one a line.
type windows struct {
	f     *followed
	order []int  // samples by when they are
	all   *pools // neighbours in time, on average over the groups
	first *pools // the same of the group of thread 0
	loops map[int32]*pools
	rank  []int // by sample: its place in its loop's pool
}

// The group of thread 0 also sees the serial code; the others do not. A window that begins in serial code is of the
// former; of one that does not, the mean over all groups is taken.

// pools are samples in the order of time, cut into pools of neighbours.
type pools struct {
	pool []pool
	size int
}

// pool gives the mean number of distinct lines in windows among its samples, by the length of the window: the
// integral of the share of accesses whose interval is longer.
type pool struct {
	interval []float64 // ascending
	weight   []float64 // sums of those of the group up to each, and of weight × interval
	product  []float64
	time     float64 // accesses of all threads
}

// poolSize is how many samples a pool has, about. Chosen: six pools for a signature, each good to a twentieth.
const poolSize = 480

// newWindows prepares the windows of samples that are followed; order lists them by time.
func newWindows(f *followed, order []int) *windows {
	w := &windows{f: f, order: order, loops: map[int32]*pools{}, rank: make([]int, len(order))}
	members := map[int32][]int{}
	for _, i := range order {
		loop := int32(-1)
		if s := f.m.s.Samples[i].Shape; s >= 0 {
			loop = f.m.s.Shapes[s].Loop
		}
		w.rank[i] = len(members[loop])
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

// newPools makes pools in which serial code counts by a share.
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

// pooled estimates the lines of the window of the sample at a place of the order from its neighbours: of its own loop
// when the window stays inside an execution, else of all.
func (w *windows) pooled(rank int, window float64, inside bool) float64 {
	i := w.order[rank]
	switch {
	case inside:
	case w.f.m.s.Samples[i].Shape < 0:
		return w.first.pool[rank/w.first.size].lines(window)
	default:
		return w.all.pool[rank/w.all.size].lines(window)
	}
	loop := int32(-1)
	if s := w.f.m.s.Samples[i].Shape; s >= 0 {
		loop = w.f.m.s.Shapes[s].Loop
	}
	p := w.loops[loop]
	return p.pool[w.rank[i]/p.size].lines(window)
}

// direct adds up the samples inside each window whose next use lies behind it, and counts the samples inside.
func (w *windows) direct() (lines []float64, inside []int) {
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
	lines, inside = make([]float64, n), make([]int, n)
	for _, r := range byEnd {
		if math.IsInf(end[r], 1) {
			continue
		}
		last := sort.SearchFloat64s(at, end[r]) // ranks r+1 … last−1 lie inside
		if last > r+1 {
			inside[r] = last - r - 1
			share := 1 / f.groups()
			if f.m.s.Samples[w.order[r]].Shape < 0 {
				share = 1
			}
			lines[r] = parallel.open(r+1, last) + share*serial.open(r+1, last)
		}
		parallel.end(r)
		serial.end(r)
	}
	return lines, inside
}

// counted are weights in an order, of which some have ended: how much has not ended between two places is asked for, in the logarithm of
// their number.
type counted struct {
	sums  []float64 // of the first i weights, by i
	ended []float64 // a Fenwick tree: sums of those that have ended
}

func newCounted(n int) *counted { return &counted{make([]float64, n+1), make([]float64, n+1)} }

func (c *counted) append(i int, weight float64) { c.sums[i+1] = c.sums[i] + weight }

// open is the weight from first to before end that has not ended.
func (c *counted) open(first, end int) float64 {
	return c.sums[end] - c.sums[first] - (prefix(c.ended, end) - prefix(c.ended, first))
}

func (c *counted) end(i int) {
	if w := c.sums[i+1] - c.sums[i]; w > 0 {
		add(c.ended, i, w)
	}
}

// prefix is the sum of the first n entries of a Fenwick tree.
func prefix(tree []float64, n int) (sum float64) {
	for ; n > 0; n &= n - 1 {
		sum += tree[n]
	}
	return sum
}

func add(tree []float64, i int, v float64) {
	for i++; i < len(tree); i += i & -i {
		tree[i] += v
	}
}
