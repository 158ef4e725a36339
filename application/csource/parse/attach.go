package parse

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

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
		f.attachHeld(fd)
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

// attachHeld ties the pragmas that macros made to what follows each in its block, and takes what held them out.
func (f *Facts) attachHeld(fd *cc.FunctionDefinition) {
	tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
		block, ok := n.(*cc.CompoundStatement)
		if !ok {
			return true
		}
		var waiting []*Pragma
		for at := &block.BlockItemList; *at != nil; {
			item := (*at).BlockItem
			if p, held := heldPragma(item.Declaration); held {
				if p != nil {
					waiting = append(waiting, p)
				}
				*at = (*at).BlockItemList
				continue
			}
			var node cc.Node = item.Statement
			if item.Declaration != nil {
				node = item.Declaration
			}
			f.hold(fd, node, waiting)
			waiting = nil
			at = &(*at).BlockItemList
		}
		f.hold(fd, block, waiting)
		return true
	})
}

// hold ties pragmas to a node of a function.
func (f *Facts) hold(fd *cc.FunctionDefinition, n cc.Node, pragmas []*Pragma) {
	if len(pragmas) > 0 {
		f.Inside[fd] = append(f.Inside[fd], pragmas...)
		f.Before[n] = append(f.Before[n], pragmas...)
	}
}

// heldPragma is the pragma that a declaration made by pragmaHolder holds, nil of one that does not matter; false of other declarations.
func heldPragma(d *cc.Declaration) (p *Pragma, held bool) {
	if d == nil || d.Case != cc.DeclarationAssert {
		return nil, false
	}
	text, err := strconv.Unquote(d.StaticAssertDeclaration.Token4.SrcStr())
	rest, held := strings.CutPrefix(text, holderMark)
	if err != nil || !held {
		return nil, false
	}
	return newPragma(Position(d), wordsIn(rest)), true
}

// threadprivate marks the variables of omp threadprivate.
func (f *Facts) threadprivate(s *Source) {
	all := slices.Clone(s.pragmas)
	for t := s.AST.TranslationUnit; t != nil; t = t.TranslationUnit {
		if e := t.ExternalDeclaration; e != nil && e.Case == cc.ExternalDeclarationDecl {
			if p, _ := heldPragma(e.Declaration); p != nil {
				all = append(all, p)
			}
		}
	}
	for _, p := range all {
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
