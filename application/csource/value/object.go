package value

import (
	"slices"
	"strconv"
	"strings"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// ObjectKey tells objects apart: a variable declared in a parallel region is another object there.
type ObjectKey struct {
	Variable *cc.Declarator
	private  bool
	heap     bool // what the pointer d points at, not d itself
}

// Heap says that the object is what the variable points at, not the variable itself.
func (k ObjectKey) Heap() bool { return k.heap }

// Member is a pointer or an integer within a structure.
type Member struct {
	Object *nest.Object
	Offset int64
}

// VariableObject is the array or structure that d names.
func (vs *Values) VariableObject(n cc.Node, d *cc.Declarator) *nest.Object {
	if o := vs.Hidden[d]; o != nil {
		return o
	}
	key := ObjectKey{Variable: d, private: vs.Facts.Private[d] || d.IsThreadLocal() || vs.Parallel > 0 && vs.automatic(d)}
	if o := vs.Objects[key]; o != nil {
		return o
	}
	vs.checkDimensions(d)
	o := &nest.Object{Name: d.Name(), Bytes: vs.Extent(n, d.Type()), Elem: ElemSize(d.Type()), Private: key.private}
	vs.Objects[key] = o
	vs.Hold(o, d)
	return o
}

// mostNamed is how many bytes of a constant text stand for it as its name.
const mostNamed = 16

// textObject is a constant text in memory, which compilers keep once; nil of anything else.
func (vs *Values) textObject(e cc.ExpressionNode) *nest.Object {
	n, ok := tree.Strip(e).(*cc.PrimaryExpression)
	if !ok || n.Case != cc.PrimaryExpressionString {
		return nil
	}
	text, ok := n.Value().(cc.StringValue)
	if !ok {
		return nil
	}
	key := string(text)
	if vs.texts[key] == nil {
		name := strings.TrimRight(key, "\x00")
		if len(name) > mostNamed {
			name = strings.ToValidUTF8(name[:mostNamed], "") + "…"
		}
		vs.texts[key] = &nest.Object{Name: strconv.Quote(name), Bytes: int64(len(key)), Elem: 1}
	}
	return vs.texts[key]
}

// Held is a structure whose scalar members live in registers, but for those in arrays: a variable, or a value on its way.
type Held struct {
	Variable *cc.Declarator // nil: a value
	Number   int            // of a value
	Type     cc.Type
}

// Hold notes that a structure is a variable, of which o is the memory.
func (vs *Values) Hold(o *nest.Object, d *cc.Declarator) {
	if k := d.Type().Kind(); k == cc.Struct || k == cc.Union {
		vs.Held[o] = Held{Variable: d, Type: d.Type()}
	}
}

// automatic tells whether d lives on the stack of the thread that runs the parallel region's body.
func (vs *Values) automatic(d *cc.Declarator) bool {
	return d.StorageDuration() == cc.Automatic && vs.Inside[d]
}

// checkDimensions refuses arrays whose size cannot be: beyond any memory, or, of a variable that lives as long as the program, no
// whole number.
func (vs *Values) checkDimensions(d *cc.Declarator) {
	bytes := int64(1)
	t := d.Type()
	for {
		a, ok := t.(*cc.ArrayType)
		if !ok {
			break
		}
		n := a.Len()
		if n < 0 && a.SizeExpression() != nil && d.StorageDuration() == cc.Static {
			vs.Fail(d, "give its dimensions as whole numbers", "the size of %s is not known", d.Name())
		}
		if n > 0 && bytes > mostObject/n {
			vs.checkSize(d, d.Name(), mostObject+1)
		}
		bytes *= max(n, 1)
		t = a.Elem()
	}
	if size := t.Size(); size > 0 && bytes > mostObject/size {
		vs.checkSize(d, d.Name(), mostObject+1)
	}
}

// Extent is the size of a type in bytes where it is known, else 0.
func (vs *Values) Extent(n cc.Node, t cc.Type) int64 {
	var counts []*expr.Expr
	element := t
	for a, ok := t.(*cc.ArrayType); ok && !settled(a); a, ok = element.(*cc.ArrayType) {
		count := expr.Int(0) // of a dimension that is not known
		if parse.Attempt(func() { count = vs.count(n, a) }) == nil {
			vs.checkCount(n, t, count)
		}
		counts, element = append(counts, count), a.Elem()
	}
	var bytes int64
	if err := parse.Attempt(func() {
		size := vs.SizeOf(n, element)
		for _, count := range slices.Backward(counts) {
			size = vs.Arithmetic(n, expr.OpMul, count, size)
		}
		if size.Op == expr.OpConst {
			bytes = size.K
		}
	}); err != nil {
		return 0
	}
	return bytes
}

// settled says that the size of an array does not depend on variables.
func settled(a *cc.ArrayType) bool { return a.Size() >= 0 && !a.IsVLA() }

// count is the number of elements in the outermost dimension of an array.
func (vs *Values) count(n cc.Node, a *cc.ArrayType) *expr.Expr {
	switch e := a.SizeExpression(); {
	case a.Len() >= 0:
		return expr.Int(a.Len())
	case e != nil:
		return vs.Int(e)
	}
	vs.Fail(n, "give its dimensions", "the size of %s is not known", a)
	return nil
}

// checkCount refuses a dimension that no array can have.
func (vs *Values) checkCount(n cc.Node, t cc.Type, count *expr.Expr) {
	if count.Op == expr.OpConst && count.K < 0 {
		vs.Fail(n, "check the definitions given", "an array of type %s has a dimension of %d elements", t, count.K)
	}
}

// ElemSize is the size of the scalars that a type holds; of a structure, that of its first member.
func ElemSize(t cc.Type) int64 {
	for range parse.MaxNesting { // nested arrays and structures
		switch x := t.(type) {
		case *cc.ArrayType:
			t = x.Elem()
			continue
		case *cc.StructType:
			if x.NumFields() > 0 && x.FieldByIndex(0) != nil {
				t = x.FieldByIndex(0).Type()
				continue
			}
		case *cc.UnionType:
			if x.NumFields() > 0 && x.FieldByIndex(0) != nil {
				t = x.FieldByIndex(0).Type()
				continue
			}
		}
		break
	}
	if t == nil {
		return 0
	}
	return max(0, t.Size())
}

// Pointee is what a pointer type points at; nil when t is no pointer.
func Pointee(t cc.Type) cc.Type {
	switch x := t.(type) {
	case *cc.PointerType:
		return x.Elem()
	case *cc.ArrayType:
		return x.Elem()
	}
	return nil
}

// SizeOf is the size of a type in bytes; dimensions may be variables.
func (vs *Values) SizeOf(n cc.Node, t cc.Type) *expr.Expr {
	if a, ok := t.(*cc.ArrayType); ok {
		if settled(a) {
			return expr.Int(a.Size())
		}
		count := vs.count(n, a)
		vs.checkCount(n, t, count)
		return vs.Arithmetic(n, expr.OpMul, count, vs.SizeOf(n, a.Elem()))
	}
	if t.Kind() == cc.Void {
		return expr.Int(1)
	}
	if t.IsIncomplete() || t.Size() < 0 {
		vs.Fail(n, "define the type in this file or in a header", "the size of %s is not known", t)
	}
	return expr.Int(t.Size())
}

// HeapObject is the memory that the pointer variable d owns, or that it was given by an unknown caller.
func (vs *Values) HeapObject(d *cc.Declarator, bytes int64) *nest.Object {
	key := ObjectKey{Variable: d, heap: true, private: vs.Parallel > 0 && vs.automatic(d)}
	o := vs.Objects[key]
	if o == nil {
		o = &nest.Object{Name: d.Name(), Private: key.private}
		if t := Pointee(d.Type()); t != nil {
			o.Elem = ElemSize(t)
		}
		vs.Objects[key] = o
	}
	o.Bytes = max(o.Bytes, bytes)
	return o
}

// Adopt gives memory that a function has allocated behind a variable of its own to the variable that takes its result, so that another call makes other
// memory.
func (vs *Values) Adopt(d *cc.Declarator, o *nest.Object) {
	for key, x := range vs.Objects {
		local := key.Variable
		if x != o || !key.heap || local == d || local.StorageDuration() != cc.Automatic {
			continue
		}
		delete(vs.Objects, key)
		key.Variable = d
		vs.Objects[key] = o
		vs.rename(o, local.Name(), d.Name())
		return
	}
}

// rename calls an object, and what pointers in it point at, by another variable.
func (vs *Values) rename(o *nest.Object, from, to string) {
	if o.Name != from {
		return
	}
	o.Name = to
	for m, p := range vs.Members {
		if m.Object == o && p.Object != nil && strings.HasPrefix(p.Object.Name, from+"->") {
			p.Object.Name = to + strings.TrimPrefix(p.Object.Name, from)
		}
	}
	if r := vs.Rows[o].Object; r != nil && r.Name == from+"[]" {
		r.Name = to + "[]"
	}
}
