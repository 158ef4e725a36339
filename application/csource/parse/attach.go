package parse

import (
	"cmp"
	"slices"

	"foresee/application/csource/tree"
	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// anchor is something in a function that a pragma may stand before.
type anchor struct {
	node         cc.Node // *cc.Statement, *cc.Declaration, or the *cc.CompoundStatement that ends here
	file         string
	line, column int
}

// attach ties every pragma to what follows it: the first statement, declaration or closing brace that begins on
// a later line of the same file.
func (f *Facts) attach(s *Source) {
	for _, fd := range f.Functions {
		first := fd.CompoundStatement.Token.Position()
		last := fd.CompoundStatement.Token2.Position()
		var anchors []anchor
		for _, p := range s.pragmas {
			if p.Pos.File != first.Filename || p.Pos.Line < first.Line || p.Pos.Line >= last.Line {
				continue
			}
			if anchors == nil {
				anchors = anchorsOf(fd)
			}
			f.Inside[fd] = append(f.Inside[fd], p)
			for _, a := range anchors {
				if a.file == p.Pos.File && a.line > p.Pos.Line {
					f.Before[a.node] = append(f.Before[a.node], p)
					break
				}
			}
		}
	}
	f.threadprivate(s)
}

// anchorsOf lists the anchors of a function by line, outer ones first.
func anchorsOf(fd *cc.FunctionDefinition) []anchor {
	var all []anchor
	add := func(n cc.Node, p nest.Pos) {
		all = append(all, anchor{n, p.File, p.Line, p.Column})
	}
	tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.Statement, *cc.Declaration:
			add(x, Position(x))
		case *cc.CompoundStatement:
			add(x, Position(x.Token2))
		}
		return true
	})
	slices.SortStableFunc(all, func(a, b anchor) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
	})
	return all
}

// threadprivate marks the variables of omp threadprivate.
func (f *Facts) threadprivate(s *Source) {
	for _, p := range s.pragmas {
		if !p.Is("threadprivate") {
			continue
		}
		for _, name := range p.Names("") {
			for _, n := range s.AST.Scope.Nodes[name] {
				if d, ok := n.(*cc.Declarator); ok {
					f.Private[d] = true
				}
			}
		}
	}
}
