package parse

import (
	"foresee/application/csource/tree"

	"modernc.org/cc/v4"
)

// unwrap puts S in the place of do S while (0), as macros write it that are to stand for one statement: it is no loop, and return in it leaves none. What
// breaks or continues stays in it.
func unwrap(fd *cc.FunctionDefinition) {
	tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
		s, ok := n.(*cc.Statement)
		for ok && s.Case == cc.StatementIteration {
			it := s.IterationStatement
			if it.Case != cc.IterationStatementDo || OwnJump(it.Statement) || tree.HasEffects(it.ExpressionList) {
				break
			}
			if k, known := IntegerValue(it.ExpressionList.Value()); !known || k != 0 {
				break
			}
			*s = *it.Statement
		}
		return true
	})
}

// OwnJump tells whether a break or continue in the body of a loop may be its own.
func OwnJump(s *cc.Statement) bool {
	found := false
	tree.Each(s, func(n cc.Node) bool {
		x, ok := n.(*cc.Statement)
		if ok && x.Case == cc.StatementJump {
			found = found || x.JumpStatement.Case == cc.JumpStatementBreak || x.JumpStatement.Case == cc.JumpStatementContinue
		}
		return !found && (!ok || x.Case != cc.StatementIteration)
	})
	return found
}
