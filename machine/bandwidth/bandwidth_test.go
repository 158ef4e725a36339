package bandwidth

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// caches of some machine with so many levels.
func caches(levels int) *Hierarchy {
	all := []Level{{"L1", 32 << 10, 8, true}, {"L2", 512 << 10, 8, false}, {"L3", 8 << 20, 16, false}, {"L4", 512 << 20, 16, false}}
	return &Hierarchy{Levels: all[:levels], Line: 64, Page: 4096}
}

// truth is a form for them.
func truth(levels int) *Extended {
	return &Extended{
		CoreNs: 0.2, PassNs: 1.5, Norm: 3, Steepness: 1.3,
		Sources: []Source{
			{"L2", 0.5, 0.8, 1.7, 1.4, 1.5, 0.4, 0.1, 0.4, 0.6, 8, 0.5},
			{"L3", 2.2, 3, 2.2, 6, 2, 1.5, 0.2, 5, 1, 20, 1},
			{"L4", 4, 6, 1.6, 14, 2.1, 3, 0.5, 10, 2, 30, 2},
			{"memory", 9, 15, 2.4, 40, 1.8, 9, 1.5, 30, 5, 60, 5},
		}[:levels],
		Edges:  []Edge{{33 << 10, 0.05}, {540 << 10, 0.35}, {7 << 20, 0.25}, {480 << 20, 0.25}}[:levels],
		WalkNs: 6, TableNs: 15, TLBBytes: 6 << 20, TLBWidth: 0.1, Halfway: 0.4,
	}
}

// swept is what a machine of that form would show.
func swept(f *Extended, h *Hierarchy, noise float64, r *rand.Rand) (points []Point) {
	most := 8 * h.Levels[len(h.Levels)-1].Bytes
	add := func(p Point) {
		p.GBs = f.GBs(p, h.Line, h.Page) * math.Exp(noise*r.NormFloat64())
		points = append(points, p)
	}
	for _, stride := range []int{1, 2, 4, 8, 16, 32, 64} {
		for i := range 54 {
			add(Point{Stride: stride, Bytes: math.Floor(1024 * math.Pow(most/1024, float64(i)/53))})
		}
	}
	for _, lines := range []int{3, 9, 33, 161, 257, 64, 66} {
		for i := range 11 {
			add(Point{Stride: 8 * lines, Bytes: math.Floor(32768 * math.Pow(most/32768, float64(i)/10)), Columns: true})
		}
	}
	for _, streams := range []int{1, 3} {
		for i := range 11 {
			add(Point{Stride: 1, Bytes: math.Floor(12288 * math.Pow(most/12288, float64(i)/10)), CoreNs: 0.7, Streams: streams})
		}
	}
	for _, stride := range []int{72, 1288} {
		for _, core := range []float64{0.7, 1.4} {
			for i := range 9 {
				add(Point{Stride: stride, Bytes: math.Floor(32768 * math.Pow(most/32768, float64(i)/8)), Columns: true, CoreNs: core})
			}
		}
	}
	for _, lines := range []int{2, 8, 32} {
		for i := range 15 {
			add(Point{Stride: 1288, Bytes: math.Floor(32768 * math.Pow(most/32768, float64(i)/14)), Run: lines, CoreNs: 0.3})
		}
	}
	for pages := 512.0; pages <= 8192; pages *= 1.3 {
		add(Point{Stride: 1288, Bytes: math.Floor(pages) * 8 * 1288})
	}
	return points
}

// Fits find the truth behind data that come from it.
func TestFitExtendedFindsTheTruth(t *testing.T) {
	for levels := 1; levels <= 4; levels++ {
		for _, noise := range []float64{0, 0.02} {
			h, want := caches(levels), truth(levels)
			points := swept(want, h, noise, rand.New(rand.NewPCG(1, 2)))
			got, err := FitExtended(h, points, 1)
			if err != nil {
				t.Fatal(err)
			}
			e := ErrorsOf(got.Errors(h, points))
			t.Logf("%d levels, noise %g: mean error %.4f, worst %.4f", levels, noise, e.Mean, e.Worst)
			if e.Mean > 0.005+noise {
				t.Errorf("%d levels, noise %g: mean error %.4f", levels, noise, e.Mean)
			}
			near := func(what string, got, want float64) {
				if math.Abs(got/want-1) > 0.025+noise {
					t.Errorf("%d levels, noise %g: %s is %.4g, want %.4g", levels, noise, what, got, want)
				}
			}
			near("core", got.CoreNs, want.CoreNs)
			for i := range want.Sources {
				name := want.Sources[i].Name
				near(name+" in sequence", got.Line(i, Step{1, Spread}), want.Line(i, Step{1, Spread}))
				for _, step := range []Step{{8, Crowded}, {9, Spread}} {
					for _, work := range []float64{0.2, 1.4} { // as far lines are swept with work
						far := func(f *Extended) float64 { return Norm(f.Norm, work, f.Line(i, step)) + f.FarExposed(i, work) }
						near(fmt.Sprintf("%s at %v, work %g", name, step, work), far(got), far(want))
					}
				}
				for _, run := range []float64{2, 8, 32} {
					with := func(f *Extended) float64 {
						return Norm(f.Norm, 2.4, f.Line(i, Step{1, Spread})) + f.Exposed(i, 2.4, 1) + f.Start(i, run)
					}
					near(fmt.Sprintf("%s in runs of %g", name, run), with(got), with(want))
				}
				with := func(f *Extended) float64 { return Norm(f.Norm, 5.6, f.Line(i, Step{1, Spread})) + f.Exposed(i, 5.6, 1) }
				near(name+", with work", with(got), with(want))
			}
			for i := range want.Edges {
				near("edge", got.Edges[i].Bytes, want.Edges[i].Bytes)
			}
		}
	}
}

func TestFitExtendedIsDeterministic(t *testing.T) {
	h := caches(2)
	points := swept(truth(2), h, 0.1, rand.New(rand.NewPCG(1, 2)))
	a, err := FitExtended(h, points, 3)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := FitExtended(h, points, 3)
	for i, p := range points {
		if a.GBs(p, 64, 4096) != b.GBs(p, 64, 4096) {
			t.Fatalf("point %d differs", i)
		}
	}
}

// A line costs more from further away, after a longer step and in fewer sets; its limits are the plateaus.
func TestExtendedIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := truth(3)
		f.Steepness = rapid.Float64Range(0.5, 3).Draw(t, "steepness")
		f.Halfway = rapid.Float64Range(0, 1).Draw(t, "halfway")
		i := rapid.IntRange(0, 2).Draw(t, "source")
		lines := rapid.Float64Range(1, 1e4).Draw(t, "lines")
		further := lines * rapid.Float64Range(1, 10).Draw(t, "further")
		for c := range crowdings {
			if f.Line(i, Step{further, c}) < f.Line(i, Step{lines, c})*(1-1e-12) {
				t.Fatal("further apart, less time")
			}
			if i > 0 && f.Line(i, Step{lines, c}) < f.Line(i-1, Step{lines, c}) {
				t.Fatal("from further away, less time")
			}
		}
		s := f.Sources[i]
		if f.Line(i, Step{1, Crowded}) != s.SequentialNs || math.Abs(f.Line(i, Anywhere())-s.FarNs) > 1e-12 || math.Abs(f.Line(i, Step{math.Inf(1), Crowded})-s.CrowdedNs) > 1e-12 {
			t.Fatal("the limits are not the plateaus")
		}
		times := rapid.SliceOfN(rapid.Float64Range(0, 10), 1, 4).Draw(t, "times")
		p, sum := rapid.Float64Range(1, 20).Draw(t, "norm"), 0.0
		for _, x := range times {
			sum += x
		}
		if n := Norm(p, times...); n < slices.Max(times)*(1-1e-12) || n > sum*(1+1e-12) {
			t.Fatalf("%g is not between the longest and the sum of %v", n, times)
		}
	})
}

// Hits are those of a simulation of the passes.
func TestHitsAgainstSimulation(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 200 {
		ways := float64(1 + r.IntN(8))
		sets := float64(int(1) << r.IntN(5))
		if r.IntN(3) == 0 {
			sets = float64(1 + r.IntN(20)) // not a power of two
		}
		h := &Hierarchy{Levels: []Level{{"L1", ways * sets * 64, ways, true}}, Line: 64, Page: 4096}
		p := Point{Stride: 1 << r.IntN(7), Bytes: float64(64 * (1 + r.IntN(400)))}
		got, want := h.Hits(p)[0], simulatedHits(p, int(sets), int(ways))
		if math.Abs(got-want) > 1e-9 {
			t.Fatalf("%+v, %g sets of %g: %g, want %g", p, sets, ways, got, want)
		}
	}
}

// simulatedHits passes over an array until nothing changes, with least recently used replacement.
func simulatedHits(p Point, sets, ways int) float64 {
	stacks := make([][]int, sets)
	hits, all := 0, 0
	for range 3 {
		hits, all = 0, 0
		for a := 0; float64(a) < p.Bytes; a += 8 * p.Stride {
			line := a / 64
			s := &stacks[line%sets]
			found := -1
			for i, l := range *s {
				if l == line {
					found = i
				}
			}
			all++
			if found >= 0 {
				hits++
				*s = append((*s)[:found], (*s)[found+1:]...)
			} else if len(*s) == ways {
				*s = (*s)[1:]
			}
			*s = append(*s, line)
		}
	}
	return float64(hits) / float64(all)
}

func TestPublishedLimits(t *testing.T) {
	f := &Published{Bandwidths: []float64{40, 20, 5}, Cycles: []float64{4, 12, 200}, Rates: [2]float64{0.1, 0.1}}
	for i, hits := range [][]float64{{1, 1, 1}, {0, 1, 1}, {0, 0, 1}} {
		if got := f.GBs(hits); math.Abs(got-f.Bandwidths[i]) > 1e-12 {
			t.Errorf("all in level %d: %g", i+1, got)
		}
	}
	// Equation 5 by hand: t = 0.5*4, 0.25*12, 0.25*200.
	want := (2*40.0 + 3*20 + 50*5) / 55
	if got := f.GBs([]float64{0.5, 0.75, 1}); math.Abs(got-want) > 1e-12 {
		t.Errorf("equation 5: %g, want %g", got, want)
	}
	// Equations 1 and 6 by hand for two levels.
	f = &Published{Bandwidths: []float64{40, 20}, Cycles: []float64{1, 3}, Factors: [2]float64{0.5, 7}, Rates: [2]float64{0.25, 1}}
	t1, t2 := 0.5/2, 1.5/2
	p1 := 0.5 * (1 - math.Exp(-0.5/0.75)) / (1 - math.Exp(-1)) * t1
	if got, want := f.GBs([]float64{0.5, 1}), t1*40*(1-p1)+t2*20*(1+p1); math.Abs(got-want) > 1e-12 {
		t.Errorf("equation 1: %g, want %g", got, want)
	}
}

// All methods find a published form again from its own data, the same with the same seed; equation 5 alone does worse.
func TestFitPublished(t *testing.T) {
	h := caches(2)
	want := &Published{Bandwidths: []float64{40, 18, 3}, Cycles: []float64{4, 14, 180}, Factors: [2]float64{0.6, 0.4}, Rates: [2]float64{0.05, 0.2}}
	var points []Point
	for _, p := range swept(truth(2), h, 0, rand.New(rand.NewPCG(1, 1))) {
		p.GBs = want.GBs(h.Hits(p))
		points = append(points, p)
	}
	for _, method := range Methods {
		o := GeneticOptions{Seed: 1, Population: 600, Generations: 120}
		a, err := FitPublished(h, points, method, o)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := FitPublished(h, points, method, o)
		t.Logf("%s: %.4f in %d evaluations", method, a.Error, a.Evaluations)
		if a.Error > 0.02 && method != CMAES || a.Error > 0.05 {
			t.Errorf("%s: error %.4f", method, a.Error)
		}
		if a.Error != b.Error || a.Evaluations != b.Evaluations {
			t.Errorf("%s: %v and %v with the same seed", method, a.Error, b.Error)
		}
	}
	plain, err := Plateaus(h, points, []float64{4, 14, 180})
	if err != nil {
		t.Fatal(err)
	}
	worse := 0.0
	for _, p := range points {
		worse += math.Abs(plain.GBs(h.Hits(p))-p.GBs) / p.GBs / float64(len(points))
	}
	if worse < 0.015 {
		t.Errorf("equation 5 is as good as the fit: %.4f", worse)
	}
}

func TestFitLatency(t *testing.T) {
	for levels := 1; levels <= 4; levels++ {
		h := caches(levels)
		want := &Latency{Ns: []float64{1.4, 4.5, 22, 70, 200}[:levels+1], Edges: truth(levels).Edges}
		var points [][2]float64
		most := 8 * h.Levels[levels-1].Bytes
		for i := range 40 {
			b := 4096 * math.Pow(most/4096, float64(i)/39)
			points = append(points, [2]float64{b, want.At(b)})
		}
		got, err := FitLatency(h, points, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want.Ns {
			if math.Abs(got.Ns[i]/want.Ns[i]-1) > 0.02 {
				t.Errorf("%d levels: level %d has %.4g ns, want %.4g", levels, i+1, got.Ns[i], want.Ns[i])
			}
		}
	}
}

func BenchmarkFitExtended(b *testing.B) {
	h := caches(3)
	points := swept(truth(3), h, 0.05, rand.New(rand.NewPCG(1, 2)))
	for b.Loop() {
		if _, err := FitExtended(h, points, 1); err != nil {
			b.Fatal(err)
		}
	}
}

func TestCoverage(t *testing.T) {
	for hit, want := range map[float64]int{1: 0, 0.99: 0, 0.985: 1, 0.97: 2, 0.95: 3, 0.9: 4, 0.7: 5, 0.5: 6, 0.2: 7, 0: 7} {
		if got := Bin(hit); got != want {
			t.Errorf("%g: bin %d, want %d", hit, got, want)
		}
	}
	h, f := caches(2), truth(2)
	points := swept(f, h, 0, rand.New(rand.NewPCG(1, 1)))
	for name, c := range map[string]Coverage{"ideal": h.Coverage(points), "soft": f.Coverage(points, 64)} {
		if !c.Has([]float64{1, 1}) || !c.Has([]float64{0, 0}) || !c.Has([]float64{0.875, 0.875}) || c.Has([]float64{0.985, 0.985}) {
			t.Errorf("%s: %v", name, c)
		}
	}
}
