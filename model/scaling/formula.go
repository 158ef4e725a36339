package scaling

import (
	"fmt"
	"strings"
)

// Formula is the most probable form in words, with its probability: its two terms, without their coefficients.
func (p *Posterior) Formula() string {
	// Components of one form differ in noise and in the grid of overheads; their shares add up.
	shares := map[string]float64{}
	best := ""
	for i := range p.components {
		name := p.words(&p.components[i])
		shares[name] += p.components[i].share
		if best == "" || shares[name] > shares[best] || shares[name] == shares[best] && name < best {
			best = name
		}
	}
	return fmt.Sprintf("%s (%.0f %%)", best, 100*shares[best])
}

// words writes a form as a formula.
func (p *Posterior) words(c *component) string {
	first := p.design.parameters[0]
	if c.walk != nil {
		return strings.TrimSuffix("a drifting power of "+first+" · "+p.power(append([]float64{0}, c.walk.solution[2:]...), false), " · constant")
	}
	base := p.power(c.slopes, false)
	b := &p.bends[c.bend]
	if b.Overhead == 0 {
		return base
	}
	if b.Overhead == allOfIt {
		return p.power(c.slopes, b.Log)
	}
	sign := 1.0
	if b.Falling {
		sign = -1
	}
	second := append([]float64(nil), c.slopes...)
	for j := range second {
		if j == 0 {
			second[j] += sign * b.Delta
		} else {
			second[j] -= sign * b.Delta * b.Work
		}
	}
	if b.Falling {
		return base + ", later " + p.power(second, b.Log)
	}
	return base + " + " + p.power(second, b.Log)
}

// power is a product of powers, and of log of the first parameter.
func (p *Posterior) power(exponents []float64, log bool) string {
	var parts []string
	for j, e := range exponents {
		switch s := fmt.Sprintf("%.1f", e); s {
		case "0.0", "-0.0":
		case "1.0":
			parts = append(parts, p.design.parameters[j])
		default:
			parts = append(parts, p.design.parameters[j]+"^"+strings.TrimSuffix(strings.ReplaceAll(s, "-", "−"), ".0"))
		}
	}
	if log {
		parts = append(parts, "log "+p.design.parameters[0])
	}
	if len(parts) == 0 {
		return "constant"
	}
	return strings.Join(parts, " · ")
}
