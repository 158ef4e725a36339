package threads

import (
	"context"
	"math"

	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/model/reuse"
)

// Published is what PLUSS knows of a program: the private reuse intervals of each thread, collected at one number of
// threads, told apart by whether the reference has the parallel loop's variable in its subscript.
type Published struct {
	Accesses  float64
	Cold      float64           // first uses by a thread of a line, at the number of threads of the collection
	Intervals []PrivateInterval // ascending
}

// PrivateInterval is a private reuse interval and the accesses that it stands for.
type PrivateInterval struct {
	Accesses int64 // of its own that a thread makes from the use to the reuse
	Weight   float64
	Class    Class
}

// Class is how PLUSS takes a reference's intervals to change with the threads.
type Class int

// The classes of references. Those of serial code are not in the paper: their intervals stay as they are.
const (
	Dealt  Class = iota // the parallel loop's variable is in the subscript: data of one thread
	Shared              // it is not: all threads walk the same data in the same order
	Serial              // outside parallel loops
)

// Collect samples the private intervals of a program run by a number of threads.
func Collect(ctx context.Context, p *nest.Program, threads int, o AnalyseOptions) (*Published, error) {
	if o.Line == 0 {
		o.Line = 64
	}
	s, err := nest.NewStream(p, nest.Options{Threads: threads, Group: 1, Line: o.Line})
	if err != nil {
		return nil, err
	}
	drawn, err := reuse.Sample(ctx, s, reuse.SampleOptions{Seed: o.Seed, Workers: o.Workers, Searches: 1, Progress: o.Progress})
	if err != nil {
		return nil, err
	}
	classes := classesOf(p)
	out := &Published{Accesses: float64(s.Len()), Cold: drawn.Intervals.Cold}
	for _, x := range drawn.Intervals.Points {
		i := PrivateInterval{int64(x.Value), x.Weight, classes[keyOf(s.Reference(int(x.Reference)))]}
		if n := len(out.Intervals); n > 0 && out.Intervals[n-1].Accesses == i.Accesses && out.Intervals[n-1].Class == i.Class {
			out.Intervals[n-1].Weight += i.Weight
		} else {
			out.Intervals = append(out.Intervals, i)
		}
	}
	return out, nil
}

// reference tells references apart that dealing has copied.
type reference struct {
	place nest.Pos
	text  string
	write bool
}

func keyOf(a *nest.Access) reference { return reference{a.Pos, a.Text, a.Write} }

// classesOf sorts the references of a program.
func classesOf(p *nest.Program) map[reference]Class {
	out := map[reference]Class{}
	var walk func(nodes []nest.Node, dealt map[expr.Var]bool)
	walk = func(nodes []nest.Node, dealt map[expr.Var]bool) {
		for _, n := range nodes {
			switch n := n.(type) {
			case *nest.Loop:
				inner := dealt
				if n.Work != nil {
					inner = map[expr.Var]bool{}
					l := n
					for range max(1, n.Work.Collapse) {
						inner[l.Var] = true
						next, ok := l.Body[0].(*nest.Loop)
						if !ok {
							break
						}
						l = next
					}
				}
				walk(n.Body, inner)
			case *nest.If:
				walk(n.Then, dealt)
				walk(n.Else, dealt)
			case *nest.Parallel:
				walk(n.Body, dealt)
			case *nest.Single:
				walk(n.Body, dealt)
			case *nest.Critical:
				walk(n.Body, dealt)
			case *nest.Stmt:
				for _, a := range n.Accesses {
					out[keyOf(a)] = classOf(a, dealt)
				}
			}
		}
	}
	walk(p.Body, nil)
	return out
}

// classOf is the class of a reference within loops that deal the iterations of some variables; nil: in serial code.
func classOf(a *nest.Access, dealt map[expr.Var]bool) Class {
	if dealt == nil {
		return Serial
	}
	class := Shared
	a.Offset.EachVar(func(v expr.Var) {
		if dealt[v] {
			class = Dealt
		}
	})
	if a.Object.Private {
		class = Dealt
	}
	return class
}

// pieces is how many points a distribution of concurrent intervals is cut into, of equal probability. Chosen: miss ratios are off by a 96th of a
// step at most.
const pieces = 48

// Concurrent turns the private intervals into those of a cache that a number of threads share (PLUSS, table 1): short
// ones spread by the negative binomial distribution, long ones times the threads, and long ones over shared data cut
// by the racetrack model.
func (p *Published) Concurrent(threads int) *reuse.Distribution {
	d := &reuse.Distribution{Cold: p.Cold}
	long := LongInterval()
	n := float64(threads)
	add := func(value, weight float64) {
		d.Points = append(d.Points, reuse.Point{Value: math.Max(1, math.Round(value)), Weight: weight, Class: -1})
	}
	spread := NegativeBinomial{P: 1 / n}
	var quantiles [pieces]float64
	for _, x := range p.Intervals {
		r := float64(x.Accesses)
		switch {
		case x.Class == Serial || threads == 1:
			add(r, x.Weight)
		case r <= long:
			if x.Accesses != spread.R { // classes of one interval follow each other
				spread.R = x.Accesses
				for i := range quantiles {
					quantiles[i] = float64(spread.Quantile((float64(i) + 0.5) / pieces))
				}
			}
			for _, q := range quantiles {
				add(q, x.Weight/pieces)
			}
		case x.Class == Shared:
			cut := Racetrack{Threads: threads}
			for i := range pieces {
				add(n*r*cut.Quantile((float64(i)+0.5)/pieces), x.Weight/pieces)
			}
		default:
			add(n*r, x.Weight)
		}
	}
	d.Sort()
	return d
}

// MissRatios are those of a cache of so many lines that the threads share: of the concurrent intervals, by the average
// eviction time, which is how the relational theory of locality turns intervals into miss ratios.
func (p *Published) MissRatios(threads int, lines []float64) []float64 {
	return p.Concurrent(threads).AET(lines)
}
