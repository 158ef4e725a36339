package recording

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"foresee/application/trace"
	"foresee/internal/tracetest"
)

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
	t.Setenv("TMPDIR", t.TempDir())
	again.holder.most = 64
	got, err := tracetest.All(again)
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

// A function's busiest thread is one of those that run it, not all together.
func TestBusiestOfFunctions(t *testing.T) {
	p := loop(scheduleStatic, 0, 9)
	read, err := NewTeam(NewScanner(bytes.NewReader(p.Bytes())), Options{Threads: 4, ByFunction: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tracetest.All(read); err != nil {
		t.Fatal(err)
	}
	regions := read.Regions()
	if len(regions) != 1 || regions[0].Name != "f" || regions[0].Words != 9 || regions[0].Busiest != 3 {
		t.Errorf("regions %+v, want f with 9 words, 3 of the busiest thread", regions)
	}
}

// What was dealt is counted for each segment by itself: two loops in a region, of which a chunk goes on after a task.
func TestDealtOfSegments(t *testing.T) {
	p := newTape(1, true)
	p.enter()
	chunk := func(loop, first, end uint64, segments ...uint64) {
		p.piece(0, pieceChunk, scheduleStatic, first, end, end, 0, loop)
		for i, s := range segments {
			p.run(s, 0x1000+8*uint64(i))
		}
	}
	chunk(1, 0, 10, 0, 0, 1)
	chunk(1, 10, 15, 1)
	p.barrier(0, pieceEach)
	p.run(0, 0x2000)
	chunk(2, 0, 100, 1)
	p.piece(0, pieceTask)
	p.run(0, 0x3000)
	chunk(2, 0, 100, 1)
	p.leave()
	data := p.end().Bytes()
	want := []Dealt{{1, 10}, {3, 115}, {}, {}, {}}
	for _, o := range []Options{{Threads: 1}, {Threads: 2}, {Threads: 2, Mimic: true}} {
		read, err := NewTeam(NewScanner(bytes.NewReader(data)), o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tracetest.All(read); err != nil {
			t.Fatal(err)
		}
		got := read.Regions()[0].Dealt
		for i, d := range got {
			if d != want[i] {
				t.Errorf("%+v: segment %d: dealt %+v, want %+v", o, i, d, want[i])
			}
		}
		if len(got) < 2 {
			t.Errorf("%+v: %+v", o, got)
		}
	}
}
