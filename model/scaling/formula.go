package scaling

import (
	"fmt"
	"strings"
)

// Formula is the most probable form in words, with its probability.
func (p *Posterior) Formula() string {
	// Components of one form differ in noise and in the grid of overheads; their shares add up.
	shares := map[string]float64{}
	best := ""
	for i := range p.components {
		c := &p.components[i]
		name := p.words(c)
		shares[name] += c.share
		if best == "" || shares[name] > shares[best] || shares[name] == shares[best] && name < best {
			best = name
		}
	}
	return fmt.Sprintf("%s (%.0f %%)", best, 100*shares[best])
}

func (p *Posterior) words(c *component) string {
	var b strings.Builder
	if c.walk != nil {
		fmt.Fprintf(&b, "a drifting power of %s", p.design.parameters[0])
		p.powers(&b, c.walk.solution[1:], 1)
		return b.String()
	}
	bend := &p.bends[c.bend]
	p.powers(&b, c.slopes, 0)
	if b.Len() == 0 {
		b.WriteString("constant")
	}
	if bend.Overhead == 0 {
		return b.String()
	}
	verb := " with an overhead that grows on it by "
	if bend.Falling {
		verb = " with a gain that grows on it by "
	}
	b.WriteString(verb)
	of := p.design.parameters[0]
	if bend.Work != 0 {
		for _, size := range p.design.parameters[1:] {
			of += fmt.Sprintf("/%s^%g", size, bend.Work)
		}
		of = "(" + of + ")"
	}
	if bend.Log {
		fmt.Fprintf(&b, "%s·log %s", of, p.design.parameters[0])
	} else {
		fmt.Fprintf(&b, "%s^%.2g", of, bend.Delta)
	}
	return b.String()
}

func (p *Posterior) powers(b *strings.Builder, slopes []float64, from int) {
	for j := from; j < len(slopes); j++ {
		s := fmt.Sprintf("%.1f", slopes[j])
		if s == "0.0" || s == "-0.0" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(" · ")
		}
		fmt.Fprintf(b, "%s^%s", p.design.parameters[j], strings.ReplaceAll(s, "-", "−"))
	}
}
