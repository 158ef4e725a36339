package transform

import (
	"fmt"
	"slices"
	"strings"

	"foresee/advise/dependence"
	"foresee/advise/syntax"
	"foresee/application/nest"
)

// Kind is what a change does, in the words of the field.
type Kind string

// The kinds of changes.
const (
	Interchange  Kind = "interchange"
	Distribution Kind = "distribution"
	Fusion       Kind = "fusion"
	Tiling       Kind = "tiling"
	UnrollJam    Kind = "unroll-and-jam"
	Temporary    Kind = "temporary for a sum"
	Parallel     Kind = "parallel loop"
	Collapse     Kind = "collapse"
	Schedule     Kind = "schedule"
	Padding      Kind = "padding"
	Transposed   Kind = "transposed array"
	Arrays       Kind = "structure of arrays"
	Skewing      Kind = "skewing"
	TimeTiling   Kind = "time tiling"
	Interleaving Kind = "array of structures"
)

// Change is another text of the source.
type Change struct {
	Kind       Kind
	Title      string   // what is done to what
	Line       int      // where
	Text       string   // of the whole source
	Conditions []string // that must hold and are not proved, each begins with "if"
	Reorders   bool     // sums are added up in another order, which rounds otherwise
	Loops      []string // the variables of the loops concerned, outermost first
	Array      string   // the array concerned, where it is one
	Unshared   bool     // it gives what threads write lines of their own, and changes nothing else
	Parts      int      // where it is several of its kind in one, from Line on: how many
}

// Source is a program's text with the loop nests that are read of it.
type Source struct {
	*syntax.File
	Programs   []*nest.Program
	places     map[int]nest.Pos      // of loops in the nests, by where they stand in the text
	words      map[string][]int      // tokens by their text, where they are words
	directives []string              // without the #
	tangled    map[*syntax.Node]bool // loops whose dependences take too much to find
	laidOut    []*array              // see arrays; nil: not looked for yet
}

// NewSource brings both together.
func NewSource(name, text string, programs []*nest.Program) *Source {
	s := &Source{File: syntax.Parse(name, text), Programs: programs, places: map[int]nest.Pos{}, words: map[string][]int{}, tangled: map[*syntax.Node]bool{}}
	for i, t := range s.Tokens {
		switch t.Kind {
		case syntax.Word:
			s.words[t.Text] = append(s.words[t.Text], i)
		case syntax.Directive:
			s.directives = append(s.directives, t.Text[1:])
		}
	}
	for _, p := range programs {
		nest.Walk(p.Body, func(n nest.Node) {
			if l, ok := n.(*nest.Loop); ok && l.Pos.File == name {
				if o, ok := s.Offset(l.Pos); ok {
					s.places[o] = l.Pos
				}
			}
		})
	}
	return s
}

// Roots are the outermost loops of the text that are in the nests, in the order of the text.
func (s *Source) Roots() (all []*syntax.Node) {
	for _, f := range s.Functions {
		end := 0
		for _, l := range f.Body.Loops() {
			if _, known := s.places[l.Begin]; known && l.Begin >= end {
				all = append(all, l)
				end = l.End
			}
		}
	}
	return all
}

// splice puts a text in the place of a part of the source.
func (s *Source) splice(begin, end int, by string) string {
	return s.Text[:begin] + by + s.Text[end:]
}

// study is a loop that may be changed, with what its nests tell.
type study struct {
	*Source
	loop     *syntax.Node
	function *syntax.Function
	nests    []*dependence.Nest
	found    [][]*dependence.Dependence // of each nest
	scalars  scalars
}

// study looks at a loop; nil where it cannot be changed at all.
func (s *Source) study(l *syntax.Node) *study {
	at, known := s.places[l.Begin]
	f := s.FunctionAt(l.Begin)
	if !known || f == nil || l.Head == nil || collapsedWithin(l) {
		return nil
	}
	st := &study{Source: s, loop: l, function: f}
	for _, p := range s.Programs {
		if s.leftIn(p, l) {
			return nil
		}
		st.nests = append(st.nests, dependence.Find(p, at)...)
	}
	if !st.plain() || !st.covered() {
		return nil
	}
	for _, n := range st.nests {
		if n.TooLarge() {
			return nil
		}
	}
	st.scalars = st.scalarsOf(l)
	if s.tangled[l] || !st.search() {
		s.tangled[l] = true
		return nil
	}
	return st
}

// collapsedWithin tells loops in one that is dealt together with those in it: OpenMP has rules for their form.
func collapsedWithin(l *syntax.Node) bool {
	for n := l.Parent; n != nil; n = n.Parent {
		if d := dealing(n); strings.Contains(d, "collapse") || strings.Contains(d, "ordered") {
			return true
		}
	}
	return false
}

// begins tells whether a place is the first of its line.
func (s *Source) begins(at int) bool {
	return strings.TrimLeft(s.Text[s.LineBegin(at):at], " \t") == ""
}

// leftIn tells whether something in a loop could not be read.
func (s *Source) leftIn(p *nest.Program, l *syntax.Node) bool {
	return slices.ContainsFunc(p.Left, func(x nest.Left) bool {
		o, ok := s.Offset(x.Pos)
		return !ok || l.Holds(o)
	})
}

// plain refuses jumps, loops that are not counted, and calls of what may do anything.
func (st *study) plain() bool {
	ok := true
	st.loop.Each(func(n *syntax.Node) {
		if n.Kind == syntax.Opaque || n.Kind == syntax.For && n.Head == nil || n.Kind == syntax.Pragma {
			ok = false
		}
		if n.Kind == syntax.For {
			_, known := st.places[n.Begin]
			ok = ok && known && !slices.ContainsFunc(n.Pragmas, strange)
		}
	})
	return ok && st.harmless(st.Words(st.loop), nil)
}

// strange tells directives before a loop that are not understood here.
func strange(t syntax.Token) bool {
	words := strings.Fields(strings.Replace(t.Text, "#", "# ", 1))
	return len(words) < 3 || words[2] != "scop" && words[2] != "endscop" && words[2] != "GCC" && !syntax.IsParallelFor(t)
}

// covered tells whether the nests show each access where the text has it: within the loops that stand around it there. What is peeled off or
// read otherwise is not.
func (st *study) covered() bool {
	if len(st.nests) == 0 {
		return false
	}
	inside := map[*nest.Access]bool{}
	for _, n := range st.nests {
		if st.Program(n).Vars[n.Loop.Var] != st.loop.Head.Var {
			return false
		}
		for _, r := range n.References {
			inside[r.Access] = true
			if !st.aligned(r, st.Program(n)) {
				return false
			}
		}
	}
	ok := true
	for _, p := range st.Programs {
		nest.Walk(p.Body, func(x nest.Node) {
			if s, isStmt := x.(*nest.Stmt); isStmt {
				for _, a := range s.Accesses {
					o, known := st.Offset(a.Pos)
					ok = ok && (inside[a] || !known || a.Pos.File != st.Name || !st.loop.Holds(o))
				}
			}
		})
	}
	return ok
}

// Program is the program of a nest.
func (st *study) Program(n *dependence.Nest) *nest.Program { return n.Program }

// aligned compares the loops around an access with those of the text.
func (st *study) aligned(r *dependence.Reference, p *nest.Program) bool {
	var text []*syntax.Node
	o, known := st.Offset(r.Access.Pos)
	if !known || r.Access.Pos.File != st.Name || !st.loop.Holds(o) {
		return r.Access.Pos.File == st.Name // of a function that is called, which harmless has looked at
	}
	for _, l := range st.loop.Loops() {
		if l.Body.Holds(o) {
			text = append(text, l)
		}
	}
	i := 0
	for _, l := range r.Loops {
		at, ok := st.Offset(l.Pos)
		if !ok {
			return false
		}
		if i == len(text) || at != text[i].Begin || p.Vars[l.Var] != text[i].Head.Var {
			return false
		}
		i++
	}
	return i == len(text)
}

// dependences are those of all nests.
func (st *study) dependences() []*dependence.Dependence { return slices.Concat(st.found...) }

// search finds the dependences of all nests; false where those of one are not known.
func (st *study) search() bool {
	for _, n := range st.nests {
		found, known := n.Dependences(st.own)
		if !known {
			return false
		}
		st.found = append(st.found, found)
	}
	return true
}

// own tells arrays that are declared within the loop, of which each iteration has its own.
func (st *study) own(o *nest.Object) bool { return st.scalars.declared[o.Name] }

// signs are the directions of a dependence in loops of the text.
func (st *study) signs(d *dependence.Dependence, loops []*syntax.Node) []dependence.Sign {
	out := make([]dependence.Sign, len(loops))
	for i, l := range d.Common {
		if o, ok := st.Offset(l.Pos); ok && l.Pos.File == st.Name {
			if k := slices.IndexFunc(loops, func(n *syntax.Node) bool { return n.Begin == o }); k >= 0 {
				out[k] = d.Vector[i]
			}
		}
	}
	return out
}

// conditions are what the nests take for granted, of all arrays that some access in the loop writes or reads beside one that is written.
func (st *study) conditions() []string {
	names := map[string]bool{}
	called := st.calledWithArrays()
	for _, n := range st.nests {
		for _, a := range n.References {
			for _, b := range n.References {
				x, y := a.Access.Object, b.Access.Object
				if mayBeOne(x, y, called) && (a.Access.Write || b.Access.Write) {
					names[x.Name], names[y.Name] = true, true
				}
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{"if " + list(sorted(names)) + " do not overlap"}
}

// mayBeOne tells whether two arrays may lie one on the other: those behind parameters, unless all calls give arrays of their own, and those behind pointers
// that were read from memory.
func mayBeOne(a, b *nest.Object, called bool) bool {
	return a != b && (a.Aliased && b.Aliased && !called || a.Loaded && (b.Loaded || b.Aliased) || b.Loaded && a.Aliased)
}

func sorted(set map[string]bool) []string {
	var all []string
	for n := range set {
		all = append(all, n)
	}
	slices.Sort(all)
	return all
}

func list(all []string) string {
	if n := len(all); n > 1 {
		return strings.Join(all[:n-1], ", ") + " and " + all[n-1]
	}
	return strings.Join(all, "")
}

// change begins one of a kind.
func (st *study) change(k Kind, loops []*syntax.Node, format string, args ...any) *Change {
	c := &Change{Kind: k, Title: fmt.Sprintf(format, args...), Line: st.Line(st.loop.Begin), Conditions: st.conditions()}
	for _, l := range loops {
		c.Loops = append(c.Loops, l.Head.Var)
	}
	return c
}
