package accuracy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"foresee/application/nest"
)

// Speed is how fast next uses are found on one core.
type Speed struct {
	Accesses int64
	Prepare  time.Duration // reading excluded
	Solved   float64       // samples a second by solving
	Walked   float64       // samples a second by walking from the access to its next use
	Cut      float64       // share of the walks given up at walkLimit: Walked is an upper bound
}

// walkLimit is the most accesses of one walk of the baseline. Chosen: walks to the ends of large programs would take all the time.
const walkLimit = 2_000_000

// MeasureSpeed times random samples of a stream for about the given time each way, on one core.
func MeasureSpeed(p *nest.Program, o nest.Options, limit time.Duration) (Speed, error) {
	begin := time.Now()
	s, err := nest.NewStream(p, o)
	if err != nil {
		return Speed{}, err
	}
	out := Speed{Accesses: s.Len(), Prepare: time.Since(begin)}
	if s.Len() == 0 {
		return out, fmt.Errorf("%s makes no accesses", p.Region)
	}
	k := s.Cursor()
	rng := rand.New(rand.NewPCG(5, 5))
	solve := func(r int64) error { k.At(r); _, err := k.Next(); return err }
	if out.Solved, err = rate(rng, s.Len(), limit, solve); err != nil {
		return out, err
	}
	cut, walks := 0.0, 0.0
	out.Walked, err = rate(rng, s.Len(), limit, func(r int64) error {
		walks++
		if !k.Walk(r, walkLimit) {
			cut++
		}
		return nil
	})
	out.Cut = cut / math.Max(walks, 1)
	return out, err
}

// How rate calls. Chosen: the first calls fill tables that later ones use, and the clock takes no time beside so many calls.
const (
	callsBefore = 64 // that are not counted
	callsALook  = 16 // between looks at the clock
)

// rate is how often f can be called in a second, with places drawn below n, in about the given time.
func rate(rng *rand.Rand, n int64, limit time.Duration, f func(r int64) error) (float64, error) {
	for range callsBefore {
		if err := f(rng.Int64N(n)); err != nil {
			return 0, err
		}
	}
	begin := time.Now()
	for calls := 0; ; calls++ {
		if calls%callsALook == 0 {
			if took := time.Since(begin); took >= limit {
				return float64(calls) / took.Seconds(), nil
			}
		}
		if err := f(rng.Int64N(n)); err != nil {
			return 0, err
		}
	}
}

// RateTable is the table of MeasureSpeed's figures.
type RateTable struct {
	table Table
	order []string // the kernels
}

// NewRates begins the table.
func NewRates() *RateTable {
	return &RateTable{table: Table{
		Title: "Samples a second on one core",
		Text: "Random accesses of the sequential stream whose next use is found, a second: by solving, at LARGE and at EXTRALARGE, and by walking on from the access in the same run, at LARGE. " +
			"A walk is cut after 2 million accesses, so that the walker's rate is an upper bound where walks were cut.",
		Columns: []string{"kernel", "accesses LARGE", "solving LARGE", "solving EXTRALARGE", "cost ratio", "walking LARGE", "cut"},
	}}
}

// Finish fills the table from each kernel's two figures, at LARGE and at EXTRALARGE.
func (t *RateTable) Finish(speeds map[string][]Speed) *Table {
	logs, ratios, worst, worstName := 0.0, 0.0, math.Inf(1), ""
	for _, name := range t.order {
		large, extra := speeds[name][0], speeds[name][1]
		ratio := large.Solved / extra.Solved
		t.table.Rows = append(t.table.Rows, []string{
			name, fmt.Sprint(large.Accesses), fmt.Sprintf("%.0f k/s", large.Solved/1e3), fmt.Sprintf("%.0f k/s", extra.Solved/1e3),
			fmt.Sprintf("%.2f", ratio), fmt.Sprintf("%.1f k/s", large.Walked/1e3), fmt.Sprintf("%.0f %%", 100*large.Cut),
		})
		logs += math.Log(large.Solved)
		ratios += math.Log(ratio)
		if large.Solved < worst {
			worst, worstName = large.Solved, name
		}
	}
	n := float64(len(t.order))
	t.table.Summary = []string{
		fmt.Sprintf("geometric mean at LARGE: %.2f M samples/s, worst %.3f M/s (%s), n = %d", math.Exp(logs/n)/1e6, worst/1e6, worstName, len(t.order)),
		fmt.Sprintf("geometric mean of the cost at EXTRALARGE over that at LARGE: %.2f", math.Exp(ratios/n)),
	}
	return &t.table
}
