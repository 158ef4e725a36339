package text

import (
	"strconv"
	"strings"
)

// flags are words between an operator and its operands.
var flags = map[string]Flags{
	"nuw": NoUnsignedWrap, "nsw": NoSignedWrap, "volatile": Volatile, "reassoc": Fast, "fast": Fast, "disjoint": Disjoint,
	"exact": 0, "inbounds": 0, "nusw": 0, "nneg": 0, "samesign": 0, "nnan": 0, "ninf": 0, "nsz": 0, "arcp": 0, "contract": 0, "afn": 0, "atomic": 0, "inalloca": 0,
}

// instruction reads one instruction; nil where the line holds none.
func (r *reader) instruction(line string) *Inst {
	in := &Inst{Debug: reference(line, "!dbg !")}
	p := r.parser(line)
	if strings.HasPrefix(strings.TrimSpace(line), "#dbg_") {
		return p.record(in)
	}
	if p.peek(0).kind == local && p.peek(1).is("=") {
		in.Name = p.next().text
		p.at++
	}
	for p.take("tail") || p.take("musttail") || p.take("notail") {
	}
	in.Op = p.next().text
	if in.Op == "" {
		return nil
	}
	for p.peek(0).kind == word {
		f, ok := flags[p.peek(0).text]
		if !ok {
			break
		}
		in.Flags |= f
		p.at++
	}
	if operands, ok := forms[in.Op]; ok {
		operands(p, in)
	}
	if !in.whole() {
		return &Inst{Name: in.Name, Op: Unread, Debug: in.Debug}
	}
	if in.Op == "call" && strings.HasPrefix(in.Callee.Name, "llvm.dbg.") && in.Callee.Kind == GlobalName {
		in.Op = strings.TrimPrefix(in.Callee.Name, "llvm.")
	}
	return in
}

// Unread is the operator of an instruction whose operands are not as they should be.
const Unread = "unread"

// fewest are how many operands instructions have at least.
var fewest = map[string]int{
	"load": 1, "store": 2, "getelementptr": 1, "icmp": 2, "fcmp": 2, "select": 3, "switch": 1, "extractvalue": 1, "insertvalue": 2, "atomicrmw": 2, "cmpxchg": 3,
	"fneg": 1, "freeze": 1, "resume": 1,
}

// whole tells whether an instruction has the operands that its operator asks for.
func (in *Inst) whole() bool {
	n, ok := fewest[in.Op]
	switch {
	case ok && len(in.Args) < n:
		return false
	case in.Op == "load":
		return in.Type != nil
	case in.Op == "store", in.Op == "atomicrmw", in.Op == "cmpxchg":
		return in.Args[0].Type != nil && in.Args[1].Type != nil
	case in.Op == "getelementptr", in.Op == "alloca":
		return in.Elem != nil
	case in.Op == "br":
		return len(in.Blocks) == 1 && len(in.Args) == 0 || len(in.Blocks) == 2 && len(in.Args) == 1
	case in.Op == "switch":
		return len(in.Blocks) == len(in.Args)
	case in.Op == "phi":
		return in.Type != nil && len(in.Args) == len(in.Blocks) && len(in.Args) > 0
	}
	return true
}

// record reads a debug record: #dbg_value(TYPE VALUE, !VARIABLE, !EXPRESSION, !PLACE).
func (p *parser) record(in *Inst) *Inst {
	in.Op = "dbg." + strings.TrimPrefix(p.next().text, "dbg_")
	p.take("(")
	for !p.done() && !p.peek(0).is(")") {
		before := p.at
		var v Operand
		if p.peek(0).kind == metadata {
			v = p.metadataValue(nil)
		} else {
			v = p.typed()
		}
		in.Args = append(in.Args, v)
		p.take(",")
		if p.at == before {
			p.at++
		}
	}
	if n := len(in.Args); n > 0 && in.Args[n-1].Kind == Node {
		in.Debug, _ = strconv.Atoi(in.Args[n-1].Name)
	}
	return in
}

// forms read the operands of instructions by operator.
var forms map[string]func(*parser, *Inst)

func init() {
	forms = map[string]func(*parser, *Inst){
		"fneg": unary, "freeze": unary, "ret": returned, "br": branch, "switch": switching, "phi": phi, "select": selecting,
		"getelementptr": address, "load": load, "store": store, "alloca": alloca, "call": call, "invoke": call, "callbr": call,
		"icmp": compare, "fcmp": compare, "extractvalue": parts, "insertvalue": parts, "extractelement": listed, "insertelement": listed,
		"shufflevector": listed, "atomicrmw": atomic, "cmpxchg": atomic, "unreachable": func(*parser, *Inst) {}, "resume": unary,
	}
	for _, op := range strings.Fields("add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem") {
		forms[op] = binary
	}
	for _, op := range strings.Fields("trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast") {
		forms[op] = convert
	}
}

func unary(p *parser, in *Inst) {
	in.Args = []Operand{p.typed()}
	in.Type = in.Args[0].Type
}

func returned(p *parser, in *Inst) {
	if v := p.typed(); v.Type != nil && v.Type.Kind != Void {
		in.Args = []Operand{v}
	}
}

// label takes "label %name".
func (p *parser) label() string {
	p.take("label")
	return p.next().text
}

func branch(p *parser, in *Inst) {
	if !p.peek(0).is("label") {
		in.Args = []Operand{p.typed()}
		p.take(",")
	}
	for p.peek(0).is("label") {
		in.Blocks = append(in.Blocks, p.label())
		p.take(",")
	}
}

func switching(p *parser, in *Inst) {
	in.Args = []Operand{p.typed()}
	p.take(",")
	in.Blocks = []string{p.label()}
	p.take("[")
	for !p.done() && !p.take("]") {
		before := p.at
		v := p.typed()
		p.take(",")
		if p.peek(0).is("label") {
			in.Args = append(in.Args, v)
			in.Blocks = append(in.Blocks, p.label())
		}
		if p.at == before {
			p.at++
		}
	}
}

func phi(p *parser, in *Inst) {
	in.Type = p.typ()
	for p.take("[") {
		v := p.value(in.Type)
		p.take(",")
		in.Args = append(in.Args, v)
		in.Blocks = append(in.Blocks, p.next().text)
		p.take("]")
		p.take(",")
	}
}

func selecting(p *parser, in *Inst) {
	listed(p, in)
	if len(in.Args) == 3 {
		in.Type = in.Args[1].Type
	}
}

// listed takes typed values with commas between.
func listed(p *parser, in *Inst) {
	for {
		v := p.typed()
		if v.Type == nil {
			return
		}
		in.Args = append(in.Args, v)
		if !p.take(",") || p.peek(0).kind == metadata {
			return
		}
	}
}

func address(p *parser, in *Inst) {
	in.Type = &Type{Kind: Pointer}
	in.Elem = p.typ()
	p.take(",")
	listed(p, in)
}

func load(p *parser, in *Inst) {
	in.Type = p.typ()
	p.take(",")
	in.Args = []Operand{p.typed()}
}

func store(p *parser, in *Inst) {
	v := p.typed()
	p.take(",")
	in.Args = []Operand{v, p.typed()}
}

func alloca(p *parser, in *Inst) {
	in.Type = &Type{Kind: Pointer}
	in.Elem = p.typ()
	if p.take(",") && !p.peek(0).is("align") && !p.peek(0).is("addrspace") && p.peek(0).kind != metadata {
		in.Args = []Operand{p.typed()}
	}
}

func compare(p *parser, in *Inst) {
	in.Pred = p.next().text
	a := p.typed()
	p.take(",")
	in.Args = []Operand{a, p.value(a.Type)}
	in.Type = &Type{Kind: Int, Bits: 1}
	if a.Type != nil && a.Type.Kind == Vector {
		in.Type = &Type{Kind: Vector, Len: a.Type.Len, Elem: in.Type}
	}
}

func binary(p *parser, in *Inst) {
	a := p.typed()
	p.take(",")
	in.Args = []Operand{a, p.value(a.Type)}
	in.Type = a.Type
}

func convert(p *parser, in *Inst) {
	in.Args = []Operand{p.typed()}
	if p.take("to") {
		in.Type = p.typ()
	}
}

// parts takes a value and the numbers of the part that is meant.
func parts(p *parser, in *Inst) {
	in.Args = []Operand{p.typed()}
	for p.take(",") {
		if t := p.peek(0); t.kind == number {
			n, err := strconv.Atoi(t.text)
			if err != nil {
				return
			}
			in.Index = append(in.Index, n)
			p.at++
			continue
		}
		if p.peek(0).kind == metadata {
			break
		}
		in.Args = append(in.Args, p.typed())
	}
	in.Type = in.Args[0].Type
	if in.Op == "insertvalue" {
		return
	}
	for _, i := range in.Index {
		t := in.Type
		switch {
		case t != nil && t.Kind == Struct && i >= 0 && i < len(t.Fields):
			in.Type = t.Fields[i]
		case t != nil && t.Kind == Array:
			in.Type = t.Elem
		default:
			in.Type = nil
		}
	}
}

// atomic takes an access that nothing comes between.
func atomic(p *parser, in *Inst) {
	if in.Op == "atomicrmw" {
		in.Pred = p.next().text
	}
	listed(p, in)
	if n := len(in.Args); n > 1 {
		in.Type = in.Args[1].Type
	}
	if in.Op == "cmpxchg" && in.Type != nil {
		in.Type = &Type{Kind: Struct, Fields: []*Type{in.Type, {Kind: Int, Bits: 1}}}
	}
}

// call takes what is called, its arguments, and where control goes from an invoke.
func call(p *parser, in *Inst) {
	p.skipWords()
	in.Type = p.typ()
	if in.Type != nil && in.Type.Kind == Function {
		in.Type = in.Type.Elem
	}
	p.take("*")
	in.Callee = p.value(&Type{Kind: Pointer})
	if p.take("(") {
		for !p.done() && !p.take(")") {
			before := p.at
			in.Args = append(in.Args, p.argument())
			p.take(",")
			if p.at == before {
				p.at++
			}
		}
	}
	for !p.done() && in.Op != "call" {
		if p.peek(0).is("label") {
			in.Blocks = append(in.Blocks, p.label())
			continue
		}
		p.at++
	}
}

// argument takes an argument of a call, which may be metadata.
func (p *parser) argument() Operand {
	t := p.typ()
	if t != nil && t.Kind == Metadata {
		if p.peek(0).kind == metadata {
			return p.metadataValue(t)
		}
		return p.typed()
	}
	return p.value(t)
}
