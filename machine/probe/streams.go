package probe

import (
	"fmt"
	"math"
	"slices"

	"foresee/internal/quantile"
	"foresee/machine"
	"foresee/machine/bandwidth"
)

// streamCounts are how many streams are passed over in turn: in steps of two where prefetchers of current cores end, coarser beside.
var streamCounts = func() []int {
	out := []int{1, 2, 4}
	for k := 6; k < 40; k += 2 {
		out = append(out, k)
	}
	for k := 40; k <= bandwidth.MostStreams; k += 4 {
		out = append(out, k)
	}
	return out
}()

// streamSamples are the bursts of each number of streams in each round. In all the sweep takes about a second.
const streamSamples = 9

// streamPlace is where streams lie.
type streamPlace struct {
	level string
	bytes int64 // of all streams together
	warm  bool  // they are passed over before, so that a cache holds them
}

// streamPlaces are memory, where arrays reach past the last cache, and the last cache of three or more: prefetchers that follow many streams
// bring lines into L2. Streams in a cache are the geometric mean of it and the one before, so that neither holds nor lacks them by chance.
func (m *measurement) streamPlaces() (out []streamPlace) {
	n := len(m.base.Levels)
	last := m.capacity(n-1, 1<<20)
	if m.most >= 2*last {
		out = append(out, streamPlace{"memory", m.most, false})
	}
	if n > 2 {
		inner := m.capacity(n-2, 1<<20)
		bytes := int64(math.Sqrt(float64(inner)*float64(last))) / streamUnit * streamUnit
		if bytes >= 2*inner && bytes <= min(last/2, m.most) {
			out = append(out, streamPlace{m.base.Levels[n-1].Name, bytes, true})
		}
	}
	return out
}

// streamUnit is what sizes of streams in a cache are multiples of, so that files read well.
const streamUnit = 64 << 10

func streamKey(level string, k int) string { return fmt.Sprintf("streams %s %d", level, k) }

func (m *measurement) planStreams() {
	for _, place := range m.streamPlaces() {
		warm := 0
		if place.warm {
			warm = 1
		}
		for _, k := range streamCounts {
			m.ask(streamKey(place.level, k), "streams %d %d %d %d %d %g", k, place.bytes, warm, usualPages, streamSamples, burstNs)
			m.onCurve("streams "+place.level, streamKey(place.level, k))
		}
	}
}

// streams keeps what was found of streams, and tells how many prefetchers follow: by memory, where that shows it, else by the last cache.
func (m *measurement) streams(out *machine.Machine) {
	for _, place := range m.streamPlaces() {
		c := machine.StreamCurve{Level: place.level, Bytes: machine.Size(place.bytes)}
		for _, k := range streamCounts {
			if s, ok := m.answers[streamKey(place.level, k)]; ok && s.Value > 0 {
				c.Points = append(c.Points, [3]float64{float64(k), round(s.Value), round(s.Spread)})
			}
		}
		if len(c.Points) == 0 {
			continue
		}
		out.Measured.Streams = append(out.Measured.Streams, c)
		if out.Measured.PrefetchStreams == nil {
			if n, how := followed(c); n > 0 {
				out.Measured.PrefetchStreams = value(n, fmt.Sprintf("%s: streams of lines passed over in turn, in %s, %s", m.when(), place.level, how))
			}
		}
	}
	if len(out.Measured.Streams) > 0 && out.Measured.PrefetchStreams == nil {
		m.leave("how many streams prefetchers follow (the times of a line show neither one step nor none)")
	}
}

const (
	// followedRise is how many times as long a line takes at least once prefetchers no longer follow its stream. Chosen: on a Zen 4, lines
	// from L3 take 1.5 times as long, and from memory three to four times.
	followedRise = 1.3
	// fewestCounts is how many numbers of streams there must be on either side of the step, and in all twice as many as that and a half of
	// those that were tried.
	fewestCounts = 3
)

// followed is how many streams prefetchers follow by a curve, and how that shows; 0 where it does not. Of two levels, one up to some number
// of streams and one from the next on, those are taken that the logarithms of the times lie nearest to, by absolute distances: one point
// that other work slowed down moves none. Times that are longer than those of more streams do not count at all.
func followed(c machine.StreamCurve) (int, string) {
	points := undisturbed(c.Points)
	if len(points) < max(2*fewestCounts, len(streamCounts)/2) {
		return 0, ""
	}
	y := make([]float64, len(points))
	for i, p := range points {
		y[i] = math.Log(p[1])
	}
	least, at := math.Inf(1), 0
	for i := fewestCounts; i <= len(y)-fewestCounts; i++ {
		if off := offMedian(y[:i]) + offMedian(y[i:]); off < least {
			least, at = off, i
		}
	}
	below, beyond := math.Exp(quantile.Median(y[:at])), math.Exp(quantile.Median(y[at:]))
	switch last := points[len(points)-1]; {
	case beyond >= followedRise*below:
		return int(points[at-1][0]), fmt.Sprintf("%.3g ns a line up to so many and %.3g ns from %g on", below, beyond, points[at][0])
	case last[0] == bandwidth.MostStreams && last[1] < followedRise*below:
		return bandwidth.MostStreams, fmt.Sprintf("at least: %.3g ns a line and no step up to %d", below, bandwidth.MostStreams)
	}
	return 0, ""
}

// undisturbed are the points that take no longer, a little aside, than any of more streams.
func undisturbed(points [][3]float64) (out [][3]float64) {
	least := math.Inf(1)
	for _, p := range slices.Backward(points) {
		if p[1] <= slowerBy*least {
			least = min(least, p[1])
			out = append(out, p)
		}
	}
	slices.Reverse(out)
	return out
}

// offMedian is the sum of the distances of values from their median.
func offMedian(values []float64) (sum float64) {
	middle := quantile.Median(values)
	for _, v := range values {
		sum += math.Abs(v - middle)
	}
	return sum
}
