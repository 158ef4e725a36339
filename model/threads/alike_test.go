package threads

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"foresee/internal/oracle/kernels"
	"foresee/model/reuse"
)

// modelsOf are those of small kernels, from few samples.
func modelsOf(t *testing.T, names ...string) (all []*Model) {
	t.Helper()
	err := kernels.With("SMALL", names, func(ks []kernels.Kernel) error {
		for _, k := range ks {
			s, err := Analyse(context.Background(), k.Program, AnalyseOptions{Seed: 1, Effort: 0.1})
			if err != nil {
				return err
			}
			all = append(all, NewModel(s))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestAlikeThreads: to look at threads whose iterations are alike from the farthest one on, and no farther than need be, gives what looking at each
// of them gives.
func TestAlikeThreads(t *testing.T) {
	for _, m := range modelsOf(t, "gemm", "mvt", "particles-soa", "lu-chunk", "vgg-stack", "doitgen") {
		each := NewModel(m.s)
		each.alike, each.likes = make([]bool, len(m.alike)), false
		found := 0
		for _, alike := range m.alike {
			if alike {
				found++
			}
		}
		if found == 0 {
			t.Errorf("%s: no sample is of iterations that are alike", m.s.Loops[0].Place)
		}
		for _, team := range []Team{{Threads: 2, Group: 2}, {Threads: 7, Group: 7, Seed: 1}, {Threads: 64, Group: 64}, {Threads: 64, Group: 8, Seed: 2}, {Threads: 300, Group: 300}} {
			if got, want := m.Distances(team), each.Distances(team); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %+v: differ from those of each thread looked at", m.s.Loops[0].Place, team)
			}
		}
	}
}

// TestSideBySide: a model that is asked from several sides at once answers each as it would alone.
func TestSideBySide(t *testing.T) {
	m := modelsOf(t, "gemm")[0]
	teams := []Team{{Threads: 3, Group: 3}, {Threads: 16, Group: 4}, {Threads: 16, Group: 16, Seed: 5}, {Threads: 16, Group: 1}}
	var want []*reuse.Distribution
	for _, team := range teams {
		want = append(want, m.Distances(team))
	}
	var group sync.WaitGroup
	for i := range 4 * len(teams) {
		group.Go(func() {
			if k := i % len(teams); !reflect.DeepEqual(m.Distances(teams[k]), want[k]) {
				t.Errorf("%+v differs from what it is alone", teams[k])
			}
		})
	}
	group.Wait()
}

// TestSorter compares with a stable sort.
func TestSorter(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var s sorter
	for n := range 300 {
		values := make([]float64, n)
		for i := range values {
			switch rng.IntN(4) {
			case 0:
				values[i] = math.Inf(1)
			case 1:
				values[i] = float64(rng.IntN(5))
			default:
				values[i] = math.Exp(40 * rng.Float64())
			}
		}
		want := make([]int32, n)
		for i := range want {
			want[i] = int32(i)
		}
		slices.SortStableFunc(want, func(a, b int32) int {
			switch {
			case values[a] < values[b]:
				return -1
			case values[a] > values[b]:
				return 1
			}
			return 0
		})
		if got := s.sort(values, nil); !slices.Equal(got, want) {
			t.Fatalf("%v: %v, want %v", values, got, want)
		}
	}
}
