package csource

import (
	"slices"

	"modernc.org/cc/v4"
)

// facts are what the whole file tells about its functions and variables.
type facts struct {
	functions []*cc.FunctionDefinition
	byName    map[string]*cc.FunctionDefinition
	calls     map[string][]call                             // by callee
	assigned  map[*cc.Declarator][]assignment               // every assignment to a variable in the file
	escapes   map[*cc.Declarator]bool                       // variables whose address is given away
	effects   map[*cc.FunctionDefinition][]*cc.Declarator   // what a call may assign
	before    map[cc.Node][]*pragma                         // pragmas that belong to a statement, declaration or closing brace
	inside    map[*cc.FunctionDefinition][]*pragma          // all pragmas of a function
	members   map[*cc.FunctionDefinition][]string           // names of members that a call may change
	private   map[*cc.Declarator]bool                       // threadprivate
	calling   map[*cc.FunctionDefinition]map[string]callUse // what a function calls, and from where
}

// call is a place where a function is called.
type call struct {
	from   *cc.FunctionDefinition
	node   *cc.PostfixExpression
	inLoop bool
}

// callUse tells how a function is called from another.
type callUse struct{ inLoop, outside bool }

// assignment gives a variable a value: the initializer's or the right side's; nil when it is not a plain =.
type assignment struct {
	value cc.ExpressionNode
	from  *cc.FunctionDefinition // nil for a global's initializer
}

func newFacts(s *source) *facts {
	f := &facts{
		byName: map[string]*cc.FunctionDefinition{}, calls: map[string][]call{},
		assigned: map[*cc.Declarator][]assignment{}, escapes: map[*cc.Declarator]bool{},
		effects: map[*cc.FunctionDefinition][]*cc.Declarator{}, before: map[cc.Node][]*pragma{},
		members: map[*cc.FunctionDefinition][]string{},
		inside:  map[*cc.FunctionDefinition][]*pragma{},
		private: map[*cc.Declarator]bool{},
		calling: map[*cc.FunctionDefinition]map[string]callUse{},
	}
	for t := s.ast.TranslationUnit; t != nil; t = t.TranslationUnit {
		switch e := t.ExternalDeclaration; {
		case e == nil:
		case e.Case == cc.ExternalDeclarationFuncDef:
			f.functions = append(f.functions, e.FunctionDefinition)
			f.byName[e.FunctionDefinition.Declarator.Name()] = e.FunctionDefinition
		case e.Case == cc.ExternalDeclarationDecl && e.Declaration != nil:
			f.scan(e.Declaration, nil, false)
		}
	}
	for _, fd := range f.functions {
		f.calling[fd] = map[string]callUse{}
		f.scan(fd.CompoundStatement, fd, false)
	}
	f.attach(s)
	return f
}

// scan records calls and assignments below n.
func (f *facts) scan(n cc.Node, from *cc.FunctionDefinition, inLoop bool) {
	each(n, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.Statement:
			if x.Case == cc.StatementIteration && !inLoop {
				f.scan(x, from, true)
				return false
			}
		case *cc.Declaration:
			f.declaration(x, from)
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionCall {
				f.call(x, from, inLoop)
			}
		case *cc.UnaryExpression:
			if d := variable(x.CastExpression); x.Case == cc.UnaryExpressionAddrof && d != nil {
				f.escapes[d] = true
			}
		}
		if d, value := assigns(n); d != nil {
			f.assigned[d] = append(f.assigned[d], assignment{value, from})
		}
		return true
	})
}

func (f *facts) declaration(x *cc.Declaration, from *cc.FunctionDefinition) {
	for _, d := range declarators(x) {
		if d.Initializer != nil {
			f.assigned[d.Declarator] = append(f.assigned[d.Declarator], assignment{d.Initializer.AssignmentExpression, from})
		}
	}
}

func (f *facts) call(x *cc.PostfixExpression, from *cc.FunctionDefinition, inLoop bool) {
	name := callee(x)
	f.calls[name] = append(f.calls[name], call{from, x, inLoop})
	if from != nil {
		use := f.calling[from][name]
		use.inLoop = use.inLoop || inLoop
		use.outside = use.outside || !inLoop
		f.calling[from][name] = use
	}
}

// assigns gives the variable that a node assigns, and the value when the assignment is a plain one.
func assigns(n cc.Node) (*cc.Declarator, cc.ExpressionNode) {
	switch x := n.(type) {
	case *cc.AssignmentExpression:
		if x.Case == cc.AssignmentExpressionAssign {
			return variable(x.UnaryExpression), x.AssignmentExpression
		}
		return variable(x.UnaryExpression), nil
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec {
			return variable(x.PostfixExpression), nil
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec {
			return variable(x.UnaryExpression), nil
		}
	}
	return nil, nil
}

// changed lists the variables that running n may assign, those of called functions included.
func (f *facts) changed(n cc.Node) []*cc.Declarator {
	var all []*cc.Declarator
	each(n, func(n cc.Node) bool {
		if d, _ := assigns(n); d != nil {
			all = append(all, d)
		}
		switch x := n.(type) {
		case *cc.Declaration:
			for _, d := range declarators(x) {
				all = append(all, d.Declarator)
			}
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionCall {
				all = append(all, f.effectsOf(callee(x))...)
			}
		case *cc.UnaryExpression:
			if d := variable(x.CastExpression); x.Case == cc.UnaryExpressionAddrof && d != nil {
				all = append(all, d)
			}
		}
		return true
	})
	return all
}

// assignedMember is the structure member that a node assigns.
func assignedMember(n cc.Node) cc.ExpressionNode {
	var e cc.ExpressionNode
	switch x := n.(type) {
	case *cc.AssignmentExpression:
		e = x.UnaryExpression
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec {
			e = x.PostfixExpression
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec {
			e = x.UnaryExpression
		}
	}
	if e == nil {
		return nil
	}
	p, ok := strip(e).(*cc.PostfixExpression)
	if ok && (p.Case == cc.PostfixExpressionSelect || p.Case == cc.PostfixExpressionPSelect) {
		return p
	}
	return nil
}

// memberEffects names the structure members that a call of a function may change.
func (f *facts) memberEffects(name string) []string {
	fd := f.byName[name]
	if fd == nil {
		return nil
	}
	if e, ok := f.members[fd]; ok {
		return e
	}
	f.members[fd] = nil // ends recursion
	var all []string
	each(fd.CompoundStatement, func(n cc.Node) bool {
		if e := assignedMember(n); e != nil && (isInteger(e.Type()) || e.Type().Kind() == cc.Ptr) {
			all = append(all, e.(*cc.PostfixExpression).Token2.SrcStr())
		}
		if c, ok := n.(*cc.PostfixExpression); ok && c.Case == cc.PostfixExpressionCall {
			all = append(all, f.memberEffects(callee(c))...)
		}
		return true
	})
	slices.Sort(all)
	f.members[fd] = slices.Compact(all)
	return f.members[fd]
}

func (f *facts) effectsOf(name string) []*cc.Declarator {
	fd := f.byName[name]
	if fd == nil {
		return nil
	}
	if e, ok := f.effects[fd]; ok {
		return e
	}
	f.effects[fd] = nil // ends recursion
	seen := map[*cc.Declarator]bool{}
	for _, d := range f.changed(fd.CompoundStatement) {
		if !seen[d] && d.StorageDuration() == cc.Static {
			seen[d] = true
			f.effects[fd] = append(f.effects[fd], d)
		}
	}
	return f.effects[fd]
}
