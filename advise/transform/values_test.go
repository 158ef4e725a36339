package transform_test

import (
	"hash/fnv"
	"slices"

	"foresee/application/nest"
)

// machine runs loop nests on values that stand for numbers: sums and products are those of integers modulo 2^64, so that sums may be added up in
// another order, and all else gives a hash of the operation and what it is of. What memory holds in the end is what a program computes.
type machine struct {
	p        *nest.Program
	env      []int64
	scalars  []uint64
	memory   map[place]uint64
	backward bool // iterations that are dealt to threads run from the last to the first
	steps    int
}

type place struct {
	array  string
	offset int64
}

func hashed(parts ...uint64) uint64 {
	h := fnv.New64a()
	var b [8]byte
	for _, p := range parts {
		for i := range b {
			b[i] = byte(p >> (8 * i))
		}
		_, _ = h.Write(b[:])
	}
	return h.Sum64()
}

func named(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return h.Sum64()
}

// computed runs a program; iterations of worksharing loops go backwards if that is said.
func computed(p *nest.Program, backward bool) map[place]uint64 {
	m := &machine{p: p, env: make([]int64, len(p.Vars)), scalars: make([]uint64, len(p.Scalars)), memory: map[place]uint64{}, backward: backward}
	for i, n := range p.Scalars {
		m.scalars[i] = named(n)
	}
	m.run(p.Body)
	return m.memory
}

func (m *machine) run(nodes []nest.Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *nest.Loop:
			m.loop(n)
		case *nest.If:
			if n.Cond.Eval(m.env) != 0 {
				m.run(n.Then)
			} else {
				m.run(n.Else)
			}
		case *nest.Stmt:
			m.statement(n)
		case *nest.Parallel:
			m.run(n.Body)
		case *nest.Single:
			m.run(n.Body)
		case *nest.Critical:
			m.run(n.Body)
		}
	}
}

func (m *machine) loop(l *nest.Loop) {
	var all []int64
	lo, hi := l.Lo.Eval(m.env), l.Hi.Eval(m.env)
	for v := lo; l.Step > 0 && v <= hi || l.Step < 0 && v >= hi; v += l.Step {
		all = append(all, v)
	}
	if l.Work != nil && m.backward {
		slices.Reverse(all)
	}
	for _, v := range all {
		m.env[l.Var] = v
		m.run(l.Body)
	}
}

func (m *machine) at(a *nest.Access) place { return place{a.Object.Name, a.Offset.Eval(m.env)} }

func (m *machine) read(at place) uint64 {
	v, ok := m.memory[at]
	if !ok {
		v = hashed(named(at.array), uint64(at.offset))
	}
	return v
}

func (m *machine) statement(s *nest.Stmt) {
	m.steps++
	temps := make([]uint64, len(s.Flow))
	for i, op := range s.Flow {
		var args []uint64
		for _, a := range op.Args {
			switch a.Kind {
			case nest.Temp:
				args = append(args, temps[a.N])
			case nest.Scalar:
				args = append(args, m.scalars[a.N])
			case nest.Load:
				args = append(args, m.read(m.at(s.Accesses[a.N])))
			default:
				args = append(args, 3+uint64(a.N))
			}
		}
		temps[i] = result(op, args)
		switch op.Out.Kind {
		case nest.Scalar:
			m.scalars[op.Out.N] = temps[i]
		case nest.Store:
			m.memory[m.at(s.Accesses[op.Out.N])] = temps[i]
		}
	}
}

func result(op nest.Operation, args []uint64) uint64 {
	switch {
	case op.Kind == nest.Move && len(args) == 1:
		return args[0]
	case op.Kind == nest.Add && len(args) == 2 && op.Minus:
		return args[0] - args[1]
	case op.Kind == nest.Add && len(args) == 2:
		return args[0] + args[1]
	case op.Kind == nest.Mul && len(args) == 2:
		return args[0] * args[1]
	}
	return hashed(append([]uint64{uint64(op.Kind), uint64(op.Type), named(op.Name)}, args...)...)
}
