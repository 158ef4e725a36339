package bandwidth

import "math"

// Step is how far a line is from the one before of its stream.
type Step struct {
	Lines float64 // at least 1; infinite where the line has nothing to do with the one before
	Sets  Sets
}

// Sets says to which part of a cache's sets lines by a step come: to one in 2ⁿ where the step has the factor 2ⁿ, as numbers of sets are powers of two. The fewer
// they are, the more lines conflict.
type Sets int

// Parts of the sets.
const (
	AllSets  Sets = 0 // by odd steps
	HalfSets Sets = 1
	// FewestSets is one set in 64 or fewer, as by steps of pages of 4 KiB with lines of 64 bytes; caches nearest to the core have 64 sets as a rule.
	FewestSets  Sets = 6
	partsOfSets      = int(FewestSets) + 1
)

// crowding is how far lines are between no conflicts, 0, and those of the fewest sets, 1: (n/6)ᵏ for one set in 2ⁿ, with k so that half of the sets are halfway.
// With 0.65 for half of the sets a quarter is 0.77 and one in 16 is 0.91 (a last cache of slices, which hash); with 0.0002 they are 0.005 and 0.14 (sets that serve
// one line at a time).
func (n Sets) crowding(halfway float64) float64 {
	if n == AllSets {
		return 0
	}
	k := -math.Log(halfway) / math.Log(float64(FewestSets))
	return math.Pow(float64(n)/float64(FewestSets), k)
}

// StepOfBytes is the step between lines whose accesses are so many bytes apart, forwards or backwards; bytes is not 0.
func StepOfBytes(bytes int64, line float64) Step {
	bytes = max(bytes, -bytes)
	s := Step{Lines: max(1, float64(bytes)/line)}
	for factor := float64(bytes&-bytes) / line; factor >= 2 && s.Sets < FewestSets; factor /= 2 { // the largest power of two in the step
		s.Sets++
	}
	return s
}

// RandomStep is the step to a line that has nothing to do with the one before.
func RandomStep() Step { return Step{Lines: math.Inf(1)} }

// Steps is the number of classes that lines are told apart by: the distances of stepsOf, each in seven parts of the sets.
const Steps = len(stepsOf) * partsOfSets

// stepsOf are the distances, in lines, that classes stand for: each up to so many lines, the last any further. Up to 64 lines, which is a
// page of 4 KiB of lines of 64 bytes, prefetchers may follow.
var stepsOf = [...]float64{1, 2, 4, 8, 16, 32, 64, math.Inf(1)}

// StepOf is the step that a class stands for: its longest.
func StepOf(class int) Step {
	return Step{stepsOf[class/partsOfSets], Sets(class % partsOfSets)}
}

// Class is the class of a step, from 0 to Steps − 1.
func (s Step) Class() int {
	i := 0
	for s.Lines > stepsOf[i] {
		i++
	}
	return i*partsOfSets + int(s.Sets)
}

// sequentialLines is the longest step, in lines, that counts as in sequence; see Constants.
const sequentialLines = 2

// Sequential says whether lines by a step are in sequence.
func (s Step) Sequential() bool { return s.Lines <= sequentialLines }

// SequentialShare is the part of steps, given by class, that are in sequence.
func SequentialShare(steps *[Steps]float64) (sum float64) {
	for c, s := range steps {
		if StepOf(c).Sequential() {
			sum += s
		}
	}
	return sum
}
