package network

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"testing"

	"foresee/model/network/collective"
)

// script is a program that is written down.
type script struct {
	ops  [][]Op
	at   []int
	comm []int
}

func newScript(ops ...[]Op) *script {
	s := &script{ops: ops, at: make([]int, len(ops))}
	for r := range ops {
		s.comm = append(s.comm, r)
	}
	return s
}

func (s *script) Ranks() int        { return len(s.ops) }
func (s *script) Members(int) []int { return s.comm }
func (s *script) Next(rank int) (Op, bool) {
	if s.at[rank] == len(s.ops[rank]) {
		return Op{}, false
	}
	s.at[rank]++
	return s.ops[rank][s.at[rank]-1], true
}

// Links of the network that tests run on: one out of and one into each node.
const (
	latency   = 1e-5
	bandwidth = 1e9
)

// crossbar has a node for each rank.
func crossbar(ranks int) Parameters {
	p := Parameters{Eager: 1000}
	for r := range ranks {
		p.Node = append(p.Node, r)
		p.Fabric.Bandwidth = append(p.Fabric.Bandwidth, bandwidth, bandwidth)
		p.Fabric.Latency = append(p.Fabric.Latency, latency, latency)
	}
	p.Fabric.Route = func(from, to int, into []int32) []int32 { return append(into, int32(2*from), int32(2*to+1)) }
	return p
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }

// alone is the time of a message that meets no other.
func alone(bytes float64) float64 { return 2*latency + bytes/bandwidth }

// TestClosedForms compares with times that are worked out by hand.
func TestClosedForms(t *testing.T) {
	pingPong := func(bytes int64) *script {
		return newScript([]Op{{Kind: Send, Peer: 1, Bytes: bytes}, {Kind: Recv, Peer: 1}}, []Op{{Kind: Recv, Peer: 0}, {Kind: Send, Peer: 0, Bytes: bytes}})
	}
	for _, test := range []struct {
		name   string
		script *script
		change func(p *Parameters)
		want   float64
	}{
		{"eager", pingPong(800), nil, 2 * alone(800)},
		{"rendezvous", pingPong(1e6), func(p *Parameters) { p.Handshake = 2 }, 2 * (3*2*latency + 1e6/bandwidth)},
		{"empty", pingPong(0), nil, 2 * alone(0)},
		{"overheads", pingPong(800), func(p *Parameters) { p.SendOverhead, p.ReceiveOverhead = 3e-6, 4e-6 }, 2 * (alone(800) + 7e-6)},
		{"factors", pingPong(800), func(p *Parameters) { p.Factors = []Factor{{0, 1, 1}, {500, 2, 0.5}, {900, 9, 9}} }, 2 * (4*latency + 2*800/bandwidth)},
		{"window", pingPong(1e6), func(p *Parameters) { p.Window = 1000 }, 2 * (2*latency + 1e6/(1000/(2*2*latency)))},
		{"eager goes before its receive", newScript([]Op{{Kind: Send, Peer: 1, Bytes: 1000}}, []Op{{Kind: Recv, Peer: 0, Seconds: 1e-3}}), nil, 1e-3},
		{
			"rendezvous awaits its receive",
			newScript([]Op{{Kind: Send, Peer: 1, Bytes: 2000}}, []Op{{Kind: Recv, Peer: 0, Seconds: 1e-3}}),
			nil, 1e-3 + alone(2000),
		},
		{ // both leave by one link: each has half of it
			"shared", newScript([]Op{{Kind: Isend, Peer: 1, Bytes: 5e5}, {Kind: Send, Peer: 2, Bytes: 5e5}, {Kind: Wait, Ages: []int{1}}}, []Op{{Kind: Recv, Peer: 0}}, []Op{{Kind: Recv, Peer: 0}}),
			nil, alone(1e6),
		},
		{ // 1 MB alone for 0.2 ms, then both share until the smaller has gone: 0.2 + 2·0.3 ms; then 0.5 MB − 0.3… is left of the larger
			"one joins", newScript([]Op{{Kind: Isend, Peer: 1, Bytes: 1e6}, {Kind: Isend, Seconds: 2e-4, Peer: 2, Bytes: 3e5}, {Kind: Wait, Ages: []int{1, 2}}},
				[]Op{{Kind: Recv, Peer: 0}}, []Op{{Kind: Recv, Peer: 0}}),
			nil, 2*latency + 1.3e6/bandwidth,
		},
		{"nobody", newScript([]Op{{Kind: Send, Peer: Nobody, Bytes: 9}, {Kind: Irecv, Peer: Nobody}, {Kind: Wait, Seconds: 1, Ages: []int{1}}}), nil, 1},
		{
			"wildcards", // the message that came first is taken first, whatever its tag
			newScript([]Op{{Kind: Send, Seconds: 1, Peer: 2, Tag: 7}}, []Op{{Kind: Send, Peer: 2, Tag: 8}}, []Op{{Kind: Recv, Peer: Any, Tag: Any}, {Kind: Recv, Peer: 0, Tag: 7}}),
			nil, 1 + alone(0),
		},
		{
			"tags", // that of tag 1 is awaited, the others are there
			newScript([]Op{{Kind: Send, Peer: 1, Tag: 2}, {Kind: Send, Seconds: 1, Peer: 1, Tag: 1}}, []Op{{Kind: Recv, Peer: 0, Tag: 1}, {Kind: Recv, Peer: 0, Tag: 2}}),
			nil, 1 + alone(0),
		},
	} {
		p := crossbar(test.script.Ranks())
		if test.change != nil {
			test.change(&p)
		}
		r, err := Run(test.script, p)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if !near(r.Seconds, test.want) {
			t.Errorf("%s: %.9g s, want %.9g", test.name, r.Seconds, test.want)
		}
	}
}

// collectives has each rank call one collective.
func collectives(ranks int, kind collective.Kind, bytes int64, root int) *script {
	s := &script{ops: make([][]Op, ranks), at: make([]int, ranks)}
	for r := range ranks {
		s.comm = append(s.comm, r)
		s.ops[r] = []Op{{Kind: Collective, Collective: kind, Bytes: bytes, Root: root}}
	}
	return s
}

// TestCollectives compares with the closed forms of their algorithms, where messages meet no others on their links.
func TestCollectives(t *testing.T) {
	for ranks := 2; ranks <= 64; ranks++ {
		rounds := float64(bits.Len(uint(ranks - 1))) // ⌈log2 P⌉
		for _, test := range []struct {
			kind    collective.Kind
			library collective.Library
			bytes   int64
			want    float64
			holds   bool
		}{
			{collective.Barrier, collective.MPICH, 0, rounds * alone(0), true},                                                // dissemination
			{collective.Bcast, collective.MPICH, 0, float64(deepest(ranks)) * alone(0), true},                                 // binomial tree
			{collective.Allreduce, collective.MPICH, 800, rounds * alone(800), ranks&(ranks-1) == 0},                          // recursive doubling
			{collective.Allgather, collective.MPICH, 900000, float64(ranks-1) * alone(900000), true},                          // ring
			{collective.Alltoall, collective.MPICH, int64(ranks) * 40000, float64(ranks-1) * alone(40000), true},              // pairwise
			{collective.ReduceScatter, collective.MPICH, int64(ranks) * 600000, float64(ranks-1) * alone(600000), true},       // pairwise
			{collective.Reduce, collective.MPICH, 8, rounds * alone(8), ranks&(ranks-1) == 0},                                 // binomial tree
			{collective.Scan, collective.OpenMPI, 8, float64(ranks-1) * alone(8), true},                                       // along the ranks
			{collective.Allreduce, collective.MPICH, 1 << 20, halvingAndDoubling(ranks, 1<<20), ranks&(ranks-1) == 0},         // Rabenseifner
			{collective.Allgather, collective.OpenMPI, 1 << 20, float64(ranks-1) * alone(1<<20), ranks >= 32 && ranks%2 == 1}, // ring
		} {
			p := crossbar(ranks)
			p.Algorithms = test.library
			r, err := Run(collectives(ranks, test.kind, test.bytes, 0), p)
			if err != nil {
				t.Fatal(err)
			}
			if test.holds && !near(r.Seconds, test.want) {
				t.Errorf("kind %d, %d bytes, %d ranks: %.9g s, want %.9g", test.kind, test.bytes, ranks, r.Seconds, test.want)
			}
		}
	}
}

// deepest is how deep a binomial tree is: a rank is as deep as it has bits.
func deepest(ranks int) (deep int) {
	for r := range ranks {
		deep = max(deep, bits.OnesCount(uint(r)))
	}
	return deep
}

// halvingAndDoubling is 2 log2 P messages, whose bytes are 2 (P−1)/P of the whole.
func halvingAndDoubling(ranks int, bytes float64) (seconds float64) {
	for part := bytes / 2; part >= bytes/float64(ranks); part /= 2 {
		seconds += 2 * alone(part)
	}
	return seconds
}

// TestCollectivesEnd wants every algorithm to match its messages, for all numbers of ranks, roots and sizes of both libraries.
func TestCollectivesEnd(t *testing.T) {
	for _, ranks := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 33, 64, 67, 130, 260, 520, 1030} {
		for kind := collective.Barrier; kind <= collective.Scan; kind++ {
			for _, library := range []collective.Library{collective.OpenMPI, collective.MPICH} {
				for _, bytes := range []int64{0, 1, 8, 100, 700, 5000, 40000, 300000, 2000000} {
					if ranks > 70 && bytes != 8 && bytes != 40000 || ranks > 300 && kind == collective.Alltoall {
						continue
					}
					p := crossbar(ranks)
					p.Algorithms, p.Exact = library, 8
					if _, err := Run(collectives(ranks, kind, bytes, ranks/3), p); err != nil {
						t.Errorf("kind %d, library %d, %d bytes, %d ranks: %v", kind, library, bytes, ranks, err)
					}
				}
			}
		}
	}
}

// TestRatesAreMaxMin holds rates to the definition: no link carries more than it can, and every flow has all that it can take or goes over a
// full link on which none has more by its weight.
func TestRatesAreMaxMin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		capacity := make([]float64, 1+rng.IntN(8))
		for l := range capacity {
			capacity[l] = 1 + 9*rng.Float64()
		}
		flows := make([]demand, 1+rng.IntN(12))
		for i := range flows {
			flows[i] = demand{weight: []float64{1, 1, 2, 0.3}[rng.IntN(4)], bound: math.Inf(1)}
			for _, l := range rng.Perm(len(capacity))[:1+rng.IntN(len(capacity))] {
				flows[i].links = append(flows[i].links, int32(l))
			}
			if rng.IntN(3) == 0 {
				flows[i].bound = 3 * rng.Float64()
			}
		}
		checkMaxMin(t, capacity, flows, rates(capacity, flows))
	}
}

// rates shares once.
func rates(capacity []float64, flows []demand) []float64 {
	s := sharer{}
	s.begin(len(capacity))
	for _, f := range flows {
		s.addFlow(f.links, f.weight, f.bound)
	}
	all := make([]float64, len(flows))
	s.solve(capacity, all)
	return all
}

func checkMaxMin(t *testing.T, capacity []float64, flows []demand, rates []float64) {
	t.Helper()
	used, most := make([]float64, len(capacity)), make([]float64, len(capacity))
	for i, f := range flows {
		for _, l := range f.links {
			used[l] += rates[i]
			most[l] = max(most[l], rates[i]/f.weight)
		}
	}
	for l := range capacity {
		if used[l] > capacity[l]*(1+1e-9) {
			t.Fatalf("link %d of %v carries %g", l, capacity, used[l])
		}
	}
	for i, f := range flows {
		held := rates[i] >= f.bound*(1-1e-9)
		for _, l := range f.links {
			held = held || used[l] >= capacity[l]*(1-1e-9) && rates[i]/f.weight >= most[l]*(1-1e-9)
		}
		if !held || rates[i] > f.bound*(1+1e-9) {
			t.Fatalf("flow %d of %+v over %v has %g of %v, and nothing holds it back", i, flows, capacity, rates[i], rates)
		}
	}
}

func TestStuck(t *testing.T) {
	_, err := Run(newScript([]Op{{Kind: Recv, Peer: 1}}, []Op{{Kind: Recv, Peer: 0, Seconds: 1}}), crossbar(2))
	stuck := new(StuckError)
	if !errors.As(err, &stuck) || stuck.Ranks != 2 || stuck.Rank != 0 {
		t.Errorf("%v", err)
	}
	if _, err := Run(newScript([]Op{{Kind: Send, Peer: 5}}), crossbar(1)); err == nil {
		t.Error("sends to a rank that is not there")
	}
	p := crossbar(2)
	p.MostEvents = 3
	limit := new(LimitError)
	if _, err := Run(collectives(2, collective.Barrier, 0, 0), p); !errors.As(err, &limit) {
		t.Errorf("%v, want a limit", err)
	}
}

// TestTimes wants the parts of a rank's time to be right, and waiting to be what others are late.
func TestTimes(t *testing.T) {
	r, err := Run(newScript(
		[]Op{{Kind: Recv, Seconds: 1, Peer: 1, Label: 1}, {Kind: Compute, Seconds: 2}},
		[]Op{{Kind: Send, Seconds: 4, Peer: 0}},
	), crossbar(2))
	if err != nil {
		t.Fatal(err)
	}
	one := r.Ranks[0]
	if !near(one.Compute, 3) || !near(one.Labels[1], 3+alone(0)) || !near(one.Waiting[1], 3) || !near(one.Seconds, 6+alone(0)) || r.Messages != 1 {
		t.Errorf("%+v", r)
	}
}

// TestNoise wants computing to take what it takes in the mean, with the deviation that is asked for, and the same again with one seed.
func TestNoise(t *testing.T) {
	ops := make([]Op, 40000)
	for i := range ops {
		ops[i] = Op{Kind: Compute, Seconds: 1}
	}
	p := crossbar(1)
	p.Noise, p.Seed = 0.3, 7
	a, err := Run(newScript(ops), p)
	b, _ := Run(newScript(ops), p)
	if err != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("not the same again, %v", err)
	}
	if mean := a.Seconds / float64(len(ops)); math.Abs(mean-1) > 4*0.3/math.Sqrt(float64(len(ops))) {
		t.Errorf("mean %g", mean)
	}
}

// ring is a step of a ring on many ranks.
func ring(ranks, steps int, bytes int64) *script {
	ops := make([][]Op, ranks)
	for r := range ops {
		for range steps {
			ops[r] = append(ops[r], Op{Kind: Irecv, Peer: (r + ranks - 1) % ranks, Seconds: 1e-6}, Op{Kind: Isend, Peer: (r + 1) % ranks, Bytes: bytes}, Op{Kind: Wait, Ages: []int{1, 2}})
		}
	}
	return newScript(ops...)
}

// TestNearIsExactHere compares both ways to share where they must agree: no flow is held back elsewhere.
func TestNearIsExactHere(t *testing.T) {
	for _, exact := range []int{1, 1 << 20} {
		p := crossbar(50)
		p.Exact = exact
		r, err := Run(ring(50, 10, 5000), p)
		if err != nil || !near(r.Seconds, 10*(1e-6+alone(5000))) {
			t.Errorf("%d flows exactly: %g s, %v", exact, r.Seconds, err)
		}
	}
}

func BenchmarkRing(b *testing.B) {
	for _, ranks := range []int{1000, 100000} {
		b.Run(fmt.Sprint(ranks), func(b *testing.B) {
			events := int64(0)
			for range b.N {
				s := ring(ranks, 2000000/ranks/10, 800)
				r, err := Run(s, crossbar(ranks))
				if err != nil {
					b.Fatal(err)
				}
				events += r.Events
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
