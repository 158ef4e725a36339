package predict

import "foresee/model/cache"

// lane is one simulator with its accounts: of all lines, or of those that never meet the others. Its accesses are gathered and simulated in pieces, from
// which on others are gathered already where several cores work.
type lane struct {
	simulator *cache.Simulator
	before    cache.Counts
	accounts  map[int]*cache.Counts // by region

	now   piece
	asked chan piece // to be simulated; nil: at once
	spare chan piece
	ended chan struct{}
}

// piece is accesses that are simulated together.
type piece struct {
	references []uint64 // twice the line, plus one for a write
	threads    []uint16 // of each; empty with one thread
	ends       []regionEnd
}

// regionEnd ends a stretch of accesses in one region.
type regionEnd struct{ region, end int }

// lanePiece is how many accesses a piece has. Chosen: 128 KiB of them, which stay in a second level.
const lanePiece = 1 << 14

// newLane is for a simulator; beside says that it works in a goroutine of its own, until close.
func newLane(s *cache.Simulator, beside bool) *lane {
	l := &lane{simulator: s, before: s.Counts(), accounts: map[int]*cache.Counts{}, now: newPiece()}
	if !beside {
		return l
	}
	l.asked, l.spare, l.ended = make(chan piece), make(chan piece, 2), make(chan struct{})
	l.spare <- newPiece()
	go func() {
		defer close(l.ended)
		for p := range l.asked {
			l.simulate(p)
			l.spare <- p
		}
	}()
	return l
}

func newPiece() piece { return piece{references: make([]uint64, 0, lanePiece)} }

// hand has what is gathered simulated; it is of the region, but for what other regions ended before.
func (l *lane) hand(region int) {
	l.end(region)
	if l.asked == nil {
		l.simulate(l.now)
	} else {
		l.asked <- l.now
		l.now = <-l.spare
	}
	l.now.references, l.now.threads, l.now.ends = l.now.references[:0], l.now.threads[:0], l.now.ends[:0]
}

// end ends a stretch of a region, where there is one.
func (l *lane) end(region int) {
	before := 0
	if n := len(l.now.ends); n > 0 {
		before = l.now.ends[n-1].end
	}
	if len(l.now.references) == before {
		return
	}
	l.now.ends = append(l.now.ends, regionEnd{region, len(l.now.references)})
}

// close simulates what is left and ends the goroutine.
func (l *lane) close(region int) {
	l.hand(region)
	if l.asked != nil {
		close(l.asked)
		<-l.ended
		l.asked = nil
	}
}

// simulate simulates a piece, region by region.
func (l *lane) simulate(p piece) {
	from := 0
	for _, e := range p.ends {
		if len(p.threads) > 0 {
			l.simulator.RunThreads(p.threads[from:e.end], p.references[from:e.end])
		} else {
			l.simulator.Run(0, p.references[from:e.end])
		}
		l.account(e.region)
		from = e.end
	}
}

// account adds what was counted since the last time to a region.
func (l *lane) account(region int) {
	now := l.simulator.Counts()
	if l.accounts[region] == nil {
		l.accounts[region] = &cache.Counts{}
	}
	l.accounts[region].Add(now, l.before)
	l.before = now
}
