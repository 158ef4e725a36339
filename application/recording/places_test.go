package recording

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"foresee/application/trace"
	"foresee/internal/tracetest"
)

// naive are blocks in a list.
type naive []*block

func (l naive) without(overlaps func(*block) bool) (out naive) {
	for _, b := range l {
		if !overlaps(b) {
			out = append(out, b)
		}
	}
	return out
}

func (b blocks) list() naive { return b.all() }

// TestBlocks compares sets of blocks with a list, earlier sets among them.
func TestBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var set, earlier blocks
	var want, before naive
	for i := range 5000 {
		low := random.Uint64N(3000) + 1
		b := &block{low, low + 1 + random.Uint64N(40), 0, int64(i)}
		switch random.IntN(4) {
		case 0:
			set = set.without(low)
			want = want.without(func(x *block) bool { return x.low == low })
		default:
			set = set.with(b)
			want = append(want.without(func(x *block) bool { return x.low < b.end && b.low < x.end }), b)
		}
		for _, a := range []uint64{low, b.end, low - 1} {
			found := want.without(func(x *block) bool { return a < x.low || a >= x.end })
			if got := set.find(a); len(found) == 0 && got != nil || len(found) == 1 && got != found[0] {
				t.Fatalf("step %d: %#x is in %v, want %v", i, a, got, found)
			}
		}
		if i%100 == 0 {
			if !reflect.DeepEqual(earlier.list(), before) {
				t.Fatalf("step %d: an earlier set has changed", i)
			}
			earlier, before = set, set.list()
		}
		if len(set.list()) != len(want) {
			t.Fatalf("step %d: %d blocks, want %d", i, len(set.list()), len(want))
		}
	}
}

// TestManyAllocations takes a time that grows with the number of allocations, not with its square.
func TestManyAllocations(t *testing.T) {
	p := newTape(1, true)
	p.enter()
	p.piece(0, pieceEach)
	const n = 300_000
	for i := range uint64(n) {
		p.record(typeAllocate, 0, varints(1<<30+8192*i, 8192, 0x401234))
		if i%1000 == 0 {
			p.run(1, 1<<30+8192*i)
			p.flush()
		}
	}
	p.leave()
	team, err := NewTeam(NewScanner(bytes.NewReader(p.end().Bytes())), Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer team.Close()
	all, err := tracetest.All(team)
	if err != nil || len(ofThread(all, 1)) != n/1000 {
		t.Fatalf("%d accesses, %v", len(ofThread(all, 1)), err)
	}
	if got := ofThread(all, 1)[2].Address; got != 1<<30+8192*2000+heapStride {
		t.Errorf("the third access of thread 1 is at %#x", got)
	}
	if got := len(team.Names().Objects); got > mostNamed+10 {
		t.Errorf("%d objects", got)
	}
}

// TestNamesOfMemory gives memory its name again where it is allocated again, and another where something else is.
func TestNamesOfMemory(t *testing.T) {
	p := newTape(1, true)
	p.enter()
	p.piece(0, pieceEach)
	for range 3 {
		p.record(typeAllocate, 0, varints(0x100000, 8192, 1))
		p.record(typeAllocate, 0, varints(0x200000, 8192, 2))
	}
	p.record(typeAllocate, 0, varints(0x101000, 8192, 3))
	p.leave()
	team, err := NewTeam(NewScanner(bytes.NewReader(p.end().Bytes())), Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tracetest.All(team); err != nil {
		t.Fatal(err)
	}
	var got []trace.Object
	for _, o := range team.Names().Objects {
		if strings.HasPrefix(o.Name, "allocated") {
			got = append(got, o)
		}
	}
	want := []trace.Object{{Name: "allocated at 0x1", Address: 0x100000}, {Name: "allocated at 0x2", Address: 0x200000, Bytes: 8192}, {Name: "allocated at 0x3", Address: 0x101000, Bytes: 8192}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestClaims refuses numbers that no run can have, at their record.
func TestClaims(t *testing.T) {
	head := func(threads, page uint64) *tape {
		p := &tape{}
		p.record(typeHeader, 0, varints(Version, threads, 1, 1, 0, page))
		return p
	}
	ran := func(words, run uint64) *tape {
		p := newTape(1, true)
		p.enter()
		p.piece(0, pieceEach)
		p.record(typeEvents, 0, varints(words, 0<<2|tokenBoth, zigzag(0x1000), 0<<2|tokenBoth, 1, zigzag(8), run<<2))
		return p
	}
	blocks := &tape{}
	blocks.record(typeHeader, 0, varints(Version, 1, 1, 1, 0, pageSize))
	blocks.record(typeModule, 0, append(varints(0), strings.Replace(code, "S\t4", "S\t2000000000", 1)...))
	for _, c := range []struct {
		name, want string
		p          *tape
	}{
		{"threads", `record 1 ('H'): 1025 threads`, head(1025, pageSize)},
		{"threads below 0", `record 1 ('H'): 9223372036854775808 threads`, head(1<<63, pageSize)},
		{"page", `pages of 9223372036854775808 bytes`, head(1, 1<<63)},
		{"run", `record 8 ('E'): damaged events`, ran(3, 1<<61)},
		{"words", `record 8 ('E'): damaged events`, ran(1<<62, 1)},
		{"block", `segment 4 is of basic block 2000000000`, blocks},
	} {
		for _, o := range []Options{{Threads: 1}, {Threads: 2}, {Threads: 1, ByFunction: true}, {Threads: 2, Mimic: true}} {
			_, err := events(c.p.end().Bytes(), o)
			if err == nil || errors.Is(err, io.EOF) || !strings.Contains(err.Error(), strings.Replace(c.want, "record 8 ", "", 1)) {
				t.Errorf("%s, %+v: %v, want %s", c.name, o, err, c.want)
			}
		}
	}
}
