package core

// targets guesses where jumps and calls go whose target is computed, as by a switch or through a pointer: after the same history of branches as before, in
// tables for histories of growing length of which the longest that knows is asked, as today's cores do (ITTAGE: Seznec, A 64-Kbytes ITTAGE indirect branch
// predictor, 2nd JILP Workshop on Computer Architecture Competitions, 2011). Histories and lengths are those of the predictor of branches.
type targets struct {
	last   [1 << predictorBits]uint32 // by place
	tagged [mostTables][1 << predictorBits]target
}

type target struct {
	to   uint32
	tag  uint16
	sure int8 // 0 … 3; replaced from 0 on
}

// targetBits is how much of where a jump went goes into the history: a jump of many targets tells more than a branch. Chosen.
const targetBits = 3

// goes says whether the target of the jump at a place was guessed rightly, and learns it.
func (p *predictor) goes(place, to uint32) bool {
	if p.targets == nil {
		p.targets = &targets{}
	}
	all := p.targets
	var index [mostTables]uint32
	var tag [mostTables]uint16
	provider := -1
	last := &all.last[place&(1<<predictorBits-1)]
	guessed := *last
	for i := range p.tables {
		index[i], tag[i] = p.entry(i, place)
		if e := &all.tagged[i][index[i]]; e.tag == tag[i] {
			provider, guessed = i, e.to
		}
	}
	right := guessed == to
	*last = to
	if provider >= 0 {
		e := &all.tagged[provider][index[provider]]
		switch {
		case right:
			e.sure = min(e.sure+1, 3)
		case e.sure > 0:
			e.sure--
		default:
			e.to = to
		}
	}
	if !right {
		given := 0
		for i := provider + 1; i < p.tables && given < 2; i++ {
			e := &all.tagged[i][index[i]]
			if e.sure > 0 {
				e.sure--
				continue
			}
			*e = target{to: to, tag: tag[i]}
			given++
		}
	}
	mixed := to * 2654435761
	for i := range targetBits {
		p.push(mixed>>(31-i)&1 == 1)
	}
	return right
}
