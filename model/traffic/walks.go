package traffic

import (
	"math"

	"foresee/machine/bandwidth"
	"foresee/model/reuse"
)

// Walks are translations of addresses that the TLBs no longer have, as shares of all accesses, by reference: those looked up in the page
// table, and of these the accesses whose entry there is far away as well.
type Walks struct{ looked, far []float64 }

// Walks are those of a stream whose lines are pages, by how many other pages were used since. Tables is the same stream with the pages that one line of
// the page table tells of as lines: pages beside one another share it, whichever loop goes from one to the next. Line is that of the caches, in bytes.
func (st *Stream) Walks(tables *Stream, line float64, f *bandwidth.Extended) Walks {
	w := Walks{make([]float64, len(st.steps)), make([]float64, len(st.steps))}
	d := st.Sampled.Distances
	total := d.Total()
	if total == 0 {
		return w
	}
	add := func(weight, pages float64, reference int) {
		if reference < len(st.steps) {
			w.looked[reference] += weight / total
			w.far[reference] += weight / total * f.TableMiss(bandwidth.StepOf(st.steps[reference]).Lines, pages, line)
		}
	}
	for _, p := range d.Points {
		add(p.Weight*f.TLBMiss(p.Value*float64(st.line)), p.Value, int(p.Reference))
	}
	for r, share := range st.first {
		add(d.Cold*share, math.Inf(1), r)
	}
	for r, far := range tables.farTables(line, f) {
		w.far[r] = min(w.far[r], far)
	}
	return w
}

// farTables are, of a stream whose lines are what lines of the page table tell of, the accesses that come to one of them which L2 no longer holds, as shares
// of all, by reference.
func (st *Stream) farTables(line float64, f *bandwidth.Extended) []float64 {
	far := make([]float64, len(st.steps))
	d := st.Sampled.Distances
	total := d.Total()
	if total == 0 {
		return far
	}
	for _, p := range d.Points {
		if r := int(p.Reference); r < len(far) {
			far[r] += p.Weight / total * f.TableLineMiss(p.Value, line)
		}
	}
	for r, share := range st.first {
		far[r] += d.Cold * share / total
	}
	return far
}

// of is how many translations some references look up, of so many accesses in all, and the share of these whose entry is far away.
func (w Walks) of(references []int, accesses float64) (walks, table float64) {
	far := 0.0
	for _, r := range references {
		if r < len(w.looked) {
			walks += w.looked[r] * accesses
			far += w.far[r] * accesses
		}
	}
	if walks > 0 {
		table = far / walks
	}
	return walks, table
}

// PageWalks is the share of accesses to pages whose translation must be looked up, by their reuse distances in pages of so many bytes, and
// the share of these whose entry in the page table is far away, pages being anywhere.
func PageWalks(d *reuse.Distribution, page, line float64, f *bandwidth.Extended) (walks, far float64) {
	mean := func(of func(pages float64) float64) float64 {
		rest, _ := d.Expectation(func(pages float64, _ int32) float64 { return 1 - of(pages) })
		return 1 - rest
	}
	walks = mean(func(pages float64) float64 { return f.TLBMiss(pages * page) })
	if walks > 0 {
		far = mean(func(pages float64) float64 { return f.TLBMiss(pages*page) * f.TableMiss(math.Inf(1), pages, line) }) / walks
	}
	return walks, far
}
