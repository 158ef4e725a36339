// Package value evaluates C before it runs: integers as expressions of loop variables, within the widths of their types, and where pointers
// point, as far as the source tells. What has to hold, such as that an unsigned integer does not wrap, is proven from the bounds of loops and
// the conditions around, or refused.
package value

import (
	"fmt"
	"maps"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// Values is what is known of the values of variables at a point of a function, and evaluates expressions by it. It leaves deep
// recursions by panicking with a *parse.Error, which parse.Catch takes up.
type Values struct {
	Source   *parse.Source
	Facts    *parse.Facts
	Function *cc.FunctionDefinition // the function that the expressions stand in; nil: none

	Ints     Variables[*expr.Expr] // known integers; nil: changed in a way that is not followed
	Pointers Variables[Place]      // where pointers point; no object: not followed
	Members  map[Member]Place      // where pointers within structures point
	Fields   map[Member]*expr.Expr // known integer members
	Objects  map[ObjectKey]*nest.Object
	Held     map[*nest.Object]Held                     // structures whose members live in registers
	Rows     map[*nest.Object]Rows                     // what pointers in arrays point at
	Hidden   map[*cc.Declarator]*nest.Object           // private copies within an OpenMP construct
	Callees  map[*cc.Declarator]*cc.FunctionDefinition // what parameters are given that point at functions
	Reals    map[*cc.Declarator]float64                // what calls give parameters of floating-point types that nothing sets
	Inside   map[*cc.Declarator]bool                   // declared within the parallel region
	Why      map[*cc.Declarator]*parse.Error           // what kept a variable from being followed
	Stepped  map[cc.ExpressionNode]bool                // ++ and -- that are applied apart: they stand for their variable
	Unstable map[string]bool                           // names of structure members that called functions change
	Released map[*nest.Object]bool                     // objects that something not followed may have changed
	Ranges   []expr.Range                              // of the loop variables
	Limits   []Limit                                   // of the loop variables
	holds    []*expr.Expr                              // the conditions around

	Blind       bool                                                 // no elements of arrays are looked up
	Along       map[expr.Var]bool                                    // variables of loops: elements that they choose are not looked up
	origins     map[*nest.Object][]cc.ExpressionNode                 // what points at a place of an object that is the same throughout, of which a run may be asked
	Told        func(e cc.ExpressionNode, form string) (int64, bool) // what a run tells here of an expression, or of a form that has it for %[1]s; nil: nothing
	Aside       bool                                                 // what is evaluated is assigned, and may be used or not
	ToldTrips   func(*cc.IterationStatement) (int64, bool)           // how often a run tells a loop to iterate; nil: nothing
	RowBytes    map[string]int64                                     // how long rows are that nothing places, by the name of the array of pointers; 0: not known
	Unplaced    map[*nest.Object]string                              // rows that RowBytes lacks, all in one place, by that name
	OfMembers   map[Member]Rows                                      // rows that a member of each structure of an array leads to
	Varying     map[string]bool                                      // names of such rows that RowBytes lacks
	Ask         func()                                               // finds values in Entry, EntryFields, Fields and Rows that are not known; nil: there are none
	Entry       map[*cc.Declarator]int64                             // values where the program calls the function first
	EntryPlaces map[Member]Place                                     // likewise of pointers, in terms of who calls it: which of them lead to the same object
	EntryFields map[Member]*expr.Expr                                // likewise, where a run may tell others: it is asked first
	Inlining    map[*cc.FunctionDefinition]bool
	Parallel    int                            // depth of parallel regions
	Thread      *expr.Expr                     // the number of the thread, within one; nil outside
	Team        *expr.Expr                     // that of all threads
	texts       map[string]*nest.Object        // constant texts
	Bounding    bool                           // the condition of a loop is read
	Turns       map[expr.Var]Turn              // of loop variables that begin with a constant
	Trying      bool                           // what stands for unknown numbers is computed with: whether they fit their types shows when they are known
	Quiet       bool                           // what is found is thrown away
	Warned      map[string]bool                // what was warned of
	Note        func(at nest.Pos, text string) // takes a warning; nil: nobody does
}

// MaxInline is how deep calls within calls are followed.
const MaxInline = 32

// New knows what the whole file tells, and nothing of a point in it.
func New(s *parse.Source, fd *cc.FunctionDefinition) Values {
	return Values{
		Source: s, Facts: s.Facts, Function: fd, Ints: NewVariables[*expr.Expr](), Pointers: NewVariables[Place](), Members: map[Member]Place{},
		Fields: map[Member]*expr.Expr{}, Objects: map[ObjectKey]*nest.Object{}, Held: map[*nest.Object]Held{}, Rows: map[*nest.Object]Rows{}, Unplaced: map[*nest.Object]string{}, OfMembers: map[Member]Rows{}, Varying: map[string]bool{}, Hidden: map[*cc.Declarator]*nest.Object{},
		Inside: map[*cc.Declarator]bool{}, Callees: map[*cc.Declarator]*cc.FunctionDefinition{}, Reals: map[*cc.Declarator]float64{}, Why: map[*cc.Declarator]*parse.Error{}, Unstable: map[string]bool{}, Stepped: map[cc.ExpressionNode]bool{}, Released: map[*nest.Object]bool{}, Turns: map[expr.Var]Turn{}, texts: map[string]*nest.Object{},
		Inlining: map[*cc.FunctionDefinition]bool{}, Entry: map[*cc.Declarator]int64{}, EntryFields: map[Member]*expr.Expr{}, EntryPlaces: map[Member]Place{}, Warned: map[string]bool{}, origins: map[*nest.Object][]cc.ExpressionNode{},
	}
}

// Fail leaves the lowering.
func (vs *Values) Fail(n cc.Node, remedy, format string, args ...any) {
	panic(&parse.Error{Pos: parse.Position(n), Message: fmt.Sprintf(format, args...), Remedy: remedy})
}

// undefined leaves because the value of something is not known, which the caller may define by name.
func (vs *Values) undefined(n cc.Node, text, name string) { panic(Undefined(n, name, text)) }

// Undefined is the error of something whose value is not known, which the caller may define by name.
func Undefined(n cc.Node, name, text string) *parse.Error {
	return undefinedAs(n, name, text, "1000")
}

// undefinedAs is Undefined, with the value of an example.
func undefinedAs(n cc.Node, name, text, example string) *parse.Error {
	would := name + "=" + example
	return &parse.Error{Pos: parse.Position(n), Message: fmt.Sprintf("the value of %s is not known", text), Remedy: "define it, such as " + would, Undefined: true, Lacks: would}
}

// Release forgets what is known of the numbers and pointers in an object: something that is not followed may set them.
func (vs *Values) Release(o *nest.Object) {
	vs.Released[o] = true
	maps.DeleteFunc(vs.Members, func(m Member, _ Place) bool { return m.Object == o })
	maps.DeleteFunc(vs.Fields, func(m Member, _ *expr.Expr) bool { return m.Object == o })
}

// Warn notes an assumption, once for each place.
func (vs *Values) Warn(n cc.Node, format string, args ...any) {
	vs.WarnAt(parse.Position(n), format, args...)
}

// WarnAt notes an assumption at a place, once.
func (vs *Values) WarnAt(p nest.Pos, format string, args ...any) {
	w := fmt.Sprintf("%s:%d: %s", p.File, p.Line, fmt.Sprintf(format, args...))
	if vs.Quiet || vs.Warned[w] {
		return
	}
	vs.Warned[w] = true
	if vs.Note != nil {
		vs.Note(p, w)
	}
}

// Known is what is known of variables at a point.
type Known struct {
	Ints     Variables[*expr.Expr]
	Pointers Variables[Place]
	Members  map[Member]Place
	Fields   map[Member]*expr.Expr
}

// Save copies what is known, to return to it after a branch.
func (vs *Values) Save() Known {
	return Known{vs.Ints, vs.Pointers, maps.Clone(vs.Members), maps.Clone(vs.Fields)}
}

// Restore returns to what was known.
func (vs *Values) Restore(k Known) {
	vs.Ints, vs.Pointers, vs.Members, vs.Fields = k.Ints, k.Pointers, k.Members, k.Fields
}

// Drop forgets the value of a variable: it changes in a way that is not followed.
func (vs *Values) Drop(d *cc.Declarator) {
	switch {
	case tree.IsInteger(d.Type()):
		vs.Ints.Set(d, nil)
	case d.Type().Kind() == cc.Ptr:
		vs.Pointers.Set(d, Place{})
	}
}
