package instrument

import (
	"slices"
	"strings"
)

// mostSteps bounds how far values of one function are followed; beyond, what is done with them is taken to matter. Chosen, not
// measured: no function of the kernels reaches it, all of which are dealt.
const mostSteps = 4 << 20

// memoryPlace is memory that may be shared: a place as memory gives it, or "?" where it is not known, and the kind of what is there.
type memoryPlace struct{ memory, kind string }

// sources are what a value comes from.
type sources struct {
	gathered bool // what iterations, or one thread, left
	own      bool // what differs from thread to thread: an address, a thread-local variable
	loads    map[memoryPlace][]spot
	seen     map[string]bool
}

func newSources() *sources {
	return &sources{loads: map[memoryPlace][]spot{}, seen: map[string]bool{}}
}

// reads adds a place of shared memory, read by an instruction.
func (s *sources) reads(p memoryPlace, at spot) { s.loads[p] = append(s.loads[p], at) }

// from adds what the values in a text come from.
func (t *teamFlow) from(s *sources, text string) {
	for _, g := range globals(text) {
		s.own = s.own || t.threadLocal[g]
	}
	for _, v := range t.operands(text) {
		t.trace(s, v)
	}
}

// trace adds what a value comes from.
func (t *teamFlow) trace(s *sources, v string) {
	if t.steps++; s.seen[v] || t.steps > mostSteps {
		s.own = s.own || t.steps > mostSteps
		return
	}
	s.seen[v] = true
	in, ok := t.def[v]
	if !ok { // a parameter: of a region the same for all threads
		s.own = s.own || !t.outlined
		return
	}
	if t.dealt[t.at[v]] {
		s.gathered = true
		return
	}
	switch in.opcode {
	case "alloca":
		s.own = true
	case "load":
		t.traceLoad(s, in)
	case "call", "invoke":
		t.traceCall(s, in)
	case "phi":
		for _, c := range t.choices(in) {
			t.from(s, c)
		}
		t.decidedBy(s, t.at[v].block)
	case "cmpxchg", "atomicrmw": // what they do is looked at by itself
	default:
		t.from(s, in.rest)
	}
}

// decidedBy adds what the branches before a block decide by.
func (t *teamFlow) decidedBy(s *sources, block int) {
	for _, n := range t.control.all(block) {
		lines := t.blocks[n].lines
		if last := lines[len(lines)-1]; last.opcode != "invoke" && !t.dealt[spot{n, len(lines) - 1}] {
			t.from(s, splitList(last.rest)[0])
		}
	}
}

// traceLoad adds what may have been stored where a load reads.
func (t *teamFlow) traceLoad(s *sources, in instruction) {
	p, typ := loadedFrom(in)
	memory, known := t.memory(p)
	shared := !known
	for _, m := range memory {
		if !t.private(m) {
			s.reads(memoryPlace{m, kindOf(typ)}, t.at[in.result])
			shared = true
			continue
		}
		s.own = s.own || m[0] == 'g'
		if s.seen[m] {
			continue
		}
		s.seen[m] = true
		for _, w := range t.writes[m] {
			s.gathered = s.gathered || t.dealt[w.at]
			t.from(s, w.value)
			t.decidedBy(s, w.at.block)
		}
	}
	if !known {
		s.reads(memoryPlace{"?", kindOf(typ)}, t.at[in.result])
	}
	if shared { // which address it is
		t.address(s, p)
	}
}

// address adds what an address comes from, where it is not memory of the thread's own. Callers know what a parameter points to.
func (t *teamFlow) address(s *sources, p string) {
	in, ok := t.def[p]
	switch {
	case !ok && strings.HasPrefix(p, "%"), in.opcode == "alloca":
	case in.opcode == "getelementptr":
		t.from(s, strings.Join(splitList(in.rest)[2:], ", "))
		t.address(s, addressed(in))
	case in.opcode == "bitcast":
		t.address(s, addressed(in))
	default:
		t.from(s, p)
	}
}

// traceCall adds what a function gives.
func (t *teamFlow) traceCall(s *sources, in instruction) {
	name, list := callee(in.rest)
	switch {
	case allocates[name]:
		s.own = true
	case strings.HasPrefix(name, "__kmpc_"), idle[name]:
	case strings.HasPrefix(name, "llvm.threadlocal.address"), strings.HasPrefix(name, "_ZTW"):
		s.own = true
	default:
		t.from(s, list)
		for _, a := range splitList(list) {
			if _, v, _ := takeTyped(a); isPointer(a) {
				memory, _ := t.memory(v)
				s.gathered = s.gathered || slices.ContainsFunc(memory, t.gatheredIn)
				for _, p := range t.sharedPlaces(v, "i8") {
					s.reads(p, t.at[in.result])
				}
			}
		}
		if !pure[name] && !mathCalls[name] && !strings.HasPrefix(name, "llvm.") {
			s.reads(memoryPlace{"?", "any"}, t.at[in.result]) // it may look at any variable
		}
	}
}

// gatheredIn says whether iterations write to the thread's own memory.
func (t *teamFlow) gatheredIn(m string) bool {
	return t.private(m) && slices.ContainsFunc(t.writes[m], func(w write) bool { return t.dealt[w.at] })
}

// kindOf is the kind of what is at a place, as far as memory of one kind is not read as another.
func kindOf(typ string) string {
	for {
		_, element := lanes(typ)
		if element == typ {
			break
		}
		typ = element
	}
	switch {
	case strings.HasSuffix(typ, "*"), typ == "ptr", typ == "i64":
		return "word" // the optimiser copies pointers as numbers
	case typ == "double", typ == "float", strings.HasPrefix(typ, "i") && typ != "i8":
		return typ
	}
	return "any"
}

// mayBe says whether two places may be one.
func (t *teamFlow) mayBe(a, b memoryPlace) bool {
	if a.memory == b.memory && a.memory != "?" {
		return true
	}
	unknown := func(p memoryPlace) bool { return p.memory == "?" || p.memory[0] == 'q' && !t.outlined }
	return (unknown(a) || unknown(b)) && (a.kind == b.kind || a.kind == "any" || b.kind == "any")
}

// meets says whether a store may come, in one thread, between the reads of some places in others: no barrier parts it from one of them.
func (t *teamFlow) meets(w *sharedWrite, s *sources) bool {
	for place, all := range s.loads {
		if !slices.ContainsFunc(w.to, func(p memoryPlace) bool { return t.mayBe(p, place) }) {
			continue
		}
		if slices.ContainsFunc(all, func(at spot) bool { return t.phases.together(w.at, at) }) {
			return true
		}
	}
	return false
}

// sharedPlaces are those, of no thread alone, that a pointer may point to.
func (t *teamFlow) sharedPlaces(p, typ string) []memoryPlace {
	memory, known := t.memory(p)
	var all []memoryPlace
	for _, m := range memory {
		if !t.private(m) {
			all = append(all, memoryPlace{m, kindOf(typ)})
		}
	}
	if !known {
		all = append(all, memoryPlace{"?", kindOf(typ)})
	}
	return all
}
