package rewrite

import (
	"bytes"
	"fmt"

	"foresee/application/assembly"
)

// emitter writes the code of a point. It borrows registers, which it keeps on the stack, below what the function uses; where the flags are needed, it
// uses instructions alone that do not touch them.
type emitter struct {
	text    bytes.Buffer
	pic     bool
	words   []word
	scratch []assembly.Register
	number  int // of the segment in its module
}

func (e *emitter) line(format string, args ...any) { fmt.Fprintf(&e.text, "\t"+format+"\n", args...) }

// bytesOfSegment is the size of the recorder's struct fr_segment.
const bytesOfSegment = 32

// enter borrows the registers that are needed.
func (e *emitter) enter(p *point) {
	e.line("leaq -%d(%%rsp), %%rsp", shift)
	for i, r := range e.scratch[:e.needed(p)] {
		e.line("movq %s, %d(%%rsp)", nameOf(r), 8*i)
	}
}

// leave gives them back.
func (e *emitter) leave(p *point) {
	for i, r := range e.scratch[:e.needed(p)] {
		e.line("movq %d(%%rsp), %s", 8*i, nameOf(r))
	}
	e.line("leaq %d(%%rsp), %%rsp", shift)
}

// needed is how many registers a point borrows.
func (e *emitter) needed(p *point) int {
	for _, k := range p.words {
		if e.words[k].at.thread {
			return wanted
		}
	}
	return wanted - 1
}

// cursor loads where the log ends.
func (e *emitter) cursor() {
	end := nameOf(e.scratch[0])
	if e.pic {
		e.line("movq fr_cursor@GOTPCREL(%%rip), %s", end)
		e.line("movq (%s), %s", end, end)
		return
	}
	e.line("movq fr_cursor(%%rip), %s", end)
}

// head begins a segment: it makes room where the log is full, and logs the segment and those words that are known.
func (e *emitter) head(p *point, told []bool, flags bool) {
	end, value := nameOf(e.scratch[0]), nameOf(e.scratch[1])
	e.enter(p)
	if flags { // popfq takes some twenty cycles, but few segments begin between a comparison and its use
		e.line("pushfq")
	}
	e.cursor()
	if e.pic {
		e.line("movq fr_limit@GOTPCREL(%%rip), %s", value)
		e.line("cmpq (%s), %s", value, end)
	} else {
		e.line("cmpq fr_limit(%%rip), %s", end)
	}
	e.line("jb .Lfr_room%d", e.number)
	e.line("call fr_flush@PLT")
	e.cursor()
	fmt.Fprintf(&e.text, ".Lfr_room%d:\n", e.number)
	if flags {
		e.line("popfq")
	}
	e.line("leaq .Lfr_segments+%d(%%rip), %s", bytesOfSegment*e.number, value)
	e.line("movq %s, (%s)", value, end)
	for k, ok := range told {
		if !ok {
			e.line("movq $0, %d(%s)", 8*(k+1), end)
		}
	}
	for _, k := range p.words {
		e.put(k, 8*(k+1))
	}
	e.line("leaq %d(%s), %s", 8*(len(e.words)+1), end, end)
	if e.pic {
		e.line("movq fr_cursor@GOTPCREL(%%rip), %s", value)
		e.line("movq %s, (%s)", end, value)
	} else {
		e.line("movq %s, fr_cursor(%%rip)", end)
	}
	e.leave(p)
}

// later logs words in the midst of a segment, behind whose words the log ends.
func (e *emitter) later(p *point) {
	e.enter(p)
	e.cursor()
	for _, k := range p.words {
		e.put(k, 8*(k-len(e.words)))
	}
	e.leave(p)
}

// put logs a word so many bytes from the log's end.
func (e *emitter) put(k, bytes int) {
	w := &e.words[k]
	end, value := nameOf(e.scratch[0]), nameOf(e.scratch[1])
	switch {
	case w.ofLength && w.unit == 1:
		e.line("movq %s, %d(%s)", nameOf(w.length), bytes, end)
		return
	case w.ofLength:
		e.line("leaq 0(,%s,%d), %s", nameOf(w.length), w.unit, value)
	default:
		e.line("leaq %s, %s", w.address(), value)
	}
	if w.at.thread && !w.ofLength { // the first word of a thread's data is their address
		own := nameOf(e.scratch[wanted-1])
		e.line("movq %%fs:0, %s", own)
		e.line("leaq (%s,%s), %s", own, value, value)
	}
	e.line("movq %s, %d(%s)", value, bytes, end)
}
