package csource

import (
	"foresee/application/nest"
)

// By says what becomes a region.
type By int

// ByFunction makes a region of each function that holds loops over arrays; ByLoop one of each outermost loop
// nest or OpenMP parallel region, named function:line.
const (
	ByFunction By = iota
	ByLoop
)

// Options are what the user gives on the command line.
type Options struct {
	// Defines are "NAME=VALUE" or "NAME": macros, or values of variables that the file declares. Of a parameter, the
	// value is that on entry: assignments to it are followed as they stand. Of a variable that is set once, it stands
	// in for what is not known, and for a constant, with a warning; what is computed from other variables stays, with
	// a warning. Where calls or assignments give another constant, the definition is taken and a warning names the place.
	Defines  []string
	Includes []string // directories
	By       By
	Regions  []string // keep only these
}

// Unit is what a source file holds.
type Unit struct {
	Programs []*nest.Program // in source order
	Skipped  []Skipped       // functions that are no region
	Warnings []string        // those of the file; those of a region are in its Program
}

// Skipped is a function that was left out, and why.
type Skipped struct {
	Function string
	Pos      nest.Pos
	Reason   string
}

// NoLoops is the reason why most functions are no region.
const NoLoops = "it holds no loops over arrays"

// Load reads the C source name (its text, or the file when src is nil) and gives one nest.Program for each
// region, in source order.
func Load(name string, src []byte, o Options) (*Unit, error) {
	s, err := parse(name, src, o)
	if err != nil {
		return nil, err
	}
	u := &Unit{}
	if debugPanics {
		return u, s.regions(u, o)
	}
	err = guard(name, func() error { return s.regions(u, o) })
	if err != nil {
		return nil, err
	}
	return u, nil
}

// guard runs f and turns a panic of the parser's library, or a bug of ours, into an error.
func guard(name string, f func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			err = r
		default:
			err = &Error{Pos: nest.Pos{File: name}, Message: "this C is not understood", Remedy: traceRemedy}
		}
	}()
	return f()
}

// debugPanics lets panics of the lowering through, for tests.
var debugPanics = false
