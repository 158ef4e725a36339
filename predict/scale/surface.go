package scale

import (
	"math"
	"slices"

	"foresee/application/counters"
	"foresee/model/scaling"
)

// How well a decomposition must meet the measured points to be believed, as shares. Chosen: both are counted exactly, so that what is off is another
// law.
const (
	closeVolume = 0.01  // of volumes and numbers of messages
	closeCount  = 0.005 // of counts of functions, which have one coefficient more
)

// countMetrics are what functions count exactly; times and misses of caches that are shared have causes besides the domain.
var countMetrics = []string{"instructions", "loads", "stores", "memory_accesses", "flops", "branches"}

// surfaces gives messages the model of a decomposed domain where it meets the measured ones – three points with more than one process at one
// size – and then the counts of functions, with the domain that the largest volume of messages told.
func (s *study) surfaces() {
	if !s.processes() || s.sizes() > 1 {
		return
	}
	var domain *scaling.Halo
	most := 0.0
	for _, f := range s.fits {
		if f.metric != "bytes" || counters.Part(lastName(f.callpath)) == counters.Collective || f.callpath == counters.Collective {
			continue
		}
		h := s.volume(f)
		if h == nil {
			continue
		}
		f.replace(h, h.Residual)
		if f.last() > most {
			domain, most = h, f.last()
		}
	}
	if domain == nil {
		return
	}
	for _, f := range s.fits {
		switch {
		case f.metric == "calls":
			p, n := f.several(1)
			if len(p) >= 3 {
				if m := scaling.FitNeighbours(domain, p, n); m.Residual <= closeVolume {
					f.replace(m, m.Residual)
				}
			}
		case slices.Contains(countMetrics, f.metric):
			p, y := f.several(0)
			if m, err := scaling.FitDomain(domain, p, y); err == nil && m.Residual <= closeCount {
				f.replace(m, m.Residual)
			}
		}
	}
}

// volume is the decomposition that meets a volume of messages, or nil.
func (s *study) volume(f *fitted) *scaling.Halo {
	processes, bytes := f.several(1)
	if len(processes) < 3 {
		return nil
	}
	var messages []float64
	if calls := s.byName[f.callpath+" calls"]; calls != nil {
		if p, n := calls.several(1); slices.Equal(p, processes) {
			messages = n
		}
	}
	h, err := scaling.FitHalo(processes, bytes, messages)
	if err != nil || h.Residual > closeVolume {
		return nil
	}
	return h
}

// sizes is how many values the parameters past the first have together.
func (s *study) sizes() int {
	seen := map[string]bool{}
	for _, f := range s.fits {
		for _, at := range f.series.At {
			seen[counters.FormatPoint(s.set.Parameters[1:], at[1:])] = true
		}
	}
	return len(seen)
}

// several is the points with more than least processes, if they are whole numbers.
func (f *fitted) several(least float64) (processes, values []float64) {
	for i, at := range f.series.At {
		if at[0] > least {
			if at[0] != math.Trunc(at[0]) {
				return nil, nil
			}
			processes, values = append(processes, at[0]), append(values, f.series.Y[i])
		}
	}
	return processes, values
}

// replace gives a series a model of the domain.
func (f *fitted) replace(m scaling.Model, residual float64) {
	f.model, f.own = &surface{Model: m, residual: residual, largest: f.series.Largest()[0]}, nil
}

// surface is a model of the domain with an interval.
type surface struct {
	scaling.Model
	residual, largest float64
}

// At has an interval of twice the error at the fitted points, and one percent for each doubling of processes.
func (s *surface) At(at []float64) scaling.Prediction {
	p := s.Model.At(at)
	width := math.Exp(2*s.residual + 0.01*max(math.Log2(at[0]/s.largest), 0.2))
	return scaling.Prediction{Value: p.Value, Low: p.Value / width, High: p.Value * width}
}
