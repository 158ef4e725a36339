package value

import (
	"fmt"
	"slices"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// toldElement is the value of an element of an array of integers, by all that a run tells of the array where nothing changes it any more; nil where it
// tells nothing.
func (vs *Values) toldElement(e cc.ExpressionNode) *expr.Expr {
	n, ok := e.(*cc.PostfixExpression)
	if vs.Told == nil || vs.Blind || !ok || n.Case != cc.PostfixExpressionIndex || !tree.IsInteger(n.Type()) || parse.AssignsSomething(n) {
		return nil
	}
	at, err := vs.TryAddress(n)
	if err != nil || at.Object == nil {
		return nil
	}
	if root := rootOf(n); vs.sameInLoops(root) {
		return vs.inTable(n, at, root)
	}
	for _, root := range vs.origins[at.Object] {
		if x := vs.inTable(n, at, root); x != nil {
			return x
		}
	}
	return nil
}

// inTable is the value of an element at a place, of the array that an expression is or points into, as a run tells it.
func (vs *Values) inTable(n *cc.PostfixExpression, at Place, root cc.ExpressionNode) *expr.Expr {
	size := n.Type().Size()
	var index *expr.Expr
	if parse.Attempt(func() {
		begin := vs.Pointer(root)
		if at.Object != begin.Object {
			vs.notInt(n)
		}
		index = vs.elementsApart(n, expr.Binary(expr.OpSub, at.Offset, begin.Offset), size)
		index.EachVar(func(v expr.Var) {
			if vs.Along[v] {
				vs.notInt(n)
			}
		})
	}) != nil {
		return nil
	}
	bytes := int64(0)
	if t := undecayed(root); t.Kind() == cc.Array {
		bytes = t.Size()
	} else {
		bytes = max(vs.givenArray(tree.Variable(root), 0), 0)
	}
	v, ok := vs.Told(root, fmt.Sprintf(parse.TableForm, size, bytes, expr.Truth(!WidthOf(n.Type()).Unsigned)))
	switch table := vs.Source.Tables[v]; {
	case !ok:
		return nil
	case table != nil:
		return expr.Composed(table, Normal(index), func(v expr.Var) expr.Range { return vs.Ranges[v] }, vs.Source.Composed)
	case vs.Source.Guessing:
		return expr.Int(v)
	}
	return nil
}

// givenArray is the size of the local arrays that all calls give a parameter, of which nothing but the source tells how long they are; 0 where they give
// something else, and -1 where none gives anything.
func (vs *Values) givenArray(d *cc.Declarator, depth int) int64 {
	if d == nil || !d.IsParam() || depth > maxConstantDepth || len(vs.Facts.Assigned[d]) > 0 {
		return 0
	}
	fd, i := parameterOf(vs.Source, d)
	if fd == nil {
		return 0
	}
	all := int64(-1)
	for _, c := range vs.Facts.Calls[fd.Declarator.Name()] {
		args := tree.Arguments(c.Node)
		if i >= len(args) {
			return 0
		}
		bytes := int64(0)
		switch given := tree.Variable(args[i]); {
		case given == nil:
		case given.Type().Kind() == cc.Array && given.StorageDuration() == cc.Automatic && !given.IsParam():
			bytes = max(given.Type().Size(), 0)
		default:
			bytes = vs.givenArray(given, depth+1)
		}
		if bytes == 0 || all >= 0 && bytes != all {
			return 0
		}
		all = bytes
	}
	return all
}

// mostOrigins bounds what is kept of an object. Chosen: the functions that work on one.
const mostOrigins = 16

// origin notes an expression that points at a place of an object that is the same throughout.
func (vs *Values) origin(e cc.ExpressionNode, at Place) {
	if vs.Told == nil || at.Object == nil || at.Offset.Op != expr.OpConst || !vs.sameInLoops(e) {
		return
	}
	e = tree.Strip(e)
	if known := vs.origins[at.Object]; len(known) < mostOrigins && !slices.Contains(known, e) {
		vs.origins[at.Object] = append(known, e)
	}
}

// rootOf is the array, or the pointer to its first element, that a subscript is of: a of a[i][j] where rows lie behind one another.
func rootOf(n *cc.PostfixExpression) cc.ExpressionNode {
	for {
		base, _ := tree.Subscript(n)
		base = tree.Strip(base)
		inner, ok := base.(*cc.PostfixExpression)
		if !ok || inner.Case != cc.PostfixExpressionIndex || !isArray(inner) {
			return base
		}
		n = inner
	}
}

// Looked are the elements in an expression, and in their own subscripts, that a run told the values of and whose places vary, the inner ones first.
func (vs *Values) Looked(e cc.Node) (all []cc.ExpressionNode) {
	if vs.Told == nil || vs.Source.Guessing {
		return nil
	}
	tree.Each(e, func(n cc.Node) bool {
		x, ok := n.(*cc.PostfixExpression)
		if !ok || x.Case != cc.PostfixExpressionIndex || !tree.IsInteger(x.Type()) {
			return true
		}
		if _, err := vs.TryUntold(x); err == nil {
			return true
		}
		if v, err := vs.TryInt(x); err == nil && v.Op == expr.OpLookup {
			all = append([]cc.ExpressionNode{x}, all...)
		}
		return true
	})
	return all
}
