package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"foresee/application/messages"
	"foresee/application/messages/decomposition"
	"foresee/machine/cluster"
	"foresee/model/network"
)

// RunScaled replays a recording whose computing is scaled: once as predicted, and at both ends of what computing may take.
func RunScaled(recorded *messages.Program, c *cluster.Cluster, o Options, scaled *Scaled) (*Result, error) {
	factor := cmp.Or(o.Factor, 1)
	o.Factor = factor * scaled.Factor
	r, err := Run(recorded, c, o)
	if err != nil {
		return nil, err
	}
	r.Scaled = scaled
	for _, end := range []struct {
		factor float64
		to     **float64
	}{{scaled.Low, &r.LowSeconds}, {scaled.High, &r.HighSeconds}} {
		o.Factor = factor * end.factor
		if !(o.Factor > 0) || o.Factor > mostFactor {
			continue
		}
		one, err := Run(recorded, c, o)
		if err != nil {
			return nil, err
		}
		*end.to = &one.Seconds
	}
	return r, nil
}

// mostFactor of computing; chosen: what is predicted beyond is no end of an interval.
const mostFactor = 1e6

// MostRanks is the most that a recording is carried on to: their calls are kept for each.
const MostRanks = 1 << 17

// Splits are all ways to give each rank of a node as many threads, on all of its cores.
func Splits(cores int) (out []Split) {
	for ranks := 1; ranks <= cores; ranks++ {
		if cores%ranks == 0 {
			out = append(out, Split{ranks, cores / ranks})
		}
	}
	return out
}

// NoSplitError says that the time of no split is known.
type NoSplitError struct{ Why []string }

func (e *NoSplitError) Error() string {
	return fmt.Sprintf("no split of a node into ranks and threads can be predicted: %s", e.Why[0])
}

// BestSplit replays the problem of a recording on the nodes of a cluster that are used, with each split of a node into ranks and threads, and gives the result of
// the fastest, with the list of all. A split that the recording cannot be carried on to is listed with the reason.
func BestSplit(ctx context.Context, recorded *messages.Program, c *cluster.Cluster, o Options, computing *Computing) (*Result, error) {
	cores := computing.Node.TotalCores()
	splits := Splits(cores)
	if len(splits) == 0 {
		return nil, fmt.Errorf("how many cores machine %s has is not known", computing.Node.Name)
	}
	all, warnings, err := computing.Scale(ctx, recorded, splits...)
	if err != nil {
		return nil, err
	}
	var best *Result
	var limit *network.LimitError
	dealt := make([]Dealt, len(splits))
	left := budget{all: o.MostEvents}
	for i, split := range splits {
		r, err := replaySplit(recorded, c, o, split, all[i], &left)
		dealt[i] = Dealt{Split: split, AllRanks: split.Ranks * o.nodes(c), Factor: all[i].Factor}
		if err != nil {
			errors.As(err, &limit)
			dealt[i].Why = err.Error()
			continue
		}
		dealt[i].Seconds, dealt[i].LowSeconds, dealt[i].HighSeconds = &r.Seconds, r.LowSeconds, r.HighSeconds
		if best == nil || r.Seconds < best.Seconds {
			best = r
		}
	}
	if best == nil && limit != nil {
		return nil, limit
	}
	if best == nil {
		why := []string{}
		for _, d := range dealt {
			why = append(why, d.Why)
		}
		return nil, &NoSplitError{why}
	}
	slices.SortStableFunc(dealt, func(a, b Dealt) int { return cmp.Compare(a.time(), b.time()) })
	best.Splits = dealt
	best.Warnings = append(best.Warnings, warnings...)
	return best, nil
}

// time is infinite where none is known.
func (d *Dealt) time() float64 {
	if d.Seconds == nil {
		return math.Inf(1)
	}
	return *d.Seconds
}

// budget is how many events the simulations of all splits may take together; 0: any number.
type budget struct{ all, used int64 }

// left is what a simulation may take.
func (b *budget) left(more int64) (int64, error) {
	if b.all == 0 {
		return 0, nil
	}
	if n := b.all - b.used - more; n > 0 {
		return n, nil
	}
	return 0, &network.LimitError{Events: b.all}
}

// replaySplit replays the problem of a recording with a split of each node, long programs by some iterations of their loops.
func replaySplit(recorded *messages.Program, c *cluster.Cluster, o Options, split Split, scaled *Scaled, left *budget) (*Result, error) {
	o.RanksPerNode = split.Ranks
	ranks := split.Ranks * o.nodes(c)
	if ranks > MostRanks {
		return nil, fmt.Errorf("more than %d ranks", MostRanks)
	}
	program, carried, err := Carry(recorded, ranks, decomposition.Stays)
	if err != nil {
		return nil, err
	}
	e := newEstimate(program, o)
	defer func() { left.used += e.events }()
	factor := cmp.Or(o.Factor, 1)
	with := func(times float64) simulate {
		return func(p *messages.Program, events int64) (*Result, error) {
			most, err := left.left(events)
			if err != nil {
				return nil, err
			}
			o := o
			o.Factor, o.MostEvents = factor*times, most
			if p != program {
				o.part = calls(p) / calls(program)
			}
			return Run(p, c, o)
		}
	}
	r, err := e.run(with(scaled.Factor))
	if err != nil {
		return nil, err
	}
	r.Scaled, r.Carried = scaled, carried
	spread := e.apart
	if carried != nil {
		spread += carriedSpread
		r.Warnings = append(r.Warnings, partsWarning)
	}
	for _, end := range []struct {
		factor, spread float64
		to             **float64
	}{{scaled.Low, -spread, &r.LowSeconds}, {scaled.High, spread, &r.HighSeconds}} {
		if !(end.factor > 0) || factor*end.factor > mostFactor {
			continue
		}
		one, err := e.again(with(end.factor))
		if err != nil {
			return nil, err
		}
		seconds := one.Seconds
		if end.spread < 0 {
			seconds = min(seconds, r.Seconds)
		} else {
			seconds = max(seconds, r.Seconds)
		}
		seconds *= 1 + end.spread
		*end.to = &seconds
	}
	if said := e.said(); said != "" {
		r.Warnings = append(r.Warnings, said)
	}
	return r, nil
}

// partsWarning is said where ranks have other parts of a problem than the program whose times computing is scaled by.
const partsWarning = "a rank's part of the problem is another than when it was recorded: what caches hold of it is as of the program that was given, whose work is taken to grow and shrink with the part"
