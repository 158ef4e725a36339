// Package bandwidth makes the bandwidth of memory a function of how a program uses it, as MultiMAPS measures it: the form, which only
// evaluates.
//
// Tikir, Carrington, Strohmaier and Snavely (A Genetic Algorithms Approach to Modeling the Performance of Memory-bound Computations,
// SC 2007) give the bandwidth as a function of cache hit rates alone, equations 1 to 6. That is package published, with its genetic
// algorithm. On machines of 2025 strides that have the same hit rates differ in bandwidth by two to four times, so [Extended] is a form
// of foresee's own: the time of an access from the lines that each level serves, how far each line is from the one before (which decides
// whether prefetchers have it ready), the work between lines, and page walks. Package fit fits it to a sweep.
//
// A sweep's [Point] gives the arguments of both forms: its cumulative hit rates on described caches ([Hierarchy.Hits], equation 3's h),
// and on effective capacities with soft ends, which is how caches look when pages lie in physical memory in no order ([Extended.GBs]).
//
// Units: sizes are bytes, times nanoseconds, bandwidths GB/s = 1e9 B/s of the 8-byte elements that a program uses. Hit rates are
// cumulative, from 0 to 1. A step is a distance in lines.
package bandwidth
