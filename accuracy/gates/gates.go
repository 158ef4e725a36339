// Package gates measures how well comparisons of versions catch what became worse: pairs of versions made for it, judged by foresee compare, against an exact
// simulation of every access of both. Misses are lines; changes are shares.
package gates

import (
	"context"
	"fmt"

	"foresee/accuracy"
	"foresee/application"
	"foresee/application/csource"
	"foresee/machine"
	"foresee/predict"
	"foresee/predict/compare"
)

// Above is by how much more is worse, of the judge and of the simulation.
const Above = 0.05

// small is a machine with the core and costs of a Zen 4 and caches as small as the problems, so that each is in the reach of a simulation.
func small() (*machine.Machine, error) {
	m, err := machine.Load("zen4")
	if err != nil {
		return nil, err
	}
	sizes := []int64{4 << 10, 32 << 10, 256 << 10}
	for i := range m.Levels {
		l := &m.Levels[i]
		l.Size = &machine.Value[machine.Size]{Value: machine.Size(sizes[i]), Source: "chosen for the comparison"}
		l.Inclusion = nil
	}
	return m, nil
}

// Outcome is what became of one pair.
type Outcome struct {
	Pair
	Caught    bool    // by the judge
	Level     string  // whose misses have grown most in the simulation
	Simulated float64 // by which share
	Predicted float64 // the same of the prediction
	Array     string  // that the comparison blames
}

// Compare judges all pairs.
func Compare(ctx context.Context, seed uint64) ([]Outcome, error) {
	m, err := small()
	if err != nil {
		return nil, err
	}
	var out []Outcome
	for _, p := range Pairs {
		o, err := p.judged(ctx, m, seed)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		out = append(out, *o)
	}
	return out, nil
}

// judged compares one pair, as the command does.
func (p Pair) judged(ctx context.Context, m *machine.Machine, seed uint64) (*Outcome, error) {
	var levels [2][]predict.SimulatedLevel
	var versions [2]*application.Signature
	for i, text := range []string{p.A, p.B} {
		unit, err := csource.Load("f.c", []byte(text), csource.Options{})
		if err != nil {
			return nil, err
		}
		versions[i] = application.OfLoops("f.c", unit.Programs...)
		exact, err := predict.Simulate(ctx, predict.SimulationRequest{Signature: versions[i], Machine: m, Threads: 1})
		if err != nil {
			return nil, err
		}
		levels[i] = exact.Regions[0].Levels
	}
	r, err := compare.Decide(compare.Judge{Above: Above, Of: []string{compare.Time, compare.Misses}}, 0, func(samples int, replicate uint64) (a, b *predict.PredictionResult, err error) {
		var both [2]*predict.PredictionResult
		for i, s := range versions {
			o := predict.Options{Seed: seed + replicate<<32, Page: predict.InOrder, Samples: samples}
			if both[i], err = predict.Run(ctx, predict.Request{Signature: s, Machines: []*machine.Machine{m}, Threads: []int{1}, Options: o}); err != nil {
				return nil, nil, err
			}
		}
		return both[0], both[1], nil
	})
	if err != nil {
		return nil, err
	}
	o := &Outcome{Pair: p, Caught: r.Worse}
	for i := range levels[0] {
		l := r.Pairs[0].Levels[i]
		grown := share(levels[0][i].Misses, levels[1][i].Misses)
		if o.Level == "" || grown > o.Simulated {
			o.Level, o.Simulated, o.Predicted, o.Array = l.Level, grown, share(l.A, l.B), l.Array
		}
	}
	return o, nil
}

func share(a, b int64) float64 { return float64(b)/float64(max(a, 1)) - 1 }

// Gates is the validation.
func Gates(ctx context.Context, o accuracy.Options) (*accuracy.Section, error) {
	all, err := Compare(ctx, o.Seed)
	if err != nil {
		return nil, err
	}
	t := &accuracy.Table{
		Title: "Comparisons of versions",
		Text: fmt.Sprintf("%d pairs of versions of a function, made for this, judged as by `compare --fail-above %g%%` (time and misses of each level), on a machine with the costs of zen4 and caches of 4, 32 and 256 KiB. "+
			"The oracle is an exact simulation of every access of both: a pair is worse where some level misses more than %g %% more. Change is that of the level whose misses grow most in the simulation.", len(all), 100*Above, 100*Above),
		Columns: []string{"change", "level", "simulated, %", "predicted, %", "most by", "worse", "caught"},
	}
	var off accuracy.Errors
	caught, missed, alarms, quiet := 0, 0, 0, 0
	for _, x := range all {
		off.Add(x.Name, max(x.Simulated-x.Predicted, x.Predicted-x.Simulated)*100)
		worse := x.Simulated > Above
		switch {
		case worse && x.Caught:
			caught++
		case worse:
			missed++
		case x.Caught:
			alarms++
		default:
			quiet++
		}
		t.Rows = append(t.Rows, []string{x.Name, x.Level, fmt.Sprintf("%+.1f", 100*x.Simulated), fmt.Sprintf("%+.1f", 100*x.Predicted), x.Array, yes(worse), yes(x.Caught)})
	}
	worst, name := off.Worst()
	t.Summary = []string{
		fmt.Sprintf("worse: %d, caught %d, missed %d; not worse: %d, false alarms %d", caught+missed, caught, missed, quiet+alarms, alarms),
		fmt.Sprintf("predicted − simulated change, absolute, points: mean %.2f, worst %.2f (%s), n = %d", off.Mean(), worst, name, off.N()),
	}
	return &accuracy.Section{Name: "compare", Tables: []*accuracy.Table{t}}, nil
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}
