package value

import (
	"foresee/application/csource/parse"
	"foresee/application/csource/tree"

	"modernc.org/cc/v4"
)

// PointedFunction is the function of the file that an expression names or points at: by its name, by a pointer that is set once or handed over, or by an element
// of a table that nothing changes. Nil where none is known. An error says that it depends on which element of a table it is.
func (vs *Values) PointedFunction(e cc.ExpressionNode) (*cc.FunctionDefinition, *parse.Error) {
	e = tree.Uncast(e)
	if d := tree.Variable(e); d != nil {
		return vs.functionOf(d)
	}
	switch n := e.(type) {
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionDeref || n.Case == cc.UnaryExpressionAddrof {
			return vs.PointedFunction(n.CastExpression)
		}
	case *cc.ConditionalExpression:
		c, err := vs.TryInt(n.LogicalOrExpression)
		switch {
		case err != nil:
			return nil, nil
		case vs.Always(c):
			return vs.PointedFunction(tree.Taken(n))
		case vs.Never(c):
			return vs.PointedFunction(n.ConditionalExpression)
		}
	case *cc.PostfixExpression:
		return vs.functionIn(n)
	}
	return nil, nil
}

// functionOf is what a variable points at, or the function that it is.
func (vs *Values) functionOf(d *cc.Declarator) (*cc.FunctionDefinition, *parse.Error) {
	all := vs.Facts.Assigned[d]
	switch {
	case d.Type().Kind() == cc.Function:
		return vs.Facts.ByName[d.Name()], nil
	case d.IsParam() && len(all) == 0:
		return vs.Callees[d], nil
	case d.IsParam() || len(all) != 1 || all[0].Value == nil || vs.Facts.Escapes[d] || vs.Source.Busy[d]:
		return nil, nil
	}
	vs.Source.Busy[d] = true
	defer delete(vs.Source.Busy, d)
	return vs.PointedFunction(all[0].Value)
}

// functionIn is what an element of a table points at, or a member of one.
func (vs *Values) functionIn(n *cc.PostfixExpression) (*cc.FunctionDefinition, *parse.Error) {
	d, offset, known := parse.Part(n, func(e cc.ExpressionNode) (int64, bool) { return TryConstant(vs.TryInt(e)) })
	if d == nil || vs.Facts.Initializers[d] == nil || vs.Facts.Escapes[d] || d.Type().Kind() == cc.Ptr || vs.setsFunction(d) {
		return nil, nil
	}
	if !known {
		return nil, &parse.Error{Pos: parse.Position(n), Message: tree.Text(n) + " depends on data", Remedy: "call one function, or " + parse.TraceRemedy}
	}
	if x := initialAt(vs.Facts.Initializers[d], offset); x != nil {
		return vs.PointedFunction(x)
	}
	return nil, nil
}

// setsFunction tells whether something in the program sets a part of a variable that is a pointer.
func (vs *Values) setsFunction(d *cc.Declarator) bool {
	found := false
	for _, fd := range vs.Facts.Functions {
		tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
			if target, _ := parse.Assigned(n); target != nil && target.Type().Kind() == cc.Ptr {
				of, _, _ := parse.Part(target, func(cc.ExpressionNode) (int64, bool) { return 0, false })
				found = found || of == d
			}
			return !found
		})
	}
	return found
}

// initialAt is the expression that an initializer has for what lies at an offset, in bytes.
func initialAt(init *cc.Initializer, offset int64) cc.ExpressionNode {
	for i := init.InitializerList; i != nil; i = i.InitializerList {
		x := i.Initializer
		if x.AssignmentExpression == nil {
			if found := initialAt(x, offset); found != nil {
				return found
			}
			continue
		}
		if x.Offset() == offset {
			return x.AssignmentExpression
		}
	}
	return nil
}
