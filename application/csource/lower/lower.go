// Package lower turns the functions of a C file into loop nests: statements into accesses and operations in order of evaluation, loops into
// loops with bounds, calls into what they call, and the directives of OpenMP into teams and worksharing. Package value tells it what
// expressions are.
package lower

import (
	"fmt"
	"maps"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/application/nest/tasking"

	"modernc.org/cc/v4"
)

// maxFollowed bounds the statements of a function that are lowered, those of trials included: ten microseconds each, up to a quarter of a millisecond where
// loops nest by the hundred.
const maxFollowed = 20_000

// maxNodes bounds the statements of a region, after inlining: models compare each with each.
const maxNodes = 5_000

// lowerer turns the statements of a function into nest nodes. It leaves deep recursions by panicking with a
// *parse.Error, which parse.Catch takes up.
type lowerer struct {
	value.Values
	prog    *nest.Program // names of variables and scalars, warnings
	scalars map[scalarKey]int

	out  *[]nest.Node // list under construction
	stmt *nest.Stmt   // statement under construction
	live []*operand   // results of the statement that are not used yet
	once int          // first access of the ?: whose elements are read only once; -1 outside

	result       *result                         // where return puts its value; nil in the region's own function
	alone        int                             // depth of parallel regions within parallel regions, which run on one thread
	started      map[*cc.Declarator]*expr.Expr   // values with which the program begins
	startedIn    map[value.Member]*expr.Expr     // likewise of members
	set          map[string]bool                 // members that functions set; nil: not asked for yet
	intrinsic    cc.Node                         // the call whose lanes are lowered; nil: none
	lane         nest.Lane                       // of an intrinsic's statement that is being lowered
	tasks        tasking.Tasks                   // those that the one thread has made that runs what is lowered; nil where each runs it
	work         bool                            // in a worksharing loop
	loops        int                             // depth of loops
	innermost    *expr.Var                       // counts the innermost loop; nil outside loops
	dealtAt      int                             // that of the loop which threads share
	joined       int                             // how many loops it is with those that collapse joins to it
	own          map[*cc.Declarator]bool         // integers and pointers of which each thread has its own, with the value from before
	onData       int                             // depth of branches whose condition depends on data
	splits       int                             // depth of conditions whose else is lowered twice
	dataAround   int                             // onData where the innermost loop begins
	decided      bool                            // within an if that loop variables decide
	inSwitch     bool                            // within a switch, which a break ends
	ways         *exits                          // of the innermost loop; nil: outside loops
	counts       *cc.IterationStatement          // the innermost loop that is counted
	endsTold     map[*cc.IterationStatement]bool // loops that data end, of which a run told how often they iterate
	gone         bool                            // the iteration ends before what comes next
	lastLoop     bool                            // nothing of its function follows the loop that comes next
	numbered     int                             // depth of loops whose iterations are numbered
	behind       map[string]bool                 // labels right behind the loop that comes next
	hushed       bool                            // the warning of a condition comes from its if
	declared     map[*cc.Declarator]bool         // variables of a block or a call that is lowered
	copied       map[*nest.Access]int            // loads of whole structures into registers, and the scalars there
	rowKnown     bool                            // what is stored was loaded before, through the same pointer in memory
	membersRead  map[int]bool                    // scalars of structures that the source reads
	copies       []*nest.Object                  // that threads have of variables
	unset        map[value.Member]value.Place    // what pointers in structures point at that nothing has set
	inMemory     map[*nest.Object]bool           // objects that compilers cannot take apart
	takenAddress map[*cc.Declarator]bool         // see addressed; nil: not asked yet
	nodes        int

	temporaries int
	root        *[]nest.Node                 // the region's own list
	notes       []note                       // warnings
	armEnds     map[*cc.JumpStatement]bool   // breaks at the end of a block that an arm of a switch ends in
	opaque      map[string]bool              // functions that are not defined here, and were warned of
	preset      map[*cc.Declarator]cc.Node   // where a definition took the place of the constant that a variable of the input begins with
	returned    value.Place                  // what the function that was inlined last returns
	passed      value.Variables[value.Place] // what the region's pointer parameters point at
	entered     bool                         // entry was looked for
	entry       *entry                       // nil: there is none
	calls       func(*cc.FunctionDefinition) // is told of calls whose parameters are bound; nil: nobody is
	into        value.Place                  // the structure that a call which comes next is to set
	unrolled    int64                        // how many copies are made of what is lowered, in loops whose iterations are lowered one by one; 0 outside
	byValues    int                          // loops around whose iterations are followed by values
	valued      int                          // iterations of them so far
	spent       *int                         // statements that were lowered, on trial too
	tried       int                          // depth of loops that are lowered on trial
	left        []left                       // what cannot be read
	takenInTurn map[nest.Pos]bool            // places of elements that data choose; see place
	chosen      chosenElement                // the element in turn that is being read or written
	usedInTurn  bool                         // elements are taken in turn
	current     *cc.FunctionDefinition
}

// newLowerer begins to lower a function; nil where only values of the file are asked for.
func newLowerer(s *parse.Source, fd *cc.FunctionDefinition) *lowerer {
	l := &lowerer{Values: value.New(s, fd), prog: &nest.Program{}, scalars: map[scalarKey]int{}, opaque: map[string]bool{}, preset: map[*cc.Declarator]cc.Node{}, armEnds: map[*cc.JumpStatement]bool{}, own: map[*cc.Declarator]bool{}, declared: map[*cc.Declarator]bool{}, copied: map[*nest.Access]int{}, inMemory: map[*nest.Object]bool{}, unset: map[value.Member]value.Place{}, started: map[*cc.Declarator]*expr.Expr{}, startedIn: map[value.Member]*expr.Expr{}, membersRead: map[int]bool{}, spent: new(int), endsTold: map[*cc.IterationStatement]bool{}, once: -1}
	l.out = new([]nest.Node)
	l.root, l.current = l.out, fd
	l.Note = func(at nest.Pos, text string) { l.notes = append(l.notes, note{at, text, len(*l.root)}) }
	return l
}

// lowered lowers the body of a function. Elements of small arrays that data choose are taken in turn at the places that are given. Where nothing places the
// rows that pointers in memory lead to, it is lowered again with what is known then of their lengths, those behind other rows last.
func lowered(s *parse.Source, fd *cc.FunctionDefinition, inTurn map[nest.Pos]bool) (l *lowerer, err *parse.Error) {
	rows := map[string]int64{}
	for range mostRowLevels {
		l, err = loweredOnce(s, fd, inTurn, rows)
		if lengths := l.rowLengths(err); len(lengths) > 0 {
			maps.Copy(rows, lengths)
			continue
		}
		break
	}
	if err == nil || len(rows) == 0 {
		return l, err
	}
	for name := range rows { // too much can be followed then, perhaps
		rows[name] = 0
	}
	if without, e := loweredOnce(s, fd, inTurn, rows); e == nil {
		return without, nil
	}
	return l, err
}

func loweredOnce(s *parse.Source, fd *cc.FunctionDefinition, inTurn map[nest.Pos]bool, rows map[string]int64) (*lowerer, *parse.Error) {
	l := newLowerer(s, fd)
	l.takenInTurn, l.RowBytes = inTurn, rows
	return l, parse.Attempt(func() {
		l.bindParameters(fd)
		l.startProgram(fd)
		if s.Told != nil {
			l.ToldTrips = func(it *cc.IterationStatement) (int64, bool) { return s.ToldTrips(fd, it) }
			l.Told = func(e cc.ExpressionNode, form string) (int64, bool) {
				if form != "" && l.ofMain(e) { // where the system puts arguments differs from run to run
					return 0, false
				}
				return s.Told(fd, e, form, l.Aside)
			}
		}
		l.Ask = func() { l.enter(fd) }
		l.body(fd)
		l.dropUnused()
		l.keepElements()
		l.checkBounds()
	})
}

// note is a warning and the number of top-level nodes before it.
type note struct {
	pos  nest.Pos
	text string
	top  int
}

// flush ends the statement under construction; results that are still wanted go to scalars.
func (l *lowerer) flush() {
	if l.stmt != nil && len(l.stmt.Accesses)+len(l.stmt.Flow) > 0 {
		for _, o := range l.live {
			l.spill(o)
		}
		l.count(1)
		*l.out = append(*l.out, l.stmt)
	}
	l.stmt, l.live, l.once = nil, nil, -1
}

// follow keeps the work within bounds.
func (l *lowerer) follow(n cc.Node) {
	if *l.spent++; *l.spent > maxFollowed {
		panic(&parse.Error{Pos: parse.Position(n), Message: "loops and calls nest so that following them takes too long", Remedy: parse.TraceRemedy, Whole: true})
	}
}

// count keeps the size of the region within bounds.
func (l *lowerer) count(n int) {
	l.nodes += n
	l.bounded(l.nodes)
}

// bounded ends the lowering of a region of too many statements.
func (l *lowerer) bounded(n int) {
	if n > maxNodes {
		panic(&parse.Error{
			Pos: parse.Position(l.Function.Declarator), Message: fmt.Sprintf("more than %d statements after inlining", maxNodes),
			Remedy: parse.TraceRemedy, Whole: true,
		})
	}
}

// emit appends a node to the list under construction.
func (l *lowerer) emit(n nest.Node) {
	l.flush()
	l.count(1)
	*l.out = append(*l.out, n)
}

// collect gives the nodes that f makes.
func (l *lowerer) collect(f func()) []nest.Node {
	l.flush()
	saved := l.out
	var nodes []nest.Node
	l.out = &nodes
	f()
	l.flush()
	l.out = saved
	return nodes
}

// at is the statement under construction.
func (l *lowerer) at(n cc.Node) *nest.Stmt {
	if l.stmt == nil {
		l.stmt = &nest.Stmt{Pos: parse.Position(l.written(n)), Lane: l.lane}
	}
	return l.stmt
}

// written is what a node comes from in the source: itself, or the call of an intrinsic.
func (l *lowerer) written(n cc.Node) cc.Node {
	if l.intrinsic != nil {
		return l.intrinsic
	}
	return n
}

// dropArray forgets the integers of an array, or of what a pointer points at.
func (l *lowerer) dropArray(d *cc.Declarator) {
	if p, ok := l.Pointers.Get(d); ok && p.Object != nil {
		l.dropElements(p.Object)
	} else if d.Type().Kind() == cc.Array {
		_ = parse.Attempt(func() { l.dropElements(l.VariableObject(d, d)) })
	}
}

// changes lists the variables that running n may assign, those among them that it reaches through pointers.
func (l *lowerer) changes(n cc.Node) []*cc.Declarator {
	all := l.Facts.Changed(n)
	reach := func(p *cc.Declarator) {
		if p != nil && l.Pointers.Of(p).Scalar != nil {
			all = append(all, l.Pointers.Of(p).Scalar)
		}
	}
	tree.Each(n, func(n cc.Node) bool {
		reach(parse.AssignedThrough(n))
		if c, ok := n.(*cc.PostfixExpression); ok && c.Case == cc.PostfixExpressionCall {
			for _, a := range tree.Arguments(c) {
				reach(tree.Variable(a))
			}
		}
		return true
	})
	return all
}

// forget drops what is known of the variables that n may change.
func (l *lowerer) forget(n cc.Node) {
	for _, d := range l.changes(n) {
		l.Drop(d)
	}
	tree.Each(n, func(n cc.Node) bool {
		if e := parse.AssignedMember(n); e != nil {
			l.dropMember(e)
		}
		if e := parse.AssignedStruct(n); e != nil {
			l.dropStruct(e)
		}
		if e := parse.AssignedMemberArray(n); e != nil {
			l.dropMemberArray(e)
		}
		if d := parse.AssignedElement(n); d != nil {
			l.dropArray(d)
		}
		if d := parse.AssignedThrough(n); d != nil && tree.IsInteger(value.Pointee(d.Type())) {
			l.dropArray(d)
		}
		if c, ok := n.(*cc.PostfixExpression); ok && c.Case == cc.PostfixExpressionCall {
			l.dropPointed(c)
		}
		return true
	})
}
