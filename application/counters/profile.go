package counters

import "math"

// Profile is what one tool measured of one process: exclusive costs by function and event. A tool that does not
// tell functions apart gives one function with an empty name.
type Profile struct {
	Tool      string             // "callgrind", "perf stat", "perf script", "gprof", "likwid", "papi", "caliper", "cube", "tau", "hpctoolkit"
	Rank      int                // MPI rank; -1 where the file does not say
	Thread    int                // of the rank, where each thread has a profile of its own; 0 is the first
	Summed    bool               // values are sums over all processes of the run
	Params    map[string]float64 // parameters that the file itself tells, for instance p; nil where none
	Events    []string           // as the tool names them
	Functions []Function         // in the file's order; names are unique
	Inclusive []string           // those of Events whose values hold the callees too, where the tool gives no others
	Warnings  []string           // counters that the machine does not support, truncated ends, …
}

// Function is the costs of one function (or annotated region), its callees left out.
type Function struct {
	Name   string
	Values []float64 // one for each of Profile.Events; NaN where it was not measured
}

// Total is the sum of an event over the functions; NaN where no function has it. Of an event of Inclusive it counts
// callees again with each caller.
func (p *Profile) Total(event string) float64 {
	column := -1
	for i, name := range p.Events {
		if name == event {
			column = i
		}
	}
	if column < 0 {
		return math.NaN()
	}
	sum, any := 0.0, false
	for _, f := range p.Functions {
		if v := f.Values[column]; !math.IsNaN(v) {
			sum += v
			any = true
		}
	}
	if !any {
		return math.NaN()
	}
	return sum
}
