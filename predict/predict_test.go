package predict_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"testing"

	"foresee/application"
	"foresee/application/nest"
	"foresee/internal/oracle/kernels"
	"foresee/machine"
	"foresee/predict"
)

// kernel gives one example program.
func kernel(t *testing.T, name, size string) *nest.Program {
	t.Helper()
	ks, err := kernels.Load(t.TempDir(), size, name)
	if err != nil {
		t.Fatal(err)
	}
	return ks[0].Program
}

func load(t *testing.T, name string) *machine.Machine {
	t.Helper()
	m, err := machine.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func request(t *testing.T, name, size string, threads ...int) predict.Request {
	t.Helper()
	return predict.Request{
		Signature: application.OfLoops(name+".c", kernel(t, name, size)),
		Machines:  []*machine.Machine{load(t, "i7-5960x")}, Threads: threads, Options: predict.Options{Seed: 1},
	}
}

func run(t *testing.T, r predict.Request) *predict.PredictionResult {
	t.Helper()
	out, err := predict.Run(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCountsOfAProduct(t *testing.T) {
	const ni, nj, nk = 60, 70, 80 // gemm at SMALL
	p := run(t, request(t, "gemm", "SMALL", 1)).Predictions[0]
	if want := int64(ni*nj*2 + ni*nk*nj*4); p.Accesses != want {
		t.Errorf("%d accesses, want %d", p.Accesses, want)
	}
	if want := int64(ni*nj + ni*nk*(nj*3)); p.Flops != want { // beta·C; alpha·A·B and the sum
		t.Errorf("%d flops, want %d", p.Flops, want)
	}
}

func TestPredictionsHangTogether(t *testing.T) {
	for _, name := range []string{"gemm", "lu", "jacobi-2d", "trmm", "nussinov", "gemver"} {
		for _, p := range run(t, request(t, name, "SMALL", 1, 2, 4, 8)).Predictions {
			above := 0.0
			for _, h := range p.HitRates {
				if h.HitRate < above || h.HitRate > 1 || h.StandardError < 0 || h.StandardError > 0.02 {
					t.Errorf("%s, %d threads, %s: %+v after %v", name, p.Threads, h.Level, h, above)
				}
				above = h.HitRate
			}
			if p.TimeS == nil {
				t.Fatalf("%s: no time: %v", name, p.Warnings)
			}
			roofline := math.Max(p.Terms.ComputeS, p.Terms.MemoryS) + p.Terms.ParallelS
			sum := p.Terms.ComputeS + p.Terms.MemoryS + p.Terms.ParallelS
			if *p.TimeS < roofline || *p.TimeS > sum || *p.TimeLowS > *p.TimeS || *p.TimeHighS < *p.TimeS {
				t.Errorf("%s, %d threads: time %v outside %v … %v", name, p.Threads, *p.TimeS, roofline, sum)
			}
			if *p.Speedup > float64(p.Threads)*1.3 {
				t.Errorf("%s: speed-up %v on %d threads", name, *p.Speedup, p.Threads)
			}
		}
	}
}

// syrk's iterations are unequal: of eight blocks of a triangle the last does 15/64, not 1/8.
func TestSlowestThreadCounts(t *testing.T) {
	r := request(t, "syrk", "SMALL", 8)
	p := run(t, r).Predictions[0]
	if want := 64.0 / 15; math.Abs(*p.Speedup-want) > 0.3 {
		t.Errorf("speed-up %v, want about %v", *p.Speedup, want)
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	r := request(t, "fdtd-2d", "SMALL", 1, 4)
	var texts [][]byte
	for _, workers := range []int{1, 2, 5} {
		r.Options.Workers = workers
		text, err := json.Marshal(run(t, r))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	if !bytes.Equal(texts[0], texts[1]) || !bytes.Equal(texts[0], texts[2]) {
		t.Error("the number of workers changes the result")
	}
}

func TestPPTModel(t *testing.T) {
	r := request(t, "gemm", "SMALL", 1, 8)
	r.Model = predict.ModelPPT
	out := run(t, r)
	if len(out.Warnings) < 2 {
		t.Errorf("no warning about the model's range: %v", out.Warnings)
	}
	one, eight := out.Predictions[0], out.Predictions[1]
	if one.TimeS == nil || math.Abs(*one.TimeS / *eight.TimeS - 8) > 0.2 {
		t.Errorf("%v, %v", one.TimeS, eight.TimeS)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := predict.Run(ctx, request(t, "gemm", "LARGE", 1)); err == nil {
		t.Error("a cancelled prediction ends without an error")
	}
}

// A profile's counts add up, and a curve from it agrees with the exact one.
func TestProfilesAndCurves(t *testing.T) {
	p := kernel(t, "jacobi-2d", "MINI")
	for _, measure := range []string{"distance", "interval"} {
		for _, method := range []string{predict.MethodClass, predict.MethodExact} {
			out, err := predict.Profiles(context.Background(), predict.ProfileRequest{
				Signature: application.OfLoops("", p), Threads: []int{1, 3}, Measure: measure, Method: method,
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range out.Profiles {
				sum := h.Cold
				for _, b := range h.Histogram {
					sum += b.Count
				}
				if sum != h.Accesses {
					t.Errorf("%s, %s, %d threads: %d counted of %d", measure, method, h.Threads, sum, h.Accesses)
				}
			}
		}
	}
}

func TestCurveAgainstExact(t *testing.T) {
	p := kernel(t, "syrk", "SMALL")
	points := map[string][]predict.CurvePoint{}
	for _, method := range []string{predict.MethodClass, predict.MethodExact} {
		out, err := predict.Curves(context.Background(), predict.CurveRequest{
			Signature: application.OfLoops("", p), Threads: []int{4}, Method: method, Sizes: []int64{1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 20},
		})
		if err != nil {
			t.Fatal(err)
		}
		points[method] = out.Curves[0].Points
	}
	for i, want := range points[predict.MethodExact] {
		got := points[predict.MethodClass][i]
		if math.Abs(got.MissRatio-want.MissRatio) > 0.01+4*got.StandardError {
			t.Errorf("%d bytes: %v ± %v, exact %v", got.CacheBytes, got.MissRatio, got.StandardError, want.MissRatio)
		}
	}
}
