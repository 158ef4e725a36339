package probe

import (
	"math"
	"testing"

	"foresee/machine"
)

// TestSweptEnd: where sweeps leave the speed of the last cache; nothing where memory is as fast, or where sizes lie too far apart.
func TestSweptEnd(t *testing.T) {
	const mib = 1 << 20
	curve := func(fast, slow, end float64, sizes ...float64) machine.Curve {
		c := machine.Curve{Kind: machine.SweepRead, Stride: 8}
		for _, s := range sizes {
			v := fast
			if s*mib > end*mib {
				v = slow
			}
			c.Points = append(c.Points, [3]float64{s * mib, v, 0.01})
		}
		return c
	}
	near := []float64{1, 2, 4, 5, 8, 12, 16, 20, 26, 33, 41, 50}
	for name, x := range map[string]struct {
		curves []machine.Curve
		want   float64
	}{
		"past the chase":     {[]machine.Curve{curve(7, 2, 18, near...), curve(3, 1.8, 21, near...), curve(13, 4, 18, near...)}, 18},
		"where the chase is": {[]machine.Curve{curve(7, 2, 6, near...), curve(3, 1.8, 6, near...), curve(13, 4, 6, near...)}, 7},
		"memory as fast":     {[]machine.Curve{curve(7, 6, 18, near...), curve(3, 2.5, 18, near...), curve(13, 10, 18, near...)}, 0},
		"too far apart":      {[]machine.Curve{curve(7, 2, 18, 1, 2, 4, 41, 50), curve(7, 2, 18, 1, 2, 4, 41, 50), curve(7, 2, 18, near...)}, 0},
	} {
		if got := sweptEnd(x.curves, 1*mib, 6*mib, 32*mib) / mib; math.Abs(got-x.want) > 0.11*max(x.want, 1) {
			t.Errorf("%s: %.1f MiB, want %.1f", name, got, x.want)
		}
	}
}
