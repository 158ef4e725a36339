package observe

import (
	"context"
	"io"

	"foresee/application/csource"
)

// mostRuns bounds how often a program is run: what is executed, and so what is lacking, may depend on values that a run told. Chosen: real programs
// take one, as all is asked that a value may decide.
const mostRuns = 3

// Asking is an analysis that lacks values.
type Asking interface {
	// Ask finds what it lacks. Safe leaves out what may end the program where it is evaluated.
	Ask(o csource.Options, safe bool) (*csource.Plan, error)
	// Answers tells whether a plan asks all that the analysis lacks with the values of o.
	Answers(p *csource.Plan, o csource.Options) bool
}

// Values runs a program until nothing is lacking that a run can tell: most often once.
func (p *Program) Values(ctx context.Context, f Asking, o csource.Options, s Streams) ([]Entered, error) {
	var told []Entered
	safe := false
	o.Told = map[csource.Place]int64{}
	for range mostRuns {
		plan, err := f.Ask(o, safe)
		if err != nil {
			return nil, err
		}
		if len(plan.Regions) == 0 {
			break
		}
		again, err := p.Run(ctx, plan, s)
		if err != nil && !safe && plan.MayFault() && faulted(err) { // perhaps by what was added
			safe = true
			if plan, err = f.Ask(o, safe); err == nil {
				again, err = p.Run(ctx, plan, s)
			}
		}
		if err != nil {
			return nil, err
		}
		s.Out, s.Err = io.Discard, io.Discard // it says the same again
		told, o.Tables = again, p.Tables
		for _, e := range told {
			if len(e.Groups) > 0 {
				for place, v := range e.Groups[0].Values {
					o.Told[place] = v
				}
			}
		}
		if f.Answers(plan, o) {
			break
		}
	}
	return told, nil
}
