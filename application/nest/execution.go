package nest

import (
	"foresee/application/nest/expr"
)

// Execution is one execution of a worksharing loop of an undealt stream, from its first to its last iteration.
type Execution struct {
	Loop       *Loop // of the program; nil in serial code
	Begin      int64 // position of its first access
	Iterations int64 // 0 in serial code
	Accesses   int64 // of all iterations
}

// Touch is a use of a line within an execution.
type Touch struct {
	Iteration int64
	Local     int64 // accesses of the iteration before it
}

// Execution tells which execution the cursor's place is in, and where. In serial code it has no loop.
func (k *Cursor) Execution() (Execution, Touch) {
	d := dealtDepth(k.at)
	if d < 0 {
		return Execution{Begin: k.place.Position}, Touch{}
	}
	l := k.at.path[d]
	lo, x := l.low(k.c.env), k.c.env[l.v]
	local := k.c.position(k.at, d+1)
	begin := k.place.Position - local - k.c.prefix(l, lo, x)
	n := max(l.high(k.c.env)-lo+1, 0)
	return Execution{l.dealt, begin, n, k.c.prefix(l, lo, lo+n)}, Touch{x - lo, local}
}

// Before counts the accesses of the execution's iterations before number i.
func (k *Cursor) Before(i int64) int64 {
	l := k.at.path[dealtDepth(k.at)]
	lo := l.low(k.c.env)
	return k.c.prefix(l, lo, lo+i)
}

// TouchIn finds, in one iteration of the execution, the first use of the cursor's line that has at least local
// accesses of the iteration before it.
func (k *Cursor) TouchIn(iteration, local int64) (at int64, ok bool, err error) {
	d := dealtDepth(k.at)
	l, c := k.at.path[d], k.other
	copy(c.env, k.c.env)
	lo := l.low(c.env)
	c.env[l.v] = lo + iteration
	line := k.place.Line * k.s.model.line
	if local >= c.prefix(l, lo, lo+iteration+1)-c.prefix(l, lo, lo+iteration) {
		return 0, false, k.exhausted()
	}
	a := c.unrank(l.body, local, nil)
	if a == nil {
		return 0, false, ErrIrregular
	}
	if a.object == k.at.object && c.lineAt(a) == line {
		return local, true, nil
	}
	hit, sure := c.nextUse(a, k.at.object, line, len(a.path), d+1, -1, &k.best)
	switch {
	case !sure:
		return 0, false, ErrGaveUp
	case !hit:
		return 0, false, k.exhausted()
	}
	c.moveTo(&k.best)
	return c.position(k.best.b, d+1), true, k.exhausted()
}

func (k *Cursor) exhausted() error {
	if k.s.model.exhausted.Load() {
		return ErrIrregular
	}
	return nil
}

// TouchFrom finds the first iteration of the execution, from a number on, that uses the cursor's line, and its first
// use there.
func (k *Cursor) TouchFrom(iteration int64) (t Touch, ok bool, err error) {
	d := dealtDepth(k.at)
	l := k.at.path[d]
	k.outer = k.outer[:0]
	for _, p := range k.at.path[:d] {
		k.outer = append(k.outer, k.c.env[p.v])
	}
	lo := l.low(k.c.env)
	hit, sure := k.c.firstUseFrom(k.s.inDealt[l.number][k.at.object], k.outer, lo+iteration, k.place.Line*k.s.model.line, &k.first)
	switch {
	case !sure:
		return t, false, ErrGaveUp
	case !hit:
		return t, false, k.exhausted()
	}
	c := k.other
	copy(c.env, k.c.env)
	c.moveTo(&k.first)
	return Touch{k.first.at[d] - lo, c.position(k.first.b, d+1)}, true, k.exhausted()
}

// Leave moves the cursor to the next use of its line after the execution that it is in, or after its place in serial
// code, in program order.
func (k *Cursor) Leave() (ok bool, err error) {
	d := dealtDepth(k.at)
	from := d
	if d < 0 {
		from = len(k.at.path)
	}
	hit, sure := k.c.nextUse(k.at, k.at.object, k.place.Line*k.s.model.line, from, 0, d, &k.best)
	switch {
	case !sure:
		return false, ErrGaveUp
	case !hit:
		return false, k.exhausted()
	}
	k.c.moveTo(&k.best)
	k.at = k.best.b
	k.place.Position = k.c.position(k.at, 0)
	k.place.Reference = k.at.id
	return true, k.exhausted()
}

// dealtDepth is the index of the worksharing loop in an access's path, or −1.
func dealtDepth(a *access) int {
	for i, l := range a.path {
		if l.dealt != nil {
			return i
		}
	}
	return -1
}

// findDealt lists the references below each worksharing loop by loop number and object.
func (s *Stream) findDealt() {
	s.inDealt = make([][][]*access, len(s.model.loops))
	for _, a := range s.model.accesses {
		if d := dealtDepth(a); d >= 0 {
			n := a.path[d].number
			if s.inDealt[n] == nil {
				s.inDealt[n] = make([][]*access, len(s.model.objects))
			}
			s.inDealt[n][a.object] = append(s.inDealt[n][a.object], a)
		}
	}
}

// Runs says how often the nodes of a program run, on all threads together; code that every thread repeats
// counts once.
type Runs struct {
	Statement map[*Stmt]int64
	Entry     map[*Loop]int64 // times that the loop begins
	Iteration map[*Loop]int64 // iterations in all
}

// CountRuns counts without running, in closed form where the bounds allow it.
func CountRuns(p *Program) (*Runs, error) {
	r := &Runs{Statement: map[*Stmt]int64{}, Entry: map[*Loop]int64{}, Iteration: map[*Loop]int64{}}
	var failed error
	count := func(target Node, inside bool) int64 {
		if failed != nil {
			return 0
		}
		only := &Program{Region: p.Region, Pos: p.Pos, Vars: p.Vars, Body: keepOnly(p.Body, target, inside)}
		s, err := NewStream(only, Options{Threads: 1, Group: 1, Line: 1})
		if err != nil {
			failed = err
			return 0
		}
		return s.Len()
	}
	var body func(nodes []Node)
	body = func(nodes []Node) {
		here := int64(-1) // what is side by side runs equally often
		for _, n := range nodes {
			switch n := n.(type) {
			case *Stmt:
				if here < 0 {
					here = count(n, false)
				}
				r.Statement[n] = here
				continue
			case *Loop:
				if here < 0 {
					here = count(n, false)
				}
				r.Entry[n], r.Iteration[n] = here, count(n, true)
			}
			for _, b := range Children(n) {
				body(b)
			}
		}
	}
	body(p.Body)
	return r, failed
}

// keepOnly is the tree with one access in place of the target, or in place of its body, and nothing else.
func keepOnly(nodes []Node, target Node, inside bool) []Node {
	for _, n := range nodes {
		if n == target && !inside {
			return mark()
		}
		switch n := n.(type) {
		case *Loop:
			b := keepOnly(n.Body, target, inside)
			if n == target {
				b = mark()
			}
			if b != nil {
				l := *n
				l.Work, l.Body = nil, b
				return []Node{&l}
			}
		case *If:
			if b := keepOnly(n.Then, target, inside); b != nil {
				return []Node{&If{Cond: n.Cond, Then: b, Pos: n.Pos}}
			}
			if b := keepOnly(n.Else, target, inside); b != nil {
				return []Node{&If{Cond: expr.Unary(expr.OpNot, n.Cond), Then: b, Pos: n.Pos}}
			}
		default:
			for _, body := range Children(n) {
				if b := keepOnly(body, target, inside); b != nil {
					return b
				}
			}
		}
	}
	return nil
}

func mark() []Node {
	return []Node{&Stmt{Accesses: []*Access{{Object: &Object{Name: "count"}, Offset: expr.Int(0), Size: 1}}}}
}
