package predict_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"foresee/application"
	"foresee/application/trace"
	"foresee/internal/tracetest"
	"foresee/machine"
	"foresee/predict"
)

// list is an LRU stack as a list.
type list []uint64

// touch gives −1 for a cold line.
func (l *list) touch(line uint64) int {
	d := slices.Index(*l, line)
	if d >= 0 {
		*l = slices.Delete(*l, d, d+1)
	}
	*l = slices.Insert(*l, 0, line)
	return d
}

// randomTrace has three threads, two regions, and accesses that straddle lines.
func randomTrace(seed uint64, n int) ([]trace.Event, trace.Names) {
	r := rand.New(rand.NewPCG(seed, 1))
	var events []trace.Event
	inside, in := map[uint16]bool{}, map[uint16]uint64{}
	for range n {
		t := uint16(r.IntN(3))
		switch k := r.IntN(40); {
		case k == 0 && !inside[t]:
			in[t] = r.Uint64N(2)
			events = append(events, trace.Event{Kind: trace.Enter, Thread: t, Address: in[t]})
			inside[t] = true
		case k == 1 && inside[t]:
			events = append(events, trace.Event{Kind: trace.Leave, Thread: t, Address: in[t]})
			inside[t] = false
		default:
			events = append(events, trace.Event{
				Kind: trace.Kind(r.IntN(2)), Thread: t, Address: 60 + r.Uint64N(50*64), Size: 1 + uint32(r.IntN(130)),
			})
		}
	}
	return events, trace.Names{Regions: []string{"one", "two"}}
}

// Histograms of a trace, by region and scope, against lists.
func TestProfilesOfTraceAgainstLists(t *testing.T) {
	events, names := randomTrace(1, 20_000)
	type key struct{ region, scope string }
	want := map[key]map[int]int64{}
	shared, private := &list{}, []*list{{}, {}, {}}
	stacks := make([][]string, 3)
	for _, e := range events {
		switch e.Kind {
		case trace.Enter:
			stacks[e.Thread] = append(stacks[e.Thread], names.Regions[e.Address])
			continue
		case trace.Leave:
			stacks[e.Thread] = stacks[e.Thread][:len(stacks[e.Thread])-1]
			continue
		}
		region := "program"
		for _, s := range [][]string{stacks[0], stacks[e.Thread]} { // its own goes before that of thread 0
			if len(s) > 0 {
				region = s[len(s)-1]
			}
		}
		for line := e.Address / 64; line <= (e.Address+uint64(e.Size)-1)/64; line++ {
			for scope, l := range map[string]*list{"shared": shared, "private": private[e.Thread]} {
				k := key{region, scope}
				if want[k] == nil {
					want[k] = map[int]int64{}
				}
				want[k][l.touch(line)]++
			}
		}
	}
	r, err := predict.Profiles(context.Background(), predict.ProfileRequest{Signature: application.OfTrace("", tracetest.Slice(events, names)), Scope: "both", Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Profiles) != len(want) {
		t.Fatalf("%d profiles, want %d", len(r.Profiles), len(want))
	}
	for _, p := range r.Profiles {
		k := key{p.Region, p.Scope}
		total := p.Cold
		for _, b := range p.Histogram {
			total += b.Count
			if want[k][int(b.Low)] != b.Count || b.Low != b.High {
				t.Errorf("%v: %d reuses of distance %d, want %d", k, b.Count, b.Low, want[k][int(b.Low)])
			}
		}
		if p.Cold != want[k][-1] || p.Accesses != total || p.Threads != 3 {
			t.Errorf("%v: %d cold of %d, %d threads; want %d cold of %d", k, p.Cold, p.Accesses, p.Threads, want[k][-1], total)
		}
	}
}

func TestSimulationOfTraceAddsUp(t *testing.T) {
	m, err := machine.Load("i7-5960x")
	if err != nil {
		t.Fatal(err)
	}
	events, names := randomTrace(2, 20_000)
	names.Objects = []trace.Object{{Name: "all", Address: 0, Bytes: 3000}, {Name: "inner", Address: 640, Bytes: 64}}
	r, err := predict.Simulate(context.Background(), predict.SimulationRequest{
		Signature: application.OfTrace("", tracetest.Slice(events, names)), Machine: m, Threads: 3, Classify: true, Arrays: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Regions) != 3 {
		t.Fatalf("%d regions, want 3", len(r.Regions))
	}
	for _, region := range r.Regions {
		accesses := int64(0)
		misses := make([]int64, len(region.Levels))
		for _, a := range region.Arrays {
			accesses += a.Accesses
			for j, n := range a.Misses {
				misses[j] += n
			}
		}
		if accesses != region.Accesses {
			t.Errorf("%s: arrays have %d accesses, the region %d", region.Region, accesses, region.Accesses)
		}
		for j, l := range region.Levels {
			c := l.Causes
			if misses[j] != l.Misses || c.Compulsory+c.Capacity+c.Conflict+c.Coherence != l.Misses {
				t.Errorf("%s, %s: %d misses, those of arrays %d, causes %+v", region.Region, l.Level, l.Misses, misses[j], *c)
			}
			if j > 0 && l.Accesses != region.Levels[j-1].Misses {
				t.Errorf("%s, %s: %d accesses, but %d misses before it", region.Region, l.Level, l.Accesses, region.Levels[j-1].Misses)
			}
		}
	}
}

// interrupting is a source that is interrupted after some events.
type interrupting struct {
	trace.Source
	left   int
	cancel func()
}

func (i *interrupting) Read(events []trace.Event) (int, error) {
	if i.left--; i.left == 0 {
		i.cancel()
	}
	return i.Source.Read(events[:min(len(events), 100)])
}

func TestInterruptedAnalysesKeepWhatTheyHave(t *testing.T) {
	events, names := randomTrace(3, 20_000)
	m, err := machine.Load("i7-5960x")
	if err != nil {
		t.Fatal(err)
	}
	source := func() (context.Context, trace.Source) {
		ctx, cancel := context.WithCancel(context.Background())
		return ctx, &interrupting{tracetest.Slice(events, names), 20, cancel}
	}
	ctx, src := source()
	p, err := predict.Profiles(ctx, predict.ProfileRequest{Signature: application.OfTrace("", src)})
	if err == nil || p == nil || !p.Partial || len(p.Profiles) == 0 {
		t.Errorf("profile: %+v, %v", p, err)
	}
	ctx, src = source()
	c, err := predict.Curves(ctx, predict.CurveRequest{Signature: application.OfTrace("", src), Method: predict.MethodShards, Options: predict.Options{Rate: 0.01}})
	if err == nil || c == nil || !c.Partial || len(c.Curves) == 0 {
		t.Errorf("mrc: %+v, %v", c, err)
	}
	ctx, src = source()
	s, err := predict.Simulate(ctx, predict.SimulationRequest{Signature: application.OfTrace("", src), Machine: m, Threads: 3})
	if err == nil || s == nil || !s.Partial || len(s.Regions) == 0 {
		t.Errorf("simulate: %+v, %v", s, err)
	}
}
