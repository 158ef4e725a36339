package threads

import (
	"math"
	"sort"
)

// windows computes how many distinct lines lie in windows of a team's accesses: those accesses in the window whose
// line is not used again before its end, one a line.
//
// Serial code is run by thread 0, so the cache of thread 0's group sees its accesses and the caches of other groups do not. A window that
// begins in serial code is one of that group, and all serial accesses in it count. A sample of parallel code stands for threads of all groups:
// its window is the mean over the groups, in which serial accesses count by one over the number of groups.
type windows struct {
	f     *followed
	order []int32 // samples by when they are
	all   *pools  // of all samples, as windows see them that begin in parallel code
	first *pools  // the same for windows that begin in serial code
	loops *pools  // of the samples of each loop, and of serial code, by themselves
}

// pools are samples in the order of time, cut into pools of neighbours.
type pools struct {
	of   []int32 // by sample
	pool []pool
	data []float64
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

// newWindows prepares the windows of samples that are followed.
func newWindows(f *followed) *windows {
	r := f.room
	r.order = r.sorter.sort(f.at, r.order)
	r.byInterval = r.sorter.sort(f.interval, r.byInterval)
	w := &windows{f: f, order: r.order, all: &r.pools[0], first: &r.pools[0], loops: &r.pools[1]}
	w.loops.byLoop(f.m, w.order)
	w.loops.fill(f, 1)
	if f.m.loops == 1 {
		w.all, w.first = w.loops, w.loops
		return w
	}
	w.all.byTime(w.order)
	w.all.fill(f, 1/f.groups())
	if f.groups() > 1 && f.m.serial {
		w.first = &r.pools[2]
		w.first.byTime(w.order)
		w.first.fill(f, 1)
	}
	return w
}

// inEach is how many samples each pool of n of them has, but the last.
func inEach(n int) int {
	k := max(1, n/poolSize)
	return max(1, (n+k-1)/k)
}

// byTime cuts all samples into pools.
func (p *pools) byTime(order []int32) {
	n := len(order)
	p.of = sized(p.of, n)
	size := inEach(n)
	p.pool = sized(p.pool, (n+size-1)/size)
	p.data = sized(p.data, 3*n)
	for k := range p.pool {
		p.pool[k] = p.room(k*size, min((k+1)*size, n))
	}
	for at, i := range order {
		p.of[i] = int32(at / size)
	}
}

// byLoop cuts the samples of each loop into pools.
func (p *pools) byLoop(m *Model, order []int32) {
	n := len(order)
	p.of = sized(p.of, n)
	p.pool, p.data = p.pool[:0], sized(p.data, 3*n)
	type part struct{ size, next, first int }
	parts := make([]part, len(m.members))
	begin := 0
	for loop, count := range m.members {
		size := inEach(count)
		parts[loop] = part{size: size, first: len(p.pool)}
		for from := 0; from < count; from += size {
			p.pool = append(p.pool, p.room(begin+from, begin+min(from+size, count)))
		}
		begin += count
	}
	for _, i := range order {
		x := &parts[m.loop[i]]
		p.of[i] = int32(x.first + x.next/x.size)
		x.next++
	}
}

// room is an empty pool with room for the samples from one place to another.
func (p *pools) room(from, to int) pool {
	n := to - from
	d := p.data[3*from : 3*to]
	return pool{interval: d[:0:n], weight: d[n : n : 2*n], product: d[2*n : 2*n : 3*n]}
}

// fill takes the samples into their pools. This share of the accesses in serial code counts: those that the group, or the mean of the groups, sees.
func (p *pools) fill(f *followed, serial float64) {
	for _, i := range f.room.byInterval {
		q := &p.pool[p.of[i]]
		whole, interval, weight, product := f.m.weight[i], f.interval[i], 0.0, 0.0
		if n := len(q.weight); n > 0 {
			weight, product = q.weight[n-1], q.product[n-1]
		}
		q.time += whole
		share := f.weight[i]
		if f.m.loop[i] == serialCode {
			share = serial
		}
		weight += whole * share
		if !math.IsInf(interval, 1) {
			product += whole * share * interval
		}
		q.interval = append(q.interval, interval)
		q.weight = append(q.weight, weight)
		q.product = append(q.product, product)
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

// pooled estimates the lines of a sample's window from the pool that it is in: of its own loop when the window stays inside an execution of it, else
// of all.
func (w *windows) pooled(i int32, window float64, inside bool) float64 {
	p := w.all
	switch {
	case inside:
		p = w.loops
	case w.f.m.loop[i] == serialCode:
		p = w.first
	}
	return p.pool[p.of[i]].lines(window)
}

// Samples within the window count its lines where there are many, the pool of neighbours where there are few; between them both.
// Chosen: with 48 samples the one is off by a seventh, with 256 by a sixteenth, less than neighbours differ.
const (
	fewWithin  = 48
	manyWithin = 256
)

// direct estimates the lines of the window of each sample, in the order of time, from the samples within it, where these are more than a few: the
// accesses that those stand for whose next use comes after the window's end. It also tells how many samples lie within. Windows are taken by their
// ends, so that what has ended by then is what is used again within the window.
func (w *windows) direct() (lines []float64, within []int32) {
	f, r, n := w.f, w.f.room, len(w.order)
	r.sorted, r.end = sized(r.sorted, n), sized(r.end, n)
	r.direct, r.within = sized(r.direct, n), sized(r.within, n)
	at, end := r.sorted, r.end
	r.counted.reset(n)
	for k, i := range w.order {
		at[k], end[k] = f.at[i], f.at[i]+f.interval[i]
		if f.m.loop[i] == serialCode {
			r.counted.append(k, 0, f.m.weight[i])
		} else {
			r.counted.append(k, f.m.weight[i]*f.weight[i], 0)
		}
	}
	r.byEnd = r.sorter.sort(end, r.byEnd)
	lines, within = r.direct, r.within
	clear(lines)
	clear(within)
	last := 0 // samples begin before the window ends
	for _, k := range r.byEnd {
		if math.IsInf(end[k], 1) {
			break
		}
		for last < n && at[last] < end[k] {
			last++
		}
		first := int(k) + 1 // places first … last−1 lie within
		if last > first {
			within[k] = int32(last - first)
		}
		if last-first > fewWithin {
			share := 1 / f.groups()
			if f.m.loop[w.order[k]] == serialCode {
				share = 1
			}
			lines[k] = r.counted.open(first, last, share)
		}
		r.counted.end(int(k))
	}
	return lines, within
}

// counted are weights in an order, of which one after the other ends. It tells how much of those between two places has not ended yet, in a time
// that grows with the logarithm of their number. There are two kinds, of parallel and of serial code.
type counted struct {
	sums  []kinds // of the first i weights, by i
	ended []kinds // the sums of those that have ended, as a Fenwick tree
}

type kinds struct{ parallel, serial float64 }

func (c *counted) reset(n int) {
	c.sums, c.ended = sized(c.sums, n+1), sized(c.ended, n+1)
	clear(c.ended)
	c.sums[0] = kinds{}
}

// append adds the weight at place i, which is the next one.
func (c *counted) append(i int, parallel, serial float64) {
	s := &c.sums[i]
	c.sums[i+1] = kinds{s.parallel + parallel, s.serial + serial}
}

// open is the weight from place first to before place end that has not ended; of that of serial code a share counts.
func (c *counted) open(first, end int, share float64) float64 {
	a, b, e, f := c.sums[first], c.sums[end], prefix(c.ended, first), prefix(c.ended, end)
	return b.parallel - a.parallel - (f.parallel - e.parallel) + share*(b.serial-a.serial-(f.serial-e.serial))
}

// end ends the weight at place i.
func (c *counted) end(i int) {
	a, b := c.sums[i], c.sums[i+1]
	p, s := b.parallel-a.parallel, b.serial-a.serial
	if p <= 0 && s <= 0 {
		return
	}
	for i++; i < len(c.ended); i += i & -i {
		c.ended[i].parallel += p
		c.ended[i].serial += s
	}
}

// prefix is the sum of the first n values of a Fenwick tree (A New Data Structure for Cumulative Frequency Tables, Software – Practice and
// Experience 24, 1994): entry i holds the sum of as many values up to the i-th as the lowest bit of i says, so that clearing bit after bit of n
// leads through the parts of the sum.
func prefix(tree []kinds, n int) (sum kinds) {
	for ; n > 0; n &= n - 1 {
		sum.parallel += tree[n].parallel
		sum.serial += tree[n].serial
	}
	return sum
}
