package collective

// linear has each rank send to and receive from all others at once.
func linear(b *builder) {
	n, each := b.Size-1, b.each()
	b.lazily(2*n, func(i int) Step {
		if i < n {
			return Step{Receives: true, From: b.right(i + 1)}
		}
		return Step{Sends: true, To: b.left(i - n + 1), Bytes: each}
	})
}

// pairwise exchanges with the rank at each distance, one after another.
func pairwise(b *builder) {
	each := b.each()
	b.lazily(b.Size-1, func(i int) Step {
		return Step{Sends: true, To: b.right(i + 1), Bytes: each, Receives: true, From: b.left(i + 1), Waits: true}
	})
}

// xorPairwise exchanges with the rank that differs by each number, which pairs a power of two of ranks.
func xorPairwise(b *builder) {
	each := b.each()
	b.lazily(b.Size-1, func(i int) Step {
		other := b.Rank ^ (i + 1)
		return Step{Sends: true, To: other, Bytes: each, Receives: true, From: other, Waits: true}
	})
}

// outstanding is how many messages linear algorithms have under way at a time: Open MPI's coll_tuned_alltoall_max_requests and MPICH's
// MPIR_CVAR_ALLTOALL_THROTTLE.
const outstanding = 32

// throttled is linear with few messages under way. Sources and destinations are at the same distance.
func throttled(b *builder) {
	each, n := b.each(), b.Size-1
	b.lazily(n, func(i int) Step {
		return Step{Sends: true, To: b.left(i + 1), Bytes: each, Receives: true, From: b.right(i + 1), Waits: (i+1)%outstanding == 0}
	})
}

// bruckAll sends at each step what has a bit set in how far it has to go: J. Bruck et al., TPDS 8, 1997.
func bruckAll(b *builder) {
	for d := 1; d < b.Size; d *= 2 {
		blocks := 0
		for i := d; i < b.Size; i++ {
			if i&d != 0 {
				blocks++
			}
		}
		b.exchange(b.right(d), b.each()*int64(blocks), b.left(d), 0)
	}
}

// bruckGather doubles at each step what a rank has.
func bruckGather(b *builder) {
	for d := 1; d < b.Size; d *= 2 {
		b.exchange(b.left(d), b.Bytes*int64(min(d, b.Size-d)), b.right(d), 0)
	}
}

// doublingGather exchanges all that pairs have. Where ranks are no power of two, the rest is sent at the end of each step, which Open MPI and
// MPICH leave to bruckGather.
func doublingGather(b *builder) {
	if power(b.Size) != b.Size {
		bruckGather(b)
		return
	}
	for d := 1; d < b.Size; d *= 2 {
		b.exchange(b.Rank^d, b.Bytes*int64(d), b.Rank^d, 0)
	}
}

// ringGather passes parts round.
func ringGather(b *builder) { b.rounds(b.Bytes) }

// rounds passes so many bytes round by all ranks but one.
func (b *builder) rounds(bytes int64) {
	b.lazily(b.Size-1, func(int) Step {
		return Step{Sends: true, To: b.right(1), Bytes: bytes, Receives: true, From: b.left(1), Waits: true}
	})
}

// neighbours exchanges with the right and the left neighbour in turn, two parts after the first time: J. Chen et al., 2005. It needs an even
// number of ranks.
func neighbours(b *builder) {
	if b.Size%2 != 0 {
		ringGather(b)
		return
	}
	side := func(i int) int {
		if (b.Rank+i)%2 == 0 {
			return b.right(1)
		}
		return b.left(1)
	}
	b.exchange(side(0), b.Bytes, side(0), 0)
	b.lazily(b.Size/2-1, func(i int) Step {
		return Step{Sends: true, To: side(i + 1), Bytes: 2 * b.Bytes, Receives: true, From: side(i + 1), Waits: true}
	})
}

// scatterDoubling is a broadcast as a scatter and a gather by doubling.
func scatterDoubling(b *builder) {
	b.scatter(binomial, b.each())
	if power(b.Size) != b.Size {
		b.rounds(b.each())
		return
	}
	me := b.virtual()
	for d := 1; d < b.Size; d *= 2 {
		b.exchange(b.real(me^d), b.each()*int64(d), b.real(me^d), 0)
	}
}

// scatterRing is a broadcast as a scatter and a ring.
func scatterRing(b *builder) {
	b.scatter(binomial, b.each())
	b.rounds(b.each())
}

// linearGather has all send to the root.
func linearGather(b *builder) {
	if b.Rank != b.Root {
		b.send(b.Root, b.Bytes)
		return
	}
	b.lazily(b.Size-1, func(i int) Step { return Step{Receives: true, From: b.real(i + 1)} })
}

// linearScatter has the root send to all.
func linearScatter(b *builder) {
	if b.Rank != b.Root {
		b.receive(b.Root, 0)
		return
	}
	b.lazily(b.Size-1, func(i int) Step { return Step{Sends: true, To: b.real(i + 1), Bytes: b.Bytes} })
}

// firstSegment is how much a rank sends at once in a synchronized gather. Open MPI: 32 kB above 92160 bytes, else 1 kB.
func firstSegment(bytes int64) int64 {
	if bytes > 92160 {
		return 32768
	}
	return 1024
}

// synchronizedGather has the root ask each rank in turn for the rest of what it has, while the first part is under way.
func synchronizedGather(b *builder) {
	first := min(firstSegment(b.Bytes), b.Bytes)
	if b.Rank != b.Root {
		b.receive(b.Root, 0)
		b.send(b.Root, first)
		b.send(b.Root, b.Bytes-first)
		return
	}
	b.lazily(3*(b.Size-1), func(i int) Step {
		other := b.real(i/3 + 1)
		if i%3 == 1 {
			return Step{Sends: true, To: other}
		}
		return Step{Receives: true, From: other, Waits: i%3 == 2}
	})
}
