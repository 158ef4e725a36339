package scaling

import "math"

// farther is how many times the largest measured value of the first parameter a trend is looked at. Chosen: as far as most who extrapolate
// go.
const farther = 16

// trends are the logarithms by which series change from their largest measured point on.
func trends(all []*Posterior) []float64 {
	out := make([]float64, len(all))
	for i, p := range all {
		last := p.Series.At[0]
		for _, at := range p.Series.At {
			if at[0] >= last[0] {
				last = at
			}
		}
		far := append([]float64(nil), last...)
		far[0] *= farther
		out[i] = math.Log(p.Median(far) / p.Median(last))
	}
	return out
}

// turned are the series whose trend what others share has turned round: a series that rises by its own measurements is of another kind than
// those that fall, such as a collective among what is computed, and nothing is to be learned for it from them.
func turned(all []*Posterior, alone []float64) (out []*Posterior) {
	for i, together := range trends(all) {
		if alone[i]*together < 0 && alone[i]*all[i].Series.trend() > 0 {
			out = append(out, all[i])
		}
	}
	return out
}

// trend is the logarithm by which a series changes over its two largest values of the first parameter, of points that differ in it alone; 0
// where there are none.
func (s *Series) trend() float64 {
	last, before := -1, -1
	for i := range s.At {
		if last < 0 || s.At[i][0] > s.At[last][0] {
			last = i
		}
	}
	for i := range s.At {
		if s.At[i][0] < s.At[last][0] && sameRest(s.At[i], s.At[last]) && (before < 0 || s.At[i][0] > s.At[before][0]) {
			before = i
		}
	}
	if before < 0 || !(s.Y[last] > 0) || !(s.Y[before] > 0) {
		return 0
	}
	return math.Log(s.Y[last] / s.Y[before])
}

// sameRest says whether two points differ in the first parameter at most.
func sameRest(a, b []float64) bool {
	for i := 1; i < len(a); i++ {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// shared is the prior for the next pass: the first prior, counted as Pool series, and what each series found.
func (p *Prior) shared(found []*Posterior) *Prior {
	out := *p
	slopes, bends := make([]float64, len(p.Slopes)), make([]float64, len(p.Bends))
	walks, noise := make([]float64, len(p.Walks)), make([]float64, len(p.Noise))
	for _, f := range found {
		for _, c := range f.components {
			noise[c.noise] += c.share
			if c.walk != nil {
				walks[c.walking] += c.share
				continue
			}
			bends[f.parent[c.bend]] += c.share
			slopes[f.variants[c.variant].slope] += c.share
		}
	}
	mix := func(before, found float64, all int) float64 { return (before*p.Pool + found) / (p.Pool + float64(all)) }
	out.Slopes, out.Bends = append([]Slope(nil), p.Slopes...), append([]Bend(nil), p.Bends...)
	out.Walks, out.Noise = append([]Walk(nil), p.Walks...), append([]Noise(nil), p.Noise...)
	n := len(found)
	for i := range slopes {
		out.Slopes[i].Share = mix(p.Slopes[i].Share, slopes[i], n)
	}
	for i := range bends {
		out.Bends[i].Share = mix(p.Bends[i].Share, bends[i], n)
	}
	for i := range walks {
		out.Walks[i].Share = mix(p.Walks[i].Share, walks[i], n)
	}
	for i := range noise {
		out.Noise[i].Share = mix(p.Noise[i].Share, noise[i], n)
	}
	return &out
}
