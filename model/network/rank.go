package network

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// run goes on with a rank, until it waits for time to pass or for messages.
func (e *engine) run(number int) error {
	r := &e.ranks[number]
	for {
		switch r.stage {
		case fetch:
			op, ok := e.program.Next(number)
			if !ok {
				r.ended = true
				e.result.Ranks[number].Seconds = e.now
				return nil
			}
			r.op, r.stage = op, begin
			if seconds := e.noisy(number, op.Seconds); seconds > 0 {
				e.result.Ranks[number].Compute += seconds
				e.agenda.put(int32(number), e.now+seconds)
				return nil
			}
		case begin:
			if !r.op.paid { // else the overhead of a send has passed
				r.begun, r.late = e.now, 0
			}
			r.stage = finish
			waits, err := e.begin(number, r)
			if err != nil {
				return err
			}
			if waits {
				return nil
			}
		case steps:
			if e.nextStep(number, r) {
				return nil
			}
		case combine:
			if e.combine(number, r) {
				return nil
			}
		case finish:
			if r.op.Kind != Compute {
				e.account(number, r)
			}
			r.stage = fetch
		}
	}
}

// noisy is the time of a computation with its noise, which is log-normal with mean 1.
func (e *engine) noisy(number int, seconds float64) float64 {
	if e.p.Noise <= 0 || seconds <= 0 {
		return seconds
	}
	r := &e.ranks[number]
	r.draws++
	rng := rand.New(rand.NewPCG(e.p.Seed^uint64(number)*0x9e3779b97f4a7c15, r.draws))
	s := math.Sqrt(math.Log1p(e.p.Noise * e.p.Noise))
	return seconds * math.Exp(s*rng.NormFloat64()-s*s/2)
}

// begin begins an operation, and says whether the rank waits.
func (e *engine) begin(number int, r *rank) (waits bool, err error) {
	op := &r.op
	if err := e.check(number, op); err != nil {
		return false, err
	}
	switch op.Kind {
	case Send, Isend, Sendrecv:
		if e.p.SendOverhead > 0 && !r.op.paid {
			r.op.paid, r.stage = true, begin
			e.agenda.put(int32(number), e.now+e.p.SendOverhead)
			return true, nil
		}
		return e.beginSend(number, r), nil
	case Recv:
		if op.Peer != Nobody {
			e.await(r, e.receive(number, op.Peer, 2*op.Comm, op.Tag))
		}
	case Irecv:
		id := int32(-1)
		if op.Peer != Nobody {
			id = e.receive(number, op.Peer, 2*op.Comm, op.Tag)
		}
		r.make(id)
	case Wait:
		for _, age := range op.Ages {
			e.awaitAge(r, age)
		}
	case Collective:
		return false, e.beginCollective(number, r)
	}
	return r.pending > 0, nil
}

func (e *engine) beginSend(number int, r *rank) bool {
	op := &r.op
	if op.Kind == Sendrecv && op.Source != Nobody {
		e.await(r, e.receive(number, op.Source, 2*op.Comm, op.FromTag))
	}
	id := int32(-1)
	if op.Peer != Nobody {
		id = e.send(number, op.Peer, 2*op.Comm, op.Tag, op.Bytes, op.Synchronous)
	}
	if op.Kind == Isend {
		r.make(id)
	} else if id >= 0 {
		e.await(r, id)
	}
	return r.pending > 0
}

// check refuses ranks and communicators that are not there.
func (e *engine) check(number int, op *Op) error {
	bad := func(rank int) bool { return rank < Nobody || rank >= len(e.ranks) }
	switch {
	case op.Kind == Send || op.Kind == Isend || op.Kind == Recv || op.Kind == Irecv || op.Kind == Sendrecv:
		sends := op.Kind != Recv && op.Kind != Irecv
		if bad(op.Peer) || sends && op.Peer == Any || op.Kind == Sendrecv && bad(op.Source) || op.Bytes < 0 {
			return fmt.Errorf("rank %d sends to or receives from rank %d, of %d", number, op.Peer, len(e.ranks))
		}
	case op.Kind == Collective && len(e.program.Members(op.Comm)) == 0:
		return fmt.Errorf("rank %d: communicator %d has no members", number, op.Comm)
	}
	return nil
}

// await has a rank wait for a request.
func (e *engine) await(r *rank, id int32) {
	one := &e.requests.all[id]
	if one.done {
		r.late = max(r.late, one.late)
		e.requests.drop(id)
		return
	}
	one.waited = true
	r.pending++
}

// make numbers a request; id is −1 where it is complete.
func (r *rank) make(id int32) {
	r.made++
	r.requests = append(r.requests, id)
}

// awaitAge waits for the request of an age; one that was waited for already, or that does not exist, is complete.
func (e *engine) awaitAge(r *rank, age int) {
	i := len(r.requests) - age
	if i < 0 || i >= len(r.requests) {
		return
	}
	if id := r.requests[i]; id >= 0 {
		r.requests[i] = -1
		e.await(r, id)
	}
	gone := 0
	for gone < len(r.requests) && r.requests[gone] < 0 {
		gone++
	}
	if gone == len(r.requests) || gone > len(r.requests)/2 {
		r.requests = r.requests[:copy(r.requests, r.requests[gone:])]
	}
}

// account adds the time of an operation that is over.
func (e *engine) account(number int, r *rank) {
	t := &e.result.Ranks[number]
	for len(t.Labels) <= r.op.Label {
		t.Labels, t.Waiting = append(t.Labels, 0), append(t.Waiting, 0)
	}
	spent := e.now - r.begun
	late := r.late
	if r.op.Kind == Collective {
		late = e.leaveCollective(r)
	}
	t.Labels[r.op.Label] += spent
	t.Waiting[r.op.Label] += min(max(late-r.begun, 0), spent)
}
