package scale

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"foresee/application/counters"
	"foresee/model/scaling"
)

// Models of Options.Model.
const (
	Auto     = "auto"    // foresee's own, and the surface of the decomposition for messages
	Own      = "own"     // foresee's own for every series
	PowerLaw = "power"   // a straight line in logarithms
	TimesP   = "times-p" // time × p as Extra-P's terms
	APMT     = "apmt"    // the published model
)

// ModelNames are all.
func ModelNames() []string { return []string{Auto, Own, PowerLaw, TimesP, APMT} }

// Options say what to predict.
type Options struct {
	At       []map[string]float64 // points asked for; each names all parameters
	Model    string               // one of ModelNames; empty: Auto
	Interval float64              // probability of the intervals; 0: usualInterval
	Share    float64              // a kernel's least share of the cost; 0: usualShare
	Cover    float64              // of the cost that kernels have, which smaller functions fill up; 0: usualCover; negative: no matter how little
	Accuracy float64              // largest error of a left-out run; 0: none is asked for
	HoldOut  int                  // the largest values of the first parameter that are left out and predicted
	Metrics  []string             // empty: all
	Callpath string               // empty: all; else those that contain it
	// Weak says that the problem grows with the processes, each having the same work.
	Weak bool
	// AllowChange predicts past a change of configuration.
	AllowChange bool
	// Work is D, the size of the problem, as powers of the parameters past the first: n^3 is {"n": 3}. The published model needs it where
	// sizes vary.
	Work map[string]float64
	// Clock and Latencies of the machine, for the published model.
	GHz       float64
	Latencies scaling.Latencies
	// Caches whose misses reuse profiles give.
	Caches []Cache
}

// What is taken where options leave it open. All are chosen.
const (
	usualInterval = 0.8
	usualShare    = 0.05
	usualCover    = 0.95
)

// fill takes the defaults, and refuses what cannot be meant.
func (o *Options) fill() error {
	if o.Model == "" {
		o.Model = Auto
	}
	if !slices.Contains(ModelNames(), o.Model) {
		return fmt.Errorf("unknown model %q; there are %s", o.Model, strings.Join(ModelNames(), ", "))
	}
	if o.Interval == 0 {
		o.Interval = usualInterval
	}
	if !(o.Interval > 0 && o.Interval < 1) {
		return fmt.Errorf("the interval's probability is %g; it must be between 0 and 1", o.Interval)
	}
	if o.Share == 0 {
		o.Share = usualShare
	}
	if !(o.Share > 0 && o.Share < 1) {
		return fmt.Errorf("the share of a kernel is %g; it must be between 0 and 1", o.Share)
	}
	if o.Cover == 0 {
		o.Cover = usualCover
	}
	if o.Cover > 1 {
		return fmt.Errorf("the share that kernels cover is %g; it must be at most 1", o.Cover)
	}
	if o.HoldOut < 0 {
		return errors.New("the number of held-out points is negative")
	}
	if !(o.Accuracy >= 0 && o.Accuracy <= 1) {
		return fmt.Errorf("the accuracy asked for is %g; it must be between 0 and 1", o.Accuracy)
	}
	if o.Accuracy > 0 && o.HoldOut == 0 {
		o.HoldOut = 1
	}
	return nil
}

// PointError is a point asked for that lacks a parameter which the measurements vary.
type PointError struct {
	Parameter string
	Example   string // a whole point, such as p=256,n=64
}

func (e *PointError) Error() string {
	return fmt.Sprintf("the point asked for has no value for %s, which the measurements vary", e.Parameter)
}

// points are the asked points in the set's order of parameters.
func (o *Options) points(set *counters.Set) ([][]float64, error) {
	var out [][]float64
	for _, at := range o.At {
		for name := range at {
			if !slices.Contains(set.Parameters, name) {
				return nil, fmt.Errorf("the measurements have no parameter %s; they have %s", name, strings.Join(set.Parameters, ", "))
			}
		}
		point := make([]float64, len(set.Parameters))
		for j, name := range set.Parameters {
			v, ok := at[name]
			if !ok {
				fixed, one := only(set, j)
				if !one {
					return nil, &PointError{Parameter: name, Example: example(set)}
				}
				v = fixed
			}
			if !(v > 0) {
				return nil, fmt.Errorf("%s=%g: parameters must be positive", name, v)
			}
			point[j] = v
		}
		out = append(out, point)
	}
	return out, nil
}

// only is the value of a parameter that does not vary.
func only(set *counters.Set, j int) (float64, bool) {
	first, there := 0.0, false
	for _, s := range set.Series {
		for _, m := range s.Points {
			if there && m.At[j] != first {
				return 0, false
			}
			first, there = m.At[j], true
		}
	}
	return first, there
}

// example is a point that could be asked for: four times the largest first parameter, the largest of the others.
func example(set *counters.Set) string {
	parts := make([]string, len(set.Parameters))
	for j, name := range set.Parameters {
		most := 1.0
		for _, s := range set.Series {
			for _, m := range s.Points {
				most = max(most, m.At[j])
			}
		}
		if j == 0 {
			most *= 4
		}
		parts[j] = fmt.Sprintf("%s=%g", name, most)
	}
	return strings.Join(parts, ",")
}
