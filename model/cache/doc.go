// Package cache turns reuse distances into hits, and simulates caches exactly.
//
// SDCM is the stack distance based cache model of Brehob and Enbody as PPT-Multicore uses it (Barai et al.,
// eqs. 1–3): an access of reuse distance D hits a cache of B lines and A ways when fewer than A of the D distinct
// lines in between fell into its set. A fully associative LRU cache hits when D < B.
//
// Sizes are in lines. Distances are counted in distinct other lines. Colouring places pages in memory, by which caches whose sets span more than a
// page see addresses; Chain follows one set through all levels.
//
// # Simulation
//
// Simulator is the exact answer, against which the models are judged. Its rules, so that another simulator can be
// written from them and count the same:
//
// Thread t is served by instance t / SharedBy of each level. Line X falls into set X mod sets. A level holds what
// its sets and its victim cache hold.
//
// A demand access of thread t to line X, a read or a write, goes in steps.
//
//  1. Lookup. From level 0 outwards, each instance that serves t counts an access. Where X is found (level h), the
//     search ends and X becomes the most recently used there; elsewhere the level counts a miss. A line found in the
//     victim cache is a hit, counted as a victim hit too: it moves into its set, as the most recently used, and what
//     it displaces there moves to the victim cache. An exclusive level other than level 0 that lacks X, while an instance
//     further in holds X that serves another thread of the same instance and not t, has X forwarded from there: a hit,
//     counted as a forwarded one too, that changes no recency. If X is nowhere, h is the number of levels and memory
//     counts a read.
//  2. Coherence, with more than one thread. On a write, from level 0 outwards, and on each from instance 0 up, every
//     instance that does not serve t and holds X loses it and counts an invalidation; if its copy was dirty it counts
//     a write-back and sends X outwards. On a read with h > 0, every such dirty copy becomes clean, counts a
//     write-back, and is sent outwards, in the same order; it stays.
//  3. Fill. From level h−1 inwards to 0, X is put into each level as the most recently used, save that an exclusive
//     level other than level 0 is skipped, and on a write one that does not allocate on writes. If level h is
//     exclusive, h > 0, holds X, and at least one level is filled, X first leaves level h; if it was dirty there, it is dirty
//     in the outermost filled level that writes back, or sent outwards from h when there is none.
//  4. Store. On a write, the innermost level that serves t and now holds X has the data: a level that writes back
//     marks X dirty, one that writes through sends X outwards from itself. If none holds X, memory counts a write.
//  5. Prefetch, by each level from 0 outwards that was looked up in step 1; see below.
//
// Putting X into an instance takes an empty way of the set, or replaces the line that the policy chooses; X is in its
// place before the replaced line V is dealt with. V moves into the victim cache as its most recently used line, if
// there is one, and when that is full its least recently used line is what leaves the level. A line V that leaves
// counts an eviction. Then:
//
//   - If the level is inclusive, every instance of the levels further in, from level 0 outwards and from the lowest
//     instance up, that serves one of its threads and holds V loses it, and its level counts a back-invalidation; if that
//     copy was dirty, V is dirty.
//   - If the next level outwards is exclusive, V moves there: a dirty V counts a write-back, of the level that it
//     leaves; a V that is already there becomes the most recently used where it is, in its set or the victim cache, and dirty if
//     it was; else it is put in. A dirty V stays dirty also in a level that writes through.
//   - Else a dirty V counts a write-back and is sent outwards.
//
// Exclusive levels have lines forwarded because AMD's do, whose L3 keeps the tags of its cores' L2 caches beside its own and lets a
// line that one of them has pass from core to core (Software Optimization Guide for the AMD Zen 4 Microarchitecture, 57647, of the L3
// cache). Its owned state is not simulated: changes that another thread reads are written back, as in step 2.
//
// Sending V outwards from a level: of the levels further out, in the instances that serve the sender's threads, the
// first that holds V and writes back marks it dirty, and V goes no further; if there is none, memory counts a write.
// Nothing is allocated or made more recently used on the way, so that write-backs do not change what is found later.
//
// Replacement. LRU replaces the least recently used line, FIFO the one put in first (finding a line changes nothing,
// also not where a victim moves onto itself). PLRU is tree-PLRU over the ways, numbered from 0: each node has a bit
// that says which half to replace in, 0 the lower; using a way turns the bits on its path away from it. Ways that are
// no power of two stand in the tree of the next one, and a half without ways is never chosen. Random draws a way
// with PCG(Seed, level·2³² + instance) of math/rand/v2, IntN(ways), only when no way is empty. PLRU and random take
// the empty way with the lowest number. A line that is lost leaves its way empty and the bits as they are.
//
// Prefetch. A level with next-line prefetching that missed X, or hit a line that a prefetch had put there and no
// access had found yet, prefetches X+1 … X+Degree. With stride prefetching, an instance keeps 64 entries, by 4 KiB page modulo 64, each with
// the page, the last line looked up and the last stride. A lookup of X in another page than the entry's starts the
// entry afresh, with stride 0. Else, if the difference of X to the last line equals the stride and is not 0, X+stride
// … X+Degree·stride are prefetched, those in the page only; else the difference becomes the stride, 0 too. Then X is
// the last line. Prefetching line P into a level does nothing if the level holds it. Else the level counts a prefetch, and
// P is handled like a read from this level outwards: looked for in the levels further out, which may have it forwarded (without counts,
// and without making it more recently used or moving it out of a victim cache), made coherent as a read with h > 0,
// and filled from where it was found inwards to this level, which is filled also if it is exclusive, and where P is
// marked. These look-ups are not those that causes of misses and strides are told from. When an access finds a marked line, the level counts
// a useful prefetch and the mark goes. If it is nowhere, memory counts a read. A mark does not move with the line to another level.
//
// Misses, if asked for, are told apart at each instance: compulsory is the first lookup of X there; of the others,
// coherence is one where X was last lost to step 2 and has not been put in since; capacity is one with a reuse
// distance, among the lookups there, of at least the lines of the instance with its victim cache; conflict the rest.
package cache
