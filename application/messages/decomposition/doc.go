// Package decomposition recognises how the ranks of a recorded MPI program divide its domain, and says what more ranks would do: boxes in up to three
// dimensions, open or closed to a ring, whose ranks exchange messages with neighbours one box away (halos, staged or not, and wavefronts), strips, and
// programs that meet in collectives alone, of all ranks or of rows and columns of the grid.
//
// Ranks at the same place – a corner, a side, the middle – do the same, so that a rank of a larger grid does what one at its place did. Places that a
// small grid lacks, as the middle where a dimension is divided in two, are put together from the two places beside it.
//
// What has no such order, such as a task farm, is not recognised. The approach is that of X. Wu and F. Mueller, ScalaExtrap: Trace-based communication
// extrapolation for SPMD programs, PPoPP 2011, with places found by trying the grids.
package decomposition
