package threads

import "foresee/model/schedule"

// Signature is what is known of the locality of a program before a number of threads is chosen: a weighted sample of
// its accesses, each with the iterations of the worksharing loop around it that touch the same line, and with those
// of the loops that come later. It does not grow with the problem.
type Signature struct {
	Line     int64   // bytes
	Accesses int64   // of the whole program
	Lines    float64 // distinct lines that it touches, private objects counted once
	// LinesError is the standard error of Lines; 0 where they were counted.
	LinesError float64
	Private    float64 // of these, lines of private objects, which every thread has a copy of
	Loops      []Loop
	Shapes     []Shape
	Samples    []Sample
	// Apart says, by class of reuses that are alike, how far apart in memory, in lines, a line and those touched between
	// its two uses lie: some of the differences.
	Apart [][]int64
}

// Last counts, by reference, the accesses whose line is never used again.
func (s *Signature) Last() []int {
	var out []int
	for i := range s.Samples {
		y := &s.Samples[i]
		if y.Interval != 0 {
			continue
		}
		for int(y.Reference) >= len(out) {
			out = append(out, 0)
		}
		out[y.Reference] += int(y.Weight + 0.5)
	}
	return out
}

// Loop is a worksharing loop.
type Loop struct {
	Schedule schedule.Kind
	Chunk    int64 // iterations; 0 when the source gives none
	Place    string
}

func (l *Loop) rule() schedule.Rule { return schedule.Rule{Kind: l.Schedule, Chunk: l.Chunk} }

// Shape is how the work of an execution of a worksharing loop is spread over its iterations.
type Shape struct {
	Loop       int32
	Iterations int64
	// Before are the accesses of the iterations before number k·Iterations/(len−1), for each k; the last is the
	// number of all.
	Before []int64
}

// Sample is one access, which stands for Weight of them.
type Sample struct {
	Weight    float64
	Reference int32 // that uses the line next, with one thread: it is what misses; where it is never used again, that of this access
	Class     int32 // index into Apart; −1: none
	Private   bool  // to an object that every thread has a copy of
	Place
	Position int64 // in the order of one thread
	// Interval and Distance are those of one thread; 0: the line is never used again.
	Interval int64
	Distance float64
	Next     int64   // accesses to the next use of the line in the same iteration; 0: none
	Runs     []Run   // iterations of the execution that touch the line; nil in serial code
	Later    []Later // the next executions that touch it, or serial code
}

// Place is where in a program an access stands.
type Place struct {
	Shape     int32 // of the execution; −1 in serial code, which thread 0 runs
	Begin     int64 // position of the execution's first access, or in serial code of the access itself
	Iteration int64
	Local     int64 // accesses of the iteration before it
}

// Later is a use of a line after an execution.
type Later struct {
	Shape int32 // −1: in serial code
	Begin int64 // as in Place
	Runs  []Run
}

// Run is a set of iterations that touch a line: First + Stride·x + Period·y for x < Count and y < Repeat. The first
// touch in an iteration comes Local accesses after its beginning, and Inner or Outer more at the greatest x or y.
type Run struct {
	First, Stride, Count, Period, Repeat int64
	Local, Inner, Outer                  int64
	// Scatter, if not 0, says that first touches lie anywhere in an iteration of so many accesses.
	Scatter int64
	// Model is an iteration of the run, near the sample's own but not that one, which no other thread runs. Touches are
	// the uses of the line in it: some on both sides of the sample's place, at distances that double. Empty in runs of
	// later executions.
	Model   int64
	Touches []Use
}

// Use is a use of a line in an iteration, Local accesses after its beginning, and what follows it: Count more, one
// every Step, and others at Inner accesses after each of these but the last.
type Use struct {
	Local, Step, Count int64
	Inner              []int64
}
