package predict_test

import (
	"context"
	"fmt"

	"foresee/application"
	"foresee/application/csource"
	"foresee/machine"
	"foresee/predict"
)

// triad is a parallel loop over three arrays of 8 MB.
const triad = `
double a[1000000], b[1000000], c[1000000];
void triad(void) {
#pragma omp parallel for
	for (int i = 0; i < 1000000; i++)
		a[i] = b[i] + 3 * c[i];
}`

// A signature and a machine make a prediction for each number of threads. Each core of the machine has a bandwidth of its own, and none is known
// that both share, so that two cores bring the arrays, which are larger than any cache, in half of the time.
func Example() {
	unit, err := csource.Load("triad.c", []byte(triad), csource.Options{})
	if err != nil {
		panic(err)
	}
	m, err := machine.Load("emerald-rapids-vm")
	if err != nil {
		panic(err)
	}
	result, err := predict.Run(context.Background(), predict.Request{
		Signature: application.OfLoops("triad.c", unit.Programs...), Machines: []*machine.Machine{m}, Threads: []int{1, 2},
	})
	if err != nil {
		panic(err)
	}
	for _, p := range result.Predictions {
		fmt.Printf("%d of %s's threads: %.1f times as fast as one, bound by %s\n", p.Threads, p.Machine, *p.Speedup, p.BoundBy)
	}
	// Output:
	// 1 of emerald-rapids-vm's threads: 1.0 times as fast as one, bound by memory
	// 2 of emerald-rapids-vm's threads: 2.0 times as fast as one, bound by memory
}

// Of every other element of 8 bytes, four lie in a line of 64: one access in four misses where the array is not there yet.
// Its 512 lines are thrown out before they are used again in a cache of 256, and stay in one of 512, where the first of ten passes alone misses.
func ExampleCurves() {
	unit, err := csource.Load("strided.c", []byte(`
double a[4096];
double strided(void) { double s = 0; for (int t = 0; t < 10; t++) for (int i = 0; i < 4096; i += 2) s += a[i]; return s; }`), csource.Options{})
	if err != nil {
		panic(err)
	}
	result, err := predict.Curves(context.Background(), predict.CurveRequest{
		Signature: application.OfLoops("strided.c", unit.Programs...), Threads: []int{1}, Sizes: []int64{16 << 10, 32 << 10}, Method: predict.MethodExact,
	})
	if err != nil {
		panic(err)
	}
	for _, point := range result.Curves[0].Points {
		fmt.Printf("%s: %.3f\n", machine.FormatSize(point.CacheBytes), point.MissRatio)
	}
	// Output:
	// 16 KiB: 0.250
	// 32 KiB: 0.025
}
