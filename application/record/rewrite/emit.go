package rewrite

import (
	"bytes"
	"fmt"
	"slices"

	"foresee/application/assembly"
)

// emitter writes the code of a point. It borrows registers: those that nothing needs any more as they are, others it keeps on the stack, below what the
// function uses. The flags are kept where they are needed.
type emitter struct {
	text    bytes.Buffer
	pic     bool
	words   []word
	scratch []assembly.Register
	needed  registerSet // registers that code behind needs
	number  int         // of the segment in its module
	moved   bool        // the stack pointer is
	atomic  bool        // the segment has an atomic operation: others may run before it
	flags   bool        // code behind needs the flags
}

func (e *emitter) line(format string, args ...any) { fmt.Fprintf(&e.text, "\t"+format+"\n", args...) }

// bytesOfSegment is the size of the recorder's struct fr_segment.
const bytesOfSegment = 40

// enter borrows so many registers; flags says that code keeps the flags on the stack as well.
func (e *emitter) enter(borrowed int, flags bool) {
	all := e.scratch[:borrowed]
	e.moved = flags || slices.ContainsFunc(all, e.needed.has)
	if e.moved {
		e.line("leaq -%d(%%rsp), %%rsp", shift)
	}
	for i, r := range all {
		if e.needed.has(r) {
			e.line("movq %s, %d(%%rsp)", nameOf(r), 8*i)
		}
	}
}

// leave gives them back.
func (e *emitter) leave(borrowed int) {
	for i, r := range e.scratch[:borrowed] {
		if e.needed.has(r) {
			e.line("movq %d(%%rsp), %s", 8*i, nameOf(r))
		}
	}
	if e.moved {
		e.line("leaq %d(%%rsp), %%rsp", shift)
	}
}

// borrowed is how many registers a point borrows.
func (e *emitter) borrowed(p *point) int {
	for _, k := range p.words {
		if e.words[k].at.thread {
			return wanted
		}
	}
	if e.masked(p) {
		return wanted
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

// room makes sure that the log has room for a segment: where it has none, which is seldom, code behind the function's has it written out.
func (e *emitter) room() {
	end, value := nameOf(e.scratch[0]), nameOf(e.scratch[1])
	limit := "fr_limit"
	if e.atomic {
		limit = "fr_soon"
	}
	if e.pic {
		e.line("movq %s@GOTPCREL(%%rip), %s", limit, value)
		e.line("cmpq (%s), %s", value, end)
	} else {
		e.line("cmpq %s(%%rip), %s", limit, end)
	}
	e.line("jae .Lfr_full%d", e.number)
	fmt.Fprintf(&e.text, ".Lfr_room%d:\n", e.number)
	e.line(".subsection 1")
	fmt.Fprintf(&e.text, ".Lfr_full%d:\n", e.number)
	if !e.moved {
		e.line("leaq -%d(%%rsp), %%rsp", shift)
	}
	if e.pic { // not by the linker's code that binds it at the first call, which changes registers
		e.line("call *fr_flush@GOTPCREL(%%rip)")
	} else {
		e.line("call fr_flush@PLT")
	}
	if !e.moved {
		e.line("leaq %d(%%rsp), %%rsp", shift)
	}
	e.cursor()
	e.line("jmp .Lfr_room%d", e.number)
	e.line(".subsection 0")
}

// head begins a segment: it makes room where the log is full, and logs the segment and those words that are known, and of a loop what counts its
// iterations.
func (e *emitter) head(p *point, told []bool, l *loop) {
	end, value := nameOf(e.scratch[0]), nameOf(e.scratch[1])
	borrowed := e.borrowed(p)
	e.enter(borrowed, e.flags)
	if e.flags { // popfq takes some twenty cycles, but few segments begin between a comparison and its use
		e.line("pushfq")
	}
	e.cursor()
	e.room()
	if e.flags {
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
	size := 8 * (len(e.words) + 1)
	if l != nil {
		e.line("movq %s, %d(%s)", nameOf(l.counts), size, end)
		e.line("leaq %d(%s), %s", l.step, nameOf(l.counts), value)
		e.line("movq %s, %d(%s)", value, size+8, end)
		size += 16
	}
	e.line("leaq %d(%s), %s", size, end, end)
	if e.pic {
		e.line("movq fr_cursor@GOTPCREL(%%rip), %s", value)
		e.line("movq %s, (%s)", end, value)
	} else {
		e.line("movq %s, fr_cursor(%%rip)", end)
	}
	e.leave(borrowed)
}

// later logs words in the midst of a segment, behind whose words the log ends.
func (e *emitter) later(p *point) {
	borrowed := e.borrowed(p)
	e.enter(borrowed, e.flags && e.masked(p))
	e.cursor()
	for _, k := range p.words {
		e.put(k, 8*(k-len(e.words)))
	}
	e.leave(borrowed)
}

// left logs behind a loop what its counting register has become.
func (e *emitter) left(l *loop) {
	e.enter(1, false)
	e.cursor()
	e.line("movq %s, -8(%s)", nameOf(l.counts), nameOf(e.scratch[0]))
	e.leave(1)
}

// put logs a word so many bytes from the log's end.
func (e *emitter) put(k, bytes int) {
	w := &e.words[k]
	end, value := nameOf(e.scratch[0]), nameOf(e.scratch[1])
	switch {
	case w.vector != nil && w.lane > 0: // with the first one
		return
	case w.vector != nil:
		e.gather(k, bytes)
		return
	case w.ofLength && w.unit == 1:
		e.line("movq %s, %d(%s)", nameOf(w.length), bytes, end)
		return
	case w.ofLength:
		e.line("leaq 0(,%s,%d), %s", nameOf(w.length), w.unit, value)
	default:
		e.line("leaq %s, %s", w.address(e.moved), value)
	}
	if w.at.thread && !w.ofLength { // the first word of a thread's data is their address
		own := nameOf(e.scratch[wanted-1])
		e.line("movq %%fs:0, %s", own)
		e.line("leaq (%s,%s), %s", own, value, value)
	}
	e.line("movq %s, %d(%s)", value, bytes, end)
}
