package ir

import (
	"maps"
	"slices"

	"foresee/application/csource"
	"foresee/application/csource/parse"
	"foresee/application/ir/lower"
	"foresee/application/ir/probe"
	"foresee/application/ir/text"
)

// Observed is a module that is run for the values that its analysis lacks.
type Observed struct {
	name  string
	text  string
	m     *text.Module
	names map[string]string // of regions, by the names of their functions for linkers
	taken map[string]bool   // definitions of the caller that stood for something
}

// Observe reads the module name of LLVM IR.
func Observe(name, src string) (*Observed, error) {
	m, err := text.Read(src)
	if err != nil {
		return nil, err
	}
	return &Observed{name: name, text: src, m: m, names: map[string]string{}, taken: map[string]bool{}}, nil
}

// Ask finds the regions, and the values that their analysis lacks and a run can tell.
func (m *Observed) Ask(o csource.Options, _ bool) (plan *csource.Plan, err error) {
	err = parse.Guard(m.name, func() (err error) {
		var names map[string]string
		plan, names, err = lower.Ask(m.name, m.m, o)
		maps.Copy(m.names, names)
		return err
	})
	return plan, err
}

// Answers tells whether a plan asks all that the analysis lacks with the values that were told.
func (m *Observed) Answers(p *csource.Plan, o csource.Options) bool {
	return !slices.ContainsFunc(p.Regions, func(r csource.Region) (lacks bool) {
		_ = parse.Guard(m.name, func() error {
			lacks = lower.Lacks(m.name, m.m, r.Function, o, p)
			return nil
		})
		return lacks
	})
}

// Telling is the module with calls that tell what a plan asks.
func (m *Observed) Telling(p *csource.Plan) string { return probe.Instrument(m.text, m.m, p) }

// Region is the name of the region that a function is, by its name for linkers.
func (m *Observed) Region(function string) string { return m.names[function] }

// Definitions says of those of the caller what became of them in the regions that were loaded.
func (m *Observed) Definitions(o csource.Options) []string { return lower.Definitions(o, m.taken) }

// Load gives the region that a function is, with the values of o.Told, and those of them that it took.
func (m *Observed) Load(function string, o csource.Options) (u *csource.Unit, took []csource.Place, err error) {
	err = parse.Guard(m.name, func() (err error) {
		u, took, err = lower.Entered(m.name, m.m, function, m.names[function], o, m.taken)
		return err
	})
	return u, took, err
}
