package predict

import (
	"cmp"
	"context"
	"math/bits"
	"runtime"

	"foresee/application"
	"foresee/application/nest"
	"foresee/application/trace"
	"foresee/machine"
	"foresee/model/cache"
	"foresee/predict/hierarchy"
)

// SimulationRequest asks for an exact simulation of a machine's caches.
type SimulationRequest struct {
	Signature *application.Signature
	Machine   *machine.Machine
	Threads   int
	Levels    []hierarchy.Option // changes to the machine's levels
	Classify  bool               // tell misses apart by cause
	Arrays    bool               // count for each array
	Options   Options
}

// SimulationResult is the result of a simulation.
type SimulationResult struct {
	Header
	Machine   string             `json:"machine"`
	Threads   int                `json:"threads"`
	LineBytes int64              `json:"line_bytes"`
	Partial   bool               `json:"partial,omitempty"` // of what was seen until it was interrupted or cut off
	Regions   []SimulationRegion `json:"regions"`
}

// SimulationRegion is what the accesses of one region did.
type SimulationRegion struct {
	Region       string            `json:"region"`
	Accesses     int64             `json:"accesses"` // of lines: an access that straddles two counts twice
	Levels       []SimulatedLevel  `json:"levels"`
	MemoryReads  int64             `json:"memory_reads"`  // lines
	MemoryWrites int64             `json:"memory_writes"` // lines
	Arrays       []SimulatedObject `json:"arrays,omitempty"`
}

// SimulatedLevel counts what happened at all instances of a level.
type SimulatedLevel struct {
	Level             string  `json:"level"`
	Accesses          int64   `json:"accesses"` // that reached it
	Misses            int64   `json:"misses"`
	HitRate           float64 `json:"hit_rate"` // cumulative: of all accesses
	Evictions         int64   `json:"evictions"`
	WriteBacks        int64   `json:"write_backs"`
	Invalidations     int64   `json:"invalidations"`                // by writes of other threads
	BackInvalidations int64   `json:"back_invalidations,omitempty"` // by evictions of an inclusive level
	VictimHits        int64   `json:"victim_hits,omitempty"`
	ForwardedHits     int64   `json:"forwarded_hits,omitempty"` // of lines that caches further in have, of other threads
	Prefetches        int64   `json:"prefetches,omitempty"`
	UsefulPrefetches  int64   `json:"useful_prefetches,omitempty"`
	Causes            *Causes `json:"causes,omitempty"`
}

// Causes tell the misses of a level apart; their sum is Misses.
type Causes struct {
	Compulsory int64 `json:"compulsory"`
	Capacity   int64 `json:"capacity"`
	Conflict   int64 `json:"conflict"`
	Coherence  int64 `json:"coherence"`
}

// SimulatedObject is what the accesses to one array did.
type SimulatedObject struct {
	Name     string  `json:"name"`
	Accesses int64   `json:"accesses"`
	Misses   []int64 `json:"misses"` // of each level, L1 first
}

// Simulate runs every access through the caches. When it is interrupted, it gives what it has, and the error.
func Simulate(ctx context.Context, r SimulationRequest) (*SimulationResult, error) {
	h, warnings, err := hierarchy.Of(r.Machine, r.Threads, r.Levels)
	if err != nil {
		return nil, err
	}
	h.Seed, h.Classify = r.Options.Seed, r.Classify
	out := &SimulationResult{Header: newHeader(SimulationSchema, r.Signature), Machine: r.Machine.Name, Threads: r.Threads, LineBytes: h.LineBytes}
	for _, w := range warnings {
		out.warn(w)
	}
	if r.Signature.Streams != nil {
		err = r.accesses(ctx, h, out)
	} else {
		err = r.loops(ctx, h, out)
	}
	out.Partial = err != nil
	return out, err
}

// accesses simulates accesses that were made; regions find the caches as the one before left them.
func (r *SimulationRequest) accesses(ctx context.Context, h cache.Hierarchy, out *SimulationResult) error {
	return r.Signature.Streams.Each(ctx, r.Options.dealing(), []int{r.Threads}, func(ctx context.Context, _ int, t application.Team, _ int) error {
		s, err := newSimulation(h, r.Arrays, cmp.Or(r.Options.Workers, runtime.GOMAXPROCS(0)))
		if err != nil {
			return err
		}
		err = eachEvent(ctx, t, func(events []trace.Event) error {
			s.objects.learn(t.Names())
			return s.add(events)
		})
		out.Regions = s.regions(t.Names())
		for _, w := range t.Notes() {
			out.warn(w)
		}
		return err
	})
}

// loops simulates each program on caches that are empty at first.
func (r *SimulationRequest) loops(ctx context.Context, h cache.Hierarchy, out *SimulationResult) error {
	meter := newMeter(r.Options.Progress, len(r.Signature.Loops))
	for _, p := range r.Signature.Loops {
		s, err := newSimulation(h, r.Arrays, cmp.Or(r.Options.Workers, runtime.GOMAXPROCS(0)))
		if err != nil {
			return err
		}
		err = s.program(ctx, p, h, meter)
		regions := s.regions(&trace.Names{})
		for i := range regions {
			regions[i].Region = p.Region
		}
		if len(regions) == 0 && err == nil {
			out.warn(p.Region + ": " + noAccesses)
		}
		out.Regions = append(out.Regions, regions...)
		if err != nil {
			return inRegion(p, err)
		}
		meter.next()
	}
	return nil
}

// simulation is the simulators of one hierarchy: one, or several that share the lines.
type simulation struct {
	split     *cache.Split
	lanes     []*lane // by simulator
	hierarchy cache.Hierarchy
	shift     uint
	current   regionStacks
	region    int
	order     []int // of regions, by first access
	entered   map[int]bool
	objects   objects
	followed  bool           // accesses are given to the one simulator itself,
	accesses  map[int]*int64 // and are so many by region, with those that change nothing
}

// newSimulation begins a simulation; arrays says that misses are told apart by object. Several workers share the lines, unless accesses are to be
// followed one by one; close ends them.
func newSimulation(h cache.Hierarchy, arrays bool, workers int) (*simulation, error) {
	if arrays {
		workers = 1
	}
	split, err := cache.NewSplit(h, min(workers, mostLanes))
	if err != nil {
		return nil, err
	}
	s := &simulation{
		split: split, hierarchy: h, shift: uint(bits.TrailingZeros64(uint64(h.LineBytes))), region: -1, entered: map[int]bool{},
		objects: objects{wanted: arrays, levels: len(h.Levels)},
	}
	for _, one := range split.Simulators {
		s.lanes = append(s.lanes, newLane(one, workers > 1))
	}
	return s, nil
}

// mostLanes is how many workers share the lines at most. Chosen: whoever gathers the accesses has no more to give.
const mostLanes = 8

// program simulates the accesses of loop nests.
func (s *simulation) program(ctx context.Context, p *nest.Program, h cache.Hierarchy, meter *meter) error {
	stream, err := nest.NewStream(p, nest.Options{Threads: h.Threads, Group: h.Threads, Line: h.LineBytes})
	if err != nil {
		return err
	}
	if s.objects.wanted {
		names := &trace.Names{}
		for _, e := range stream.Extents() {
			names.Objects = append(names.Objects, trace.Object{
				Name: e.Object.Name, Address: uint64(e.First * h.LineBytes), Bytes: uint64(e.Lines * h.LineBytes),
			})
		}
		s.objects.learn(names)
	}
	return enumerate(ctx, stream, stream.Each, meter.part, s.add)
}

// add simulates the next events.
func (s *simulation) add(events []trace.Event) error {
	thread, follows := -1, s.objects.wanted
	alone := !follows && s.hierarchy.Threads == 1 && len(s.lanes) == 1
	for i := 0; i < len(events); i++ {
		e := &events[i]
		if !e.IsAccess() {
			s.current.mark(*e)
			thread = -1
			continue
		}
		if int(e.Thread) != thread {
			thread = int(e.Thread)
			if thread >= s.hierarchy.Threads {
				return &ThreadError{Thread: thread, Threads: s.hierarchy.Threads}
			}
			if region := s.current.of(e.Thread); region != s.region {
				s.enter(region)
			}
		}
		switch {
		case follows:
			s.follow(e)
		case alone:
			i += s.gatherAlone(events[i:]) - 1
		default:
			s.gather(e)
		}
	}
	return nil
}

// gatherAlone is gather for the accesses that events begin with, of one thread and for one simulator; it gives their number.
func (s *simulation) gatherAlone(events []trace.Event) int {
	l, shift := s.lanes[0], s.shift&63
	references := l.now.references
	n := 0
	for ; n < len(events) && events[n].IsAccess() && events[n].Thread == 0; n++ {
		e := &events[n]
		line, last := e.Address>>shift, (e.Address+uint64(e.Size)-1)>>shift
		for ; ; line++ {
			references = append(references, line<<1|uint64(e.Kind))
			if len(references) == lanePiece {
				l.now.references = references
				l.hand(s.region)
				references = l.now.references
			}
			if line == last {
				break
			}
		}
	}
	l.now.references = references
	return n
}

// gather gathers an access, to each line that it touches, for the simulators.
func (s *simulation) gather(e *trace.Event) {
	line, last := e.Address>>(s.shift&63), (e.Address+uint64(e.Size)-1)>>(s.shift&63)
	for ; ; line++ {
		number, inside := s.split.Of(line)
		l := s.lanes[number]
		n := len(l.now.references)
		l.now.references = l.now.references[:n+1] // hand leaves room for one at least
		l.now.references[n] = inside<<1 | uint64(e.Kind)&1
		if s.hierarchy.Threads > 1 {
			l.now.threads = append(l.now.threads, e.Thread)
		}
		if n+1 == lanePiece {
			l.hand(s.region)
		}
		if line == last {
			return
		}
	}
}

// follow simulates an access, to each line that it touches, and counts what became of it.
func (s *simulation) follow(e *trace.Event) {
	line, last := e.Address>>s.shift, (e.Address+uint64(e.Size)-1)>>s.shift
	write := uint64(e.Kind)&1 != 0
	for ; ; line++ {
		s.objects.count(e.Address, s.region, s.lanes[0].simulator.Access(int(e.Thread), line, write))
		if line == last {
			return
		}
	}
}

// enter ends the stretch of a region and begins that of another.
func (s *simulation) enter(region int) {
	if s.region >= 0 {
		if s.objects.wanted || s.followed {
			s.lanes[0].account(s.region)
		}
		for _, l := range s.lanes {
			l.end(s.region)
		}
	}
	s.region = region
	if !s.entered[region] {
		s.entered[region] = true
		s.order = append(s.order, region)
	}
}

// close simulates what is left.
func (s *simulation) close() {
	if s.region >= 0 && (s.objects.wanted || s.followed) {
		s.lanes[0].account(s.region)
	}
	for _, l := range s.lanes {
		l.close(max(s.region, 0))
	}
}

// counts are those of a region at all simulators.
func (s *simulation) counts(region int) cache.Counts {
	var sum cache.Counts
	for _, l := range s.lanes {
		if c := l.accounts[region]; c != nil {
			sum.Add(*c, cache.Counts{Levels: make([]cache.LevelCounts, len(c.Levels))})
		}
	}
	if s.followed {
		sum.Levels[0].Accesses = *s.accesses[region]
	}
	return sum
}

// regions ends the simulation and gives its accounts.
func (s *simulation) regions(names *trace.Names) []SimulationRegion {
	s.close()
	var out []SimulationRegion
	for _, region := range s.order {
		c := s.counts(region)
		r := SimulationRegion{
			Region: regionName(region, names), Accesses: c.Levels[0].Accesses,
			MemoryReads: c.MemoryReads, MemoryWrites: c.MemoryWrites, Arrays: s.objects.of(s.objects.counts[region]),
		}
		for j, l := range c.Levels {
			r.Levels = append(r.Levels, s.level(j, l, r.Accesses))
		}
		out = append(out, r)
	}
	return out
}

// level is the counts of a level as they are told, of so many accesses of the whole.
func (s *simulation) level(j int, c cache.LevelCounts, accesses int64) SimulatedLevel {
	l := SimulatedLevel{
		Level: s.hierarchy.Levels[j].Name, Accesses: c.Accesses, Misses: c.Misses, Evictions: c.Evictions, WriteBacks: c.WriteBacks,
		Invalidations: c.Invalidations, BackInvalidations: c.BackInvalidations, VictimHits: c.VictimHits, ForwardedHits: c.ForwardedHits,
		Prefetches: c.Prefetches, UsefulPrefetches: c.UsefulPrefetches,
	}
	if accesses > 0 {
		l.HitRate = 1 - float64(c.Misses)/float64(accesses)
	}
	if s.hierarchy.Classify {
		l.Causes = &Causes{c.Compulsory, c.Capacity, c.Conflict, c.Coherence}
	}
	return l
}

// lane is one simulator with its accounts: of all lines, or of those that never meet the others. Its accesses are gathered and simulated in pieces, from
// which on others are gathered already where several cores work.
type lane struct {
	simulator *cache.Simulator
	before    cache.Counts
	accounts  map[int]*cache.Counts // by region

	now   piece
	asked chan piece // to be simulated; nil: at once
	spare chan piece
	ended chan struct{}
}

// piece is accesses that are simulated together.
type piece struct {
	references []uint64 // twice the line, plus one for a write
	threads    []uint16 // of each; empty with one thread
	ends       []regionEnd
}

// regionEnd ends a stretch of accesses in one region.
type regionEnd struct{ region, end int }

// lanePiece is how many accesses a piece has. Chosen: 128 KiB of them, which stay in a second level.
const lanePiece = 1 << 14

// newLane is for a simulator; beside says that it works in a goroutine of its own, until close.
func newLane(s *cache.Simulator, beside bool) *lane {
	l := &lane{simulator: s, before: s.Counts(), accounts: map[int]*cache.Counts{}, now: newPiece()}
	if !beside {
		return l
	}
	l.asked, l.spare, l.ended = make(chan piece), make(chan piece, 2), make(chan struct{})
	l.spare <- newPiece()
	go func() {
		defer close(l.ended)
		for p := range l.asked {
			l.simulate(p)
			l.spare <- p
		}
	}()
	return l
}

func newPiece() piece { return piece{references: make([]uint64, 0, lanePiece)} }

// hand has what is gathered simulated; it is of the region, but for what other regions ended before.
func (l *lane) hand(region int) {
	l.end(region)
	if l.asked == nil {
		l.simulate(l.now)
	} else {
		l.asked <- l.now
		l.now = <-l.spare
	}
	l.now.references, l.now.threads, l.now.ends = l.now.references[:0], l.now.threads[:0], l.now.ends[:0]
}

// end ends a stretch of a region, where there is one.
func (l *lane) end(region int) {
	before := 0
	if n := len(l.now.ends); n > 0 {
		before = l.now.ends[n-1].end
	}
	if len(l.now.references) == before {
		return
	}
	l.now.ends = append(l.now.ends, regionEnd{region, len(l.now.references)})
}

// close simulates what is left and ends the goroutine.
func (l *lane) close(region int) {
	l.hand(region)
	if l.asked != nil {
		close(l.asked)
		<-l.ended
		l.asked = nil
	}
}

// simulate simulates a piece, region by region.
func (l *lane) simulate(p piece) {
	from := 0
	for _, e := range p.ends {
		if len(p.threads) > 0 {
			l.simulator.RunThreads(p.threads[from:e.end], p.references[from:e.end])
		} else {
			l.simulator.Run(0, p.references[from:e.end])
		}
		l.account(e.region)
		from = e.end
	}
}

// account adds what was counted since the last time to a region.
func (l *lane) account(region int) {
	now := l.simulator.Counts()
	if l.accounts[region] == nil {
		l.accounts[region] = &cache.Counts{}
	}
	l.accounts[region].Add(now, l.before)
	l.before = now
}
