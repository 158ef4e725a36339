package network

// agenda is what is due when: each actor, a rank or a flow, is on it once at most. It is a heap of four children, in which actors know
// their places; what is due at one time comes in the order in which it was put there, so that a run is the same every time.
type agenda struct {
	entries []entry
	place   []int32 // of each actor, plus one; 0: not there
	count   uint64
}

type entry struct {
	at    float64
	order uint64
	actor int32
}

func (a entry) before(b entry) bool { return a.at < b.at || a.at == b.at && a.order < b.order }

// put has an actor come at a time, instead of at whichever it was to come.
func (h *agenda) put(actor int32, at float64) {
	for int(actor) >= len(h.place) {
		h.place = append(h.place, 0)
	}
	h.count++
	e := entry{at, h.count, actor}
	i := int(h.place[actor]) - 1
	if i < 0 {
		h.entries = append(h.entries, e)
		h.up(len(h.entries)-1, e)
		return
	}
	if e.before(h.entries[i]) {
		h.up(i, e)
	} else {
		h.down(i, e)
	}
}

// remove takes an actor off.
func (h *agenda) remove(actor int32) {
	if int(actor) >= len(h.place) || h.place[actor] == 0 {
		return
	}
	i := int(h.place[actor]) - 1
	h.place[actor] = 0
	last := h.entries[len(h.entries)-1]
	h.entries = h.entries[:len(h.entries)-1]
	if i == len(h.entries) {
		return
	}
	if i > 0 && last.before(h.entries[(i-1)/4]) {
		h.up(i, last)
	} else {
		h.down(i, last)
	}
}

// first is when the next one comes.
func (h *agenda) first() (at float64, ok bool) {
	if len(h.entries) == 0 {
		return 0, false
	}
	return h.entries[0].at, true
}

// pop takes the next one off.
func (h *agenda) pop() int32 {
	actor := h.entries[0].actor
	h.remove(actor)
	return actor
}

func (h *agenda) up(i int, e entry) {
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(h.entries[parent]) {
			break
		}
		h.set(i, h.entries[parent])
		i = parent
	}
	h.set(i, e)
}

func (h *agenda) down(i int, e entry) {
	for {
		least := -1
		for c := 4*i + 1; c < min(4*i+5, len(h.entries)); c++ {
			if least < 0 || h.entries[c].before(h.entries[least]) {
				least = c
			}
		}
		if least < 0 || !h.entries[least].before(e) {
			break
		}
		h.set(i, h.entries[least])
		i = least
	}
	h.set(i, e)
}

func (h *agenda) set(i int, e entry) {
	h.entries[i] = e
	h.place[e.actor] = int32(i + 1)
}
