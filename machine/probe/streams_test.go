package probe

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"foresee/machine"
)

// curveOf is the curve of a machine whose prefetchers follow so many streams, with a slope of so much beside the step, in a ramp over so many
// streams, and noise that only adds.
func curveOf(followed int, rise, slope, ramp, noise float64, r *rand.Rand) (c machine.StreamCurve) {
	for _, k := range streamCounts {
		lost := min(max((float64(k-followed)-0.5+ramp/2)/max(ramp, 1), 0), 1)
		ns := 2 * math.Pow(rise, lost) * (1 + slope*float64(k))
		if r.Float64() < noise {
			ns *= 1 + 4*r.Float64()
		}
		ns *= 1 + noise/4*r.Float64()
		c.Points = append(c.Points, [3]float64{float64(k), ns, 0.01})
	}
	return c
}

// Of made-up machines the step is found again, also among noise.
func TestFollowed(t *testing.T) {
	for _, c := range []struct {
		followed                 int
		rise, slope, ramp, noise float64
		off                      int
	}{
		{8, 3, 0, 0, 0, 0},
		{16, 1.5, 0, 0, 0, 0},
		{32, 5, 0, 0, 0, 0},
		{32, 1.5, 0.001, 0, 0, 0},
		{22, 4, 0.002, 12, 0, 4},
		{24, 4, 0, 0, 0.2, 4},
		{32, 2, 0, 6, 0.2, 6},
	} {
		for seed := range uint64(20) {
			got, how := followed(curveOf(c.followed, c.rise, c.slope, c.ramp, c.noise, rand.New(rand.NewPCG(seed, 1))))
			if got < c.followed-c.off || got > c.followed+c.off || how == "" {
				t.Errorf("%+v, seed %d: %d streams, %s", c, seed, got, how)
			}
		}
	}
	if got, how := followed(curveOf(64, 1, 0, 0, 0.02, rand.New(rand.NewPCG(1, 1)))); got != 64 || !strings.Contains(how, "at least") {
		t.Errorf("no step: %d streams, %s", got, how)
	}
	few := curveOf(22, 4, 0, 0, 0, rand.New(rand.NewPCG(1, 1)))
	few.Points = few.Points[:len(few.Points)/3]
	if got, _ := followed(few); got != 0 {
		t.Errorf("%d streams by a third of the points", got)
	}
	if got, _ := followed(machine.StreamCurve{}); got != 0 {
		t.Errorf("%d streams by none", got)
	}
}

// Curves that were measured on a virtual Zen 4, of which memory is shared with others: both tell the same.
func TestFollowedOfZen4(t *testing.T) {
	for name, points := range map[string][][3]float64{
		"memory": {{14, 2.19}, {16, 2.63}, {18, 3.13}, {20, 4.11}, {22, 5.07}, {24, 6.85}, {26, 7.38}, {28, 8.32}, {30, 9.87}, {32, 10.72}, {34, 11.64}, {36, 12.01}, {38, 11.88}, {40, 11.91}, {44, 11.82}, {48, 12.59}, {52, 13.44}, {56, 13.92}, {60, 14.7}, {64, 14.98}},
		"L3":     {{1, 1.7}, {2, 1.73}, {4, 1.68}, {6, 1.71}, {8, 1.77}, {10, 1.69}, {12, 1.81}, {14, 1.73}, {16, 1.78}, {18, 1.84}, {20, 2.01}, {22, 2.1}, {24, 2.76}, {26, 2.63}, {28, 2.76}, {34, 2.89}, {36, 2.72}, {38, 2.87}, {44, 2.64}, {48, 2.87}, {56, 2.97}, {64, 3.36}},
	} {
		if got, how := followed(machine.StreamCurve{Points: points}); got != 22 {
			t.Errorf("%s: %d streams, %s", name, got, how)
		}
	}
}

// Streams lie in memory only where arrays reach past the last cache, and in a cache only where there is room between it and the one before.
func TestStreamPlaces(t *testing.T) {
	for _, c := range []struct {
		sizes []machine.Size
		most  int64
		want  string
	}{
		{[]machine.Size{32 << 10}, 1 << 20, "memory 1048576"},
		{[]machine.Size{32 << 10, 1 << 20}, 4 << 20, "memory 4194304"},
		{[]machine.Size{32 << 10, 1 << 20, 16 << 20}, 64 << 20, "memory 67108864, L3 4194304"},
		{[]machine.Size{32 << 10, 1 << 20, 16 << 20}, 16 << 20, "L3 4194304"},
		{[]machine.Size{32 << 10, 1 << 20, 16 << 20}, 1 << 20, ""}, // the user wants no larger arrays
		{[]machine.Size{32 << 10, 1 << 20, 2 << 20}, 64 << 20, "memory 67108864"},
	} {
		m := &measurement{base: &machine.Machine{}, most: c.most}
		for i, size := range c.sizes {
			m.base.Levels = append(m.base.Levels, machine.Level{Name: fmt.Sprintf("L%d", i+1), Size: value(size, "test")})
		}
		var got []string
		for _, p := range m.streamPlaces() {
			got = append(got, fmt.Sprintf("%s %d", p.level, p.bytes))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%v, arrays of at most %d: %q, want %q", c.sizes, c.most, text, c.want)
		}
	}
}
