// Package schedule is how OpenMP deals the iterations of a worksharing loop to the threads of a team (OpenMP 5.2,
// section 11.5.3). It is the only place where foresee says so in Go: loop nests, the model of threads and recordings
// ask it. It imports nothing of foresee.
//
// Iterations are numbered from 0 in the order of one thread; those of collapsed loops as one loop, the innermost
// fastest. T is the number of threads, t one of them from 0, c the chunk of the clause, all counts in iterations.
//
//   - static: thread t gets one block. The first n mod T blocks have one iteration more than the others, so block t
//     begins at t·⌊n/T⌋ + min(t, n mod T): 10 iterations for 4 threads are 0–2, 3–5, 6–7, 8–9.
//   - static, c: chunk k, which begins at k·c, goes to thread k mod T.
//   - dynamic, c: chunks of c, 1 where the clause gives none, to whoever asks.
//   - guided, c: to whoever asks, ⌈left/T⌉ iterations of those that are left, but at least c, 1 where the clause gives
//     none: 20 iterations for 3 threads are chunks of 7, 5, 3, 2, 1, 1, 1.
//   - auto and runtime are no rules of their own: who reads a source takes them as static, and a recording says what
//     was run.
//
// The last chunk may be shorter. OpenMP leaves the blocks of static and the chunks of guided to the implementation;
// these are libgomp's, as its iterator functions hand them out, and the tests compare with it. LLVM's libomp agrees on
// static; of guided it hands out half as much, ⌊left/2T⌋, while at least 2T·(c+1) are left, then chunks of c.
//
// Who asks next depends on the machine. Three forms stand for it: Deal leaves it to the caller; Team lets ask whoever
// has done least; Share, in which the thread may be unknown, lets threads ask in turn, which is right where chunks take
// equally long.
package schedule
