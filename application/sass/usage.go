package sass

import (
	"errors"
	"regexp"
	"strconv"
)

// usage is what cuobjdump -res-usage tells of a function.
type usage struct{ registers, shared int }

// usageKey tells kernels apart: by name and architecture.
type usageKey struct {
	name         string
	architecture int
}

var (
	usageName = regexp.MustCompile(`^\s*Function (\S+):\s*$`)
	usageLine = regexp.MustCompile(`^\s*REG:([0-9]{1,4})\b.*\bSHARED:([0-9]{1,9})\b`)
)

// usage takes a line of resources.
func (p *parser) usage(text string) bool {
	if m := usageName.FindStringSubmatch(text); m != nil {
		p.resources = m[1]
		return true
	}
	m := usageLine.FindStringSubmatch(text)
	if m == nil || p.resources == "" {
		return false
	}
	registers, _ := strconv.Atoi(m[1])
	shared, _ := strconv.Atoi(m[2])
	p.usages[usageKey{p.resources, p.architecture}] = usage{registers, shared}
	p.resources = ""
	return true
}

// finish gives kernels their resources, of their own architecture or of a part that names none.
func (p *parser) finish() (*Listing, error) {
	l := &Listing{}
	for _, k := range p.kernels {
		if len(k.Instructions) == 0 {
			continue
		}
		u, ok := p.usages[usageKey{k.Name, k.Architecture}]
		if !ok {
			u, ok = p.usages[usageKey{k.Name, 0}]
		}
		if ok {
			k.Registers, k.Shared = u.registers, u.shared
		}
		l.Kernels = append(l.Kernels, k)
	}
	if len(l.Kernels) == 0 {
		return nil, errors.New("no code: a listing has lines such as /*0008*/ MOV R1, c[0x0][0x44]; print it with cuobjdump -sass")
	}
	return l, nil
}
