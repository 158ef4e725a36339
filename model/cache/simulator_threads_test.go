package cache_test

import "foresee/model/cache"

func prefetchByHand() []byHand {
	return []byHand{
		{
			// Each first use of a prefetched line asks for the next, a second use of 1 does not. 9 replaces 0, and the
			// prefetch of 10 replaces 1.
			"Next line", levels(with(shape(1, 4), prefetching(cache.NextLine, 0))), "r0 r1 r1 r2 r9", "10001",
			cache.Counts{Levels: []cache.LevelCounts{{Accesses: 5, Misses: 2, Evictions: 2, Prefetches: 4, UsefulPrefetches: 2}}, MemoryReads: 6},
		},
		{
			// 0 brings 1 and 2 into level 1 alone; 1 asks for 2, which is there, and 3; 2 for 3, and 4, which replaces 0.
			"Next lines of an outer level", levels(shape(1, 2), with(shape(1, 4), prefetching(cache.NextLine, 2))), "r0 r1 r2", "211",
			cache.Counts{Levels: []cache.LevelCounts{
				{Accesses: 3, Misses: 3, Evictions: 1},
				{Accesses: 3, Misses: 1, Evictions: 1, Prefetches: 4, UsefulPrefetches: 2},
			}, MemoryReads: 5},
		},
		{
			// The prefetch of 1 pushes 0 out, which pushes 1 out when it returns, unmarked; 1 is fetched once more, from
			// level 1, and is of use.
			"Next line out of an exclusive level", levels(with(shape(1, 1), prefetching(cache.NextLine, 1)), with(shape(1, 2), inclusion(cache.Exclusive))), "r0 r0 r1", "210",
			cache.Counts{Levels: []cache.LevelCounts{
				{Accesses: 3, Misses: 2, Evictions: 4, Prefetches: 3, UsefulPrefetches: 1},
				{Accesses: 2, Misses: 1},
			}, MemoryReads: 3},
		},
		{
			// 6 is the second step of 3: 9 and 12. 9 brings 15. 60 is the second step of 10, but 70 is in another page.
			"Stride", levels(with(shape(1, 16), prefetching(cache.Stride, 2))), "r0 r3 r6 r9 r40 r50 r60", "1110111",
			cache.Counts{Levels: []cache.LevelCounts{{Accesses: 7, Misses: 6, Prefetches: 3, UsefulPrefetches: 1}}, MemoryReads: 9},
		},
		{
			// The repeated 3 makes the stride 0, so that 9 is the second step of 3 and not 6; 9 brings 12, and 12 brings 15.
			"Stride forgotten on a repeat", levels(with(shape(1, 16), prefetching(cache.Stride, 1))), "r0 r3 r3 r6 r9 r12", "110110",
			cache.Counts{Levels: []cache.LevelCounts{{Accesses: 6, Misses: 4, Prefetches: 2, UsefulPrefetches: 1}}, MemoryReads: 6},
		},
		{
			// 4096 is in page 64, which takes the entry of page 0: 2 starts it afresh, 3 is a step of 1, 4 the second.
			"Stride of two pages in one entry", levels(with(shape(1, 16), prefetching(cache.Stride, 1))), "r0 r1 r4096 r2 r3 r4", "111111",
			cache.Counts{Levels: []cache.LevelCounts{{Accesses: 6, Misses: 6, Prefetches: 1}}, MemoryReads: 7},
		},
		{
			// 30 is the second step of −10; 20 is prefetched, 10 and 0 too; no line is before 0.
			"Stride downwards", levels(with(shape(1, 16), prefetching(cache.Stride, 9))), "r50 r40 r30 r20 r10", "11100",
			cache.Counts{Levels: []cache.LevelCounts{{Accesses: 5, Misses: 3, Prefetches: 3, UsefulPrefetches: 2}}, MemoryReads: 6},
		},
	}
}

func coherenceByHand() []byHand {
	ofTwo := func(classify bool, l ...cache.Level) cache.Hierarchy {
		return cache.Hierarchy{Threads: 2, Classify: classify, Levels: l}
	}
	return []byHand{
		{
			// Thread 1's read cleans thread 0's copy, its write takes it away; so back and forth. The last write takes
			// away a dirty copy, whose data level 1 keeps.
			"Coherence", ofTwo(true, shape(1, 2), with(shape(1, 4), shared)), "0w0 1r0 1w0 0r0 0w0 1w0", "210101",
			cache.Counts{Levels: []cache.LevelCounts{
				{Accesses: 6, Misses: 4, WriteBacks: 3, Invalidations: 3, Compulsory: 2, Coherence: 2},
				{Accesses: 4, Misses: 1, Compulsory: 1},
			}, MemoryReads: 1},
		},
		{
			// The dirty copy goes out to the private level behind it, which then loses it to memory.
			"Coherence of private levels", ofTwo(false, shape(1, 1), shape(1, 2)), "0w0 1w0", "22",
			cache.Counts{Levels: []cache.LevelCounts{
				{Accesses: 2, Misses: 2, WriteBacks: 1, Invalidations: 1},
				{Accesses: 2, Misses: 2, WriteBacks: 1, Invalidations: 1},
			}, MemoryReads: 2, MemoryWrites: 1},
		},
		{
			// Thread 0 loses 1 to a write, has it back by the prefetch with its second 0 (a conflict: only 1 was between), and
			// loses it to the prefetch of 6: the last miss, with 0 and 5 between, is one of capacity. Each miss and
			// the first use of 1 prefetch a line; in thread 0's instance every fill replaces one, but the first two and that of the
			// second 0, which takes the way of the lost 1.
			"Causes of misses after a prefetch", ofTwo(true, with(shape(1, 2), prefetching(cache.NextLine, 1))), "0r0 0r1 1w1 0r0 0r5 0r1", "101111",
			cache.Counts{Levels: []cache.LevelCounts{{
				Accesses: 6, Misses: 5, Evictions: 6, WriteBacks: 1, Invalidations: 1, Prefetches: 6, UsefulPrefetches: 1,
				Compulsory: 3, Capacity: 1, Conflict: 1,
			}}, MemoryReads: 11, MemoryWrites: 1},
		},
		{
			// Thread 0's prefetch of 1 cleans thread 1's copy; thread 1's write of 2 takes thread 0's prefetched copy.
			"Coherence of prefetches", ofTwo(false, with(shape(1, 4), prefetching(cache.NextLine, 1))), "1w1 0r0 0r1 1w2", "1100",
			cache.Counts{Levels: []cache.LevelCounts{
				{Accesses: 4, Misses: 2, WriteBacks: 1, Invalidations: 1, Prefetches: 4, UsefulPrefetches: 2},
			}, MemoryReads: 6, MemoryWrites: 1},
		},
	}
}
