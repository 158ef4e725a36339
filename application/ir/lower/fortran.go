package lower

import (
	"fmt"
	"strings"

	"foresee/application/ir/place"
	"foresee/application/ir/text"
	"foresee/application/nest/expr"
)

// Where the parts of a descriptor of flang lie, in bytes: of an array whose bounds are not those of its declaration. For each dimension there are the lower
// bound, the number of elements, and the bytes between them.
// Source: LLVM, flang/include/flang/ISO_Fortran_binding.h, CFI_cdesc_t.
const (
	descriptorElement    = 8
	descriptorDimensions = 24
	dimensionBytes       = 24
	dimensionExtent      = 8
	dimensionStride      = 16
)

// described is what lies in a descriptor that the analysis did not see made, or the array that it leads to: arrays of assumed shape, and allocated ones.
// The caller may define numbers of elements, a.size of one dimension and a.size1, a.size2 of several. Elements are taken to lie one behind the other.
func (l *lowerer) described(o *object, at int64, t *text.Type) (v val, ok bool) {
	element, rank, ok := l.m.Descriptor(o.debug)
	if !ok {
		return val{}, false
	}
	dimension, part := (at-descriptorDimensions)/dimensionBytes, (at-descriptorDimensions)%dimensionBytes
	switch {
	case at == 0 && t.Kind == text.Pointer:
		if o.leads == nil {
			o.leads = l.newObject("", nil)
			o.leads.outside, o.leads.Elem = true, element
			l.entitle(o.leads, o, at)
		}
		v = val{kind: pointer, o: o.leads, e: expr.Int(0)}
		l.memory.set(o, at, t.Stored(), v)
		return v, true
	case at == descriptorElement:
		return constant(element), true
	case at < descriptorDimensions || dimension >= int64(rank):
		return val{}, false
	case part == 0:
		return constant(1), true
	case part == dimensionExtent:
		return l.extent(o, dimension, rank), true
	case part == dimensionStride:
		stride := constant(element)
		for d := range dimension {
			n := l.extent(o, d, rank)
			if n.kind != integer {
				return n, true
			}
			stride.e = times(stride.e, n.e)
		}
		return stride, true
	}
	return val{}, false
}

// isStride tells where a descriptor says how far apart elements of a dimension are.
func (l *lowerer) isStride(o *object, at int64) bool {
	dimension, part := (at-descriptorDimensions)/dimensionBytes, (at-descriptorDimensions)%dimensionBytes
	if at < descriptorDimensions || part != dimensionStride {
		return false
	}
	_, rank, ok := l.m.Descriptor(o.debug)
	return ok && dimension < int64(rank)
}

// toldStride is how far apart elements are that a descriptor of an argument describes, as a run told; else v, with which they lie one behind the other.
func (l *lowerer) toldStride(f *frame, in *text.Inst, p, v val) val {
	if v.kind != integer || !p.o.outside || p.e.Op != expr.OpConst || !l.isStride(p.o, p.e.K) || l.m.IsAllocatable(p.o.debug) {
		return v
	}
	if l.tells == nil {
		l.warn(l.place(in), "elements of %s are taken to lie one behind the other; those of a part of an array may lie further apart, as a run tells", p.o.variable())
		return v
	}
	at := place.Of(f.f.Name, in.Name)
	if _, told := l.tells.told[at]; !told {
		if l.tells.asks {
			l.tells.at(at, "")
		}
		return v
	}
	n, _ := l.tells.at(at, "")
	return constant(n)
}

// extent is how many elements a dimension of an array has, as the caller defines it.
func (l *lowerer) extent(o *object, dimension int64, rank int) val {
	name := o.variable() + ".size"
	if rank > 1 {
		name = fmt.Sprint(name, dimension+1)
	}
	if v, there := l.definedAs([]string{name}); there {
		return v
	}
	return unknown(askFor + name)
}

// fortran follows a call of flang's library; ok is false where it is none that is followed.
func (l *lowerer) fortran(in *text.Inst, name string, args []val) (v val, ok bool) {
	name, ok = strings.CutPrefix(name, "_FortranA")
	if !ok {
		return val{}, false
	}
	here := func(i int) bool {
		return i < len(args) && args[i].kind == pointer && args[i].o != nil && args[i].e.Op == expr.OpConst
	}
	switch {
	case name == "AllocatableSetBounds" && len(args) == 4 && here(0):
		l.bounds(args[0], args[1], args[2], args[3])
		return val{}, true
	case name == "AllocatableAllocate" && here(0):
		l.allocate(in, args[0])
		return constant(0), true
	case name == "AllocatableDeallocate" && here(0):
		return constant(0), true
	case name == "CharacterCompareScalar1" && len(args) == 4 && here(0) && here(1):
		return l.compareTexts(args)
	}
	return val{}, false
}

// input forgets what a statement that reads sets: a number, or all that a namelist or an array may be.
func (l *lowerer) input(name string, args []val) {
	if strings.HasSuffix(name, "Namelist") {
		l.late = true
		for o := range l.memory {
			if !o.fixed {
				l.forgetNumbers(o)
			}
		}
		return
	}
	for _, a := range args {
		if a.kind != pointer || a.o == nil || a.o.fixed {
			continue
		}
		if size, known := args[len(args)-1].isConstant(); known && strings.HasSuffix(name, "Integer") && a.e.Op == expr.OpConst {
			why := "it is read"
			if names := l.namesOf(a.o, a.e.K); len(names) > 0 {
				why = askFor + names[0]
			}
			l.memory.set(a.o, a.e.K, size, unknown(why))
			continue
		}
		l.memory.forget(a.o)
	}
}

// bounds notes those of a dimension in a descriptor.
func (l *lowerer) bounds(descriptor, dimension, lower, upper val) {
	d, known := dimension.isConstant()
	if !known {
		return
	}
	at := descriptor.e.K + descriptorDimensions + d*dimensionBytes
	count := unknown("it is the size of an array that depends on data")
	if upper.kind != integer {
		count = upper
	}
	if lower.kind == integer && upper.kind == integer {
		count = val{kind: integer, e: expr.Binary(expr.OpMax, expr.Int(0), plus(minus(upper.e, lower.e), expr.Int(1)))}
	}
	l.memory.set(descriptor.o, at, word, lower)
	l.memory.set(descriptor.o, at+dimensionExtent, word, count)
}

// allocate makes the array of a descriptor, of which its bounds were noted.
func (l *lowerer) allocate(in *text.Inst, descriptor val) {
	o, from := descriptor.o, descriptor.e.K
	size := l.held(nil, in, val{kind: pointer, o: o, e: expr.Int(from + descriptorElement)}, word)
	if element, _, ok := l.m.Descriptor(o.debug); ok && size.kind != integer {
		size = constant(element)
	}
	c := l.memory.contentsOf(o)
	for at := from + descriptorDimensions; ; at += dimensionBytes {
		n, there := c.cells.get(at + dimensionExtent)
		if !there {
			break
		}
		c.cells.put(at+dimensionStride, cell{word, size})
		if n.v.kind != integer || size.kind != integer {
			size = n.v
			continue
		}
		size = val{kind: integer, e: times(size.e, n.v.e)}
	}
	made := l.allocated(in, size)
	if from == 0 {
		l.entitle(made.o, o, 0)
	}
	c.cells.put(from, cell{word, made})
}

// compareTexts compares two texts as Fortran does, the shorter filled up with blanks, where they are constants of the program.
func (l *lowerer) compareTexts(args []val) (v val, ok bool) {
	x, known := l.textOf(args[0], args[2])
	y, too := l.textOf(args[1], args[3])
	if !known || !too {
		return val{}, false
	}
	return constant(int64(strings.Compare(strings.TrimRight(x, " "), strings.TrimRight(y, " ")))), true
}

// mostText bounds the texts that are compared. Chosen: they are options.
const mostText = 64

func (l *lowerer) textOf(p, length val) (string, bool) {
	n, known := length.isConstant()
	if !known || n > mostText {
		return "", false
	}
	var s []byte
	char := &text.Type{Kind: text.Int, Bits: 8}
	in := &text.Inst{Type: char, Debug: -1}
	for i := range n {
		c, known := l.held(nil, in, val{kind: pointer, o: p.o, e: expr.Int(p.e.K + i)}, 1).isConstant()
		if !known {
			return "", false
		}
		s = append(s, byte(c))
	}
	return string(s), true
}

// ownCopy is what a thread has of a variable that each has for itself.
func (l *lowerer) ownCopy(of, size val) val {
	if l.team == 0 || of.kind != pointer || of.o == nil {
		return of
	}
	if o := l.copies[of.o]; o != nil {
		return val{kind: pointer, o: o, e: of.e}
	}
	e := of.o.size
	if size.kind == integer {
		e = size.e
	}
	o := l.newObject(of.o.variable()+" (own)", e)
	o.typ, o.debug, o.Elem = of.o.typ, of.o.debug, of.o.Elem
	l.copies[of.o] = o
	return val{kind: pointer, o: o, e: of.e}
}
