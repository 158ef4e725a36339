// Package traffic is the lines that move between the levels of a memory hierarchy, and how they arrive: how many, in sequence or far apart, in
// how many streams side by side, written or only read, with how much work between them, and how often a page's translation is looked up.
//
// It is found in two ways. Run and Stream take the reuse of loop nests, by reference, from an analysis that walks through no accesses.
// Arrival watches the misses of a simulation one by one. Both end in timing.Traffic, which models of time take.
//
// Lines are counted over the whole run unless a name says otherwise; shares are of all accesses.
package traffic
