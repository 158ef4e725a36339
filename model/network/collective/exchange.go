package collective

// linearBarrier has all tell rank 0, which tells all.
func linearBarrier(b *builder) {
	if b.Rank > 0 {
		b.send(0, 0)
		b.receive(0, 0)
		return
	}
	for r := 1; r < b.Size; r++ {
		b.post(Step{Receives: true, From: r})
	}
	b.wait(0)
	for r := 1; r < b.Size; r++ {
		b.post(Step{Sends: true, To: r})
	}
	b.wait(0)
}

// dissemination tells the ranks at distances 1, 2, 4, … (D. Hensgen, R. Finkel, U. Manber 1988; Open MPI calls it bruck).
func dissemination(b *builder) {
	for d := 1; d < b.Size; d *= 2 {
		b.exchange(b.right(d), 0, b.left(d), 0)
	}
}

// doublingBarrier exchanges with the ranks that differ in one bit; those beyond the power of two go by others.
func doublingBarrier(b *builder) {
	p := power(b.Size)
	switch {
	case b.Rank >= p:
		b.exchange(b.Rank-p, 0, b.Rank-p, 0)
		return
	case b.Rank < b.Size-p:
		b.receive(b.Rank+p, 0)
	}
	for mask := 1; mask < p; mask *= 2 {
		b.exchange(b.Rank^mask, 0, b.Rank^mask, 0)
	}
	if b.Rank < b.Size-p {
		b.send(b.Rank+p, 0)
	}
}

// treeBarrier goes up a binomial tree and down again.
func treeBarrier(b *builder) {
	parent, children := upward(binomial)(b.Rank, b.Size)
	for _, c := range children {
		b.receive(c, 0)
	}
	if parent >= 0 {
		b.send(parent, 0)
		b.receive(parent, 0)
	}
	_, children = binomial(b.Rank, b.Size)
	for _, c := range children {
		b.send(c, 0)
	}
}

// folded is a rank's number among a power of two of ranks: of the first ranks, pairs are one. −1 for the one of a pair that waits.
func (b *builder) folded() (me, rest int, real func(int) int) {
	rest = b.Size - power(b.Size)
	real = func(r int) int {
		if r < rest {
			return 2*r + 1
		}
		return r + rest
	}
	switch {
	case b.Rank >= 2*rest:
		return b.Rank - rest, rest, real
	case b.Rank%2 == 0:
		return -1, rest, real
	}
	return b.Rank / 2, rest, real
}

// fold has the even ones of the first ranks give theirs to their neighbours, and get the result in the end.
func (b *builder) fold(bytes int64, among func(me int, real func(int) int)) {
	me, rest, real := b.folded()
	if me < 0 {
		b.send(b.Rank+1, bytes)
		b.receive(b.Rank+1, 0)
		return
	}
	if b.Rank < 2*rest {
		b.receive(b.Rank-1, bytes)
	}
	among(me, real)
	if b.Rank < 2*rest {
		b.send(b.Rank-1, bytes)
	}
}

// recursiveDoubling has pairs exchange and combine all they have.
func recursiveDoubling(b *builder) {
	b.fold(b.Bytes, func(me int, real func(int) int) {
		for mask := 1; mask < power(b.Size); mask *= 2 {
			b.exchange(real(me^mask), b.Bytes, real(me^mask), b.Bytes)
		}
	})
}

// rabenseifner halves what is combined at each step, then gathers it: R. Rabenseifner 2004.
func rabenseifner(b *builder) {
	p := power(b.Size)
	part := func(n int) int64 { return b.Bytes * int64(n) / int64(p) }
	b.fold(b.Bytes, func(me int, real func(int) int) {
		for mask := 1; mask < p; mask *= 2 {
			b.exchange(real(me^mask), part(p/(2*mask)), real(me^mask), part(p/(2*mask)))
		}
		for mask := p / 2; mask > 0; mask /= 2 {
			b.exchange(real(me^mask), part(p/(2*mask)), real(me^mask), 0)
		}
	})
}

// ring passes parts round, first combining, then whole.
func ring(b *builder) {
	part := b.each()
	b.lazily(2*(b.Size-1), func(i int) Step {
		s := Step{Sends: true, To: b.right(1), Bytes: part, Receives: true, From: b.left(1), Waits: true}
		if i < b.Size-1 {
			s.Reduce = part
		}
		return s
	})
}

// reduceBcast is a reduction and a broadcast, each as the library chooses it.
func reduceBcast(b *builder) {
	b.Root = 0
	b.again(OpenMPI, Call{Kind: Reduce, Bytes: b.Bytes})
	b.again(OpenMPI, Call{Kind: Bcast, Bytes: b.Bytes})
}

// again adds the steps of another collective of the same ranks.
func (b *builder) again(library Library, c Call) {
	c.Rank, c.Size, c.Root = b.Rank, b.Size, b.Root
	s := New(library, c)
	for i := 0; ; i++ {
		step, ok := s.At(i)
		if !ok {
			return
		}
		b.list = append(b.list, step)
	}
}

// linearScan passes along the ranks.
func linearScan(b *builder) {
	if b.Rank > 0 {
		b.receive(b.Rank-1, b.Bytes)
	}
	if b.Rank < b.Size-1 {
		b.send(b.Rank+1, b.Bytes)
	}
}

// doublingScan exchanges with ranks that differ in one bit.
func doublingScan(b *builder) {
	for mask := 1; mask < b.Size; mask *= 2 {
		if other := b.Rank ^ mask; other < b.Size {
			b.exchange(other, b.Bytes, other, b.Bytes)
		}
	}
}

// halving is recursive halving: what a rank keeps halves at each step. The first ranks, beyond the power of two, get their part in the end.
func halving(b *builder) {
	p := power(b.Size)
	me, rest, real := b.folded()
	if me < 0 {
		b.send(b.Rank+1, b.Bytes)
		b.receive(b.Rank+1, 0)
		return
	}
	if b.Rank < 2*rest {
		b.receive(b.Rank-1, b.Bytes)
	}
	for half := p / 2; half > 0; half /= 2 {
		bytes := b.Bytes * int64(half) / int64(p)
		b.exchange(real(me^half), bytes, real(me^half), bytes)
	}
	if b.Rank < 2*rest {
		b.send(b.Rank-1, b.each())
	}
}

// ringReduce passes parts round, each of which ends combined at its rank.
func ringReduce(b *builder) {
	part := b.each()
	b.lazily(b.Size-1, func(int) Step {
		return Step{Sends: true, To: b.right(1), Bytes: part, Receives: true, From: b.left(1), Waits: true, Reduce: part}
	})
}

// pairwiseReduce exchanges parts with the rank at each distance.
func pairwiseReduce(b *builder) {
	part := b.each()
	b.lazily(b.Size-1, func(i int) Step {
		return Step{Sends: true, To: b.right(i + 1), Bytes: part, Receives: true, From: b.left(i + 1), Waits: true, Reduce: part}
	})
}

// reduceScatterLinear reduces at rank 0 and scatters.
func reduceScatterLinear(b *builder) {
	b.Root = 0
	b.again(OpenMPI, Call{Kind: Reduce, Bytes: b.Bytes})
	b.again(OpenMPI, Call{Kind: Scatter, Bytes: b.each()})
}

// halvingReduce halves what is combined at each step, and gathers it at the root: R. Rabenseifner 2004. The root is counted as the first rank.
func halvingReduce(b *builder) {
	p := power(b.Size)
	part := func(n int) int64 { return b.Bytes * int64(n) / int64(p) }
	me := b.virtual()
	if me >= p {
		b.send(b.real(me-p), b.Bytes)
		return
	}
	if me+p < b.Size {
		b.receive(b.real(me+p), b.Bytes)
	}
	for half := p / 2; half > 0; half /= 2 {
		b.exchange(b.real(me^half), part(half), b.real(me^half), part(half))
	}
	for mask := 1; mask < p; mask *= 2 {
		if me&mask != 0 {
			b.send(b.real(me-mask), part(mask))
			return
		}
		b.receive(b.real(me+mask), 0)
	}
}
