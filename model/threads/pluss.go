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
	Total     float64           // accesses of all threads
	Cold      float64           // first uses by a thread of a line, at the number of threads of the collection
	Intervals []PrivateInterval // ascending
}

// PrivateInterval is a private reuse interval and the accesses that it stands for.
type PrivateInterval struct {
	Length  int64   // accesses of its own that a thread makes from the use to the reuse
	Weight  float64 // accesses of all threads that have it
	Sharing Sharing
}

// Sharing is how PLUSS takes a reference's intervals to change with the threads.
type Sharing int

// Kinds of sharing. Serial is not in the paper: such intervals stay as they are.
const (
	Dealt  Sharing = iota // data of one thread: the parallel loop's variable is in the subscript, or the object is private
	Shared                // neither: all threads walk the same data in the same order
	Serial                // outside worksharing loops, in parallel regions or not
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
	kinds := sharings(p)
	out := &Published{Total: float64(s.Len()), Cold: drawn.Intervals.Cold}
	for _, x := range drawn.Intervals.Points {
		i := PrivateInterval{int64(x.Value), x.Weight, kinds[keyOf(s.Reference(int(x.Reference)))]}
		if n := len(out.Intervals); n > 0 && out.Intervals[n-1].Length == i.Length && out.Intervals[n-1].Sharing == i.Sharing {
			out.Intervals[n-1].Weight += i.Weight
		} else {
			out.Intervals = append(out.Intervals, i)
		}
	}
	return out, nil
}

// reference identifies a reference by its place in the source, so that the copies of it that dealing makes get the same one.
type reference struct {
	place nest.Pos
	text  string
	write bool
}

func keyOf(a *nest.Access) reference { return reference{a.Pos, a.Text, a.Write} }

// sharings tells of each reference of a program how it is shared. Dealt are the variables of the worksharing loop around a node, with those
// of the loops that it collapses; nil where there is none.
func sharings(p *nest.Program) map[reference]Sharing {
	out := map[reference]Sharing{}
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
					out[keyOf(a)] = sharingOf(a, dealt)
				}
			}
		}
	}
	walk(p.Body, nil)
	return out
}

// sharingOf is how a reference is shared within loops that deal the iterations of some variables; nil: outside such loops.
func sharingOf(a *nest.Access, dealt map[expr.Var]bool) Sharing {
	if dealt == nil {
		return Serial
	}
	kind := Shared
	a.Offset.EachVar(func(v expr.Var) {
		if dealt[v] {
			kind = Dealt
		}
	})
	if a.Object.Private {
		kind = Dealt
	}
	return kind
}

// pieces is how many points stand for the distribution of the concurrent intervals that one private interval becomes, each in the middle of a
// piece of equal probability. Chosen: the share of intervals longer than any length is then off by half a piece at most, a 96th.
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
		r := float64(x.Length)
		switch {
		case x.Sharing == Serial || threads == 1:
			add(r, x.Weight)
		case r <= long:
			if x.Length != spread.R { // intervals of one length follow each other, whatever their sharing, and have the quantiles in common
				spread.R = x.Length
				for i := range quantiles {
					quantiles[i] = float64(spread.Quantile((float64(i) + 0.5) / pieces))
				}
			}
			for _, q := range quantiles {
				add(q, x.Weight/pieces)
			}
		case x.Sharing == Shared:
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
