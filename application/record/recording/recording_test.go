package recording

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"foresee/application/trace"
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
	return trace.All(team)
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

// loop is one execution of a worksharing loop in chunks of one iteration, each reading its own element.
func loop(schedule, chunk, total uint64) *tape {
	p := newTape(1, true)
	p.enter()
	p.piece(0, pieceEach)
	for i := range total {
		p.piece(0, pieceChunk, schedule, i, i+1, total, chunk, 1)
		p.run(0, 0x1000+8*i)
	}
	p.barrier(0, pieceEach)
	p.leave()
	return p.end()
}

// owners asks an independent dealer: it goes through the schedule's definition iteration by iteration. Dynamic and guided
// chunks go to the thread with the least work.
func owners(schedule, chunk, total uint64, threads int) []int {
	out := make([]int, total)
	switch {
	case schedule == scheduleStatic && chunk == 0:
		i := uint64(0)
		for t := range threads {
			n := total / uint64(threads)
			if uint64(t) < total%uint64(threads) {
				n++
			}
			for range n {
				out[i] = t
				i++
			}
		}
	case schedule == scheduleStatic:
		for i := range out {
			out[i] = i / int(chunk) % threads
		}
	default:
		work := make([]int, threads)
		for i := 0; i < int(total); {
			n := max(int(chunk), 1)
			if schedule == scheduleGuided {
				n = max(n, (int(total)-i+threads-1)/threads)
			}
			least := 0
			for t := range work {
				if work[t] < work[least] {
					least = t
				}
			}
			for range min(n, int(total)-i) {
				out[i] = least
				work[least]++
				i++
			}
		}
	}
	return out
}

func TestDealing(t *testing.T) {
	for _, s := range []struct{ schedule, chunk uint64 }{
		{scheduleStatic, 0}, {scheduleStatic, 1}, {scheduleStatic, 3}, {scheduleDynamic, 1}, {scheduleDynamic, 4}, {scheduleGuided, 1}, {scheduleGuided, 5},
	} {
		for _, total := range []uint64{1, 2, 7, 20, 64} {
			for _, threads := range []int{1, 2, 3, 4, 7, 64} {
				all := team(t, loop(s.schedule, s.chunk, total), Options{Threads: threads})
				got := make([]int, total)
				for _, e := range all {
					if e.IsAccess() {
						got[(e.Address-0x1000)/8] = int(e.Thread)
					}
				}
				if want := owners(s.schedule, s.chunk, total, threads); !reflect.DeepEqual(got, want) {
					t.Fatalf("schedule %d, chunk %d, %d iterations, %d threads: %v, want %v", s.schedule, s.chunk, total, threads, got, want)
				}
			}
		}
	}
}

// Every thread runs what lies outside worksharing, with its own stack, thread-local variables and memory.
func TestPrivateData(t *testing.T) {
	p := newTape(1, true)
	p.enter()
	p.piece(0, pieceEach)
	p.flush()
	p.record(typeAllocate, 0, varints(0x5000, 64, 0x401234))
	p.run(2, stackLow+100, tlsLow+8)
	p.run(2, 0x5008, 0x9000)
	p.barrier(0, pieceOne)
	p.run(1, stackLow+200)
	p.leave()
	all := team(t, p.end(), Options{Threads: 3})
	for thread := range uint64(3) {
		want := []trace.Event{
			{Address: stackLow + 100 + thread*(stackSize+pageSize), Size: 4, Kind: trace.Read, Thread: uint16(thread)},
			{Address: privateBase + thread*privateStride + 8, Size: 4, Kind: trace.Write, Thread: uint16(thread)},
			{Address: 0x5008 + thread*heapStride, Size: 4, Kind: trace.Read, Thread: uint16(thread)},
			{Address: 0x9000, Size: 4, Kind: trace.Write, Thread: uint16(thread)},
		}
		if thread == 0 {
			want = append(want, trace.Event{Address: stackLow + 200, Size: 8, Kind: trace.Write})
		}
		if got := ofThread(all, uint16(thread)); !reflect.DeepEqual(got, want) {
			t.Errorf("thread %d: %v\nwant %v", thread, got, want)
		}
	}
}

// Memory that an iteration allocates is its thread's, whoever uses it.
func TestMemoryOfChunks(t *testing.T) {
	p := newTape(1, true)
	p.enter()
	for i := range uint64(2) {
		p.piece(0, pieceChunk, scheduleStatic, i, i+1, 2, 0, 1)
		p.record(typeAllocate, 0, varints(0x5000+0x100*i, 64, 0x401234))
		p.run(1, 0x5000+0x100*i)
	}
	p.barrier(0, pieceEach)
	p.run(0, 0x5100)
	p.leave()
	all := team(t, p.end(), Options{Threads: 2})
	for thread, want := range [][]uint64{{0x5000, 0x5100 + heapStride}, {0x5100 + heapStride, 0x5100 + heapStride}} {
		var got []uint64
		for _, e := range ofThread(all, uint16(thread)) {
			got = append(got, e.Address)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("thread %d: %x, want %x", thread, got, want)
		}
	}
}

// What is allocated and freed in each iteration, always at the same place, is never shared.
func TestMemoryOfIterations(t *testing.T) {
	for _, cut := range []bool{true, false} {
		threads := 1
		if !cut {
			threads = 2
		}
		p := newTape(threads, cut)
		p.enter()
		for i := range uint64(4) {
			if cut {
				p.piece(0, pieceChunk, scheduleStatic, i, i+1, 4, 0, 1)
			} else {
				p.piece(int(i/2), pieceChunk, scheduleStatic, i, i+1, 4, 0, 1)
			}
			p.record(typeAllocate, 0, varints(0x5000, 64, 0x401234))
			p.run(1, 0x5008)
			p.flush()
			p.record(typeFree, 0, varints(0x5000))
		}
		p.barrier(0, pieceEach)
		p.leave()
		all := team(t, p.end(), Options{Threads: 2})
		for thread := range uint64(2) {
			for _, e := range ofThread(all, uint16(thread)) {
				if want := 0x5008 + thread*heapStride; e.Address != want {
					t.Errorf("cut %v, thread %d: %x, want %x", cut, thread, e.Address, want)
				}
			}
		}
	}
}

// Only the thread that ran the last iteration runs what copies lastprivate variables out.
func TestLastIteration(t *testing.T) {
	p := newTape(1, true)
	p.enter()
	for i := range uint64(4) {
		p.piece(0, pieceChunk, scheduleStatic, i, i+1, 4, 0, 1)
		p.run(0, 0x1000+8*i)
	}
	p.piece(0, pieceEach)
	p.run(4, 0x7000)
	p.leave()
	p.end()
	for threads, want := range map[int]uint16{1: 0, 2: 1, 3: 2, 4: 3, 8: 3} {
		var got []uint16
		for _, e := range team(t, p, Options{Threads: threads}) {
			if e.Address == 0x7000 && e.IsAccess() {
				got = append(got, e.Thread)
			}
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("%d threads: run by %v, want %d", threads, got, want)
		}
	}
}

func TestBarriersKeepPhasesApart(t *testing.T) {
	p := newTape(1, true)
	p.enter()
	p.piece(0, pieceEach)
	p.run(0, 0x1000)
	p.run(0, 0x1008)
	p.barrier(0, pieceEach)
	p.run(1, 0x2000)
	p.leave()
	for _, interleave := range []string{RoundRobin, Uniform} {
		all := team(t, p.end(), Options{Threads: 3, Interleave: interleave, Seed: 5})
		barrier := -1
		for i, e := range all {
			switch {
			case e.Kind == trace.Barrier:
				barrier = i
			case e.Kind == trace.Write && barrier < 0:
				t.Errorf("%s: a write before the barrier", interleave)
			case e.Kind == trace.Read && barrier >= 0:
				t.Errorf("%s: a read after the barrier", interleave)
			}
		}
	}
}

func TestRoundRobinTakesTurns(t *testing.T) {
	all := team(t, loop(scheduleStatic, 0, 9), Options{Threads: 3})
	var got []uint16
	for _, e := range all {
		if e.IsAccess() {
			got = append(got, e.Thread)
		}
	}
	if want := []uint16{0, 1, 2, 0, 1, 2, 0, 1, 2}; !reflect.DeepEqual(got, want) {
		t.Errorf("turns %v, want %v", got, want)
	}
}

func TestBlockCopies(t *testing.T) {
	p := newTape(1, true)
	p.enter()
	p.piece(0, pieceEach)
	p.run(3, 0x1000, 80, 0x2000, 80)
	p.leave()
	var got []string
	for _, e := range team(t, p.end(), Options{Threads: 1}) {
		if e.IsAccess() {
			got = append(got, fmt.Sprintf("%d:%x+%d", e.Kind, e.Address, e.Size))
		}
	}
	want := "0:1000+32 1:2000+32 0:1020+32 1:2020+32 0:1040+16 1:2040+16"
	if strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", strings.Join(got, " "), want)
	}
}

// What does not fit in memory comes back from the file.
func TestSpill(t *testing.T) {
	p := loop(scheduleStatic, 1, 200)
	want := team(t, p, Options{Threads: 4})
	again, err := NewTeam(NewScanner(bytes.NewReader(p.Bytes())), Options{Threads: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	again.holder.most, again.holder.dir = 64, t.TempDir()
	got, err := trace.All(again)
	if err != nil {
		t.Fatal(err)
	}
	if again.holder.file == nil {
		t.Error("nothing went into a file")
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("from a file, the accesses are others")
	}
}

// The paper's algorithm 1 on its figure 4: a block that runs once is copied, one that runs four times is dealt.
func TestMimic(t *testing.T) {
	p := newTape(1, true)
	p.enter()
	p.piece(0, pieceEach)
	p.run(1, stackLow+8)
	for i := range uint64(4) {
		p.run(0, 0x1000+8*i)
	}
	p.leave()
	all := team(t, p.end(), Options{Threads: 2, Mimic: true})
	for thread := range uint64(2) {
		want := []uint64{stackLow + 8 + thread*(stackSize+pageSize), 0x1000 + 16*thread, 0x1008 + 16*thread}
		var got []uint64
		for _, e := range ofThread(all, uint16(thread)) {
			got = append(got, e.Address)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("thread %d: %x, want %x", thread, got, want)
		}
	}
}

func TestThreadsThatRan(t *testing.T) {
	p := newTape(2, false)
	p.enter()
	p.piece(0, pieceEach)
	p.run(0, 0x1000)
	p.piece(1, pieceEach)
	p.run(0, 0x2000)
	p.leave()
	all := team(t, p.end(), Options{Threads: 2})
	for thread, want := range []uint64{0x1000, 0x2000} {
		if got := ofThread(all, uint16(thread)); len(got) != 1 || got[0].Address != want {
			t.Errorf("thread %d: %v", thread, got)
		}
	}
	if _, err := events(p.Bytes(), Options{Threads: 3}); err == nil || !strings.Contains(err.Error(), "of 2 threads") {
		t.Errorf("dealt to 3 threads: %v", err)
	}
}

func TestCutOff(t *testing.T) {
	whole := loop(scheduleStatic, 0, 10).Bytes()
	full, err := events(whole, Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	for n := range whole {
		got, err := events(whole[:n], Options{Threads: 2})
		if !errors.Is(err, ErrCut) {
			t.Fatalf("of %d bytes: %v", n, err)
		}
		if len(got) < most-1 {
			t.Fatalf("of %d bytes: %d events, fewer than of less", n, len(got))
		}
		most = len(got)
	}
	if most == 0 || most > len(full) {
		t.Errorf("%d events of %d", most, len(full))
	}
}

func TestFileRoundTrip(t *testing.T) {
	p := loop(scheduleGuided, 1, 40)
	var file bytes.Buffer
	w, err := NewWriter(&file)
	if err != nil {
		t.Fatal(err)
	}
	if err := Drain(&Tee{Source: NewScanner(bytes.NewReader(p.Bytes())), Writer: w}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if !IsRecording(file.Bytes()) {
		t.Error("not told as a recording")
	}
	r, err := Open(&file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	read, err := NewTeam(r, Options{Threads: 4})
	if err != nil {
		t.Fatal(err)
	}
	got, err := trace.All(read)
	if err != nil {
		t.Fatal(err)
	}
	if want := team(t, p, Options{Threads: 4}); !reflect.DeepEqual(got, want) {
		t.Error("from the file, the accesses are others")
	}
}

// All readers of a fan see everything, however they take turns, and one that closes holds nobody up.
func TestFan(t *testing.T) {
	p := loop(scheduleDynamic, 1, 2000)
	total := 0
	for s := NewScanner(bytes.NewReader(p.Bytes())); ; total++ {
		if _, err := s.Next(); err != nil {
			break
		}
	}
	branches := Fan(NewScanner(bytes.NewReader(p.Bytes())), 4)
	counts := make(chan int, 3)
	for i, b := range branches {
		if i == 3 {
			b.Close()
			continue
		}
		go func() {
			r := rand.New(rand.NewPCG(uint64(i), 1))
			n := 0
			for {
				if _, err := b.Next(); err != nil {
					if !errors.Is(err, io.EOF) {
						n = -1
					}
					break
				}
				n++
				if r.IntN(10) == 0 {
					for range r.IntN(1000) {
						_ = n
					}
				}
			}
			counts <- n
		}()
	}
	for range 3 {
		if n := <-counts; n != total {
			t.Errorf("%d records, want %d", n, total)
		}
	}
}

func FuzzTeam(f *testing.F) {
	f.Add(loop(scheduleStatic, 0, 5).Bytes(), byte(2), false)
	f.Add(loop(scheduleGuided, 2, 9).Bytes(), byte(3), true)
	f.Fuzz(func(t *testing.T, data []byte, threads byte, flag bool) {
		for _, o := range []Options{{Threads: int(threads%8) + 1, ByFunction: flag}, {Threads: int(threads%8) + 1, Mimic: true, Interleave: Uniform}} {
			team, err := NewTeam(NewScanner(bytes.NewReader(data)), o)
			if err != nil {
				t.Fatal(err)
			}
			buffer := make([]trace.Event, 256)
			for n, tries := 0, 0; n < 1<<16 && tries < 1<<12; tries++ {
				k, err := team.Read(buffer)
				n += k
				for _, e := range buffer[:k] {
					if e.IsAccess() && (e.Size == 0 || e.Address+uint64(e.Size)-1 < e.Address) || int(e.Thread) >= o.Threads {
						t.Fatalf("event %+v", e)
					}
				}
				if err != nil {
					break
				}
			}
			team.Close()
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	p := newTape(1, true)
	p.enter()
	p.piece(0, pieceEach)
	p.run(2, 0x10000, 0x20000)
	p.run(2, 0x10008, 0x20008)
	p.events = binary.AppendUvarint(p.events, 1<<20<<2)
	p.leave()
	data := p.end().Bytes()
	buffer := make([]trace.Event, 1<<13)
	for b.Loop() {
		team, err := NewTeam(NewScanner(bytes.NewReader(data)), Options{Threads: 1})
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for {
			k, err := team.Read(buffer)
			n += k
			if err != nil {
				break
			}
		}
		b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
	}
}

// ReadLines gives the lines of Read.
func TestReadLines(t *testing.T) {
	p := newTape(1, true)
	p.enter()
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		p.piece(0, pieceEach)
		for i := range r.IntN(20) {
			a := 0x1000 + r.Uint64N(1<<12)
			switch i % 3 {
			case 0:
				p.run(0, a)
			case 1:
				p.run(2, a, a+r.Uint64N(70))
			case 2:
				p.run(3, a, 96, a+0x10000, 96)
			}
		}
		if p.words > 24 && r.IntN(2) == 0 { // every segment has one that follows it
			p.events = binary.AppendUvarint(p.events, uint64(r.IntN(3000))<<2)
		}
	}
	p.leave()
	p.end()
	want := Lines{Shift: 6}
	for _, e := range team(t, p, Options{Threads: 1}) {
		if e.IsAccess() {
			want.add(e.Address, e.Size)
		}
	}
	read, err := NewTeam(NewScanner(bytes.NewReader(p.Bytes())), Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	got := Lines{Shift: 6}
	for err == nil {
		_, err = read.ReadLines(&got)
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%d lines and %d again, want %d and %d", len(got.Lines), got.Again, len(want.Lines), want.Again)
	}
}
