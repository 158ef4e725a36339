package core

// The predictor guesses branches as today's do: by how they went at the same place (bimodal), and by how they went after the same
// history, in tables for histories of growing length of which the longest that knows is asked (TAGE: Seznec and Michaud, Journal of
// Instruction-Level Parallelism 8, 2006). Sizes are chosen such that no table is too small for a loop nest.
const (
	predictorBits = 12
	mostTables    = 8
	tagBits       = 11
)

type taggedEntry struct {
	tag    uint16
	count  int8 // −4 … 3; taken from 0 on
	useful uint8
}

type predictor struct {
	plain   [1 << 16]int8 // −2 … 1
	tables  int
	tagged  [mostTables][1 << predictorBits]taggedEntry
	history [1024]uint8
	at      int
	index   [mostTables]uint32 // histories folded to the bits of an index
	tag     [mostTables]uint32 // and to those of a tag
	targets *targets           // of jumps whose target is computed; nil as long as there was none
}

// newPredictor has no idea.
func newPredictor(tables int) *predictor { return &predictor{tables: min(tables, mostTables)} }

// length is the history that a table looks at, in branches.
func length(table int) int { return 4 << table }

// guess says whether the branch at a place was guessed rightly, and learns how it went.
func (p *predictor) guess(place uint32, taken bool) bool {
	var index [mostTables]uint32
	var tag [mostTables]uint16
	provider := -1
	guessed := p.plain[place&0xffff] >= 0
	for i := range p.tables {
		index[i], tag[i] = p.entry(i, place)
		if p.tagged[i][index[i]].tag == tag[i] {
			provider = i
		}
	}
	if provider >= 0 {
		guessed = p.tagged[provider][index[provider]].count >= 0
	}
	right := guessed == taken
	if provider >= 0 {
		e := &p.tagged[provider][index[provider]]
		e.count = towards(e.count, taken, -4, 3)
		if right && e.useful < 3 {
			e.useful++
		}
	} else {
		c := &p.plain[place&0xffff]
		*c = towards(*c, taken, -2, 1)
	}
	if !right {
		p.learn(provider, &index, &tag, taken)
	}
	p.push(taken)
	return right
}

// entry is where a table has what is known of a place after the history until now.
func (p *predictor) entry(table int, place uint32) (index uint32, tag uint16) {
	index = (place*2654435761>>20 ^ p.index[table] ^ uint32(table)*77) & (1<<predictorBits - 1)
	return index, uint16((place^p.tag[table]^place<<5)&(1<<tagBits-1)) | 1<<15
}

// learn gives the branch entries in up to two tables with longer histories.
func (p *predictor) learn(provider int, index *[mostTables]uint32, tag *[mostTables]uint16, taken bool) {
	given := 0
	for i := provider + 1; i < p.tables && given < 2; i++ {
		e := &p.tagged[i][index[i]]
		if e.useful > 0 {
			e.useful--
			continue
		}
		*e = taggedEntry{tag: tag[i], count: -1}
		if taken {
			e.count = 0
		}
		given++
	}
}

func towards(c int8, up bool, least, most int8) int8 {
	if up {
		return min(c+1, most)
	}
	return max(c-1, least)
}

// push notes how a branch went.
func (p *predictor) push(taken bool) {
	bit := uint32(0)
	if taken {
		bit = 1
	}
	for i := range p.tables {
		old := uint32(p.history[(p.at-length(i))&1023])
		p.index[i] = (p.index[i]<<1 | bit) ^ p.index[i]>>(predictorBits-1)&1 ^ old<<(length(i)%predictorBits)
		p.index[i] &= 1<<predictorBits - 1
		p.tag[i] = (p.tag[i]<<1 | bit) ^ p.tag[i]>>(tagBits-1)&1 ^ old<<(length(i)%tagBits)
		p.tag[i] &= 1<<tagBits - 1
	}
	p.history[p.at&1023] = uint8(bit)
	p.at++
}
