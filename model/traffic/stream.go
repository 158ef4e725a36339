package traffic

import (
	"math"

	"foresee/application/nest"
	"foresee/machine/bandwidth"
	"foresee/model/reuse"
)

// Stream is a stream of accesses whose reuse is known, with what is known of each of its references.
type Stream struct {
	Nest    *nest.Stream
	Sampled *reuse.Sampled
	line    int64     // bytes
	steps   []int     // by reference: the class of the distance between successive lines
	movers  []int     // by reference: the variable of the innermost loop that moves it; -1: none
	writes  []bool    // by reference
	first   []float64 // by reference: the share of first uses of lines
}

// NewStream looks at the references of a program's stream, whose lines are of so many bytes, and mends the weights of the sample.
func NewStream(p *nest.Program, n *nest.Stream, sampled *reuse.Sampled, line int64) *Stream {
	st := &Stream{Nest: n, Sampled: sampled, line: line, movers: make([]int, n.References()), writes: make([]bool, n.References())}
	st.steps = st.classes(bandwidth.UsualStreams)
	for i := range st.movers {
		st.movers[i] = -1
		if v, ok := n.Mover(i); ok {
			st.movers[i] = int(v)
		}
		st.writes[i] = n.Reference(i).Write
	}
	st.first = firstUses(p, n, sampled.Last)
	st.balance(p)
	return st
}

// Following is the stream as prefetchers see it that follow so many streams of lines at a time.
func (st *Stream) Following(streams int) *Stream {
	if streams == bandwidth.UsualStreams {
		return st
	}
	seen := *st
	seen.steps = st.classes(streams)
	return &seen
}

// classes are the classes of the steps between successive lines of each reference. A loop of no more iterations than prefetchers follow
// streams makes as many streams, in which the step is that of the loop around it.
func (st *Stream) classes(followed int) []int {
	out := make([]int, st.Nest.References())
	for i := range out {
		step := bandwidth.RandomStep()
		if stride := st.Nest.Stride(i, int64(followed)); stride != 0 {
			step = bandwidth.StepOfBytes(stride, float64(st.line))
		}
		out[i] = step.Class()
	}
	return out
}

// Misses are the lines that one cache lacks, as shares of all accesses.
type Misses struct {
	of          *Stream
	byReference []float64
}

// Misses are those of one cache, of which all together are given: hit is the probability that an access whose reuse distance is value, of a
// class of reuses, finds its line.
func (st *Stream) Misses(hit func(value float64, class int32) float64, all float64) Misses {
	m := Misses{st, make([]float64, len(st.steps))}
	d := st.Sampled.Distances
	total := d.Total()
	if total == 0 {
		return m
	}
	for _, p := range d.Points {
		if int(p.Reference) < len(m.byReference) {
			m.byReference[p.Reference] += p.Weight * (1 - hit(p.Value, p.Class)) / total
		}
	}
	for r, share := range st.first {
		m.byReference[r] += d.Cold / total * share
	}
	sum := sumOf(m.byReference)
	if sum > all && sum > 0 { // what a level above serves is no miss of this one
		for i := range m.byReference {
			m.byReference[i] *= all / sum
		}
	}
	return m
}

// BySteps sums the misses up by the class of the distance between a reference's successive lines.
func (m Misses) BySteps() (out [bandwidth.Steps]float64) {
	for r, n := range m.byReference {
		out[m.of.steps[r]] += n
	}
	return out
}

// Walks are translations of addresses that the TLBs no longer have, as shares of all accesses, by reference: those looked up in the page
// table, and of these the accesses whose entry there is far away as well.
type Walks struct{ looked, far []float64 }

// Walks are those of a stream whose lines are pages, by how many other pages were used since; line is that of the caches, in bytes.
func (st *Stream) Walks(line float64, f *bandwidth.Extended) Walks {
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
	return w
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
