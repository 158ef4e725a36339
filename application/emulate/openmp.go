package emulate

import (
	"foresee/application/assembly"
)

// team is threads that carry out a parallel region together.
type team struct {
	threads []*thread
}

// parallel carries out what OpenMP's run-time libraries do; false where the function is none of theirs.
func (t *thread) parallel(name string) bool {
	f, ok := openMP[name]
	if !ok {
		f, ok = askedFor(name)
	}
	if !ok || asksFor(name) && max(t.size(), uint64(t.threads)) > 1 { // of several threads, nothing says which asks first
		return false
	}
	t.r[assembly.RAX] = f(t)
	return true
}

// size is how many threads work together here.
func (t *thread) size() uint64 {
	if t.team == nil {
		return 1
	}
	return uint64(len(t.team.threads))
}

// openMP are the functions of libgomp and libomp, and OpenMP's own.
var openMP = map[string]func(*thread) uint64{
	"omp_get_num_threads": func(t *thread) uint64 { return t.size() },
	"omp_get_thread_num":  func(t *thread) uint64 { return t.place() },
	"omp_get_max_threads": func(t *thread) uint64 { return uint64(t.threads) },
	"omp_get_num_procs":   func(t *thread) uint64 { return uint64(t.threads) },
	"omp_in_parallel":     func(t *thread) uint64 { return one(t.size() > 1) },
	"omp_get_wtime":       func(t *thread) uint64 { t.v[0] = vector{b64(float64(t.Program.done) * 1e-9)}; return 0 },
	"omp_set_num_threads": nothingDone,

	"GOMP_parallel": func(t *thread) uint64 {
		t.fork(t.argument(0), int(t.argument(2)&masks[4]), func(u *thread) { u.r[assembly.RDI] = t.argument(1) })
		return 0
	},
	"GOMP_barrier": func(t *thread) uint64 { t.waits(); return 0 },
	"GOMP_single_start": func(t *thread) uint64 {
		return one(t.place() == 0)
	},
	"GOMP_critical_start": nothingDone, "GOMP_critical_end": nothingDone, "GOMP_critical_name_start": nothingDone, "GOMP_critical_name_end": nothingDone,
	"GOMP_atomic_start": nothingDone, "GOMP_atomic_end": nothingDone, "GOMP_loop_end_nowait": nothingDone,
	"GOMP_loop_end": func(t *thread) uint64 { t.waits(); return 0 },

	"__kmpc_fork_call":           forkCall,
	"__kmpc_global_thread_num":   func(t *thread) uint64 { return t.place() },
	"__kmpc_push_num_threads":    nothingDone,
	"__kmpc_for_static_init_4":   func(t *thread) uint64 { t.dealt(4, true); return 0 },
	"__kmpc_for_static_init_4u":  func(t *thread) uint64 { t.dealt(4, false); return 0 },
	"__kmpc_for_static_init_8":   func(t *thread) uint64 { t.dealt(8, true); return 0 },
	"__kmpc_for_static_init_8u":  func(t *thread) uint64 { t.dealt(8, false); return 0 },
	"__kmpc_for_static_fini":     nothingDone,
	"__kmpc_barrier":             func(t *thread) uint64 { t.waits(); return 0 },
	"__kmpc_single":              func(t *thread) uint64 { return one(t.place() == 0) },
	"__kmpc_end_single":          nothingDone,
	"__kmpc_master":              func(t *thread) uint64 { return one(t.place() == 0) },
	"__kmpc_end_master":          nothingDone,
	"__kmpc_critical":            nothingDone,
	"__kmpc_end_critical":        nothingDone,
	"__kmpc_reduce":              func(*thread) uint64 { return 1 },
	"__kmpc_reduce_nowait":       func(*thread) uint64 { return 1 },
	"__kmpc_end_reduce":          func(t *thread) uint64 { t.waits(); return 0 },
	"__kmpc_end_reduce_nowait":   nothingDone,
	"__kmpc_serialized_parallel": nothingDone, "__kmpc_end_serialized_parallel": nothingDone,
}

// place is the number of a thread in its team.
func (t *thread) place() uint64 {
	if t.team == nil {
		return 0
	}
	for i, u := range t.team.threads {
		if u == t {
			return uint64(i)
		}
	}
	return 0
}

// fork carries out a function by all threads of a team, one after the other from barrier to barrier.
func (t *thread) fork(at uint64, asked int, given func(*thread)) {
	n := t.threads
	if asked > 0 {
		n = asked
	}
	if t.team != nil && len(t.team.threads) > 1 {
		n = 1 // regions within regions have one thread, as is usual
	}
	outer, back := t.team, t.pc
	all := &team{}
	for i := range n {
		u := t
		if i > 0 {
			u = t.newThread(i)
			u.Program = t.Program
		}
		all.threads = append(all.threads, u)
	}
	saved := t.r
	for _, u := range all.threads {
		u.team = all
		u.r[assembly.RSP] -= 256 // what is passed on the stack stays
		given(u)
		u.begin(t.codeAt(at))
	}
	all.run()
	t.team, t.r, t.pc, t.done = outer, saved, back, false
}

// run lets each thread work until it waits, until all are done.
func (m *team) run() {
	for busy := true; busy; {
		busy = false
		for _, u := range m.threads {
			if !u.done {
				u.wait = nothing
				u.goOn()
				busy = busy || !u.done
			}
		}
	}
}

// waits lets the thread wait for the others; alone it goes on.
func (t *thread) waits() {
	if t.size() > 1 {
		t.wait = barrier
	}
}

// forkCall is libomp's: place, number of arguments, function, arguments.
func forkCall(t *thread) uint64 {
	n := int(t.argument(1) & masks[4])
	given := make([]uint64, 0, n)
	for i := range n {
		if i+3 < len(argumentRegisters) {
			given = append(given, t.argument(i+3))
		} else {
			given = append(given, t.memory.load(t.r[assembly.RSP]+uint64(8*(i+3-len(argumentRegisters))), 8))
		}
	}
	at := t.argument(2)
	t.fork(at, 0, func(u *thread) {
		number := t.allocate(64)
		t.memory.store(number, 4, u.place())
		u.r[assembly.RDI], u.r[assembly.RSI] = number, number+8
		if more := n + 2 - len(argumentRegisters); more > 0 {
			u.r[assembly.RSP] = u.r[assembly.RSP]&^15 - uint64(8*(more+more%2))
			for i := range more {
				t.memory.store(u.r[assembly.RSP]+uint64(8*i), 8, given[n-more+i])
			}
		}
		for i, v := range given {
			if i+2 < len(argumentRegisters) {
				u.r[argumentRegisters[i+2]] = v
			}
		}
	})
	return 0
}

// staticChunked is libomp's number of a static schedule with a chunk; without is 34.
const staticChunked = 33

// dealt gives a thread its share of a loop, as libomp does: last, lower, upper, stride, increment and chunk are passed behind the place,
// the thread and the schedule.
func (t *thread) dealt(bytes int, withSign bool) {
	value := func(at uint64) int64 {
		v := t.memory.load(at, bytes)
		if withSign {
			return signed(v, uint8(bytes))
		}
		return int64(v)
	}
	schedule := int(t.argument(2) & masks[4])
	last, lower, upper := t.argument(3), t.argument(4), t.argument(5)
	sp := t.r[assembly.RSP]
	stride := t.memory.load(sp, 8)
	step := signed(t.memory.load(sp+8, bytes), uint8(bytes))
	chunk := signed(t.memory.load(sp+16, bytes), uint8(bytes))
	lo, hi := value(lower), value(upper)
	n, me := int64(t.size()), int64(t.place())
	trips := (hi-lo)/step + 1
	if (hi-lo)/step < 0 || step > 0 && hi < lo || step < 0 && hi > lo {
		t.memory.store(last, 4, 0)
		return
	}
	put := func(at uint64, v int64) { t.memory.store(at, bytes, uint64(v)) }
	if schedule == staticChunked {
		chunk = max(chunk, 1)
		put(stride, chunk*step*n)
		put(lower, lo+chunk*step*me)
		put(upper, lo+chunk*step*me+(chunk-1)*step)
		t.memory.store(last, 4, one((trips-1)/chunk%n == me))
		return
	}
	size, more := trips/n, trips%n
	first := me*size + min(me, more)
	if me < more {
		size++
	}
	put(stride, trips*step)
	put(lower, lo+first*step)
	put(upper, lo+(first+size-1)*step)
	t.memory.store(last, 4, one(first+size == trips && size > 0))
}
