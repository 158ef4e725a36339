package recording

import (
	"bytes"
	"encoding/binary"
	"testing"

	"foresee/application/trace"
	"foresee/internal/tracetest"
)

// tape writes recordings in the plainest way that the format allows: every segment in full.
type tape struct {
	bytes.Buffer
	seen   map[uint64][]uint64 // by segment: the last words, in this piece
	anchor uint64
	words  uint64
	events []byte
	thread int
}

func (p *tape) record(typ byte, thread int, data []byte) {
	head := [headBytes]byte{0: typ}
	binary.LittleEndian.PutUint16(head[2:], uint16(thread))
	binary.LittleEndian.PutUint32(head[4:], uint32(len(data)))
	p.Write(head[:])
	p.Write(data)
}

func varints(x ...uint64) []byte {
	var out []byte
	for _, v := range x {
		out = binary.AppendUvarint(out, v)
	}
	return out
}

const (
	pageSize  = 4096
	stackLow  = 0x600000000000
	stackSize = 8 << 20
	tlsLow    = 0x7f0000001000
)

// code: segment 0 reads 8 bytes, 1 writes 8, 2 reads and writes, 3 copies a block, 4 is only the last thread's.
const code = "N\tx.o\nN\tf\nN\tx.c\nN\tf:7\nU\t0\n" +
	"S\t0\t1\t1\t2\t7\t3\tr8:7\tfadd.f64.1=1\t\n" +
	"S\t1\t1\t1\t2\t8\t3\tw8:8\t\t\n" +
	"S\t2\t1\t1\t2\t9\t3\tr4:9,w4:9\t\t\n" +
	"S\t3\t1\t1\t2\t9\t3\tr0:9,w0:9\t\t\n" +
	"S\t4\t3\t1\t2\t9\t3\tw8:9\t\t\n"

func newTape(threads int, cut bool) *tape {
	p := &tape{}
	isCut := uint64(0)
	if cut {
		isCut = 1
	}
	p.record(typeHeader, 0, varints(Version, uint64(threads), isCut, 1, 0, pageSize))
	p.record(typeImage, 0, varints(0))
	p.record(typeModule, 0, append(varints(0), code...))
	p.record(typeMemory, 0, varints(0, stackLow, stackSize))
	p.record(typeMemory, 0, varints(1, tlsLow, 256))
	return p
}

func (p *tape) flush() {
	if len(p.events) > 0 {
		p.record(typeEvents, p.thread, append(varints(p.words), p.events...))
	}
	p.events, p.words = nil, 0
}

func (p *tape) piece(thread int, fields ...uint64) {
	p.flush()
	p.thread, p.seen, p.anchor = thread, map[uint64][]uint64{}, 0
	p.record(typePiece, thread, varints(fields...))
}

func zigzag(d uint64) uint64 { return d<<1 ^ uint64(int64(d)>>63) }

func (p *tape) run(segment uint64, words ...uint64) {
	p.words += uint64(len(words))
	p.events = binary.AppendUvarint(p.events, segment<<2|tokenBoth)
	last, again := p.seen[segment]
	if again {
		p.events = binary.AppendUvarint(p.events, 1<<len(words)-1)
	}
	for i, w := range words {
		if again {
			p.events = binary.AppendUvarint(p.events, zigzag(w-last[i]))
			continue
		}
		p.events = binary.AppendUvarint(p.events, zigzag(w-p.anchor))
		p.anchor = w
	}
	p.seen[segment] = words
}

func (p *tape) enter() { p.flush(); p.record(typeEnter, 0, varints(0x401000, 1)) }
func (p *tape) leave() { p.flush(); p.record(typeLeave, 0, nil) }
func (p *tape) barrier(thread int, fields ...uint64) {
	p.flush()
	p.record(typeBarrier, 0, nil)
	p.piece(thread, fields...)
}
func (p *tape) end() *tape { p.flush(); p.record(typeEnd, 0, varints(0, 0)); return p }

func team(t *testing.T, p *tape, o Options) []trace.Event {
	t.Helper()
	out, err := events(p.Bytes(), o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func events(data []byte, o Options) ([]trace.Event, error) {
	team, err := NewTeam(NewScanner(bytes.NewReader(data)), o)
	if err != nil {
		return nil, err
	}
	defer team.Close()
	return tracetest.All(team)
}

// ofThread gives the accesses of a thread.
func ofThread(all []trace.Event, thread uint16) []trace.Event {
	var out []trace.Event
	for _, e := range all {
		if e.IsAccess() && e.Thread == thread {
			out = append(out, e)
		}
	}
	return out
}
