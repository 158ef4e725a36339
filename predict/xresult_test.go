package predict_test

import (
	"testing"

	"foresee/model/xmodel"
	"foresee/predict"
)

// The best number of threads is one that the machine has; a better one on more cores stands apart, and only where there is one.
func TestBestThreadsOnCores(t *testing.T) {
	// Memory serves a request in 10 cycles, one of them each cycle: 38 threads that compute 28 cycles for each saturate it.
	p := xmodel.Params{N: 8, Z: 28, E: 1, M: 1e9, R: 1, L: 10}
	for cores, beyond := range map[int]bool{8: true, 37: true, 38: false, 64: false} {
		r := predict.XGraph(predict.Header{}, "", "", p, xmodel.Scale{}, predict.XThreadLimits{Most: cores, Beyond: 4096}, nil)
		if want := min(cores, 38); r.BestThreads != want {
			t.Errorf("%d cores: %d threads, want %d", cores, r.BestThreads, want)
		}
		if (r.Beyond != nil) != beyond || beyond && (r.Beyond.Threads != 38 || r.Beyond.Cores != cores || r.Beyond.Gain <= r.BestGain) {
			t.Errorf("%d cores: beyond %+v, best ×%g", cores, r.Beyond, r.BestGain)
		}
		if r := predict.XGraph(predict.Header{}, "", "", p, xmodel.Scale{}, predict.XThreadLimits{Most: cores}, nil); r.BestThreads != min(cores, 38) || r.Beyond != nil {
			t.Errorf("%d cores: %d threads, beyond %+v, which nobody asked for", cores, r.BestThreads, r.Beyond)
		}
	}
}
