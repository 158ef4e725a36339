package cache_test

import "foresee/model/cache"

func replacementByHand() []byHand {
	classified := levels(shape(2, 1))
	classified.Classify = true
	random := levels(with(shape(1, 4), replacement(cache.Random)))
	random.Seed = 7
	return []byHand{
		{
			// 2 replaces 1, as 0 was used since.
			"LRU", levels(shape(1, 2)), "r0 r1 r0 r2 r0 r1", "110101",
			cache.Counts{Levels: []cache.LevelCounts{{Accesses: 6, Misses: 4, Evictions: 2}}, MemoryReads: 4},
		},
		{
			// 2 replaces 0, used or not; 0 then replaces 1, and 1 replaces 2.
			"FIFO", levels(with(shape(1, 2), replacement(cache.FIFO))), "r0 r1 r0 r2 r0 r1", "110111",
			cache.Counts{Levels: []cache.LevelCounts{{Accesses: 6, Misses: 5, Evictions: 3}}, MemoryReads: 5},
		},
		{
			// After 0 to 3 and 0 the root says high, the high node low: 4 replaces 2, where LRU replaces 1. Then 1 is
			// used: the root says high, the high node high, as way 2 was used last: 2 replaces 3.
			"PLRU", levels(with(shape(1, 4), replacement(cache.PLRU))), "r0 r1 r2 r3 r0 r4 r1 r2 r0", "111101010",
			cache.Counts{Levels: []cache.LevelCounts{{Accesses: 9, Misses: 6, Evictions: 2}}, MemoryReads: 6},
		},
		{
			// 3 finds the root low, the low node low: it replaces 0. After 1 the root says high, and the high node
			// says way 3, which does not exist: 4 replaces 2. 2 finds low and low again, and replaces 3.
			"PLRU of three ways", levels(with(shape(1, 3), replacement(cache.PLRU))), "r0 r1 r2 r3 r1 r4 r2 r1 r4", "111101100",
			cache.Counts{Levels: []cache.LevelCounts{{Accesses: 9, Misses: 6, Evictions: 3}}, MemoryReads: 6},
		},
		{
			// PCG(7, 0) draws ways 2, 0 and 1, and only once the ways are full; the hit draws nothing.
			"Random", random, "r0 r1 r2 r3 r3 r4 r5 r6 r3 r4 r5 r6", "111101110000",
			cache.Counts{Levels: []cache.LevelCounts{{Accesses: 12, Misses: 7, Evictions: 3}}, MemoryReads: 7},
		},
		{
			// 0 and 2 share a set. The second 0 was two lookups ago: one line between, a fully associative cache of two
			// would have held it. Between the two lookups of 2 are 0 and 1.
			"Causes of misses", classified, "r0 r2 r0 r1 r2 r1", "111110",
			cache.Counts{Levels: []cache.LevelCounts{{Accesses: 6, Misses: 5, Evictions: 3, Compulsory: 3, Capacity: 1, Conflict: 1}}, MemoryReads: 5},
		},
		{
			// 0, dirty, waits beside the set while 1 is in it; they change places; 2 pushes 0 out again and thereby 1
			// out of the level, 3 pushes 2 out and thereby 0, which is still dirty.
			"Victim cache", levels(with(shape(1, 1), func(l *cache.Level) { l.VictimLines = 1 })), "w0 r1 r0 r2 r3", "11011",
			cache.Counts{Levels: []cache.LevelCounts{{Accesses: 5, Misses: 4, VictimHits: 1, Evictions: 2, WriteBacks: 1}}, MemoryReads: 4, MemoryWrites: 1},
		},
	}
}

func hierarchyByHand() []byHand {
	refresh := levels(shape(1, 1), with(with(shape(1, 2), inclusion(cache.Exclusive)), shared))
	refresh.Threads = 2
	forwarding := levels(shape(1, 1), with(with(shape(1, 2), inclusion(cache.Exclusive)), shared))
	forwarding.Threads, forwarding.Classify = 2, true
	return []byHand{
		{
			// Thread 1 gets 0 from thread 0's cache, which keeps it, and thread 0 the dirty 5 of thread 1, which is written to
			// memory for that. 1's 0 went outwards for 5 and is found there. Thread 0's write of 5 takes it from thread 1, which
			// has it forwarded again, clean once more.
			"Exclusive, forwarded", forwarding, "0r0 1r0 1w5 0r5 0w5 1r0 1r5", "2121011",
			cache.Counts{Levels: []cache.LevelCounts{
				{Accesses: 7, Misses: 6, Evictions: 3, WriteBacks: 2, Invalidations: 1, Compulsory: 4, Coherence: 1, Capacity: 1},
				{Accesses: 6, Misses: 2, Compulsory: 2, ForwardedHits: 3},
			}, MemoryReads: 2, MemoryWrites: 2},
		},
		{
			// Level 1 does not see the hit on 0, so 2 replaces 0 there; level 0 loses it too, and its dirtiness makes
			// level 1 write it back. The second 0 then replaces 1 in both. Level 0 always finds a way empty.
			"Inclusive", levels(shape(1, 2), with(shape(1, 2), inclusion(cache.Inclusive))), "w0 r1 r0 r2 r1 r0", "220202",
			cache.Counts{Levels: []cache.LevelCounts{
				{Accesses: 6, Misses: 4, BackInvalidations: 2},
				{Accesses: 4, Misses: 4, Evictions: 2, WriteBacks: 1},
			}, MemoryReads: 4, MemoryWrites: 1},
		},
		{
			// The same without inclusion: level 0 keeps 0, dirty, and replaces 1 by an LRU of its own.
			"Non-inclusive", levels(shape(1, 2), shape(1, 2)), "w0 r1 r0 r2 r0", "22020",
			cache.Counts{Levels: []cache.LevelCounts{
				{Accesses: 5, Misses: 3, Evictions: 1},
				{Accesses: 3, Misses: 3, Evictions: 1},
			}, MemoryReads: 3},
		},
		{
			// 1 pushes the dirty 0 to level 1 (a write-back); 0 returns dirty and 1 goes; 2 pushes 0 out dirty once
			// more; 3 pushes 2, for which 1 leaves clean; 4 pushes 3, for which 0 leaves dirty.
			"Exclusive", levels(shape(1, 1), with(shape(1, 2), inclusion(cache.Exclusive))), "w0 r1 r0 r2 r3 r4", "221222",
			cache.Counts{Levels: []cache.LevelCounts{
				{Accesses: 6, Misses: 6, Evictions: 5, WriteBacks: 2},
				{Accesses: 6, Misses: 5, Evictions: 2, WriteBacks: 1},
			}, MemoryReads: 5, MemoryWrites: 1},
		},
		{
			// Both threads hold 0, the second as it is forwarded, and each pushes it to the shared level: the second time it is
			// there already and is refreshed, so that 2 displaces 1 and 0 is found.
			"Exclusive, refreshed", refresh, "0r0 1r0 0r1 0r2 1r3 0r4 1r0", "2122221",
			cache.Counts{Levels: []cache.LevelCounts{
				{Accesses: 7, Misses: 7, Evictions: 5},
				{Accesses: 7, Misses: 5, Evictions: 1, ForwardedHits: 1},
			}, MemoryReads: 5},
		},
		{
			// 0 is written in level 1, as nothing allocates; read, it goes to level 0, which cannot keep it dirty: it is
			// sent on from level 1, which no longer has it, to memory. That is no write-back of a line that leaves.
			"Exclusive behind write-through", levels(with(with(shape(1, 1), writeThrough), noWriteAllocate), with(shape(1, 2), inclusion(cache.Exclusive))), "r0 r1 w0 r0 r1", "22111",
			cache.Counts{Levels: []cache.LevelCounts{
				{Accesses: 5, Misses: 5, Evictions: 3},
				{Accesses: 5, Misses: 2},
			}, MemoryReads: 2, MemoryWrites: 1},
		},
		{
			// A dirty line that leaves stops at the level that holds it.
			"Write-back", levels(shape(1, 1), shape(1, 4)), "w0 r1", "22",
			cache.Counts{Levels: []cache.LevelCounts{
				{Accesses: 2, Misses: 2, Evictions: 1, WriteBacks: 1},
				{Accesses: 2, Misses: 2},
			}, MemoryReads: 2},
		},
		{
			"Write-through to memory", levels(with(shape(1, 1), writeThrough)), "w0 w0 r0 r1", "1001",
			cache.Counts{Levels: []cache.LevelCounts{{Accesses: 4, Misses: 2, Evictions: 1}}, MemoryReads: 2, MemoryWrites: 2},
		},
		{
			// Both writes make 0 dirty in level 1, where 2 replaces it; level 0 always evicts clean lines.
			"Write-through to a level", levels(with(shape(1, 1), writeThrough), shape(1, 2)), "w0 w0 r1 r2", "2022",
			cache.Counts{Levels: []cache.LevelCounts{
				{Accesses: 4, Misses: 3, Evictions: 2},
				{Accesses: 3, Misses: 3, Evictions: 1, WriteBacks: 1},
			}, MemoryReads: 3, MemoryWrites: 1},
		},
		{
			// Only the read brings 0 into level 0, which then has the last write and gives it back to level 1.
			"No write allocation", levels(with(shape(1, 1), noWriteAllocate), shape(1, 2)), "w0 w0 r0 w0 r1", "21102",
			cache.Counts{Levels: []cache.LevelCounts{
				{Accesses: 5, Misses: 4, Evictions: 1, WriteBacks: 1},
				{Accesses: 4, Misses: 2},
			}, MemoryReads: 2},
		},
		{
			// Nothing is filled, so each write reads and writes memory.
			"No write allocation anywhere", levels(with(shape(1, 1), noWriteAllocate)), "w0 w0", "11",
			cache.Counts{Levels: []cache.LevelCounts{{Accesses: 2, Misses: 2}}, MemoryReads: 2, MemoryWrites: 2},
		},
		{
			// With no level filled, the line stays in the exclusive level that held it, and is written there;
			// 3 pushes 2 out, which replaces it.
			"Exclusive behind no write allocation", levels(with(shape(1, 1), noWriteAllocate), with(shape(1, 2), inclusion(cache.Exclusive))), "r0 r1 w0 r2 r3", "22122",
			cache.Counts{Levels: []cache.LevelCounts{
				{Accesses: 5, Misses: 5, Evictions: 3},
				{Accesses: 5, Misses: 4, Evictions: 1, WriteBacks: 1},
			}, MemoryReads: 4, MemoryWrites: 1},
		},
	}
}
