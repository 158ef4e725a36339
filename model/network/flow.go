package network

import "math"

// flow is the data of a message on their way: first the latency passes, then the bytes.
type flow struct {
	links     []int32
	places    []int32 // where the flow stands among the users of each of its links
	remaining float64 // bytes on the links, with what is lost of bandwidth
	rate      float64 // B/s
	bound     float64
	weight    float64
	since     float64 // when remaining was right
	message   int32
	flowing   bool
	seen      uint32 // see fabric.visit
}

// fabric is the links and what flows over them.
type fabric struct {
	p        *Parameters
	users    [][]int32 // flows of each link
	weight   []float64 // of those together
	flows    []flow
	free     []int32
	dirty    []int32 // links whose flows changed at this time
	isDirty  []bool
	visit    uint32
	linkSeen []uint32
	found    []int32
	queue    []int32
	sharer   sharer
	rates    []float64
	skip     int   // how often the exact solution is not tried
	shared   int64 // how often rates changed
	solved   int64 // for how many flows exactly, all together
	first    int64 // so many are solved in any case
}

func newFabric(p *Parameters) *fabric {
	n := len(p.Fabric.Bandwidth)
	first := int64(solvedFirst)
	if p.Part > 0 {
		first = int64(p.Part * solvedFirst)
	}
	return &fabric{p: p, users: make([][]int32, n), weight: make([]float64, n), isDirty: make([]bool, n), linkSeen: make([]uint32, n), first: first}
}

// factors are what multiplies latency and bandwidth of a message.
func (p *Parameters) factors(bytes int64) (latency, bandwidth float64) {
	latency, bandwidth = 1, 1
	for _, f := range p.Factors {
		if bytes < f.From {
			break
		}
		latency, bandwidth = f.Latency, f.Bandwidth
	}
	return latency, bandwidth
}

// leastLatency stands for none where flows share by latency. Chosen: below that of any link.
const leastLatency = 1e-12

// start lays a message on its route, and gives the flow and its latency.
func (f *fabric) start(message int32, from, to int, bytes int64) (number int32, latency float64) {
	if n := len(f.free); n > 0 {
		number, f.free = f.free[n-1], f.free[:n-1]
	} else {
		number = int32(len(f.flows))
		f.flows = append(f.flows, flow{})
	}
	one := &f.flows[number]
	*one = flow{links: f.p.Fabric.Route(from, to, one.links[:0]), places: one.places[:0], message: message, weight: 1}
	widest := math.Inf(1)
	for _, l := range one.links {
		latency += f.p.Fabric.Latency[l]
		widest = min(widest, f.p.Fabric.Bandwidth[l])
	}
	longer, slower := f.p.factors(bytes)
	latency *= longer
	one.remaining, one.bound = float64(bytes)/slower, widest // what is lost takes room on the links too
	if f.p.Window > 0 && latency > 0 {
		one.bound = min(one.bound, f.p.Window/(2*latency)/slower)
	}
	if f.p.SharingByLatency {
		one.weight = 1 / max(latency, leastLatency)
	}
	return number, latency
}

// enter has a flow's bytes go.
func (f *fabric) enter(number int32, now float64) {
	one := &f.flows[number]
	one.flowing, one.since = true, now
	for _, l := range one.links {
		one.places = append(one.places, int32(len(f.users[l])))
		f.users[l] = append(f.users[l], number)
		f.weight[l] += one.weight
		f.mark(l)
	}
}

func (f *fabric) mark(link int32) {
	if !f.isDirty[link] {
		f.isDirty[link] = true
		f.dirty = append(f.dirty, link)
	}
}

// leave takes a flow whose bytes are there off its links.
func (f *fabric) leave(number int32) {
	one := &f.flows[number]
	for i, l := range one.links {
		f.vacate(l, one.places[i])
		f.weight[l] -= one.weight
		if len(f.users[l]) == 0 {
			f.weight[l] = 0
			continue
		}
		f.mark(l)
	}
	f.release(number)
}

// vacate gives the place of a user of a link to the last one.
func (f *fabric) vacate(link, place int32) {
	users := f.users[link]
	last := users[len(users)-1]
	users[place] = last
	f.users[link] = users[:len(users)-1]
	moved := &f.flows[last]
	for i, l := range moved.links {
		if l == link && moved.places[i] == int32(len(users)-1) {
			moved.places[i] = place
			return
		}
	}
}

func (f *fabric) release(number int32) {
	f.flows[number].flowing = false
	f.free = append(f.free, number)
}

// mostSkips is how often the flows around a change are not counted after they were too many to be solved together. Chosen: counting costs
// as much as some tens of changes.
const mostSkips = 64

// How many flows are solved for at most: so many, and so many more each time that rates change. Chosen: some seconds, and then some ten µs a change,
// so that small simulations are exact, and large ones take a time in proportion to their events.
const (
	solvedFirst = 1 << 25
	solvedEach  = 256
)

// share gives the flows around the links that changed their new rates, and the agenda their new ends.
func (f *fabric) share(now float64, due func(flow int32, at float64)) {
	if len(f.dirty) == 0 {
		return
	}
	f.visit++
	f.shared++
	f.found = f.found[:0]
	if f.skip > 0 || f.solved > f.first+solvedEach*f.shared || !f.component() {
		f.skip--
		if f.skip < 0 {
			f.skip = mostSkips
		}
		f.near()
	} else {
		f.exact()
	}
	for i, number := range f.found {
		f.flows[number].change(f.rates[i], now, func(at float64) { due(number, at) })
	}
	for _, l := range f.dirty {
		f.isDirty[l] = false
	}
	f.dirty = f.dirty[:0]
}

// component finds all flows that share links with those of the dirty ones, directly or through others; false where they are too many.
func (f *fabric) component() bool {
	most := f.p.Exact
	if most == 0 {
		most = DefaultExact
	}
	f.queue = f.queue[:0]
	for _, l := range f.dirty {
		f.reach(l)
	}
	for len(f.queue) > 0 {
		l := f.queue[len(f.queue)-1]
		f.queue = f.queue[:len(f.queue)-1]
		for _, u := range f.users[l] {
			if f.flows[u].seen == f.visit {
				continue
			}
			f.flows[u].seen = f.visit
			if f.found = append(f.found, u); len(f.found) > most {
				return false
			}
			for _, other := range f.flows[u].links {
				f.reach(other)
			}
		}
	}
	return true
}

func (f *fabric) reach(link int32) {
	if f.linkSeen[link] != f.visit {
		f.linkSeen[link] = f.visit
		f.queue = append(f.queue, link)
	}
}

// exact solves for the flows that were found.
func (f *fabric) exact() {
	f.solved += int64(len(f.found))
	f.sharer.begin(len(f.p.Fabric.Bandwidth))
	f.rates = resize(f.rates, len(f.found))
	for _, number := range f.found {
		one := &f.flows[number]
		f.sharer.addFlow(one.links, one.weight, one.bound)
	}
	f.sharer.solve(f.p.Fabric.Bandwidth, f.rates)
}

// near gives the flows of the dirty links the least of their links' equal shares.
func (f *fabric) near() {
	f.visit++
	f.found = f.found[:0]
	for _, l := range f.dirty {
		for _, u := range f.users[l] {
			if f.flows[u].seen != f.visit {
				f.flows[u].seen = f.visit
				f.found = append(f.found, u)
			}
		}
	}
	f.rates = resize(f.rates, len(f.found))
	for i, number := range f.found {
		one := &f.flows[number]
		rate := one.bound
		for _, l := range one.links {
			rate = min(rate, f.p.Fabric.Bandwidth[l]*one.weight/f.weight[l])
		}
		f.rates[i] = rate
	}
}

func resize(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n, 2*n)
	}
	return s[:n]
}

// change gives a flow another rate.
func (f *flow) change(rate, now float64, due func(at float64)) {
	if f.rate == rate && rate > 0 {
		return
	}
	if f.rate > 0 {
		f.remaining = max(f.remaining-f.rate*(now-f.since), 0)
	}
	f.rate, f.since = rate, now
	if math.IsInf(rate, 1) {
		due(now)
		return
	}
	due(now + f.remaining/rate)
}
