package probe

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"foresee/application/csource/lower"
	"foresee/application/csource/parse"
	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// Place is an expression whose value a run can tell, and where it does.
type Place struct {
	At       nest.Pos
	Text     string
	Function string // of a value of LLVM IR, whose name Text is: the function that it is in, by its name for linkers
}

// Region is a function whose entries are counted, and the values that its analysis lacks, by their numbers in the plan.
type Region struct {
	Function string
	Places   []int
	Team     bool // all threads of a team enter it together: it deals its loops to them

	body nest.Pos
}

// Plan is what a program is made to tell.
type Plan struct {
	Places    []Place
	Regions   []Region
	Macros    []string // definitions of the caller that a compiler takes as well
	Overrides []string // those of them that are taken instead of definitions of the files

	loops  map[Place]nest.Pos // bodies of loops that are counted
	begins map[Place]bool     // told where a function begins
	faults map[Place]bool     // evaluating it may end the program

	declined map[Place]bool // not asked, as it may do so
}

// guesses stand for a value that a run is to tell, each in its turn, so that what depends on it is looked at as well, whatever it decides. Chosen: small
// and no power of two; the numbers that switch things off and on; larger than sizes of blocks.
var guesses = []int64{24, 0, 1, 5000}

// Find finds what the regions of a source lack; known are values from earlier runs. Safe leaves out what follows pointers, or has subscripts.
func (places *Spots) Find(s *parse.Source, o lower.Choice, known map[Place]int64, safe bool) *Plan {
	p := &Plan{Macros: s.Macros, Overrides: s.Overrides, begins: map[Place]bool{}, loops: map[Place]nest.Pos{}, faults: map[Place]bool{}, declined: map[Place]bool{}}
	asked := map[*cc.FunctionDefinition][]Place{}
	read := map[string]bool{}
	for _, guess := range guesses {
		p.look(places, s, o, lookup{known, guess, safe}, asked, read)
	}
	for _, fd := range s.Facts.Functions {
		all, wanted := asked[fd]
		if wanted || read[fd.Declarator.Name()] {
			p.region(fd, all, dealt(s.Facts.Inside[fd]))
		}
	}
	return p
}

// lookup is what a look at a source takes for values: those known, and a guess for the others.
type lookup struct {
	known map[Place]int64
	guess int64
	safe  bool
}

// look notes what the functions of a source ask, and which can be read.
func (p *Plan) look(places *Spots, s *parse.Source, o lower.Choice, v lookup, asked map[*cc.FunctionDefinition][]Place, read map[string]bool) {
	s.Told = func(region *cc.FunctionDefinition, e cc.ExpressionNode, form string, _ bool) (int64, bool) {
		if _, ok := asked[region]; !ok {
			asked[region] = nil
		}
		w := want{e, form}
		at := places.of(w)
		if at == nil {
			return 0, false
		}
		place := Place{At: at.pos, Text: w.text()}
		if v.safe && w.mayFault() {
			p.declined[place] = true
			return 0, false
		}
		if p.begins[place], p.faults[place] = at.begins, w.mayFault(); !slices.Contains(asked[region], place) {
			asked[region] = append(asked[region], place)
		}
		if n, ok := v.known[place]; ok {
			return n, true
		}
		return v.guess, true
	}
	s.ToldTrips = func(region *cc.FunctionDefinition, it *cc.IterationStatement) (int64, bool) {
		at := places.loop(it)
		if at == nil {
			return 0, false
		}
		place := at.place(it)
		if p.loops[place] = at.body; !slices.Contains(asked[region], place) {
			asked[region] = append(asked[region], place)
		}
		if n, ok := v.known[place]; ok {
			return n, true
		}
		return v.guess, true
	}
	s.Guessing = true
	defer func() { s.Told, s.ToldTrips, s.Guessing = nil, nil, false }()
	u := &lower.Unit{}
	_ = lower.Regions(s, u, o) // a run may tell what it lacks
	for _, program := range u.Programs {
		read[lower.FunctionOf(program.Region)] = true
	}
}

// region adds a function and what it asks.
func (p *Plan) region(fd *cc.FunctionDefinition, all []Place, team bool) {
	r := Region{Function: fd.Declarator.Name(), Team: team, body: parse.PositionOf(&fd.CompoundStatement.Token)}
	for _, place := range all {
		n := slices.Index(p.Places, place)
		if n < 0 {
			n = len(p.Places)
			p.Places = append(p.Places, place)
		}
		r.Places = append(r.Places, n)
	}
	p.Regions = append(p.Regions, r)
}

// dealt tells whether a function deals loops to a team that others began.
func dealt(pragmas []*parse.Pragma) bool {
	shares := func(p *parse.Pragma) bool {
		return p.Is("for") || p.Is("single") || p.Is("sections") || p.Is("barrier")
	}
	return slices.ContainsFunc(pragmas, shares) && !slices.ContainsFunc(pragmas, func(p *parse.Pragma) bool { return p.Is("parallel") })
}

// MayFault tells whether evaluating some place may end the program: then a plan without these is safer.
func (p *Plan) MayFault() bool {
	return slices.Contains(slices.Collect(maps.Values(p.faults)), true)
}

// Taken is what an analysis took of values that it was told.
type Taken struct {
	Used    map[Place]bool // values that bounds, subscripts, conditions and iterations were made of
	Aside   map[Place]bool // that were assigned, and may matter or not
	Lacking map[Place]bool // that it was not told
}

// Tell has the analysis of a source take values for what it lacks.
func (places *Spots) Tell(s *parse.Source, values map[Place]int64) *Taken {
	t := &Taken{map[Place]bool{}, map[Place]bool{}, map[Place]bool{}}
	take := func(place Place, aside bool) (int64, bool) {
		v, ok := values[place]
		switch {
		case aside:
			t.Aside[place] = true
		case ok:
			t.Used[place] = true
		default:
			t.Lacking[place] = true
		}
		return v, ok
	}
	s.Told = func(_ *cc.FunctionDefinition, e cc.ExpressionNode, form string, aside bool) (int64, bool) {
		w := want{e, form}
		at := places.of(w)
		if at == nil {
			return 0, false
		}
		return take(Place{At: at.pos, Text: w.text()}, aside)
	}
	s.ToldTrips = func(_ *cc.FunctionDefinition, it *cc.IterationStatement) (int64, bool) {
		at := places.loop(it)
		if at == nil {
			return 0, false
		}
		return take(at.place(it), false)
	}
	return t
}

// place is where the iterations of a loop are told.
func (c *counted) place(it *cc.IterationStatement) Place {
	return Place{At: c.pos, Text: "iterations of " + it.Token.SrcStr()}
}

var pitch = regexp.MustCompile(`^\(char \*\)\((.*)\)(.*)\[\d\] - `)

// isTable is a place that tells an array, as parse.TableForm asks for it, or the integers in rows that lie anywhere.
var isTable = regexp.MustCompile(`^foresee_(?:table|rows|members)\((.*?)(?:, \d+){3,}\)$`)

// IsTable tells a place whose value stands for all elements of an array of integers.
func (p Place) IsTable() bool { return isTable.MatchString(p.Text) }

// IsOfMemory tells a place whose value says more than a number: what lies in memory, where, or what came one after the other.
func (p Place) IsOfMemory() bool { return strings.HasPrefix(p.Text, "foresee_") }

// Name is what people call the value.
func (p Place) Name() string {
	if m := pitch.FindStringSubmatch(p.Text); m != nil {
		return "bytes between rows of " + m[1] + m[2]
	}
	if m := isTable.FindStringSubmatch(p.Text); m != nil {
		return "the numbers of " + m[1]
	}
	return behindVariable.ReplaceAllString(p.Text, "$1->$2")
}

// behindVariable is a member of a structure that a variable points at, as macros write it.
var behindVariable = regexp.MustCompile(`^\(([A-Za-z_]\w*)\)->([A-Za-z_]\w*)$`)

// Covers tells whether a plan asks all that an analysis lacked, and has all functions that it read.
func (p *Plan) Covers(lacking map[Place]bool, read []string) bool {
	for place := range lacking {
		if !slices.Contains(p.Places, place) && !p.declined[place] {
			return false
		}
	}
	return !slices.ContainsFunc(read, func(function string) bool {
		return !slices.ContainsFunc(p.Regions, func(r Region) bool { return r.Function == function })
	})
}
