package recording

import "foresee/application/trace"

// mimic makes threads' accesses as PPT-Multicore does (algorithm 1): basic blocks that run less often than there are
// threads are run by each thread; the executions of the others are dealt in equal parts, in the order in which one thread
// ran them. Private data lie elsewhere for each thread. Which data are private, the paper has from the variables' scope;
// here they are what lies on the thread's stack, in thread-local variables and in memory allocated in the region.
//
// Two readings: the paper divides and drops the remainder, whose executions are the last thread's here; and its listing
// also copies blocks that run less often than twice the number of threads, against its text, which is followed.
type mimic struct {
	team   *Team
	counts []int64 // executions by basic block, in this region
}

// instance is how far a thread has come with a basic block.
type instance struct {
	done int64
	runs bool // this thread runs the current execution
}

func newMimic(t *Team) *mimic { return &mimic{team: t} }

// phase takes all pieces of a region: the paper's way knows no barriers.
func (m *mimic) phase(pieces []*piece) error {
	t := m.team
	m.counts = make([]int64, t.Code.blocks)
	if err := m.count(pieces); err != nil {
		return err
	}
	for _, r := range t.runners {
		r.instances = make([]instance, t.Code.blocks)
		r.queue = append(r.queue, pieces...)
	}
	t.begin()
	return nil
}

// count counts how often each basic block runs in the pieces.
func (m *mimic) count(pieces []*piece) error {
	d := newDecoder(&m.team.Code, &m.team.region)
	for _, p := range pieces {
		d.begin()
		for _, f := range p.frames {
			data, err := m.team.holder.read(f)
			if err != nil {
				return err
			}
			d.feed(data)
			for {
				segment, ok := d.step()
				if !ok {
					break
				}
				if m.team.Code.Segments[segment].Begins {
					m.counts[m.team.Code.block[segment]]++
				}
			}
			if d.failed != nil {
				return m.team.at(typeEvents, d.failed)
			}
		}
	}
	return nil
}

// takes says whether a thread runs the next execution of a block.
func (m *mimic) takes(thread int, block int32, done int64) bool {
	threads := int64(m.team.options.Threads)
	count := m.counts[block]
	if count < threads {
		return true
	}
	return min(done/(count/threads), threads-1) == int64(thread)
}

// mimicked decodes what falls to this thread.
func (r *runner) mimicked(events []trace.Event) int {
	d, code := r.decoder, r.decoder.code
	n := 0
	for steps := 0; len(events)-n >= mostBatch && steps < mostSteps; steps++ {
		if d.copying() {
			k := d.fillBlock(events[n:])
			r.place(events[n : n+k])
			n += k
			continue
		}
		segment, ok := d.step()
		if !ok {
			break
		}
		b := code.block[segment]
		in := &r.instances[b]
		if code.Segments[segment].Begins {
			in.runs = r.team.mimic.takes(r.thread, b, in.done)
			in.done++
		}
		if !in.runs {
			d.counts[segment]--
			continue
		}
		k := d.accesses(segment, events[n:])
		r.place(events[n : n+k])
		n += k
	}
	return n
}
