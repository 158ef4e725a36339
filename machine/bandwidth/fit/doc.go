// Package fit fits the bandwidth function of package bandwidth to a sweep: it knows the bounds, the usual values and the priors of all
// parameters, and finds those that explain the measured times best.
//
// The parameters are one table ([Global], [OfSource], [OfCapacity] and [OfPages]): 9 of the whole form, 11 of each level beyond L1 and of
// memory, 2 of each cache; 48 for three levels of caches. From the table come the bounds, how a parameter is written into a form and read
// from it, the table of docs/models/bandwidth.md, and the tests.
//
// What is minimised is the sum of the absolute logarithms of computed over measured times, by Levenberg and Marquardt's method on
// residuals that are weighted anew in each round, so that outliers count for no more than their size. To that a prior adds the square of
// how many prior standard deviations a parameter lies off its usual value, times priorWeight for each point.
package fit
