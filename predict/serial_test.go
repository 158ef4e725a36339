package predict_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"foresee/application"
	"foresee/application/csource"
	"foresee/machine"
	"foresee/predict"
)

// TestSerial: what one thread does alone is as long with eight threads as it is by itself, and is named by its loop.
func TestSerial(t *testing.T) {
	const text = `static double a[40000000], b[40000000];
void step(void) {
#pragma omp parallel for
    for (int i = 0; i < 40000000; i++)
        a[i] = a[i] * 1.1 + b[i];
SERIAL
}`
	const loop = `    for (int i = 0; i < 40000000; i++)
        b[i] = a[i] * a[i] / 3 + 1 / b[i];`
	m, err := machine.Load("granite-rapids-vm")
	if err != nil {
		t.Fatal(err)
	}
	of := func(text string, threads int) *predict.Prediction {
		unit, err := csource.Load("s.c", []byte(text), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := predict.Run(context.Background(), predict.Request{
			Signature: application.OfLoops("s.c", unit.Programs...), Machines: []*machine.Machine{m}, Threads: []int{threads}, Options: predict.Options{Seed: 1},
		})
		if err != nil {
			t.Fatal(err)
		}
		return &r.Predictions[0]
	}
	alone := of(strings.Replace(strings.ReplaceAll(text, "SERIAL", loop), "#pragma omp parallel for\n    for (int i = 0; i < 40000000; i++)\n        a[i] = a[i] * 1.1 + b[i];", "", 1), 1)
	for _, threads := range []int{2, 8} {
		p := of(strings.Replace(text, "SERIAL", loop, 1), threads)
		if s := p.Terms.SerialS; math.Abs(s / *alone.TimeS - 1) > 0.25 || s > *p.TimeS || p.Terms.SerialPlace != "s.c:6" {
			t.Errorf("%d threads: %g s of %g are serial, at %s; by itself that loop takes %g", threads, s, *p.TimeS, p.Terms.SerialPlace, *alone.TimeS)
		}
		if p := of(strings.Replace(text, "SERIAL", "", 1), threads); p.Terms.SerialS != 0 {
			t.Errorf("%d threads: %g s of a parallel loop are serial", threads, p.Terms.SerialS)
		}
	}
}
