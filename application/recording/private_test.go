package recording

import (
	"reflect"
	"testing"

	"foresee/application/trace"
)

// Every thread runs what lies outside worksharing, with its own stack, thread-local variables and memory.
func TestPrivateData(t *testing.T) {
	p := newTape(1, true)
	p.enter()
	p.piece(0, pieceEach)
	p.flush()
	p.record(typeAllocate, 0, varints(0x5000, 64, 0x401234))
	p.run(2, stackLow+100, tlsLow+8)
	p.run(2, 0x5008, 0x9000)
	p.barrier(0, pieceOne)
	p.run(1, stackLow+200)
	p.leave()
	all := team(t, p.end(), Options{Threads: 3})
	for thread := range uint64(3) {
		want := []trace.Event{
			{Address: stackLow + 100 + thread*(stackSize+pageSize), Size: 4, Kind: trace.Read, Thread: uint16(thread)},
			{Address: privateBase + thread*privateStride + 8, Size: 4, Kind: trace.Write, Thread: uint16(thread)},
			{Address: 0x5008 + thread*heapStride, Size: 4, Kind: trace.Read, Thread: uint16(thread)},
			{Address: 0x9000, Size: 4, Kind: trace.Write, Thread: uint16(thread)},
		}
		if thread == 0 {
			want = append(want, trace.Event{Address: stackLow + 200, Size: 8, Kind: trace.Write})
		}
		if got := ofThread(all, uint16(thread)); !reflect.DeepEqual(got, want) {
			t.Errorf("thread %d: %v\nwant %v", thread, got, want)
		}
	}
}

// Thread-local variables that each thread has at an address of its own: they move only where one thread's run is dealt to others.
func TestThreadLocals(t *testing.T) {
	const low = privateBase + 1<<31
	for name, c := range map[string]struct {
		threads int
		want    [2][]uint64
	}{
		"dealt":  {1, [2][]uint64{{low + 8, tlsLow}, {low + 8 + privateStride, tlsLow}}},
		"as run": {2, [2][]uint64{{low + 8, low + 8 + privateStride}, {low + 8, low + 8 + privateStride}}},
	} {
		p := newTape(c.threads, c.threads == 1)
		p.record(typeMemory, 0, varints(4, low, 1<<28))
		p.enter()
		for thread := range c.threads {
			p.piece(thread, pieceEach)
			if c.threads == 1 {
				p.run(2, low+8, tlsLow+1024)
				continue
			}
			p.run(2, low+8, low+8+privateStride)
		}
		p.leave()
		all := team(t, p.end(), Options{Threads: 2})
		for thread, want := range c.want {
			if c.threads == 1 {
				want[1] += 1024
			}
			var got []uint64
			for _, e := range ofThread(all, uint16(thread)) {
				got = append(got, e.Address)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: thread %d: %x, want %x", name, thread, got, want)
			}
		}
	}
}

// Memory that an iteration allocates is its thread's, whoever uses it.
func TestMemoryOfChunks(t *testing.T) {
	p := newTape(1, true)
	p.enter()
	for i := range uint64(2) {
		p.piece(0, pieceChunk, scheduleStatic, i, i+1, 2, 0, 1)
		p.record(typeAllocate, 0, varints(0x5000+0x100*i, 64, 0x401234))
		p.run(1, 0x5000+0x100*i)
	}
	p.barrier(0, pieceEach)
	p.run(0, 0x5100)
	p.leave()
	all := team(t, p.end(), Options{Threads: 2})
	for thread, want := range [][]uint64{{0x5000, 0x5100 + heapStride}, {0x5100 + heapStride, 0x5100 + heapStride}} {
		var got []uint64
		for _, e := range ofThread(all, uint16(thread)) {
			got = append(got, e.Address)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("thread %d: %x, want %x", thread, got, want)
		}
	}
}

// What is allocated and freed in each iteration, always at the same place, is never shared.
func TestMemoryOfIterations(t *testing.T) {
	for _, cut := range []bool{true, false} {
		threads := 1
		if !cut {
			threads = 2
		}
		p := newTape(threads, cut)
		p.enter()
		for i := range uint64(4) {
			if cut {
				p.piece(0, pieceChunk, scheduleStatic, i, i+1, 4, 0, 1)
			} else {
				p.piece(int(i/2), pieceChunk, scheduleStatic, i, i+1, 4, 0, 1)
			}
			p.record(typeAllocate, 0, varints(0x5000, 64, 0x401234))
			p.run(1, 0x5008)
			p.flush()
			p.record(typeFree, 0, varints(0x5000))
		}
		p.barrier(0, pieceEach)
		p.leave()
		all := team(t, p.end(), Options{Threads: 2})
		for thread := range uint64(2) {
			for _, e := range ofThread(all, uint16(thread)) {
				if want := 0x5008 + thread*heapStride; e.Address != want {
					t.Errorf("cut %v, thread %d: %x, want %x", cut, thread, e.Address, want)
				}
			}
		}
	}
}

// Only the thread that ran the last iteration runs what copies lastprivate variables out.
func TestLastIteration(t *testing.T) {
	p := newTape(1, true)
	p.enter()
	for i := range uint64(4) {
		p.piece(0, pieceChunk, scheduleStatic, i, i+1, 4, 0, 1)
		p.run(0, 0x1000+8*i)
	}
	p.piece(0, pieceEach)
	p.run(4, 0x7000)
	p.leave()
	p.end()
	for threads, want := range map[int]uint16{1: 0, 2: 1, 3: 2, 4: 3, 8: 3} {
		var got []uint16
		for _, e := range team(t, p, Options{Threads: threads}) {
			if e.Address == 0x7000 && e.IsAccess() {
				got = append(got, e.Thread)
			}
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("%d threads: run by %v, want %d", threads, got, want)
		}
	}
}
