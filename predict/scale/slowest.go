package scale

import (
	"math"
	"strings"

	"foresee/application/counters"
	"foresee/model/scaling"
)

// slowest models the largest over the ranks as the mean times a ratio, since what makes ranks differ changes with the number of
// processes otherwise than the work does.
func (s *study) slowest() {
	var ratios []*scaling.Series
	var of []*fitted
	for _, f := range s.fits {
		mean := s.byName[f.callpath+" "+strings.TrimSuffix(f.metric, counters.MaxSuffix)]
		if !strings.HasSuffix(f.metric, counters.MaxSuffix) || mean == nil || len(mean.series.Y) != len(f.series.Y) {
			continue
		}
		ratio := *f.series
		ratio.Y = make([]float64, len(f.series.Y))
		for i := range ratio.Y {
			ratio.Y[i] = max(f.series.Y[i]/mean.series.Y[i], 1)
		}
		ratios, of = append(ratios, &ratio), append(of, f)
	}
	if len(ratios) == 0 {
		return
	}
	models, err := scaling.FitAll(ratios, scaling.RatioPrior(len(s.set.Parameters)))
	if err != nil {
		return
	}
	for i, f := range of {
		mean := s.byName[f.callpath+" "+strings.TrimSuffix(f.metric, counters.MaxSuffix)]
		models[i].Interval = s.options.Interval
		f.model = &product{mean: mean.model, ratio: models[i]}
		f.own = nil
	}
}

// product is a mean times the ratio of the slowest rank to it.
type product struct {
	mean  scaling.Model
	ratio *scaling.Posterior
}

// At multiplies; distances to the interval's ends add as independent ones, in logarithms. The largest is not below the mean.
func (p *product) At(at []float64) scaling.Prediction {
	a, b := p.mean.At(at), p.ratio.At(at)
	ratio := max(b.Value, 1)
	out := scaling.Prediction{Value: a.Value * ratio}
	low := math.Hypot(math.Log(a.Value/a.Low), math.Log(ratio/max(b.Low, 1)))
	high := math.Hypot(math.Log(a.High/a.Value), math.Log(max(b.High, ratio)/ratio))
	out.Low, out.High = out.Value*math.Exp(-low), out.Value*math.Exp(high)
	return out
}

// Formula is the product in words.
func (p *product) Formula() string {
	return "mean over the ranks (" + p.mean.Formula() + ") × largest over mean (" + p.ratio.Formula() + ")"
}
