package schedule

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The oracle deals one iteration after another, by the words of OpenMP 5.2, section 11.5.3, and of doc.go, without
// the formulas of the package.

// span is a chunk, in the order in which chunks are dealt, and the thread that gets it when threads ask in turn.
type span struct{ first, end, thread int64 }

func plainly(r Rule, n, threads int64) (out []span) {
	if r.Kind == Static || r.Kind == StaticChunk && r.Chunk == 0 {
		return plainBlocks(n, threads)
	}
	chunk := max(r.Chunk, 1)
	for at, thread := int64(0), int64(0); at < n; thread = (thread + 1) % threads {
		size := int64(0)
		for left := n - at; left > 0 && r.Kind == Guided; left -= threads { // of each T iterations that are left, one
			size++
		}
		end := min(at+max(size, chunk), n)
		out = append(out, span{at, end, thread})
		at = end
	}
	return out
}

func plainBlocks(n, threads int64) (out []span) {
	sizes := make([]int64, threads)
	for i := range n {
		sizes[i%threads]++
	}
	at := int64(0)
	for t, size := range sizes {
		out = append(out, span{at, at + size, int64(t)})
		at += size
	}
	return out
}

// eachCase calls f for all small loops and teams.
func eachCase(f func(r Rule, n, threads int64)) {
	for n := int64(0); n <= 40; n++ {
		for threads := int64(1); threads <= 9; threads++ {
			for kind := Static; kind <= Guided; kind++ {
				for chunk := int64(0); chunk <= 7; chunk++ {
					f(Rule{kind, chunk}, n, threads)
				}
			}
		}
	}
}

// TestDeal asks in turn.
func TestDeal(t *testing.T) {
	eachCase(func(r Rule, n, threads int64) {
		var got []span
		d := NewDeal(r, n, int(threads))
		for thread, idle := int64(0), int64(0); idle < threads; thread = (thread + 1) % threads {
			first, end := d.Next(int(thread))
			if first >= end {
				idle++
				continue
			}
			got, idle = append(got, span{first, end, thread}), 0
		}
		want := slices.DeleteFunc(plainly(r, n, threads), func(s span) bool { return s.first == s.end })
		if !slices.Equal(got, want) {
			t.Fatalf("%v of %d to %d threads: %v, want %v", r, n, threads, got, want)
		}
	})
}

// TestDealOnDemand lets threads ask in any order: they get the same chunks in the order of asking.
func TestDealOnDemand(t *testing.T) {
	d := NewDeal(Rule{Kind: Guided}, 20, 3)
	want := [][2]int64{{0, 7}, {7, 12}, {12, 15}, {15, 17}, {17, 18}, {18, 19}, {19, 20}}
	for i, thread := range []int{1, 0, 2, 1, 1, 1, 0} {
		if first, end := d.Next(thread); first != want[i][0] || end != want[i][1] {
			t.Errorf("chunk %d is %d…%d, want %v", i, first, end, want[i])
		}
	}
	for thread := range 3 {
		if first, end := d.Next(thread); first < end {
			t.Error("iterations are left")
		}
	}
}

func TestBlocks(t *testing.T) {
	eachCase(func(r Rule, n, threads int64) {
		if r.Least() > 0 {
			return
		}
		b := NewBlocks(n, threads)
		for _, s := range plainly(r, n, threads) {
			if b.Start(s.thread) != s.first || b.Start(s.thread+1) != s.end {
				t.Errorf("block %d of %d for %d threads begins at %d, want %+v", s.thread, n, threads, b.Start(s.thread), s)
			}
			for i := s.first; i < s.end; i++ {
				if b.Owner(i) != s.thread {
					t.Errorf("iteration %d of %d for %d threads is of %d, want %d", i, n, threads, b.Owner(i), s.thread)
				}
			}
		}
	})
}

func TestTurns(t *testing.T) {
	eachCase(func(r Rule, n, threads int64) {
		if r.Least() == 0 || r.Kind == Guided {
			return
		}
		turns, want := NewTurns(n, threads, r.Least()), plainly(r, n, threads)
		name := fmt.Sprint(r, n, threads)
		if turns.Chunks() != int64(len(want)) {
			t.Errorf("%s: %d chunks, want %d", name, turns.Chunks(), len(want))
		}
		iterations, rounds := make([]int64, threads), make([]int64, threads)
		for k, s := range want {
			chunk := int64(k)
			if first, end := turns.Range(chunk); first != s.first || end != s.end {
				t.Errorf("%s: chunk %d is %d…%d, want %+v", name, k, first, end, s)
			}
			if turns.Owner(chunk) != s.thread || turns.Round(chunk) != rounds[s.thread] {
				t.Errorf("%s: chunk %d is of thread %d in round %d, want %d in %d", name, k, turns.Owner(chunk), turns.Round(chunk), s.thread, rounds[s.thread])
			}
			for i := s.first; i < s.end; i++ {
				if turns.At(i) != chunk {
					t.Errorf("%s: iteration %d is in chunk %d, want %d", name, i, turns.At(i), k)
				}
			}
			iterations[s.thread] += s.end - s.first
			rounds[s.thread]++
		}
		for thread, n := range iterations {
			if turns.Iterations(int64(thread)) != n {
				t.Errorf("%s: thread %d gets %d, want %d", name, thread, turns.Iterations(int64(thread)), n)
			}
		}
		checkNextOf(t, name, turns, want, threads)
	})
}

// checkNextOf looks through the chunks that follow.
func checkNextOf(t *testing.T, name string, turns Turns, all []span, threads int64) {
	t.Helper()
	for thread := range threads {
		for k := range all {
			i := slices.IndexFunc(all[k:], func(s span) bool { return s.thread == thread })
			if next := turns.NextOf(thread, int64(k)); i >= 0 && next != int64(k+i) || i < 0 && next < int64(len(all)) {
				t.Errorf("%s: from chunk %d on the next of thread %d is %d, want %d", name, k, thread, next, k+i)
			}
		}
	}
}

func TestShrinking(t *testing.T) {
	eachCase(func(r Rule, n, threads int64) {
		if r.Kind != Guided {
			return
		}
		s, want := NewShrinking(n, threads, r.Chunk), plainly(r, n, threads)
		if s.Chunks() != int64(len(want)) {
			t.Fatalf("%v of %d to %d threads: %d chunks, want %d", r, n, threads, s.Chunks(), len(want))
		}
		for k := range int64(len(want)) + 3 {
			start := n
			if k < int64(len(want)) {
				start = want[k].first
			}
			if s.Start(k) != start {
				t.Fatalf("%v of %d to %d threads: chunk %d begins at %d, want %d", r, n, threads, k, s.Start(k), start)
			}
			if longer := NewShrinking(n+1, threads, r.Chunk); longer.Start(k) < s.Start(k) {
				t.Fatalf("%v of %d to %d threads: chunk %d begins at %d, of one iteration more at %d", r, n, threads, k, s.Start(k), longer.Start(k))
			}
		}
	})
}

// TestShare adds up what all threads are dealt.
func TestShare(t *testing.T) {
	eachCase(func(r Rule, n, threads int64) {
		var got []span
		for thread := range threads {
			share := ShareOf(numbers{}, r, Extent[int64]{n, n - 1, n + 3}, thread, threads)
			for round := int64(0); round <= share.Last; round++ {
				if first, last := share.Range(round); first <= last {
					got = append(got, span{first, last + 1, thread})
				}
			}
		}
		slices.SortFunc(got, func(a, b span) int { return int(a.first - b.first) })
		want := slices.DeleteFunc(plainly(r, n, threads), func(s span) bool { return s.first == s.end })
		if !slices.Equal(got, want) {
			t.Fatalf("%v of %d to %d threads: %v, want %v", r, n, threads, got, want)
		}
	})
}

// TestCounts runs loops.
func TestCounts(t *testing.T) {
	for lo := int64(-5); lo <= 5; lo++ {
		for hi := int64(-5); hi <= 5; hi++ {
			for _, step := range []int64{-3, -2, -1, 1, 2, 3} {
				n := int64(0)
				for v := lo; step > 0 && v <= hi || step < 0 && v >= hi; v += step {
					n++
				}
				last := LastIteration(numbers{}, lo, hi, step)
				if got := Iterations(numbers{}, last); got != n || n > 0 && last != n-1 || n == 0 && last >= 0 {
					t.Errorf("%d to %d by %d: %d iterations, the last is %d; want %d", lo, hi, step, got, last, n)
				}
			}
		}
	}
	if n := Collapsed(numbers{}, []int64{3, 4, 5}); n != 60 {
		t.Errorf("3, 4 and 5 loops collapsed are %d, want 60", n)
	}
}

// TestLarge: what holds of any loop, up to the largest numbers.
func TestLarge(t *testing.T) {
	large := func(t *rapid.T, name string) int64 {
		return rapid.Int64Range(1, int64(1)<<rapid.IntRange(1, 62).Draw(t, "bits")).Draw(t, name)
	}
	rapid.Check(t, func(t *rapid.T) {
		n, threads, chunk := large(t, "n"), rapid.Int64Range(1, 300).Draw(t, "threads"), rapid.Int64Range(1, math.MaxInt64).Draw(t, "chunk")
		i := rapid.Int64Range(0, n-1).Draw(t, "iteration")
		b := NewBlocks(n, threads)
		if owner := b.Owner(i); b.Start(0) != 0 || b.Start(threads) != n || i < b.Start(owner) || i >= b.Start(owner+1) {
			t.Fatal(b, owner)
		}
		turns := NewTurns(n, threads, chunk)
		if first, end := turns.Range(turns.At(i)); i < first || i >= end || end-first > chunk {
			t.Fatal(turns, first, end)
		}
		sum := int64(0)
		for thread := range threads {
			sum += turns.Iterations(thread)
		}
		if sum != n {
			t.Fatal(turns, sum)
		}
		shrinking := NewShrinking(n, threads, chunk)
		if k := shrinking.Chunks(); shrinking.Start(k) != n || shrinking.Start(k-1) >= n || shrinking.Start(0) != 0 {
			t.Fatal(shrinking, k)
		}
		if size := (Rule{Guided, chunk}).Size(n, threads); size < 1 || size > n || size < min(chunk, n) || size < n/threads {
			t.Fatal(size)
		}
	})
}

// TestTeam compares with a look at all threads.
func TestTeam(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for threads := 1; threads <= 20; threads++ {
		done := make([]uint64, threads)
		want := make([]uint64, threads)
		for i := range done {
			done[i] = rng.Uint64N(4)
			want[i] = done[i]
		}
		team := NewTeam(done)
		for step := range 400 {
			least := slices.Index(want, slices.Min(want))
			if team.Next() != least {
				t.Fatalf("of %v, %d asks next, want %d", want, team.Next(), least)
			}
			work := rng.Uint64N(5)
			switch who := rng.IntN(threads + 3); {
			case who < threads:
				team.Add(who, work)
				want[who] += work
			case who == threads:
				team.AddAll(work)
				for i := range want {
					want[i] += work
				}
			case step%40 == 0:
				team.Clear()
				clear(want)
			default:
				team.Add(least, work)
				want[least] += work
			}
			if !slices.Equal(team.Done(), want) {
				t.Fatalf("%v, want %v", team.Done(), want)
			}
		}
	}
}

// TestTeamOfFloats: work that all do can make equal what was not; then the lower number comes first.
func TestTeamOfFloats(t *testing.T) {
	team := NewTeam([]float64{1e-3, 0})
	if team.Next() != 1 {
		t.Error("the second has done less")
	}
	team.AddAll(1e30)
	if team.Next() != 0 {
		t.Error("both have done as much")
	}
}

func TestKinds(t *testing.T) {
	for kind, want := range map[Kind]string{Static: "static", StaticChunk: "static,chunk", Dynamic: "dynamic", Guided: "guided"} {
		if kind.String() != want || !kind.Known() || kind.OnDemand() != (kind > StaticChunk) {
			t.Errorf("%d: %s", kind, kind)
		}
	}
	if Kind(-1).Known() || Kind(4).Known() {
		t.Error("there are four kinds")
	}
}
