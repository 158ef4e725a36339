package xmodel

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// network simulates the closed network of figures 1 and 6, event by event: threads compute Z operations each, E at once and M of all
// together at most, shared evenly; then they ask memory, which takes up R requests a cycle and answers each after L cycles, or a
// cache, which answers hits after its latency. A request hits with the probability for as many threads as are in the memory system.
// Work and latencies vary by a fifth, so that threads do not stay together in convoys. It shares no code with the model but the hit rate.
type network struct {
	p       Params
	random  *rand.Rand
	now     float64
	served  float64 // operations that each computing thread has been given so far
	compute floats  // what served must be for a thread to be done
	memory  floats  // times of answers
	slot    float64 // when memory takes up the next request
	done    int64   // requests answered
	inside  float64 // ∫ threads in the memory system dt
}

type floats []float64

func (f floats) Len() int           { return len(f) }
func (f floats) Less(i, j int) bool { return f[i] < f[j] }
func (f floats) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *floats) Push(x any)        { *f = append(*f, x.(float64)) }
func (f *floats) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}

// newNetwork begins with so many of n threads in the memory system, as far along as threads there are at any time.
func newNetwork(p Params, seed uint64, inMemory int) *network {
	s := &network{p: p, random: rand.New(rand.NewPCG(seed, 99))}
	for i := range int(p.N) {
		if i < inMemory {
			latency := p.L
			if c := p.Cache; c != nil {
				h := c.HitRate(float64(inMemory))
				if slow := (1 - h) * p.L; s.random.Float64() > slow/(slow+h*c.Latency) {
					latency = c.Latency
				}
			}
			heap.Push(&s.memory, s.random.Float64()*latency)
		} else {
			heap.Push(&s.compute, s.random.Float64()*p.Z)
		}
	}
	return s
}

func (s *network) about(v float64) float64 { return v * (0.8 + 0.4*s.random.Float64()) }

func (s *network) ask() {
	if c := s.p.Cache; c != nil && s.random.Float64() < c.HitRate(float64(len(s.memory)+1)) {
		heap.Push(&s.memory, s.now+s.about(c.Latency))
		return
	}
	s.slot = max(s.slot, s.now) + 1/s.p.R
	heap.Push(&s.memory, s.slot-1/s.p.R+s.about(s.p.L))
}

// run lets so many requests be answered.
func (s *network) run(requests int64) {
	for until := s.done + requests; s.done < until; {
		rate, next := 0.0, math.Inf(1)
		if x := len(s.compute); x > 0 {
			rate = min(s.p.E, s.p.M/float64(x))
			next = s.now + (s.compute[0]-s.served)/rate
		}
		if len(s.memory) > 0 && s.memory[0] <= next {
			at := heap.Pop(&s.memory).(float64)
			s.advance(at, rate, 1)
			heap.Push(&s.compute, s.served+s.about(s.p.Z))
			s.done++
			continue
		}
		s.advance(next, rate, 0)
		s.served = heap.Pop(&s.compute).(float64)
		s.ask()
	}
}

func (s *network) advance(to, rate float64, left int) {
	s.inside += (to - s.now) * float64(len(s.memory)+left)
	s.served += (to - s.now) * rate
	s.now = to
}

// throughput is the requests per cycle and the mean threads in the memory system over some requests.
func (s *network) throughput(requests int64) (rate, k float64) {
	began, inside := s.now, s.inside
	s.run(requests)
	return float64(requests) / (s.now - began), (s.inside - inside) / (s.now - began)
}

// On random sets the simulation's throughput is the stable state's.
func TestStatesAgainstSimulation(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	t.Parallel()
	const sets = 250 // with a cache, and without
	r := rand.New(rand.NewPCG(11, 11))
	plain, worstPlain, cached, worstCached := 0, 0.0, 0, 0.0
	for plain < sets || cached < sets {
		p := random(r, plain >= sets)
		p.N = math.Round(logUniform(r, 200, 500))
		if p.Cache != nil {
			p.Cache.Printed = false
		}
		states := p.States()
		if len(states) > 1 || balanced(p, states[0]) { // which of them, another test asks
			continue
		}
		s := newNetwork(p, uint64(plain+cached), 0)
		misses := 1 - states[0].HitRate // queues at memory fill by misses
		s.run(int64(30 * p.N / max(misses, 0.02)))
		got, _ := s.throughput(40 * int64(p.N))
		off := math.Abs(got/states[0].Memory - 1)
		if off > 0.04 { // rare misses take long to fill memory's queue
			s.run(int64(1000 * p.N))
			got, _ = s.throughput(200 * int64(p.N))
			off = math.Abs(got/states[0].Memory - 1)
		}
		if p.Cache == nil {
			plain++
			worstPlain = max(worstPlain, off)
			if off > 0.02 {
				t.Errorf("%+v: simulated %.5g, model %.5g", p, got, states[0].Memory)
			}
			continue
		}
		cached++
		worstCached = max(worstCached, off)
		if off > 0.05 {
			t.Errorf("%+v, %+v: simulated %.5g, model %+v", p, p.Cache, got, states[0])
		}
	}
	t.Logf("worst error without cache %.4f, n = %d; with cache %.4f, n = %d", worstPlain, plain, worstCached, cached)
}

// balanced says that two limits lie close together: there chance makes the throughput of few threads fall short of both.
func balanced(p Params, s State) bool {
	memory := p.R / (1 - s.HitRate)
	if s.HitRate >= 1 {
		memory = math.Inf(1)
	}
	latency := p.L
	if p.Cache != nil {
		latency = s.HitRate*p.Cache.Latency + (1-s.HitRate)*p.L
	}
	limits := []float64{p.N / (latency + p.Z/p.E), memory, p.M / p.Z}
	slices.Sort(limits)
	return limits[1] < 1.15*limits[0]
}

// Begun on either side of an unstable crossing, the simulation settles at the stable one of that side (section III-D).
func TestUnstableCrossing(t *testing.T) {
	p := bistable()
	p.N, p.M, p.R, p.Cache.Size = p.N*20, p.M*20, p.R*20, p.Cache.Size*20 // the same machine, larger: chance counts for less
	states := p.States()
	if len(states) != 3 {
		t.Fatalf("states %+v", states)
	}
	for i, begin := range []float64{states[1].K * 0.8, states[1].K * 1.2} {
		want := states[2*i]
		s := newNetwork(p, 5, int(begin))
		s.run(100 * int64(p.N))
		got, k := s.throughput(50 * int64(p.N))
		if math.Abs(got/want.Memory-1) > 0.05 || math.Abs(k/want.K-1) > 0.1 {
			t.Errorf("begun at k = %.0f: throughput %.4g at k = %.0f, want %.4g at %.0f", begin, got, k, want.Memory, want.K)
		}
	}
}
