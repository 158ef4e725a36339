// Package published is the bandwidth function of Tikir, Carrington, Strohmaier and Snavely (A Genetic Algorithms Approach to Modeling the
// Performance of Memory-bound Computations, SC 2007) as they give it, equations 1 to 6, fitted by their genetic algorithm (section 4 and
// table 2), by covariance matrix adaptation and by pattern search. No prediction takes it: it is what the form of package bandwidth is
// compared with (foresee validate bandwidth).
//
// Where the paper leaves open how something is done, the reading stands where it is done: the denominator of equation 6 at [Form], what
// adaptation is at its constant.
//
// Bandwidths are GB/s of the 8-byte elements used; hit rates are cumulative, from 0 to 1, and 1 for memory.
package published
