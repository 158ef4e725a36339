package instrument

import (
	"slices"
	"strings"
)

// An iteration of a worksharing loop may find what an earlier one left in data of the thread's own: a generator of random numbers, a list
// that grows. Which one that was depends on how many threads there are. It is harmless where it is only gathered – added up, compared
// to find the largest – and matters where it gets to shared data, to an address, to a call or to a branch that decides on more than that.

// sharedLoop is the body of a worksharing loop, or a function that may be called in one.
type sharedLoop struct {
	in      map[int]bool  // blocks
	marks   map[spot]bool // instructions; nil: all of them
	order   *forward
	carried []string // values at its head, from one piece to the next
	whole   bool     // it is a whole function
}

// newSharedLoop takes the instructions of the body up to the call that asks for the next piece.
func newSharedLoop(t *teamFlow, body int, marks map[spot]bool) *sharedLoop {
	l := &sharedLoop{in: map[int]bool{}, marks: marks}
	heads := map[int]bool{}
	for at := range marks {
		l.in[at.block] = true
		if slices.ContainsFunc(t.blocks[at.block].lines, func(in instruction) bool { return calls(in, "__kmpc_dispatch_next") }) {
			heads[at.block] = true
		}
	}
	for h := range heads {
		for _, in := range t.blocks[h].lines {
			if in.opcode == "phi" && t.varies(in, marks) {
				l.carried = append(l.carried, in.result)
			}
		}
	}
	l.order = forwardOf(t.blocks, body, func(n int) bool { return l.in[n] }, heads)
	return l
}

// varies says whether a phi is neither of one value, a constant or itself, nor undefined at the begin, where each iteration sets what it uses.
func (t *teamFlow) varies(phi instruction, loop map[spot]bool) bool {
	begun := false
	seen, found := map[string]bool{phi.result: true}, map[string]bool{}
	for queue := []instruction{phi}; len(queue) > 0; queue = queue[1:] {
		for _, v := range t.choices(queue[0]) {
			switch {
			case seen[v] || v == "undef" || v == "poison":
			case t.def[v].opcode == "phi":
				queue = append(queue, t.def[v])
			default:
				found[v] = true
				begun = begun || isConstant(v) || !loop[t.at[v]]
			}
			seen[v] = true
		}
	}
	return len(found) > 1 && begun
}

// carried follows what comes from earlier iterations through a loop.
func (t *teamFlow) carried(l *sharedLoop) {
	for _, v := range l.carried {
		t.tainted[v] = true
	}
	for changed := true; changed; {
		before := len(t.tainted)
		t.eachIn(l, func(at spot, in instruction) {
			if in.result != "" && !t.tainted[in.result] && t.takes(l, at, in) {
				t.tainted[in.result] = true
			}
			t.leave(in)
		})
		t.decided(l)
		changed = len(t.tainted) > before
	}
	to := matters
	if l.whole {
		to = "k " + t.flowBody.name
	}
	done := false
	t.eachIn(l, func(at spot, in instruction) {
		if !done && t.leaks(l, at, in) {
			t.name(Carries, in, to)
			done = true
		}
	})
}

func (t *teamFlow) eachIn(l *sharedLoop, do func(at spot, in instruction)) {
	for n, k := range t.blocks {
		for i := 0; l.in[n] && i < len(k.lines); i++ {
			if at := (spot{n, i}); l.marks == nil || l.marks[at] {
				do(at, k.lines[i])
			}
		}
	}
}

// takes says whether the result of an instruction comes from earlier iterations.
func (t *teamFlow) takes(l *sharedLoop, at spot, in instruction) bool {
	if in.opcode == "load" {
		p, _ := loadedFrom(in)
		memory, _ := t.memory(p)
		return slices.ContainsFunc(memory, func(m string) bool { return t.private(m) && (t.tainted[m] || t.kept(l, at, m)) }) ||
			t.tainted[p]
	}
	if in.isCall() {
		name, _ := callee(in.rest)
		if strings.HasPrefix(name, "__kmpc_") {
			return false
		}
	}
	return slices.ContainsFunc(t.operands(in.rest), func(v string) bool { return t.tainted[v] })
}

// kept says whether what is read of the thread's own memory may come from an earlier iteration: it is written in the loop but not before the read, or another function may write it, or other
// modules see it.
func (t *teamFlow) kept(l *sharedLoop, at spot, m string) bool {
	if l.whole && m[0] == 'a' {
		return false // gone when the function returns
	}
	found := l.whole && !t.local[strings.TrimPrefix(m, "g ")]
	for _, w := range t.writes[m] {
		switch {
		case !l.in[w.at.block]:
		case l.order.before(w.at, at):
			return false
		default:
			found = true
		}
	}
	return found || t.changedElsewhere(strings.TrimPrefix(m, "g "))
}

// changedElsewhere says whether another function may change a thread-local variable.
func (t *teamFlow) changedElsewhere(variable string) bool {
	return slices.ContainsFunc(t.changesOwn[variable], func(function string) bool { return function != t.flowBody.name })
}

// leave notes private memory that something from earlier iterations is written to.
func (t *teamFlow) leave(in instruction) {
	value, p, ok := stored(in)
	if !ok || !slices.ContainsFunc(t.operands(value), func(v string) bool { return t.tainted[v] }) {
		return
	}
	memory, _ := t.memory(p)
	for _, m := range memory {
		if t.private(m) {
			t.tainted[m] = true
		}
	}
}

// decided finds what branches on such values choose.
func (t *teamFlow) decided(l *sharedLoop) {
	for n := range l.in {
		if !t.branchesOnTainted(n) {
			continue
		}
		from := append(t.control.guarded(n), n)
		for m := range l.in {
			for _, in := range t.blocks[m].lines {
				if in.opcode == "phi" && slices.ContainsFunc(from, func(f int) bool { return slices.Contains(t.blocks[f].next, m) }) {
					t.tainted[in.result] = true
				}
			}
		}
		for _, g := range from[:len(from)-1] {
			for _, in := range t.blocks[g].lines {
				if _, p, ok := stored(in); ok {
					memory, _ := t.memory(p)
					for _, m := range memory {
						t.tainted[m] = t.tainted[m] || t.private(m)
					}
				}
			}
		}
	}
}

func (t *teamFlow) branchesOnTainted(n int) bool {
	lines := t.blocks[n].lines
	if len(t.blocks[n].next) < 2 || len(lines) == 0 || lines[len(lines)-1].opcode == "invoke" {
		return false
	}
	return slices.ContainsFunc(t.operands(splitList(lines[len(lines)-1].rest)[0]), func(v string) bool { return t.tainted[v] })
}

// leaks says whether an instruction passes a value of an earlier iteration on to anything but what is gathered.
func (t *teamFlow) leaks(l *sharedLoop, at spot, in instruction) bool {
	is := func(v string) bool { return t.tainted[v] }
	switch in.opcode {
	case "store":
		value, p, _ := stored(in)
		return is(p) || slices.ContainsFunc(t.operands(value), is) && !t.ownMemory(p)
	case "load":
		p, _ := loadedFrom(in)
		return is(p)
	case "atomicrmw", "cmpxchg", "callbr", "ret":
		return slices.ContainsFunc(t.operands(in.rest), is)
	case "call", "invoke":
		return t.callLeaks(l, at, in)
	case "br", "switch", "indirectbr":
		return t.branchesOnTainted(at.block) && slices.ContainsFunc(t.control.guarded(at.block), func(g int) bool {
			return l.in[g] && (g == at.block || slices.ContainsFunc(t.blocks[g].lines, t.works)) // a loop, or work
		})
	}
	return false
}

// works tells instructions with an effect outside the thread's own memory.
func (t *teamFlow) works(in instruction) bool {
	switch in.opcode {
	case "load":
		p, _ := loadedFrom(in)
		return !t.ownMemory(p)
	case "store":
		_, p, _ := stored(in)
		return !t.ownMemory(p)
	case "atomicrmw", "cmpxchg", "callbr", "fence", "ret":
		return true
	case "call", "invoke":
		name, list := callee(in.rest)
		return !strings.HasPrefix(name, "llvm.") && !pure[name] && !mathCalls[name] || !t.onlyTells(name, splitList(list))
	}
	return false
}

// callLeaks is leaks of calls: what is given to a function that only computes reaches nothing but its result.
func (t *teamFlow) callLeaks(l *sharedLoop, at spot, in instruction) bool {
	name, list := callee(in.rest)
	args := splitList(list)
	if strings.HasPrefix(name, "__kmpc_") || strings.HasPrefix(name, "llvm.lifetime") || strings.HasPrefix(name, "llvm.dbg.") || idle[name] {
		return false
	}
	if strings.HasPrefix(name, "_ZTW") { // the address of a thread-local variable
		return true
	}
	tells := pure[name] || mathCalls[name] || strings.HasPrefix(name, "llvm.") && !blockCopy(name) && !blockSet(name)
	for i, a := range args {
		_, v, _ := takeTyped(a)
		if t.tainted[v] && !tells {
			return true
		}
		if !isPointer(a) || tells || prints[name] || t.reads[name][i] {
			continue
		}
		memory, _ := t.memory(v)
		if i == 0 && (blockCopy(name) || blockSet(name)) {
			continue
		}
		if slices.ContainsFunc(memory, func(m string) bool { return t.private(m) && t.keptFor(l, at, m) }) {
			return true
		}
	}
	return false
}

// keptFor is kept of memory that a function is given, which may read it before it writes it; memory that the iteration allocates is new each time.
func (t *teamFlow) keptFor(l *sharedLoop, at spot, m string) bool {
	if in, ok := t.def[m[strings.LastIndexByte(m, ' ')+1:]]; ok && in.opcode != "alloca" && l.in[t.at[in.result].block] {
		return false // allocated in the iteration
	}
	return t.kept(l, at, m)
}

// carriedByCalls looks for thread-local variables in functions that iterations may call.
func (t *teamFlow) carriedByCalls() {
	if len(t.loops) > 0 || !t.ownVariables() {
		return
	}
	l := &sharedLoop{in: map[int]bool{}, whole: true}
	for n := range t.blocks {
		l.in[n] = true
	}
	l.order = forwardOf(t.blocks, 0, func(int) bool { return true }, nil)
	t.carried(l)
}

// ownVariables says whether a function uses thread-local variables.
func (t *teamFlow) ownVariables() bool {
	found := false
	t.each(func(_ spot, in instruction) {
		found = found || slices.ContainsFunc(globals(in.rest), func(g string) bool { return t.threadLocal[g] || strings.HasPrefix(g, "_ZTW") })
	})
	return found
}

// carriers says that what a function leaves in the thread's own data is left by the iteration, or the task, that calls it.
func (t *teamFlow) carriers(at spot, in instruction) {
	if !in.isCall() {
		return
	}
	name, list := callee(in.rest)
	switch {
	case strings.HasPrefix(name, "__kmpc_omp_task_alloc"):
		for _, entry := range globals(list) {
			t.edge("k "+entry, matters)
		}
	case name == "" || strings.HasPrefix(name, "__kmpc_") || strings.HasPrefix(name, "llvm."):
	case t.inLoop[at]:
		t.edge("k "+name, matters)
	default:
		t.edge("k "+name, "k "+t.flowBody.name)
	}
}
