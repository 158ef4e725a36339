package predict_test

import (
	"context"
	"math"
	"testing"

	"foresee/application"
	"foresee/application/csource"
	"foresee/predict"
)

// TestSharedCachesOfAnotherSize sweeps 32 MB again and again with eight threads: a cache of 20 MiB keeps next to nothing, as LRU drops each line before it comes
// again, and one of 80 MiB all but the first of twelve sweeps, 11/12 of the requests. Both are known by counting.
func TestSharedCachesOfAnotherSize(t *testing.T) {
	const text = `double a[4000000];
void f(void) {
for (int t = 0; t < 12; t++)
#pragma omp parallel for
for (int i = 0; i < 4000000; i++) a[i] = a[i] * 0.5; }`
	unit, err := csource.Load("f.c", []byte(text), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := load(t, "i7-5960x")
	for mib, want := range map[float64]float64{20: 0, 80: 11. / 12} {
		with, err := predict.WithSharedBytes(m, 8, mib*(1<<20))
		if err != nil {
			t.Fatal(err)
		}
		x, err := predict.XModel(context.Background(), predict.XRequest{
			Signature: application.OfLoops("f.c", unit.Programs...), Machine: with, Threads: 8, Options: predict.Options{Seed: 1},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := x.Params.Cache.HitRate(8); math.Abs(got-want) > 0.03 {
			t.Errorf("%g MiB: hits %.3f, counted %.3f", mib, got, want)
		}
		if math.Abs(x.Params.Cache.Size/(mib*(1<<20))-1) > 0.001 {
			t.Errorf("%g MiB: a cache of %g bytes", mib, x.Params.Cache.Size)
		}
	}
	if _, err := predict.WithSharedBytes(m, 8, 10); err == nil {
		t.Error("a cache of ten bytes")
	}
	if bytes, shared := predict.SharedBytes(m, 8); !shared || bytes != 20<<20 {
		t.Errorf("%g, %v", bytes, shared)
	}
}
