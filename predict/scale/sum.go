package scale

import (
	"math"
	"slices"
	"strings"

	"foresee/application/counters"
	"foresee/model/scaling"
)

// closeSum is how well the parts of a time must add up to it, at every measured point, for its model to be the sum of theirs, as a share.
// Chosen: clocks of parts and of the whole differ by as much.
const closeSum = 0.02

// sums gives the whole time, and the counts of a whole run, the sum of their parts' models, where these make them up: each part follows
// a simpler law than the whole, and a part that grows is seen early in itself, but not in the whole.
func (s *study) sums() {
	if total := s.total(); total != nil {
		s.sum(total, s.parts(total))
	}
	below := map[string][]*fitted{}
	for _, f := range s.fits {
		if strings.HasPrefix(f.callpath, restPart) {
			below[f.metric] = append(below[f.metric], f)
		}
	}
	for _, f := range s.fits {
		if f.callpath == scaling.Rest {
			s.sum(f, below[f.metric])
		}
	}
	for _, total := range s.fits {
		if total.callpath != counters.WholeRun || IsTime(total.metric) {
			continue
		}
		var parts []*fitted
		for _, k := range s.kernels {
			if f := s.byName[k.Name+" "+total.metric]; f != nil {
				parts = append(parts, f)
			}
		}
		s.sum(total, parts)
	}
}

// sum gives a whole the sum of its parts' models, where they add up to it at every measured point.
func (s *study) sum(total *fitted, parts []*fitted) {
	if len(parts) < 2 || total.profiled {
		return
	}
	for i, at := range total.series.At {
		sum := 0.0
		for _, f := range parts {
			sum += f.measured(at)
		}
		if scaling.Error(sum, total.series.Y[i]) > closeSum {
			return
		}
	}
	m := &sum{}
	for _, f := range parts {
		m.parts = append(m.parts, f.model)
	}
	total.whole = total.own
	total.model, total.own = m, nil
}

// measured is the value at a point; 0 where nothing was measured, as of messages of one process.
func (f *fitted) measured(at []float64) float64 {
	for i, point := range f.series.At {
		if slices.Equal(point, at) {
			return f.series.Y[i]
		}
	}
	return 0
}

// sum is models that add up.
type sum struct{ parts []scaling.Model }

// At adds the values; distances to the interval's ends add as independent ones.
func (m *sum) At(at []float64) scaling.Prediction {
	out := scaling.Prediction{}
	var low, high float64
	for _, part := range m.parts {
		p := part.At(at)
		out.Value += p.Value
		low, high = math.Hypot(low, p.Value-p.Low), math.Hypot(high, p.High-p.Value)
	}
	out.Low, out.High = max(out.Value-low, 0), out.Value+high
	return out
}

// Formula says what it is.
func (m *sum) Formula() string { return "the sum of its parts" }
