package recording

import (
	"errors"
	"fmt"
)

// Kinds of pieces.
const (
	pieceSerial = iota
	pieceEach
	pieceChunk
	pieceOne
	pieceTask
	pieceUncut
	pieceKinds
)

// Schedules of loops.
const (
	scheduleStatic = 1 + iota
	scheduleDynamic
	scheduleGuided
)

// piece is a stretch of what one virtual thread ran.
type piece struct {
	kind                     int
	thread                   int // that ran it
	schedule                 int
	first, end, total, chunk uint64
	loop                     uint64
	words                    uint64
	frames                   []frame
	known                    blocks // when it began
	own                      blocks // allocated in it
	last                     int    // who ran the last iteration of the loop before it
}

func parsePiece(r *Record) (*piece, error) {
	n := &numbers{data: r.Data}
	p := &piece{kind: int(n.next()), thread: r.Thread}
	if p.kind == pieceChunk {
		p.schedule = int(n.next())
		p.first, p.end, p.total, p.chunk, p.loop = n.next(), n.next(), n.next(), n.next(), n.next()
		if p.first >= p.end || p.end > p.total || p.schedule < scheduleStatic || p.schedule > scheduleGuided {
			return nil, fmt.Errorf("iterations %d to %d of %d, schedule %d", p.first, p.end, p.total, p.schedule)
		}
	}
	if n.bad || p.kind >= pieceKinds {
		return nil, errors.New("damaged piece")
	}
	return p, nil
}

// dealer says which thread runs a piece, for one number of threads.
type dealer struct {
	threads int
	work    []uint64 // words of each thread since the region began
	loop    uint64   // whose chunks were dealt last
	owner   int      // of the chunk dealt last
	until   uint64   // iterations before it belong to the owner
	rest    uint64   // of a guided loop: what was dealt so far
	last    int      // who ran the last iteration of the last loop
	crossed bool     // a piece reached over a boundary of the schedule
}

func newDealer(threads int) *dealer { return &dealer{threads: threads, work: make([]uint64, threads)} }

func (d *dealer) begin() {
	clear(d.work)
	d.loop = 0
}

// each says that all threads run the piece.
const each = -1

// deal gives the thread that runs a piece, or each.
func (d *dealer) deal(p *piece) int {
	owner := 0
	p.last = d.last
	switch p.kind {
	case pieceEach:
		for t := range d.work {
			d.work[t] += p.words
		}
		return each
	case pieceChunk:
		owner = d.chunk(p)
		if p.end == p.total {
			d.last = owner
		}
	case pieceTask:
		owner = d.idlest()
	}
	d.work[owner] += p.words
	return owner
}

// idlest is the thread that has done least, which asks for work first.
func (d *dealer) idlest() int {
	best := 0
	for t, w := range d.work {
		if w < d.work[best] {
			best = t
		}
	}
	return best
}

func (d *dealer) chunk(p *piece) int {
	t := uint64(d.threads)
	switch {
	case p.schedule == scheduleStatic && p.chunk == 0:
		owner, end := staticBlock(p.first, p.total, t)
		d.crossed = d.crossed || p.end > end
		return int(owner)
	case p.schedule == scheduleStatic:
		d.crossed = d.crossed || p.end > (p.first/p.chunk+1)*p.chunk
		return int(p.first / p.chunk % t)
	}
	if p.loop != d.loop {
		d.loop, d.until, d.rest = p.loop, 0, 0
	}
	if p.first >= d.until {
		d.owner = d.idlest()
		d.until = p.first + d.size(p)
	}
	d.crossed = d.crossed || p.end > d.until && p.end < p.total
	return d.owner
}

// size is how many iterations a thread that asks at p.first gets.
func (d *dealer) size(p *piece) uint64 {
	size := max(p.chunk, 1)
	if p.schedule == scheduleGuided {
		t := uint64(d.threads)
		size = max(size, (p.total-p.first+t-1)/t)
	}
	return size
}

// staticBlock gives the thread that runs an iteration of a loop dealt in one block to each thread, and the block's end.
func staticBlock(i, total, threads uint64) (owner, end uint64) {
	q, r := total/threads, total%threads
	if long := r * (q + 1); i < long {
		owner = i / (q + 1)
		return owner, (owner + 1) * (q + 1)
	} else if q > 0 {
		owner = r + (i-long)/q
		return owner, long + (owner-r+1)*q
	}
	return 0, total
}
