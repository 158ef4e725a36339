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

// ProcessesFirst puts the number of processes before the other parameters, where there is one that varies; p is it before all other
// names. Where none does, a size that varies comes first.
func (s *Set) ProcessesFirst() {
	at := slices.IndexFunc(s.Parameters, func(name string) bool { return name == "p" && s.varies(name) })
	if at < 0 {
		at = slices.IndexFunc(s.Parameters, func(name string) bool { return IsProcesses(name) && s.varies(name) })
	}
	if at < 0 {
		at = slices.IndexFunc(s.Parameters, s.varies)
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
	for i := range s.Reuse {
		s.Reuse[i].At = movedFirst(s.Reuse[i].At, at)
	}
}

// varies says whether a parameter has more than one value.
func (s *Set) varies(name string) bool {
	j := slices.Index(s.Parameters, name)
	first, there := 0.0, false
	for _, series := range s.Series {
		for _, m := range series.Points {
			if there && m.At[j] != first {
				return true
			}
			first, there = m.At[j], true
		}
	}
	return false
}

// movedFirst is the list with one element before all others.
func movedFirst[T any](list []T, at int) []T {
	out := append([]T{list[at]}, list[:at]...)
	return append(out, list[at+1:]...)
}
