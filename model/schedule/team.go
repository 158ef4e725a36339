package schedule

// Team is how much work the threads of a team have done, in any unit, and so who asks for more next: whoever has done
// least, of several the one with the lowest number. It holds while threads run equally fast.
type Team[W uint64 | float64] struct {
	done  []W
	heap  []int // of threads: the one at i asks before those at 2i+1 and 2i+2
	place []int // by thread: its index in the heap
}

// NewTeam is a team of as many threads as done has numbers: what each has done so far, which Team keeps up to date.
func NewTeam[W uint64 | float64](done []W) *Team[W] {
	t := &Team[W]{done, make([]int, len(done)), make([]int, len(done))}
	for i := range done {
		t.heap[i], t.place[i] = i, i
	}
	t.order()
	return t
}

// Next is the thread that asks next.
func (t *Team[W]) Next() int { return t.heap[0] }

// Done is what each thread has done. It changes with the team.
func (t *Team[W]) Done() []W { return t.done }

// Add lets a thread do some work, which is not negative.
func (t *Team[W]) Add(thread int, work W) {
	t.done[thread] += work
	t.sink(t.place[thread])
}

// AddAll lets every thread do some work.
func (t *Team[W]) AddAll(work W) {
	for i := range t.done {
		t.done[i] += work
	}
	t.order() // sums of floats that differed may be equal
}

// Clear lets all have done nothing.
func (t *Team[W]) Clear() {
	clear(t.done)
	t.order()
}

func (t *Team[W]) order() {
	for i := len(t.heap)/2 - 1; i >= 0; i-- {
		t.sink(i)
	}
}

// sink moves a thread, which may have done more than those below it, to its place in the heap.
func (t *Team[W]) sink(i int) {
	for {
		c := 2*i + 1
		if c+1 < len(t.heap) && t.before(t.heap[c+1], t.heap[c]) {
			c++
		}
		if c >= len(t.heap) || !t.before(t.heap[c], t.heap[i]) {
			return
		}
		t.heap[i], t.heap[c] = t.heap[c], t.heap[i]
		t.place[t.heap[i]], t.place[t.heap[c]] = i, c
		i = c
	}
}

func (t *Team[W]) before(a, b int) bool {
	return t.done[a] < t.done[b] || t.done[a] == t.done[b] && a < b
}
