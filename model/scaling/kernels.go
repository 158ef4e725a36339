package scaling

import (
	"cmp"
	"math"
	"slices"
)

// Cost is the time (or cycles, or instructions) that the functions of one run took, on average over the processes.
type Cost struct {
	Processes float64
	Functions map[string]float64
}

// Kernel is a function that matters at some number of processes, or all others together.
type Kernel struct {
	Name      string
	Shares    []float64 // of the run's cost, by ascending number of processes
	Functions int       // 1, or how many the rest has
	Growing   bool      // its cost does not fall with the number of processes
	Rest      bool
}

// Rest is the name of the functions that are no kernels, Small of those that were put together when they were measured.
const (
	Rest  = "(rest)"
	Small = "(small)"
)

// Critical finds the kernels as section 3.2 of APMT does: functions with a share of the cost of threshold at any measured number of
// processes; functions whose cost does not fall with the number; the rest as one. Of those that do not fall only such are
// taken as have a tenth of the threshold: each constant few microseconds would be a kernel else. The order is by the largest share.
//
// As long as the kernels have less than a share of cover of some run's cost, and are fewer than ten or a tenth of the functions, the next
// largest is one as well; 0 leaves it at the paper's.
func Critical(runs []Cost, threshold, cover float64) []Kernel {
	runs = slices.SortedFunc(slices.Values(runs), func(a, b Cost) int { return cmp.Compare(a.Processes, b.Processes) })
	totals := make([]float64, len(runs))
	names := map[string]bool{}
	for i, r := range runs {
		for name, cost := range r.Functions {
			names[name] = true
			totals[i] += cost
		}
	}
	rest := Kernel{Name: Rest, Shares: make([]float64, len(runs)), Rest: true}
	var kernels, others []Kernel
	for name := range names {
		k := Kernel{Name: name, Functions: 1, Growing: notFalling(runs, name)}
		most := 0.0
		for i, r := range runs {
			share := 0.0
			if totals[i] > 0 {
				share = r.Functions[name] / totals[i]
			}
			k.Shares = append(k.Shares, share)
			most = max(most, share)
		}
		if name != Small && (most >= threshold || k.Growing && most >= threshold/growingOfThreshold) {
			kernels = append(kernels, k)
		} else {
			others = append(others, k)
		}
	}
	bySize := func(a, b Kernel) int {
		return cmp.Or(cmp.Compare(slices.Max(b.Shares), slices.Max(a.Shares)), cmp.Compare(a.Name, b.Name))
	}
	slices.SortFunc(others, bySize)
	for _, k := range others {
		if k.Name != Small && slices.Max(k.Shares) >= threshold/leastOfThreshold && covered(kernels, len(runs)) < cover && len(kernels) < max(fewKernels, len(names)/mostKernels) {
			kernels = append(kernels, k)
		} else {
			rest.Functions++
		}
	}
	slices.SortFunc(kernels, bySize)
	for i := range runs {
		rest.Shares[i] = 1
		for _, k := range kernels {
			rest.Shares[i] -= k.Shares[i]
		}
		rest.Shares[i] = max(rest.Shares[i], 0)
	}
	if rest.Functions > 0 {
		kernels = append(kernels, rest)
	}
	return kernels
}

// How many functions may be kernels only so that kernels cover most of the cost. Chosen: ten can be looked at, and so can a tenth of the functions
// of a large program.
const (
	mostKernels = 10 // one in so many functions
	fewKernels  = 10 // that many always
	// leastOfThreshold is the part of the threshold, one in so many, below which a function is never worth a name.
	leastOfThreshold = 50
)

// growingOfThreshold is the part of the threshold, one in so many, from which a function whose cost does not fall is a kernel. Chosen.
const growingOfThreshold = 10

// covered is the least share of a run's cost that kernels have.
func covered(kernels []Kernel, runs int) float64 {
	least := 1.0
	for i := range runs {
		sum := 0.0
		for _, k := range kernels {
			sum += k.Shares[i]
		}
		least = min(least, sum)
	}
	return least
}

// steady is how much a cost may fall between two runs, as a share, and still count as not falling. Chosen: noise of counters and clocks.
const steady = 0.02

// notFalling says whether a function costs as much in each run as in the one on fewer processes.
func notFalling(runs []Cost, name string) bool {
	if len(runs) < 2 {
		return false
	}
	before := math.Inf(-1)
	for _, r := range runs {
		cost := r.Functions[name]
		if cost <= 0 || cost < before*(1-steady) {
			return false
		}
		before = cost
	}
	return true
}
