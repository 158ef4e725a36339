package compare

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"foresee/predict"
)

// prediction is one with a time of the terms, by the norm of 3.
func prediction(region string, threads int, compute, near, far, spread float64) predict.Prediction {
	time := math.Cbrt(math.Pow(compute, 3) + math.Pow(near+far, 3))
	low, high := time/spread, time*spread
	return predict.Prediction{
		Region: region, Machine: "m", Threads: threads, Model: "overlap", Accesses: 1_000_000, TimeS: &time, TimeLowS: &low, TimeHighS: &high,
		HitRates: []predict.HitRate{{Level: "L1", HitRate: 0.9, StandardError: 0.0005}, {Level: "L2", HitRate: 0.99, StandardError: 0.0005}},
		Arrays:   []predict.ArrayMisses{{Array: "a", Misses: []int64{60_000, 9_000}}, {Array: "b", Misses: []int64{40_000, 1_000}, Access: "b[i]", Place: "f.c:3"}},
		Terms:    &predict.Terms{ComputeS: compute, MemoryS: near + far, Levels: []predict.LevelTerm{{Level: "L2", TimeS: near}, {Level: "memory", TimeS: far}}},
	}
}

func resultOf(all ...predict.Prediction) *predict.PredictionResult {
	return &predict.PredictionResult{Header: predict.Header{Schema: predict.PredictionSchema, Version: predict.Version, Input: "f.c"}, Predictions: all}
}

var judge = Judge{Above: 0.05, Of: []string{Time, Misses}}

// TestEqualSidesAreEqual compares a prediction with itself: there is no interval, whatever costs are wrong.
func TestEqualSidesAreEqual(t *testing.T) {
	p := prediction("f", 1, 1, 2, 3, 2)
	r := Results(resultOf(p), resultOf(p), judge)
	if x := r.Pairs[0]; *x.Ratio != 1 || math.Abs(*x.RatioLow-1) > 1e-12 || math.Abs(*x.RatioHigh-1) > 1e-12 || r.Worse || !x.Common {
		t.Errorf("%v, %v to %v", *x.Ratio, *x.RatioLow, *x.RatioHigh)
	}
}

// TestNoFactorsLeaveTheInterval tries factors at random, common to both sides: the ratio of the times stays in the interval, and one of less work in every term
// is faster throughout.
func TestNoFactorsLeaveTheInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		term := func(name string) float64 { return rapid.Float64Range(0.01, 10).Draw(t, name) }
		const spread = 2
		a := prediction("f", 1, term("c"), term("n"), term("f"), spread)
		b := prediction("f", 1, term("c2"), term("n2"), term("f2"), spread)
		x := Results(resultOf(a), resultOf(b), judge).Pairs[0]
		names := []string{"compute", "L2", "memory"}
		factors := make([]float64, 3)
		for i := range factors {
			factors[i] = rapid.Float64Range(1./spread, spread).Draw(t, "factor")
		}
		for _, p := range []float64{1, norm, math.Inf(1)} {
			if r := timeOf(&b, names, factors, p) / timeOf(&a, names, factors, p); r < *x.RatioLow*(1-1e-9) || r > *x.RatioHigh*(1+1e-9) {
				t.Fatalf("%v outside %v to %v", r, *x.RatioLow, *x.RatioHigh)
			}
		}
		c := prediction("f", 1, a.Terms.ComputeS/2, a.Terms.Levels[0].TimeS/2, a.Terms.Levels[1].TimeS/2, spread)
		if y := Results(resultOf(a), resultOf(c), judge).Pairs[0]; math.Abs(*y.RatioHigh-0.5) > 1e-9 {
			t.Fatalf("half of everything: up to %v", *y.RatioHigh)
		}
	})
}

// TestOtherMachinesShareNoError takes the ends of both intervals.
func TestOtherMachinesShareNoError(t *testing.T) {
	a, b := prediction("f", 1, 1, 1, 1, 2), prediction("f", 1, 1, 1, 1, 2)
	b.Machine = "n"
	x := Results(resultOf(a), resultOf(b), judge).Pairs[0]
	if x.Common || math.Abs(*x.RatioLow-0.25) > 1e-12 || math.Abs(*x.RatioHigh-4) > 1e-12 {
		t.Errorf("%v to %v", *x.RatioLow, *x.RatioHigh)
	}
}

func TestWhatBelongsTogether(t *testing.T) {
	f1, f8, g1 := prediction("f", 1, 1, 1, 1, 2), prediction("f", 8, 1, 1, 1, 2), prediction("g", 1, 1, 1, 1, 2)
	for name, test := range map[string]struct {
		a, b         []predict.Prediction
		pairs, alone int
	}{
		"same":               {[]predict.Prediction{f1, f8}, []predict.Prediction{f8, f1}, 2, 0},
		"renamed":            {[]predict.Prediction{f1, f8}, []predict.Prediction{g1}, 1, 1},
		"one region of two":  {[]predict.Prediction{f1, g1}, []predict.Prediction{g1}, 1, 1},
		"other threads, one": {[]predict.Prediction{f1}, []predict.Prediction{f8}, 1, 0},
		"nothing":            {[]predict.Prediction{f1}, nil, 0, 1},
	} {
		r := Results(resultOf(test.a...), resultOf(test.b...), judge)
		if len(r.Pairs) != test.pairs || len(r.Alone) != test.alone {
			t.Errorf("%s: %d pairs, alone %v", name, len(r.Pairs), r.Alone)
		}
	}
}

// TestJudge counts by hand: 10,000 misses of L2 in a million accesses, with an error of 500 on each side, 707 of the difference.
func TestJudge(t *testing.T) {
	a := prediction("f", 1, 1, 1, 1, 1.5)
	for name, test := range map[string]struct {
		missRate float64
		want     bool
	}{"4 % more": {0.0104, false}, "12 %, within two errors": {0.0112, false}, "20 % more": {0.012, true}, "fewer": {0.005, false}} {
		b := prediction("f", 1, 1, 1, 1, 1.5)
		b.HitRates = slices.Clone(b.HitRates)
		b.HitRates[1].HitRate = 1 - test.missRate
		b.Arrays = []predict.ArrayMisses{b.Arrays[0], {Array: "b", Misses: []int64{40_000, int64(test.missRate*1e6) - 9_000}, Access: "b[i]", Place: "f.c:3"}}
		r := Results(resultOf(a), resultOf(b), judge)
		if r.Worse != test.want {
			t.Errorf("%s: worse %v", name, r.Worse)
		}
		if l := r.Pairs[0].Levels[1]; test.want && (l.Array != "b" || l.Place != "f.c:3" || l.A != 10_000 || l.B != 12_000) {
			t.Errorf("%s: %+v", name, l)
		}
	}
	slower := prediction("f", 1, 1, 1.2, 1.2, 1.5)
	if r := Results(resultOf(a), resultOf(slower), judge); !r.Worse || r.Pairs[0].Findings[0].What != Time {
		t.Error("slower lines in all levels are no finding")
	}
	trade := prediction("f", 1, 3, 0.1, 0.1, 1.5) // more computing for fewer lines: which wins is not sure
	if r := Results(resultOf(prediction("f", 1, 1, 1.2, 1.2, 3)), resultOf(trade), judge); r.Worse {
		t.Errorf("a trade is worse: %+v to %v", *r.Pairs[0].RatioLow, *r.Pairs[0].RatioHigh)
	}
}

// FuzzRead reads anything: what it takes is compared with itself without a panic, and is as fast.
func FuzzRead(f *testing.F) {
	whole, err := json.Marshal(resultOf(prediction("f", 1, 1, 2, 3, 2), prediction("f", 8, 1, 2, 3, 2)))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(whole))
	f.Add(`{"schema":"foresee.prediction/v1","predictions":[{"threads":1,"hit_rates":[{"level":"L1","hit_rate":2}]}]}`)
	f.Add(`{"schema":"foresee.prediction/v1","predictions":[{"threads":1,"arrays":[{"misses":[1]}]}]}`)
	f.Add(`{"schema":"foresee.mrc/v1"}`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, p := range Results(r, r, judge).Pairs {
			if len(p.Findings) > 0 && p.A == p.B {
				t.Errorf("worse than itself: %+v", p.Findings)
			}
		}
	})
}

// TestUnreadPartsAreNotJudged: where one side is without more than the other, nobody knows which is worse; where both are without the same, the rest is judged.
// Functions that neither side can be read of are named.
func TestUnreadPartsAreNotJudged(t *testing.T) {
	a, b := prediction("f", 1, 1, 2, 3, 2), prediction("f", 1, 0.5, 1, 1, 2)
	b.LeftOut, b.LeftOutLoops = 1, 2
	if r := Results(resultOf(a), resultOf(b), judge); len(r.Unjudged) != 1 || r.Pairs[0].Alike() || r.Pairs[0].B.LeftOutLoops != 2 {
		t.Errorf("unjudged %q of a part that B alone is without", r.Unjudged)
	}
	a.LeftOut, a.LeftOutLoops = 1, 2
	before, after := resultOf(a), resultOf(b)
	before.Unread, after.Unread = []string{"g", "h"}, []string{"h"}
	if r := Results(before, after, judge); len(r.Unjudged) != 0 || !r.Pairs[0].Alike() || !slices.Equal(r.Unread, []string{"h"}) {
		t.Errorf("unjudged %q of a part that both are without, unread %q", r.Unjudged, r.Unread)
	}
}
