package network

// request is what completes: a message that is sent or received.
type request struct {
	rank    int32
	done    bool
	waited  bool    // the rank waits for it
	dropped bool    // nobody asks for it any more
	late    float64 // when the other side was there
}

// message is what one rank sends to another.
type message struct {
	from, to  int32
	comm, tag int32
	bytes     int64
	eager     bool
	arrived   bool
	send      int32 // request, −1: complete already
	receive   int32 // request, −1: no receive matched yet
	sent      float64
}

// posted is a receive that no message matched yet.
type posted struct {
	comm, source, tag int32
	request           int32
}

func (p *posted) matches(m *message) bool {
	return p.comm == m.comm && (p.source == Any || p.source == m.from) && (p.tag == Any || p.tag == m.tag)
}

// pool hands out numbers of things that come and go.
type pool[T any] struct {
	all  []T
	free []int32
}

func (p *pool[T]) add(one T) int32 {
	if n := len(p.free); n > 0 {
		number := p.free[n-1]
		p.free = p.free[:n-1]
		p.all[number] = one
		return number
	}
	p.all = append(p.all, one)
	return int32(len(p.all) - 1)
}

func (p *pool[T]) drop(number int32) { p.free = append(p.free, number) }

// send has a rank send a message, and gives its request, −1 where it is complete.
func (e *engine) send(rank, to, comm, tag int, bytes int64, synchronous bool) int32 {
	m := message{from: int32(rank), to: int32(to), comm: int32(comm), tag: int32(tag), bytes: bytes, sent: e.now, send: -1, receive: -1}
	m.eager = !synchronous && bytes <= e.p.Eager
	if !m.eager {
		m.send = e.requests.add(request{rank: int32(rank)})
	}
	number := e.messages.add(m)
	e.result.Messages++
	e.result.Bytes += bytes
	if m.eager {
		e.fly(number)
	}
	to32 := &e.ranks[to]
	for i := range to32.posted {
		if p := to32.posted[i]; p.matches(&m) {
			to32.posted = append(to32.posted[:i], to32.posted[i+1:]...)
			e.match(number, p.request)
			return m.send
		}
	}
	to32.unexpected = append(to32.unexpected, number)
	return m.send
}

// receive has a rank post a receive, and gives its request.
func (e *engine) receive(rank, source, comm, tag int) int32 {
	r := e.requests.add(request{rank: int32(rank)})
	p := posted{int32(comm), int32(source), int32(tag), r}
	here := &e.ranks[rank]
	for i, number := range here.unexpected {
		if p.matches(&e.messages.all[number]) {
			here.unexpected = append(here.unexpected[:i], here.unexpected[i+1:]...)
			e.match(number, r)
			return r
		}
	}
	here.posted = append(here.posted, p)
	return r
}

// match joins a message and its receive.
func (e *engine) match(number, receive int32) {
	m := &e.messages.all[number]
	m.receive = receive
	e.requests.all[receive].late = m.sent
	if m.arrived {
		e.deliver(number)
	} else if !m.eager {
		e.requests.all[m.send].late = e.now
		e.fly(number)
	}
}

// fly has the data of a message go.
func (e *engine) fly(number int32) {
	m := &e.messages.all[number]
	f, latency := e.fabric.start(number, e.p.Node[m.from], e.p.Node[m.to], m.bytes)
	if !m.eager {
		latency *= 1 + e.p.Handshake
	}
	e.agenda.put(e.flowActor(f), e.now+latency)
}

// deliver completes a message that is there and has a receive.
func (e *engine) deliver(number int32) {
	m := e.messages.all[number]
	e.messages.drop(number)
	e.complete(m.receive)
	if m.send >= 0 {
		e.complete(m.send)
	}
}

// complete completes a request.
func (e *engine) complete(number int32) {
	r := &e.requests.all[number]
	r.done = true
	if r.dropped {
		e.requests.drop(number)
		return
	}
	if !r.waited {
		return
	}
	rank := &e.ranks[r.rank]
	rank.late = max(rank.late, r.late)
	e.requests.drop(number)
	if rank.pending--; rank.pending == 0 {
		e.agenda.put(r.rank, e.now+e.p.ReceiveOverhead)
	}
}

// flowing does what is due of a flow: its latency has passed, or its bytes are there.
func (e *engine) flowing(f int32) {
	one := &e.fabric.flows[f]
	if !one.flowing && one.remaining > 0 {
		e.fabric.enter(f, e.now)
		return
	}
	number := one.message
	if one.flowing {
		e.fabric.leave(f)
	} else {
		e.fabric.release(f)
	}
	m := &e.messages.all[number]
	m.arrived = true
	if m.receive >= 0 {
		e.deliver(number)
	}
}
