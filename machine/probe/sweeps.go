package probe

import (
	"fmt"
	"math"
	"slices"

	"foresee/machine"
	"foresee/machine/bandwidth"
)

// Strides are those of MultiMAPS, in elements of 8 bytes.
var Strides = []int{1, 2, 4, 8, 16, 32, 64}

// rows are the lengths of rows, in lines, of matrices that are walked down their columns. The strides of MultiMAPS are powers of
// two, whose lines crowd into a part of a cache's sets; the first of these do not, and go past what prefetchers follow and past a
// page. The last two crowd, into one set of many and into every other.
var (
	rows       = []int{3, 9, 33, 161, 257, 64, 66}
	updateRows = []int{9, 161, 64}
)

// stridesOf are those of a kind of sweep, in elements.
func stridesOf(kind string) []int {
	lines := rows
	switch kind {
	case machine.SweepColumns:
	case machine.SweepUpdateColumns:
		lines = updateRows
	case machine.SweepPages:
		return pageStrides
	default:
		return Strides
	}
	out := make([]int, len(lines))
	for i, n := range lines {
		out[i] = n * chaseStride / 8
	}
	return out
}

// fewestRows is the shortest column walked.
const fewestRows = 32

// pageStrides are steps to another page, in elements: lengths of rows as programs have them, by which pages spread over the sets of a
// TLB more or less evenly. A walk comes to so many pages that L2 holds a line of each, and second-level TLBs end between.
var pageStrides = []int{1288, 2100}

const (
	fewestPages = 1024
	mostPages   = 8192
	pageSizes   = 9
)

// worked are the sweeps with work, on one array, on several and down columns, as the probe knows them: no more in sequence than leaves
// memory the longer part.
var worked = map[string][]work{
	machine.SweepWorked:       {{0, 3, 1}, {2, 1, 1}, {2, 3, 1}, {2, 1, 72}, {4, 1, 72}, {2, 1, 1288}, {4, 1, 1288}},
	machine.SweepUpdateWorked: {{2, 1, 1}, {2, 3, 1}, {2, 1, 72}, {2, 1, 1288}},
}

// work is so many products and sums of each element of so many arrays side by side; of a stride other than 1, down the columns of a
// matrix with rows of so many elements.
type work struct{ amount, streams, stride int }

func (w work) String() string {
	if w.stride > 1 {
		return fmt.Sprintf("%d products and sums, rows of %s", w.amount, machine.FormatSize(8*int64(w.stride)))
	}
	return fmt.Sprintf("%d products and sums, arrays side by side: %d", w.amount, w.streams)
}

// leastWorked is the smallest array of sweeps with work, which L1 holds.
const leastWorked = 12 << 10

func (m *measurement) workedSizes(w work) []int64 {
	n, least := fewSizes, leastWorked
	if w.stride > 1 {
		least = max(least, fewestRows*8*w.stride)
	}
	if m.options.Thorough {
		n = coarseSizes
	}
	return sizes(float64(least), float64(max(m.most/2, int64(least)+8)), n)
}

func workedKey(kind string, w work, bytes int64) string {
	return fmt.Sprintf("%s %d %d %d %d", kind, w.amount, w.streams, w.stride, bytes)
}

func (m *measurement) planWorked(kind string) {
	for _, w := range worked[kind] {
		for _, b := range m.workedSizes(w) {
			samples, ns := m.fewRepeats(b)
			m.ask(workedKey(kind, w, b), "%s", workCommand(kind, w, b, usualPages, samples, ns))
			m.onCurve(fmt.Sprint(kind, w), workedKey(kind, w, b))
			m.steps[len(m.steps)-1].long = !m.options.Thorough && b >= longBytes
		}
	}
}

// workCommand asks for a point of a sweep with work.
func workCommand(kind string, w work, bytes int64, pages, samples int, ns float64) string {
	verb := machine.SweepRead
	if kind == machine.SweepUpdateWorked {
		verb = machine.SweepUpdate
	}
	return fmt.Sprintf("work %s %d %d %d %d %d %d %g", verb, w.amount, w.streams, w.stride, bytes, pages, samples, ns)
}

// The widths of tiles, in lines, and the rows of the matrix that they are of: as long as no power of two. Of a matrix of two rows L1
// holds all.
var (
	runLines  = []int{2, 8, 32}
	runStride = 1288
)

const runSizes = 8

func (m *measurement) runSizes() []int64 {
	row := int64(bandwidth.WordBytes * runStride)
	out := []int64{2 * row}
	tile := bandwidth.TileRows * row
	n := runSizes
	if m.options.Thorough {
		n = coarseSizes
	}
	return append(out, sizes(float64(tile), float64(max(m.most/2, 2*tile)), n)...)
}

func runsKey(kind string, lines int, bytes int64) string {
	return fmt.Sprintf("%s %d %d", kind, lines, bytes)
}

// runsCommand asks for a point of a sweep in tiles.
func runsCommand(kind string, lines, stride int, bytes int64, pages, samples int, ns float64) string {
	verb := machine.SweepRead
	if kind == machine.SweepUpdateRuns {
		verb = machine.SweepUpdate
	}
	return fmt.Sprintf("runs %s %d %d %d %d %d %d %g", verb, lines, bandwidth.TileRows, stride, bytes, pages, samples, ns)
}

func (m *measurement) planRuns(kind string) {
	for _, lines := range runLines {
		for _, b := range m.runSizes() {
			samples, ns := m.fewRepeats(b)
			m.ask(runsKey(kind, lines, b), "%s", runsCommand(kind, lines, runStride, b, usualPages, samples, ns))
			m.onCurve(fmt.Sprint(kind, lines), runsKey(kind, lines, b))
			m.steps[len(m.steps)-1].long = !m.options.Thorough && b >= longBytes
		}
	}
}

// sizes are n, evenly apart in their logarithms.
func sizes(least, most float64, n int) (out []int64) {
	for i := range n {
		b := int64(math.Round(least*math.Pow(most/least, float64(i)/float64(n-1)))) / 8 * 8
		if len(out) == 0 || b > out[len(out)-1] {
			out = append(out, b)
		}
	}
	return out
}

// repeats is the number of bursts of a walk in each round, and their least time.
func (m *measurement) repeats(bytes int64) (samples int, ns float64) {
	switch {
	case m.options.Thorough:
		return 7, burstNs
	case bytes >= longBytes:
		return 1, 1
	}
	return 4, burstNs
}

// fewRepeats are those of sweeps whose passes take long.
func (m *measurement) fewRepeats(bytes int64) (samples int, ns float64) {
	samples, ns = m.repeats(bytes)
	if bytes >= longBytes {
		samples = min(samples, 2)
	}
	return samples, ns
}

// sweepSizes are those of a kind of sweep by a stride.
func (m *measurement) sweepSizes(kind string, stride int) []int64 {
	switch kind {
	case machine.SweepColumns, machine.SweepUpdateColumns:
		return m.columnSizes(stride)
	case machine.SweepPages:
		each := 8 * float64(stride)
		return slices.DeleteFunc(sizes(fewestPages*each, mostPages*each, pageSizes), func(b int64) bool { return b > m.most })
	}
	if kind != machine.SweepRead && !m.options.Thorough {
		return sizes(leastBytes, float64(m.most), coarseSizes)
	}
	return sizes(leastBytes, float64(m.most), sweepSizes)
}

func (m *measurement) planSweep(kind string, strides []int) {
	for _, stride := range strides {
		for _, b := range m.sweepSizes(kind, stride) {
			if b < int64(stride)*16 { // an array has two elements
				continue
			}
			samples, ns := m.repeats(b)
			long := !m.options.Thorough && b >= longBytes
			if kind == machine.SweepColumns || kind == machine.SweepUpdateColumns {
				samples, ns = m.fewRepeats(b)
			}
			m.ask(sweepKey(kind, stride, b), "%s", sweepCommand(kind, stride, b, usualPages, samples, ns))
			m.onCurve(fmt.Sprint(kind, stride), sweepKey(kind, stride, b))
			m.steps[len(m.steps)-1].long = long
		}
	}
}

// Pages of a sweep: small ones, or such as programs get.
const (
	smallPages = 0
	usualPages = 2
)

// sweepCommand asks for a point of a sweep.
func sweepCommand(kind string, stride int, bytes int64, pages, samples int, ns float64) string {
	verb, what := "walk", kind
	switch kind {
	case machine.SweepColumns:
		verb, what = "columns", machine.SweepRead
	case machine.SweepUpdateColumns:
		verb, what = "columns", machine.SweepUpdate
	case machine.SweepPages:
		what = machine.SweepRead
	}
	return fmt.Sprintf("%s %s %d %d %d %d %g", verb, what, stride, bytes, pages, samples, ns)
}

// columnSizes are those of matrices that L1 does not hold, with columns of some length.
func (m *measurement) columnSizes(stride int) []int64 {
	least := max(m.capacity(0, leastBytes), fewestRows*int64(stride)*8)
	n := fewSizes
	if m.options.Thorough {
		n = coarseSizes
	}
	return sizes(float64(least), float64(max(m.most/2, least+8)), n)
}

func sweepKey(kind string, stride int, bytes int64) string {
	return fmt.Sprintf("walk %s %d %d", kind, stride, bytes)
}
