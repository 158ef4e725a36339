package predict

import (
	"fmt"
	"math/bits"

	"foresee/application/recording"
	"foresee/application/trace"
	"foresee/machine"
	"foresee/model/cache"
	"foresee/model/traffic"
	"foresee/predict/hierarchy"
)

// together are the caches of several machines that see the same accesses. Whatever can be found out once for all is: where an access is of, what the
// places of its lines are, which accesses change no cache, what first levels that are alike do. Machines with the same caches share their simulation.
type together struct {
	threads int
	objects objects
	sorts   []*alike
	known   map[string]*caches
	shared  *sharedLines // nil: not asked for

	beside bool          // what was passed on is simulated while more is read
	done   chan struct{} // of what is being simulated; nil: nothing is
}

// caches are those of one machine, or of several with the same.
type caches struct {
	*simulation
	arrival *traffic.Arrival // how missed lines follow one another
	missed  objectCounts
	latest  *SimulatedObject // that was counted last, of
	lastOf  [2]int           // a region and an object
	least   cache.Effect     // of accesses that they are told of
	alike   *alike
}

// alike are caches with lines and pages of the same size.
type alike struct {
	line, page int64        // bytes
	padded     *sharedLines // of which threads have lines of their own where they share them falsely; nil: all lines are as they are
	colouring  cache.Colouring
	filter     *cache.Filter // nil: it does not suit them
	current    regionStacks
	now        []int64        // by thread: accesses so far
	accesses   map[int]*int64 // by region
	region     int            // of the last access, and
	here       *int64         // how many there are of it
	all        []*caches
	groups     [][]*caches // made at the first access: those of one group have their first level in common
	joined     [][]*cache.Simulator
	passed     []passedOn
	before     []passedOn // what is being simulated
	served     []int
}

// passedOn is an access that may change some cache.
type passedOn struct {
	address, line, place uint64 // place: of the line, in memory
	now                  int64  // accesses of the thread so far
	region, object       int32  // object: unfound until a cache lacks the line
	thread               uint16
	write                bool
	effect               cache.Effect
}

// unfound stands for an object that nobody looked for.
const unfound = trace.Nowhere - 1

func newTogether(threads int) *together {
	return &together{threads: threads, objects: objects{wanted: true}, known: map[string]*caches{}}
}

// add gives the caches of a machine with so many streams that its prefetchers follow, and pages of so many bytes, without false sharing where it is padded; those that are there already, where they are the same.
func (t *together) add(h cache.Hierarchy, streams int, page int64, padded bool) (*caches, error) {
	key := fmt.Sprint(h, streams, page, padded)
	if c := t.known[key]; c != nil {
		return c, nil
	}
	s, err := newSimulation(h, false, 1)
	if err != nil {
		return nil, err
	}
	s.followed = true
	c := &caches{simulation: s, arrival: traffic.NewArrival(h.Threads, len(h.Levels), streams), missed: objectCounts{}}
	least, filtered := h.Suffices()
	c.least, c.alike = least, t.alike(h.LineBytes, page, filtered, padded)
	c.alike.all = append(c.alike.all, c)
	c.simulation.accesses = c.alike.accesses
	t.known[key] = c
	return c, nil
}

// leftOut are lines of which accesses can be left out that change nothing in the caches of any machine; none where reuse distances of lines are asked for.
func (r *Request) leftOut() (out recording.Lines) {
	if r.distances || r.Options.HitModel == HitModelSDCM {
		return out
	}
	for _, m := range r.Machines {
		h, _, err := hierarchy.Of(m, 1, nil)
		if err != nil {
			return recording.Lines{}
		}
		cumulate(&h, m)
		keeps, page := h.Keeps(), r.Options.pageOn(m)
		if keeps == 0 || page != 0 && page < recording.LineSets*h.LineBytes {
			return recording.Lines{}
		}
		switch bytes := uint64(h.LineBytes); {
		case out.Bytes == 0:
			out = recording.Lines{Bytes: bytes, Kept: keeps}
		case out.Bytes != bytes: // lines of one set of one machine may be of two of another
			return recording.Lines{}
		}
		out.Kept = min(out.Kept, keeps)
	}
	return out
}

// cumulate makes exclusive levels hold what the levels above them hold as well, as cumulative hit rates count them: a line that
// another core has in its cache is a hit there.
func cumulate(h *cache.Hierarchy, m *machine.Machine) (said []string) {
	for j := 1; j < len(h.Levels); j++ {
		l := &h.Levels[j]
		if l.Inclusion != cache.Exclusive {
			continue
		}
		l.Inclusion = cache.NonInclusive
		sets := l.Lines / l.Ways
		l.Ways += hierarchy.InnerLines(m, &m.Levels[j], h.Threads) / sets
		l.Lines = sets * l.Ways
		said = append(said, m.Name+": "+l.Name+" is exclusive; it is simulated as one that holds what the caches above it hold as well")
	}
	return said
}

// alike gives those of lines and pages of some sizes.
func (t *together) alike(line, page int64, filtered, padded bool) *alike {
	for _, a := range t.sorts {
		if a.line == line && a.page == page && (a.filter != nil) == filtered && (a.padded != nil) == (padded && t.shared != nil) {
			return a
		}
	}
	a := &alike{line: line, page: page, colouring: cache.NewColouring(page, line), now: make([]int64, t.threads), accesses: map[int]*int64{}, region: -1}
	if padded {
		a.padded = t.shared
	}
	if filtered {
		a.filter = cache.NewFilter(t.threads)
	}
	t.sorts = append(t.sorts, a)
	return a
}

// events takes the next events, of which names are told.
func (t *together) events(events []trace.Event, names *trace.Names) error {
	if t.shared != nil {
		t.objects.learn(names)
		t.shared.events(events, &t.objects)
	}
	for _, a := range t.sorts {
		if err := a.events(events); err != nil {
			return err
		}
	}
	t.wait()
	t.objects.learn(names)
	for _, a := range t.sorts {
		a.passed, a.before = a.before[:0], a.passed
	}
	if !t.beside {
		t.all()
		return nil
	}
	done := make(chan struct{})
	t.done = done
	go func() {
		t.all()
		close(done)
	}()
	return nil
}

// all simulates what was passed on last.
func (t *together) all() {
	for _, a := range t.sorts {
		for i, g := range a.groups {
			t.simulate(a, g, a.joined[i])
		}
	}
}

// wait waits for what is being simulated.
func (t *together) wait() {
	if t.done != nil {
		<-t.done
		t.done = nil
	}
}

// events counts accesses, and keeps those that may change a cache.
func (a *alike) events(events []trace.Event) error {
	if a.groups == nil {
		a.join()
	}
	shift := uint(bits.TrailingZeros64(uint64(a.line)))
	thread, region := -1, 0
	for i := range events {
		e := &events[i]
		if e.Kind == trace.Repeat {
			a.repeat(e.Thread, int64(e.Address))
			continue
		}
		if !e.IsAccess() {
			a.current.mark(*e)
			thread = -1
			continue
		}
		if int(e.Thread) != thread {
			if thread = int(e.Thread); thread >= len(a.now) {
				return &ThreadError{Thread: thread, Threads: len(a.now)}
			}
			region = a.current.of(e.Thread)
		}
		line, last := e.Address>>shift, (e.Address+uint64(e.Size)-1)>>shift
		for ; ; line++ {
			a.access(e, line, region)
			if line == last {
				break
			}
		}
	}
	return nil
}

// access counts one access to a line. The first of a region is passed on whatever it changes, so that all caches come to the region.
func (a *alike) access(e *trace.Event, line uint64, region int) {
	a.now[e.Thread]++
	first := region != a.region && a.enter(region)
	*a.here++
	if a.padded != nil {
		line = a.padded.own(line, a.line, int(e.Thread))
	}
	place := a.colouring.Line(line)
	write := e.Kind == trace.Write
	effect := cache.AnyEffect
	if a.filter != nil {
		if effect = a.filter.Access(int(e.Thread), place, write); first {
			effect = cache.AnyEffect
		}
	}
	if effect != cache.NoEffect {
		a.passed = append(a.passed, passedOn{address: e.Address, line: line, place: place, now: a.now[e.Thread], region: int32(region), object: unfound, thread: e.Thread, write: write, effect: effect})
	}
}

// repeat counts accesses that change nothing.
func (a *alike) repeat(thread uint16, n int64) {
	if region := a.current.of(thread); region != a.region {
		a.enter(region)
	}
	a.now[thread] += n
	*a.here += n
}

// enter says whether a region is a new one.
func (a *alike) enter(region int) (first bool) {
	a.region = region
	n, known := a.accesses[region]
	if !known {
		n = new(int64)
		a.accesses[region] = n
	}
	a.here = n
	return !known
}

// join finds the first levels that are alike.
func (a *alike) join() {
	var all []*cache.Simulator
	of := map[*cache.Simulator]*caches{}
	for _, c := range a.all {
		one := c.lanes[0].simulator
		all, of[one] = append(all, one), c
	}
	a.joined = cache.Joined(all)
	for _, g := range a.joined {
		var members []*caches
		for _, one := range g {
			members = append(members, of[one])
		}
		a.groups = append(a.groups, members)
	}
	a.served = make([]int, len(all))
}

// simulate gives what was passed on to a group of caches with one first level.
func (t *together) simulate(a *alike, group []*caches, joined []*cache.Simulator) {
	least, region := group[0].least, group[0].region
	for i := range a.before {
		p := &a.before[i]
		if p.effect < least {
			continue
		}
		if int(p.region) != region {
			region = int(p.region)
			for _, c := range group {
				c.enter(region)
			}
		}
		if cache.AccessAll(joined, int(p.thread), p.place, p.write, a.served) {
			continue
		}
		if p.object == unfound {
			p.object = int32(t.objects.find(p.address))
		}
		for k, c := range group {
			if served := a.served[k]; served > 0 {
				c.arrival.Miss(int(p.thread), p.now, p.line, served, region, p.write)
				c.count(region, int(p.object), served)
			}
		}
	}
}

// count counts a line of an object that inner levels lack.
func (c *caches) count(region, object, served int) {
	if of := [2]int{region, object}; c.latest == nil || c.lastOf != of {
		c.latest, c.lastOf = c.missed.at(region, object, len(c.hierarchy.Levels)), of
	}
	c.latest.count(served)
}

// regions are what was found out, of all regions in the order of their first accesses.
func (t *together) regions(c *caches, names *trace.Names) []SimulationRegion {
	t.wait()
	out := c.simulation.regions(names)
	for i := range out {
		out[i].Arrays = t.objects.of(c.missed[c.order[i]])
	}
	return out
}
