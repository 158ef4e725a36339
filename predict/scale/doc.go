// Package scale puts the measurements of a few small runs and the models of foresee/model/scaling together: which series there are, which
// belong together, which model each gets, and what is said about the points asked for – values with intervals, the parts of the time,
// efficiency, the kernel that limits, the range in which to trust it, and the run that would tell most.
package scale
