package emulate

import (
	"strings"

	"foresee/application/assembly"
)

// asked is a loop that a team of one thread asks for in chunks.
type asked struct {
	next, last, step, chunk int64 // next is the first iteration that was not given; last is one that runs
}

// take gives the next chunk, from its first to its last iteration.
func (a *asked) take() (first, last int64, ok bool) {
	if a.step > 0 && a.next > a.last || a.step < 0 && a.next < a.last {
		return 0, 0, false
	}
	first = a.next
	last = first + (max(a.chunk, 1)-1)*a.step
	if a.step > 0 {
		last = min(last, a.last)
	} else {
		last = max(last, a.last)
	}
	a.next = last + a.step
	return first, last, true
}

// loopRegion is how libgomp's functions begin that open a region with one loop.
const loopRegion = "GOMP_parallel_loop_"

// asksFor says whether a function deals iterations as threads ask for them.
func asksFor(name string) bool {
	return strings.HasPrefix(name, loopRegion) || strings.HasPrefix(name, "GOMP_loop_") && (strings.HasSuffix(name, "_start") || strings.HasSuffix(name, "_next")) ||
		strings.HasPrefix(name, "__kmpc_dispatch_")
}

// askedFor is what deals iterations to a team of one thread: libgomp's and libomp's dynamic and guided loops, which are alike for one.
func askedFor(name string) (func(*thread) uint64, bool) {
	if rest, ok := strings.CutPrefix(name, "__kmpc_dispatch_"); ok {
		kind, size, _ := strings.Cut(rest, "_")
		bytes := 4
		if strings.HasPrefix(size, "8") {
			bytes = 8
		}
		withSign := !strings.HasSuffix(size, "u")
		switch kind {
		case "init":
			return func(t *thread) uint64 { t.dispatch(bytes, withSign); return 0 }, true
		case "next":
			return func(t *thread) uint64 { return t.dispatched(bytes) }, true
		case "fini", "deinit":
			return nothingDone, true
		}
		return nil, false
	}
	if !asksFor(name) || strings.Contains(name, "_ull_") || strings.Contains(name, "_ordered_") || strings.Contains(name, "doacross") {
		return nil, false
	}
	if strings.HasSuffix(name, "_next") {
		return func(t *thread) uint64 { return t.give(t.argument(0), t.argument(1)) }, true
	}
	withChunk := !strings.Contains(name, "runtime")
	if strings.HasPrefix(name, loopRegion) {
		return func(t *thread) uint64 { t.forkLoop(withChunk); return 0 }, true
	}
	return func(t *thread) uint64 {
		from, to, step := int64(t.argument(0)), int64(t.argument(1)), int64(t.argument(2))
		t.loop = asked{next: from, last: to - sign(step), step: step, chunk: 1}
		if !withChunk {
			return t.give(t.argument(3), t.argument(4))
		}
		t.loop.chunk = int64(t.argument(3))
		return t.give(t.argument(4), t.argument(5))
	}, true
}

func sign(v int64) int64 {
	if v < 0 {
		return -1
	}
	return 1
}

// forkLoop opens a region with one loop: function, data, threads, from, to, step, and a chunk on the stack.
func (t *thread) forkLoop(withChunk bool) {
	step := int64(t.argument(5))
	t.loop = asked{next: int64(t.argument(3)), last: int64(t.argument(4)) - sign(step), step: step, chunk: 1}
	if withChunk {
		t.loop.chunk = int64(t.memory.load(t.r[assembly.RSP], 8))
	}
	data := t.argument(1)
	t.fork(t.argument(0), 1, func(u *thread) { u.r[assembly.RDI] = data })
}

// give writes the next chunk as libgomp does, up to the iteration that no longer runs.
func (t *thread) give(begin, end uint64) uint64 {
	first, last, ok := t.loop.take()
	if !ok {
		return 0
	}
	t.memory.store(begin, 8, uint64(first))
	t.memory.store(end, 8, uint64(last+t.loop.step))
	return 1
}

// dispatch begins a loop as libomp does: place, thread, schedule, lower, upper, stride, and the chunk on the stack.
func (t *thread) dispatch(bytes int, withSign bool) {
	value := func(v uint64) int64 {
		if withSign {
			return signed(v&masks[bytes], uint8(bytes))
		}
		return int64(v & masks[bytes])
	}
	chunk := signed(t.memory.load(t.r[assembly.RSP], bytes), uint8(bytes))
	step := signed(t.argument(5)&masks[bytes], uint8(bytes))
	t.loop = asked{next: value(t.argument(3)), last: value(t.argument(4)), step: step, chunk: chunk}
}

// dispatched writes the next chunk as libomp does: place, thread, then where last, lower, upper and stride go.
func (t *thread) dispatched(bytes int) uint64 {
	first, last, ok := t.loop.take()
	if !ok {
		return 0
	}
	t.memory.store(t.argument(2), 4, one(last+t.loop.step > t.loop.last))
	t.memory.store(t.argument(3), bytes, uint64(first))
	t.memory.store(t.argument(4), bytes, uint64(last))
	t.memory.store(t.argument(5), bytes, uint64(t.loop.step))
	return 1
}
