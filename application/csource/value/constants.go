package value

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

var errNotConstant = errors.New("not a constant")

// maxConstantDepth bounds how far a value is followed through variables and calls.
const maxConstantDepth = 12

// warner notes an assumption.
type warner func(n cc.Node, format string, args ...any)

// ConstantOf is the value that an integer variable or parameter has throughout the program: from a definition of the caller, from its
// only assignment, or from the arguments of the calls.
func ConstantOf(s *parse.Source, d *cc.Declarator, warn warner, depth int) (int64, error) {
	if d.IsParam() && len(s.Facts.Assigned[d]) > 0 {
		return 0, errNotConstant // its value on entry is not that everywhere
	}
	if v, ok := s.Defined[d.Name()]; ok {
		contradictions(s, d, v, warn, depth)
		return v, nil
	}
	if depth > maxConstantDepth || s.Facts.Escapes[d] {
		return 0, errNotConstant
	}
	if s.Busy[d] {
		return 0, errNotConstant
	}
	s.Busy[d] = true
	defer delete(s.Busy, d)
	all := s.Facts.Assigned[d]
	switch {
	case d.IsParam() && len(all) == 0:
		return ArgumentOf(s, d, warn, depth)
	case d.IsParam(), asksItself(d, all):
		return 0, errNotConstant
	case s.Facts.Given[d] == "" && setTooLate(s, d, all):
		return 0, nil
	}
	return constantAmong(s, d.Name(), all, s.Facts.Given[d], warn, depth)
}

// asksItself tells whether a function decides something by a variable before it sets it: then what it was before matters, as of a flag that something
// was done.
func asksItself(d *cc.Declarator, all []parse.Assignment) bool {
	if d.StorageDuration() != cc.Static {
		return false
	}
	for _, a := range all {
		if a.From == nil || a.Value == nil {
			continue
		}
		set := parse.Position(a.Value)
		found := false
		tree.Each(a.From.CompoundStatement, func(n cc.Node) bool {
			s, ok := n.(*cc.Statement)
			if ok && s.Case == cc.StatementSelection && parse.Position(s).Line <= set.Line {
				found = found || tree.Mentions(s.SelectionStatement.ExpressionList, d)
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// constantAmong is the value that all assignments agree on. What is read before the run or comes with the arguments of the program may set another:
// that is warned of.
func constantAmong(s *parse.Source, name string, all []parse.Assignment, given string, warn warner, depth int) (int64, error) {
	var value int64
	var known, input cc.ExpressionNode
	for _, a := range all {
		if a.Value == nil {
			return 0, errNotConstant
		}
		v, err := evaluate(s, a.Value, warn, depth)
		switch {
		case err != nil && OfInput(s, a.Value):
			input = a.Value
		case err != nil || known != nil && v != value:
			return 0, errNotConstant
		default:
			value, known = v, a.Value
		}
	}
	switch {
	case known == nil, s.Told != nil && (given != "" || input != nil):
		return 0, errNotConstant
	case given != "":
		warn(known, takenAs+"%s may set it", name, value, given)
	case input != nil:
		warn(known, takenAs+"%s may be another", name, value, tree.Text(input))
	}
	return value, nil
}

// What warnings say of a value that may be another one in a run.
const (
	takenAs    = "%s is taken as %d, as set here, though "
	takenFirst = " is called with different %s; the first, %d, is taken"
)

var (
	saysTakenAs    = regexp.MustCompile(strings.NewReplacer("%s", `([A-Za-z_]\w*)`, "%d", `(-?\d+)`).Replace(`^\S+:\d+: ` + takenAs))
	saysTakenFirst = regexp.MustCompile(strings.NewReplacer("%s", `([A-Za-z_]\w*)`, "%d", `(-?\d+)`).Replace(takenFirst + `$`))
)

// Assumption is the variable and its value that a warning says is taken, though a run may have another.
func Assumption(warning string) (name, value string, ok bool) {
	for _, says := range []*regexp.Regexp{saysTakenAs, saysTakenFirst} {
		if m := says.FindStringSubmatch(warning); m != nil {
			return m[1], m[2], true
		}
	}
	return "", "", false
}

// OfInput tells expressions that come from outside the program: of functions that are not defined here, or of the arguments of main.
func OfInput(s *parse.Source, e cc.ExpressionNode) bool {
	found := false
	tree.Each(e, func(n cc.Node) bool {
		if c, ok := n.(*cc.PostfixExpression); ok && c.Case == cc.PostfixExpressionCall {
			found = found || s.Facts.ByName[tree.Callee(c)] == nil
		}
		if x, ok := n.(cc.ExpressionNode); ok {
			if d := tree.Variable(x); d != nil && d.IsParam() {
				fd, _ := parameterOf(s, d)
				found = found || fd != nil && fd.Declarator.Name() == "main"
			}
		}
		return !found
	})
	return found
}

// elementOf is the value that an element of an array of integers has throughout the program.
func elementOf(s *parse.Source, d *cc.Declarator, offset int64, text string, warn warner) (int64, error) {
	e := s.Facts.Elements[d]
	switch {
	case e == nil || e.Other || !isConst(d) && ofStructures(d):
		return 0, errNotConstant
	case len(e.At[offset]) == 0 && len(e.At) > 0 && isConst(d):
		return 0, nil // what an initializer does not name
	case len(e.At[offset]) == 0:
		return 0, errNotConstant
	}
	return constantAmong(s, text, e.At[offset], e.Given, warn, 0)
}

// isConst tells whether the elements of an array never change.
func isConst(d *cc.Declarator) bool {
	t := innermost(d)
	return d.IsConst() || t.Attributes() != nil && t.Attributes().IsConst()
}

// ofStructures tells whether an array is one of structures.
func ofStructures(d *cc.Declarator) bool { return innermost(d).Kind() == cc.Struct }

// innermost is the type of what an array, also one of arrays, holds.
func innermost(d *cc.Declarator) cc.Type { return parse.Innermost(d.Type()) }

// ContradictionsOnEntry warns where a call passes another constant than a definition of the caller gives.
func ContradictionsOnEntry(s *parse.Source, d *cc.Declarator, v int64, warn warner) {
	fd, i := parameterOf(s, d)
	if fd == nil {
		return
	}
	for _, c := range s.Facts.Calls[fd.Declarator.Name()] {
		if args := tree.Arguments(c.Node); i < len(args) {
			if x, err := evaluate(s, args[i], warn, 0); err == nil && x != v {
				warn(args[i], "%s is called with %s = %d here; the definition %s=%d is taken instead", fd.Declarator.Name(), d.Name(), x, d.Name(), v)
				return
			}
		}
	}
}

// ofInputOr is the value, where ways meet of which not all set it, of a variable that the program sets from its input or to constants: what the caller
// defines, or else the one constant. An input alone is left to be asked for.
func (vs *Values) ofInputOr(n cc.Node, d *cc.Declarator) (x *expr.Expr, ask bool) {
	s := vs.Source
	if s.Told != nil || s.Busy[d] || s.Facts.Escapes[d] {
		return nil, false
	}
	s.Busy[d] = true
	defer delete(s.Busy, d)
	var constants []int64
	var input cc.ExpressionNode
	for _, a := range s.Facts.Assigned[d] {
		if a.Value == nil || tree.Mentions(a.Value, d) {
			return nil, false
		}
		v, err := evaluate(s, a.Value, vs.Warn, 1)
		switch {
		case err == nil:
			constants = append(constants, v)
		case OfInput(s, a.Value):
			input = a.Value
		default:
			return nil, false
		}
	}
	if input == nil {
		return nil, false
	}
	if v, given := s.Defined[d.Name()]; given {
		return expr.Int(v), false
	}
	if slices.Sort(constants); len(slices.Compact(constants)) == 1 {
		vs.Warn(n, takenAs+"%s may be another", d.Name(), constants[0], tree.Text(input))
		return expr.Int(constants[0]), false
	}
	return nil, true
}

// contradictions warns where the program gives a variable another constant than a definition of the caller does.
func contradictions(s *parse.Source, d *cc.Declarator, v int64, warn warner, depth int) {
	if depth > maxConstantDepth || s.Busy[d] {
		return
	}
	s.Busy[d] = true
	defer delete(s.Busy, d)
	for _, a := range s.Facts.Assigned[d] {
		if a.Value == nil {
			continue
		}
		if x, err := evaluate(s, a.Value, warn, depth+1); err == nil && x != v {
			warn(a.Value, "%s is set to %d here; the definition %s=%d is taken instead", d.Name(), x, d.Name(), v)
			return
		}
	}
}

// evaluate is the value of an expression that does not depend on when it is evaluated.
func evaluate(s *parse.Source, e cc.ExpressionNode, warn warner, depth int) (int64, error) {
	vs := New(s, nil)
	tree.Each(e, func(n cc.Node) bool {
		x, ok := n.(cc.ExpressionNode)
		if !ok {
			return true
		}
		if d := tree.Variable(x); d != nil && tree.IsInteger(d.Type()) {
			if _, done := vs.Ints.Get(d); !done {
				vs.Ints.Set(d, nil)
				if v, err := ConstantOf(s, d, warn, depth+1); err == nil {
					vs.Ints.Set(d, expr.Int(v))
				}
			}
		}
		return true
	})
	x, err := vs.TryInt(e)
	if err != nil || x.Op != expr.OpConst {
		return 0, errNotConstant
	}
	return x.K, nil
}

// ArgumentOf is what the calls pass for a parameter, when they agree. A main without known arguments is run
// with none.
func ArgumentOf(s *parse.Source, d *cc.Declarator, warn warner, depth int) (int64, error) {
	fd, i := parameterOf(s, d)
	if fd == nil {
		return 0, errNotConstant
	}
	if fd.Declarator.Name() == "main" && i == 0 {
		if s.Told != nil || needsArguments(fd, d) {
			return 0, errNotConstant
		}
		warn(d, "the program is taken as run without arguments (%s = 1)", d.Name())
		return 1, nil
	}
	known, first := false, int64(0)
	for _, c := range s.Facts.Calls[fd.Declarator.Name()] {
		args := tree.Arguments(c.Node)
		if i >= len(args) {
			return 0, errNotConstant
		}
		v, err := evaluate(s, args[i], warn, depth)
		switch {
		case err != nil:
			return 0, err
		case known && v != first && s.Told != nil:
			return 0, errNotConstant
		case known && v != first:
			warn(d, "%s"+takenFirst, fd.Declarator.Name(), d.Name(), first)
		case !known:
			known, first = true, v
		}
	}
	if !known {
		return 0, errNotConstant
	}
	return first, nil
}

// needsArguments tells whether a program looks at how many arguments it has and ends where they are not what it wants.
func needsArguments(fd *cc.FunctionDefinition, argc *cc.Declarator) bool {
	found := false
	tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
		s, ok := n.(*cc.Statement)
		if !ok || s.Case != cc.StatementSelection || s.SelectionStatement.Case == cc.SelectionStatementSwitch {
			return true
		}
		asks := false
		tree.Each(s.SelectionStatement.ExpressionList, func(n cc.Node) bool {
			x, ok := n.(cc.ExpressionNode)
			asks = asks || ok && tree.Variable(x) == argc
			return !asks
		})
		found = found || asks && (ends(s.SelectionStatement.Statement) || ends(s.SelectionStatement.Statement2))
		return !found
	})
	return found
}

// ends tells whether a statement ends the program or the function.
func ends(s *cc.Statement) bool {
	found := false
	if s == nil {
		return false
	}
	tree.Each(s, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.Statement:
			found = found || x.Case == cc.StatementJump && x.JumpStatement.Case == cc.JumpStatementReturn
		case *cc.PostfixExpression:
			name := ""
			if x.Case == cc.PostfixExpressionCall {
				name = tree.Callee(x)
			}
			found = found || name == "exit" || name == "abort" || name == "usage"
		}
		return !found
	})
	return found
}

// parameterOf finds the function of a parameter, and its number.
func parameterOf(s *parse.Source, d *cc.Declarator) (*cc.FunctionDefinition, int) {
	for _, fd := range s.Facts.Functions {
		if ft, ok := fd.Declarator.Type().(*cc.FunctionType); ok {
			for i, p := range ft.Parameters() {
				if p.Declarator == d {
					return fd, i
				}
			}
		}
	}
	return nil, 0
}
