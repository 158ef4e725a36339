package recording

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	"foresee/internal/tracetest"
)

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
	got, err := tracetest.All(read)
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

// taken gathers accesses.
type taken struct{ addresses, sizes []uint64 }

func (t *taken) add(address uint64, size uint32) {
	t.addresses, t.sizes = append(t.addresses, address), append(t.sizes, uint64(size))
}

func (t *taken) AddRun(from, stride []uint64, sizes []uint32, times int) {
	for j := range uint64(times) {
		for i := range from {
			t.add(from[i]+(j+1)*stride[i], sizes[i])
		}
	}
}

// ReadRuns gives the accesses of Read.
func TestReadRuns(t *testing.T) {
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
	var want, got taken
	for _, e := range team(t, p, Options{Threads: 1}) {
		if e.IsAccess() {
			want.add(e.Address, e.Size)
		}
	}
	read, err := NewTeam(NewScanner(bytes.NewReader(p.Bytes())), Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = read.ReadRuns(&got)
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%d accesses, want %d", len(got.addresses), len(want.addresses))
	}
}

// bounds checks accesses.
type bounds struct {
	t     *testing.T
	taken int
}

func (b *bounds) AddRun(from, stride []uint64, sizes []uint32, times int) {
	for i, a := range from {
		for _, at := range []uint64{a + stride[i], a + uint64(times)*stride[i]} {
			if at == 0 || at >= mostAddress || sizes[i] == 0 {
				b.t.Fatalf("%d bytes at %#x", sizes[i], at)
			}
		}
	}
	b.taken++
}

func FuzzReadRuns(f *testing.F) {
	f.Add(loop(scheduleStatic, 0, 5).Bytes())
	f.Add(loop(scheduleGuided, 2, 9).Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		team, err := NewTeam(NewScanner(bytes.NewReader(data)), Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer team.Close()
		to := bounds{t: t}
		for tries := 0; err == nil && to.taken < 1<<16 && tries < 1<<10; tries++ {
			_, err = team.ReadRuns(&to)
		}
	})
}
