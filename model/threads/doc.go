// Package threads says what the caches of a machine see when a program runs on a number of threads, from one analysis
// of the program.
//
// Analyse makes a Signature: a weighted sample of accesses, each with the iterations of worksharing loops that touch the
// same line. A Model answers from it for any Team: reuse distances and intervals, in lines and in accesses of all
// threads, of caches that one, some or all of the threads share. It goes on from PLUSS (Liu et al., "Parallel Loop
// Locality Analysis for Symbolic Thread Counts", PACT 2024), which Published is: private reuse intervals, the
// NegativeBinomial distribution of short ones (eq. 1), the bound of eq. 2 and the Racetrack density of theorem 3.4.
// docs/models/threads.md explains both and where they differ.
//
// Threads are placed on cores in order, one a core: thread i on core i. A level that c cores share serves groups of c
// neighbouring threads; a level of one core serves private streams.
package threads
