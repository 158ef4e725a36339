package counters

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
)

// Set is the measurements of one application at several points of its parameters, for instance the number of
// processes p and the problem size n.
type Set struct {
	Parameters []string // in order of first appearance
	Series     []Series // in order of first appearance
	Reuse      []Reuse  // reuse profiles of regions
	Warnings   []string // what was left out or assumed, one sentence each

	index map[seriesKey]int
	reuse map[string]bool // regions and points of Reuse
}

// Limits on a set. Models are fitted to a few parameters and some points of each; no run has more.
const (
	MostParameters   = 32
	MostPoints       = 4096 // of a series
	largestParameter = 1e15 // so that products of parameters stay finite
)

// Series is one metric of one callpath at all measured points.
type Series struct {
	Callpath string // "main->solve"
	Metric   string // "time" in seconds, "instructions", "bytes", …
	Points   []Measurement
}

// Measurement is the repetitions of one measurement at one point.
type Measurement struct {
	At     []float64 // one value for each of Set.Parameters
	Values []float64 // finite; at least one
}

// seriesKey tells series apart.
type seriesKey struct{ callpath, metric string }

// Median of the repetitions.
func (m Measurement) Median() float64 {
	v := slices.Sorted(slices.Values(m.Values))
	n := len(v)
	if n == 0 {
		return math.NaN()
	}
	return (v[(n-1)/2] + v[n/2]) / 2
}

// Spread is the relative standard deviation of the median, estimated from the median distance of the repetitions to it so that single
// runs gone wrong do not count: 1.2533 · 1.4826 · MAD / √n over the median; 0 for one repetition.
func (m Measurement) Spread() float64 {
	median := m.Median()
	if len(m.Values) < 2 || median == 0 {
		return 0
	}
	distances := Measurement{}
	for _, v := range m.Values {
		distances.Values = append(distances.Values, math.Abs(v-median))
	}
	return 1.2533 * 1.4826 * distances.Median() / math.Sqrt(float64(len(m.Values))) / math.Abs(median)
}

// Add appends values of a metric of a callpath at a point; values at a point that is there already are further
// repetitions. Values that are not finite are left out with a warning. A point must name the parameters of the
// points before it.
func (s *Set) Add(at map[string]float64, callpath, metric string, values ...float64) error {
	point, err := s.point(at)
	if err != nil {
		return err
	}
	finite := make([]float64, 0, len(values))
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			s.warn("%s of %s at %s: %v was left out: it is not a finite number", metric, callpath, FormatPoint(s.Parameters, point), v)
			continue
		}
		finite = append(finite, v)
	}
	if len(finite) == 0 {
		return nil
	}
	return s.add(point, callpath, metric, finite)
}

// add adds values at a point, in the order of the set's parameters.
func (s *Set) add(point []float64, callpath, metric string, values []float64) error {
	if s.index == nil {
		s.index = make(map[seriesKey]int, len(s.Series))
		for i, one := range s.Series {
			s.index[seriesKey{one.Callpath, one.Metric}] = i
		}
	}
	key := seriesKey{callpath, metric}
	i, there := s.index[key]
	if !there {
		i = len(s.Series)
		s.index[key] = i
		s.Series = append(s.Series, Series{Callpath: callpath, Metric: metric})
	}
	points := s.Series[i].Points
	for j := len(points) - 1; j >= 0; j-- {
		if slices.Equal(points[j].At, point) {
			points[j].Values = append(points[j].Values, values...)
			return nil
		}
	}
	if len(points) == MostPoints {
		return fmt.Errorf("%s of %s has more than %d points; give fewer measurements", metric, callpath, MostPoints)
	}
	s.Series[i].Points = append(points, Measurement{At: point, Values: values})
	return nil
}

// point orders a map of parameters as the set does; the first call decides which parameters there are.
func (s *Set) point(at map[string]float64) ([]float64, error) {
	if len(at) > MostParameters {
		return nil, fmt.Errorf("there are %d parameters; models are fitted to %d at most", len(at), MostParameters)
	}
	if len(s.Parameters) == 0 {
		for name := range at {
			s.Parameters = append(s.Parameters, name)
		}
		slices.Sort(s.Parameters)
		// The number of processes comes first, whatever the others are called.
		sort.SliceStable(s.Parameters, func(i, j int) bool { return IsProcesses(s.Parameters[i]) && !IsProcesses(s.Parameters[j]) })
	}
	point := make([]float64, len(s.Parameters))
	for i, name := range s.Parameters {
		v, ok := at[name]
		if !ok {
			return nil, fmt.Errorf("parameter %s has no value here, but the measurements before have one; give every point the same parameters", name)
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("parameter %s is %v; it must be a finite number", name, v)
		}
		if math.Abs(v) > largestParameter {
			return nil, fmt.Errorf("parameter %s is %g; it must be at most %g", name, v, largestParameter)
		}
		point[i] = v
	}
	if len(at) > len(s.Parameters) {
		for name := range at {
			if !slices.Contains(s.Parameters, name) {
				return nil, fmt.Errorf("parameter %s is new; the measurements before have %s only", name, strings.Join(s.Parameters, ", "))
			}
		}
	}
	return point, nil
}

// Merge adds all measurements of other.
func (s *Set) Merge(other *Set) error {
	for _, series := range other.Series {
		for _, m := range series.Points {
			at := make(map[string]float64, len(other.Parameters))
			for i, name := range other.Parameters {
				at[name] = m.At[i]
			}
			if err := s.Add(at, series.Callpath, series.Metric, m.Values...); err != nil {
				return err
			}
		}
	}
	s.Warnings = append(s.Warnings, other.Warnings...)
	return nil
}

// Find returns the series of a callpath and a metric, or nil.
func (s *Set) Find(callpath, metric string) *Series {
	for i := range s.Series {
		if s.Series[i].Callpath == callpath && s.Series[i].Metric == metric {
			return &s.Series[i]
		}
	}
	return nil
}

// Sort orders the points of every series by their parameters, the first most significant.
func (s *Set) Sort() {
	for _, series := range s.Series {
		slices.SortStableFunc(series.Points, func(a, b Measurement) int { return slices.Compare(a.At, b.At) })
	}
}

func (s *Set) warn(format string, args ...any) {
	s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...))
}

// FormatPoint writes a point as p=16,n=4096.
func FormatPoint(parameters []string, at []float64) string {
	parts := make([]string, len(at))
	for i, v := range at {
		parts[i] = fmt.Sprintf("%s=%g", parameters[i], v)
	}
	return strings.Join(parts, ",")
}
