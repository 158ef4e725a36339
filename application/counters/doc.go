// Package counters holds what tools measured of an application: hardware counters and times by function
// (callgrind, perf, gprof, LIKWID, PAPI, Caliper), messages (the recorder of package
// foresee/application/record/mpi), and whole series over process counts and problem sizes (Extra-P's formats).
// Each format has a package below this one, which reads it into the values of this package; package open tells
// the format of a file by its content, and package ranks reads the folder of a recorded run.
//
// Three values hold what was read. A [Profile] is one process of one run, by function and event as the tool
// names them. A [Run] is all processes of one run at known parameters. A [Set] is series: for each callpath and
// metric, values at points of the parameters; it is what package foresee/model/scaling fits.
//
// Names of events are mapped to quantities that do not depend on the tool (instructions, cycles, l1_hits, …) by a
// table that users can extend; see [Quantities].
//
// Source: the counters are those of table 2 of Ding et al., APMT, CCF Trans. HPC 2020.
package counters
