package core

// flight is what a core knows of the instructions that have not left it.
type flight struct {
	register [64]float64 // when each register's value is there
	front    float64     // when the next instruction can be issued
	fetch    float64     // when it can be there
	fetched  Cause       // what it would wait for then
	block    uint64      // from which it comes, counted from one; 0 behind a branch
	retired  float64     // when the last one left, and slots are counted from
	previous int32       // instruction

	all      places    // in flight
	written  [2]places // registers that they write: of integers, of vectors
	loads    places    // in flight
	branches places    // conditional ones in flight
	stores   places    // that L1 does not have yet
	buffered places    // of vectors, in front of the queue
	entered  float64   // when the last one left those

	integers, addresses, vectors queue

	stored      float64               // when L1 has the last store
	storedLines [gatheredLines]uint64 // the lines that were stored to last, by storedAt
	storedAt    int
	lastStores  storeTable
	calendar    calendar
}

func newFlight(w *Windows) *flight {
	f := &flight{previous: -1}
	f.all, f.stores, f.buffered = newPlaces(max(w.Reorder, 1)), newPlaces(w.Stores), newPlaces(max(w.VectorBuffer, 1))
	f.loads, f.branches = newPlaces(w.Loads), newPlaces(w.Branches)
	f.written[0], f.written[1] = newPlaces(w.Integers), newPlaces(w.Vectors)
	f.integers.size, f.addresses.size, f.vectors.size = max(w.IntegerQueue, 1), max(w.AddressQueue, 1), max(w.VectorQueue, 1)
	return f
}

// places are taken in order, and become free in that order.
type places struct {
	leave []float64 // when each is free again, by the number of its taker; without any, there is no bound
	count int64
}

func newPlaces(n int) places { return places{leave: make([]float64, max(n, 0))} }

// room is when there is one more.
func (p *places) room() float64 {
	if len(p.leave) == 0 {
		return 0
	}
	return p.leave[p.count%int64(len(p.leave))]
}

// take takes one until a time.
func (p *places) take(until float64) {
	if len(p.leave) > 0 {
		p.leave[p.count%int64(len(p.leave))] = until
		p.count++
	}
}

// result is the kind of register that an instruction has to itself for its result: 0 of integers, 1 of vectors, −1 none. A register that only
// gets another name has none.
func (x *Instruction) result() int {
	switch {
	case len(x.Writes) == 0 || x.Latency == 0 && x.Load == 0:
		return -1
	case x.Vector:
		return 1
	}
	return 0
}

// queue is a buffer of instructions that wait: the one that leaves it first makes room for the next.
type queue struct {
	size  int
	leave []float64 // when those in it leave, as a heap
}

// room is when there is room for one more.
func (q *queue) room() float64 {
	if len(q.leave) < q.size {
		return 0
	}
	return q.leave[0]
}

// add takes one in that leaves at a time; the one that leaves first goes, where there are too many.
func (q *queue) add(t float64) {
	h := q.leave
	if len(h) < q.size {
		h = append(h, t)
		i := len(h) - 1
		for i > 0 && h[(i-1)/2] > t {
			h[i] = h[(i-1)/2]
			i = (i - 1) / 2
		}
		h[i], q.leave = t, h
		return
	}
	if t <= h[0] {
		return
	}
	i := 0
	for {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && h[c+1] < h[c] {
			c++
		}
		if h[c] >= t {
			break
		}
		h[i] = h[c]
		i = c
	}
	h[i] = t
}
