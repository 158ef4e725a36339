package predict

import (
	"slices"

	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/machine"
)

// twice is the analysis of two calls of the region in a row.
func (s *Analysis) twice() *Analysis {
	if s.both == nil {
		p := *s.program
		call := expr.Var(len(p.Vars))
		p.Vars = append(slices.Clone(p.Vars), "call")
		p.Body = []nest.Node{&nest.Loop{Var: call, Lo: expr.Int(0), Hi: expr.Int(1), Step: 1, Body: p.Body, Pos: p.Pos}}
		s.both = NewAnalysis(s.ctx, &p, s.options)
		s.both.step = s.step
	}
	return s.both
}

// again are the levels of a second call, of which the first has what is given: what two calls in a row miss, less what the first one does.
func (s *Analysis) again(m *machine.Machine, count int, once []levelHits) ([]levelHits, error) {
	both, err := s.twice().hits(m, count, s.options.HitModel)
	if err != nil {
		return nil, err
	}
	above := 1.0
	for i := range both {
		h := &both[i]
		h.Miss = min(max(2*h.Miss-once[i].Miss, 0), above)
		above = h.Miss
		h.hit, h.first = 1-h.Miss, 0
		h.err = 2*h.err + once[i].err
		h.Missed = h.Missed.Again(once[i].Missed, h.Miss)
	}
	return both, nil
}

// stays is the share of all accesses that bring lines for the first time, where the last level of caches has room for all of them: a call after this one
// would find them there.
func (s *Analysis) stays(m *machine.Machine, count int, levels []levelHits) float64 {
	if len(levels) == 0 || s.options.Warm || s.program.Region == "main" {
		return 0
	}
	last := &levels[len(levels)-1]
	o := last.Missed.Stream()
	size, known := last.level.Capacity()
	if lines := last.first * float64(o.Nest.Len()); !known || lines*float64(last.Line) > float64(size) {
		return 0
	}
	return last.first
}
