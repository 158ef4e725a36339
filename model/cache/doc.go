// Package cache turns reuse distances into hits.
//
// SDCM is the stack distance based cache model of Brehob and Enbody as PPT-Multicore uses it (Barai et al.,
// eqs. 1–3): an access of reuse distance D hits a cache of B lines and A ways when fewer than A of the D distinct
// lines in between fell into its set. A fully associative LRU cache hits when D < B. Simulator is the exact
// answer for one stream, against which the models are judged.
//
// Sizes are in lines. Distances are counted in distinct other lines.
package cache
