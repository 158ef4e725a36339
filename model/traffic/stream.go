package traffic

import (
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
	apart   []float64 // by reference: the share of its lines that a table chooses far from those before
	movers  []int     // by reference: the variable of the innermost loop that moves it; -1: none
	writes  []bool    // by reference
	first   []float64 // by reference: the share of first uses of lines
	made    []float64 // by reference: the share of all accesses; nil where that could not be counted
}

// newStream looks at the references of a stream, whose lines are of so many bytes.
func newStream(n *nest.Stream, sampled *reuse.Sampled, line int64) *Stream {
	st := &Stream{Nest: n, Sampled: sampled, line: line, apart: make([]float64, n.References()), movers: make([]int, n.References()), writes: make([]bool, n.References())}
	st.steps = st.classes(bandwidth.UsualStreams)
	for i := range st.movers {
		st.movers[i] = -1
		if v, ok := n.Mover(i); ok {
			st.movers[i] = int(v)
		}
		st.writes[i] = n.Reference(i).Write
		st.apart[i] = n.Scattered(i, line)
	}
	return st
}

// Made is the share of all accesses that a reference of the source makes: that of all references of the stream that stand for it.
func (st *Stream) Made(a *nest.Access) float64 {
	for r, share := range st.made {
		if st.Nest.Reference(r).Origin() == a {
			return share
		}
	}
	return 0
}

// New is the share of all accesses that are the first ones to their line in their group of threads and made by a reference of the source.
func (st *Stream) New(a *nest.Access) float64 {
	d := st.Sampled.Distances
	total, sum := d.Total(), 0.0
	if total == 0 {
		return 0
	}
	for r, share := range st.first {
		if st.Nest.Reference(r).Origin() == a {
			sum += d.Cold / total * share
		}
	}
	return sum
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

// Stream is the one whose misses they are.
func (m Misses) Stream() *Stream { return m.of }

// Of are the misses of a reference of the source.
func (m Misses) Of(a *nest.Access) (sum float64) {
	for r, n := range m.byReference {
		if m.of.Nest.Reference(r).Origin() == a {
			sum += n
		}
	}
	return sum
}

// BySteps sums the misses up by the class of the distance between a reference's successive lines.
func (m Misses) BySteps() (out [bandwidth.Steps]float64) {
	for r, n := range m.byReference {
		out[m.of.steps[r]] += n
	}
	return out
}

// ObjectMisses is the lines of one object that a cache lacks.
type ObjectMisses struct {
	Name  string
	Share float64      // of all accesses
	Made  float64      // the share of all accesses that are to the object, at most
	Most  *nest.Access // that lacks most of them
}

// ByObject sums the misses up by object, in the order of their first references.
func (m Misses) ByObject() (out []ObjectMisses) {
	index, most := map[string]int{}, map[string]float64{}
	made := map[*nest.Access]bool{}
	for r, n := range m.byReference {
		a := m.of.Nest.Reference(r)
		i, known := index[a.Object.Name]
		if !known {
			i = len(out)
			index[a.Object.Name] = i
			out = append(out, ObjectMisses{Name: a.Object.Name, Most: a.Origin()})
		}
		out[i].Share += n
		switch {
		case m.of.made == nil:
			out[i].Made = 1
		case !made[a.Origin()]:
			made[a.Origin()] = true
			out[i].Made = min(1, out[i].Made+m.of.made[r])
		}
		if n > most[a.Object.Name] {
			out[i].Most, most[a.Object.Name] = a.Origin(), n
		}
	}
	return out
}
