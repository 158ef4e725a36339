package predict_test

import (
	"context"
	"testing"

	"foresee/accuracy"
	"foresee/application/nest"
	"foresee/machine"
	"foresee/predict"
)

// BenchmarkRun is the main job: LARGE kernels at four thread counts.
func BenchmarkRun(b *testing.B) {
	m, err := machine.Load("i7-5960x")
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"gemm", "lu", "jacobi-2d", "nussinov", "jacobi-2d-timetiled"} {
		ks, err := accuracy.Kernels(b.TempDir(), "LARGE", name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := predict.Run(context.Background(), predict.Request{
					Programs: []*nest.Program{ks[0].Program}, Machines: []*machine.Machine{m}, Threads: []int{1, 2, 4, 8},
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
