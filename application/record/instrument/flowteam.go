package instrument

import (
	"slices"
	"strings"
)

// Threads can be counted without asking: where each adds to what all share. It is no matter where what is added comes from a worksharing
// loop or from what one thread runs, whose sum is the same for all numbers of threads. "e" function is the place of those additions, that
// leads on to the functions that call it, and from the body of a parallel region to what matters.

// addition is what such a place is called where others are calls.
const addition = "every thread adds to shared data"

// teamFlow is of one function.
type teamFlow struct {
	*flowBody
	dealt     map[string]bool          // instructions, by position, that share work or that one thread runs
	exclusive map[string]bool          // those under a lock and those that put reductions together
	at        map[string]string        // positions of values
	gathered  map[string]bool          // private memory that is written there
	stores    map[string][]instruction // to private memory
}

var (
	beginShared = []string{"__kmpc_for_static_init", "__kmpc_single", "__kmpc_master", "__kmpc_masked"}
	endShared   = []string{"__kmpc_for_static_fini", "__kmpc_end_single", "__kmpc_end_master", "__kmpc_end_masked"}
	beginAlone  = []string{"__kmpc_critical", "__kmpc_reduce", "omp_set_lock", "omp_set_nest_lock", "pthread_mutex_lock"}
	endAlone    = []string{"__kmpc_end_critical", "__kmpc_end_reduce", "omp_unset_lock", "omp_unset_nest_lock", "pthread_mutex_unlock"}
	// idempotent operations leave the same whoever does them how often.
	idempotent = setOf("and or max min umax umin fmax fmin xchg")
)

// calls says whether an instruction calls a function whose name begins so.
func calls(in instruction, prefixes ...string) bool {
	if in.opcode != "call" && in.opcode != "invoke" {
		return false
	}
	name, _ := callee(in.rest)
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// additions finds them.
func (b *flowBody) additions() {
	t := &teamFlow{flowBody: b, dealt: map[string]bool{}, at: map[string]string{}, gathered: map[string]bool{}, stores: map[string][]instruction{}}
	t.between(t.dealt, beginShared, endShared)
	t.dispatched()
	t.exclusive = map[string]bool{}
	t.between(t.exclusive, beginAlone, endAlone)
	t.each(func(at string, in instruction) { t.at[in.result] = at })
	t.each(t.gather)
	var adding []int
	for n, k := range b.blocks {
		for i, in := range k.lines {
			at := position(n, i)
			switch found, idle := t.adds(at, in); {
			case found && !t.dealt[at] && !idle:
				t.add(in)
			case found:
				adding = append(adding, n)
			}
			t.calledBy(at, in)
		}
	}
	t.firstVisits(adding)
}

func (t *teamFlow) add(in instruction) {
	t.asks = append(t.asks, ask{addition, t.placeOf(in)})
	t.edge(askNode(len(t.asks)-1), "e "+t.name)
}

func position(block, i int) string { return place("", "", block*(1<<20)+i) }

// each calls do with every instruction of the function.
func (t *teamFlow) each(do func(at string, in instruction)) {
	for n, k := range t.blocks {
		for i, in := range k.lines {
			do(position(n, i), in)
		}
	}
}

// between marks what may run after a call of one kind and before one of another.
func (t *teamFlow) between(marks map[string]bool, begin, end []string) {
	after, before := map[string]bool{}, map[string]bool{}
	for n, k := range t.blocks {
		for i, in := range k.lines {
			if calls(in, begin...) {
				t.walk(after, n, i+1, end)
			}
		}
	}
	if len(after) == 0 {
		return
	}
	for n, k := range t.blocks {
		for i, in := range k.lines {
			if calls(in, end...) {
				t.walkBack(before, n, i-1, begin)
			}
		}
	}
	for at := range after {
		if before[at] {
			marks[at] = true
		}
	}
}

// walk marks what runs from an instruction on, up to calls of a kind.
func (t *teamFlow) walk(marks map[string]bool, block, i int, end []string) {
	for ; i < len(t.blocks[block].lines); i++ {
		at := position(block, i)
		if marks[at] || calls(t.blocks[block].lines[i], end...) {
			return
		}
		marks[at] = true
	}
	for _, next := range t.blocks[block].next {
		t.walk(marks, next, 0, end)
	}
}

// walkBack marks the instructions before one, up to those that begin something.
func (t *teamFlow) walkBack(marks map[string]bool, block, i int, begin []string) {
	for ; i >= 0; i-- {
		at := position(block, i)
		if marks[at] || calls(t.blocks[block].lines[i], begin...) {
			return
		}
		marks[at] = true
	}
	for n := range t.blocks {
		if slices.Contains(t.blocks[n].next, block) {
			t.walkBack(marks, n, len(t.blocks[n].lines)-1, begin)
		}
	}
}

// dispatched marks the bodies of loops whose pieces are asked for: they run where there was one.
func (t *teamFlow) dispatched() {
	for n, k := range t.blocks {
		asked := slices.IndexFunc(k.lines, func(in instruction) bool { return calls(in, "__kmpc_dispatch_next") })
		if asked < 0 || len(k.next) != 2 {
			continue
		}
		condition := t.operands(k.lines[len(k.lines)-1].rest)
		if len(condition) == 0 {
			continue
		}
		test := t.def[condition[0]]
		body := k.next[0]
		if strings.HasPrefix(test.rest, "eq ") {
			body = k.next[1]
		}
		if test.opcode == "icmp" && n != body {
			t.walk(t.dealt, body, 0, []string{"__kmpc_dispatch_next"})
		}
	}
}

// private tells memory that each thread has of its own.
func (t *teamFlow) private(memory string) bool {
	return memory[0] == 'a' || t.threadLocal[strings.TrimPrefix(memory, "g ")]
}

// gather notes what is written to private memory, and what of it where work is shared.
func (t *teamFlow) gather(at string, in instruction) {
	parts := splitList(in.rest)
	var written []string
	shared := t.dealt[at]
	switch in.opcode {
	case "store":
		if len(parts) < 2 {
			return
		}
		_, p, _ := takeTyped(parts[1])
		written, _ = t.memory(p)
		for _, m := range written {
			t.stores[m] = append(t.stores[m], in)
		}
	case "call", "invoke":
		name, list := callee(in.rest)
		shared = (shared || t.shares[name]) && !strings.HasPrefix(name, "__kmpc_") && !strings.HasPrefix(name, "llvm.lifetime")
		for _, a := range splitList(list) {
			_, v, _ := takeTyped(a)
			m, _ := t.memory(v)
			written = append(written, m...)
		}
	}
	for _, m := range written {
		t.gathered[m] = t.gathered[m] || shared && t.private(m)
	}
}

// origin is where a value comes from.
type origin struct {
	dealt       bool // also from where work is shared
	own         bool // also from a variable of the thread
	loads       []instruction
	values, mem map[string]bool
}

// originOf is where the values in a text come from.
func (t *teamFlow) originOf(text string) *origin {
	o := &origin{values: map[string]bool{}, mem: map[string]bool{}}
	for _, v := range t.operands(text) {
		t.trace(o, v)
	}
	return o
}

// trace follows a value back to where it comes from.
func (t *teamFlow) trace(o *origin, v string) {
	if o.values[v] {
		return
	}
	o.values[v] = true
	in, ok := t.def[v]
	if !ok {
		return
	}
	name, _ := callee(in.rest)
	if called := in.opcode == "call" || in.opcode == "invoke"; t.dealt[t.at[v]] || called && t.shares[name] {
		o.dealt = true
	}
	if in.opcode == "call" || in.opcode == "invoke" {
		o.dealt = o.dealt || slices.ContainsFunc(t.operands(in.rest), t.pointsToGathered)
	}
	if in.opcode == "load" {
		o.loads = append(o.loads, in)
		t.traceLoad(o, in)
	}
	for _, from := range t.operands(in.rest) {
		t.trace(o, from)
	}
}

// traceLoad follows what is loaded to what was stored there.
func (t *teamFlow) traceLoad(o *origin, in instruction) {
	for _, m := range t.loaded(in) {
		if o.mem[m] || !t.private(m) {
			continue
		}
		o.mem[m] = true
		o.dealt = o.dealt || t.gathered[m]
		o.own = o.own || m[0] == 'g'
		for _, s := range t.stores[m] {
			for _, v := range t.operands(splitList(s.rest)[0]) {
				t.trace(o, v)
			}
		}
	}
}

// loaded is the memory that a load may read; none where it is not known.
func (t *teamFlow) loaded(in instruction) []string {
	parts := splitList(strings.TrimPrefix(strings.TrimPrefix(in.rest, "atomic "), "volatile "))
	if len(parts) < 2 {
		return nil
	}
	_, p, _ := takeTyped(parts[1])
	all, known := t.memory(p)
	if !known {
		return nil
	}
	return all
}

// adds tells what changes shared data by what they were, and whether that comes from where work is shared.
func (t *teamFlow) adds(at string, in instruction) (found, gathered bool) {
	parts := splitList(strings.TrimPrefix(in.rest, "volatile "))
	switch in.opcode {
	case "atomicrmw":
		operation, rest, _ := strings.Cut(parts[0], " ")
		_, p, _ := takeTyped(rest)
		return len(parts) > 1 && !t.ownMemory(p) && (!idempotent[operation] || t.used(in.result)), len(parts) > 1 && t.originOf(parts[1]).dealt
	case "cmpxchg":
		_, p, _ := takeTyped(strings.TrimPrefix(parts[0], "weak "))
		return len(parts) > 2 && !t.ownMemory(p), len(parts) > 2 && t.originOf(parts[2]).dealt
	case "store":
		if !t.exclusive[at] || len(parts) < 2 {
			return false, false
		}
		_, p, _ := takeTyped(parts[1])
		o := t.originOf(parts[0])
		return !t.ownMemory(p) && slices.ContainsFunc(o.loads, func(l instruction) bool { return t.exclusive[t.at[l.result]] && t.mayBe(p, l) }), o.dealt
	case "call", "invoke":
		name, list := callee(in.rest)
		if !t.exclusive[at] || name == "" || t.harmlessCall(name, splitList(list)) {
			return false, false
		}
		return true, t.given(list)
	}
	return false, false
}

func (t *teamFlow) ownMemory(p string) bool {
	all, known := t.memory(p)
	return known && !slices.ContainsFunc(all, func(m string) bool { return !t.private(m) })
}

// mayBe says whether a load may read what a pointer points to.
func (t *teamFlow) mayBe(p string, load instruction) bool {
	to, known := t.memory(p)
	from := t.loaded(load)
	return !known || len(from) == 0 || slices.ContainsFunc(to, func(m string) bool { return slices.Contains(from, m) })
}

func (t *teamFlow) used(v string) bool {
	found := false
	t.each(func(_ string, in instruction) { found = found || slices.Contains(t.operands(in.rest), v) })
	return found
}

func (t *teamFlow) harmlessCall(name string, args []string) bool {
	return t.onlyTells(name, args) || allocates[name] || blockCopy(name) || blockSet(name) || calls(instruction{opcode: "call", rest: "@" + name + "()"}, "__kmpc_", "omp_", "pthread_")
}

// given says whether arguments bring what comes from where work is shared.
func (t *teamFlow) given(list string) bool {
	if t.originOf(list).dealt {
		return true
	}
	return slices.ContainsFunc(t.operands(list), t.pointsToGathered)
}

func (t *teamFlow) pointsToGathered(v string) bool {
	memory, _ := t.memory(v)
	return slices.ContainsFunc(memory, func(m string) bool { return t.gathered[m] })
}

// calledBy says that what a function adds is added by this one, where each thread calls it with what is the same for all.
func (t *teamFlow) calledBy(at string, in instruction) {
	if in.opcode != "call" && in.opcode != "invoke" || t.dealt[at] {
		return
	}
	name, list := callee(in.rest)
	switch {
	case strings.HasPrefix(name, "__kmpc_fork_call"):
		if args := splitList(list); len(args) > 2 {
			for _, body := range globals(args[2]) {
				t.edge("e "+body, matters)
			}
		}
	case name != "" && !t.harmlessCall(name, splitList(list)) && !t.given(list):
		t.edge("e "+name, "e "+t.name)
	}
}

// firstVisits finds additions that a variable of the thread decides on: each thread comes by once.
func (t *teamFlow) firstVisits(adding []int) {
	if len(adding) == 0 || len(t.threadLocal) == 0 {
		return
	}
	for n, k := range t.blocks {
		if len(k.next) < 2 || !t.originOf(k.lines[len(k.lines)-1].rest).own {
			continue
		}
		for _, a := range adding {
			if t.reaches(k.next[0], a, n) != t.reaches(k.next[1], a, n) {
				t.add(t.blocks[a].lines[0])
			}
		}
	}
}

// reaches says whether a way leads from one block to another that does not come by a third.
func (t *teamFlow) reaches(from, to, without int) bool {
	seen := map[int]bool{without: true}
	var visit func(int) bool
	visit = func(n int) bool {
		if n == to {
			return true
		}
		if seen[n] {
			return false
		}
		seen[n] = true
		return slices.ContainsFunc(t.blocks[n].next, visit)
	}
	return visit(from)
}
