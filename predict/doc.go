// Package predict puts an application and a machine together: hit rates, run time, what bounds it, miss ratio
// curves and reuse profiles, for any number of threads.
package predict
