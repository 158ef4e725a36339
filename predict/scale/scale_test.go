package scale

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"foresee/application/counters"
	"foresee/model/scaling"
)

// law is the time of a run whose parts are known: work that halves, an exchange of surfaces, a reduction in log p.
func law(p float64) (compute, exchange, reduce float64) {
	if p == 1 {
		return 64, 0, 0
	}
	return 64 / p, 2 * math.Pow(p, -2./3), 0.2 * math.Log2(p)
}

// recorded is a set as foresee mpi's runs give it.
func recorded(t *testing.T, processes ...float64) *counters.Set {
	t.Helper()
	set := &counters.Set{}
	for _, p := range processes {
		compute, exchange, reduce := law(p)
		at := map[string]float64{"p": p}
		for _, v := range []struct {
			callpath string
			seconds  float64
		}{
			{counters.WholeRun, compute + exchange + reduce},
			{counters.Computing, compute},
			{counters.PointToPoint, exchange},
			{counters.Collective, reduce},
		} {
			if err := errors.Join(set.Add(at, v.callpath, "time", v.seconds), set.Add(at, v.callpath, "time.max", v.seconds*1.1)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return set
}

func points(p ...float64) (out []map[string]float64) {
	for _, v := range p {
		out = append(out, map[string]float64{"p": v})
	}
	return out
}

func TestPartsOfTheTime(t *testing.T) {
	r, err := Predict(t.Context(), recorded(t, 1, 2, 4, 8, 16), Options{At: points(64)})
	if err != nil {
		t.Fatal(err)
	}
	compute, exchange, reduce := law(64)
	b := r.Breakdowns[0]
	if e := scaling.Error(b.Total, compute+exchange+reduce); e > 0.2 {
		t.Errorf("the whole is %g s instead of %g", b.Total, compute+exchange+reduce)
	}
	sum := 0.0
	for _, part := range b.Parts {
		sum += part.Seconds
		want := map[string]float64{"compute": compute, "point-to-point": exchange, "collective": reduce}[part.Name]
		if want > 0 && scaling.Error(part.Seconds, want) > 0.2 {
			t.Errorf("%s is %g s instead of %g", part.Name, part.Seconds, want)
		}
	}
	if math.Abs(sum-b.Total) > 1e-9*b.Total {
		t.Errorf("parts add up to %g of %g", sum, b.Total)
	}
	if b.Limiting != "collective" {
		t.Errorf("limited by %s", b.Limiting)
	}
}

func TestLargestOverTheRanksIsTheMeanTimesARatio(t *testing.T) {
	r, err := Predict(t.Context(), recorded(t, 1, 2, 4, 8), Options{At: points(32)})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]float64{}
	for _, p := range r.Predictions {
		found[p.Callpath+" "+p.Metric] = p.Value
		if p.Low == nil || *p.Low > p.Value || *p.High < p.Value {
			t.Errorf("%+v", p)
		}
	}
	for _, callpath := range []string{counters.WholeRun, counters.Computing} {
		if ratio := found[callpath+" time.max"] / found[callpath+" time"]; math.Abs(ratio-1.1) > 0.02 {
			t.Errorf("%s: the largest is %g times the mean", callpath, ratio)
		}
	}
}

func TestEfficiencyAndWhereItStops(t *testing.T) {
	set := &counters.Set{}
	amdahl := func(p float64) float64 { return 100/p + 0.05*p }
	for p := 1.0; p <= 32; p *= 2 {
		if err := set.Add(map[string]float64{"p": p}, "main", "time", amdahl(p)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Predict(t.Context(), set, Options{At: points(64)})
	if err != nil {
		t.Fatal(err)
	}
	want := amdahl(1) / amdahl(64) / 64
	if e := r.Scaling[0]; e.Kind != "strong" || scaling.Error(e.Efficiency, want) > 0.2 || scaling.Error(e.SpeedUp, 64*want) > 0.2 {
		t.Errorf("%+v, the efficiency is %g", e, want)
	}
	// The time is least at √(100/0.05) = 44.7 processes, and there the efficiency is a half, but for the 0.05 of one process.
	if r.Stops == nil || r.Stops.Fastest == nil || r.Stops.Half == nil {
		t.Fatalf("%+v", r.Stops)
	}
	if scaling.Error(*r.Stops.Fastest, 44.7) > 0.25 || scaling.Error(*r.Stops.Half, 44.7) > 0.1 {
		t.Errorf("fastest at %g, half the efficiency from %g", *r.Stops.Fastest, *r.Stops.Half)
	}
}

// Of several programs side by side none is the whole, and what only goes on getting slower has no fastest number of processes.
func TestNothingIsSaidOfAWholeThatIsNone(t *testing.T) {
	for _, c := range []struct {
		names []string
		whole string
	}{
		{[]string{"solver", "solver->messages", "sweep", "sweep->messages"}, ""},
		{[]string{"main", "main->solve", "io"}, "main"},
		{[]string{"solver", "solver->messages"}, "solver"},
	} {
		set := &counters.Set{}
		for _, p := range []float64{2, 4, 8, 16, 32} {
			for i, name := range c.names {
				if err := set.Add(map[string]float64{"p": p}, name, "time", (20+80/p)/float64(i+2)); err != nil {
					t.Fatal(err)
				}
			}
		}
		r, err := Predict(t.Context(), set, Options{At: points(512)})
		if err != nil {
			t.Fatal(err)
		}
		if r.Whole != c.whole {
			t.Errorf("%v: the whole is %q, want %q", c.names, r.Whole, c.whole)
		}
		if r.Stops != nil && r.Stops.Fastest != nil {
			t.Errorf("%v: fastest at %g", c.names, *r.Stops.Fastest)
		}
	}
}

func TestHeldOut(t *testing.T) {
	r, err := Predict(t.Context(), recorded(t, 1, 2, 4, 8, 16, 32), Options{HoldOut: 2})
	if err != nil {
		t.Fatal(err)
	}
	if r.Measured != 4 || len(r.HeldOut) != 16 {
		t.Fatalf("%d points fitted, %d values held out", r.Measured, len(r.HeldOut))
	}
	for _, h := range r.HeldOut {
		if h.Params["p"] < 16 {
			t.Errorf("%+v was not held out", h)
		}
		if e := scaling.Error(h.Value, h.Measured); e != h.Error {
			t.Errorf("error %g, said %g", e, h.Error)
		}
	}
}

func TestChangeOfConfigurationIsRefused(t *testing.T) {
	change := func(processes ...float64) *counters.Set {
		set := recorded(t, processes...)
		for i := range set.Series {
			for j, m := range set.Series[i].Points {
				if m.At[0] >= 8 && set.Series[i].Callpath != counters.WholeRun {
					set.Series[i].Points[j].Values[0] *= 9
				}
			}
		}
		return set
	}
	_, err := Predict(t.Context(), change(1, 2, 4, 8, 16), Options{At: points(64)})
	if !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), "between 4 and 8") {
		t.Errorf("%v", err)
	}
	r, err := Predict(t.Context(), change(1, 2, 4, 8, 16), Options{At: points(64), AllowChange: true})
	if err != nil || len(r.Warnings) == 0 {
		t.Errorf("%v", err)
	}
	r, err = Predict(t.Context(), change(1, 2, 4, 8, 16, 32), Options{At: points(64)})
	if err != nil || r.Measured != 3 {
		t.Errorf("%v", err)
	}
}

func TestWhatCannotBePredicted(t *testing.T) {
	two := &counters.Set{}
	for _, at := range []map[string]float64{{"p": 1, "n": 10}, {"p": 2, "n": 20}} {
		if err := two.Add(at, "main", "time", 1); err != nil {
			t.Fatal(err)
		}
	}
	one := &counters.Set{}
	if err := one.Add(map[string]float64{"p": 1}, "main", "time", 1); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		set  *counters.Set
		o    Options
		says string
	}{
		{two, Options{At: points(8)}, "no value for n"},
		{two, Options{At: []map[string]float64{{"p": 8, "n": 1, "q": 2}}}, "no parameter q"},
		{two, Options{At: []map[string]float64{{"p": -8, "n": 1}}}, "must be positive"},
		{two, Options{Model: TimesP, At: []map[string]float64{{"p": 8, "n": 1}}}, "knows one parameter"},
		{one, Options{At: points(8)}, "measure at more values of p"},
		{recorded(t, 1, 2, 4), Options{HoldOut: 2}, "held out"},
		{recorded(t, 1, 2, 4), Options{Model: "magic"}, "unknown model"},
		{recorded(t, 1, 2, 4), Options{Interval: 2}, "between 0 and 1"},
	} {
		if _, err := Predict(t.Context(), c.set, c.o); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q is not in: %v", c.says, err)
		}
	}
}

func TestSeriesThatAreLeftOut(t *testing.T) {
	set := recorded(t, 1, 2, 4, 8)
	at := map[string]float64{"p": 4}
	if err := errors.Join(set.Add(at, "once", "time", 3), set.Add(at, "damaged", "time", math.NaN(), math.Inf(1))); err != nil {
		t.Fatal(err)
	}
	for p := 1.0; p <= 8; p *= 2 {
		v := 0.0
		if p == 1 {
			v = 5
		}
		if err := errors.Join(set.Add(map[string]float64{"p": p}, "none", "bytes", 0), set.Add(map[string]float64{"p": p}, "falls to zero", "time", v),
			set.Add(map[string]float64{"p": p}, "negative", "time", -1)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Predict(t.Context(), set, Options{At: points(32)})
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Join(r.Warnings, "\n")
	for _, want := range []string{"once time", "none bytes", "falls to zero time: points left out: p=2 is zero", "negative time: points left out: p=1 is -1", "NaN was left out", "+Inf was left out"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in:\n%s", want, said)
		}
	}
	for _, p := range r.Predictions {
		if math.IsNaN(p.Value) || strings.Contains("once none falls to zero negative damaged", p.Callpath) {
			t.Errorf("%+v", p)
		}
	}
}

func TestFarAwayIsAWarning(t *testing.T) {
	r, err := Predict(t.Context(), recorded(t, 1, 2, 4, 8), Options{At: points(100000)})
	if err != nil || !strings.Contains(strings.Join(r.Warnings, "\n"), "12500 times") && !strings.Contains(strings.Join(r.Warnings, "\n"), "1.25e+04 times") {
		t.Errorf("%v %v", r.Warnings, err)
	}
}

func TestTheSameBytes(t *testing.T) {
	var before []byte
	for range 3 {
		r, err := Predict(t.Context(), recorded(t, 1, 2, 4, 8, 16), Options{At: points(64, 256), HoldOut: 1})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if before != nil && !reflect.DeepEqual(before, text) {
			t.Fatal("two runs differ")
		}
		before = text
	}
}

// countedLaw is the instructions, the stalls and the seconds of messages of a run: all linear in the work of a process, 1/p.
func countedLaw(p float64) (instructions, stalls, messages float64) {
	return 4e8 + 8e9/p, 1e8 + 2e9/p, 0.001 * (1 + 8/p)
}

// countedTime is its time, with 0.75 cycles for each instruction at 2 GHz.
func countedTime(p float64) float64 {
	instructions, stalls, messages := countedLaw(p)
	return (instructions*0.75+stalls)/2e9 + messages
}

// counted is a run's counters for the published model.
func counted(t *testing.T) *counters.Set {
	set := &counters.Set{}
	for _, p := range []float64{2, 4, 8} {
		add := func(callpath, metric string, v float64) {
			if err := set.Add(map[string]float64{"p": p}, callpath, metric, v); err != nil {
				t.Fatal(err)
			}
		}
		for _, k := range []struct {
			callpath string
			share    float64
		}{{"solve", 0.9}, {"tiny", 0.1}, {counters.WholeRun, 1}} {
			instructions, stalls, _ := countedLaw(p)
			instructions, stalls = k.share*instructions, k.share*stalls
			add(k.callpath, "instructions", instructions)
			add(k.callpath, "cycles", instructions*0.75+stalls)
			add(k.callpath, "load_stalls", stalls)
			add(k.callpath, "l1_hits", k.share*1e9)
			add(k.callpath, "l2_hits", k.share*1e7)
			add(k.callpath, "llc_hits", k.share*1e6)
			add(k.callpath, "llc_misses", k.share*1e4)
		}
		_, _, messages := countedLaw(p)
		add(counters.WholeRun, "time", countedTime(p))
		add(counters.PointToPoint, "time", messages)
		add(counters.PointToPoint, "bytes", 1e9*messages)
	}
	return set
}

// Section 3.4 checks the model with a run that it was not fitted to: here the fourth of four, whose time is known in closed form.
func TestThePublishedModelIsCheckedWithARunLeftOut(t *testing.T) {
	set := counted(t)
	const p = 16.0
	want := countedTime(p)
	if err := set.Add(map[string]float64{"p": p}, counters.WholeRun, "time", 1.25*want); err != nil {
		t.Fatal(err)
	}
	o := Options{Model: APMT, Accuracy: 0.1, GHz: 2, Latencies: scaling.Latencies{L1: 4, L2: 14, LLC: 50, Memory: 200}}
	r, err := Predict(t.Context(), set, o)
	if err != nil {
		t.Fatal(err)
	}
	if f := r.Refinement; f == nil || f.Reached || math.Abs(f.Error-0.2) > 1e-6 || len(f.Next) != 2 || f.Next[0]["p"] != 32 {
		t.Errorf("%+v", f)
	}
	for _, h := range r.HeldOut {
		if h.Metric == "time of equation 2" {
			if scaling.Error(h.Value, want) > 1e-6 || h.Measured != 1.25*want || math.Abs(h.Error-0.2) > 1e-6 {
				t.Errorf("%+v instead of %g s", h, want)
			}
			return
		}
	}
	t.Errorf("equation 2 was not checked: %+v, %v", r.HeldOut, r.Warnings)
}

func TestThePublishedModelOfALargerProblem(t *testing.T) {
	// Counters are linear in the work per process, n²/p; the larger problem has the same work on four times the processes.
	set := &counters.Set{}
	for _, p := range []float64{2, 4, 8} {
		x := 1600 / p
		for _, v := range []struct {
			callpath, metric string
			value            float64
		}{
			{"solve", "instructions", 1e6 * x},
			{"solve", "cycles", 0.5e6*x + 1e5*x},
			{"solve", "load_stalls", 1e5 * x},
			{"solve", "l1_hits", 1e6 * x},
			{"solve", "l2_hits", 10 * x},
			{"solve", "llc_hits", x},
			{"solve", "llc_misses", 50 * x},
			{counters.WholeRun, "time", 0.6e6 * x / 2e9},
			{counters.WholeRun, "cycles", 0.5e6*x + 1e5*x},
		} {
			if err := set.Add(map[string]float64{"p": p, "n": 40}, v.callpath, v.metric, v.value); err != nil {
				t.Fatal(err)
			}
		}
	}
	o := Options{
		Model: APMT, At: []map[string]float64{{"p": 16, "n": 80}}, Work: map[string]float64{"n": 2},
		GHz: 2, Latencies: scaling.Latencies{L1: 4, L2: 14, LLC: 50, Memory: 200},
	}
	r, err := Predict(t.Context(), set, o)
	if err != nil {
		t.Fatal(err)
	}
	if want := 0.6e6 * 400 / 2e9; len(r.Breakdowns) != 1 || scaling.Error(r.Breakdowns[0].Total, want) > 1e-6 {
		t.Errorf("%+v instead of %g s\n%v", r.Breakdowns, want, r.Warnings)
	}
	o.Work = nil
	if _, err = Predict(t.Context(), set, o); err == nil || !strings.Contains(err.Error(), "knows one parameter") {
		t.Error(err)
	}
}

func TestThePublishedModelFromCounters(t *testing.T) {
	o := Options{Model: APMT, At: points(16), GHz: 2, Latencies: scaling.Latencies{L1: 4, L2: 14, LLC: 50, Memory: 200}}
	r, err := Predict(t.Context(), counted(t), o)
	if err != nil {
		t.Fatal(err)
	}
	const p = 16.0
	want := countedTime(p)
	if len(r.Breakdowns) != 1 || scaling.Error(r.Breakdowns[0].Total, want) > 1e-6 {
		t.Errorf("%+v instead of %g s\n%v", r.Breakdowns, want, r.Warnings)
	}
	solve := APMTKernel{}
	if r.APMT != nil && len(r.APMT.Kernels) > 0 {
		solve = r.APMT.Kernels[0]
	}
	_, stalls, _ := countedLaw(p)
	if blocked := stalls / (4*1e9 + 14*1e7 + 50*1e6 + 200*1e4); scaling.Error(solve.CPI, 0.75) > 1e-9 || len(solve.BFMem) != 1 || scaling.Error(solve.BFMem[0].Value, blocked) > 1e-6 {
		t.Errorf("%+v instead of CPI 0.75 and BF_mem %g", solve, blocked)
	}
	o.GHz = 0
	r, err = Predict(t.Context(), counted(t), o)
	if err != nil || !strings.Contains(strings.Join(r.Warnings, "\n"), "name the machine") {
		t.Errorf("%v %v", r.Warnings, err)
	}
}
