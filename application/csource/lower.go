package csource

import (
	"fmt"
	"maps"

	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// Limits on what a region may become.
const (
	maxNodes  = 5_000 // statements, after inlining: models compare each with each
	maxInline = 32    // calls within calls
)

// lowerer turns the statements of a function into nest nodes. It leaves deep recursions by panicking with an
// *Error, which catch takes up.
type lowerer struct {
	s    *source
	f    *facts
	fd   *cc.FunctionDefinition // being lowered
	prog *nest.Program          // names of variables and scalars, warnings

	ints     map[*cc.Declarator]*expr.Expr // known integers; nil: changed in a way that is not followed
	pointers map[*cc.Declarator]place      // where pointers point; no object: not followed
	members  map[member]place              // where pointers within structures point
	fields   map[member]*expr.Expr         // known integer members
	objects  map[objectKey]*nest.Object
	scalars  map[scalarKey]int
	hidden   map[*cc.Declarator]*nest.Object // private copies within an OpenMP construct
	inside   map[*cc.Declarator]bool         // declared within the parallel region
	why      map[*cc.Declarator]*Error       // what kept a variable from being followed
	ranges   []expr.Range                    // of the loop variables
	limits   []limit                         // of the loop variables
	holds    []*expr.Expr                    // the conditions around

	out  *[]nest.Node // list under construction
	stmt *nest.Stmt   // statement under construction
	live []*operand   // results of the statement that are not used yet
	once int          // first access of the ?: whose elements are read only once; -1 outside

	inlining map[*cc.FunctionDefinition]bool
	result   *result // where return puts its value; nil in the region's own function
	parallel int     // depth of parallel regions
	alone    int     // depth of parallel regions within parallel regions, which run on one thread
	work     bool    // in a worksharing loop
	loops    int     // depth of loops
	quiet    bool    // what is lowered is thrown away
	splits   int     // depth of conditions whose else is lowered twice
	hushed   bool    // the warning of a condition comes from its if
	nodes    int

	temporaries int
	root        *[]nest.Node // the region's own list
	notes       []note       // warnings
	warned      map[string]bool
	unstable    map[string]bool // names of structure members that called functions change
	current     *cc.FunctionDefinition
}

func newLowerer(s *source, fd *cc.FunctionDefinition) *lowerer {
	l := &lowerer{
		s: s, f: s.facts, fd: fd, prog: &nest.Program{}, ints: map[*cc.Declarator]*expr.Expr{},
		pointers: map[*cc.Declarator]place{}, members: map[member]place{}, fields: map[member]*expr.Expr{},
		objects: map[objectKey]*nest.Object{}, scalars: map[scalarKey]int{}, hidden: map[*cc.Declarator]*nest.Object{},
		inlining: map[*cc.FunctionDefinition]bool{}, warned: map[string]bool{}, unstable: map[string]bool{}, once: -1,
		inside: map[*cc.Declarator]bool{}, why: map[*cc.Declarator]*Error{},
	}
	l.out = new([]nest.Node)
	l.root, l.current = l.out, fd
	return l
}

// note is a warning and the number of top-level nodes before it.
type note struct {
	pos  nest.Pos
	text string
	top  int
}

// fail leaves the lowering.
func (l *lowerer) fail(n cc.Node, remedy, format string, args ...any) {
	panic(&Error{Pos: position(n), Message: fmt.Sprintf(format, args...), Remedy: remedy})
}

// trace is the remedy for what only a run can tell.
func (l *lowerer) trace() string { return traceRemedy }

// warn notes an assumption, once for each place.
func (l *lowerer) warn(n cc.Node, format string, args ...any) {
	l.warnAt(position(n), format, args...)
}

func (l *lowerer) warnAt(p nest.Pos, format string, args ...any) {
	w := fmt.Sprintf("%s:%d: %s", p.File, p.Line, fmt.Sprintf(format, args...))
	if l.quiet || l.warned[w] {
		return
	}
	l.warned[w] = true
	l.notes = append(l.notes, note{p, w, len(*l.root)})
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

// count keeps the size of the region within bounds.
func (l *lowerer) count(n int) {
	if l.nodes += n; l.nodes > maxNodes {
		panic(&Error{
			Pos: position(l.fd.Declarator), Message: fmt.Sprintf("more than %d statements after inlining", maxNodes),
			Remedy: l.trace(),
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
		l.stmt = &nest.Stmt{Pos: position(n)}
	}
	return l.stmt
}

// known is what the lowerer knows of variables at a point.
type known struct {
	ints     map[*cc.Declarator]*expr.Expr
	pointers map[*cc.Declarator]place
	members  map[member]place
	fields   map[member]*expr.Expr
}

func (l *lowerer) save() known {
	return known{maps.Clone(l.ints), maps.Clone(l.pointers), maps.Clone(l.members), maps.Clone(l.fields)}
}

func (l *lowerer) restore(k known) {
	l.ints, l.pointers, l.members, l.fields = k.ints, k.pointers, k.members, k.fields
}

// forget drops what is known of the variables that n may change.
func (l *lowerer) forget(n cc.Node) {
	for _, d := range l.f.changed(n) {
		l.drop(d)
	}
	each(n, func(n cc.Node) bool {
		if e := assignedMember(n); e != nil {
			l.dropMember(e)
		}
		if c, ok := n.(*cc.PostfixExpression); ok && c.Case == cc.PostfixExpressionCall {
			for _, name := range l.f.memberEffects(callee(c)) {
				l.unstable[name] = true
			}
		}
		return true
	})
}

func (l *lowerer) drop(d *cc.Declarator) {
	switch {
	case isInteger(d.Type()):
		l.ints[d] = nil
	case d.Type().Kind() == cc.Ptr:
		l.pointers[d] = place{}
	}
}

// attempt runs f and gives the error it left with.
func attempt(f func()) (err *Error) {
	defer catch(&err)
	f()
	return nil
}
