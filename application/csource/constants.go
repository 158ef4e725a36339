package csource

import (
	"errors"

	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

var errNotConstant = errors.New("not a constant")

// maxConstantDepth bounds how far a value is followed through variables and calls.
const maxConstantDepth = 12

// warner notes an assumption.
type warner func(n cc.Node, format string, args ...any)

// constantOf is the value that an integer variable or parameter has throughout the program: from a definition of the caller, from its
// only assignment, or from the arguments of the calls.
func (s *source) constantOf(d *cc.Declarator, warn warner, depth int) (int64, error) {
	if d.IsParam() && len(s.facts.assigned[d]) > 0 {
		return 0, errNotConstant // its value on entry is not that everywhere
	}
	if v, ok := s.values[d.Name()]; ok {
		s.contradictions(d, v, warn, depth)
		return v, nil
	}
	if depth > maxConstantDepth || s.facts.escapes[d] {
		return 0, errNotConstant
	}
	if s.busy[d] {
		return 0, errNotConstant
	}
	s.busy[d] = true
	defer delete(s.busy, d)
	all := s.facts.assigned[d]
	switch {
	case d.IsParam() && len(all) == 0:
		return s.argumentOf(d, warn, depth)
	case d.IsParam() || len(all) != 1 || all[0].value == nil:
		return 0, errNotConstant
	}
	return s.evaluate(all[0].value, warn, depth)
}

// contradictionsOnEntry warns where a call passes another constant than a definition of the caller gives.
func (s *source) contradictionsOnEntry(d *cc.Declarator, v int64, warn warner) {
	fd, i := s.parameter(d)
	if fd == nil {
		return
	}
	for _, c := range s.facts.calls[fd.Declarator.Name()] {
		if args := arguments(c.node); i < len(args) {
			if x, err := s.evaluate(args[i], warn, 0); err == nil && x != v {
				warn(args[i], "%s is called with %s = %d here; the definition %s=%d is taken instead", fd.Declarator.Name(), d.Name(), x, d.Name(), v)
				return
			}
		}
	}
}

// contradictions warns where the program gives a variable another constant than a definition of the caller does.
func (s *source) contradictions(d *cc.Declarator, v int64, warn warner, depth int) {
	if depth > maxConstantDepth || s.busy[d] {
		return
	}
	s.busy[d] = true
	defer delete(s.busy, d)
	for _, a := range s.facts.assigned[d] {
		if a.value == nil {
			continue
		}
		if x, err := s.evaluate(a.value, warn, depth+1); err == nil && x != v {
			warn(a.value, "%s is set to %d here; the definition %s=%d is taken instead", d.Name(), x, d.Name(), v)
			return
		}
	}
}

// evaluate is the value of an expression that does not depend on when it is evaluated.
func (s *source) evaluate(e cc.ExpressionNode, warn warner, depth int) (int64, error) {
	l := newLowerer(s, nil)
	each(e, func(n cc.Node) bool {
		x, ok := n.(cc.ExpressionNode)
		if !ok {
			return true
		}
		if d := variable(x); d != nil && isInteger(d.Type()) {
			if _, done := l.ints[d]; !done {
				l.ints[d] = nil
				if v, err := s.constantOf(d, warn, depth+1); err == nil {
					l.ints[d] = expr.Int(v)
				}
			}
		}
		return true
	})
	x, err := l.tryInt(e)
	if err != nil || x.Op != expr.OpConst {
		return 0, errNotConstant
	}
	return x.K, nil
}

// argumentOf is what the calls pass for a parameter, when they agree. A main without known arguments is run
// with none.
func (s *source) argumentOf(d *cc.Declarator, warn warner, depth int) (int64, error) {
	fd, i := s.parameter(d)
	if fd == nil {
		return 0, errNotConstant
	}
	if fd.Declarator.Name() == "main" && i == 0 {
		warn(d, "the program is taken as run without arguments (%s = 1)", d.Name())
		return 1, nil
	}
	known, first := false, int64(0)
	for _, c := range s.facts.calls[fd.Declarator.Name()] {
		args := arguments(c.node)
		if i >= len(args) {
			return 0, errNotConstant
		}
		v, err := s.evaluate(args[i], warn, depth)
		switch {
		case err != nil:
			return 0, err
		case known && v != first:
			warn(d, "%s is called with different %s; the first, %d, is taken", fd.Declarator.Name(), d.Name(), first)
		case !known:
			known, first = true, v
		}
	}
	if !known {
		return 0, errNotConstant
	}
	return first, nil
}

// parameter finds the function of a parameter, and its number.
func (s *source) parameter(d *cc.Declarator) (*cc.FunctionDefinition, int) {
	for _, fd := range s.facts.functions {
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
