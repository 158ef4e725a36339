package scaling

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Combination is what foresee predicts of a series over a number of processes: the median of its own model, Amdahl's law and a power law, each
// with a weight that its past errors leave it – of points that were measured, predicted from those before them, by all series of the application.
// Forecasts that err apart are better together (Bates and Granger, Operational Research Quarterly 20, 1969), and a median is moved little by the one
// that fails.
//
// The interval holds two laws more, which small runs hardly tell: Worley's, in which something grows that is still small, and the last run dealt to
// ever more processes, as where a node's memory was what the small runs waited for.
type Combination struct {
	Own     *Posterior
	Weights Weights
	laws    []law
}

// Weights are the shares that the three models have of the median.
type Weights struct{ Own, Amdahl, Power float64 }

// law is a model beside foresee's own.
type law struct {
	model  Model
	share  float64 // of the interval's distribution, in units of the weights
	growth float64 // standard deviation of log y for each unit of log p beyond the measured range
	median bool    // it is in the median too
	close  bool    // it is so much closer to what was measured than the others that it counts as foresee's own model does
}

// Weights before anything is known of an application. Chosen, as round figures, which docs/accuracy/scaling.md judges: foresee's own model has more
// than half as long as it errs no more than the others.
const (
	ownWeight     = 2.5
	lawWeight     = 1    // of Amdahl's and of the power law
	growingShare  = 0.5  // of Worley's law
	onwardShare   = 0.05 // of the last run dealt on
	pastError     = 0.05 // of log y for each unit of log p, that a model is taken to have made before
	pastCount     = 2    // times
	largestError  = 2    // that counts: a power of p by which a model is off
	lawNoise      = 0.03 // standard deviation of log y about a law
	lawGrowth     = 0.05 // the least growth of a law's deviation
	errorToGrowth = 0.3  // of it, for each unit of a law's past errors
	usualGrowth   = 0.2  // of the own model's deviation, below which it counts for more
)

// What past errors are taken from, where there is much. Chosen: they are means of some hundred errors then.
const (
	fewestPast = 2   // points that a prediction starts from
	mostCuts   = 4   // of a series into a past and what followed
	mostJudged = 64  // series, those with the largest values
	mostPast   = 32  // points of a series: longer ones tell a model more than any law
	olderCut   = 0.5 // the weight of a cut over that of the next later one, which is more like the prediction that is asked for
)

// Combine finds the models of the series of one application. Only where they are over one parameter, a number of processes, are laws put beside
// foresee's own model.
func Combine(series []*Series, prior Prior) ([]*Combination, error) {
	own, err := FitAll(series, prior)
	if err != nil {
		return nil, err
	}
	out := make([]*Combination, len(series))
	for i := range out {
		out[i] = &Combination{Own: own[i], Weights: Weights{Own: 1}}
	}
	if len(series) == 0 || !prior.Dealt || len(series[0].Parameters) != 1 {
		return out, nil
	}
	errors := pastErrors(series, prior)
	for i, s := range series {
		if err := out[i].beside(s, errors); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// beside puts the laws beside the own model.
func (c *Combination) beside(s *Series, errors [4]float64) error {
	if len(s.Y) < fewestPast {
		return nil
	}
	weight := func(before float64, model int) float64 { return before * pastError / errors[model] }
	own, amdahlShare, powerShare := weight(ownWeight, pastOwn), weight(lawWeight, pastAmdahl), weight(lawWeight, pastPower)
	all := own + amdahlShare + powerShare
	c.Weights = Weights{Own: own / all, Amdahl: amdahlShare / all, Power: powerShare / all}
	amdahl, err := FitAmdahl(s)
	if err != nil {
		return err
	}
	power, err := FitPowerLaw(s)
	if err != nil {
		return err
	}
	growth := func(model int) float64 { return math.Hypot(lawGrowth, errorToGrowth*errors[model]) }
	last := len(s.Y) - 1
	c.laws = []law{
		{model: amdahl, share: c.Weights.Amdahl, growth: growth(pastAmdahl), median: true},
		{model: power, share: c.Weights.Power, growth: growth(pastPower), median: true},
		{model: &Amdahl{A: s.Y[last] * s.At[last][0]}, share: onwardShare * c.Weights.Own, growth: lawGrowth},
	}
	if worley, err := FitWorley(s); err == nil { // which needs three points
		grows := law{model: worley, share: weight(growingShare, pastWorley) / all, growth: growth(pastWorley)}
		if len(s.Y) >= fewestGrowing && worley.B > 0 && min(distance(amdahl, s), distance(power, s)) > closer*distance(worley, s) {
			grows.close = true
		}
		c.laws = append(c.laws, grows)
	}
	return nil
}

// When a term that grows is barely there: so many points, one more than Worley's law has coefficients, and that law so much closer to them than those without such a
// term. It then has so much more of what the upper end of the interval is taken from. Chosen.
const (
	fewestGrowing = 5
	closer        = 3
	closeShare    = 2
	exact         = 1e-4 // of log y: measurements have no more digits
)

// distance is the root mean square of the deviations of log y of a model.
func distance(m Model, s *Series) float64 {
	sum := 0.0
	for i, at := range s.At {
		off := math.Log(max(ValueOf(m, at), 1e-300) / s.Y[i])
		sum += off * off
	}
	return max(math.Sqrt(sum/float64(len(s.Y))), exact)
}

// The models whose past errors are counted.
const (
	pastOwn = iota
	pastAmdahl
	pastPower
	pastWorley
)

// pastErrors are the root mean squares of the errors that each model made of measured points, as powers of p: errors of log y over the distance in
// log p to the last point that it knew.
func pastErrors(series []*Series, prior Prior) (out [4]float64) {
	judged := judgedSeries(series)
	most, count := 0, float64(pastCount)
	for _, s := range judged {
		most = max(most, len(s.Y))
	}
	for m := range out {
		out[m] = pastCount * pastError * pastError
	}
	for cut := max(fewestPast, most-mostCuts); cut < most; cut++ {
		found, n := pastOf(judged, prior, cut)
		recent := math.Pow(olderCut, float64(most-1-cut))
		count += recent * n
		for m := range out {
			out[m] += recent * found[m]
		}
	}
	for m := range out {
		out[m] = math.Sqrt(out[m] / count)
	}
	return out
}

// judgedSeries are those whose past is looked at.
func judgedSeries(series []*Series) []*Series {
	out := slices.DeleteFunc(slices.Clone(series), func(s *Series) bool { return len(s.Y) > mostPast })
	if len(out) <= mostJudged {
		return out
	}
	slices.SortStableFunc(out, func(a, b *Series) int { return cmp.Compare(slices.Max(b.Y), slices.Max(a.Y)) })
	return out[:mostJudged]
}

// pastOf is the sums of the squared errors of what follows the first cut points of each series, and their number.
func pastOf(series []*Series, prior Prior, cut int) (out [4]float64, count float64) {
	var known, whole []*Series
	for _, s := range series {
		if len(s.Y) > cut {
			known = append(known, &Series{Name: s.Name, Parameters: s.Parameters, At: s.At[:cut], Y: s.Y[:cut], Spread: s.Spread[:cut]})
			whole = append(whole, s)
		}
	}
	own, err := FitAll(known, prior)
	if err != nil {
		return out, 0
	}
	for i, s := range whole {
		models := [4]Model{pastOwn: own[i]}
		amdahl, amdahlErr := FitAmdahl(known[i])
		power, powerErr := FitPowerLaw(known[i])
		if amdahlErr != nil || powerErr != nil {
			continue
		}
		models[pastAmdahl], models[pastPower], models[pastWorley] = amdahl, power, amdahl // as Worley's law is of two points
		if worley, err := FitWorley(known[i]); err == nil {
			models[pastWorley] = worley
		}
		for j := cut; j < len(s.Y); j++ {
			distance := math.Log(s.At[j][0] / s.At[cut-1][0])
			if !(distance > 0) {
				continue
			}
			for m, model := range models {
				off := min(math.Abs(math.Log(ValueOf(model, s.At[j])/s.Y[j]))/distance, largestError)
				out[m] += off * off
			}
			count++
		}
	}
	return out, count
}

// At is the weighted median of the three models, and the interval of all.
func (c *Combination) At(at []float64) Prediction {
	x := c.Own.design.at(at)
	m := c.Own.mixture(x)
	if len(c.laws) == 0 {
		return c.Own.At(at)
	}
	value := c.median(m, at)
	own := c.own(m, x)
	for i := range m.share {
		m.share[i] *= own
	}
	far := c.Own.beyond(x)
	above := mixture{share: slices.Clone(m.share), mean: slices.Clone(m.mean), deviation: slices.Clone(m.deviation)} // for the upper end
	for _, l := range c.laws {
		v := l.model.At(at).Value
		if !(v > 0) {
			continue
		}
		deviation, more := math.Hypot(lawNoise, l.growth*far), 1.0
		if l.close {
			more = closeShare * own / c.Weights.Own
		}
		m.add(l.share, math.Log(v), deviation)
		above.add(l.share*more, math.Log(v), deviation)
	}
	m.normalise()
	above.normalise()
	tail := (1 - c.Own.Interval) / 2
	return Prediction{Value: value, Low: min(math.Exp(m.quantile(tail)), value), High: max(math.Exp(m.quantile(1-tail)), math.Exp(above.quantile(1-tail)), value)}
}

// Median is the value alone.
func (c *Combination) Median(at []float64) float64 {
	m := c.Own.mixture(c.Own.design.at(at))
	return c.median(m, at)
}

// median is that of the three models, of which m is foresee's own.
func (c *Combination) median(m mixture, at []float64) float64 {
	both, own := mixture{mean: slices.Clone(m.mean)}, c.own(m, c.Own.design.at(at))
	for _, share := range m.share {
		both.share = append(both.share, share*own)
	}
	for _, l := range c.laws {
		if v := l.model.At(at).Value; l.median && v > 0 {
			both.share, both.mean = append(both.share, l.share), append(both.mean, math.Log(v))
		}
	}
	both.normalise()
	return math.Exp(both.median())
}

// Formula is the most probable form of the own model, and what others have to say.
func (c *Combination) Formula() string {
	if len(c.laws) == 0 {
		return c.Own.Formula()
	}
	return fmt.Sprintf("%s, beside Amdahl's law (%.0f %%) and a power law (%.0f %%)", c.Own.Formula(), 100*c.Weights.Amdahl, 100*c.Weights.Power)
}

// add adds a distribution.
func (m *mixture) add(share, mean, deviation float64) {
	m.share, m.mean, m.deviation = append(m.share, share), append(m.mean, mean), append(m.deviation, deviation)
}

// normalise makes the shares sum to 1.
func (m *mixture) normalise() { m.share = normalised(m.share) }

// own is the weight of the own model at a point where it predicts m. Where its forms agree more closely than laws do, as where measurements are exact,
// it counts for more, with the inverse of its variance.
func (c *Combination) own(m mixture, x []float64) float64 {
	mean, square := 0.0, 0.0
	for i, share := range m.share {
		off := m.mean[i] - m.mean[0]
		mean += share * off
		square += share * (off*off + m.deviation[i]*m.deviation[i])
	}
	usual := usualGrowth * c.Own.beyond(x)
	return c.Weights.Own * max(1, usual*usual/(square-mean*mean))
}
