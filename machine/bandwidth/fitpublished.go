package bandwidth

import (
	"fmt"
	"time"
)

// Methods of fitting Published.
const (
	Genetic     = "genetic"
	CMAES       = "cma-es"
	LocalSearch = "local"
)

// Methods are their names.
var Methods = []string{Genetic, CMAES, LocalSearch}

// PublishedFit is a fit of the published form.
type PublishedFit struct {
	Form        *Published
	Error       float64 // mean of the absolute relative errors of the bandwidth
	Evaluations int
	Time        time.Duration
}

// FitPublished fits the published form to points on the described caches. Starting from the same seed it gives the same.
func FitPublished(h *Hierarchy, points []Point, method string, o GeneticOptions) (*PublishedFit, error) {
	p, err := newProblem(h, points)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	out := &PublishedFit{}
	var genes []float64
	switch method {
	case Genetic:
		genes, out.Evaluations = o.orPublished().minimise(p.genes(), p.error)
	case CMAES:
		genes, out.Evaluations = cmaes(p.genes(), o.Seed, 10, 200_000, p.error)
	case LocalSearch:
		genes, out.Evaluations = local(p.genes(), o.Seed, 60, p.error)
	default:
		return nil, fmt.Errorf("no method %q; there are %v", method, Methods)
	}
	if genes == nil {
		return nil, fmt.Errorf("%s found nothing", method)
	}
	out.Form, out.Error, out.Time = p.published(genes), p.error(genes), time.Since(began)
	return out, nil
}
