package network

import (
	"fmt"

	"foresee/model/network/collective"
)

// instance counts the collectives of a rank on a communicator: the n-th call of each member is the same collective.
type instance struct {
	comm  int
	count int
}

type entryKey struct{ comm, count int }

// meeting is a collective that some of its members have entered and some not left.
type meeting struct {
	key    entryKey
	inside int     // members that have not left
	last   float64 // when a member entered last
}

// beginCollective enters a collective.
func (e *engine) beginCollective(number int, r *rank) error {
	members := e.program.Members(r.op.Comm)
	place := e.place(r.op.Comm, members)
	me := int(place[number])
	if me < 0 {
		return fmt.Errorf("rank %d is no member of communicator %d", number, r.op.Comm)
	}
	r.entered = e.enter(r, len(members))
	r.entered.last = e.now
	call := collective.Call{Kind: r.op.Collective, Rank: me, Size: len(members), Root: r.op.Root, Bytes: r.op.Bytes}
	if r.op.Root < 0 || r.op.Root >= len(members) {
		call.Root = 0
	}
	r.schedule, r.step, r.stage = collective.New(e.p.Algorithms, call), 0, steps
	return nil
}

// place gives the place of each rank in a communicator, −1 for those that are in none.
func (e *engine) place(comm int, members []int) []int32 {
	place := e.members[comm]
	if place == nil {
		place = make([]int32, len(e.ranks))
		for i := range place {
			place[i] = -1
		}
		for i, m := range members {
			place[m] = int32(i)
		}
		e.members[comm] = place
	}
	return place
}

func (e *engine) enter(r *rank, size int) *meeting {
	i := 0
	for i < len(r.instances) && r.instances[i].comm != r.op.Comm {
		i++
	}
	if i == len(r.instances) {
		r.instances = append(r.instances, instance{comm: r.op.Comm})
	}
	r.instances[i].count++
	key := entryKey{r.op.Comm, r.instances[i].count}
	one := e.entries[key]
	if one == nil {
		one = &meeting{key: key, inside: size}
		e.entries[key] = one
	}
	return one
}

// leaveCollective says when the last member entered of those that have.
func (e *engine) leaveCollective(r *rank) float64 {
	one := r.entered
	r.entered = nil
	if one.inside--; one.inside == 0 {
		delete(e.entries, one.key)
	}
	return one.last
}

// nextStep takes the next steps of a collective, and says whether the rank waits.
func (e *engine) nextStep(number int, r *rank) bool {
	members := e.program.Members(r.op.Comm)
	comm, tag := 2*r.op.Comm+1, r.entered.key.count&(1<<30-1)
	for {
		s, ok := r.schedule.At(r.step)
		if !ok {
			r.stage = finish
			return e.settle(r)
		}
		r.step++
		if s.Receives {
			r.inFlight = append(r.inFlight, e.receive(number, members[s.From], comm, tag))
		}
		if s.Sends {
			if id := e.send(number, members[s.To], comm, tag, s.Bytes, false); id >= 0 {
				r.inFlight = append(r.inFlight, id)
			}
		}
		if !s.Waits {
			continue
		}
		r.stage = steps
		if s.Reduce > 0 && e.p.Reduce > 0 {
			r.stage = combine
			r.op.Seconds = float64(s.Reduce) / e.p.Reduce
		}
		if e.settle(r) {
			return true
		}
		if r.stage == combine {
			return e.combine(number, r)
		}
	}
}

// settle waits for what the steps of a collective sent and receive.
func (e *engine) settle(r *rank) bool {
	for _, id := range r.inFlight {
		e.await(r, id)
	}
	r.inFlight = r.inFlight[:0]
	return r.pending > 0
}

// combine passes the time that combining takes.
func (e *engine) combine(number int, r *rank) bool {
	r.stage = steps
	e.agenda.put(int32(number), e.now+r.op.Seconds)
	return true
}
