package rewrite

import (
	"fmt"
	"strings"

	"foresee/application/assembly"
)

// loop is a segment that is a block which goes back to itself, all of whose addresses move on by the same number of bytes in each iteration. Only where it
// begins and ends is logged: a register that moves on as well tells how often it ran.
type loop struct {
	counts  assembly.Register
	step    int64   // that it moves on by
	narrow  bool    // it has 32 bits
	strides []int64 // of the segment's words
}

// loop tells whether a segment is such a loop; nil where it is not.
func (r *rewriter) loop(s *segment, points []point, told []bool) *loop {
	b := s.block
	if s.from != 0 || len(s.code) != len(b.Instructions) || len(points) != 1 || !r.turns(b) {
		return nil
	}
	var d drift
	for i, x := range s.code {
		if s.sealed[i] || x.Inline {
			return nil
		}
		d.step(x)
	}
	l := &loop{strides: make([]int64, len(s.words))}
	for k := range s.words {
		w := &s.words[k]
		by, ok := d.known(w)
		if !ok || !told[k] || w.length != assembly.NoRegister || w.vector != nil {
			return nil
		}
		if w.at.base != assembly.NoRegister {
			l.strides[k] = by[0]
		}
		if w.at.index != assembly.NoRegister {
			l.strides[k] += by[1] * w.at.scale
		}
	}
	if !l.count(&d, s.code) || !fitsWith(s.words, l.counts) {
		return nil
	}
	return l
}

// fitsWith says whether enough registers are left to borrow beside those of the words and one more.
func fitsWith(words []word, r assembly.Register) bool {
	used := map[assembly.Register]bool{r: true}
	for k := range words {
		for _, r := range words[k].registers() {
			used[r] = true
		}
	}
	return fits(used, &word{})
}

// turns says whether a block ends by a jump to its own begin, on a line of its own.
func (r *rewriter) turns(b *assembly.Block) bool {
	x := b.Instructions[len(b.Instructions)-1]
	if x.Mnemonic != "j" || x.Condition == "" || x.Joined || len(x.Before) > 0 || x.Prefix != "" || len(x.Operands) != 1 || x.Operands[0].Kind != assembly.Label {
		return false
	}
	if x.At.Line > len(r.lines) || strings.TrimSpace(r.lines[x.At.Line-1]) != strings.TrimSpace(x.Text) {
		return false
	}
	next := r.live.next[b]
	if next == nil || len(next.Instructions) == 0 || next.Instructions[0].Joined || r.live.blocks[x.Operands[0].Symbol] != b {
		return false
	}
	return !strings.ContainsAny(x.Operands[0].Symbol, "+-@")
}

// count finds a register that tells how often the loop ran: one that all instructions which write it add a number to.
func (l *loop) count(d *drift, code []*assembly.Instruction) bool {
	if d.all {
		return false
	}
	for r := assembly.RAX; r <= assembly.R15; r++ {
		if r != assembly.RSP && !d.unknown[r] && d.by[r] != 0 && d.by[r] == int64(int32(d.by[r])) {
			l.counts, l.step = r, d.by[r]
			return true
		}
	}
	for r := assembly.RAX; r <= assembly.R15; r++ {
		if step, ok := narrowStep(r, code); ok && r != assembly.RSP {
			l.counts, l.step, l.narrow = r, step, true
			return true
		}
	}
	return false
}

// narrowStep is what a loop adds to the lower half of a register, by one instruction, the only one that writes to it.
func narrowStep(r assembly.Register, code []*assembly.Instruction) (step int64, ok bool) {
	for _, x := range code {
		if !setOf(x.Effects().Writes...).has(r) {
			continue
		}
		if step != 0 || len(x.Operands) == 0 || x.Operands[0].Kind != assembly.InRegister || x.Operands[0].Register != r || x.Operands[0].Bytes != 4 {
			return 0, false
		}
		switch alone := len(x.Operands) == 1; {
		case x.Mnemonic == "inc" && alone:
			step = 1
		case x.Mnemonic == "dec" && alone:
			step = -1
		case (x.Mnemonic == "add" || x.Mnemonic == "sub") && len(x.Operands) == 2 && x.Operands[1].Kind == assembly.Immediate && x.Operands[1].Symbol == "":
			if step = x.Operands[1].Value; x.Mnemonic == "sub" {
				step = -step
			}
		}
		if step == 0 || step != int64(int32(step)) {
			return 0, false
		}
	}
	return step, step != 0
}

// table is the recorder's struct fr_loop.
func (l *loop) table(number int) string {
	narrow := 0
	if l.narrow {
		narrow = 1
	}
	var b strings.Builder
	fmt.Fprintf(&b, ".Lfr_loop%d:\n\t.quad %d, %d", number, l.step, narrow)
	for _, s := range l.strides {
		fmt.Fprintf(&b, ", %d", s)
	}
	return b.String() + "\n"
}
