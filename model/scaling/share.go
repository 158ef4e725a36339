package scaling

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
