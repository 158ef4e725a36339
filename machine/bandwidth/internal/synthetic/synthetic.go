// Package synthetic makes up machines for tests: caches, a bandwidth function, and the sweep that it would show.
package synthetic

import (
	"math"
	"math/rand/v2"

	"foresee/machine/bandwidth"
)

// Caches are those of some machine with one to four levels, lines of 64 bytes and pages of 4 KiB.
func Caches(levels int) *bandwidth.Hierarchy {
	all := []bandwidth.Level{
		{Name: "L1", Bytes: 32 << 10, Ways: 8, Virtual: true},
		{Name: "L2", Bytes: 512 << 10, Ways: 8},
		{Name: "L3", Bytes: 8 << 20, Ways: 16},
		{Name: "L4", Bytes: 512 << 20, Ways: 16},
	}
	return &bandwidth.Hierarchy{Levels: all[:levels], Line: 64, Page: 4096}
}

// Form is a bandwidth function for the first of these caches: one that a fit should find again.
func Form(levels int) *bandwidth.Extended {
	return &bandwidth.Extended{
		CoreNs: 0.2, PassNs: 1.5, Norm: 3, Steepness: 1.3,
		Sources: []bandwidth.Source{
			{Name: "L2", SequentialNs: 0.5, UnprefetchedNs: 0.8, Reach: 1.7, ConflictNs: 1.4, ConflictReach: 1.5, ExposedNs: 0.4, ExposedShare: 0.1, UnprefetchedExposedNs: 0.4, UnprefetchedExposedShare: 0.6, StartNs: 8, StartLineNs: 0.5},
			{Name: "L3", SequentialNs: 2.2, UnprefetchedNs: 3, Reach: 2.2, ConflictNs: 6, ConflictReach: 2, ExposedNs: 1.5, ExposedShare: 0.2, UnprefetchedExposedNs: 5, UnprefetchedExposedShare: 1, StartNs: 20, StartLineNs: 1},
			{Name: "L4", SequentialNs: 4, UnprefetchedNs: 6, Reach: 1.6, ConflictNs: 14, ConflictReach: 2.1, ExposedNs: 3, ExposedShare: 0.5, UnprefetchedExposedNs: 10, UnprefetchedExposedShare: 2, StartNs: 30, StartLineNs: 2},
			{Name: "memory", SequentialNs: 9, UnprefetchedNs: 15, Reach: 2.4, ConflictNs: 40, ConflictReach: 1.8, ExposedNs: 9, ExposedShare: 1.5, UnprefetchedExposedNs: 30, UnprefetchedExposedShare: 5, StartNs: 60, StartLineNs: 5},
		}[:levels],
		Capacities: []bandwidth.Capacity{{Bytes: 33 << 10, Width: 0.05}, {Bytes: 540 << 10, Width: 0.35}, {Bytes: 7 << 20, Width: 0.25}, {Bytes: 480 << 20, Width: 0.25}}[:levels],
		WalkNs:     6, TableNs: 15, TLBBytes: 6 << 20, TLBWidth: 0.1, HalfConflict: 0.4,
	}
}

// Sweep is what a machine with a form would show to foresee machine measure, each bandwidth off by a factor exp(noise·N(0, 1)).
func Sweep(f *bandwidth.Extended, h *bandwidth.Hierarchy, noise float64, r *rand.Rand) (points []bandwidth.Point) {
	most := 8 * h.Levels[len(h.Levels)-1].Bytes
	add := func(p bandwidth.Point) {
		p.GBs = f.GBs(p, h.Line, h.Page) * math.Exp(noise*r.NormFloat64())
		points = append(points, p)
	}
	for _, stride := range []int{1, 2, 4, 8, 16, 32, 64} {
		for i := range 54 {
			add(bandwidth.Point{Stride: stride, Bytes: math.Floor(1024 * math.Pow(most/1024, float64(i)/53))})
		}
	}
	for _, lines := range []int{3, 9, 33, 161, 257, 64, 66} {
		for i := range 11 {
			add(bandwidth.Point{Stride: 8 * lines, Bytes: math.Floor(32768 * math.Pow(most/32768, float64(i)/10)), Columns: true})
		}
	}
	for _, streams := range []int{1, 3} {
		for i := range 11 {
			add(bandwidth.Point{Stride: 1, Bytes: math.Floor(12288 * math.Pow(most/12288, float64(i)/10)), CoreNs: 0.7, Streams: streams})
		}
	}
	for _, stride := range []int{72, 1288} {
		for _, core := range []float64{0.7, 1.4} {
			for i := range 9 {
				add(bandwidth.Point{Stride: stride, Bytes: math.Floor(32768 * math.Pow(most/32768, float64(i)/8)), Columns: true, CoreNs: core})
			}
		}
	}
	for _, lines := range []int{2, 8, 32} {
		for i := range 15 {
			add(bandwidth.Point{Stride: 1288, Bytes: math.Floor(32768 * math.Pow(most/32768, float64(i)/14)), Run: lines, CoreNs: 0.3})
		}
	}
	for pages := 512.0; pages <= 8192; pages *= 1.3 {
		add(bandwidth.Point{Stride: 1288, Bytes: math.Floor(pages) * 8 * 1288})
	}
	return points
}
