package csource

import (
	"cmp"
	"io/fs"
	"slices"
	"strings"

	"foresee/application/csource/lower"
	"foresee/application/csource/parse"
	"foresee/application/csource/probe"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"
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
	Build    []string // definitions that a build has for all its files, those of Defines aside: nothing is said where one has no effect
	Includes []string // directories
	Files    fs.FS    // where headers and other files are read from, by relative paths; nil: the host
	Others   []string // other files of the program, which are read as one with the first
	By       By
	// Unnumbered refuses code that deals its work by the numbers of threads: for who changes loops, which are not what the text says there.
	Unnumbered bool
	// AsWritten loads pointers that lead to rows wherever the text reads them; else once where they stay the same, as compilers do.
	AsWritten bool
	Regions   []string              // keep only these
	Told      map[Place]int64       // values from a run; nil: there was none
	Tables    map[int64]*expr.Table // arrays from it, by the values of their places
}

// Place is an expression whose value a run can tell, and where it does.
type Place = probe.Place

// Plan is what a program is made to tell.
type Plan = probe.Plan

// Region is a function whose entries are counted.
type Region = probe.Region

// Unit is what a source file holds.
type Unit = lower.Unit

// Skipped is a function that was left out, and why.
type Skipped = lower.Skipped

// Aside tells functions that prepare, check or print what others work on, and main, by their names.
func Aside(name string) bool { return lower.Aside(name) }

// NoLoops is the reason why most functions are no region.
const NoLoops = lower.NoLoops

// Error says what cannot be read, where, and what to do about it.
type Error = parse.Error

// Assumption is the variable and its value that a warning of a program says is taken, though a run may have another.
func Assumption(warning string) (name, taken string, ok bool) { return value.Assumption(warning) }

// UnreadError is why a file, which is C, has no region that can be read.
type UnreadError struct{ Err error }

func (e *UnreadError) Error() string { return e.Err.Error() }

// Unwrap gives the reasons.
func (e *UnreadError) Unwrap() error { return e.Err }

// Overridden takes the definitions of macros out of a text that others are to be taken for.
func Overridden(text string, defines []string) string { return parse.Overridden(text, defines) }

// MPI is the header that stands in for mpi.h.
func MPI() string { return parse.Header("mpi.h") }

// Load reads the C source name (its text, or the file when src is nil) and gives one nest.Program for each
// region, in source order.
func Load(name string, src []byte, o Options) (*Unit, error) {
	f, err := Open(name, src, o)
	if err != nil {
		return nil, err
	}
	return f.Load(o)
}

// File is a source that was read, and whose regions can be made with one set of values or another.
type File struct {
	Taken *probe.Taken // of the values told, by the last Load

	name   string
	source *parse.Source
	spots  *probe.Spots
}

// Open reads a C source as Load does. What o says of regions and values told is of no matter here.
func Open(name string, src []byte, o Options) (*File, error) {
	s, err := parse.Parse(o.Files, name, src, o.Defines, o.Build, o.Includes, o.Others...)
	if err != nil {
		return nil, err
	}
	s.Quieten(o.Build)
	s.Unnumbered = o.Unnumbered
	return &File{name: name, source: s, spots: probe.NewSpots(s.Facts)}, nil
}

// Load gives the regions.
func (f *File) Load(o Options) (*Unit, error) {
	warnings := len(f.source.Warnings)
	defer func() {
		f.source.Told, f.source.ToldTrips, f.source.Warnings = nil, nil, f.source.Warnings[:warnings:warnings]
	}()
	f.Taken = &probe.Taken{}
	f.tables(o)
	if o.Told != nil {
		f.Taken = f.spots.Tell(f.source, o.Told)
	}
	u, wanted := &Unit{Macros: f.source.Macros, Overrides: f.source.Overrides}, lower.Choice{By: o.By, Regions: o.Regions, AsWritten: o.AsWritten}
	if debugPanics {
		return u, lower.Regions(f.source, u, wanted)
	}
	err := parse.Guard(f.name, func() error { return lower.Regions(f.source, u, wanted) })
	if err != nil {
		return nil, &UnreadError{err}
	}
	for _, p := range u.Programs {
		p.With = named(f.Taken.Used, o.Told)
	}
	return u, nil
}

// tables takes the arrays that a run told.
func (f *File) tables(o Options) {
	if f.source.Tables = o.Tables; f.source.Composed == nil {
		f.source.Composed = map[string]*expr.Table{}
	}
}

// Size is a macro of a file that stands for an integer.
type Size = parse.Size

// Sizes are those of the file, in the order of its text.
func (f *File) Sizes() []Size { return f.source.Sizes() }

// named are values by their text, each once.
func named(used map[Place]bool, values map[Place]int64) []nest.Named {
	var all []nest.Named
	for place := range used {
		if place.IsTable() {
			continue
		}
		all = append(all, nest.Named{Text: place.Name(), Value: values[place]})
	}
	slices.SortFunc(all, func(a, b nest.Named) int {
		return cmp.Or(strings.Compare(a.Text, b.Text), cmp.Compare(a.Value, b.Value))
	})
	return slices.Compact(all)
}

// Ask finds the values that the analysis lacks and a run can tell. Those that are told already in o.Told are asked again. Safe leaves out those
// whose evaluation may end the program.
func (f *File) Ask(o Options, safe bool) (p *Plan, err error) {
	f.tables(o)
	err = parse.Guard(f.name, func() error {
		p = f.spots.Find(f.source, lower.Choice{By: o.By, Regions: o.Regions}, o.Told, safe)
		return nil
	})
	return p, err
}

// Answers tells whether what a plan asked is all that a run can tell the analysis, with the values that it told.
func (f *File) Answers(p *Plan, o Options) bool {
	u, err := f.Load(o)
	var read []string
	if err == nil {
		for _, program := range u.Programs {
			read = append(read, lower.FunctionOf(program.Region))
		}
	}
	return p.Covers(f.Taken.Lacking, read)
}

// debugPanics lets panics of the lowering through, for tests.
var debugPanics = false
