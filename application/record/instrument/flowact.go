package instrument

import (
	"maps"
	"slices"
	"strings"
)

// sharedWrite is a store to data that threads share, outside of worksharing loops.
type sharedWrite struct {
	in             instruction
	at             spot
	value, pointer string
	to             []memoryPlace
	from           *sources // of the value, the address and the branches that decide
}

// mostChanges bounds the stores of a function that are compared with one another; where there are more, all are taken to matter. Chosen: the
// comparison takes their square, and code that each thread runs has few.
const mostChanges = 300

var (
	// repeatable operations leave the same whoever does them how often.
	repeatable = setOf("and or max min umax umin fmax fmin xchg")
	// confined are functions that change nothing but what their first argument points to, and what they give.
	confined = setOf("memcpy memmove memset strcpy strncpy strcat strncat sprintf snprintf vsnprintf qsort rand_r erand48 nrand48 jrand48 srand48_r srandom_r" +
		" bzero sincos sincosf modf frexp clock_gettime gettimeofday memchr memcmp bcmp strdup strtok_r _ZdlPv _ZdlPvm _ZdaPv _ZdaPvm free realloc" +
		" nanosleep usleep sleep sched_yield fflush omp_init_lock omp_destroy_lock omp_init_nest_lock omp_destroy_nest_lock omp_set_lock omp_unset_lock omp_set_nest_lock" +
		" omp_unset_nest_lock pthread_mutex_lock pthread_mutex_unlock pthread_spin_lock pthread_spin_unlock omp_get_level omp_get_wtime omp_get_wtick omp_get_thread_limit" +
		" omp_get_max_active_levels omp_get_nested omp_get_dynamic omp_get_cancellation omp_get_num_teams omp_get_team_num omp_get_schedule omp_in_final omp_get_num_places" +
		" omp_set_num_threads omp_set_nested omp_set_dynamic omp_set_max_active_levels omp_set_schedule" +
		" isnan isinf finite __isnan __isinf")
	// callsBack are those of them that call their last argument.
	callsBack = setOf("qsort bsearch")
	// ends are functions that do not come back, and those of exceptions.
	ends = []string{"exit", "_exit", "abort", "__assert_fail", "_ZSt9terminatev", "_ZSt20__throw", "_ZSt17__throw", "_ZSt28__throw", "_ZSt19__throw", "_ZSt24__throw", "_ZSt25__throw", "__cxa_", "__clang_call_terminate", "_Unwind_Resume", "__stack_chk_fail"}
	// locks are those of them whose argument is shared by what it is for, and that leave it as it was.
	locks = []string{"omp_set_lock", "omp_unset_lock", "omp_set_nest_lock", "omp_unset_nest_lock", "pthread_mutex_", "pthread_spin_", "omp_init_", "omp_destroy_"}
)

// act notes what an instruction that every thread runs does to shared data.
func (t *teamFlow) act(at spot, in instruction) {
	switch in.opcode {
	case "store":
		value, p, _ := stored(in)
		typ, v, _ := takeTyped(value)
		t.change(at, in, v, p, typ)
	case "atomicrmw", "cmpxchg":
		t.atomics[at] = true
	case "callbr":
		t.add(CallsOthers, in)
	case "call", "invoke":
		t.calls(at, in)
	case "br", "switch":
		t.goesRound(at, in)
	}
}

// change notes a store; it is looked at when all are known.
func (t *teamFlow) change(at spot, in instruction, value, pointer, typ string) {
	to := t.sharedPlaces(pointer, typ)
	if len(to) == 0 {
		return
	}
	t.changes = append(t.changes, sharedWrite{in: in, at: at, value: value, pointer: pointer, to: to})
}

// atomic is an operation in one.
func (t *teamFlow) atomic(at spot, in instruction) {
	parts := splitList(strings.TrimPrefix(in.rest, "volatile "))
	if len(parts) < 2 {
		return
	}
	operation, rest, _ := strings.Cut(parts[0], " ")
	_, p, _ := takeTyped(rest)
	typ, v, _ := takeTyped(parts[1])
	if t.ownMemory(p) {
		return
	}
	w := sharedWrite{in: in, at: at, value: v, pointer: p, to: t.sharedPlaces(p, typ)}
	switch {
	case t.used(in.result):
		t.finds(Addition, w)
	case operation == "xchg":
		if !t.same(v) || t.changing(v) || !t.decidesAlike(w) {
			t.finds(Change, w)
		}
	case repeatable[operation]:
		if !t.chosen(v, map[string]bool{}) || !t.decidesAlike(w) {
			t.finds(Change, w)
		}
	case !slices.ContainsFunc(mergings, func(m *merging) bool { return m.operations[operation] && t.gives(m, v) }) || !t.decidesAlike(w):
		t.finds(Addition, w)
	}
}

// exchange is a compare and swap: a loop around it that puts something to what was there.
func (t *teamFlow) exchange(at spot, in instruction) {
	parts := splitList(in.rest)
	if len(parts) < 3 {
		return
	}
	_, p, _ := takeTyped(strings.TrimPrefix(strings.TrimPrefix(parts[0], "weak "), "volatile "))
	typ, v, _ := takeTyped(parts[2])
	if w := (sharedWrite{in: in, at: at, value: v, pointer: p, to: t.sharedPlaces(p, typ)}); !t.ownMemory(p) && !t.merges(p, v) && !t.keeps(w) {
		t.finds(Addition, w)
	}
}

func (t *teamFlow) used(v string) bool {
	if v == "" {
		return false
	}
	found := false
	t.each(func(_ spot, in instruction) { found = found || slices.Contains(t.operands(in.rest), v) })
	return found
}

// finds names a change: where it is to what a parameter points to, callers know what that is.
func (t *teamFlow) finds(what string, w sharedWrite) {
	for _, m := range w.to {
		if i, ok := t.parameterOf(m.memory); ok {
			t.name(what, w.in, place("w", t.flowBody.name, i))
		} else {
			t.add(what, w.in)
		}
	}
}

// parameterOf gives the number of the parameter that memory is behind, in functions that are called.
func (t *teamFlow) parameterOf(memory string) (i string, ok bool) {
	if memory[0] != 'q' || t.outlined {
		return "", false
	}
	return memory[strings.LastIndexByte(memory, ' ')+1:], true
}

// calls looks at a call of code that every thread runs.
func (t *teamFlow) calls(at spot, in instruction) {
	name, list := callee(in.rest)
	args := splitList(list)
	switch {
	case strings.HasPrefix(name, "__kmpc_fork_call"):
		if len(args) > 2 {
			for _, body := range globals(args[2]) {
				t.edge("e "+body, matters)
			}
		}
	case strings.HasPrefix(name, "__kmpc_omp_task_alloc"):
		t.add(MakesTasks, in)
	case tries[name], strings.HasPrefix(name, "__kmpc_masked") && args[len(args)-1] != "i32 0": // a thread that need not be there
		t.add(Change, in)
	case strings.HasPrefix(name, "__kmpc_"), strings.HasPrefix(name, "llvm.") && !blockCopy(name) && !blockSet(name), allocates[name], askers[name], environs[name]:
	case blockCopy(name) && len(args) > 1, blockSet(name) && len(args) > 1:
		t.block(at, in, args, blockCopy(name))
	case t.onlyTells(name, args) && !formats[name]:
	case slices.ContainsFunc(ends, func(e string) bool { return strings.HasPrefix(name, e) }):
	case name == "" && strings.Contains(in.rest, " asm ") && !strings.Contains(in.rest, "sideeffect"), name == "" && strings.Contains(in.rest, `asm sideeffect "", `):
	case name == "":
		t.add(CallsOthers, in)
	case confined[name] || formats[name]:
		t.confinedTo(at, in, name, args)
	default:
		t.called[at] = true
		t.function(in, name, args)
	}
}

// block is of memcpy, memmove and memset.
func (t *teamFlow) block(at spot, in instruction, args []string, copies bool) {
	_, to, _ := takeTyped(args[0])
	_, from, _ := takeTyped(args[1])
	places := t.sharedPlaces(to, "i8")
	if len(places) == 0 {
		return
	}
	w := sharedWrite{in: in, at: at, value: from, pointer: to, to: places, from: newSources()}
	if copies {
		memory, known := t.memory(from)
		for _, m := range memory {
			if t.private(m) {
				w.from.gathered = w.from.gathered || t.gatheredIn(m)
				w.from.own = w.from.own || m[0] == 'g'
			} else {
				w.from.reads(memoryPlace{m, "any"}, at)
			}
		}
		if !known {
			w.from.reads(memoryPlace{"?", "any"}, at)
		}
		w.value = "0"
	}
	t.changes = append(t.changes, w)
}

// confinedTo is of library functions that change what an argument points to.
func (t *teamFlow) confinedTo(at spot, in instruction, name string, args []string) {
	if slices.ContainsFunc(locks, func(l string) bool { return strings.HasPrefix(name, l) }) || idle[name] || len(args) == 0 || !isPointer(args[0]) {
		return
	}
	if callsBack[name] {
		t.callsBack(in, args[len(args)-1])
	}
	_, p, _ := takeTyped(args[0])
	if places := t.sharedPlaces(p, "i8"); len(places) > 0 {
		t.finds(Change, sharedWrite{in: in, at: at, to: places})
	}
}

// callsBack is of a library function whose last argument is a function that it calls.
func (t *teamFlow) callsBack(in instruction, argument string) {
	all := globals(argument)
	if len(all) != 1 || !t.defined(all[0]) {
		t.add(CallsOthers, in)
		return
	}
	t.edge("e "+all[0], "e "+t.flowBody.name)
	for i := range t.flow.params[all[0]] {
		t.edge(place("w", all[0], i), "e "+t.flowBody.name)
	}
}

// function is of the program's own, or of one that is not known.
func (t *teamFlow) function(in instruction, name string, args []string) {
	t.edge("e "+name, "e "+t.flowBody.name)
	for i, a := range args {
		if !isPointer(a) {
			continue
		}
		_, v, _ := takeTyped(a)
		places := t.sharedPlaces(v, "i8")
		if s := newSources(); len(places) > 0 && !t.reads[name][i] {
			if t.address(s, v); s.own || s.gathered { // each thread gives another place
				t.add(Change, in)
			}
		}
		for _, m := range places {
			to := "e " + t.flowBody.name
			if n, ok := t.parameterOf(m.memory); ok {
				to = place("w", t.flowBody.name, n)
			}
			t.edge(place("w", name, i), to)
		}
	}
	if !t.defined(name) {
		t.unknowns = append(t.unknowns, unknownCall{name, t.placeOf(in), "e " + t.flowBody.name})
	}
}

// goesRound looks at loops that are as long as what was gathered.
func (t *teamFlow) goesRound(at spot, in instruction) {
	if len(t.blocks[at.block].next) < 2 || !slices.Contains(t.control.all(at.block), at.block) {
		return
	}
	s := newSources()
	if t.from(s, splitList(in.rest)[0]); s.gathered {
		t.add(Repeats, in)
	}
}

// changed looks at stores and atomic operations, which may come from one another.
func (t *teamFlow) changed() {
	if len(t.changes)+len(t.atomics) > 0 {
		t.phases = phasesOf(t.blocks, func(in instruction) bool { return calls(in, "__kmpc_barrier") })
		t.open = t.openSpots()
	}
	for i := range t.changes {
		w := &t.changes[i]
		if w.from == nil {
			w.from = newSources()
		}
		t.from(w.from, w.value)
		t.address(w.from, w.pointer)
		t.decidedBy(w.from, w.at.block)
	}
	i := 0
	t.each(func(at spot, in instruction) {
		for ; i < len(t.changes) && t.changes[i].at == at; i++ {
			t.judge(i)
		}
		switch {
		case !t.atomics[at]:
		case in.opcode == "cmpxchg":
			t.exchange(at, in)
		default:
			t.atomic(at, in)
		}
	})
}

// openSpots are the instructions between whose barriers functions are called that may change shared data or, in a function that is called, its
// callers may.
func (t *teamFlow) openSpots() map[spot]bool {
	open := map[int]bool{0: !t.outlined}
	t.each(func(at spot, in instruction) {
		if in.opcode == "ret" && !t.outlined || t.called[at] {
			maps.Copy(open, t.phases.of[at])
		}
	})
	all := map[spot]bool{}
	t.each(func(at spot, _ instruction) {
		for n := range t.phases.of[at] {
			all[at] = all[at] || open[n]
		}
	})
	return all
}

// judge names a store that does not leave the same however often it is done.
func (t *teamFlow) judge(i int) {
	w := t.changes[i]
	if len(t.changes) <= mostChanges && (t.repeatable(i) || t.keeps(w) || t.merges(w.pointer, w.value) && t.decidesAlike(w)) {
		return
	}
	what := Change
	if slices.ContainsFunc(w.to, func(p memoryPlace) bool { return len(w.from.loads[p]) > 0 }) {
		what = Addition
	}
	t.finds(what, w)
}

// decidesAlike says whether the branches that decide on a store do so alike for all threads, however many came before.
func (t *teamFlow) decidesAlike(w sharedWrite) bool {
	s := newSources()
	t.decidedBy(s, w.at.block)
	t.address(s, w.pointer)
	return !s.gathered && !s.own && !t.reachesItself(&w, s)
}

// repeatable says whether a store leaves the same whoever does it how often: what it writes comes from nothing that such a store changes.
func (t *teamFlow) repeatable(i int) bool {
	w := t.changes[i]
	return !w.from.gathered && !w.from.own && !t.reachesItself(&w, w.from) && !t.readsOpen(w.from)
}

// readsOpen says whether a value comes from shared data that other functions may change meanwhile.
func (t *teamFlow) readsOpen(s *sources) bool {
	for place, all := range s.loads {
		constant := strings.HasPrefix(place.memory, "g ") && t.constants[place.memory[2:]]
		if !constant && slices.ContainsFunc(all, func(at spot) bool { return t.open[at] }) {
			return true
		}
	}
	return false
}

// reachesItself says whether what a store writes comes from what it wrote, also through other stores.
func (t *teamFlow) reachesItself(w *sharedWrite, from *sources) bool {
	seen := make([]bool, len(t.changes))
	var visit func(*sources) bool
	visit = func(s *sources) bool {
		if t.meets(w, s) {
			return true
		}
		for j := range t.changes {
			if other := &t.changes[j]; !seen[j] && t.meets(other, s) {
				seen[j] = true
				if visit(other.from) {
					return true
				}
			}
		}
		return false
	}
	return visit(from)
}
