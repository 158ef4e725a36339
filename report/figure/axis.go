package figure

import (
	"math"
	"slices"
	"strconv"

	"foresee/report"
)

// spacing is how values lie on an axis.
type spacing int

const (
	linear spacing = iota
	logarithmic
)

// axis maps values to 0..1 along a side of a plot.
type axis struct {
	label    string
	scale    spacing
	min, max float64
	ticks    []tick
}

// tick is a line across the plot.
type tick struct {
	at    float64
	label string // empty: a line without a label
}

// norm gives the place of v; values outside are moved to the border.
func (a axis) norm(v float64) float64 {
	lo, hi := a.min, a.max
	if a.scale == logarithmic {
		lo, hi, v = math.Log2(lo), math.Log2(hi), math.Log2(max(v, a.min))
	}
	if hi == lo {
		return 0.5
	}
	return min(max((v-lo)/(hi-lo), 0), 1)
}

// bytesAxis is logarithmic with ticks at powers of two, at most about ten of them labelled.
func bytesAxis(label string, lo, hi float64) axis {
	first, last := int(math.Floor(math.Log2(lo))), int(math.Ceil(math.Log2(hi)))
	if first == last {
		first, last = first-1, last+1
	}
	a := axis{label: label, scale: logarithmic, min: math.Min(lo, math.Exp2(float64(last))), max: hi}
	if lo == hi {
		a.min, a.max = math.Exp2(float64(first)), math.Exp2(float64(last))
	}
	every := 1
	for (last-first)/every > 9 {
		every++
	}
	for e := first; e <= last; e++ {
		at := math.Exp2(float64(e))
		if at < a.min || at > a.max {
			continue
		}
		label := ""
		if e%every == 0 && e < 62 {
			label = report.Bytes(int64(at))
		}
		if label != "" || every < 4 {
			a.ticks = append(a.ticks, tick{at, label})
		}
	}
	return a
}

// threadsAxis is logarithmic with its ticks at the thread counts themselves, as far as there is room.
func threadsAxis(threads []int) axis {
	lo, hi := float64(threads[0]), float64(threads[len(threads)-1])
	a := axis{label: "threads", scale: logarithmic, min: lo, max: hi}
	if lo == hi {
		a.min, a.max = lo/2, hi*2
	}
	const room = 0.075 // share of the axis that a label takes
	label := func(n int) {
		if a.free(float64(n), room) {
			a.ticks = append(a.ticks, tick{float64(n), strconv.Itoa(n)})
		}
	}
	label(threads[len(threads)-1]) // where the axis ends
	for _, n := range slices.Backward(threads) {
		if power(n) { // these win over what lies between them
			label(n)
		}
	}
	for _, n := range threads {
		label(n)
	}
	return a
}

// free tells whether no tick is nearer to v than room.
func (a axis) free(v, room float64) bool {
	for _, t := range a.ticks {
		if math.Abs(a.norm(t.at)-a.norm(v)) < room {
			return false
		}
	}
	return true
}

func power(n int) bool { return n&(n-1) == 0 }

// linearAxis has about five ticks at round numbers and covers lo..hi; print labels a tick with decimals.
func linearAxis(label string, lo, hi float64, print func(v float64, decimals int) string) axis {
	if hi <= lo {
		hi = lo + 1
	}
	step := roundStep((hi - lo) / 5)
	a := axis{label: label, min: math.Floor(lo/step+1e-9) * step, max: math.Ceil(hi/step-1e-9) * step}
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	for i := 0; ; i++ {
		v := a.min + float64(i)*step
		if v > a.max+step/2 {
			return a
		}
		a.ticks = append(a.ticks, tick{v, print(v, decimals)})
	}
}

// roundStep is the next step of 1, 2 or 5 times a power of ten.
func roundStep(raw float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 5} {
		if raw <= m*power*1.0001 {
			return m * power
		}
	}
	return 10 * power
}

// decadeAxis is logarithmic with ticks at 1, 2 and 5 times the powers of ten, or at fewer where they crowd.
func decadeAxis(label string, lo, hi float64, print func(v float64) string) axis {
	a := axis{label: label, scale: logarithmic, min: lo, max: hi}
	// A narrow range opens to at least a factor of two.
	if a.max < 2*a.min {
		mid := math.Sqrt(a.min * a.max)
		a.min, a.max = mid/math.Sqrt2, mid*math.Sqrt2
	}
	decades := math.Log10(a.max / a.min)
	steps := []float64{1, 2, 5}
	switch {
	case decades < 0.8:
		steps = fineSteps
	case decades > 3:
		steps = []float64{1}
	}
	every := 1 + int(decades/8)
	for e := int(math.Floor(math.Log10(a.min))); float64(e) <= math.Log10(a.max); e++ {
		for _, m := range steps {
			v := m * math.Pow(10, float64(e))
			if v >= a.min*0.999 && v <= a.max*1.001 && (len(steps) > 1 || e%every == 0) {
				a.ticks = append(a.ticks, tick{v, print(v)})
			}
		}
	}
	if len(a.ticks) == 0 || a.norm(a.ticks[0].at) > unlabelled {
		if first := firstTick(a, print); len(a.ticks) == 0 || first.at < a.ticks[0].at*0.999 {
			a.ticks = slices.Insert(a.ticks, 0, first)
		}
	}
	return a
}

// unlabelled is the most of a logarithmic axis that has no label at its beginning. Chosen.
const unlabelled = 0.2

// fineSteps are the round numbers of a decade where 1, 2 and 5 are too few. Chosen: each is 1.25 to 1.5 times the one before, 10 included, so
// that they lie about evenly on a logarithmic axis.
var fineSteps = []float64{1, 1.5, 2, 3, 4, 5, 7}

// firstTick is at a round number, the first on the axis.
func firstTick(a axis, print func(v float64) string) tick {
	power := math.Pow(10, math.Floor(math.Log10(a.min)))
	for _, m := range fineSteps {
		if v := m * power; v >= a.min*0.999 {
			return tick{v, print(v)}
		}
	}
	return tick{10 * power, print(10 * power)}
}

// doublingAxis is logarithmic with ticks at powers of two.
func doublingAxis(label string, lo, hi float64) axis {
	a := axis{label: label, scale: logarithmic, min: lo, max: hi}
	if a.max < 2*a.min {
		a.min, a.max = a.min/math.Sqrt2, a.max*math.Sqrt2
	}
	every := 1 + int(math.Log2(a.max/a.min)/8)
	for e := int(math.Ceil(math.Log2(a.min) - 1e-9)); float64(e) <= math.Log2(a.max)+1e-9; e++ {
		if e%every == 0 {
			a.ticks = append(a.ticks, tick{math.Exp2(float64(e)), report.Number(math.Exp2(float64(e)))})
		}
	}
	return a
}

func plainTick(v float64, decimals int) string {
	if v == 0 {
		return "0"
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

func percentTick(v float64, decimals int) string { return plainTick(v, decimals) + " %" }

// shortSeconds labels a tick: "500 µs", "2 ms".
func shortSeconds(s float64) string {
	size, unit := report.SecondsUnit(s)
	return strconv.FormatFloat(s/size, 'g', 3, 64) + " " + unit
}
