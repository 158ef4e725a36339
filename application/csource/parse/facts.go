package parse

import (
	"slices"

	"modernc.org/cc/v4"

	"foresee/application/csource/tree"
)

// Facts are what the whole file tells about its functions and variables.
type Facts struct {
	Functions    []*cc.FunctionDefinition
	ByName       map[string]*cc.FunctionDefinition
	Calls        map[string][]call                             // by callee
	Assigned     map[*cc.Declarator][]Assignment               // every assignment to a variable in the file
	Escapes      map[*cc.Declarator]bool                       // variables whose address is given away
	Given        map[*cc.Declarator]string                     // variables whose address a function gets that is not defined here
	Initializers map[*cc.Declarator]*cc.Initializer            // of arrays and structures
	Rows         []RowAssignment                               // to elements of arrays of pointers
	Pointers     map[*cc.Declarator][]Assignment               // to members of structures that are pointers
	Elements     map[*cc.Declarator]*Elements                  // of arrays of integers
	effects      map[*cc.FunctionDefinition][]*cc.Declarator   // what a call may assign
	Before       map[cc.Node][]*Pragma                         // pragmas that belong to a statement, declaration or closing brace
	Inside       map[*cc.FunctionDefinition][]*Pragma          // all pragmas of a function
	members      map[*cc.FunctionDefinition][]string           // names of members that a call may change
	pointed      map[*cc.FunctionDefinition]bool               // whether all of these are of what its parameters point at
	Private      map[*cc.Declarator]bool                       // threadprivate
	calling      map[*cc.FunctionDefinition]map[string]callUse // what a function calls, and from where
}

// call is a place where a function is called.
type call struct {
	From   *cc.FunctionDefinition
	Node   *cc.PostfixExpression
	InLoop bool
}

// callUse tells how a function is called from another.
type callUse struct{ inLoop, outside bool }

// Assignment gives a variable a value: the initializer's or the right side's; nil when it is not a plain =.
type Assignment struct {
	Value cc.ExpressionNode
	From  *cc.FunctionDefinition // nil for a global's initializer
}

// newFacts gathers what the whole file says of its functions and variables.
func newFacts(s *Source) *Facts {
	f := &Facts{
		ByName: map[string]*cc.FunctionDefinition{}, Calls: map[string][]call{},
		Assigned: map[*cc.Declarator][]Assignment{}, Escapes: map[*cc.Declarator]bool{},
		Given: map[*cc.Declarator]string{}, Pointers: map[*cc.Declarator][]Assignment{}, Elements: map[*cc.Declarator]*Elements{},
		Initializers: map[*cc.Declarator]*cc.Initializer{}, effects: map[*cc.FunctionDefinition][]*cc.Declarator{}, Before: map[cc.Node][]*Pragma{},
		members: map[*cc.FunctionDefinition][]string{}, pointed: map[*cc.FunctionDefinition]bool{},
		Inside:  map[*cc.FunctionDefinition][]*Pragma{},
		Private: map[*cc.Declarator]bool{},
		calling: map[*cc.FunctionDefinition]map[string]callUse{},
	}
	for t := s.AST.TranslationUnit; t != nil; t = t.TranslationUnit {
		switch e := t.ExternalDeclaration; {
		case e == nil:
		case e.Case == cc.ExternalDeclarationFuncDef:
			f.Functions = append(f.Functions, e.FunctionDefinition)
			f.ByName[e.FunctionDefinition.Declarator.Name()] = e.FunctionDefinition
		case e.Case == cc.ExternalDeclarationDecl && e.Declaration != nil:
			f.scan(e.Declaration, nil, false)
		}
	}
	for _, fd := range f.Functions {
		unwrap(fd)
		f.calling[fd] = map[string]callUse{}
		f.scan(fd.CompoundStatement, fd, false)
	}
	f.attach(s)
	return f
}

// isReal tells whether a variable or a parameter of a name is of a floating-point type.
func (f *Facts) isReal(name string) bool {
	for d := range f.Assigned {
		if d.Name() == name && cc.IsFloatingPointType(d.Type()) {
			return true
		}
	}
	for _, fd := range f.Functions {
		ft, ok := fd.Declarator.Type().(*cc.FunctionType)
		if !ok {
			continue
		}
		for _, p := range ft.Parameters() {
			if p.Declarator != nil && p.Declarator.Name() == name && cc.IsFloatingPointType(p.Declarator.Type()) {
				return true
			}
		}
	}
	return false
}

// scan records calls and assignments below n.
func (f *Facts) scan(n cc.Node, from *cc.FunctionDefinition, inLoop bool) {
	given := map[cc.Node]bool{}
	tree.Each(n, func(n cc.Node) bool {
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
				f.arguments(x, given)
			}
		case *cc.UnaryExpression:
			if d := tree.Variable(x.CastExpression); x.Case == cc.UnaryExpressionAddrof && d != nil && !given[x] {
				f.Escapes[d] = true
			}
		}
		f.parts(n, from)
		if d, value := Assigns(n); d != nil {
			f.Assigned[d] = append(f.Assigned[d], Assignment{value, from})
		}
		return true
	})
}

// declaration notes the values that variables begin with.
func (f *Facts) declaration(x *cc.Declaration, from *cc.FunctionDefinition) {
	for _, d := range tree.Declarators(x) {
		if d.Initializer != nil {
			f.Assigned[d.Declarator] = append(f.Assigned[d.Declarator], Assignment{d.Initializer.AssignmentExpression, from})
			f.initialized(d, from)
			if d.Initializer.AssignmentExpression == nil {
				f.Initializers[d.Declarator] = d.Initializer
			}
		}
	}
}

// call notes who calls a function, and whether in a loop.
func (f *Facts) call(x *cc.PostfixExpression, from *cc.FunctionDefinition, inLoop bool) {
	name := tree.Callee(x)
	f.Calls[name] = append(f.Calls[name], call{from, x, inLoop})
	if from != nil {
		use := f.calling[from][name]
		use.inLoop = use.inLoop || inLoop
		use.outside = use.outside || !inLoop
		f.calling[from][name] = use
	}
}

// Assigns gives the variable that a node assigns, and the value when the assignment is a plain one.
func Assigns(n cc.Node) (*cc.Declarator, cc.ExpressionNode) {
	switch x := n.(type) {
	case *cc.AssignmentExpression:
		if x.Case == cc.AssignmentExpressionAssign {
			return tree.Variable(x.UnaryExpression), x.AssignmentExpression
		}
		return tree.Variable(x.UnaryExpression), nil
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec {
			return tree.Variable(x.PostfixExpression), nil
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec {
			return tree.Variable(x.UnaryExpression), nil
		}
	}
	return nil, nil
}

// Changed lists the variables that running n may assign, those of called functions included.
func (f *Facts) Changed(n cc.Node) []*cc.Declarator {
	var all []*cc.Declarator
	tree.Each(n, func(n cc.Node) bool {
		if d, _ := Assigns(n); d != nil {
			all = append(all, d)
		}
		switch x := n.(type) {
		case *cc.Declaration:
			for _, d := range tree.Declarators(x) {
				all = append(all, d.Declarator)
			}
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionCall {
				all = append(all, f.effectsOf(tree.Callee(x))...)
			}
		case *cc.UnaryExpression:
			if d := tree.Variable(x.CastExpression); x.Case == cc.UnaryExpressionAddrof && d != nil {
				all = append(all, d)
			}
		}
		return true
	})
	return all
}

// AssignedMember is the structure member that a node assigns.
func AssignedMember(n cc.Node) cc.ExpressionNode {
	e, _ := Assigned(n)
	if e == nil {
		return nil
	}
	p, ok := tree.Strip(e).(*cc.PostfixExpression)
	if ok && (p.Case == cc.PostfixExpressionSelect || p.Case == cc.PostfixExpressionPSelect) {
		return p
	}
	return nil
}

// AssignedStruct is the structure that a node assigns as a whole; nil: none.
func AssignedStruct(n cc.Node) cc.ExpressionNode {
	e, _ := Assigned(n)
	if e == nil || e.Type().Kind() != cc.Struct && e.Type().Kind() != cc.Union {
		return nil
	}
	return e
}

// EachMember calls f for every member of a structure that lies at off, with its offset; those of structures in it behind it.
func EachMember(t cc.Type, off int64, f func(name string, off int64, t cc.Type)) {
	fields, ok := t.(interface {
		NumFields() int
		FieldByIndex(int) *cc.Field
	})
	if !ok {
		return
	}
	for i := range fields.NumFields() {
		if m := fields.FieldByIndex(i); m != nil {
			f(m.Name(), off+m.Offset(), m.Type())
			EachMember(m.Type(), off+m.Offset(), f)
		}
	}
}

// MembersOf names the integers and pointers in a structure, those of structures in it included.
func MembersOf(t cc.Type) (all []string) {
	EachMember(t, 0, func(name string, _ int64, t cc.Type) {
		if tree.IsInteger(t) || t.Kind() == cc.Ptr {
			all = append(all, name)
		}
	})
	return all
}

// ownStruct tells a structure variable of a function, or a part of one: what is assigned to it is gone when the function returns.
func ownStruct(e cc.ExpressionNode) bool {
	for {
		e = tree.Strip(e)
		if d := tree.Variable(e); d != nil {
			k := d.Type().Kind()
			return d.StorageDuration() == cc.Automatic && (k == cc.Struct || k == cc.Union)
		}
		n, ok := e.(*cc.PostfixExpression)
		if !ok || n.Case != cc.PostfixExpressionSelect {
			return false
		}
		e = n.PostfixExpression
	}
}

// MemberEffects names the structure members that a call of a function may change.
func (f *Facts) MemberEffects(name string) []string {
	fd := f.ByName[name]
	if fd == nil {
		return nil
	}
	if e, ok := f.members[fd]; ok {
		return e
	}
	f.members[fd] = nil // ends recursion
	var all []string
	tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
		if e := AssignedMember(n); e != nil && (tree.IsInteger(e.Type()) || e.Type().Kind() == cc.Ptr) && !ownStruct(e) {
			all = append(all, e.(*cc.PostfixExpression).Token2.SrcStr())
		}
		if e := AssignedMemberArray(n); e != nil && !ownStruct(e) {
			all = append(all, e.Token2.SrcStr())
		}
		if e := AssignedStruct(n); e != nil && !ownStruct(e) {
			all = append(all, MembersOf(e.Type())...)
		}
		if c, ok := n.(*cc.PostfixExpression); ok && c.Case == cc.PostfixExpressionCall {
			all = append(all, f.MemberEffects(tree.Callee(c))...)
		}
		return true
	})
	slices.Sort(all)
	f.members[fd] = slices.Compact(all)
	return f.members[fd]
}

// ChangesPointed tells whether all members that a call of a function may change are of structures that its own parameters point at.
func (f *Facts) ChangesPointed(name string) bool {
	fd := f.ByName[name]
	if fd == nil {
		return false
	}
	if only, ok := f.pointed[fd]; ok {
		return only
	}
	f.pointed[fd] = false // ends recursion
	only := true
	tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
		for _, e := range []cc.ExpressionNode{AssignedMember(n), AssignedStruct(n)} {
			only = only && (e == nil || ownStruct(e) || pointedByParameter(e))
		}
		if e := AssignedMemberArray(n); e != nil {
			only = only && (ownStruct(e) || pointedByParameter(e))
		}
		if to, _ := Assigned(n); to != nil && to.Type().Kind() == cc.Ptr && isParameter(to) { // then it may point elsewhere
			only = false
		}
		if c, ok := n.(*cc.PostfixExpression); ok && c.Case == cc.PostfixExpressionCall && len(f.MemberEffects(tree.Callee(c))) > 0 {
			only = only && f.ChangesPointed(tree.Callee(c)) && !slices.ContainsFunc(tree.Arguments(c), givesOtherStruct)
		}
		return only
	})
	f.pointed[fd] = only
	return only
}

// givesOtherStruct tells an argument through which a call may change members of a structure that is neither behind a parameter of the function nor its own.
func givesOtherStruct(e cc.ExpressionNode) bool {
	p, ok := e.Type().(*cc.PointerType)
	if !ok || p.Elem().Kind() != cc.Struct && p.Elem().Kind() != cc.Union {
		return false
	}
	u, address := tree.Strip(e).(*cc.UnaryExpression)
	return !isParameter(e) && !(address && u.Case == cc.UnaryExpressionAddrof && (ownStruct(u.CastExpression) || pointedByParameter(u.CastExpression)))
}

func isParameter(e cc.ExpressionNode) bool {
	d := tree.Variable(e)
	return d != nil && d.IsParam()
}

// pointedByParameter tells *p, and members p->m, of a parameter p.
func pointedByParameter(e cc.ExpressionNode) bool {
	for {
		switch n := tree.Strip(e).(type) {
		case *cc.UnaryExpression:
			return n.Case == cc.UnaryExpressionDeref && isParameter(tree.Strip(n.CastExpression))
		case *cc.PostfixExpression:
			if n.Case == cc.PostfixExpressionPSelect {
				return isParameter(tree.Strip(n.PostfixExpression))
			}
			if n.Case != cc.PostfixExpressionSelect {
				return false
			}
			e = n.PostfixExpression
		default:
			return false
		}
	}
}

// ChangesNumbers tells whether a call of a function may change integers or pointers that live on: variables, or members of structures.
func (f *Facts) ChangesNumbers(name string) bool {
	return len(f.effectsOf(name)) > 0 || len(f.MemberEffects(name)) > 0
}

// effectsOf are the variables that a call of a function may change, those of what it calls included.
func (f *Facts) effectsOf(name string) []*cc.Declarator {
	fd := f.ByName[name]
	if fd == nil {
		return nil
	}
	if e, ok := f.effects[fd]; ok {
		return e
	}
	f.effects[fd] = nil // ends recursion
	seen := map[*cc.Declarator]bool{}
	for _, d := range f.Changed(fd.CompoundStatement) {
		if !seen[d] && d.StorageDuration() == cc.Static {
			seen[d] = true
			f.effects[fd] = append(f.effects[fd], d)
		}
	}
	return f.effects[fd]
}

// AssignsSomething tells whether evaluating e changes a variable.
func AssignsSomething(e cc.ExpressionNode) bool {
	found := false
	tree.Each(e, func(n cc.Node) bool {
		d, _ := Assigns(n)
		found = found || d != nil
		return !found
	})
	return found
}
