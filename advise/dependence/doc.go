// Package dependence finds which accesses of a loop nest touch the same memory in which order, and in what direction: the vectors by which
// changes of loops are judged legal (Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001, chapters 2 and 3).
//
// Two accesses depend on each other where both touch a byte and one of them writes. Whether there are iterations in which they do is a
// question about a system of linear equations and inequalities in integers. Feasible answers it on the safe side: it says no where it has
// proved that, by parting the equation of the addresses into those of the subscripts (as Maslov, Delinearization, PLDI 1992), by greatest
// common divisors, by bounds, and by eliminating variables (Fourier and Motzkin, with the constants rounded to integers as in Pugh, The
// Omega Test, SC 1991). Where bounds or conditions are no linear forms they are left out, which can only add dependences.
package dependence
