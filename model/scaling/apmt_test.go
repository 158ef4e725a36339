package scaling

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestFunctionOfTheLargestRSquare(t *testing.T) {
	for _, c := range []struct {
		x, y []float64
		form string
		at   float64
		want float64
	}{
		{[]float64{1, 2, 4, 8}, []float64{5, 5, 5, 5}, "constant", 100, 5},
		{[]float64{1, 2, 4, 8}, []float64{3, 5, 9, 17}, "linear", 100, 201},
		{[]float64{1, 2, 3, 4, 5}, []float64{4, 1, 0, 1, 4}, "quadratic", 10, 49},
		{[]float64{1, 2, 4, 8}, []float64{1, 3, 5, 7}, "logarithm", 1024, 21},
		{[]float64{1, 2, 3, 4}, []float64{math.E, math.Exp(2), math.Exp(3), math.Exp(4)}, "exponential", 6, math.Exp(6)},
		// Three points lie on a quadratic always, whatever the law, and it is not tried: the line's Sxy/Sxx is 2/7 around 7/3, 8/3.
		{[]float64{1, 2, 4}, []float64{4, 0, 4}, "linear", 1, 16. / 7},
		// A line of R² 0.94 is good enough for the paper, though a quadratic meets all four: Sxy/Sxx is 266.25/28.75.
		{[]float64{1, 2, 4, 8}, []float64{2, 5, 17, 65}, "linear", 10, 22.25 + 266.25/28.75*6.25},
	} {
		f, err := FitFunction(c.x, c.y)
		if err != nil || f.Form != c.form || Error(f.at(c.at), c.want) > 1e-6 {
			t.Errorf("%v: %s, %g at %g instead of %g, %v", c.y, f.Formula(), f.at(c.at), c.at, c.want, err)
		}
	}
	if _, err := FitFunction(nil, nil); !errors.Is(err, ErrTooFew) {
		t.Error(err)
	}
}

// A machine of 2 GHz and runs whose counters are linear in P, so that every part of equation 2 is known.
func apmtRuns() ([]Run, Latencies) {
	latencies := Latencies{L1: 4, L2: 12, LLC: 40, Memory: 200}
	var runs []Run
	for _, p := range []float64{2, 4, 8} {
		c := Counters{Instructions: 1e9 - 5e7*p, L1: 3e8 - 1e7*p, L2: 1e7, LLC: 1e6, Memory: 1e4 * p, Stalls: 1e8 - 2e6*p}
		c.Cycles = 0.8*c.Instructions + c.Stalls
		comm := Communication{PointToPointBytes: 1e6 * p, PointToPoint: 1e-9*1e6*p + 1e-3, Collectives: map[string]Traffic{
			"MPI_Allreduce": {Seconds: 2e-3 * math.Log2(p), Bytes: 800}, "MPI_Alltoall": {Seconds: 1e-3, Bytes: 800},
		}}
		spent := comm.seconds()
		runs = append(runs, Run{P: p, Time: c.Cycles/2e9 + 0.1 + 0.5*spent, Kernels: map[string]Counters{"kernel": c}, Comm: comm, Others: 0.1})
	}
	return runs, latencies
}

func TestEquation2(t *testing.T) {
	runs, latencies := apmtRuns()
	m, err := FitAPMT(runs, []string{"kernel"}, 2, latencies, func(p float64) float64 { return p })
	if err != nil {
		t.Fatal(err)
	}
	k := &m.Kernels[0]
	if Error(k.CPI, 0.8) > 1e-9 || k.Deviation > 1e-18 {
		t.Errorf("CPI %g, deviation %g", k.CPI, k.Deviation)
	}
	if Error(m.BFComm, 0.5) > 1e-9 {
		t.Errorf("BF_comm %g", m.BFComm)
	}
	const p = 12.0
	b := m.Predict(p, p, p, 1)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"compute", b.Compute, 0.8 * (1e9 - 5e7*p) / 2e9},
		{"memory", b.Memory, (1e8 - 2e6*p) / 2e9},
		{"point-to-point", b.PointToPoint, 0.5 * (1e-9*1e6*p + 1e-3)},
		{"collective", b.Collective, 0.5 * (2e-3*math.Log2(p) + 1e-3)},
		{"rest", b.Rest, 0.1},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s: %g s instead of %g", c.name, c.got, c.want)
		}
	}
	tmem := 4*(3e8-1e7*p) + 12*1e7 + 40*1e6 + 200*1e4*p
	if got := k.BFMem(latencies, p); Error(got, (1e8-2e6*p)/tmem) > 1e-6 {
		t.Errorf("BF_mem %g instead of %g", got, (1e8-2e6*p)/tmem)
	}
	if len(m.Collectives) != 2 || m.Collectives[0].Name != "MPI_Allreduce" || Error(m.Collectives[0].Time.A, 2e-3) > 1e-6 || m.Collectives[1].Time.A > 1e-9 {
		t.Errorf("collectives %+v", m.Collectives)
	}
	// Twice the volume of messages at the same work per process.
	if got, want := m.Predict(p, p, p, 2).PointToPoint, 0.5*(1e-9*2e6*p+1e-3); math.Abs(got-want) > 1e-9 {
		t.Errorf("a larger problem: %g instead of %g", got, want)
	}
	if err := m.LargerProblem(); err == nil {
		t.Error("8e4 accesses of memory in 2.2e8 are more than 1e-4, and were not noticed")
	}
}

// Equation 1 by hand: shares 0.5 and 0.5 against 0.6 and 0.4, over the range from 0.4 to 0.6.
func TestNRMSE(t *testing.T) {
	if got := NRMSE([]float64{0.5, 0.5}, []float64{0.6, 0.4}); Error(got, 0.1/0.2) > 1e-12 {
		t.Errorf("%g", got)
	}
	if got := NRMSE([]float64{0.7, 0.3}, []float64{0.7, 0.3}); got != 0 {
		t.Errorf("%g of equal shares", got)
	}
}

func TestWhatThePublishedModelCannotDo(t *testing.T) {
	runs, latencies := apmtRuns()
	same := func(p float64) float64 { return p }
	if _, err := FitAPMT(runs[:2], []string{"kernel"}, 2, latencies, same); !errors.Is(err, ErrTooFew) {
		t.Error(err)
	}
	if _, err := FitAPMT(runs, []string{"other"}, 2, latencies, same); !errors.Is(err, ErrCounters) {
		t.Error(err)
	}
	if _, err := FitAPMT(runs, []string{"kernel"}, 0, latencies, same); err == nil {
		t.Error("no clock was accepted")
	}
	runs[1].Kernels["kernel"] = Counters{Cycles: 1, Instructions: 1, Stalls: math.NaN()}
	if _, err := FitAPMT(runs, []string{"kernel"}, 2, latencies, same); !errors.Is(err, ErrCounters) {
		t.Error(err)
	}
}

func TestCriticalKernels(t *testing.T) {
	runs := []Cost{
		{4, map[string]float64{"solve": 80, "setup": 4, "halo": 1, "small": 0.1, "minor": 4}},
		{2, map[string]float64{"solve": 160, "setup": 4, "halo": 0.9, "small": 0.1, "minor": 8}},
		{8, map[string]float64{"solve": 40, "setup": 4.1, "halo": 1.2, "small": 0.1, "minor": 1.9}},
	}
	got := Critical(runs, 0.05, 0)
	want := []struct {
		name      string
		growing   bool
		functions int
	}{{"solve", false, 1}, {"setup", true, 1}, {"halo", true, 1}, {Rest, false, 2}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, w := range want {
		if got[i].Name != w.name || got[i].Growing != w.growing || got[i].Functions != w.functions {
			t.Errorf("%+v instead of %+v", got[i], w)
		}
	}
	for i := range runs {
		sum := 0.0
		for _, k := range got {
			sum += k.Shares[i]
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("shares of run %d add up to %g", i, sum)
		}
	}
}

// Functions below the threshold fill up what kernels cover, the largest first, ten or a tenth of all; what was put together is none.
func TestKernelsCover(t *testing.T) {
	functions := map[string]float64{"solve": 80, "b": 4, "c": 3, "d": 2, Small: 5}
	for i := range 45 {
		functions[fmt.Sprint("tiny", i)] = 3.0 / 45
	}
	halved := map[string]float64{}
	for name, cost := range functions {
		halved[name] = cost / 2
	}
	runs := []Cost{{1, functions}, {2, halved}}
	for _, c := range []struct {
		cover float64
		want  string
	}{{0, "solve"}, {0.79, "solve"}, {0.83, "solve b"}, {0.88, "solve b c"}, {0.99, "solve b c d"}} {
		var names []string
		for _, k := range Critical(runs, 0.06, c.cover) {
			if !k.Rest {
				names = append(names, k.Name)
			} else if k.Functions+len(names) != len(functions) {
				t.Errorf("cover %g: %d in the rest", c.cover, k.Functions)
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("cover %g: %s, want %s", c.cover, got, c.want)
		}
	}
}

func TestChangesOfConfiguration(t *testing.T) {
	p := []float64{2, 4, 8, 16}
	smooth := func(scale float64) *Series { return made(p, func(p float64) float64 { return scale/p + 0.1 }) }
	jump := func(name string) *Series {
		s := made(p, func(p float64) float64 {
			if p > 4 {
				return 40 / p
			}
			return 4 / p
		})
		s.Name = name
		return s
	}
	if got := Changes([]*Series{smooth(1), smooth(5), smooth(9)}); len(got) != 0 {
		t.Errorf("smooth series change: %v", got)
	}
	// An exchange of all with all grows with the square; a perfect speed-up halves: neither is a change.
	if got := Changes([]*Series{made(p, func(p float64) float64 { return p * p }), made(p, func(p float64) float64 { return 1 / p })}); len(got) != 0 {
		t.Errorf("laws of one configuration change: %v", got)
	}
	// Of all the cost, those that jump have a hundredth.
	if got := Changes([]*Series{smooth(1e4), jump("a"), jump("b")}); len(got) != 0 {
		t.Errorf("a small part changes: %v", got)
	}
	got := Changes([]*Series{smooth(1), jump("a"), jump("b"), smooth(5)})
	if len(got) != 1 || got[0].From != 4 || got[0].To != 8 || len(got[0].Series) != 2 {
		t.Errorf("%v", got)
	}
}

func TestBaselines(t *testing.T) {
	p := []float64{1, 2, 4, 8}
	law, err := FitPowerLaw(made(p, func(p float64) float64 { return 7 * math.Pow(p, -0.8) }))
	if err != nil || Error(law.At([]float64{1000}).Value, 7*math.Pow(1000, -0.8)) > 1e-9 {
		t.Error(law, err)
	}
	times, err := FitTimesP(made(p, func(p float64) float64 { return (3 + 0.5*math.Pow(p, 1.5)) / p }))
	if err != nil || Error(times.At([]float64{1000}).Value, (3+0.5*math.Pow(1000, 1.5))/1000) > 1e-6 {
		t.Error(times.Formula(), err)
	}
	if _, err := FitTimesP(made(p[:2], func(float64) float64 { return 1 })); !errors.Is(err, ErrTooFew) {
		t.Error(err)
	}
	// One point says the level alone, two sizes at one number of processes nothing of it.
	one, err := FitPowerLaw(made(p[:1], func(float64) float64 { return 3 }))
	if err != nil || Error(one.At([]float64{9}).Value, 3) > 1e-12 {
		t.Error(one, err)
	}
}
