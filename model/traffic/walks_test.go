package traffic

import (
	"math"
	"slices"
	"testing"

	"foresee/machine/bandwidth"
	"foresee/model/reuse"
)

// A walk down columns of planes, each element on another page, whose neighbour in the next row is on the same page or the next: the lines of the page table that it
// comes to anew are those of an exact simulation, with LRU TLBs and caches of lines of the table.
func TestLinesOfThePageTableAreShared(t *testing.T) {
	const page, plane, row, planes, rows = 4096, 500_000, 2000, 100, 120
	var addresses []int64
	for k := range int64(3) {
		for j := range int64(rows) {
			for i := range int64(planes) {
				addresses = append(addresses, i*plane+j*row+8*k)
			}
		}
	}
	const entries, lines = 64, 300 // of the TLB, and of the table in L2
	f := &bandwidth.Extended{TLBBytes: entries * page, TLBWidth: 1e-6, Capacities: []bandwidth.Capacity{{}, {Bytes: 3 * 64 * lines, Width: 1e-6}}}
	pages, tables := distances(addresses, page), distances(addresses, bandwidth.TableSpan(page))
	looked, far := 0.0, 0.0
	for i := range addresses {
		if pages[i] >= entries {
			looked++
			if tables[i] >= lines {
				far++
			}
		}
	}
	n := float64(len(addresses))
	w := streamOf(pages, page).Walks(streamOf(tables, bandwidth.TableSpan(page)), 64, f)
	if math.Abs(w.looked[0]-looked/n) > 1e-9 || math.Abs(w.far[0]-far/n) > 1e-9 || far == 0 || far > looked/4 {
		t.Errorf("%.4f of the accesses walk, %.4f to far entries; simulated %.4f and %.4f", w.looked[0], w.far[0], looked/n, far/n)
	}
}

// distances are those of each access, in other blocks of so many bytes since the last use; infinite of first uses.
func distances(addresses []int64, block int64) (all []float64) {
	var stack []int64
	for _, a := range addresses {
		i := slices.Index(stack, a/block)
		if i < 0 {
			all = append(all, math.Inf(1))
		} else {
			all = append(all, float64(i))
			stack = slices.Delete(stack, i, i+1)
		}
		stack = slices.Insert(stack, 0, a/block)
	}
	return all
}

// streamOf is a stream of one reference, far apart, with such distances.
func streamOf(distances []float64, line int64) *Stream {
	d := &reuse.Distribution{}
	for _, x := range distances {
		if math.IsInf(x, 1) {
			d.Cold++
			continue
		}
		d.Points = append(d.Points, reuse.Point{Value: x, Weight: 1})
	}
	return &Stream{Sampled: &reuse.Sampled{Distances: d}, line: line, steps: []int{bandwidth.RandomStep().Class()}, first: []float64{1}}
}
