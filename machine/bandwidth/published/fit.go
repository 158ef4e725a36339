package published

import (
	"fmt"
	"time"

	"foresee/internal/patternsearch"
	"foresee/machine/bandwidth"
)

// Methods of fitting: that of the paper, and two to compare it with.
const (
	Genetic     = "genetic"
	CMAES       = "cma-es"
	LocalSearch = "local"
)

// Methods are the names of all.
var Methods = []string{Genetic, CMAES, LocalSearch}

// Effort of the methods that the genetic algorithm is compared with. Chosen, no source; docs/accuracy/bandwidth.md tells the evaluations of each.
const (
	cmaesStarts      = 10
	cmaesEvaluations = 200_000
	localStarts      = 60
)

// Fitted is a form that was fitted.
type Fitted struct {
	Form        *Form
	Error       float64 // mean of the absolute relative errors of the bandwidth
	Evaluations int     // of the error, all points each
	Time        time.Duration
}

// Fit fits a form to points on the described caches. Starting from the same seed it gives the same.
func Fit(h *bandwidth.Hierarchy, points []bandwidth.Point, method string, o GeneticOptions) (*Fitted, error) {
	p, err := newProblem(h, points)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	out := &Fitted{}
	var genes []float64
	switch method {
	case Genetic:
		genes, out.Evaluations = o.orPublished().minimise(p.genes(), p.error)
	case CMAES:
		genes, out.Evaluations = cmaes(p.genes(), o.Seed, cmaesStarts, cmaesEvaluations, p.error)
	case LocalSearch:
		genes, out.Evaluations = patternsearch.Minimise(p.genes(), o.Seed, localStarts, p.error)
	default:
		return nil, fmt.Errorf("no method %q; there are %v", method, Methods)
	}
	if genes == nil {
		return nil, fmt.Errorf("%s found nothing", method)
	}
	out.Form, out.Error, out.Time = p.form(genes), p.error(genes), time.Since(began)
	return out, nil
}
