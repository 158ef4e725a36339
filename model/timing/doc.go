// Package timing turns operations and cache hits into seconds.
//
// Three models. PPT is that of PPT-Multicore (Barai et al., section 3.4, eqs. 4–7): average latency and reciprocal
// throughput of memory, added to the time of the operations. Its range is cores that do not overlap misses with
// work and do not prefetch; on others it is too slow by what they overlap. Overlap is a soft maximum of the time
// in the core (operation throughput and dependency chains) and the time that lines need between levels (lines in
// sequence and far apart at different cost), plus the cost of parallel regions. Bandwidth is the convolver of Tikir et al. (SC 2007) with
// the bandwidth function that a machine was measured to have, by loop.
//
// Units: cycles of the core and seconds; counts are of operations, accesses and lines.
package timing
