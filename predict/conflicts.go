package predict

import (
	"math"

	"foresee/machine"
	"foresee/model/cache"
	"foresee/model/conflict"
	"foresee/model/threads"
)

// conflicts counts the hits of classes of reuses in the first levels of a machine, as many as serve one thread each: how the accesses of
// several interleave is not known. nil: there is nothing to count.
func (s *Analysis) conflicts(m *machine.Machine, count int, model string) (*conflict.Hits, error) {
	levels := s.countable(m, count)
	if model == HitModelSDCM || len(levels) == 0 {
		return nil, nil
	}
	o := threads.Stream(count, 1, int64(m.Line(&m.Levels[0])))
	chosen, _, err := s.places.choose(s.program, count, o.Line)
	if err != nil || chosen != ThreadsExact {
		return nil, err
	}
	st, err := s.get(o)
	if err != nil {
		return nil, err
	}
	page := s.options.pageOn(m)
	var prior []func(float64, int32) float64
	for i := range levels {
		g, _, err := geometry(m, &m.Levels[i], count)
		if err != nil {
			return nil, err
		}
		prior = append(prior, hitModel(model, st, g, page/o.Line))
	}
	return conflict.Count(s.ctx, st.Nest, st.Sampled, conflict.Options{
		Levels: levels, Page: page, Workers: s.options.Workers,
		Prior: func(level int, distance float64, class int32) float64 { return prior[level](distance, class) },
	})
}

// mostWays is up to how many ways a set is looked through. Chosen: caches with more are nearly fully associative, of which distances tell all.
const mostWays = 64

// countable are the first levels whose ways are known, that serve one thread each, and that replace by use: what others hold depends on too
// much that was before.
func (s *Analysis) countable(m *machine.Machine, count int) (out []cache.Level) {
	line := int64(m.LineBytes.Or(64))
	for i := range m.Levels {
		l := &m.Levels[i]
		if _, known := l.Ways.Get(); !known || count > 1 && l.SharedBy.Or(1) > 1 || int64(m.Line(l)) != line {
			break
		}
		c, _, err := levelOf(m, l, line, nil)
		if err != nil || c.Ways > mostWays || c.Replacement == cache.FIFO || c.Replacement == cache.Random {
			break
		}
		out = append(out, c)
	}
	return out
}

// countedHits is the share of hits that was counted of a class, else what a model says.
func countedHits(counted []float64, model func(float64, int32) float64) func(float64, int32) float64 {
	return func(value float64, class int32) float64 {
		if class < 0 || math.IsNaN(counted[class]) {
			return model(value, class)
		}
		return counted[class]
	}
}
