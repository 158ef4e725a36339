package lower

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"foresee/application/csource/parse"
	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// newObject makes an object.
func (l *lowerer) newObject(name string, size *expr.Expr) *object {
	if l.made++; l.made > maxObjects {
		l.fail(nest.Pos{File: l.choice.file}, traceRemedy, "more than %d objects in memory", maxObjects)
	}
	o := &object{Object: &nest.Object{Name: name, Private: l.team > 0}, size: size, debug: -1}
	if size != nil && size.Op == expr.OpConst && size.K > 0 {
		o.Bytes = size.K
	}
	if name != "" {
		o.Name = l.distinct(name)
	}
	return o
}

// global is a global variable, a function, or what a name stands for.
func (l *lowerer) global(name string) val {
	if v, ok := l.globals[name]; ok {
		return v
	}
	g := l.m.Globals[name]
	if g == nil {
		return val{kind: function, f: name}
	}
	shown := name
	described, ok := l.m.Variable(g.Debug)
	if ok {
		shown = described.Name
	}
	team := l.team
	l.team = 0
	o := l.newObject(shown, expr.Int(g.Type.Size()))
	l.team = team
	o.initial, o.global, o.typ, o.fixed = g.Initial, name, g.Type, g.Constant
	o.Elem = elementOf(g.Type)
	if ok {
		o.debug = described.Type
	}
	v := val{kind: pointer, o: o, e: expr.Int(0)}
	if l.region != nil && !l.whole && !g.Constant && g.Type.Kind == text.Array {
		v = l.met(l.region.Name, "@"+name, o)
	}
	l.globals[name] = v
	return v
}

// elementOf is the size of the scalars that a type holds, of a structure of the first.
func elementOf(t *text.Type) int64 {
	for depth := 0; t != nil && depth < maxDepth; depth++ {
		switch t.Kind {
		case text.Array, text.Vector:
			t = t.Elem
			continue
		case text.Struct:
			if len(t.Fields) > 0 {
				t = t.Fields[0]
				continue
			}
		}
		break
	}
	if t == nil {
		return 0
	}
	return t.Stored()
}

// alloca makes an object on the stack.
func (l *lowerer) alloca(f *frame, in *text.Inst) val {
	n := expr.Int(1)
	if len(in.Args) > 0 {
		v := l.operand(f, in.Args[0])
		n = nil
		if v.kind == integer {
			n = v.e
		}
	}
	var size *expr.Expr
	if n != nil {
		size = times(n, expr.Int(in.Elem.Size()))
	}
	o := l.newObject("", size)
	o.stack, o.typ, o.Elem = true, in.Elem, elementOf(in.Elem)
	return val{kind: pointer, o: o, e: expr.Int(0)}
}

// allocated makes an object on the heap.
func (l *lowerer) allocated(in *text.Inst, size val) val {
	var e *expr.Expr
	if size.kind == integer {
		e = size.e
	}
	o := l.newObject("", e)
	if n := len(l.counters); n > 0 {
		o.born = int(l.counters[n-1]) + 1
	}
	at := l.place(in)
	o.place = fmt.Sprintf("%s:%d", at.File[strings.LastIndexByte(at.File, '/')+1:], at.Line)
	l.spots[o.Object] = o
	if l.tells != nil && in.Name != "" && len(l.stack) > 0 {
		l.align(l.stack[len(l.stack)-1].f.Name, "%"+in.Name, o)
	}
	return val{kind: pointer, o: o, e: expr.Int(0)}
}

// load reads memory.
func (l *lowerer) load(f *frame, in *text.Inst) val {
	p := l.operand(f, in.Args[0])
	size := in.Type.Stored()
	n, ok := l.access(in, p, size, false)
	if !ok {
		if in.Type.Kind == text.Pointer {
			return l.lost(p)
		}
		return unknown("it is loaded from an address that is not known")
	}
	v := l.metInMemory(f, in, p, l.held(f, in, p, size))
	v = l.rowAt(f, in, p, l.toldEnd(f, in, p, v))
	v = l.toldStride(f, in, p, v)
	if strings.HasPrefix(v.why, askFor) && indexed(f, in.Args[0]) {
		v = unknown(loadedFrom + shown(p.o))
	}
	if v.kind == data && in.Type.Kind == text.Int && p.e.Op == expr.OpConst {
		if given, there := l.definedAs(l.namesOf(p.o, p.e.K)); there {
			v = given
		}
	}
	if v = l.toldElement(f, in, p, v); v.kind != data {
		return v
	}
	v.flow, v.stmt = nest.Value{Kind: nest.Load, N: n}, l.stmt
	return l.kept(f, in, v)
}

// indexed tells an address that is counted, or that others are counted from: what lies there is an element of an array, and no number that is given by its
// address.
func indexed(f *frame, a text.Operand) bool {
	counts := func(in *text.Inst) bool {
		return in.Op == "getelementptr" && slices.ContainsFunc(in.Args[1:], func(i text.Operand) bool { return i.Kind == text.Local })
	}
	if a.Kind != text.Local {
		return false
	}
	if in := f.makes[a.Name]; in != nil && (in.Op == "phi" || counts(in)) {
		return true
	}
	return slices.ContainsFunc(f.graph.uses[a.Name], func(u use) bool { return counts(u.in) && u.in.Args[0].Name == a.Name })
}

// held is what is known of a part of memory.
func (l *lowerer) held(f *frame, in *text.Inst, p val, size int64) val {
	at, ok := p.e, p.e.Op == expr.OpConst
	c := l.memory[p.o]
	if ok && c != nil {
		if got, there := c.cells.get(at.K); there {
			if got.size == size {
				return retyped(got.v, in.Type)
			}
			return unknown("it is a part of what was stored in " + shown(p.o))
		}
	}
	if c != nil {
		if v, there := l.rowOf(c, at, size); there {
			return retyped(v, in.Type)
		}
	}
	if ok && c != nil {
		for _, k := range slices.Backward(c.copies) {
			if at.K >= k.at && at.K+size <= k.at+k.size {
				return l.held(f, in, val{kind: pointer, o: k.o, e: expr.Int(at.K - k.at + k.from)}, size)
			}
		}
	}
	if ok && p.o.initial != nil && (c == nil || !c.dirty) && (p.o.fixed || l.whole && !l.foreign(p.o)) {
		if v := l.initial(*p.o.initial, p.o.typ, at.K, in.Type); v.kind != data || in.Type.Kind == text.Float {
			return l.asked(p.o, at.K, v)
		}
	}
	if ok && !p.o.stack {
		if v, there := l.before(p.o, at.K, in.Type); there {
			return v
		}
	}
	return unknown(loadedFrom + shown(p.o))
}

// askFor begins the reason of values that the caller may define.
const askFor = "\x00"

// asBegin ends it where a loop begins with the value.
const asBegin = "\x01"

// retyped is a value that was stored as one type and is read as another.
func retyped(v val, t *text.Type) val {
	if v.kind == integer && t.Kind == text.Float || v.kind == pointer && t.Kind == text.Float {
		return unknown("it is a number of the program")
	}
	if v.kind == integer && t.Kind == text.Pointer {
		if n, ok := v.isConstant(); ok && n == 0 {
			return val{kind: pointer, e: expr.Int(0)}
		}
	}
	return v
}

// asked is the value of a global variable, or the one that the caller gives it.
func (l *lowerer) asked(o *object, at int64, v val) val {
	n, there := l.defined[o.Name]
	if !there || at != 0 || v.kind != integer {
		return v
	}
	l.used[o.Name] = true
	return constant(n)
}

// title names an object on the heap after the one that holds the addresses of its parts, else after the place where it was made.
func (o *object) title() string {
	if o.rowsOf != nil && o.rowsOf.Name != "" {
		return o.rowsOf.Name + "[]"
	}
	return o.place
}

func shown(o *object) string {
	switch {
	case o == nil:
		return "nothing"
	case o.Name != "":
		return o.Name
	case o.place != "":
		return "the memory of " + o.place
	}
	return "memory"
}

// initial is what a global variable holds at first.
func (l *lowerer) initial(v text.Operand, t *text.Type, at int64, want *text.Type) val {
	for depth := 0; depth < maxDepth && t != nil; depth++ {
		if at == 0 && t.Kind == want.Kind && t.Stored() == want.Stored() {
			return l.operand(nil, v)
		}
		var i, start int64
		var next *text.Type
		switch {
		case t.Kind == text.Struct:
			for k := range t.Fields {
				if off, _ := t.Offset(k); off <= at {
					i, start = int64(k), off
				}
			}
			if len(t.Fields) == 0 {
				return unknown("it is not followed")
			}
			next = t.Fields[i]
		case t.Kind == text.Array && t.Elem.Size() > 0:
			i = at / t.Elem.Size()
			start, next = i*t.Elem.Size(), t.Elem
			if i < 0 || i >= t.Len {
				return unknown("it is not followed")
			}
		default:
			return unknown("it is not followed")
		}
		switch {
		case v.Kind == text.Zero || v.Kind == text.Undefined:
			v = text.Operand{Kind: v.Kind, Type: next}
		case v.Kind == text.Aggregate && i < int64(len(v.Args)):
			v = v.Args[i]
		case v.Kind == text.Text && i < int64(len(v.Name)):
			v = text.Operand{Kind: text.Number, Type: next, Int: int64(v.Name[i])}
		default:
			return unknown("it is not followed")
		}
		at, t = at-start, next
	}
	return unknown("it is not followed")
}

// store writes memory.
func (l *lowerer) store(f *frame, in *text.Inst) {
	p := l.operand(f, in.Args[1])
	if p.kind == pointer && p.o != nil && p.e.Op == expr.OpConst && (p.o.typ != nil || p.o.outside) {
		l.name(f, in.Args[0], l.namesOf(p.o, p.e.K))
	}
	v := l.operand(f, in.Args[0])
	size := in.Args[0].Type.Stored()
	n, ok := l.access(in, p, size, true)
	if !ok {
		return
	}
	l.send(in, v, nest.Value{Kind: nest.Store, N: n})
	l.keep(p, size, v)
}

// keep notes what was written.
func (l *lowerer) keep(p val, size int64, v val) {
	p.o.write(p.e, size)
	if v.kind == pointer && v.o != nil && v.o.Name == "" && v.o.place != "" && p.o.stack && p.o.Name != "" && v.e.Op == expr.OpConst && v.e.K == 0 && p.e.Op == expr.OpConst {
		l.entitle(v.o, p.o, p.e.K)
	}
	if p.e.Op == expr.OpConst && (v.kind != data || strings.HasPrefix(v.why, askFor)) {
		l.memory.set(p.o, p.e.K, size, v)
		return
	}
	c := l.memory.contentsOf(p.o)
	r := l.interval(p.e)
	if p.e.Op == expr.OpConst {
		c.clear(p.e.K, size)
		if p.o.initial != nil {
			c.cells.put(p.e.K, cell{size, unknown("it depends on data")})
		}
		return
	}
	c.cells.dropOver(r.Lo, r.Hi+size)
	c.dirty = true
	c.write(p.e, size)
	l.keepRow(c, p, size, v)
}

// access adds an access to the statement and gives its number. Outside loops one whose address is not known is left out.
func (l *lowerer) access(in *text.Inst, p val, size int64, write bool) (int, bool) {
	if p.kind != pointer || p.o == nil {
		why, remedy := "it is a null pointer", traceRemedy
		if p.kind != pointer {
			why, remedy = reason(p)
		}
		if l.passing > 0 {
			return 0, false
		}
		if l.depth == 0 {
			l.warn(l.place(in), "an access is left out, as its address is not known: %s", why)
			return 0, false
		}
		l.fail(l.place(in), l.asRun(why, remedy), "the address of this access is not known: %s", why)
	}
	if size <= 0 {
		size = 8
	}
	s := l.at(in)
	if p.o.Elem == 0 {
		p.o.Elem = size
	}
	a := &nest.Access{Object: p.o.Object, Offset: p.e, Size: size, Write: write, Pos: l.place(in)}
	s.Accesses = append(s.Accesses, a)
	return len(s.Accesses) - 1, true
}

// loadedFrom begins why numbers are not known that lie in memory.
const loadedFrom = "it is loaded from "

// asRun is what to do about a value that is not known: a run may tell what lies in memory.
func (l *lowerer) asRun(why, remedy string) string {
	if remedy == traceRemedy && l.tells == nil && strings.HasPrefix(why, loadedFrom) {
		return parse.RunRemedy
	}
	return remedy
}

// reason says why a value is not known, and what to do about it.
func reason(v val) (why, remedy string) {
	switch {
	case strings.HasPrefix(v.why, askFor):
		name, begins := strings.CutSuffix(v.why[len(askFor):], asBegin)
		usual := "=1000"
		if begins {
			usual = "=0"
		}
		return "the value of " + name + " is not known", defineRemedy + name + usual
	case v.why == "":
		return "it depends on data", parse.TraceRemedy
	}
	return v.why, parse.TraceRemedy
}

// atomic follows an access that is read and written at once.
func (l *lowerer) atomic(f *frame, in *text.Inst) val {
	p := l.operand(f, in.Args[0])
	size := in.Args[min(1, len(in.Args)-1)].Type.Stored()
	n, ok := l.access(in, p, size, false)
	if !ok {
		return unknown("it depends on data")
	}
	read := val{flow: nest.Value{Kind: nest.Load, N: n}, stmt: l.stmt, why: loadedFrom + shown(p.o)}
	l.at(in).Flow = append(l.at(in).Flow, nest.Operation{Kind: nest.Add, Type: typeOf(in.Type), Args: []nest.Value{l.flowOf(read), {Kind: nest.Const}}})
	n, _ = l.access(in, p, size, true)
	l.at(in).Flow[len(l.at(in).Flow)-1].Out = nest.Value{Kind: nest.Store, N: n}
	l.keep(p, size, unknown("it depends on data"))
	return l.kept(f, in, read)
}

// copyCells copies what is known of a part of one object into another.
func (l *lowerer) copyCells(to, from val, size int64) {
	c := l.memory.contentsOf(to.o)
	if to.e.Op != expr.OpConst || size <= 0 {
		l.memory.forget(to.o)
		return
	}
	c.clear(to.e.K, size)
	c.dirty, to.o.written = true, true
	if from.o.fixed && from.e.Op == expr.OpConst {
		c.copies = append(slices.Clone(c.copies), copied{to.e.K, size, from.o, from.e.K})
		c.cells.dropOver(to.e.K, to.e.K+size)
		return
	}
	if from.e.Op != expr.OpConst || l.memory[from.o] == nil {
		return
	}
	for at, x := range maps.Collect(l.memory[from.o].cells.all()) {
		if at >= from.e.K && at+x.size <= from.e.K+size {
			c.cells.put(at-from.e.K+to.e.K, x)
		}
	}
}
