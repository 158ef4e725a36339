package accuracy

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"foresee/model/scaling"
)

// Targets of the mean over the sets, in percent, by the number of measured points: what the tuning weighs the errors by.
var scalingTargets = []struct {
	k       int
	percent float64
}{{3, 20}, {4, 14}, {5, 15}}

// pull keeps the tuned figures near those that it started from, per squared unit of their logarithms.
const pull = 0.02

// quality is the sum over k of the mean over the sets of errors around the median, over its target.
func quality(sets []scalingSet, prior scaling.Prior) float64 {
	sum := 0.0
	for _, target := range scalingTargets {
		mean, n := 0.0, 0.0
		for i := range sets {
			if !slices.Contains(sets[i].ks, target.k) {
				continue
			}
			e := slices.Sorted(slices.Values(sets[i].run(target.k, ownMedians(prior)).errors))
			at := func(q float64) float64 { return e[int(q*float64(len(e)-1)+0.5)] }
			mean, n = mean+(2*at(0.5)+at(0.35)+at(0.65))/4, n+1
		}
		if n > 0 {
			sum += mean / n / target.percent
		}
	}
	return sum
}

// valueOnly skips the intervals.
type valueOnly struct{ *scaling.Posterior }

func (v valueOnly) At(at []float64) scaling.Prediction {
	return scaling.Prediction{Value: v.Median(at), Low: math.NaN(), High: math.NaN()}
}

func ownMedians(prior scaling.Prior) func([]*scaling.Series) []scaling.Model {
	return func(series []*scaling.Series) []scaling.Model {
		out := make([]scaling.Model, len(series))
		if fits, err := scaling.FitAll(series, prior); err == nil {
			for i, f := range fits {
				out[i] = valueOnly{f}
			}
		}
		return out
	}
}

// coordinates are the figures on scales without bounds.
func coordinates(f *scaling.Figures) []*float64 {
	out := []*float64{&f.Straight, &f.Rising, &f.Log, &f.Walk, &f.FreeMean, &f.FreeWidth, &f.Step, &f.Noise, &f.NoiseSpread, &f.Pool}
	for i := range f.Deltas {
		out = append(out, &f.Deltas[i])
	}
	for i := range f.Slopes {
		out = append(out, &f.Slopes[i])
	}
	for i := range f.Drifts {
		out = append(out, &f.Drifts[i])
	}
	return out
}

// The first of the coordinates are shares of two, the next one is a slope; the others are positive.
const (
	sharesOfTwo = 4
	slopeAt     = 4
)

func moved(f scaling.Figures, by []float64) scaling.Figures {
	for i, v := range coordinates(&f) {
		switch {
		case i < sharesOfTwo:
			*v = 1 / (1 + (1-*v) / *v * math.Exp(-by[i]))
		case i == slopeAt:
			*v += by[i]
		default:
			*v *= math.Exp(by[i])
		}
	}
	return f
}

// tune looks for figures with a better quality on the sets, by random steps from the start.
func tune(ctx context.Context, sets []scalingSet, start scaling.Figures, evaluations int, seed uint64) scaling.Figures {
	r := rand.New(rand.NewPCG(seed, 0))
	at := make([]float64, len(coordinates(&start)))
	best := quality(sets, start.Prior(1))
	step := 0.5
	for n := 0; n < evaluations && ctx.Err() == nil; n++ {
		next := slices.Clone(at)
		distance := 0.0
		for i := range next {
			if r.Float64() < 0.3 {
				next[i] += step * r.NormFloat64()
			}
			distance += next[i] * next[i]
		}
		if q := quality(sets, moved(start, next).Prior(1)) + pull*distance; q < best {
			best, at, step = q, next, min(1, step*1.3)
		} else {
			step = max(0.08, step*0.98)
		}
	}
	return moved(start, at)
}

// leftOut is the table of errors with figures tuned without the application that is predicted, from round figures.
func leftOut(ctx context.Context, sets []scalingSet, o Options) (*Table, error) {
	var applications []string
	for i := range sets {
		if a := sets[i].application(); !slices.Contains(applications, a) {
			applications = append(applications, a)
		}
	}
	var lock sync.Mutex
	var done atomic.Int64
	medians := map[string]map[int]float64{}
	var inside, asked int
	var group errgroup.Group
	group.SetLimit(2)
	for _, application := range applications {
		group.Go(func() error {
			var others []scalingSet
			for _, s := range sets {
				if s.application() != application {
					others = append(others, s)
				}
			}
			prior := tune(ctx, others, scaling.RoundFigures(), o.Evaluations, o.Seed).Prior(1)
			for i := range sets {
				if sets[i].application() != application {
					continue
				}
				found := map[int]float64{}
				var in, of int
				for _, k := range sets[i].ks {
					out := sets[i].run(k, own(prior))
					found[k] = out.median()
					in, of = in+out.inside, of+out.asked
				}
				lock.Lock()
				medians[sets[i].name] = found
				inside, asked = inside+in, asked+of
				lock.Unlock()
			}
			if o.Progress != nil {
				o.Progress(int(done.Add(1)), len(applications))
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	t := leftOutTable(sets, medians, o.Evaluations)
	t.Summary = append(t.Summary, fmt.Sprintf("intervals of 80 %% hold %.0f %% of the %d values", 100*float64(inside)/float64(max(asked, 1)), asked))
	return t, nil
}

func leftOutTable(sets []scalingSet, medians map[string]map[int]float64, evaluations int) *Table {
	t := &Table{
		Title:   "Scaling: each application predicted with a prior tuned on the others",
		Text:    fmt.Sprintf("As above, but the figures of the prior are tuned anew, from round ones by %d random steps, on the sets of all other applications.", evaluations),
		Columns: []string{"set", "k = 3", "k = 4", "k = 5"},
	}
	sums, counts := map[int]float64{}, map[int]float64{}
	for i := range sets {
		row := []string{sets[i].name}
		for _, k := range []int{3, 4, 5} {
			v, there := medians[sets[i].name][k]
			if !there {
				row = append(row, "")
				continue
			}
			sums[k], counts[k] = sums[k]+v, counts[k]+1
			row = append(row, fmt.Sprintf("%.1f", v))
		}
		t.Rows = append(t.Rows, row)
	}
	row := []string{"**mean**"}
	for _, k := range []int{3, 4, 5} {
		row = append(row, fmt.Sprintf("**%.1f**", sums[k]/max(counts[k], 1)))
	}
	t.Rows = append(t.Rows, row)
	return t
}
