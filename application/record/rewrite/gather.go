package rewrite

import (
	"fmt"
	"regexp"
	"strings"

	"foresee/application/assembly"
)

// vector are the addresses that a gather or a scatter takes from a vector: a base, and an index for each lane.
type vector struct {
	index string // the register
	bytes int    // of an index
	lanes int
	mask  string // the register whose bits, or whose lanes' signs, say which lanes there are; empty: all
	width int    // bytes of an element
}

var (
	indexOf    = regexp.MustCompile(`,\s*(%([xyz])mm\d+)\s*(?:,\s*[1248]\s*)?\)`)
	dataOf     = regexp.MustCompile(`\)?\s*,?\s*(%([xyz])mm\d+)\s*(?:\{[^}]*\})?\s*$`)
	storedOf   = regexp.MustCompile(`^\S+\s+(%([xyz])mm\d+)\s*,`)
	kMaskOf    = regexp.MustCompile(`\{\s*(%k[1-7])\s*\}`)
	elementsOf = regexp.MustCompile(`^v?p?(gather|scatter)([dq])(ps|pd|d|q|ss|sd)$`)
	allOnes    = regexp.MustCompile(`^(?:vpcmpeq[bwdq]|kxnor[bwdq])\s+(%\w+)\s*,\s*(%\w+)\s*,\s*(%\w+)$`)
)

// vectorBytes are those of a register, by the letter before "mm".
var vectorBytes = map[string]int{"x": 16, "y": 32, "z": 64}

// gathered are the accesses of an instruction to several addresses that a vector holds, one for each lane; false where it is not understood.
func gathered(x *assembly.Instruction) (all []access, ok bool) {
	text := strings.Join(strings.Fields(x.Text), " ")
	name, _, _ := strings.Cut(text, " ")
	kind, index := elementsOf.FindStringSubmatch(name), indexOf.FindStringSubmatch(text)
	if kind == nil || index == nil || len(x.Before) > 0 || x.Prefix != "" {
		return nil, false
	}
	v := &vector{index: index[1], bytes: 4, width: 4}
	if kind[2] == "q" {
		v.bytes = 8
	}
	if strings.HasSuffix(kind[3], "d") && kind[3] != "d" || kind[3] == "q" {
		v.width = 8
	}
	write := kind[1] == "scatter"
	data := dataOf.FindStringSubmatch(text)
	if write {
		data = storedOf.FindStringSubmatch(text)
	}
	if data == nil {
		return nil, false
	}
	v.lanes = min(vectorBytes[data[2]]/v.width, vectorBytes[index[2]]/v.bytes)
	switch k, first := kMaskOf.FindStringSubmatch(text), storedOf.FindStringSubmatch(text); {
	case k != nil:
		v.mask = k[1]
	case !write && first != nil:
		v.mask = first[1]
	default:
		return nil, false
	}
	for i := range x.Operands {
		o := &x.Operands[i]
		if o.Kind != assembly.InMemory {
			continue
		}
		at := addressOf(o)
		if at.index = assembly.NoRegister; at.thread || at.base == assembly.RIP {
			return nil, false
		}
		for lane := range v.lanes {
			all = append(all, access{at: at, bytes: int64(v.width), write: write, vector: v, lane: lane})
		}
	}
	return all, len(all) > 0
}

// unmask leaves out the mask of a gather where it is set as a whole in the block before it.
func unmask(all []access, before []*assembly.Instruction) {
	if len(all) == 0 || all[0].vector == nil {
		return
	}
	v := all[0].vector
	mask := v.mask
	for i := len(before) - 1; i >= 0; i-- {
		text := strings.TrimSpace(before[i].Text)
		if m := allOnes.FindStringSubmatch(strings.Join(strings.Fields(text), " ")); m != nil && sameVector(m[3], mask) {
			if m[1] == m[2] && v.lanes <= v.set(m[3], text) {
				v.mask = ""
			}
			return
		}
		if before[i].Inline || before[i].Mnemonic == "call" || strings.Contains(text, vectorName(mask)) {
			return // it may be written there
		}
	}
}

// set is how many lanes an instruction sets that writes ones to a register: what is narrower than the mask leaves the others out.
func (v *vector) set(register, text string) int {
	if strings.HasPrefix(register, "%k") {
		return map[byte]int{'b': 8, 'w': 16, 'd': 32, 'q': 64}[text[len("kxnor")]]
	}
	return vectorBytes[register[1:2]] / v.width
}

// vectorName is what all names of a vector's register have in common, and a mask's name.
func vectorName(register string) string { return strings.TrimLeft(register, "%xyz") }

func sameVector(a, b string) bool { return vectorName(a) == vectorName(b) }

// masked says whether a point logs words of a gather that only some lanes may have.
func (e *emitter) masked(p *point) bool {
	for _, k := range p.words {
		if v := e.words[k].vector; v != nil && v.mask != "" {
			return true
		}
	}
	return false
}

// gather logs the addresses of the lanes from a word on, so many bytes from the log's end; those of lanes that the mask leaves out are 0. The indices are
// put where the addresses come to stand, and taken from there lane by lane, the last first: an address stands on no index of a lane before its own.
func (e *emitter) gather(k, bytes int) {
	w := &e.words[k]
	v, end, value := w.vector, nameOf(e.scratch[0]), nameOf(e.scratch[1])
	store := "vmovdqu"
	if strings.HasPrefix(v.index, "%z") || len(v.index) > len("%xmm9") && v.index > v.index[:4]+"15" {
		store = "vmovdqu64" // which knows all registers
	}
	e.line("%s %s, %d(%s)", store, v.index, bytes, end)
	pushed := int64(0)
	if v.mask != "" {
		if e.flags {
			e.line("pushfq")
			pushed = 8
		}
		bits := narrow(e.scratch[wanted-1])
		switch {
		case strings.HasPrefix(v.mask, "%k"):
			e.line("kmovw %s, %s", v.mask, bits)
		case v.width == 8:
			e.line("vmovmskpd %s, %s", v.mask, bits)
		default:
			e.line("vmovmskps %s, %s", v.mask, bits)
		}
	}
	for lane := v.lanes - 1; lane >= 0; lane-- {
		load := "movslq"
		if v.bytes == 8 {
			load = "movq"
		}
		e.line("%s %d(%s), %s", load, bytes+v.bytes*lane, end, value)
		e.line("leaq %s, %s", w.ofLane(value, e.moved, pushed), value)
		if v.mask != "" {
			e.line("btl $%d, %s", lane, narrow(e.scratch[wanted-1]))
			e.line("jc 77f")
			e.line("movl $0, %s", narrow(e.scratch[1]))
			fmt.Fprintln(&e.text, "77:")
		}
		e.line("movq %s, %d(%s)", value, bytes+8*lane, end)
	}
	if pushed > 0 {
		e.line("popfq")
	}
}

// ofLane writes the address of a lane whose index is in a register, with so much on the stack.
func (w *word) ofLane(index string, moved bool, pushed int64) string {
	one := *w
	one.vector = nil
	text := one.address(moved)
	if w.at.base == assembly.RSP && pushed > 0 {
		text = fmt.Sprintf("%d+%s", pushed, text)
	}
	if w.at.base == assembly.NoRegister {
		return fmt.Sprintf("%s(,%s,%d)", text, index, w.at.scale)
	}
	return fmt.Sprintf("%s,%s,%d)", strings.TrimSuffix(text, ")"), index, w.at.scale)
}

// narrow is the name of a register's lower 32 bits.
func narrow(r assembly.Register) string {
	name := registerNames[r]
	if strings.HasPrefix(name, "r") && name[1] >= '0' && name[1] <= '9' {
		return "%" + name + "d"
	}
	return "%e" + name[1:]
}
