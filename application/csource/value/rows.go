package value

import (
	"fmt"
	"strings"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// pointerBytes is the size of a pointer.
const pointerBytes = 8

// Rows is what the pointers in an object point at: the one at offset o at o/8·Stride+Start bytes into Object. No object: at what is not followed.
type Rows struct {
	Object *nest.Object
	Stride int64
	Start  *expr.Expr
	single bool // only the first pointer is set
	taken  bool // it is not followed what sets them: some may be NULL
}

// rowPlace is where a pointer that lies in memory points.
func (vs *Values) rowPlace(e cc.ExpressionNode, at Place) Place {
	const remedy = "keep the rows in one block: double (*A)[n], or " + parse.TraceRemedy
	r, ok := vs.Rows[at.Object]
	if !ok {
		r = vs.usualRows(e, at.Object)
		if r.Object == nil && vs.Ask != nil {
			vs.Ask()
			r = vs.Rows[at.Object]
		}
		if r.Object == nil && vs.Told != nil {
			r = vs.toldRows(e, at.Object)
		}
		if r.Object == nil && !vs.Source.Guessing {
			r = vs.rowsInOrder(e, at.Object)
		}
		vs.Rows[at.Object] = r
	}
	if r.Object == nil {
		vs.Fail(e, remedy, "where %s points is not known: it is a pointer kept in memory", tree.Text(e))
	}
	index, ok := scaled(at.Offset, r.Stride)
	if !ok {
		vs.Fail(e, remedy, "%s is a pointer whose place varies", tree.Text(e))
	}
	return Place{Object: r.Object, Offset: Normal(vs.Arithmetic(e, expr.OpAdd, r.Start, index))}.behind()
}

// rowsInOrder are rows of which nothing is known, as if they were allocated one after the other, each as long as it is accessed. As long as that is not
// known they are all in one place.
func (vs *Values) rowsInOrder(e cc.ExpressionNode, o *nest.Object) Rows {
	bytes, known := vs.RowBytes[o.Name]
	switch {
	case !known:
		row := &nest.Object{Name: o.Name + "[]", Elem: ElemSize(Pointee(e.Type())), Private: o.Private}
		vs.Unplaced[row] = o.Name
		return Rows{Object: row, Start: expr.Int(0), taken: true}
	case bytes == 0:
		return Rows{}
	}
	vs.Warn(e, "where %s points is not known; the rows of %s are taken to lie one after the other, %d bytes each as far as they are accessed", tree.Text(e), o.Name, bytes)
	return rowsOf(e, o, bytes)
}

// Wanted marks rows in RowBytes of which the length is not known yet, and which are needed.
const Wanted = -1

// ofMember is where a member of each structure of an array leads, which is at a place that varies, as if all were allocated one after the other; nowhere
// where that is not wanted, or where the file sets the member to anything but memory of its own.
func (vs *Values) ofMember(n *cc.PostfixExpression, at Place) Place {
	if at.Object == nil || at.Offset.Op == expr.OpConst || n.Field() == nil || vs.Source.Guessing {
		return Place{}
	}
	of := n.PostfixExpression.Type()
	if n.Case == cc.PostfixExpressionPSelect {
		of = Pointee(of)
	}
	index, ok := LinearOf(at.Offset)
	if of == nil || of.Size() <= 0 || !ok || !index.Plain() {
		return Place{}
	}
	rest := (index.K%of.Size() + of.Size()) % of.Size() // where the member lies in its structure, also of one before the first
	for v := range index.Vars {
		if index.Vars[v]%of.Size() != 0 {
			return Place{}
		}
	}
	r, known := vs.OfMembers[Member{at.Object, rest}]
	if !known {
		if r = vs.rowsOfMember(n, at.Object); r.Object == nil {
			return Place{}
		}
		vs.OfMembers[Member{at.Object, rest}] = r
	}
	offset := expr.Int((index.K - rest) / of.Size() * r.Stride)
	for _, v := range expr.Variables(at.Offset) {
		offset = expr.Binary(expr.OpAdd, offset, expr.Binary(expr.OpMul, expr.Ref(v), expr.Int(index.Vars[v]/of.Size()*r.Stride)))
	}
	return Place{Object: r.Object, Offset: Normal(offset)}
}

// rowsOfMember are the rows that a member of the structures in an object leads to: as long as the file allocates them, or as they are accessed.
func (vs *Values) rowsOfMember(n *cc.PostfixExpression, o *nest.Object) Rows {
	name, bytes := o.Name+"[]."+n.Token2.SrcStr(), int64(0)
	for _, a := range vs.Facts.Pointers[n.Field().Declarator()] {
		size, ok := vs.Allocation(a.Value, a.From)
		switch {
		case !ok && !(a.Value != nil && IsNull(a.Value)):
			return Rows{}
		case size > 0:
			bytes = max(bytes, size)
		}
	}
	told, wanted := vs.RowBytes[name]
	switch {
	case !wanted:
		vs.Varying[name] = true
		return Rows{}
	case told == 0:
		return Rows{}
	case bytes == 0 && told == Wanted:
		row := &nest.Object{Name: name, Elem: ElemSize(Pointee(n.Type())), Private: o.Private}
		vs.Unplaced[row] = name
		return Rows{Object: row, Start: expr.Int(0)}
	case bytes == 0:
		bytes = told
		vs.Warn(n, "where %s points is not known; what the members %s of %s lead to is taken to lie one after the other, %d bytes each as far as they are accessed", tree.Text(n), n.Token2.SrcStr(), o.Name, bytes)
	}
	return Rows{Object: &nest.Object{Name: name, Elem: ElemSize(Pointee(n.Type())), Private: o.Private}, Stride: chunk(bytes), Start: expr.Int(0)}
}

// toldRows are rows as far apart as a run tells of the first three, or of two where there are no more; no object where they are not evenly so.
func (vs *Values) toldRows(e cc.ExpressionNode, o *nest.Object) Rows {
	root, first := e, ""
	for {
		n, ok := tree.Strip(root).(*cc.PostfixExpression)
		if !ok || n.Case != cc.PostfixExpressionIndex {
			break
		}
		root, _ = tree.Subscript(n)
		first += "[0]"
	}
	if first == "" || !vs.sameInLoops(root) {
		return Rows{}
	}
	apart := func(i int) (int64, bool) {
		array := "(%[1]s)" + strings.TrimSuffix(first, "[0]")
		return vs.Told(root, fmt.Sprintf("(char *)%s[%d] - (char *)%s[%d]", array, i+1, array, i))
	}
	stride, ok := apart(0)
	next, both := apart(1)
	if !ok || !both || stride != next && o.Bytes != 2*pointerBytes || stride%pointerBytes != 0 || stride == 0 {
		return Rows{}
	}
	vs.Warn(e, "the rows of %s are taken to be %d bytes apart throughout, as the first of them are", tree.Text(root)+strings.TrimSuffix(first, "[0]"), stride)
	row := &nest.Object{Name: o.Name + "[]", Bytes: o.Bytes / pointerBytes * int64(Magnitude(stride)), Elem: ElemSize(Pointee(e.Type())), Private: o.Private}
	start := int64(0)
	if stride < 0 {
		start = max(0, o.Bytes/pointerBytes-1) * -stride
	}
	return Rows{Object: row, Stride: stride, Start: expr.Int(start), taken: true}
}

// scaled is the offset of a pointer over its size, times a stride.
func scaled(offset *expr.Expr, stride int64) (*expr.Expr, bool) {
	if stride%pointerBytes == 0 {
		return expr.Binary(expr.OpMul, offset, expr.Int(stride/pointerBytes)), true
	}
	r, ok := LinearOf(offset)
	if !ok || !r.Plain() || r.K%pointerBytes != 0 {
		return nil, false
	}
	out := expr.Int(r.K / pointerBytes * stride)
	for _, v := range expr.Variables(offset) {
		k := r.Vars[v]
		if k%pointerBytes != 0 {
			return nil, false
		}
		out = expr.Binary(expr.OpAdd, out, expr.Binary(expr.OpMul, expr.Ref(v), expr.Int(k/pointerBytes*stride)))
	}
	return out, true
}

// usualRows are those of an array of pointers that this function does not fill: as long as the file allocates rows of that type, if all are alike.
func (vs *Values) usualRows(e cc.ExpressionNode, o *nest.Object) Rows {
	bytes := int64(0)
	for _, a := range vs.Facts.Rows {
		if a.Target.Type().String() != e.Type().String() {
			continue
		}
		size, ok := vs.Allocation(a.Value, a.From)
		if !ok || size == 0 || bytes > 0 && size != bytes {
			return Rows{}
		}
		bytes = size
	}
	if bytes == 0 {
		return Rows{}
	}
	return rowsOf(e, o, bytes)
}

// rowsOf are rows of so many bytes each, allocated one after the other.
func rowsOf(e cc.ExpressionNode, o *nest.Object, bytes int64) Rows {
	stride := chunk(bytes)
	row := &nest.Object{Name: o.Name + "[]", Bytes: o.Bytes / pointerBytes * stride, Elem: ElemSize(Pointee(e.Type())), Private: o.Private}
	return Rows{Object: row, Stride: stride, Start: expr.Int(0), taken: true}
}

// Row is one of rows that were allocated by themselves; the zero value stands for none.
type Row struct{ Number, Bytes int64 }

// RowOf is the row that a place lies in.
func (vs *Values) RowOf(at Place) Row {
	if at.Object == nil || at.Offset.Op != expr.OpConst {
		return Row{}
	}
	for owner, r := range vs.Rows {
		if r.Object == at.Object && r.Stride > 0 && r.Object.Name == owner.Name+"[]" && r.Start.Op == expr.OpConst && r.Start.K == 0 {
			return Row{at.Offset.K / r.Stride, r.Stride}
		}
	}
	return Row{}
}

// chunk is what glibc's malloc takes of the heap for so many bytes: its header beside, in steps of 16 bytes, at least 32.
func chunk(bytes int64) int64 { return max(32, (bytes+8+15)&^15) }

// SetRow notes what a pointer in memory points at from now on.
func (vs *Values) SetRow(e cc.ExpressionNode, at Place, v cc.ExpressionNode) {
	next := Rows{}
	if bytes, ok := vs.Allocation(v, vs.Function); ok {
		if bytes > 0 {
			next = rowsOf(e, at.Object, bytes)
			next.taken = false
			next.single = at.Offset.Op == expr.OpConst && at.Offset.K == 0
		}
	} else if err := parse.Attempt(func() { next = vs.slices(at, vs.Pointer(v)) }); err != nil {
		next = Rows{}
	}
	if old, ok := vs.Rows[at.Object]; ok {
		switch {
		case old.single && next.Object == old.Object && next.Object != nil && vs.fromFirst(v, at): // a[i] = a[0] + i*n
			block := *old.Object
			block.Bytes, next.Object = 0, &block
		case old.single:
			if next = vs.recurrence(e, at, v, old); next.Object == nil {
				break
			}
		case old.Object != nil && next.Object != nil && old.Stride == next.Stride && old.Object.Name == next.Object.Name && expr.Equal(old.Start, next.Start):
			return
		default:
			next = Rows{}
		}
	}
	vs.Rows[at.Object] = next
}

// fromFirst tells an address that is counted from the first pointer of an array of pointers: a[0] + i*n, &a[0][i*n].
func (vs *Values) fromFirst(v cc.ExpressionNode, array Place) bool {
	row := RowBelow(v)
	if row == nil {
		return false
	}
	at, err := vs.TryAddress(row)
	return err == nil && at.Object == array.Object && at.Offset.Op == expr.OpConst && at.Offset.K == 0
}

// recurrence are rows of one block of which the first is set, and each other is so far behind the one before: a[i] = a[i-1] + n.
func (vs *Values) recurrence(e cc.ExpressionNode, at Place, v cc.ExpressionNode, first Rows) Rows {
	sum, ok := tree.Strip(v).(*cc.AdditiveExpression)
	if !ok || sum.Case != cc.AdditiveExpressionAdd || !isRow(tree.Strip(sum.AdditiveExpression)) {
		return Rows{}
	}
	before, err := vs.TryAddress(sum.AdditiveExpression)
	if err != nil || before.Object != at.Object {
		return Rows{}
	}
	way, known := minus(at.Offset, before.Offset)
	count, err := vs.TryInt(sum.MultiplicativeExpression)
	elem := ElemSize(Pointee(e.Type()))
	if err != nil || !known || way != pointerBytes || count.Op != expr.OpConst || elem == 0 {
		return Rows{}
	}
	block := *first.Object
	block.Bytes = 0
	return Rows{Object: &block, Stride: count.K * elem, Start: expr.Int(0)}
}

// slices are rows that lie in one object: as the offset of the pointer goes on, that of the row does.
func (vs *Values) slices(at, row Place) Rows {
	from, ok := LinearOf(at.Offset)
	to, ok2 := LinearOf(row.Offset)
	if !ok || !ok2 || row.Object == nil || len(from.Vars) != 1 || !from.Plain() {
		return Rows{}
	}
	for v, k := range from.Vars {
		if k%pointerBytes != 0 || to.Vars[v]%(k/pointerBytes) != 0 {
			return Rows{}
		}
		stride := to.Vars[v] / (k / pointerBytes)
		index, ok := scaled(at.Offset, stride)
		if ok {
			return Rows{Object: row.Object, Stride: stride, Start: Normal(expr.Binary(expr.OpSub, row.Offset, index))}
		}
	}
	return Rows{}
}

// RowPointer is the pointer in memory that an element lies behind; nil: there is none.
func RowPointer(e cc.ExpressionNode) cc.ExpressionNode {
	switch n := tree.Strip(e).(type) {
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionIndex:
			base, _ := tree.Subscript(n)
			return RowBelow(base)
		case cc.PostfixExpressionSelect:
			return RowPointer(n.PostfixExpression)
		case cc.PostfixExpressionPSelect:
			return RowBelow(n.PostfixExpression)
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionDeref {
			return RowBelow(n.CastExpression)
		}
	}
	return nil
}

// MemberPointer is the pointer that an element lies behind where it is a member of one of many structures: cells[i].v of cells[i].v[j]; nil: there is none.
func (vs *Values) MemberPointer(e cc.ExpressionNode) cc.ExpressionNode {
	base := tree.Strip(e)
	switch n := base.(type) {
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionIndex:
			base, _ = tree.Subscript(n)
		case cc.PostfixExpressionSelect:
			return vs.MemberPointer(n.PostfixExpression)
		case cc.PostfixExpressionPSelect:
			base = n.PostfixExpression
		default:
			return nil
		}
	case *cc.UnaryExpression:
		if n.Case != cc.UnaryExpressionDeref {
			return nil
		}
		base = n.CastExpression
	default:
		return nil
	}
	base = tree.Strip(base)
	if isArray(base) {
		return vs.MemberPointer(base)
	}
	m, ok := base.(*cc.PostfixExpression)
	if !ok || m.Case != cc.PostfixExpressionSelect && m.Case != cc.PostfixExpressionPSelect {
		return nil
	}
	at, err := vs.TryAddress(m)
	if err != nil || at.Object == nil || at.Offset.Op == expr.OpConst {
		return nil
	}
	return m
}

// RowBelow is the pointer in memory that a pointer expression is made of.
func RowBelow(e cc.ExpressionNode) cc.ExpressionNode {
	e = tree.Strip(e)
	if a, ok := e.(*cc.AdditiveExpression); ok {
		if tree.IsPointer(a.AdditiveExpression.Type()) {
			return RowBelow(a.AdditiveExpression)
		}
		return RowBelow(a.MultiplicativeExpression)
	}
	if u, ok := e.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionAddrof {
		return RowPointer(u.CastExpression)
	}
	if isArray(e) {
		return RowPointer(e)
	}
	if isRow(e) {
		return e
	}
	return nil
}

// isRow tells elements of arrays of pointers.
func isRow(e cc.ExpressionNode) bool {
	n, ok := e.(*cc.PostfixExpression)
	return ok && n.Case == cc.PostfixExpressionIndex || isDereference(e)
}
