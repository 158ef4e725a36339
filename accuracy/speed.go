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

// walkLimit bounds one walk of the baseline.
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
	warm := func(r int64) error { k.At(r); _, err := k.Next(); return err }
	if out.Solved, err = rate(rng, s.Len(), limit, warm); err != nil {
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

// rate counts the calls of f that fit into the time; tables are filled before.
func rate(rng *rand.Rand, n int64, limit time.Duration, f func(r int64) error) (float64, error) {
	for range 64 {
		if err := f(rng.Int64N(n)); err != nil {
			return 0, err
		}
	}
	begin := time.Now()
	for calls := 0; ; calls++ {
		if calls%16 == 0 {
			if took := time.Since(begin); took >= limit {
				return float64(calls) / took.Seconds(), nil
			}
		}
		if err := f(rng.Int64N(n)); err != nil {
			return 0, err
		}
	}
}
