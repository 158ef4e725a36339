package threads_test

import (
	"context"
	"fmt"

	"foresee/application/csource"
	"foresee/model/threads"
)

// One analysis of a loop nest answers for any number of threads. Each thread walks through the whole of B, of 20 kB, for its rows of A: what
// a private cache sees stays, while in a shared one the threads bring B in for one another.
//
// Of the three accesses of an iteration, A misses once for the 8 elements of a line: 1/24. Between two uses of B lie 2·312.5 other lines, more
// than the 512 of the cache, so that B misses as often, but in a cache for n threads side by side for the first of them only: 1/24 + 1/24n,
// which is 0.083, 0.052 and 0.044. The model, which knows distances from a sample, is within 0.001 of that.
func Example() {
	unit, err := csource.Load("rows.c", []byte(`
double A[64][2500], B[2500];
void rows(void) {
#pragma omp parallel for
	for (int i = 0; i < 64; i++)
		for (int j = 0; j < 2500; j++)
			A[i][j] *= B[j];
}`), csource.Options{})
	if err != nil {
		panic(err)
	}
	signature, err := threads.Analyse(context.Background(), unit.Programs[0], threads.AnalyseOptions{Seed: 1})
	if err != nil {
		panic(err)
	}
	model := threads.NewModel(signature)
	const lines = 32 << 10 / 64 // of a cache of 32 KiB
	for _, n := range []int{1, 4, 16} {
		private := model.Distances(threads.Team{Threads: n, Group: 1}).MissRatios([]float64{lines})
		shared := model.Distances(threads.Team{Threads: n, Group: n}).MissRatios([]float64{lines})
		fmt.Printf("%2d threads: caches of their own miss %.3f, one for all misses %.3f\n", n, private[0], shared[0])
	}
	// Output:
	// 1 threads: caches of their own miss 0.084, one for all misses 0.084
	//  4 threads: caches of their own miss 0.084, one for all misses 0.052
	// 16 threads: caches of their own miss 0.084, one for all misses 0.044
}
