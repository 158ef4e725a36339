package rank

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"foresee/application"
	"foresee/application/csource"
	"foresee/machine"
)

// program reads a source.
func program(t testing.TB, text string) *application.Signature {
	t.Helper()
	unit, err := csource.Load("f.c", []byte(text), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return application.OfLoops("f.c", unit.Programs...)
}

const streaming = `double a[500000], b[500000];
void f(void) {
#pragma omp parallel for
for (int i = 0; i < 500000; i++) a[i] += b[i]; }`

const far = `double a[500][500], b[500][500];
void f(void) {
#pragma omp parallel for
for (int j = 0; j < 500; j++) for (int i = 0; i < 500; i++) a[i][j] += b[i][j]; }`

func load(t testing.TB, name string) *machine.Machine {
	t.Helper()
	m, err := machine.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func ranked(t testing.TB, r Request) *Result {
	t.Helper()
	r.Options.Seed, r.Options.Samples = 1, 4000
	out, err := Machines(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// better is a machine with some values better: latencies shorter, bandwidths larger, clocks faster, by a factor above 1.
func better(m *machine.Machine, what string, factor float64) *machine.Machine {
	out := *m
	out.Name = fmt.Sprintf("%s with %s better by %g", m.Name, what, factor)
	out.Levels = append([]machine.Level{}, m.Levels...)
	change := func(v **machine.Value[float64], by float64) {
		if *v != nil {
			*v = &machine.Value[float64]{Value: (*v).Value * by, Source: "invented"}
		}
	}
	switch what {
	case "latency":
		change(&out.Memory.LatencyNs, 1/factor)
	case "bandwidth":
		change(&out.Memory.BandwidthGBs, factor)
	case "a core's bandwidth":
		change(&out.Memory.SequentialCyclesPerLine, 1/factor)
	case "L3":
		change(&out.Levels[2].LatencyCycles, 1/factor)
		change(&out.Levels[2].SequentialCyclesPerLine, 1/factor)
	case "L2":
		change(&out.Levels[1].LatencyCycles, 1/factor)
		change(&out.Levels[1].SequentialCyclesPerLine, 1/factor)
	case "clock": // memory stays as fast in ns
		change(&out.FrequencyGHz, factor)
		change(&out.MaxFrequencyGHz, factor)
		change(&out.Memory.SequentialCyclesPerLine, factor)
		change(&out.Memory.ReciprocalThroughput, factor)
	}
	return &out
}

// TestBetterMachinesNeverRankLower makes machines better in one way, by several factors: each is as fast as the machine itself at least, and stands before it.
func TestBetterMachinesNeverRankLower(t *testing.T) {
	t.Parallel()
	for _, p := range []*application.Signature{program(t, streaming), program(t, far)} {
		for _, name := range []string{"cascade-lake", "epyc-7702p"} {
			m := load(t, name)
			machines := []*machine.Machine{m}
			for _, what := range []string{"latency", "bandwidth", "a core's bandwidth", "L3", "L2", "clock"} {
				for _, factor := range []float64{1.01, 1.3, 3} {
					machines = append(machines, better(m, what, factor))
				}
			}
			r := ranked(t, Request{Programs: []*application.Signature{p}, Machines: machines, Against: name})
			for _, e := range r.Machines {
				if *e.Speed < 1-1e-9 || e.Machine != name && *e.SpeedAtWorst < atWorstOf(r, name)-1e-9 {
					t.Errorf("%s: %s has speed %v, at worst %v", p.Name, e.Machine, *e.Speed, *e.SpeedAtWorst)
				}
			}
			if len(r.Machines) != 19 {
				t.Errorf("%d machines", len(r.Machines))
			}
		}
	}
}

func atWorstOf(r *Result, name string) float64 {
	for _, e := range r.Machines {
		if e.Machine == name {
			return *e.SpeedAtWorst
		}
	}
	return 0
}

// TestWhatIsMissingMakesNoWinner takes values from the slowest machine's file, or says that they are a relative's and good: it does not rise.
func TestWhatIsMissingMakesNoWinner(t *testing.T) {
	slow, fast, third := load(t, "i7-5960x"), load(t, "epyc-7702p"), load(t, "cascade-lake")
	for name, change := range map[string]func(m *machine.Machine){
		"no bandwidth of memory": func(m *machine.Machine) { m.Memory.BandwidthGBs = nil },
		"no latency of memory":   func(m *machine.Machine) { m.Memory.LatencyNs = nil },
		"a good bandwidth, assumed": func(m *machine.Machine) {
			m.Memory.BandwidthGBs = &machine.Value[float64]{Value: 9000, Source: "assumed: wishful"}
		},
		"no bandwidth at all, and a core's is assumed": func(m *machine.Machine) {
			m.Memory.BandwidthGBs = nil
			m.Memory.SequentialCyclesPerLine = &machine.Value[float64]{Value: 0.01, Source: "assumed: wishful"}
		},
	} {
		changed := *slow
		changed.Levels = append([]machine.Level{}, slow.Levels...)
		change(&changed)
		r := ranked(t, Request{Programs: []*application.Signature{program(t, streaming)}, Machines: []*machine.Machine{&changed, fast, third}})
		if last := r.Machines[2]; last.Machine != "i7-5960x" || len(last.Missing)+len(last.Assumed) == 0 {
			t.Errorf("%s: %s is last", name, last.Machine)
		}
	}
}

// TestSpeedsAreRatiosOfTimes checks geometric means, prices and powers by hand.
func TestSpeedsAreRatiosOfTimes(t *testing.T) {
	a, b := *load(t, "cascade-lake"), *load(t, "epyc-7702p")
	euro := func(v float64) *machine.Value[float64] { return &machine.Value[float64]{Value: v, Source: "invented"} }
	a.PriceEUR, b.PriceEUR, a.Watts, b.Watts = euro(1000), euro(4000), euro(150), euro(200)
	r := ranked(t, Request{Programs: []*application.Signature{program(t, streaming), program(t, far)}, Machines: []*machine.Machine{&a, &b}, Against: "cascade-lake"})
	times := map[string][]float64{}
	for _, e := range r.Machines {
		for _, p := range e.Programs {
			times[e.Machine] = append(times[e.Machine], *p.TimeS)
		}
	}
	want := times["cascade-lake"][0] * times["cascade-lake"][1] / times["epyc-7702p"][0] / times["epyc-7702p"][1] // squared
	for _, e := range r.Machines {
		if e.Machine == "cascade-lake" {
			if *e.Speed != 1 || *e.PerEuro != 1 {
				t.Errorf("against itself: %v, %v", *e.Speed, *e.PerEuro)
			}
			continue
		}
		if near := *e.Speed * *e.Speed / want; near < 0.999 || near > 1.001 || *e.PerEuro != *e.Speed*1000/4000 || *e.PerJoule != *e.Speed*150/200 {
			t.Errorf("speed² %v, want %v; per euro %v, per joule %v", *e.Speed**e.Speed, want, *e.PerEuro, *e.PerJoule)
		}
	}
	_, err := Machines(context.Background(), Request{Programs: []*application.Signature{program(t, streaming)}, Machines: []*machine.Machine{&a}, Against: "none"})
	if against := new(AgainstError); !errors.As(err, &against) {
		t.Errorf("against none: %v", err)
	}
}

// TestInversions counts the pairs of three machines by hand.
func TestInversions(t *testing.T) {
	time := func(v float64) []Program { return []Program{{Program: "p", TimeS: &v}} }
	r := &Result{Programs: []string{"p"}, Machines: []Entry{{Machine: "a", Programs: time(1)}, {Machine: "b", Programs: time(2)}, {Machine: "c", Programs: time(3)}, {Machine: "d", Programs: []Program{{}}}}}
	measured, err := ReadMeasured(strings.NewReader("machine,time_s\na,2\nb,1\nc,3\nd,4\ne,5\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := inversions(r, measured)
	if got.Pairs != 3 || got.Inverted != 1 || got.Of[0].Faster != "b" || got.Of[0].MeasuredRatio != 2 || got.Of[0].PredictedRatio != 0.5 || got.Times != 3 || got.MeanError != 0.5 {
		t.Errorf("%+v", got)
	}
	if inversions(r, nil) != nil {
		t.Error("inversions of nothing")
	}
}

// FuzzReadMeasured reads anything: what it takes is a time above 0 of every line.
func FuzzReadMeasured(f *testing.F) {
	f.Add("machine,time_s\na,2\n")
	f.Add("Program, machine ,time_s\nx,\"b\",1e-3\n")
	f.Add("machine,time_s\na,-1\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ReadMeasured(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, m := range all {
			if !(m.TimeS > 0) {
				t.Errorf("%+v", m)
			}
		}
	})
}

// A program's time has nothing twice: of main and what it calls only main counts.
func TestMainHasWhatItCalls(t *testing.T) {
	const text = `double a[300][300], b[300][300];
static void f(void) { for (int i = 0; i < 300; i++) for (int j = 0; j < 300; j++) a[i][j] += b[i][j]; }
static void g(void) { for (int i = 0; i < 300; i++) for (int j = 0; j < 300; j++) b[i][j] *= 2; }
MAIN`
	zen := []*machine.Machine{load(t, "zen4")}
	of := func(main string) float64 {
		p := program(t, strings.Replace(text, "MAIN", main, 1))
		return *ranked(t, Request{Programs: []*application.Signature{p}, Machines: zen}).Machines[0].Programs[0].TimeS
	}
	parts := of("")
	whole := of("int main(void) { for (int i = 0; i < 300; i++) a[i][i] = i; f(); g(); return 0; }")
	if whole < 0.6*parts || whole > 1.1*parts { // in main the second finds its array in caches
		t.Errorf("main takes %g s, its two functions %g", whole, parts)
	}
}
