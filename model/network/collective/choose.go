package collective

// algorithm is how a collective is done.
type algorithm int

const (
	barrierLinear algorithm = iota
	barrierDoubling
	barrierDissemination
	barrierTree
	bcastLinear
	bcastChain
	bcastBinary
	bcastBinomial
	bcastNomial
	bcastScatterDoubling
	bcastScatterRing
	bcastBinomialLow
	reduceLinear
	reduceChain
	reduceBinary
	reduceBinomial
	reduceHalving
	reduceBinomialLow
	reduceThenBcast
	allDoubling
	allRing
	allHalving
	gatherLinear
	gatherBinomial
	gatherSynchronized
	scatterLinear
	scatterBinomial
	gatherAllBruck
	gatherAllDoubling
	gatherAllRing
	gatherAllNeighbours
	allLinear
	allPairwise
	allXor
	allBruck
	allThrottled
	reduceScatterRoot
	reduceScatterHalving
	reduceScatterRing
	reduceScatterPairwise
	scanLinear
	scanDoubling
)

// radix is that of Open MPI's tree: coll_tuned_bcast_algorithm_knomial_radix.
const radix = 4

func nomialTree(me, size int) (int, []int) { return nomial(radix, me, size) }

// algorithms make the steps of a rank. It is filled when the program starts, as some algorithms are made of others.
var algorithms map[algorithm]func(b *builder)

func init() {
	algorithms = map[algorithm]func(b *builder){
		barrierLinear: linearBarrier, barrierDoubling: doublingBarrier, barrierDissemination: dissemination, barrierTree: treeBarrier,
		bcastLinear: down(star), bcastChain: down(chain), bcastBinary: down(binary), bcastBinomial: down(mirrored), bcastNomial: down(nomialTree),
		bcastScatterDoubling: scatterDoubling, bcastScatterRing: scatterRing, bcastBinomialLow: down(binomial),
		reduceLinear: up(star), reduceChain: up(chain), reduceBinary: up(binary), reduceBinomial: up(mirrored), reduceHalving: halvingReduce,
		reduceBinomialLow: up(upward(binomial)), reduceThenBcast: reduceBcast, allDoubling: recursiveDoubling, allRing: ring, allHalving: rabenseifner,
		gatherLinear: linearGather, gatherBinomial: gatherTree(binomial), gatherSynchronized: synchronizedGather,
		scatterLinear: linearScatter, scatterBinomial: scatterTree(binomial),
		gatherAllBruck: bruckGather, gatherAllDoubling: doublingGather, gatherAllRing: ringGather, gatherAllNeighbours: neighbours,
		allLinear: linear, allPairwise: pairwise, allXor: xorPairwise, allBruck: bruckAll, allThrottled: throttled,
		reduceScatterRoot: reduceScatterLinear, reduceScatterHalving: halving, reduceScatterRing: ringReduce, reduceScatterPairwise: pairwiseReduce,
		scanLinear: linearScan, scanDoubling: doublingScan,
	}
}

// choose is the algorithm that a library takes.
func choose(library Library, c *Call) algorithm {
	if library == MPICH {
		return chooseMPICH(c)
	}
	if c.Kind == Scan {
		return scanLinear
	}
	bytes := c.Bytes
	if c.Kind == Alltoall {
		bytes /= int64(c.Size)
	}
	for _, r := range openMPI[c.Kind] {
		if r.ranks != 0 && c.Size >= r.ranks {
			continue
		}
		for _, one := range r.choices {
			if one.bytes == 0 || bytes < one.bytes {
				return elements(one.algorithm, c)
			}
		}
	}
	return barrierLinear
}

// element is how large an element of a reduction is taken to be, as a call tells bytes alone: a double.
const element = 8

// elements takes another algorithm where there are too few elements to part among the ranks, as Open MPI does: a ring then doubles, and
// halving reduces and broadcasts.
func elements(a algorithm, c *Call) algorithm {
	n := c.Bytes / element
	if a == allRing && n < int64(c.Size) {
		return allDoubling
	}
	if a == allHalving && n < int64(power(c.Size)) {
		return reduceThenBcast
	}
	if a == reduceHalving && n < int64(power(c.Size)) {
		return reduceLinear
	}
	return a
}

// Limits of MPICH: the defaults of its variables MPIR_CVAR_…: ALLREDUCE_SHORT_MSG_SIZE, REDUCE_SHORT_MSG_SIZE, BCAST_SHORT_MSG_SIZE,
// BCAST_LONG_MSG_SIZE, BCAST_MIN_PROCS, ALLTOALL_SHORT_MSG_SIZE, ALLTOALL_MEDIUM_MSG_SIZE, ALLGATHER_SHORT_MSG_SIZE, ALLGATHER_LONG_MSG_SIZE,
// REDSCAT_COMMUTATIVE_LONG_MSG_SIZE.
const (
	shortAllreduce   = 2048
	shortReduce      = 2048
	shortBcast       = 12288
	longBcast        = 524288
	fewBcast         = 8
	shortAlltoall    = 256
	mediumAlltoall   = 32768
	shortAllgather   = 81920
	longAllgather    = 524288
	longReduceScater = 524288
)

func chooseMPICH(c *Call) algorithm {
	even := power(c.Size) == c.Size
	parted := c.Bytes/element >= int64(power(c.Size))
	switch c.Kind {
	case Barrier:
		return barrierDissemination
	case Bcast:
		switch {
		case c.Bytes < shortBcast || c.Size < fewBcast:
			return bcastBinomialLow
		case c.Bytes < longBcast && even:
			return bcastScatterDoubling
		}
		return bcastScatterRing
	case Reduce:
		if c.Bytes > shortReduce && parted {
			return reduceHalving
		}
		return reduceBinomialLow
	case Allreduce:
		if c.Bytes > shortAllreduce && parted {
			return allHalving
		}
		return allDoubling
	case Gather:
		return gatherBinomial
	case Scatter:
		return scatterBinomial
	case Allgather:
		return allgatherMPICH(c.Bytes*int64(c.Size), even)
	case Alltoall:
		return alltoallMPICH(c.Bytes/int64(c.Size), c.Size, even)
	case ReduceScatter:
		if c.Bytes < longReduceScater {
			return reduceScatterHalving
		}
		return reduceScatterPairwise
	}
	return scanDoubling
}

func allgatherMPICH(total int64, even bool) algorithm {
	switch {
	case even && total < longAllgather:
		return gatherAllDoubling
	case total < shortAllgather:
		return gatherAllBruck
	}
	return gatherAllRing
}

func alltoallMPICH(each int64, size int, even bool) algorithm {
	switch {
	case each <= shortAlltoall && size >= 8: // as the source has it
		return allBruck
	case each <= mediumAlltoall:
		return allThrottled
	case even:
		return allXor
	}
	return allPairwise
}
