package bandwidth

import "math"

// Step is how far a line is from the one before of its stream.
type Step struct {
	Lines float64 // at least 1; infinite where the line has nothing to do with the one before
	Sets  Sets
}

// Sets is the part of a cache's sets that lines by a step come to: the fewer, the more they conflict.
type Sets int

// Parts of the sets. Lines whose step has the factor 2ⁿ come to one set in 2ⁿ, as numbers of sets are powers of two.
const (
	AllSets  Sets = iota // by odd steps
	HalfSets             // by even steps that are no multiples of four
	FewSets              // by multiples of four: a quarter of the sets or fewer
	partsOfSets
)

// StepOfBytes is the step between lines whose accesses are so many bytes apart, forwards or backwards; bytes is not 0.
func StepOfBytes(bytes int64, line float64) Step {
	bytes = max(bytes, -bytes)
	s := Step{Lines: max(1, float64(bytes)/line)}
	if factor := float64(bytes&-bytes) / line; factor >= 4 { // the largest power of two in the step
		s.Sets = FewSets
	} else if factor >= 2 {
		s.Sets = HalfSets
	}
	return s
}

// RandomStep is the step to a line that has nothing to do with the one before.
func RandomStep() Step { return Step{Lines: math.Inf(1)} }

// Steps is the number of classes that lines are told apart by: the distances of stepsOf, each in three parts of the sets.
const Steps = len(stepsOf) * int(partsOfSets)

// stepsOf are the distances, in lines, that classes stand for: each up to so many lines, the last any further. Up to 64 lines, which is a
// page of 4 KiB of lines of 64 bytes, prefetchers may follow.
var stepsOf = [...]float64{1, 2, 4, 8, 16, 32, 64, math.Inf(1)}

// StepOf is the step that a class stands for: its longest.
func StepOf(class int) Step {
	return Step{stepsOf[class/int(partsOfSets)], Sets(class % int(partsOfSets))}
}

// Class is the class of a step, from 0 to Steps − 1.
func (s Step) Class() int {
	i := 0
	for s.Lines > stepsOf[i] {
		i++
	}
	return i*int(partsOfSets) + int(s.Sets)
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
