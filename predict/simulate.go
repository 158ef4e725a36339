package predict

import (
	"context"
	"math/bits"

	"foresee/application"
	"foresee/application/nest"
	"foresee/application/trace"
	"foresee/machine"
	"foresee/model/cache"
	"foresee/model/traffic"
)

// SimulationRequest asks for an exact simulation of a machine's caches.
type SimulationRequest struct {
	Signature *application.Signature
	Machine   *machine.Machine
	Threads   int
	Levels    []LevelOption // changes to the machine's levels
	Classify  bool          // tell misses apart by cause
	Arrays    bool          // count for each array
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
	h, warnings, err := Hierarchy(r.Machine, r.Threads, r.Levels)
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
		s, err := newSimulation(h, r.Arrays)
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
		s, err := newSimulation(h, r.Arrays)
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

// simulation is one simulator with its accounts.
type simulation struct {
	simulator *cache.Simulator
	hierarchy cache.Hierarchy
	shift     uint
	current   regionStacks
	region    int
	before    cache.Counts
	accounts  map[int]*cache.Counts // by region
	order     []int                 // of regions, by first access
	objects   objects
	batch     []uint64         // references of thread 0, when that is all there is
	arrival   *traffic.Arrival // how missed lines follow one another; nil: not wanted
	colouring cache.Colouring
}

// newSimulation begins a simulation; arrays says that misses are told apart by object.
func newSimulation(h cache.Hierarchy, arrays bool) (*simulation, error) {
	s, err := cache.NewSimulator(h)
	if err != nil {
		return nil, err
	}
	return &simulation{
		simulator: s, hierarchy: h, shift: uint(bits.TrailingZeros64(uint64(h.LineBytes))), region: -1,
		before: s.Counts(), accounts: map[int]*cache.Counts{}, objects: objects{wanted: arrays, levels: len(h.Levels)},
	}, nil
}

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
	for i := range events {
		e := &events[i]
		if !e.IsAccess() {
			s.current.mark(*e)
			continue
		}
		if int(e.Thread) >= s.hierarchy.Threads {
			return &ThreadError{Thread: int(e.Thread), Threads: s.hierarchy.Threads}
		}
		if region := s.current.of(e.Thread); region != s.region {
			s.enter(region)
		}
		s.access(e)
	}
	s.flush()
	return nil
}

// access simulates an access: to each line that it touches. Where nothing but counts is wanted of one thread, lines are gathered first.
func (s *simulation) access(e *trace.Event) {
	first, last := e.Address>>s.shift, (e.Address+uint64(e.Size)-1)>>s.shift
	write := uint64(e.Kind) & 1
	for line := first; ; line++ {
		if s.hierarchy.Threads == 1 && !s.objects.wanted && s.arrival == nil {
			if s.batch = append(s.batch, s.colouring.Line(line)<<1|write); len(s.batch) >= eventBatch {
				s.flush()
			}
		} else {
			served := s.simulator.Access(int(e.Thread), s.colouring.Line(line), write != 0)
			s.objects.count(e.Address, s.region, served)
			if s.arrival != nil {
				s.arrival.Access(int(e.Thread))
			}
			if served > 0 && s.arrival != nil {
				s.arrival.Miss(int(e.Thread), line, served, s.region, write != 0)
			}
		}
		if line == last {
			return
		}
	}
}

func (s *simulation) flush() {
	s.simulator.Run(0, s.batch)
	s.batch = s.batch[:0]
}

// enter closes the account of a region and opens that of another.
func (s *simulation) enter(region int) {
	s.flush()
	now := s.simulator.Counts()
	if s.region >= 0 {
		s.accounts[s.region].Add(now, s.before)
	}
	s.before, s.region = now, region
	if s.accounts[region] == nil {
		s.accounts[region] = &cache.Counts{}
		s.order = append(s.order, region)
	}
}

// regions closes the accounts.
func (s *simulation) regions(names *trace.Names) []SimulationRegion {
	s.enter(max(s.region, 0))
	var out []SimulationRegion
	for _, region := range s.order {
		c := s.accounts[region]
		if len(c.Levels) == 0 {
			continue
		}
		r := SimulationRegion{
			Region: regionName(region, names), Accesses: c.Levels[0].Accesses,
			MemoryReads: c.MemoryReads, MemoryWrites: c.MemoryWrites, Arrays: s.objects.of(region),
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
		Invalidations: c.Invalidations, BackInvalidations: c.BackInvalidations, VictimHits: c.VictimHits,
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
