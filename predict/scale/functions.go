package scale

import (
	"math"

	"foresee/model/scaling"
)

// function is the published function of a series: of p, or of the work per process.
func (s *study) function(series *scaling.Series) (scaling.Model, error) {
	x := make([]float64, len(series.Y))
	for i, at := range series.At {
		x[i] = s.work(at)
	}
	f, err := scaling.FitFunction(x, series.Y)
	if err != nil {
		return nil, err
	}
	return &ofWork{Function: f, study: s}, nil
}

// ofWork is a function of the work per process.
type ofWork struct {
	*scaling.Function
	study *study
}

// work is the x of the published functions: the work per process D/p, D being one problem where no size varies. Where the problem grows with the
// processes, or no parameter is a number of processes, it is the first parameter itself.
func (s *study) work(at []float64) float64 {
	if !s.dealt() {
		return at[0]
	}
	x := 1 / at[0]
	for j, name := range s.set.Parameters[1:] {
		x *= math.Pow(at[j+1], s.options.Work[name])
	}
	return x
}

// dealt says whether x is the work per process.
func (s *study) dealt() bool {
	return len(s.options.Work) > 0 || s.processes() && !s.options.Weak && len(s.set.Parameters) == 1
}

func (s *study) workName() string {
	switch {
	case !s.dealt():
		return s.set.Parameters[0]
	case len(s.options.Work) == 0:
		return "1/" + s.set.Parameters[0]
	}
	return "D/" + s.set.Parameters[0]
}

// At is the function at a point's work per process; where it falls below zero, as polynomials do away from their points, zero.
func (f *ofWork) At(at []float64) scaling.Prediction {
	p := f.Function.At([]float64{f.study.work(at)})
	p.Value = max(p.Value, 0)
	return p
}

// Formula names x.
func (f *ofWork) Formula() string {
	return f.In(f.study.workName())
}
