// Package chase fits what package probe measures: it reads a machine's caches from a random pointer chase, how long a load takes that waits
// for the one before, by the size of the array that it goes through in no order.
//
// [Fit] takes the caches as described and finds the latency of each and where it ends; [Plateaus] finds how many there are without being
// told. Sizes are bytes; latencies are in the unit of the points, cycles or ns.
package chase
