package counters

import (
	"slices"
	"strings"
)

// processNames are how people call the number of processes (or cores, threads, nodes) of a run.
var processNames = []string{"p", "np", "procs", "nprocs", "processes", "ranks", "nranks", "tasks", "ntasks", "nodes", "nnodes", "cores", "ncores", "threads", "nthreads", "mpi_ranks"}

// IsProcesses says whether a parameter is a number of processes by its name; others are sizes of the problem.
func IsProcesses(parameter string) bool {
	return slices.Contains(processNames, strings.ToLower(parameter))
}

// ProcessesFirst puts the number of processes before the other parameters, where there is one; p is it before all other names.
func (s *Set) ProcessesFirst() {
	at := slices.Index(s.Parameters, "p")
	if at < 0 {
		at = slices.IndexFunc(s.Parameters, IsProcesses)
	}
	if at <= 0 {
		return
	}
	s.Parameters = movedFirst(s.Parameters, at)
	for i := range s.Series {
		for j := range s.Series[i].Points {
			m := &s.Series[i].Points[j]
			m.At = movedFirst(m.At, at)
		}
	}
}

func movedFirst[T any](list []T, at int) []T {
	out := append([]T{list[at]}, list[:at]...)
	return append(out, list[at+1:]...)
}
