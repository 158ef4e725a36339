package csource

import (
	"foresee/application/csource/lower"
	"foresee/application/csource/parse"
	"foresee/application/csource/probe"
)

// By says what becomes a region.
type By = lower.By

// ByFunction makes a region of each function that holds loops over arrays; ByLoop one of each outermost loop
// nest or OpenMP parallel region, named function:line.
const (
	ByFunction = lower.ByFunction
	ByLoop     = lower.ByLoop
)

// Options say how a file is read.
type Options struct {
	// Defines are "NAME=VALUE" or "NAME": macros, or values of variables that the file declares. Of a parameter, the
	// value is that on entry: assignments to it are followed as they stand. Of a variable that is set once, it stands
	// in for what is not known, and for a constant, with a warning; what is computed from other variables stays, with
	// a warning. Where calls or assignments give another constant, the definition is taken and a warning names the place.
	Defines  []string
	Includes []string // directories
	Others   []string // other files of the program, which are read as one with the first
	By       By
	Regions  []string        // keep only these
	Told     map[Place]int64 // values from a run; nil: there was none
}

// Place is an expression whose value a run can tell, and where it does.
type Place = probe.Place

// Plan is what a program is made to tell.
type Plan = probe.Plan

// Ask finds the values that the analysis of a C source lacks and a run can tell. Those that are told already in o.Told are asked again. Safe leaves
// out those whose evaluation may end the program.
func Ask(name string, src []byte, o Options, safe bool) (*Plan, error) {
	s, err := parse.Parse(name, src, o.Defines, o.Includes, o.Others...)
	if err != nil {
		return nil, err
	}
	var p *Plan
	err = parse.Guard(name, func() error {
		p = probe.Find(s, lower.Choice{By: o.By, Regions: o.Regions}, o.Told, safe)
		return nil
	})
	return p, err
}

// Unit is what a source file holds.
type Unit = lower.Unit

// Skipped is a function that was left out, and why.
type Skipped = lower.Skipped

// NoLoops is the reason why most functions are no region.
const NoLoops = lower.NoLoops

// Error says what cannot be read, where, and what to do about it.
type Error = parse.Error

// Load reads the C source name (its text, or the file when src is nil) and gives one nest.Program for each
// region, in source order.
func Load(name string, src []byte, o Options) (*Unit, error) {
	s, err := parse.Parse(name, src, o.Defines, o.Includes, o.Others...)
	if err != nil {
		return nil, err
	}
	if o.Told != nil {
		probe.Told(s, o.Told)
	}
	u, wanted := &Unit{Macros: s.Macros}, lower.Choice{By: o.By, Regions: o.Regions}
	if debugPanics {
		return u, lower.Regions(s, u, wanted)
	}
	err = parse.Guard(name, func() error { return lower.Regions(s, u, wanted) })
	if err != nil {
		return nil, err
	}
	return u, nil
}

// debugPanics lets panics of the lowering through, for tests.
var debugPanics = false
