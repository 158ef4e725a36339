package predict

import (
	"testing"

	"foresee/machine"
)

// The interval of a time has a width by what is known of the code, but of a time as published.
func TestSpread(t *testing.T) {
	known := &machine.Machine{Instructions: &machine.Instructions{}}
	for _, c := range []struct {
		p    Prediction
		on   *machine.Machine
		want float64
	}{
		{Prediction{Model: ModelBandwidth}, known, tracedSpread},
		{Prediction{Model: ModelOverlap}, known, tracedOverlapSpread},
		{Prediction{Model: ModelPPT}, known, 1},
		{Prediction{Model: ModelBandwidth, Code: "gcc -O2"}, known, codeSpread},
		{Prediction{Model: ModelOverlap, CodeAssumed: "gcc -O2"}, known, assumedSpread},
		{Prediction{Model: ModelBandwidth, Code: "gcc -O2"}, &machine.Machine{}, derivedSpread},
	} {
		if got := c.p.spread(c.on); got != c.want {
			t.Errorf("%s, code %q %q: %g, want %g", c.p.Model, c.p.Code, c.p.CodeAssumed, got, c.want)
		}
	}
}
