package csource

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// candidate is a function that may be a region.
type candidate struct {
	fd     *cc.FunctionDefinition
	name   string
	marked bool // has scop or OpenMP pragmas, or is a kernel_…
	reason string
}

// mostRegions is how many regions of a file are predicted at once: each is a prediction of its own, of some milliseconds.
const mostRegions = 1000

// regions lowers the functions that are regions into u.
func (s *source) regions(u *Unit, o Options) error {
	all := s.candidates(o)
	var failures []error
	known := map[string]bool{}
	for _, c := range all {
		if c.reason != "" {
			u.Skipped = append(u.Skipped, Skipped{c.name, position(c.fd.Declarator), c.reason})
			continue
		}
		if !asked(o, c.name) {
			known[c.name] = true
			continue
		}
		programs, err := s.region(c.fd, o)
		if err != nil {
			if failures = append(failures, err); c.marked {
				continue
			}
			u.Skipped = append(u.Skipped, Skipped{c.name, position(c.fd.Declarator), err.Error()})
			continue
		}
		if len(u.Programs) > mostRegions {
			return &Error{Pos: position(c.fd.Declarator), Message: fmt.Sprintf("the file has more than %d regions", mostRegions), Remedy: "name some of them"}
		}
		for _, p := range programs {
			known[p.Region] = true
			if wanted(o, p.Region) || wanted(o, c.name) {
				u.Programs = append(u.Programs, p)
			}
		}
		known[c.name] = true
	}
	u.Warnings = s.warnings
	return s.verdict(u, o, all, failures, known)
}

// verdict is the error of the whole: a region that was meant cannot be read, or there is none.
func (s *source) verdict(u *Unit, o Options, all []candidate, failures []error, known map[string]bool) error {
	var meant []error
	for _, err := range failures {
		if !slices.ContainsFunc(u.Skipped, func(k Skipped) bool { return k.Reason == err.Error() }) {
			meant = append(meant, err)
		}
	}
	if len(meant) > 0 {
		return errors.Join(meant[:min(len(meant), maxErrors)]...)
	}
	for _, r := range o.Regions {
		if !known[r] {
			return s.unknownRegion(r, all, known, failures)
		}
	}
	switch {
	case len(u.Programs) > 0:
		return nil
	case len(failures) > 0:
		return failures[0]
	}
	return &Error{Pos: s.at(), Message: "no function holds loops over arrays", Remedy: "give the file with the loops"}
}

func (s *source) unknownRegion(name string, all []candidate, known map[string]bool, failures []error) error {
	if len(failures) > 0 && slices.ContainsFunc(all, func(c candidate) bool { return c.name == name }) {
		return failures[0]
	}
	var names []string
	for n := range known {
		names = append(names, n)
	}
	if len(names) == 0 {
		for _, c := range all {
			names = append(names, c.name)
		}
	}
	slices.Sort(names)
	return &Error{Pos: s.at(), Message: "there is no region " + name, Remedy: "there are: " + strings.Join(names, ", ")}
}

func wanted(o Options, name string) bool {
	return len(o.Regions) == 0 || slices.Contains(o.Regions, name)
}

// asked tells whether a function, or a loop in it, is among the regions asked for; all are when none is named.
func asked(o Options, function string) bool {
	return len(o.Regions) == 0 || slices.ContainsFunc(o.Regions, func(r string) bool {
		return r == function || strings.HasPrefix(r, function+":")
	})
}

// candidates lists the functions of the file; those with a reason are no regions. Functions that are asked for
// by name always are.
func (s *source) candidates(o Options) []candidate {
	var all []candidate
	marks := false
	for _, fd := range s.facts.functions {
		c := candidate{fd: fd, name: fd.Declarator.Name(), marked: s.marked(fd)}
		marks = marks || c.marked
		all = append(all, c)
	}
	for i := range all {
		c := &all[i]
		switch {
		case len(o.Regions) > 0 && asked(o, c.name):
			c.marked = true
		case !s.hasWork(c.fd, c.marked, map[string]bool{}):
			c.reason = NoLoops
		case marks && !c.marked:
			c.reason = "other functions are marked by scop, OpenMP pragmas, or a name kernel_…"
		}
	}
	for i := range all {
		if c := &all[i]; c.reason == "" && !slices.Contains(o.Regions, c.name) {
			if by := s.inlinedBy(c, all); by != "" {
				c.reason = "it is part of " + by + ", which calls it in its loops"
			}
		}
	}
	return all
}

// marked tells whether the author marked a function as one to look at.
func (s *source) marked(fd *cc.FunctionDefinition) bool {
	if strings.HasPrefix(fd.Declarator.Name(), "kernel_") {
		return true
	}
	return slices.ContainsFunc(s.facts.inside[fd], func(p *pragma) bool {
		return p.kind != "omp" || len(p.words) > 0 && p.words[0] != "threadprivate" && p.words[0] != "declare"
	})
}

// hasWork tells whether a function holds loops over arrays, in itself or in what its loops call; deep: or in
// anything it calls.
func (s *source) hasWork(fd *cc.FunctionDefinition, deep bool, seen map[string]bool) bool {
	found := false
	each(fd.CompoundStatement, func(n cc.Node) bool {
		if x, ok := n.(*cc.Statement); ok && x.Case == cc.StatementIteration {
			found = found || s.touchesArrays(x, map[string]bool{})
			return false
		}
		if x, ok := n.(*cc.PostfixExpression); ok && deep && x.Case == cc.PostfixExpressionCall {
			name := callee(x)
			if fd := s.facts.byName[name]; fd != nil && !seen[name] {
				seen[name] = true
				found = found || s.hasWork(fd, true, seen)
			}
		}
		return !found
	})
	return found
}

// touchesArrays tells whether a statement subscripts something, or calls a function that does.
func (s *source) touchesArrays(n cc.Node, seen map[string]bool) bool {
	found := false
	each(n, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.PostfixExpression:
			switch x.Case {
			case cc.PostfixExpressionIndex, cc.PostfixExpressionPSelect:
				found = true
			case cc.PostfixExpressionCall:
				found = found || s.callTouchesArrays(x, seen)
			}
		case *cc.UnaryExpression:
			found = found || x.Case == cc.UnaryExpressionDeref
		}
		return !found
	})
	return found
}

func (s *source) callTouchesArrays(x *cc.PostfixExpression, seen map[string]bool) bool {
	name := callee(x)
	if seen[name] || ignored[name] {
		return false
	}
	seen[name] = true
	if fd := s.facts.byName[name]; fd != nil {
		return s.touchesArrays(fd.CompoundStatement, seen)
	}
	return slices.ContainsFunc(arguments(x), func(e cc.ExpressionNode) bool {
		p, ok := strip(e).(*cc.PrimaryExpression)
		return isPointer(e.Type()) && !(ok && p.Case == cc.PrimaryExpressionString)
	})
}

// inlinedBy names the region in whose loops a function is called, when it is called from nowhere else.
func (s *source) inlinedBy(c *candidate, all []candidate) string {
	calls := s.facts.calls[c.name]
	by := ""
	for _, call := range calls {
		i := slices.IndexFunc(all, func(o candidate) bool { return o.fd == call.from })
		if i < 0 || all[i].reason != "" || !call.inLoop || call.from == c.fd {
			return ""
		}
		by = all[i].name
	}
	return by
}

// region lowers one function.
func (s *source) region(fd *cc.FunctionDefinition, o Options) (programs []*nest.Program, err error) {
	l := newLowerer(s, fd)
	if e := attempt(func() {
		l.bindParameters(fd)
		l.body(fd)
		l.checkBounds()
	}); e != nil {
		return nil, e
	}
	name := fd.Declarator.Name()
	pos := position(fd.Declarator)
	if o.By == ByFunction {
		if !hasAccess(*l.out) {
			return nil, &Error{Pos: pos, Message: name + " makes no accesses to arrays in loops", Remedy: "choose another region"}
		}
		return []*nest.Program{l.extract(name, pos, *l.out, l.warnings(-1))}, nil
	}
	for i, n := range *l.out {
		p, ok := placeOf(n)
		if !ok || !hasAccess([]nest.Node{n}) {
			continue
		}
		region := fmt.Sprintf("%s:%d", name, p.Line)
		programs = append(programs, l.extract(region, p, []nest.Node{n}, l.warnings(i)))
	}
	if len(programs) == 0 {
		return nil, &Error{Pos: pos, Message: name + " holds no loops over arrays", Remedy: "choose another region"}
	}
	return programs, nil
}

// placeOf is where a loop nest or parallel region begins.
func placeOf(n nest.Node) (nest.Pos, bool) {
	switch n := n.(type) {
	case *nest.Loop:
		return n.Pos, true
	case *nest.Parallel:
		return n.Pos, true
	case *nest.If:
		loops := false
		nest.Walk([]nest.Node{n}, func(n nest.Node) {
			if _, ok := n.(*nest.Loop); ok {
				loops = true
			}
		})
		return n.Pos, loops
	}
	return nest.Pos{}, false
}

func hasAccess(nodes []nest.Node) bool {
	found := false
	nest.Walk(nodes, func(n nest.Node) {
		if s, ok := n.(*nest.Stmt); ok && len(s.Accesses) > 0 {
			found = true
		}
	})
	return found
}

// body lowers a function, or only what lies between its scop marks.
func (l *lowerer) body(fd *cc.FunctionDefinition) {
	scop := slices.ContainsFunc(l.f.inside[fd], func(p *pragma) bool { return p.kind == "scop" })
	if !scop {
		l.block(items(fd.CompoundStatement), fd.CompoundStatement, true)
		l.flush()
		return
	}
	l.scop(fd.CompoundStatement, false)
	l.flush()
}
