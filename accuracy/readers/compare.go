package readers

import (
	"foresee/application/nest"
)

// access is one of a run.
type access struct {
	Address uint64
	Size    uint32
	Region  uint16
	Write   uint16
}

// agreement is how the accesses of a nest and of a run go together.
type agreement struct {
	told  int64 // accesses of the nest
	made  int64 // of the run
	equal int64 // at the same position, of the same size and direction, and at the same place of their object
	// shared are those of the run at addresses where others are of another object of the nest.
	shared int64
}

// compare walks through a program on one thread beside what a run logged. Where an object lies is told by its first access.
func compare(p *nest.Program, made []access) agreement {
	c := &comparison{env: make([]int64, len(p.Vars)), bases: map[*nest.Object]uint64{}, at: map[uint64]*nest.Object{}, made: made, all: agreement{made: int64(len(made))}}
	c.nodes(p.Body)
	return c.all
}

type comparison struct {
	env   []int64
	bases map[*nest.Object]uint64
	at    map[uint64]*nest.Object // that was accessed at an address first
	made  []access
	all   agreement
}

func (c *comparison) nodes(all []nest.Node) {
	for _, n := range all {
		switch n := n.(type) {
		case *nest.Loop:
			lo, hi := n.Lo.Eval(c.env), n.Hi.Eval(c.env)
			for v := lo; n.Step > 0 && v <= hi || n.Step < 0 && v >= hi; v += n.Step {
				c.env[n.Var] = v
				c.nodes(n.Body)
			}
		case *nest.If:
			if n.Cond.Eval(c.env) != 0 {
				c.nodes(n.Then)
			} else {
				c.nodes(n.Else)
			}
		case *nest.Parallel:
			c.nodes(n.Body)
		case *nest.Single:
			c.nodes(n.Body)
		case *nest.Critical:
			c.nodes(n.Body)
		case *nest.Stmt:
			for _, a := range n.Accesses {
				c.access(a)
			}
		}
	}
}

func (c *comparison) access(a *nest.Access) {
	at := c.all.told
	c.all.told++
	if at >= int64(len(c.made)) {
		return
	}
	m := c.made[at]
	offset := uint64(a.Offset.Eval(c.env))
	base, known := c.bases[a.Object]
	if !known {
		base = m.Address - offset
		c.bases[a.Object] = base
	}
	if base+offset == m.Address && int64(m.Size) == a.Size && (m.Write == 1) == a.Write {
		c.all.equal++
	}
	if first, there := c.at[m.Address]; !there {
		c.at[m.Address] = a.Object
	} else if first != a.Object {
		c.all.shared++
	}
}
