package nest

import (
	"fmt"

	"foresee/application/nest/expr"
	"foresee/model/schedule"
)

// Pos is a place in a source file.
type Pos struct {
	File         string
	Line, Column int
}

// String gives file:line:column.
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Program is one region of an application: its objects in memory and its loop nests.
type Program struct {
	Region   string    // name shown to the user
	Pos      Pos       // where the region begins
	Entry    Pos       // the brace that begins the body of its function; without a line where that is not known
	Exit     Pos       // and the one that ends it
	Function string    `json:",omitempty"` // the name by which linkers know its function, in Fortran that of the source in small letters; "" of C source
	Vars     []string  // source names of the loop variables, by Var
	Scalars  []string  // source names of the scalars, by Value.N of kind Scalar
	Objects  []*Object // arrays, in order of first use
	Body     []Node
	Warnings []string    // assumptions made while reading the program
	Left     []Left      `json:",omitempty"` // what could not be read, and is not in Body
	Entered  int64       `json:",omitempty"` // how often a run entered it; 0 where there was none
	With     []Named     `json:",omitempty"` // the values that the run told, by their text in the source
	Alone    *Invocation `json:"-"`          // how its function can be entered by itself; nil where it cannot
}

// Invocation is how a function can be entered by itself, without the program that calls it.
type Invocation struct {
	Function  string
	Arguments []Given
	Variables []Given // of the file, that are to be set before; each with its name
}

// Given is what an argument, a variable or a part of memory is given: a whole number, a number of floating point, which is 1, or the address of memory
// that holds zeros but for what is set in it.
type Given struct {
	Name   string
	Type   Type
	Value  int64   // of whole numbers
	Memory *Memory // it is the address of this; nil: it is a number
	Offset int64   // bytes behind the begin of the variable or memory that it is in
}

// Memory is what a pointer leads to.
type Memory struct {
	Holds []Given // at their offsets
	Rows  bool    // it holds addresses of rows of numbers
}

// Named is a value of the source.
type Named struct {
	Text  string
	Value int64
}

// Left is a part of a region that could not be read, and why.
type Left struct {
	Pos    Pos
	Reason string
	Loops  int `json:",omitempty"` // how many loops it has in the source, itself among them
}

// LoopsLeft is how many loops the parts have that could not be read, and how many were read.
func (p *Program) LoopsLeft() (left, read int) {
	for _, x := range p.Left {
		left += x.Loops
	}
	Walk(p.Body, func(n Node) {
		if _, ok := n.(*Loop); ok {
			read++
		}
	})
	return left, read
}

// Object is an array or structure in memory. Distinct objects never share a line: each begins on a line of
// its own.
type Object struct {
	Name    string
	Bytes   int64 // extent in bytes; 0 when only its subscripts bound it
	Elem    int64 // size in bytes of the scalars it holds (of the first member of a structure)
	Private bool  // every thread has a copy of its own
	// Aliased says that it is reached through a pointer that compilers must take as one into any other such object of the same type.
	Aliased bool `json:",omitempty"`
	// Loaded says that the pointer to it was read from memory, and nothing tells whether it leads into another object of the same type.
	Loaded bool `json:",omitempty"`
	// Unseen says that it is reached through a pointer in memory – a variable of the file, a row's, a member –, so that compilers cannot tell it from other such
	// objects of the same type, though it is known here.
	Unseen bool `json:",omitempty"`
}

// Node is a *Loop, *If, *Stmt, *Parallel, *Single, *Critical or *Barrier.
type Node interface{ node() }

// Loop runs Body with Var = Lo, Lo+Step, … as long as Var ≤ Hi (Step > 0) or Var ≥ Hi (Step < 0).
// Each Var belongs to exactly one Loop. Lo and Hi may use the variables of enclosing loops only.
type Loop struct {
	Var  expr.Var
	Lo   *expr.Expr
	Hi   *expr.Expr // inclusive
	Step int64      // never 0
	Body []Node
	Work *Work // not nil: an OpenMP worksharing loop
	Pos  Pos
	// Unseen says that compilers cannot tell how often it runs, though it is known here: its bounds hold what a run, a caller or another file gives.
	Unseen bool
	// Early says that data may end it before Hi, which is its bound or what a run told.
	Early bool
}

// Work makes a Loop a worksharing loop of the enclosing Parallel.
type Work struct {
	Schedule schedule.Kind
	Chunk    int64 // iterations; 0 when the source gives none
	Collapse int   // number of perfectly nested rectangular loops dealt as one; at least 1
	Nowait   bool  // no barrier at its end
}

// Rule is how the iterations are dealt to threads.
func (w *Work) Rule() schedule.Rule { return schedule.Rule{Kind: w.Schedule, Chunk: w.Chunk} }

// If runs Then when Cond is not zero, Else otherwise.
type If struct {
	Cond       *expr.Expr
	Then, Else []Node
	Pos        Pos
}

// Parallel is a parallel region: every thread of the team runs Body; worksharing loops in it are dealt.
// It ends with a barrier.
type Parallel struct {
	Body []Node
	Pos  Pos
}

// Single runs Body on thread 0 (single, master, masked). A barrier follows unless Nowait.
type Single struct {
	Body   []Node
	Nowait bool
	Pos    Pos
}

// Critical runs Body on every thread that comes to it, one after another (critical, atomic, ordered).
type Critical struct {
	Body   []Node
	Atomic bool // by an instruction that locks what it changes, not by a lock around
	Pos    Pos
}

// Barrier lets no thread of the team go on before all have come to it.
type Barrier struct{ Pos Pos }

// Stmt is a straight piece of code: Accesses in the order of evaluation, and the operations between them.
type Stmt struct {
	Accesses []*Access
	Flow     []Operation
	Lane     Lane // of a vector that an intrinsic computes
	// Branches are the conditions on data that it ends with and that a processor has to guess: what they decide is counted whatever they are.
	Branches int
	Pos      Pos
}

// Lane is what a statement does of an instruction on vectors that the source names by an intrinsic: a lane of it.
type Lane int

// Other lanes than the first, which stands for the instruction, take no instructions of their own.
const (
	NoLane Lane = iota
	FirstLane
	OtherLane
)

func (*Loop) node()     {}
func (*If) node()       {}
func (*Parallel) node() {}
func (*Single) node()   {}
func (*Critical) node() {}
func (*Barrier) node()  {}
func (*Stmt) node()     {}

// Access is one load or store.
type Access struct {
	Object *Object
	Offset *expr.Expr // bytes from the object's beginning
	Size   int64      // bytes
	Write  bool
	Pos    Pos
	Text   string // as in the source: "A[i][k]"
	// PerThread is how many bytes further on the same access is that the next thread of a team makes, of objects that threads share.
	PerThread int64

	origin *Access // of which this is a copy with other variables
}

// Origin is the access of the program that one of a stream stands for.
func (a *Access) Origin() *Access {
	if a.origin != nil {
		return a.origin
	}
	return a
}

// Kind is what an Operation does.
type Kind int

// The kinds of operations. Call is a mathematical function that is none of the others (see Operation.Name).
const (
	Move    Kind = iota // copies its argument: an assignment to a scalar, a store
	Add                 // also subtraction
	Mul                 // product
	FMA                 // fma(a, b, c), written as such in the source
	Div                 // quotient; for integers also the remainder
	Sqrt                // square root
	Compare             // comparison
	Select              // c ? a : b, min, max, fabs, negation
	Logic               // bitwise and shifts
	Convert             // between number types
	Call                // exp, log, sin, pow, …
	Lookup              // the element that its second argument loads, which the first one chooses
)

func (k Kind) String() string {
	return [...]string{"move", "add", "mul", "fma", "div", "sqrt", "compare", "select", "logic", "convert", "call", "lookup"}[k]
}

// Type is the type of an operation's result.
type Type int

// The types that machines have operations for; smaller integers count as I32.
const (
	I32 Type = iota
	I64
	F32
	F64
)

func (t Type) String() string { return [...]string{"i32", "i64", "f32", "f64"}[t] }

// IsFloat tells floating-point types from integers.
func (t Type) IsFloat() bool { return t == F32 || t == F64 }

// Operation is one step of a statement's dataflow. Loop counters and subscripts are not in it.
type Operation struct {
	Kind Kind
	Type Type
	Name string  // of the function, for Call; of Convert and Select where it matters to compilers
	Args []Value // what it reads
	// Minus, of Add: a difference, whose operands cannot be exchanged.
	Minus bool `json:",omitempty"`
	// From, of Convert: the type of its argument.
	From Type `json:",omitempty"`
	// OrEqual, of Compare: it holds, or fails, for equal numbers and for larger ones or lesser ones, and not for others.
	OrEqual bool  `json:",omitempty"`
	Out     Value // where its result goes besides Temp: a Scalar, a Store, or nothing
}

// Rounds tells the operations that make a whole number of one of floating point, which stays one: floor, ceil, trunc, rint.
func (op *Operation) Rounds() bool { return op.Kind == Convert && op.Name != "" && op.Type.IsFloat() }

// KeepsName are functions whose operations other than calls keep their name, as compilers that must heed what they set or do with numbers that are none call them.
var KeepsName = map[string]bool{"fmax": true, "fmin": true, "lrint": true, "llrint": true, "lround": true, "llround": true}

// ValueKind is what a Value refers to.
type ValueKind int

// A Value is nothing, a constant, the result of Flow[N], the scalar Program.Scalars[N], what the load
// Accesses[N] brings, or what the store Accesses[N] writes.
const (
	None ValueKind = iota
	Const
	Temp
	Scalar
	Load
	Store
)

// What is known of a constant, by Value.N of kind Const.
const (
	AnyConstant = iota
	PowerOfTwo  // by which compilers multiply, or shift, instead of dividing
	Counter     // no constant, but made of the counter of the innermost loop
)

// Value is an operand or a destination.
type Value struct {
	Kind ValueKind
	N    int
}

// Regions names the loops of a function.
type Regions map[string]int

// At is the name of one at a line: f:12, and where others begin in the same line f:12#2 and so on.
func (r *Regions) At(function string, line int) string {
	if *r == nil {
		*r = Regions{}
	}
	name := fmt.Sprintf("%s:%d", function, line)
	if (*r)[name]++; (*r)[name] > 1 {
		name = fmt.Sprintf("%s#%d", name, (*r)[name])
	}
	return name
}

// Walk calls f for every node below nodes, parents first.
func Walk(nodes []Node, f func(Node)) {
	for _, n := range nodes {
		f(n)
		for _, b := range Children(n) {
			Walk(b, f)
		}
	}
}

// Children are the lists of nodes directly below a node.
func Children(n Node) [][]Node {
	switch n := n.(type) {
	case *Loop:
		return [][]Node{n.Body}
	case *If:
		return [][]Node{n.Then, n.Else}
	case *Parallel:
		return [][]Node{n.Body}
	case *Single:
		return [][]Node{n.Body}
	case *Critical:
		return [][]Node{n.Body}
	}
	return nil
}

// Within is a copy of a node with what a function makes of each list of nodes directly below it; a node with nothing below is itself.
func Within(n Node, f func([]Node) []Node) Node {
	switch n := n.(type) {
	case *Loop:
		c := *n
		c.Body = f(n.Body)
		return &c
	case *If:
		c := *n
		c.Then, c.Else = f(n.Then), f(n.Else)
		return &c
	case *Parallel:
		c := *n
		c.Body = f(n.Body)
		return &c
	case *Single:
		c := *n
		c.Body = f(n.Body)
		return &c
	case *Critical:
		c := *n
		c.Body = f(n.Body)
		return &c
	}
	return n
}

// HasParallel tells whether the program has a parallel region.
func (p *Program) HasParallel() bool {
	found := false
	Walk(p.Body, func(n Node) {
		if _, ok := n.(*Parallel); ok {
			found = true
		}
	})
	return found
}

// usualTrip is how often a loop is taken to run of which that is not known. Chosen.
const usualTrip = 100

// accessesIn estimates how many accesses nodes make that run so often, sides of conditions half; those outside loops, which run 0 times, are none.
func accessesIn(nodes []Node, times float64) (sum float64) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *Stmt:
			sum += times * float64(len(n.Accesses))
		case *Loop:
			trip := float64(usualTrip)
			if n.Lo.Op == expr.OpConst && n.Hi.Op == expr.OpConst && n.Step != 0 {
				trip = max(0, float64((n.Hi.K-n.Lo.K)/n.Step+1))
			}
			sum += accessesIn(n.Body, max(times, 1)*trip)
		case *If:
			sum += accessesIn(n.Then, times/2) + accessesIn(n.Else, times/2)
		case *Parallel:
			sum += accessesIn(n.Body, times)
		case *Single:
			sum += accessesIn(n.Body, times)
		case *Critical:
			sum += accessesIn(n.Body, times)
		}
	}
	return sum
}

// Either gives of two sides of a condition on data, if loops are on both, the one with more accesses; ok is false where one has no loops.
func Either(then, other []Node) (side []Node, ok bool) {
	a, b := accessesIn(then, 0), accessesIn(other, 0)
	switch {
	case a == 0 || b == 0:
		return nil, false
	case a > b:
		return then, true
	}
	return other, true
}
