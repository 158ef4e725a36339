// Package xmodel is the X-model of Li, Song, Brugel, Chavarría-Miranda, Kumar and Corporaal: n threads of a machine are spread
// between its computing system and its memory system, and where the supply of the one and the demand of the other cross is the
// state that it is in.
//
// Units. Time is in cycles. k and x are threads in the memory and in the computing system, k + x = n. f(k) is the supply of the
// memory system, in requests per cycle; g(x) is the throughput of the computing system, in operations per cycle; g(x)/Z is its
// demand, in requests per cycle. M is in operations per cycle, R in requests per cycle, L and the cache's latency in cycles, the
// cache's size and β in any one unit of storage. Scale turns cycles and requests into seconds and bytes.
//
// The balance. Threads enter the memory system at the rate g(n−k)/Z and leave it at f(k), so dk/dt = g(n−k)/Z − f(k). A crossing is
// stable where the right side falls with k: f'(k) > −g'(n−k)/Z, with g' taken at x. Where f rises this always holds; where it falls it is
// |f'(k)| < |g'(x)|/Z, the paper's equation 6, whose g is divided by Z as in its figures.
package xmodel
