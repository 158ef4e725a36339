package predict_test

import (
	"context"
	"math"
	"testing"

	"foresee/application"
	"foresee/application/csource"
	"foresee/machine"
	"foresee/predict"
)

// TestWarm compares a call whose caches the call before filled with the second of two in an exact simulation: data that fit in L1, L2 and L3, and in none.
func TestWarm(t *testing.T) {
	m := load(t, "i7-5960x")
	const sweepText = "for (int i = 1; i < N - 1; i++) b[i] = a[i-1] + a[i] + a[i+1];"
	for _, c := range []struct {
		name, body, size string
		threads          int
	}{
		{"L1", sweepText, "1500", 1},
		{"L2", sweepText, "9000", 1},
		{"L3", sweepText, "200000", 1},
		{"memory", sweepText, "1500000", 1},
		{"columns", "for (int j = 0; j < 64; j++) for (int i = 0; i < N; i++) a[i*64+j] += b[j];", "1000", 1},
		{"twice", "for (int r = 0; r < 2; r++) for (int i = 0; i < N; i++) b[i] += a[i];", "9000", 1},
		{"two threads", "\n#pragma omp parallel for\n" + sweepText, "20000", 2},
		{"four threads", "\n#pragma omp parallel for\n" + sweepText, "200000", 4},
	} {
		source := func(body string) *application.Signature {
			u, err := csource.Load("k.c", []byte("#define N "+c.size+"\ndouble a[64*N], b[N];\nvoid k(void) { "+body+"\n}\n"), csource.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return application.OfLoops("k.c", u.Programs...)
		}
		misses := func(body string) (accesses int64, rates []float64) {
			s, err := predict.Simulate(context.Background(), predict.SimulationRequest{Signature: source(body), Machine: m, Threads: c.threads})
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range s.Regions[0].Levels {
				rates = append(rates, (1-l.HitRate)*float64(s.Regions[0].Accesses))
			}
			return s.Regions[0].Accesses, rates
		}
		n, once := misses(c.body)
		_, both := misses("for (int c = 0; c < 2; c++) { " + c.body + " }")
		r := predict.Request{Signature: source(c.body), Machines: []*machine.Machine{m}, Threads: []int{c.threads}, Options: predict.Options{Seed: 1, Warm: true, Page: predict.InOrder}}
		for i, h := range run(t, r).Predictions[0].HitRates {
			if want := 1 - (both[i]-once[i])/float64(n); math.Abs(h.HitRate-want) > 0.01 {
				t.Errorf("%s: %s hits %.4f of a second call, simulated %.4f", c.name, h.Level, h.HitRate, want)
			}
		}
	}
}
