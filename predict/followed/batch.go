package followed

import "foresee/model/core"

// batchSegments is how many segments are followed at a time, while those behind them are read. Chosen: far more work than handing them over is.
const batchSegments = 4096

// batch are segments that ran one after the other, all with lines from the same places.
type batch struct {
	program []core.Instruction // that is met for the first time, behind what the simulators have
	ran     []ran
	words   []uint64
	far     bool
}

// ran is a segment that ran and what came behind it.
type ran struct {
	place  place
	code   *segment
	words  int // where its words begin
	next   int32
	begun  string // the function that what came behind it begins; "": none
	weight float64
}

func (b *batch) add(h *running, code *segment, next int32, begun string) {
	b.far = h.far
	b.ran = append(b.ran, ran{h.place, code, len(b.words), next, begun, h.weight})
	b.words = append(b.words, h.words[:code.words]...)
}

func (b *batch) full() bool { return len(b.ran) >= batchSegments }

// flush has what is pending followed beside what is read next; batches wait for one another, and one is always read while at most another is followed.
func (f *Follower) flush() {
	if len(f.pending.ran) == 0 {
		return
	}
	f.wait()
	b, done := f.pending, make(chan struct{})
	f.pending, f.spare = f.spare, b
	f.done = done
	go func() {
		defer close(done)
		f.follow(b)
		b.program, b.ran, b.words = b.program[:0], b.ran[:0], b.words[:0]
	}()
}

// wait waits until the batches that were handed over are followed.
func (f *Follower) wait() {
	if f.done != nil {
		<-f.done
		f.done = nil
	}
}

// settle has all segments followed that ran, but the last, behind which nothing came.
func (f *Follower) settle() {
	f.flush()
	f.wait()
}

// follow follows a batch: with lines of the second cache, and beside it with those of the other places.
func (f *Follower) follow(b *batch) {
	for _, sim := range f.sims {
		for i := range b.program {
			sim.Add(b.program[i])
		}
	}
	if !b.far {
		f.far = false
		f.throughNear(b)
		return
	}
	others := f.sims[near+1:]
	if !f.far {
		for _, sim := range others {
			sim.Become(f.sims[near])
		}
	}
	f.far = true
	lines := map[int]*Lines{} // by region: looked up before two write to them
	for i := range b.ran {
		region := b.ran[i].place.region
		lines[region] = f.ofRegion(region)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for k := range others {
			f.throughFar(b, near+1+k, lines)
		}
	}()
	f.throughNear(b)
	<-done
}

// throughFar follows a batch with lines of a place beyond the second cache.
func (f *Follower) throughFar(b *batch, k int, lines map[int]*Lines) {
	sim := f.sims[k]
	for i := range b.ran {
		r := &b.ran[i]
		begun := sim.Cycles()
		f.step(b, r, sim, func() {})
		lines[r.place.region].cycles[k] += r.weight * (sim.Cycles() - begun)
	}
}

// throughNear follows a batch with lines of the second cache, and notes what everything takes.
func (f *Follower) throughNear(b *batch) {
	sim := f.sims[near]
	before := sim.Cycles()
	for i := range b.ran {
		r := &b.ran[i]
		c := f.of(r)
		begun, beyond := before, sim.Beyond()
		called := f.step(b, r, sim, func() {
			now := sim.Cycles()
			c.By[sim.Cause()] += r.weight * (now - before)
			before = now
		})
		c.Times += r.weight
		if called {
			c.library += r.weight
		}
		if b.far {
			lines := f.ofRegion(r.place.region)
			lines.cycles[near] += r.weight * (before - begun)
			lines.beyond += r.weight * float64(sim.Beyond()-beyond)
		}
	}
}

// step takes a segment's instructions through a simulator, and what a library does behind them; after each, what is to be done. It says whether a
// function was called that is not recorded.
func (f *Follower) step(b *batch, r *ran, sim *core.Simulator, after func()) (called bool) {
	s := r.code
	words := b.words[r.words : r.words+s.words]
	copied := uint64(0)
	if s.copies >= 0 {
		copied = words[s.copies]
	}
	for i := range s.steps {
		x := &s.steps[i]
		address := uint64(0)
		if x.word >= 0 {
			address = words[x.word]
		}
		at, jumps := x.at, false
		if i == len(s.steps)-1 {
			jumps = r.next != r.place.segment+1
			if called = s.ends == core.Call && (!jumps || s.leaves) && s.library >= 0; called { // what follows the call comes next: nothing that is recorded ran in between
				at, jumps, address = s.library, true, copied
			} else {
				sim.Goes(uint32(r.next))
			}
		}
		sim.Step(at, address, jumps)
		after()
	}
	left := s.ends == core.Return
	if s.jumps != "" && s.jumps != s.within && (r.begun == "" || r.begun == s.within) { // no function of the program's own: a library's returns for this one
		sim.Step(s.library, copied, true)
		after()
		left = true
	}
	if left && r.begun != "" { // the library that was returned to calls again
		sim.Step(f.callback, 0, true)
		after()
	}
	return called
}

// of is the cost of a place, made when it is new.
func (f *Follower) of(r *ran) *Cost {
	if f.last != nil && f.lastAt == r.place {
		return f.last
	}
	c := f.costing[r.place]
	if c == nil {
		c = &Cost{Instructions: int64(len(r.code.steps))}
		f.costing[r.place] = c
	}
	f.last, f.lastAt = c, r.place
	return c
}
