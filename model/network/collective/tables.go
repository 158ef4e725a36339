package collective

// row holds what is chosen for fewer ranks than a number; 0: for all others.
type row struct {
	ranks   int
	choices []choice
}

// choice is what is chosen for fewer bytes than a number; 0: for all others.
type choice struct {
	bytes     int64
	algorithm algorithm
}

// openMPI are the decisions of Open MPI 4.1, coll_tuned_decision_fixed.c, for operations that commute. Bytes are those of the whole of Bcast,
// Reduce, Allreduce and ReduceScatter, and of one rank's part of the others. Its segmented ring is a ring here, its butterfly a halving, and its
// double ring, which no row has, is left out.
var openMPI = map[Kind][]row{
	Barrier: {
		{4, []choice{{0, barrierDoubling}}},
		{8, []choice{{0, barrierLinear}}},
		{64, []choice{{0, barrierDoubling}}},
		{256, []choice{{0, barrierDissemination}}},
		{512, []choice{{0, barrierTree}}},
		{1024, []choice{{0, barrierDissemination}}},
		{4096, []choice{{0, barrierTree}}},
		{0, []choice{{0, barrierDissemination}}},
	},
	Bcast: {
		{4, []choice{{32, bcastChain}, {256, bcastBinary}, {512, bcastChain}, {1024, bcastNomial}, {32768, bcastLinear}, {131072, bcastBinary}, {262144, bcastChain}, {524288, bcastLinear}, {1048576, bcastBinomial}, {0, bcastBinary}}},
		{8, []choice{{64, bcastBinary}, {128, bcastBinomial}, {2048, bcastBinary}, {8192, bcastBinomial}, {1048576, bcastLinear}, {0, bcastChain}}},
		{16, []choice{{8, bcastNomial}, {64, bcastBinary}, {4096, bcastNomial}, {16384, bcastBinary}, {32768, bcastBinomial}, {0, bcastLinear}}},
		{32, []choice{{4096, bcastNomial}, {1048576, bcastBinomial}, {0, bcastScatterDoubling}}},
		{64, []choice{{2048, bcastBinomial}, {0, bcastNomial}}},
		{128, []choice{{0, bcastNomial}}},
		{256, []choice{{2, bcastBinomial}, {16384, bcastBinary}, {32768, bcastLinear}, {65536, bcastBinary}, {0, bcastNomial}}},
		{1024, []choice{{16384, bcastNomial}, {32768, bcastBinary}, {0, bcastNomial}}},
		{2048, []choice{{524288, bcastNomial}, {0, bcastScatterDoubling}}},
		{4096, []choice{{262144, bcastNomial}, {0, bcastScatterDoubling}}},
		{0, []choice{{8192, bcastNomial}, {16384, bcastBinary}, {262144, bcastNomial}, {0, bcastScatterDoubling}}},
	},
	Reduce: {
		{4, []choice{{8, reduceHalving}, {16, reduceBinary}, {32, reduceChain}, {262144, reduceLinear}, {524288, reduceChain}, {1048576, reduceChain}, {0, reduceChain}}},
		{8, []choice{{4096, reduceBinary}, {65536, reduceChain}, {262144, reduceBinomial}, {524288, reduceLinear}, {1048576, reduceBinomial}, {0, reduceLinear}}},
		{16, []choice{{8192, reduceBinary}, {0, reduceBinomial}}},
		{32, []choice{{4096, reduceBinary}, {0, reduceBinomial}}},
		{256, []choice{{0, reduceBinomial}}},
		{512, []choice{{8192, reduceBinomial}, {16384, reduceBinary}, {0, reduceBinomial}}},
		{2048, []choice{{0, reduceBinomial}}},
		{4096, []choice{{512, reduceBinomial}, {1024, reduceBinary}, {8192, reduceBinomial}, {16384, reduceBinary}, {0, reduceBinomial}}},
		{0, []choice{{16, reduceBinomial}, {32, reduceBinary}, {1024, reduceBinomial}, {2048, reduceBinary}, {8192, reduceBinomial}, {16384, reduceBinary}, {0, reduceBinomial}}},
	},
	Allreduce: {
		{4, []choice{{8, allRing}, {4096, allDoubling}, {8192, allRing}, {16384, allDoubling}, {65536, allRing}, {262144, allRing}, {0, allHalving}}},
		{8, []choice{{16, allRing}, {8192, allDoubling}, {0, allHalving}}},
		{16, []choice{{8192, allDoubling}, {0, allHalving}}},
		{32, []choice{{64, allRing}, {4096, allDoubling}, {0, allHalving}}},
		{64, []choice{{128, allRing}, {0, allHalving}}},
		{128, []choice{{262144, allDoubling}, {0, allHalving}}},
		{256, []choice{{131072, reduceThenBcast}, {262144, allDoubling}, {0, allHalving}}},
		{512, []choice{{4096, reduceThenBcast}, {0, allHalving}}},
		{2048, []choice{{2048, reduceThenBcast}, {16384, allDoubling}, {0, allHalving}}},
		{4096, []choice{{2048, reduceThenBcast}, {4096, allRing}, {16384, allDoubling}, {0, allHalving}}},
		{0, []choice{{2048, reduceThenBcast}, {16384, allRing}, {32768, allDoubling}, {0, allHalving}}},
	},
	Gather: {
		{4, []choice{{2, gatherSynchronized}, {4, gatherLinear}, {32768, gatherBinomial}, {65536, gatherLinear}, {131072, gatherBinomial}, {0, gatherSynchronized}}},
		{8, []choice{{1024, gatherBinomial}, {8192, gatherLinear}, {32768, gatherBinomial}, {262144, gatherLinear}, {0, gatherSynchronized}}},
		{256, []choice{{0, gatherBinomial}}},
		{512, []choice{{2048, gatherBinomial}, {8192, gatherLinear}, {0, gatherBinomial}}},
		{0, []choice{{0, gatherBinomial}}},
	},
	Scatter: {
		{4, []choice{{2, scatterLinear}, {131072, scatterLinear}, {262144, scatterLinear}, {0, scatterLinear}}},
		{8, []choice{{2048, scatterBinomial}, {4096, scatterLinear}, {8192, scatterBinomial}, {32768, scatterLinear}, {1048576, scatterLinear}, {0, scatterLinear}}},
		{16, []choice{{16384, scatterBinomial}, {1048576, scatterLinear}, {0, scatterLinear}}},
		{32, []choice{{16384, scatterBinomial}, {32768, scatterLinear}, {0, scatterLinear}}},
		{64, []choice{{512, scatterBinomial}, {8192, scatterLinear}, {16384, scatterBinomial}, {0, scatterLinear}}},
		{0, []choice{{512, scatterBinomial}, {0, scatterLinear}}},
	},
	Allgather: {
		{3, []choice{{0, gatherAllDoubling}}},
		{32, []choice{{0, gatherAllDoubling}}},
		{64, []choice{{1024, gatherAllDoubling}, {65536, gatherAllNeighbours}, {0, gatherAllRing}}},
		{128, []choice{{512, gatherAllDoubling}, {65536, gatherAllNeighbours}, {0, gatherAllRing}}},
		{256, []choice{{512, gatherAllDoubling}, {131072, gatherAllNeighbours}, {524288, gatherAllRing}, {1048576, gatherAllNeighbours}, {0, gatherAllRing}}},
		{512, []choice{{32, gatherAllDoubling}, {128, gatherAllBruck}, {1024, gatherAllDoubling}, {131072, gatherAllNeighbours}, {524288, gatherAllRing}, {1048576, gatherAllNeighbours}, {0, gatherAllRing}}},
		{1024, []choice{{64, gatherAllDoubling}, {256, gatherAllBruck}, {2048, gatherAllDoubling}, {0, gatherAllNeighbours}}},
		{2048, []choice{{4, gatherAllDoubling}, {8, gatherAllBruck}, {16, gatherAllDoubling}, {32, gatherAllBruck}, {256, gatherAllDoubling}, {512, gatherAllBruck}, {4096, gatherAllDoubling}, {0, gatherAllNeighbours}}},
		{4096, []choice{{32, gatherAllBruck}, {128, gatherAllDoubling}, {512, gatherAllBruck}, {4096, gatherAllDoubling}, {0, gatherAllNeighbours}}},
		{0, []choice{{2, gatherAllDoubling}, {8, gatherAllBruck}, {16, gatherAllDoubling}, {512, gatherAllBruck}, {4096, gatherAllDoubling}, {0, gatherAllNeighbours}}},
	},
	Alltoall: {
		{3, []choice{{2, allPairwise}, {4, allPairwise}, {16, allPairwise}, {64, allPairwise}, {256, allPairwise}, {4096, allPairwise}, {32768, allPairwise}, {262144, allThrottled}, {1048576, allPairwise}, {0, allPairwise}}},
		{8, []choice{{8192, allThrottled}, {16384, allLinear}, {65536, allThrottled}, {524288, allLinear}, {1048576, allPairwise}, {0, allLinear}}},
		{16, []choice{{262144, allThrottled}, {0, allLinear}}},
		{32, []choice{{4, allThrottled}, {512, allBruck}, {8192, allThrottled}, {32768, allLinear}, {262144, allThrottled}, {524288, allLinear}, {0, allThrottled}}},
		{64, []choice{{512, allBruck}, {524288, allLinear}, {0, allThrottled}}},
		{128, []choice{{1024, allBruck}, {2048, allLinear}, {4096, allThrottled}, {262144, allLinear}, {0, allPairwise}}},
		{256, []choice{{1024, allBruck}, {2048, allThrottled}, {262144, allLinear}, {0, allPairwise}}},
		{512, []choice{{1024, allBruck}, {8192, allThrottled}, {32768, allLinear}, {0, allPairwise}}},
		{1024, []choice{{512, allBruck}, {8192, allThrottled}, {16384, allLinear}, {131072, allThrottled}, {262144, allLinear}, {0, allPairwise}}},
		{2048, []choice{{512, allBruck}, {1024, allThrottled}, {2048, allLinear}, {16384, allThrottled}, {262144, allLinear}, {0, allThrottled}}},
		{4096, []choice{{1024, allBruck}, {4096, allThrottled}, {8192, allLinear}, {131072, allThrottled}, {0, allLinear}}},
		{0, []choice{{2048, allBruck}, {8192, allThrottled}, {16384, allLinear}, {32768, allThrottled}, {65536, allLinear}, {0, allThrottled}}},
	},
	ReduceScatter: {
		{4, []choice{{65536, reduceScatterRing}, {131072, reduceScatterHalving}, {0, reduceScatterRing}}},
		{8, []choice{{8, reduceScatterRoot}, {262144, reduceScatterHalving}, {0, reduceScatterRing}}},
		{32, []choice{{262144, reduceScatterHalving}, {0, reduceScatterRing}}},
		{64, []choice{{64, reduceScatterRoot}, {2048, reduceScatterHalving}, {524288, reduceScatterHalving}, {0, reduceScatterRing}}},
		{128, []choice{{256, reduceScatterRoot}, {512, reduceScatterHalving}, {2048, reduceScatterHalving}, {4096, reduceScatterHalving}, {0, reduceScatterHalving}}},
		{256, []choice{{256, reduceScatterRoot}, {512, reduceScatterHalving}, {0, reduceScatterHalving}}},
		{512, []choice{{256, reduceScatterRoot}, {1024, reduceScatterHalving}, {0, reduceScatterHalving}}},
		{1024, []choice{{512, reduceScatterRoot}, {2048, reduceScatterHalving}, {8192, reduceScatterHalving}, {16384, reduceScatterHalving}, {0, reduceScatterHalving}}},
		{2048, []choice{{512, reduceScatterRoot}, {4096, reduceScatterHalving}, {16384, reduceScatterHalving}, {32768, reduceScatterHalving}, {0, reduceScatterHalving}}},
		{4096, []choice{{512, reduceScatterRoot}, {4096, reduceScatterHalving}, {0, reduceScatterHalving}}},
		{0, []choice{{1024, reduceScatterRoot}, {8192, reduceScatterHalving}, {0, reduceScatterHalving}}},
	},
}
