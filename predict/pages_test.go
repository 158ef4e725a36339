package predict

import (
	"context"
	"math"
	"testing"

	"foresee/model/cache"
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
		h, _, err := Hierarchy(m, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := newSimulation(h, false, 1)
		if err != nil {
			t.Fatal(err)
		}
		if c.page != InOrder {
			s.colouring = cache.NewColouring(4096, h.LineBytes)
		}
		if err := s.program(context.Background(), p, h, &meter{}); err != nil {
			t.Fatal(err)
		}
		simulated := s.regions(nil)[0].Levels[1].HitRate
		if math.Abs(levels[1].hit-simulated) > 0.06 || math.Abs(simulated-c.want) > 0.1 {
			t.Errorf("pages of %d: %.3f, simulated %.3f, want about %.1f", c.page, levels[1].hit, simulated, c.want)
		}
	}
}
