package csource

import (
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// objectKey tells objects apart: a variable declared in a parallel region is another object there.
type objectKey struct {
	d       *cc.Declarator
	private bool
	heap    bool // what the pointer d points at, not d itself
}

// member is a pointer or an integer within a structure.
type member struct {
	obj *nest.Object
	off int64
}

// variableObject is the array or structure that d names.
func (l *lowerer) variableObject(n cc.Node, d *cc.Declarator) *nest.Object {
	if o := l.hidden[d]; o != nil {
		return o
	}
	key := objectKey{d: d, private: l.f.private[d] || d.IsThreadLocal() || l.parallel > 0 && l.automatic(d)}
	if o := l.objects[key]; o != nil {
		return o
	}
	l.checkDimensions(d)
	o := &nest.Object{Name: d.Name(), Bytes: l.extent(n, d.Type()), Elem: elemSize(d.Type()), Private: key.private}
	l.objects[key] = o
	return o
}

// automatic tells whether d lives on the stack of the thread that runs the parallel region's body.
func (l *lowerer) automatic(d *cc.Declarator) bool {
	return d.StorageDuration() == cc.Automatic && l.inside[d]
}

// checkDimensions refuses arrays whose size cannot be: beyond any memory, or, of a variable that lives as long as the program, no
// whole number.
func (l *lowerer) checkDimensions(d *cc.Declarator) {
	bytes := int64(1)
	t := d.Type()
	for {
		a, ok := t.(*cc.ArrayType)
		if !ok {
			break
		}
		n := a.Len()
		if n < 0 && a.SizeExpression() != nil && d.StorageDuration() == cc.Static {
			l.fail(d, "give its dimensions as whole numbers", "the size of %s is not known", d.Name())
		}
		if n > 0 && bytes > mostObject/n {
			l.checkSize(d, d.Name(), mostObject+1)
		}
		bytes *= max(n, 1)
		t = a.Elem()
	}
	if size := t.Size(); size > 0 && bytes > mostObject/size {
		l.checkSize(d, d.Name(), mostObject+1)
	}
}

// extent is the size of a type in bytes where it is known, else 0.
func (l *lowerer) extent(n cc.Node, t cc.Type) int64 {
	var bytes int64
	if err := attempt(func() {
		if e := l.sizeOf(n, t); e.Op == expr.OpConst {
			bytes = e.K
		}
	}); err != nil {
		return 0
	}
	return bytes
}

// elemSize is the size of the scalars that a type holds; of a structure, that of its first member.
func elemSize(t cc.Type) int64 {
	for range maxNesting { // nested arrays and structures
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

// pointee is what a pointer type points at; nil when t is no pointer.
func pointee(t cc.Type) cc.Type {
	switch x := t.(type) {
	case *cc.PointerType:
		return x.Elem()
	case *cc.ArrayType:
		return x.Elem()
	}
	return nil
}

// sizeOf is the size of a type in bytes; dimensions may be variables.
func (l *lowerer) sizeOf(n cc.Node, t cc.Type) *expr.Expr {
	if a, ok := t.(*cc.ArrayType); ok {
		if s := a.Size(); s >= 0 && !a.IsVLA() {
			return expr.Int(s)
		}
		count := expr.Int(a.Len())
		if e := a.SizeExpression(); a.Len() < 0 && e != nil {
			count = l.int(e)
		} else if a.Len() < 0 {
			l.fail(n, "give its dimensions", "the size of %s is not known", t)
		}
		return l.arith(n, expr.OpMul, count, l.sizeOf(n, a.Elem()))
	}
	if t.Kind() == cc.Void {
		return expr.Int(1)
	}
	if t.IsIncomplete() || t.Size() < 0 {
		l.fail(n, "define the type in this file or in a header", "the size of %s is not known", t)
	}
	return expr.Int(t.Size())
}

// heapObject is the memory that the pointer variable d owns, or that it was given by an unknown caller.
func (l *lowerer) heapObject(d *cc.Declarator, bytes int64) *nest.Object {
	key := objectKey{d: d, heap: true, private: l.parallel > 0 && l.automatic(d)}
	o := l.objects[key]
	if o == nil {
		o = &nest.Object{Name: d.Name(), Private: key.private}
		if t := pointee(d.Type()); t != nil {
			o.Elem = elemSize(t)
		}
		l.objects[key] = o
	}
	o.Bytes = max(o.Bytes, bytes)
	return o
}
