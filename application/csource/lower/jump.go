package lower

import (
	"strings"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"

	"modernc.org/cc/v4"
)

// jump lowers return and continue where nothing follows them, and takes jumps that depend on data as not made: both what they skip and what they lead
// to is counted.
func (l *lowerer) jump(j *cc.JumpStatement, tail bool) {
	word := j.Token.SrcStr()
	inLoop := l.loopsHere() > 0
	switch {
	case j.Case == cc.JumpStatementReturn && tail && !inLoop:
		l.returns(j)
		return
	case j.Case == cc.JumpStatementContinue && tail && inLoop:
		return
	case j.Case == cc.JumpStatementGoto && !l.isForward(j):
		panic(&parse.Error{Pos: parse.Position(j), Message: "goto " + j.Token2.SrcStr() + " jumps back", Remedy: "write it as a loop, or " + parse.TraceRemedy, Whole: true})
	case j.Case == cc.JumpStatementGotoExpr:
	case l.onData > l.dataAround, j.Case == cc.JumpStatementGoto && !l.decided && l.labelBetween(j):
		l.Warn(j, "%s depends on data; what it skips is counted as executed", strings.TrimSuffix(tree.Text(j), ";"))
		return
	}
	if inLoop {
		l.Fail(j, parse.TraceRemedy, "%s in a loop: exits from loops are not read where they depend on loop variables or on nothing", word)
	}
	l.Fail(j, parse.TraceRemedy, "%s before the end", word)
}

// labels are where those of a function stand, by name.
func (l *lowerer) labels() map[string]*cc.LabeledStatement {
	out := map[string]*cc.LabeledStatement{}
	if l.current == nil {
		return out
	}
	tree.Each(l.current.CompoundStatement, func(n cc.Node) bool {
		if s, ok := n.(*cc.Statement); ok && s.Case == cc.StatementLabeled && s.LabeledStatement.Case == cc.LabeledStatementLabel {
			out[s.LabeledStatement.Token.SrcStr()] = s.LabeledStatement
		}
		return true
	})
	return out
}

// isForward tells whether a goto leads to something behind it.
func (l *lowerer) isForward(j *cc.JumpStatement) bool {
	to := l.labels()[j.Token2.SrcStr()]
	return to != nil && before(j, to)
}

// labelBetween tells whether what a goto skips can be reached otherwise.
func (l *lowerer) labelBetween(j *cc.JumpStatement) bool {
	all := l.labels()
	to := all[j.Token2.SrcStr()]
	for _, s := range all {
		if s != to && before(j, s) && before(s, to) {
			return true
		}
	}
	return false
}

// before tells whether a node stands before another in the file.
func before(a, b cc.Node) bool {
	p, q := parse.Position(a), parse.Position(b)
	return p.Line < q.Line || p.Line == q.Line && p.Column < q.Column
}
