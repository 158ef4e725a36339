package nest

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
