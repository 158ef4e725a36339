package instrument

import (
	"maps"
	"slices"
	"strings"
)

// Even a program that does not ask may depend on the number of its threads: what each of them does to data that all share is done as often as there
// are threads. Harmless are writes that leave the same however often they are done, and sums of what worksharing loops gave each thread. Other nodes of the graph, which lead from a function to those that call it and from the body of a parallel region to
// what matters: "e" function: what it does there is of that kind; "w" function parameter: it does so to what a parameter points to; "k"
// function: it leaves data of the thread's own to the next iteration.

// What such places are called where others are calls.
const (
	Addition    = "every thread adds to shared data"
	Change      = "every thread changes shared data"
	MakesTasks  = "every thread makes tasks"
	CallsOthers = "every thread calls code that is not followed"
	Repeats     = "every thread goes through what it gathered"
	Carries     = "an iteration uses what another one left in the thread's own data"
)

// ofTeams tells them from questions.
var ofTeams = map[string]bool{Addition: true, Change: true, MakesTasks: true, CallsOthers: true, Repeats: true, Carries: true}

// mostOfTeam bounds the places that are named of one function that is not the body of a parallel region or a task. Chosen: more say nothing new.
const mostOfTeam = 4

// spot is the place of an instruction.
type spot struct{ block, line int }

// teamFlow is of one function.
type teamFlow struct {
	*flowBody
	dealt    map[spot]bool      // those that share work or that one thread runs
	loops    []*sharedLoop      // worksharing loops
	inLoop   map[spot]bool      // their bodies
	last     map[spot]bool      // what the thread of the last iteration runs after them
	at       map[string]spot    // of values
	writes   map[string][]write // to private memory
	given    map[string]bool    // memory that the runtime writes the bounds of pieces to
	control  *control
	phases   *phases
	called   map[spot]bool   // calls, by every thread, of functions that may change shared data
	open     map[spot]bool   // instructions beside which other functions may change shared data
	tainted  map[string]bool // values, and private memory, that come from earlier iterations
	changes  []sharedWrite
	atomics  map[spot]bool
	named    int
	steps    int // of following values
	outlined bool
}

// write is one to private memory: a store, or a call that is given a pointer.
type write struct {
	in    instruction
	at    spot
	value string // with its type; empty where it is not known
}

var (
	beginOne = []string{"__kmpc_for_static_init", "__kmpc_single", "__kmpc_master", "__kmpc_masked"}
	endOne   = []string{"__kmpc_for_static_fini", "__kmpc_end_single", "__kmpc_end_master", "__kmpc_end_masked"}
	// tests for locks: who comes later gets another answer.
	tries = setOf("omp_test_lock omp_test_nest_lock pthread_mutex_trylock pthread_spin_trylock")
)

// calls says whether an instruction calls a function whose name begins so.
func calls(in instruction, prefixes ...string) bool {
	if !in.isCall() {
		return false
	}
	name, _ := callee(in.rest)
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

func (in *instruction) isCall() bool { return in.opcode == "call" || in.opcode == "invoke" }

// team finds what each thread of a team does that may depend on how many there are.
func (b *flowBody) team() {
	t := &teamFlow{
		flowBody: b, dealt: map[spot]bool{}, inLoop: map[spot]bool{}, last: map[spot]bool{}, called: map[spot]bool{}, at: map[string]spot{}, writes: map[string][]write{}, given: map[string]bool{},
		tainted: map[string]bool{}, atomics: map[spot]bool{}, control: controlOf(b.blocks), outlined: strings.Contains(b.name, ".omp_outlined") || strings.Contains(b.name, ".omp_task_entry"),
	}
	t.each(func(at spot, in instruction) { t.at[in.result] = at })
	t.between()
	t.dispatched()
	t.each(t.written)
	t.lastOnes()
	t.numbered()
	for _, l := range t.loops {
		t.carried(l)
	}
	t.lastLeaks()
	t.carriedByCalls()
	comes := forwardOf(t.blocks, 0, func(int) bool { return true }, nil).reached
	t.each(func(at spot, in instruction) {
		if !t.dealt[at] && comes[at.block] != nil { // not where exceptions lead
			t.act(at, in)
		}
		t.carriers(at, in)
	})
	t.changed()
}

// name adds a place that leads to a node.
func (t *teamFlow) name(what string, in instruction, to string) {
	if t.named++; t.named > mostOfTeam && !t.outlined {
		return
	}
	t.asks = append(t.asks, ask{what, t.placeOf(in)})
	t.edge(askNode(len(t.asks)-1), to)
}

func (t *teamFlow) add(what string, in instruction) { t.name(what, in, "e "+t.flowBody.name) }

// each calls do with every instruction of the function.
func (t *teamFlow) each(do func(at spot, in instruction)) {
	for n, k := range t.blocks {
		for i, in := range k.lines {
			do(spot{n, i}, in)
		}
	}
}

// between marks what may run after a call that begins what one thread runs, or a piece of work, and before one that ends it.
func (t *teamFlow) between() {
	after, before := map[spot]bool{}, map[spot]bool{}
	t.each(func(at spot, in instruction) {
		if calls(in, beginOne...) {
			t.walk(after, at.block, at.line+1, endOne)
		}
	})
	if len(after) == 0 {
		return
	}
	t.each(func(at spot, in instruction) {
		if calls(in, endOne...) {
			t.walkBack(before, at.block, at.line-1, beginOne)
		}
	})
	pieces := map[spot]bool{}
	for at := range after {
		if before[at] {
			t.dealt[at], pieces[at] = true, true
		}
	}
	t.each(func(at spot, in instruction) {
		if calls(in, "__kmpc_for_static_init") {
			marks := map[spot]bool{}
			t.walk(marks, at.block, at.line+1, endOne)
			maps.DeleteFunc(marks, func(at spot, _ bool) bool { return !pieces[at] })
			t.loops = append(t.loops, newSharedLoop(t, at.block, marks))
			maps.Copy(t.inLoop, marks)
		}
	})
}

// walk marks what runs from an instruction on, up to calls of a kind.
func (t *teamFlow) walk(marks map[spot]bool, block, i int, end []string) {
	for ; i < len(t.blocks[block].lines); i++ {
		at := spot{block, i}
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
func (t *teamFlow) walkBack(marks map[spot]bool, block, i int, begin []string) {
	for ; i >= 0; i-- {
		at := spot{block, i}
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

// dispatched finds the loops whose pieces are asked for: the branch on the answer leads into their bodies.
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
		if test.opcode != "icmp" || n == body {
			continue
		}
		marks := map[spot]bool{}
		t.walk(marks, body, 0, []string{"__kmpc_dispatch_next"})
		t.loops = append(t.loops, newSharedLoop(t, body, marks))
		for at := range marks {
			t.dealt[at], t.inLoop[at] = true, true
		}
	}
}

// lastOnes marks what the thread of the last iteration runs.
func (t *teamFlow) lastOnes() {
	for n, k := range t.blocks {
		if len(k.next) < 2 || len(k.lines) == 0 {
			continue
		}
		for _, v := range t.operands(splitList(k.lines[len(k.lines)-1].rest)[0]) {
			test := t.def[v]
			operands := t.operands(test.rest)
			if test.opcode != "icmp" || len(operands) != 1 || t.def[operands[0]].opcode != "load" {
				continue
			}
			if !slices.ContainsFunc(t.loaded(t.def[operands[0]]), func(m string) bool { return t.given[m] }) {
				continue
			}
			for _, g := range t.control.guarded(n) {
				for i := range t.blocks[g].lines {
					t.dealt[spot{g, i}], t.last[spot{g, i}] = true, true
				}
			}
		}
	}
}

// lastLeaks looks for what the last iteration found of an earlier one and gives away (lastprivate).
func (t *teamFlow) lastLeaks() {
	t.each(func(at spot, in instruction) {
		value, p, ok := stored(in)
		if ok && t.last[at] && !t.ownMemory(p) && t.ofEarlier(t.operands(value), map[string]bool{}) {
			t.name(Carries, in, matters)
		}
	})
}

// ofEarlier says whether one of some values comes from an earlier iteration, through values that are computed after the loop as well.
func (t *teamFlow) ofEarlier(values []string, seen map[string]bool) bool {
	return slices.ContainsFunc(values, func(v string) bool {
		if t.tainted[v] || seen[v] {
			return t.tainted[v]
		}
		seen[v] = true
		in := t.def[v]
		if in.opcode == "load" {
			return slices.ContainsFunc(t.loaded(in), func(m string) bool { return t.tainted[m] })
		}
		return !t.inLoop[t.at[v]] && t.ofEarlier(t.operands(in.rest), seen)
	})
}

// numbered marks the blocks that only the thread of one number runs. What that may matter to is followed from the call that asks for the number.
func (t *teamFlow) numbered() {
	for n, k := range t.blocks {
		if len(k.next) != 2 || len(k.lines) == 0 {
			continue
		}
		for _, v := range t.operands(splitList(k.lines[len(k.lines)-1].rest)[0]) {
			test := t.def[v]
			operands := t.operands(test.rest)
			if test.opcode != "icmp" || len(operands) != 1 || !calls(t.def[operands[0]], "omp_get_thread_num") {
				continue
			}
			one, others := k.next[0], k.next[1]
			if strings.HasPrefix(test.rest, "ne ") {
				one, others = others, one
			} else if !strings.HasPrefix(test.rest, "eq ") {
				continue
			}
			apart := func(m int) bool { return m != n }
			alone, shared := forwardOf(t.blocks, one, apart, nil).reached, forwardOf(t.blocks, others, apart, nil).reached
			for g := range alone {
				for i := range t.blocks[g].lines {
					if shared[g] == nil {
						t.dealt[spot{g, i}] = true
					}
				}
			}
		}
	}
}

// private tells memory that each thread has of its own.
func (t *teamFlow) private(memory string) bool {
	return memory[0] == 'a' || t.threadLocal[strings.TrimPrefix(memory, "g ")]
}

// written notes what is written to private memory.
func (t *teamFlow) written(at spot, in instruction) {
	note := func(pointer, value string) {
		memory, _ := t.memory(pointer)
		for _, m := range memory {
			if t.private(m) {
				t.writes[m] = append(t.writes[m], write{in, at, value})
			}
		}
	}
	if value, pointer, ok := stored(in); ok {
		note(pointer, value)
		return
	}
	if !in.isCall() {
		return
	}
	name, list := callee(in.rest)
	args := splitList(list)
	switch {
	case strings.HasPrefix(name, "__kmpc_dispatch_next"), strings.HasPrefix(name, "__kmpc_for_static_init"):
		for _, a := range args {
			_, v, _ := takeTyped(a)
			memory, _ := t.memory(v)
			for _, m := range memory {
				t.given[m] = true
			}
		}
	case t.onlyReads(name, args):
	case blockSet(name) && len(args) > 1:
		_, to, _ := takeTyped(args[0])
		note(to, args[1])
	case blockCopy(name) && len(args) > 1:
		_, to, _ := takeTyped(args[0])
		note(to, "")
	default:
		for _, a := range args {
			if _, v, _ := takeTyped(a); isPointer(a) && !strings.Contains(a, " readonly") && !strings.Contains(a, " readnone") {
				note(v, "")
			}
		}
	}
}

// onlyReads tells calls that change nothing in what they are given.
func (t *teamFlow) onlyReads(name string, args []string) bool {
	return prints[name] || pure[name] || mathCalls[name] && !strings.HasPrefix(name, "sincos") || strings.HasPrefix(name, "__kmpc_") || strings.HasPrefix(name, "llvm.dbg.") ||
		strings.HasPrefix(name, "llvm.lifetime.end") || strings.HasPrefix(name, "llvm.assume") || inserts(name)
}

// stored gives the value, with its type, and the pointer of a store.
func stored(in instruction) (value, pointer string, ok bool) {
	if in.opcode != "store" {
		return "", "", false
	}
	parts := splitList(strings.TrimPrefix(strings.TrimPrefix(in.rest, "atomic "), "volatile "))
	if len(parts) < 2 {
		return "", "", false
	}
	_, p, _ := takeTyped(parts[1])
	return parts[0], p, true
}

// loaded is the memory that a load may read; none where it is not known.
func (t *teamFlow) loaded(in instruction) []string {
	p, _ := loadedFrom(in)
	all, known := t.memory(p)
	if !known {
		return nil
	}
	return all
}

// loadedFrom gives the pointer and the type of a load.
func loadedFrom(in instruction) (pointer, typ string) {
	parts := splitList(strings.TrimPrefix(strings.TrimPrefix(in.rest, "atomic "), "volatile "))
	if in.opcode != "load" || len(parts) < 2 {
		return "", ""
	}
	_, p, _ := takeTyped(parts[1])
	typ, _ = takeType(parts[0])
	return p, typ
}

func (t *teamFlow) ownMemory(p string) bool {
	all, known := t.memory(p)
	return known && len(all) > 0 && !slices.ContainsFunc(all, func(m string) bool { return !t.private(m) })
}
