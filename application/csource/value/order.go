package value

import (
	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// setTooLate tells whether main sets a global only after all of its calls that lead to the region: the region has what it began with, which is 0
// where all that is assigned is assigned by main. A loop that holds both a call and an assignment brings the value to the next call.
func setTooLate(s *parse.Source, d *cc.Declarator, all []parse.Assignment) bool {
	if s.Region == nil || s.Region.Declarator.Name() == "main" || d.StorageDuration() != cc.Static || len(all) == 0 {
		return false
	}
	main := s.Facts.ByName["main"]
	var first cc.ExpressionNode
	for _, a := range all {
		if main == nil || a.From != main || a.Value == nil {
			return false
		}
		if first == nil || earlier(parse.Position(a.Value), parse.Position(first)) {
			first = a.Value
		}
	}
	led := map[string]bool{}
	leading(s, s.Region.Declarator.Name(), led)
	calls := 0
	for name := range led {
		for _, c := range s.Facts.Calls[name] {
			if c.From != main {
				continue
			}
			if !earlier(parse.Position(c.Node), parse.Position(first)) || inOneLoop(main, c.Node, first) {
				return false
			}
			calls++
		}
	}
	return calls > 0
}

// leading gathers the functions that call a function, it included.
func leading(s *parse.Source, name string, found map[string]bool) {
	if found[name] {
		return
	}
	found[name] = true
	for _, c := range s.Facts.Calls[name] {
		if from := c.From.Declarator.Name(); from != "main" {
			leading(s, from, found)
		}
	}
}

func earlier(a, b nest.Pos) bool {
	return a.File == b.File && (a.Line < b.Line || a.Line == b.Line && a.Column < b.Column)
}

// inOneLoop tells whether a loop of a function holds both of two nodes; a jump backwards is taken for one that holds all.
func inOneLoop(fd *cc.FunctionDefinition, a, b cc.Node) bool {
	found := false
	tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
		switch s, ok := n.(*cc.Statement); {
		case !ok:
		case s.Case == cc.StatementIteration:
			found = found || holds(s, a) && holds(s, b)
		case s.Case == cc.StatementJump:
			found = found || s.JumpStatement.Case == cc.JumpStatementGoto
		}
		return !found
	})
	return found
}

// holds tells whether a node is in another.
func holds(whole, part cc.Node) bool {
	found := false
	tree.Each(whole, func(n cc.Node) bool {
		found = found || n == part
		return !found
	})
	return found
}
