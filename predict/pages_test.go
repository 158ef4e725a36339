package predict

import (
	"context"
	"math"
	"slices"
	"testing"

	"foresee/application/nest"
	"foresee/application/recording"
	"foresee/application/trace"
	"foresee/machine"
	"foresee/predict/hierarchy"
)

// A column of rows of 16 KiB: by virtual addresses 40 lines in two sets of L2; in pages anywhere, in sixteen: there they mostly fit.
func TestPagesSpreadColumns(t *testing.T) {
	p, _ := analysed(t, `double a[40][2048];
void k(void) {
  for (int r = 0; r < 200; r++)
    for (int i = 0; i < 40; i++)
      a[i][0] += 1.0;
}
`)
	m := shipped(t, "i7-5960x")
	for _, c := range []struct {
		page int64
		want float64 // share of L2 hits
	}{{InOrder, 0.5}, {4096, 0.9}, {0, 0.9}} {
		a := NewAnalysis(context.Background(), p, Options{Seed: 1, Page: c.page})
		levels, err := a.hits(m, 1, HitModelPlaced)
		if err != nil {
			t.Fatal(err)
		}
		page := Options{Page: c.page}
		h, _, err := hierarchy.Of(m, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		stream, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: h.LineBytes})
		if err != nil {
			t.Fatal(err)
		}
		all := newTogether(1)
		s, err := all.add(h, 1, page.pageOn(m), false)
		if err != nil {
			t.Fatal(err)
		}
		if err := enumerate(context.Background(), stream, stream.Each, func(float64) {}, func(e []trace.Event) error { return all.events(e, &trace.Names{}) }); err != nil {
			t.Fatal(err)
		}
		simulated := all.regions(s, &trace.Names{})[0].Levels[1].HitRate
		if math.Abs(levels[1].hit-simulated) > 0.06 || math.Abs(simulated-c.want) > 0.1 {
			t.Errorf("pages of %d: %.3f, simulated %.3f, want about %.1f", c.page, levels[1].hit, simulated, c.want)
		}
	}
}

// TestLeftOut: accesses are left out for machines that replace by age with lines of one size, in pages that hold all sets; and where nobody asks for reuse distances.
func TestLeftOut(t *testing.T) {
	usual, wide := *shipped(t, "i7-5960x"), *shipped(t, "i7-5960x")
	wide.LineBytes = &machine.Value[int]{Value: 128}
	wide.Levels = slices.Clone(wide.Levels)
	for i := range wide.Levels {
		l := &wide.Levels[i]
		size := *l.Size
		size.Value *= 2 // as many sets
		l.LineBytes, l.Size = nil, &size
	}
	for name, c := range map[string]struct {
		request Request
		want    recording.Lines
	}{
		"one machine":     {Request{Machines: []*machine.Machine{&usual}}, recording.Lines{Bytes: 64, Kept: 4}}, // a tree-PLRU of eight ways
		"wide lines":      {Request{Machines: []*machine.Machine{&wide}, Options: Options{Page: InOrder}}, recording.Lines{Bytes: 128, Kept: 4}},
		"pages too small": {Request{Machines: []*machine.Machine{&wide}, Options: Options{Page: 4096}}, recording.Lines{}},
		"both":            {Request{Machines: []*machine.Machine{&usual, &wide}, Options: Options{Page: InOrder}}, recording.Lines{}},
		"distances":       {Request{Machines: []*machine.Machine{&usual}, Options: Options{HitModel: HitModelSDCM}}, recording.Lines{}},
	} {
		if got := c.request.leftOut(); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
