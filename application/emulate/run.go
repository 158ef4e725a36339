package emulate

import (
	"errors"
	"fmt"
	"math"

	"foresee/application/assembly"
	"foresee/application/nest"
)

// waiting is what a thread waits for.
type waiting uint8

const (
	nothing waiting = iota
	barrier
)

// stop ends what is carried out, by panicking: the loop over operations has no test for it.
type stop struct{ err error }

// ended gives the reason why what was carried out has stopped.
func ended(err *error) {
	if r := recover(); r != nil {
		s, ok := r.(stop)
		if !ok {
			panic(r)
		}
		*err = s.err
	}
}

// Run carries out a function of the program with these integers and floating-point numbers as its arguments, and gives its result.
func (p *Program) Run(name string, integers ...uint64) (result uint64, err error) {
	at, ok := p.labels[name]
	if !ok {
		return 0, fmt.Errorf("%s: %w", name, ErrNoFunction)
	}
	t := p.newThread(0)
	for i, v := range integers {
		t.r[argumentRegisters[i]] = v
	}
	if err = t.called(at); err != nil && !errors.Is(err, errEnded) {
		return 0, err
	}
	return t.r[assembly.RAX], nil
}

// Enter carries out a function by itself, with what it is given.
func (p *Program) Enter(v *nest.Invocation) error {
	at, ok := p.labels[v.Function]
	if !ok {
		return fmt.Errorf("%s: %w", v.Function, ErrNoFunction)
	}
	t := p.newThread(0)
	for _, g := range v.Variables {
		if a, ok := p.symbols[g.Name]; ok && (g.Memory == nil || p.memory.load(a+uint64(g.Offset), 8) == 0) {
			p.give(a, g)
		}
	}
	integers, numbers, stack := 0, 0, []uint64(nil)
	for _, g := range v.Arguments {
		x := p.valueOf(g)
		switch {
		case g.Type.IsFloat() && numbers < numberRegisters:
			t.v[numbers][0] = x
			numbers++
		case !g.Type.IsFloat() && integers < len(argumentRegisters):
			t.r[argumentRegisters[integers]] = x
			integers++
		default:
			stack = append(stack, x)
		}
	}
	t.r[assembly.RSP] = (t.r[assembly.RSP] - uint64(8*len(stack))) &^ 15
	for i, x := range stack {
		p.memory.store(t.r[assembly.RSP]+uint64(8*i), 8, x)
	}
	p.done = 0
	if err := t.called(at); err != nil && !errors.Is(err, errEnded) {
		return err
	}
	return nil
}

// give sets a part of memory.
func (p *Program) give(to uint64, g nest.Given) {
	bytes := 4
	if g.Memory != nil || g.Type == nest.I64 || g.Type == nest.F64 {
		bytes = 8
	}
	p.memory.store(to+uint64(g.Offset), bytes, p.valueOf(g))
}

// valueOf is what is given, as it lies in a register.
func (p *Program) valueOf(g nest.Given) uint64 {
	switch {
	case g.Memory != nil:
		return p.memoryOf(g.Memory)
	case g.Type == nest.F32:
		return uint64(math.Float32bits(1))
	case g.Type == nest.F64:
		return math.Float64bits(1)
	}
	return uint64(g.Value)
}

// memoryOf is the address of memory that is given.
func (p *Program) memoryOf(m *nest.Memory) uint64 {
	at := givenBegin + p.given*givenSpacing
	p.given++
	p.extents = append(p.extents, Extent{at, at + givenBytes})
	for _, g := range m.Holds {
		p.give(at, g)
	}
	if m.Rows {
		rows := p.memoryOf(&nest.Memory{})
		for k := range uint64(givenRows) {
			p.memory.store(at+8*k, 8, rows+k*givenRow)
		}
	}
	return at
}

// called carries out a function until it returns or the program ends.
func (t *thread) called(at int32) (err error) {
	defer ended(&err)
	t.call(at)
	return nil
}

// argumentRegisters hold the first integers that a function is given, in System V's order.
var argumentRegisters = [6]assembly.Register{assembly.RDI, assembly.RSI, assembly.RDX, assembly.RCX, assembly.R8, assembly.R9}

// numberRegisters is how many of the vector registers hold the first numbers of floating point that a function is given.
const numberRegisters = 8

// newThread makes a thread with a stack of its own.
func (p *Program) newThread(number int) *thread {
	t := &thread{Program: p, number: number}
	t.r[assembly.RSP] = stackEnd - uint64(number)*stackSpacing
	own := threadData + uint64(number)*threadSpacing
	p.memory.store(own, 8, own)
	for _, data := range p.initial {
		for i, b := range data.bytes {
			p.memory.store(own+data.at+uint64(i), 1, uint64(b))
		}
	}
	return t
}

// push writes eight bytes below the stack.
func (t *thread) push(v uint64) {
	t.r[assembly.RSP] -= 8
	t.memory.store(t.r[assembly.RSP], 8, v)
}

// pop takes eight bytes off the stack.
func (t *thread) pop() uint64 {
	v := t.memory.load(t.r[assembly.RSP], 8)
	t.r[assembly.RSP] += 8
	return v
}

// call carries out a function until it returns.
func (t *thread) call(at int32) {
	t.begin(at)
	t.goOn()
}

// begin makes a thread ready to carry out a function.
func (t *thread) begin(at int32) {
	t.r[assembly.RSP] &^= 15
	t.push(returnAddress)
	t.pc, t.done = at, false
}

// goOn carries out operations until the function that the thread began with returns, or the thread waits.
func (t *thread) goOn() {
	p := t.Program
	for !t.done && t.wait == nothing {
		if t.pc < 0 || int(t.pc) >= len(p.ops) {
			panic(stop{fmt.Errorf("the program jumps to where it has no code (operation %d)", t.pc)})
		}
		o := &p.ops[t.pc]
		p.done++
		if p.Most > 0 && p.done > p.Most {
			panic(stop{ErrTooLong})
		}
		if p.Observe != nil || p.sampling != nil {
			t.observed(o)
			continue
		}
		t.pc++
		o.do(t, o)
	}
}

// observed carries out an operation and tells of it.
func (t *thread) observed(o *op) {
	at := t.pc
	if t.watched != nil {
		t.reached = t.reached || t.watched[at]
	}
	address := uint64(0)
	var moved copied
	if o.access >= 0 {
		address = t.accessed(o)
	}
	switch o.at.Mnemonic {
	case "push", "call":
		address = t.r[assembly.RSP] - 8
		if o.target < 0 && copying[o.name] {
			moved = t.moved(o.name)
			address = moved.bytes
		}
	case "pop", "ret", "leave":
		address = t.r[assembly.RSP]
	case "movs", "stos":
		if o.at.Prefix != "" {
			moved = t.movedByString(o)
			address = moved.bytes
		}
	}
	jumps := o.at.Mnemonic != "j" || t.holds(o.cond)
	if t.sampling != nil {
		t.sampling.carry(t, o, at, address, jumps)
	} else {
		t.Observe(t.number, at, address, jumps)
		t.pc++
		o.do(t, o)
	}
	if moved.bytes > 0 && t.Copied != nil && (t.sampling == nil || t.sampling.quiet.of == nil) {
		t.Copied(moved.to, moved.from, moved.bytes)
	}
}

// codeAt is the operation at an address.
func (t *thread) codeAt(address uint64) int32 {
	if address == returnAddress {
		return -1
	}
	if address < codeBegin || address >= dataBegin {
		panic(stop{fmt.Errorf("the program jumps to %#x, where it has no code", address)})
	}
	return int32((address - codeBegin) / codeSpacing)
}

// ret goes back to where the function was called.
func ret(t *thread, _ *op) {
	back := t.pop()
	if back == returnAddress {
		t.done = true
		return
	}
	t.pc = t.codeAt(back)
}

// callTo calls a function of the program, or one of the libraries that are known.
func callTo(t *thread, o *op) {
	target, name := o.target, o.name
	if len(o.args) > 0 {
		a := t.pointed(o)
		if name = t.nameAt(a); name == "" {
			target = t.codeAt(a)
		}
	}
	if target >= 0 {
		t.push(codeBegin + uint64(t.pc)*codeSpacing)
		t.pc = target
		return
	}
	t.library(name)
}

// computed says whether a jump or call goes through an operand.
func (o *op) computed() bool {
	return len(o.args) > 0 && (o.at.Mnemonic == "jmp" || o.at.Mnemonic == "call")
}

// pointed is the address that a jump or call through an operand goes to.
func (t *thread) pointed(o *op) uint64 {
	a := o.args[0]
	a.bytes = 8
	return t.get(&a)
}

// nameAt is the function of a library whose address this is; empty for none.
func (t *thread) nameAt(address uint64) string {
	if address < heapBegin {
		return ""
	}
	for name, a := range t.symbols {
		if a == address {
			return name
		}
	}
	return ""
}

// jump goes elsewhere, or leaves for another function.
func jump(t *thread, o *op) {
	switch {
	case len(o.args) > 0:
		a := t.pointed(o)
		if name := t.nameAt(a); name != "" {
			t.library(name)
			ret(t, o)
			return
		}
		t.pc = t.codeAt(a)
	case o.target >= 0:
		t.pc = o.target
	default:
		t.library(o.name)
		ret(t, o)
	}
}

// branch jumps if a condition holds.
func branch(t *thread, o *op) {
	if t.holds(o.cond) {
		t.pc = o.target
	}
}
