// Package timing turns operations and cache hits into seconds.
//
// Three models. PPT is that of PPT-Multicore (Barai et al., section 3.4, eqs. 4–7): average latency and reciprocal
// throughput of memory, added to the time of the operations. Its range is traced runs of unoptimised code, on cores that
// do not prefetch; of optimised code it is too slow. Overlap is a soft maximum of the time
// in the core (operation throughput and dependency chains) and the time that lines need between levels (lines in
// sequence and far apart at different cost), plus the cost of parallel regions. [Bandwidth] is the convolver (of PMaC,
// Tikir et al., SC 2007) with the bandwidth function that a machine was measured to have, by loop.
//
// Walks of the page table: how many there are, package traffic tells (walks.go); how likely a page's translation and its entry in the table
// are gone, and how long a walk takes, package bandwidth (tlb.go); here they are joined with the rest.
//
// Units: cycles of the core and seconds; counts are of operations, accesses and lines.
package timing
