package conflict_test

import (
	"context"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foresee/application/nest"
	"foresee/internal/oracle/kernels/sets"
	"foresee/model/cache"
	"foresee/model/conflict"
	"foresee/model/reuse"
)

func level(bytes, ways int64, r cache.Replacement, i cache.Inclusion) cache.Level {
	return cache.Level{Geometry: cache.Geometry{Lines: bytes / 64, Ways: ways}, Replacement: r, Inclusion: i}
}

// stream is a case of package sets and a sample of it.
func stream(t *testing.T, name string) (*nest.Stream, *reuse.Sampled) {
	t.Helper()
	for _, c := range sets.Cases() {
		if c.Name != name {
			continue
		}
		p, err := c.Program()
		if err != nil {
			t.Fatal(err)
		}
		s, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: 64})
		if err != nil {
			t.Fatal(err)
		}
		sampled, err := reuse.Sample(context.Background(), s, reuse.SampleOptions{Seed: 1, Draws: true})
		if err != nil {
			t.Fatal(err)
		}
		return s, sampled
	}
	t.Fatalf("no case %q", name)
	return nil, nil
}

// rates are the cumulative hit rates that counts give.
func rates(t *testing.T, s *nest.Stream, sampled *reuse.Sampled, o conflict.Options) (out []float64) {
	t.Helper()
	o.Prior = func(int, float64, int32) float64 { return 0.5 }
	h, err := conflict.Count(context.Background(), s, sampled, o)
	if err != nil {
		t.Fatal(err)
	}
	for l := range o.Levels {
		rate, _ := sampled.Distances.Expectation(func(_ float64, class int32) float64 {
			if class < 0 || math.IsNaN(h.Rates[l][class]) {
				return 1 // so near that no level loses the line
			}
			return h.Rates[l][class]
		})
		out = append(out, rate)
	}
	return out
}

// simulated are those of an exact simulation.
func simulated(t *testing.T, s *nest.Stream, o conflict.Options) (out []float64) {
	t.Helper()
	z, err := cache.NewSimulator(cache.Hierarchy{Levels: o.Levels, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	colouring := cache.NewColouring(o.Page, 64)
	s.Each(func(p nest.Place) bool {
		z.Access(0, colouring.Line(uint64(s.Address(p))), false)
		return true
	})
	for _, l := range z.Counts().Levels {
		out = append(out, 1-float64(l.Misses)/float64(s.Len()))
	}
	return out
}

// TestCount compares hit rates with exact simulation, to a point: columns in few sets, triangles, Gram and Schmidt, with all policies and
// inclusions, in order and in pages.
func TestCount(t *testing.T) {
	t.Parallel()
	hierarchies := map[string][]cache.Level{
		"LRU":                {level(4<<10, 8, cache.LRU, 0), level(32<<10, 8, cache.LRU, 0), level(256<<10, 16, cache.LRU, 0)},
		"PLRU":               {level(4<<10, 8, cache.PLRU, 0), level(32<<10, 8, cache.PLRU, 0), level(256<<10, 16, cache.LRU, cache.Inclusive)},
		"exclusive":          {level(4<<10, 2, cache.LRU, 0), level(64<<10, 16, cache.LRU, cache.Exclusive)},
		"one level":          {level(16<<10, 4, cache.LRU, 0)},
		"PLRU, L1 of 32 KiB": {level(32<<10, 8, cache.PLRU, 0), level(256<<10, 8, cache.PLRU, 0)},
	}
	for _, name := range []string{"orthogonal LD=128 N=120 M=100", "forward LD=512 N=120 R=60", "elimination LD=184 N=100", "columns LD=256 N=300 M=200", "wavefront LD=701 M=430", "diagonals LD=256"} {
		s, sampled := stream(t, name)
		for policy, levels := range hierarchies {
			for _, page := range []int64{0, 4096} {
				o := conflict.Options{Levels: levels, Page: page}
				got, want := rates(t, s, sampled, o), simulated(t, s, o)
				for l := range got {
					if math.Abs(got[l]-want[l]) > 0.01 {
						t.Errorf("%s, %s, page %d, level %d: %.4f, want %.4f", name, policy, page, l+1, got[l], want[l])
					}
				}
			}
		}
	}
}

// TestCutOffWalks has so little work that walks end before the use of the line: nothing is known of those, and a level that holds all data
// never loses a line.
func TestCutOffWalks(t *testing.T) {
	t.Parallel()
	s, sampled := stream(t, "columns LD=256 N=300 M=200")
	for _, work := range []int64{1000, 10_000, 100_000} {
		o := conflict.Options{Levels: []cache.Level{level(4<<10, 8, cache.LRU, 0), level(64<<20, 16, cache.LRU, 0)}, Work: work}
		o.Prior = func(int, float64, int32) float64 { return 1 }
		h, err := conflict.Count(context.Background(), s, sampled, o)
		if err != nil {
			t.Fatal(err)
		}
		for class, rate := range h.Rates[1] {
			if rate < 1 {
				t.Errorf("with work of %d, class %d hits the outer level in %v", work, class, rate)
			}
		}
	}
}

// TestCountIsTheSame whatever the cores.
func TestCountIsTheSame(t *testing.T) {
	t.Parallel()
	s, sampled := stream(t, "elimination LD=184 N=100")
	o := conflict.Options{Levels: []cache.Level{level(4<<10, 8, cache.LRU, 0), level(32<<10, 8, cache.PLRU, 0)}, Workers: 1}
	one := rates(t, s, sampled, o)
	o.Workers = 7
	if diff := cmp.Diff(one, rates(t, s, sampled, o)); diff != "" {
		t.Errorf("with 7 workers (-1 +7):\n%s", diff)
	}
}
