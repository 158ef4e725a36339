package recording

import (
	"errors"
	"fmt"
	"math"

	"foresee/model/schedule"
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

// Schedules of loops, as recordings number them (docs/formats.md).
const (
	scheduleStatic = 1 + iota
	scheduleDynamic
	scheduleGuided
)

// ruleOf is a schedule of a recording; false where there is no such.
func ruleOf(number uint64, chunk int64) (r schedule.Rule, ok bool) {
	r.Chunk = chunk
	switch number {
	case scheduleStatic:
		if chunk > 0 {
			r.Kind = schedule.StaticChunk
		}
	case scheduleDynamic:
		r.Kind = schedule.Dynamic
	case scheduleGuided:
		r.Kind = schedule.Guided
	default:
		return r, false
	}
	return r, true
}

// piece is a stretch of what one virtual thread ran.
type piece struct {
	kind              int
	thread            int // that ran it
	rule              schedule.Rule
	first, end, total int64 // iterations
	loop              uint64
	words             uint64
	frames            []frame
	known             blocks // when it began
	own               blocks // allocated in it
	last              int    // who ran the last iteration of the loop before it
	byOwn             bool   // a thread of the program's own runs it
	phase             uint64 // of what such threads run: it comes after what is of a lower phase
}

// parsePiece reads the head of a piece: who runs it, and of a chunk which iterations.
func parsePiece(r *Record) (*piece, error) {
	n := &numbers{data: r.Data}
	p := &piece{kind: int(n.next()), thread: r.Thread}
	if p.kind == pieceChunk {
		if err := p.parseChunk(n); err != nil {
			return nil, err
		}
	}
	if p.kind != pieceChunk && len(n.data) > 0 {
		p.byOwn, p.phase = n.next() > 0, n.next()
	}
	if n.bad || p.kind >= pieceKinds {
		return nil, errors.New("damaged piece")
	}
	return p, nil
}

// parseChunk reads which iterations of which loop a piece holds.
func (p *piece) parseChunk(n *numbers) error {
	number, first, end, total, chunk := n.next(), n.next(), n.next(), n.next(), n.next()
	p.loop = n.next()
	var known bool
	p.rule, known = ruleOf(number, int64(min(chunk, total, math.MaxInt64)))
	if first >= end || end > total || total > math.MaxInt64 || !known {
		return fmt.Errorf("iterations %d to %d of %d, schedule %d", first, end, total, number)
	}
	p.first, p.end, p.total = int64(first), int64(end), int64(total)
	return nil
}

// dealer says which thread runs a piece, for one number of threads.
type dealer struct {
	threads int64
	team    *schedule.Team[uint64] // by words since the region began
	loop    uint64                 // whose chunks were last asked for
	owner   int                    // of the chunk that was last asked for
	until   int64                  // iterations of the loop before it belong to the owner
	last    int                    // who ran the last iteration of the last loop
	crossed bool                   // a piece reached over a boundary of the schedule
}

func newDealer(threads int) *dealer {
	return &dealer{threads: int64(threads), team: schedule.NewTeam(make([]uint64, threads))}
}

func (d *dealer) begin() {
	d.team.Clear()
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
		d.team.AddAll(p.words)
		return each
	case pieceChunk:
		owner = d.chunk(p)
		if p.end == p.total {
			d.last = owner
		}
	case pieceTask:
		owner = d.team.Next()
	}
	d.team.Add(owner, p.words)
	return owner
}

// chunk gives the thread that runs iterations, and notes whether they are of several chunks at this number of threads.
func (d *dealer) chunk(p *piece) int {
	switch p.rule.Kind {
	case schedule.Static:
		blocks := schedule.NewBlocks(p.total, d.threads)
		owner := blocks.Owner(p.first)
		d.crossed = d.crossed || p.end > blocks.Start(owner+1)
		return int(owner)
	case schedule.StaticChunk:
		turns := schedule.NewTurns(p.total, d.threads, p.rule.Chunk)
		chunk := turns.At(p.first)
		_, end := turns.Range(chunk)
		d.crossed = d.crossed || p.end > end
		return int(turns.Owner(chunk))
	}
	if p.loop != d.loop {
		d.loop, d.until = p.loop, 0
	}
	if p.first >= d.until {
		d.owner = d.team.Next()
		d.until = p.first + p.rule.Size(p.total-p.first, d.threads)
	}
	d.crossed = d.crossed || p.end > d.until && p.end < p.total
	return d.owner
}
