package lower

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"foresee/application/csource/hoist"
	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// candidate is a function that may be a region.
type candidate struct {
	fd     *cc.FunctionDefinition
	name   string
	marked bool   // has scop or OpenMP pragmas, or is a kernel_…
	reason string // why it is no region; "": it is one
	partOf string // the region that it is only a part of

	tried    bool
	programs []*nest.Program
	err      error
}

// Choice says what becomes a region, and which of them are wanted.
type Choice struct {
	By      By
	Regions []string // only these; empty: all

	AsWritten bool // pointers are loaded wherever the text reads them

	variables func() []nest.Given // of the file, for functions that are entered by themselves
}

// registers keeps pointers in registers where they stay the same.
func (o *Choice) registers(nodes []nest.Node) []nest.Node {
	if o.AsWritten {
		return nodes
	}
	return hoist.Pointers(nodes)
}

// By says what becomes a region.
type By int

// ByFunction makes a region of each function that holds loops over arrays; ByLoop one of each outermost loop nest or OpenMP parallel
// region, named function:line.
const (
	ByFunction By = iota
	ByLoop
)

// Unit is what a source file holds.
type Unit struct {
	Programs  []*nest.Program // in source order
	Skipped   []Skipped       // functions that are no region
	Overrides []string        // definitions that are taken instead of those of the files
	Warnings  []string        // those of the file; those of a region are in its Program
	Macros    []string        // definitions of the caller that a compiler takes as well; the others are values of variables
}

// Skipped is a function that was left out, and why.
type Skipped struct {
	Function string
	Pos      nest.Pos
	Reason   string
	Refused  bool     // it cannot be read, rather than not being wanted
	Lacks    []string // definitions, such as n=1000, of what it is not read without
}

// NoLoops is the reason why most functions are no region.
const NoLoops = "it holds no loops over arrays"

// mostRegions is how many regions of a file are predicted at once: each is a prediction of its own, of some milliseconds.
const mostRegions = 1000

// Regions lowers the functions that are regions into u. What is only part of a region that cannot be read is one by itself.
func Regions(s *parse.Source, u *Unit, o Choice) error {
	all := candidatesOf(s, o)
	o.variables = sync.OnceValue(func() []nest.Given { return variablesOf(s) })
	regions := 0
	for again := true; again; {
		again = false
		for i := range all {
			c := &all[i]
			if c.reason != "" || c.tried || !asked(o, c.name) {
				continue
			}
			s.Region = c.fd
			c.programs, c.err = lowerFunction(s, c.fd, o)
			c.tried = true
			if regions += len(c.programs); regions > mostRegions {
				return &parse.Error{Pos: parse.Position(c.fd.Declarator), Message: fmt.Sprintf("the file has more than %d regions", mostRegions), Remedy: "name some of them"}
			}
			if c.err == nil {
				continue
			}
			for j := range all {
				if x := &all[j]; x.partOf == c.name && x.reason != "" {
					x.reason, again = "", true
				}
			}
		}
	}
	var failures []failure
	known := map[string]bool{}
	for _, c := range all {
		at := parse.Position(c.fd.Declarator)
		switch {
		case c.reason != "":
			u.Skipped = append(u.Skipped, Skipped{Function: c.name, Pos: at, Reason: c.reason})
			continue
		case c.err != nil:
			failures = append(failures, failure{c, c.err})
			u.Skipped = append(u.Skipped, Skipped{c.name, at, c.err.Error(), true, parse.Lacking(c.err)})
			continue
		}
		for _, p := range c.programs {
			known[p.Region] = true
			if wanted(o, p.Region) || wanted(o, c.name) {
				u.Programs = append(u.Programs, p)
			}
		}
		known[c.name] = true
	}
	u.Warnings = s.Warnings
	if said := s.Alone(); said != "" {
		u.Warnings = append(slices.Clone(u.Warnings), said)
	}
	return verdict(s, u, o, all, failures, known)
}

// failure is a function that was to be a region and cannot be read.
type failure struct {
	candidate
	err error
}

// verdict is the error of the whole: a region that was asked for cannot be read, or there is none, or none of those that do the file's work.
func verdict(s *parse.Source, u *Unit, o Choice, all []candidate, failures []failure, known map[string]bool) error {
	var errs []error
	for _, f := range failures {
		errs = append(errs, each(f.err)...)
	}
	errs = distinct(errs) // of functions that call the same one
	refused := errors.Join(errs[:min(len(errs), parse.MaxErrors)]...)
	if len(o.Regions) > 0 && len(failures) > 0 {
		return refused
	}
	for _, r := range o.Regions {
		if !known[r] {
			return unknownRegion(s, r, all, known)
		}
	}
	switch {
	case len(u.Programs) > 0 && (len(failures) == 0 || worksIn(s, u.Programs, failures)):
		return nil
	case len(failures) > 0:
		return refused
	}
	return &parse.Error{Pos: s.At(), Message: "no function holds loops over arrays", Remedy: "give the file with the loops, or, where functions that call themselves or jumps (goto) repeat the work, " + parse.TraceRemedy}
}

// aside matches names of functions that prepare, check or print what others work on.
var aside = regexp.MustCompile(`(?i)^(main|usage)$|^_?(init|print|alloc|free|check|verif|dump|read|write|load|save|setup|set_|fill|rand|clear|reset|destroy|create|output|input|show|report|validate|test_)|(_init|_print|_check|_alloc|_free|_setup|_verify)$`)

// worksIn tells whether a region that was read may be what the file is about: all that was refused is aside, or something that was read is not.
func worksIn(s *parse.Source, read []*nest.Program, refused []failure) bool {
	work := func(name string) bool { return !Aside(FunctionOf(name)) }
	return slices.ContainsFunc(read, func(p *nest.Program) bool { return work(p.Region) || holdsWork(s, p) }) ||
		!slices.ContainsFunc(refused, func(f failure) bool { return work(f.name) })
}

// holdsWork tells whether loops of a function that is not aside are part of a region.
func holdsWork(s *parse.Source, p *nest.Program) bool {
	found := false
	nest.Walk(p.Body, func(n nest.Node) {
		l, ok := n.(*nest.Loop)
		found = found || ok && slices.ContainsFunc(s.Facts.Functions, func(fd *cc.FunctionDefinition) bool {
			begin, end := parse.Position(fd.CompoundStatement), parse.PositionOf(&fd.CompoundStatement.Token2)
			return !Aside(fd.Declarator.Name()) && l.Pos.File == begin.File && begin.Line <= l.Pos.Line && l.Pos.Line <= end.Line
		})
	})
	return found
}

// Aside tells functions that prepare, check or print what others work on, and main, by their names.
func Aside(name string) bool { return aside.MatchString(name) }

// FunctionOf is the function that a region is, or stands in.
func FunctionOf(region string) string {
	function, _, _ := strings.Cut(region, ":")
	return function
}

// unknownRegion is the error of a region that was asked for and is not there: which regions there are.
func unknownRegion(s *parse.Source, name string, all []candidate, known map[string]bool) error {
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
	return &parse.Error{Pos: s.At(), Message: "there is no region " + name, Remedy: "there are: " + strings.Join(names, ", ")}
}

func wanted(o Choice, name string) bool {
	return len(o.Regions) == 0 || slices.Contains(o.Regions, name)
}

// asked tells whether a function, or a loop in it, is among the regions asked for; all are when none is named.
func asked(o Choice, function string) bool {
	return len(o.Regions) == 0 || slices.ContainsFunc(o.Regions, func(r string) bool {
		return r == function || strings.HasPrefix(r, function+":")
	})
}

// candidatesOf lists the functions of the file; those with a reason are no regions. Functions that are asked for
// by name always are.
func candidatesOf(s *parse.Source, o Choice) []candidate {
	var all []candidate
	marks, explicit := false, false
	for _, fd := range s.Facts.Functions {
		if parse.InVectorHeader(fd.Declarator) {
			continue
		}
		c := candidate{fd: fd, name: fd.Declarator.Name(), marked: hasMarks(s, fd)}
		marks, explicit = marks || c.marked, explicit || chosen(s, fd)
		all = append(all, c)
	}
	for i := range all {
		c := &all[i]
		switch {
		case len(o.Regions) > 0 && asked(o, c.name):
			c.marked = true
		case !hasWork(s, c.fd, c.marked, map[string]bool{}):
			c.reason = NoLoops
		case marks && !c.marked && s.Told == nil: // a run tells how much the others matter
			by := calledByMarked(s, c.fd, all, map[*cc.FunctionDefinition]bool{})
			if explicit || Aside(c.name) || by != "" {
				c.reason = "other functions are marked by scop, OpenMP pragmas, or a name kernel_…"
			}
			if !explicit && !Aside(c.name) {
				c.partOf = by
			}
		}
	}
	for i := range all {
		if c := &all[i]; c.reason == "" && !slices.Contains(o.Regions, c.name) {
			if by := inlinedBy(s, c, all); by != "" {
				c.reason, c.partOf = "it is part of "+by+", which calls it in its loops", by
			}
		}
	}
	return all
}

// chosen tells whether the author says by a name kernel_… or scop pragmas that a function, and no other one, is to be looked at. Pragmas of OpenMP say less: what stands
// beside them is serial, and may be most of the work.
func chosen(s *parse.Source, fd *cc.FunctionDefinition) bool {
	return strings.HasPrefix(fd.Declarator.Name(), "kernel_") || slices.ContainsFunc(s.Facts.Inside[fd], func(p *parse.Pragma) bool { return p.Kind != "omp" })
}

// calledByMarked names a function that is marked and calls another one, which is a part of it then; "" where there is none. seen ends recursion.
func calledByMarked(s *parse.Source, fd *cc.FunctionDefinition, all []candidate, seen map[*cc.FunctionDefinition]bool) string {
	if seen[fd] {
		return ""
	}
	seen[fd] = true
	for _, call := range s.Facts.Calls[fd.Declarator.Name()] {
		i := slices.IndexFunc(all, func(c candidate) bool { return c.fd == call.From })
		if i < 0 {
			continue
		}
		if all[i].marked && all[i].name != "main" {
			return all[i].name
		}
		if by := calledByMarked(s, call.From, all, seen); by != "" {
			return by
		}
	}
	return ""
}

// hasMarks tells whether the author marked a function as one to look at.
func hasMarks(s *parse.Source, fd *cc.FunctionDefinition) bool {
	if strings.HasPrefix(fd.Declarator.Name(), "kernel_") {
		return true
	}
	return slices.ContainsFunc(s.Facts.Inside[fd], func(p *parse.Pragma) bool {
		return p.Kind != "omp" || len(p.Words) > 0 && p.Words[0] != "threadprivate" && p.Words[0] != "declare"
	})
}

// hasWork tells whether a function holds loops over arrays, in itself or in what its loops call; deep: or in
// anything it calls.
func hasWork(s *parse.Source, fd *cc.FunctionDefinition, deep bool, seen map[string]bool) bool {
	found := false
	tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
		if x, ok := n.(*cc.Statement); ok && x.Case == cc.StatementIteration {
			found = found || touchesArrays(s, x, map[string]bool{})
			return false
		}
		if x, ok := n.(*cc.PostfixExpression); ok && deep && x.Case == cc.PostfixExpressionCall {
			name := tree.Callee(x)
			if fd := s.Facts.ByName[name]; fd != nil && !seen[name] {
				seen[name] = true
				found = found || hasWork(s, fd, true, seen)
			}
		}
		return !found
	})
	return found
}

// touchesArrays tells whether a statement subscripts something, or calls a function that does.
func touchesArrays(s *parse.Source, n cc.Node, seen map[string]bool) bool {
	found := false
	tree.Each(n, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.PostfixExpression:
			switch x.Case {
			case cc.PostfixExpressionIndex, cc.PostfixExpressionPSelect:
				found = true
			case cc.PostfixExpressionCall:
				found = found || callTouchesArrays(s, x, seen)
			}
		case *cc.UnaryExpression:
			found = found || x.Case == cc.UnaryExpressionDeref
		}
		return !found
	})
	return found
}

// callTouchesArrays says whether a call, or what it calls in turn, reads or writes arrays. seen ends recursion.
func callTouchesArrays(s *parse.Source, x *cc.PostfixExpression, seen map[string]bool) bool {
	name := tree.Callee(x)
	if seen[name] || ignored[name] {
		return false
	}
	seen[name] = true
	if fd := s.Facts.ByName[name]; fd != nil {
		return touchesArrays(s, fd.CompoundStatement, seen)
	}
	return slices.ContainsFunc(tree.Arguments(x), func(e cc.ExpressionNode) bool {
		p, ok := tree.Strip(e).(*cc.PrimaryExpression)
		return tree.IsPointer(e.Type()) && !(ok && p.Case == cc.PrimaryExpressionString)
	})
}

// inlinedBy names the region in whose loops a function is called, when it is called from nowhere else.
func inlinedBy(s *parse.Source, c *candidate, all []candidate) string {
	calls := s.Facts.Calls[c.name]
	by := ""
	for _, call := range calls {
		i := slices.IndexFunc(all, func(o candidate) bool { return o.fd == call.From })
		if i < 0 || all[i].reason != "" || !call.InLoop || call.From == c.fd || s.Told != nil && all[i].name == "main" {
			return "" // a run tells how often main calls it, with which values
		}
		by = all[i].name
	}
	return by
}

// mostInTurn bounds the places of a function for which it is lowered again, and spentInTurn how many statements that may take each time. Chosen.
const (
	mostInTurn  = 16
	spentInTurn = maxFollowed / 4
)

// lowerFunction lowers one function. Where small arrays with elements that data choose keep parts of it from being read, their elements are taken in turn.
func lowerFunction(s *parse.Source, fd *cc.FunctionDefinition, o Choice) (programs []*nest.Program, err error) {
	l, e := lowered(s, fd, nil)
	inTurn := map[nest.Pos]bool{}
	for again, why := l, e; len(inTurn) <= mostInTurn && !s.Guessing && *again.spent < spentInTurn; {
		before := len(inTurn)
		for _, at := range again.lacking(why) {
			inTurn[at] = true
		}
		if len(inTurn) == before {
			break
		}
		if again, why = lowered(s, fd, maps.Clone(inTurn)); again.usedInTurn && why == nil {
			l, e = again, nil
		}
	}
	if e != nil {
		return nil, e
	}
	if err := l.unread(); err != nil {
		return nil, err
	}
	if l.prog.Alone != nil {
		l.prog.Alone.Variables = o.variables()
	}
	name := fd.Declarator.Name()
	pos, entry, exit := parse.Position(fd.Declarator), parse.Position(fd.CompoundStatement), parse.PositionOf(&fd.CompoundStatement.Token2)
	if o.By == ByFunction {
		if !hasAccess(*l.out) {
			return nil, &parse.Error{Pos: pos, Message: name + " makes no accesses to arrays in loops", Remedy: "choose another region"}
		}
		p := l.extract(name, pos, o.registers(*l.out), l.warnings(-1))
		p.Left = l.leftOut(-1)
		p.Entry, p.Exit = entry, exit
		return []*nest.Program{p}, nil
	}
	var names nest.Regions
	for i, n := range *l.out {
		p, ok := placeOf(n)
		if !ok || !hasAccess([]nest.Node{n}) {
			continue
		}
		x := l.extract(names.At(name, p.Line), p, o.registers([]nest.Node{n}), l.warnings(i))
		x.Entry, x.Exit, x.Left = entry, exit, l.leftOut(i)
		programs = append(programs, x)
	}
	if len(programs) == 0 {
		return nil, &parse.Error{Pos: pos, Message: name + " holds no loops over arrays", Remedy: "choose another region"}
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

// hasAccess says whether there is an access in some nodes.
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
	scop := slices.ContainsFunc(l.Facts.Inside[fd], func(p *parse.Pragma) bool { return p.Kind == "scop" })
	if !scop {
		l.block(tree.Items(fd.CompoundStatement), fd.CompoundStatement, true)
		l.flush()
		return
	}
	l.scop(fd.CompoundStatement, false)
	l.flush()
}
