// Package bandwidth makes the bandwidth of memory a function of how a program uses it, fitted to what MultiMAPS measures.
//
// Two forms. Published is that of Tikir, Carrington, Strohmaier and Snavely (SC 2007), equations 1 to 6: of the cache hit rates
// alone. Extended is foresee's own: the time of an access from the share of lines that each level serves, how far such lines are
// apart (which prefetchers follow or not), and page walks; the hit rates of the sweep that it is fitted to take effective
// capacities and pages in random places into account.
//
// Units: bytes, nanoseconds, and GB/s = 1e9 B/s of the 8-byte elements that are used. Hit rates are cumulative, from 0 to 1.
package bandwidth
