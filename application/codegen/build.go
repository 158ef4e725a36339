package codegen

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"foresee/application/assembly"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// builder makes the code of a region.
type builder struct {
	target Target
	blocks *numbering
	code   *Code
	text   []string
	bases  map[*nest.Object]uint64
	loops  map[expr.Var]*nest.Loop

	block   int32        // to which instructions belong
	scalars map[int]home // of the nest at hand
	labels  int
	pending *address // of the operand in memory that was written last

	temp, integer, again int // registers that were given last
}

// Make makes the code of a region for a target.
func Make(p *nest.Program, t Target) (*Code, error) {
	b := &builder{target: t, blocks: numbered(p), code: &Code{variables: len(p.Vars)}, bases: map[*nest.Object]uint64{}, loops: map[expr.Var]*nest.Loop{}}
	b.code.Blocks = int(b.blocks.count)
	for l := range b.blocks.loops {
		b.loops[l.Var] = l
	}
	b.place(p.Objects)
	nodes := b.tree(p.Body, 0, nil)
	b.code.root = append([]piece{&counted{0}}, b.top(nodes)...)
	if err := b.assemble(); err != nil {
		return nil, err
	}
	return b.code, nil
}

// place lays the objects out one after another; those whose size is not known lie far apart.
func (b *builder) place(objects []*nest.Object) {
	const unknown, page = 1 << 36, 4096
	at := uint64(objectsBegin)
	for _, o := range objects {
		b.bases[o] = at
		n := uint64(o.Bytes)
		if o.Bytes <= 0 {
			n = unknown
		}
		at += (n+page-1)/page*page + page
	}
}

// top makes pieces of a region's body, the scalars of each of its nests having places of their own.
func (b *builder) top(nodes []node) []piece {
	var out []piece
	all := b.homes(nodes)
	for i := range nodes {
		one := nodes[i : i+1]
		if b.scalars = all; holdsLoops(one) {
			b.scalars = b.homes(one)
		}
		out = append(out, b.pieces(one, nil)...)
	}
	return out
}

// emit appends an instruction, whose operand in memory, if it has one, is the one that was asked for last.
func (b *builder) emit(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	a := address{}
	if b.pending != nil {
		a = *b.pending
		b.pending = nil
	}
	b.text = append(b.text, line)
	b.code.addresses = append(b.code.addresses, a)
	b.code.Places = append(b.code.Places, b.block)
	called := ""
	if name, ok := strings.CutPrefix(line, "call "); ok {
		called = name
	}
	b.code.Calls = append(b.code.Calls, called)
}

// here is the number of the next instruction.
func (b *builder) here() int32 { return int32(len(b.text)) }

// since is what was emitted from one on.
func (b *builder) since(from int32) straight { return straight{from, b.here()} }

// memory is an operand of an access, by the register that counts it up.
func (b *builder) memory(a *nest.Access, register string) string {
	if b.target.Level == 0 { // its indices lie on the stack
		for range expr.Variables(a.Offset) {
			b.emit("movl %s, %%eax", b.onStack(counterSlot))
			b.emit("cltq")
			b.emit("imulq %s, %%rax, %%rax", number)
			b.emit("addq %%rax, %%rdx")
		}
	}
	b.pending = &address{b.bases[a.Object], a.Offset}
	if register == "" {
		return "64(%rsp)"
	}
	return "64(" + register + ")"
}

// onStack is an operand on the stack.
func (b *builder) onStack(slot int) string {
	b.pending = &address{uint64(stackBegin + slot*slotBytes), nil}
	return "64(%rsp)"
}

// number is an operand that stands for a constant integer.
const number = "$3"

// newTemp is a register for a result that is used soon.
func (b *builder) newTemp() int {
	b.temp = (b.temp + 1) % manyTemps
	return firstTemp + b.temp
}

func (b *builder) newInteger() string {
	b.integer = (b.integer + 1) % len(integers)
	return integers[b.integer]
}

// assemble reads the text.
func (b *builder) assemble() error {
	text := "f:\n" + strings.Join(b.text, "\n") + "\n"
	file, err := assembly.Read("made", bytes.NewReader([]byte(text)))
	if err != nil {
		return fmt.Errorf("code that was made cannot be read: %w", err)
	}
	for _, f := range file.Functions {
		for _, block := range f.Blocks {
			b.code.Instructions = append(b.code.Instructions, block.Instructions...)
		}
	}
	if len(b.code.Instructions) != len(b.text) {
		return fmt.Errorf("of %d instructions that were made %d can be read", len(b.text), len(b.code.Instructions))
	}
	return nil
}

// keyOf names the element that an access is to.
func keyOf(a *nest.Access) (string, bool) {
	x, rest := offsetOf(a.Offset)
	if rest.long {
		return "", false
	}
	return fmt.Sprintf("%p %d %v %s%d", a.Object, x.K, x.Terms, rest.text, a.Size), true
}

// remainder is the part of an offset that is not affine: buffers that take turns, and elements that tables choose.
type remainder struct {
	text string // the same where the part is
	vars []expr.Var
	long bool // too long to be compared
}

// mostRemainder bounds the text of a remainder. Chosen.
const mostRemainder = 200

// offsetOf divides an offset.
func offsetOf(e *expr.Expr) (expr.Affine, remainder) {
	if x, ok := expr.AffineOf(e); ok {
		return x, remainder{}
	}
	if e.Op == expr.OpAdd || e.Op == expr.OpSub {
		x, p := offsetOf(e.A)
		y, q := offsetOf(e.B)
		if e.Op == expr.OpSub {
			y = expr.Affine{}.Plus(y, -1)
			if q.text != "" {
				q.text = "-(" + q.text + ")"
			}
		}
		both := remainder{vars: append(slices.Clip(p.vars), q.vars...), long: p.long || q.long || len(p.text)+len(q.text) > mostRemainder}
		both.text = min(p.text, q.text) + max(p.text, q.text)
		return x.Plus(y, 1), both
	}
	r := remainder{vars: expr.Variables(e)}
	var names []string
	for _, v := range r.vars {
		for int(v) >= len(names) {
			names = append(names, fmt.Sprint("v", len(names)))
		}
	}
	r.text = e.Format(names) + " "
	r.long = len(r.text) > mostRemainder
	return expr.Affine{}, r
}
