package reuse_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"foresee/application/nest"
	"foresee/internal/oracle/kernels"
	"foresee/model/reuse"
)

func streamOf(t *testing.T, kernel, size string, threads, group int) *nest.Stream {
	t.Helper()
	ks, err := kernels.Load(t.TempDir(), size, kernel)
	if err != nil {
		t.Fatal(err)
	}
	s, err := nest.NewStream(ks[0].Program, nest.Options{Threads: threads, Group: group, Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// exactCurve walks the stream, group by group.
func exactCurve(s *nest.Stream, lines []float64) []float64 {
	h := reuse.NewHistogram(reuse.Fine)
	for g := range s.Groups() {
		e := reuse.NewStack(1)
		s.Each(func(p nest.Place) bool {
			if s.GroupOf(p.Position) != g {
				return true
			}
			if d, ok := e.Touch(uint64(p.Object)<<40 + uint64(p.Line)); ok {
				h.Add(d, 1)
			} else {
				h.Cold++
			}
			return true
		})
	}
	return h.Distribution().MissRatios(lines)
}

func TestSampleAgainstExact(t *testing.T) {
	lines := []float64{8, 16, 32, 64, 128, 256}
	for _, c := range []struct {
		kernel         string
		threads, group int
	}{{"gemm", 1, 1}, {"lu", 4, 4}, {"fdtd-2d", 4, 1}, {"syrk", 6, 2}, {"adi", 3, 3}} {
		s := streamOf(t, c.kernel, "MINI", c.threads, c.group)
		got, err := reuse.Sample(context.Background(), s, reuse.SampleOptions{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.Distances.Total()-float64(s.Len())) > 1e-6*float64(s.Len()) {
			t.Errorf("%s: weights add up to %v of %d", c.kernel, got.Distances.Total(), s.Len())
		}
		want, errs := exactCurve(s, lines), got.Distances.MissErrors(lines)
		for i, ratio := range got.Distances.MissRatios(lines) {
			if math.Abs(ratio-want[i]) > 0.01+4*errs[i] {
				t.Errorf("%+v, %v lines: %.4f ± %.4f, exact %.4f", c, lines[i], ratio, errs[i], want[i])
			}
		}
	}
}

func TestSampleDoesNotDependOnWorkers(t *testing.T) {
	s := streamOf(t, "jacobi-2d", "SMALL", 4, 4)
	var all []*reuse.Sampled
	for _, workers := range []int{1, 4} {
		x, err := reuse.Sample(context.Background(), s, reuse.SampleOptions{Seed: 7, Workers: workers, Reuses: 4000, Searches: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	if !reflect.DeepEqual(all[0], all[1]) {
		t.Error("one worker and four differ")
	}
}

func TestSampleStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := reuse.Sample(ctx, streamOf(t, "gemm", "LARGE", 1, 1), reuse.SampleOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// A column of a matrix with a stride of a power of two falls into few sets; neighbours fall into all alike.
func TestConflicts(t *testing.T) {
	far, near := make([]int64, 1000), make([]int64, 1000)
	for i := range far {
		far[i], near[i] = int64(16*(i+1)), int64(i+1)
	}
	d := &reuse.Distribution{Classes: [][]int64{far, near, nil}}
	for _, c := range []struct {
		sets, page int64
		want       [3]float64
	}{
		{64, 0, [3]float64{16.0 / 64, 1.0 / 64, 1.0 / 64}},
		{64, 64, [3]float64{16.0 / 64, 1.0 / 64, 1.0 / 64}},
		{2048, 0, [3]float64{16.0 / 2048, 1.0 / 2048, 1.0 / 2048}},
		{2048, 64, [3]float64{16.0 / 2048, 1.0 / 2048, 1.0 / 2048}}, // a quarter of the places of a page, in one of 32 colours
		{256, 16, [3]float64{1.0 / 16, 1.0 / 256, 1.0 / 256}},       // always the first place of a page, in one of 16 colours
	} {
		for i, want := range c.want {
			if got := d.Conflicts(c.sets, c.page)[i]; math.Abs(got-want) > 1e-3 {
				t.Errorf("%d sets, pages of %d lines, class %d: %v, want %v", c.sets, c.page, i, got, want)
			}
		}
	}
}
