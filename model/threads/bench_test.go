package threads_test

import (
	"context"
	"testing"

	"foresee/internal/oracle/kernels"
	"foresee/model/threads"
)

// BenchmarkNewThreadCount is what one more number of threads costs, from a signature.
func BenchmarkNewThreadCount(b *testing.B) {
	for _, name := range []string{"gemm", "jacobi-2d-chunk", "covariance", "trmm-chunk1", "lu-chunk", "durbin"} {
		for _, size := range []string{"SMALL", "LARGE"} {
			b.Run(name+"/"+size, func(b *testing.B) {
				err := kernels.With(size, []string{name}, func(ks []kernels.Kernel) error {
					s, err := threads.Analyse(context.Background(), ks[0].Program, threads.AnalyseOptions{})
					if err != nil {
						return err
					}
					m := threads.NewModel(s)
					b.ResetTimer()
					for i := 0; b.Loop(); i++ {
						m.Distances(threads.Team{Threads: 64 + i%2, Group: 64})
					}
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}
