package threads

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"foresee/application/nest"
	"foresee/model/schedule"
)

// TestRuns finds sets of iterations that are rows, or rows of rows, and their first touches.
func TestRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 400 {
		want := Run{First: rng.Int64N(20), Stride: 1 + rng.Int64N(4), Count: 1 + rng.Int64N(40), Repeat: 1, Local: 1000 + rng.Int64N(50)}
		if want.Count == 2 { // pairs are told from rows only when they are neighbours
			want.Stride = 1
		}
		if want.Count > 1 {
			want.Inner = (want.Count - 1) * (rng.Int64N(9) - 4)
		}
		if trial%2 == 1 {
			want.Repeat = 3 + rng.Int64N(20)
			want.Period = want.Count*want.Stride + want.Stride + 1 + rng.Int64N(30)
			want.Outer = (want.Repeat - 1) * (rng.Int64N(9) - 4)
		}
		touched := map[int64]int64{}
		for y := range want.Repeat {
			for x := range want.Count {
				j := want.First + want.Stride*x + want.Period*y
				touched[j] = want.local(j)
			}
		}
		n := want.last() + 1 + rng.Int64N(9)
		f := &finder{n: n, slack: 8, from: func(i int64) (nest.Touch, bool, error) {
			for ; i < n; i++ {
				if l, ok := touched[i]; ok {
					return nest.Touch{Iteration: i, Local: l}, true, nil
				}
			}
			return nest.Touch{}, false, nil
		}}
		got, err := f.runs()
		if err != nil {
			t.Fatal(err)
		}
		checkRuns(t, got, touched, n)
	}
}

// checkRuns compares what runs say of every iteration with the set that they stand for.
func checkRuns(t *testing.T, runs []Run, touched map[int64]int64, n int64) {
	t.Helper()
	next, before := int64(-1), int64(-1)
	for i := n - 1; i >= 0; i-- {
		if _, ok := touched[i]; ok {
			next = i
		}
		j, r := nextOf(runs, i)
		if j != next {
			t.Fatalf("%+v: after %d comes %d, want %d", runs, i, j, next)
		}
		if j == i && abs(r.local(i)-touched[i]) > 9 { // the slack, and rounding
			t.Fatalf("%+v: %d is first touched at %d, want %d", runs, i, r.local(i), touched[i])
		}
	}
	for i := range n {
		last := int64(-1)
		for k := range runs {
			last = max(last, runs[k].before(i))
		}
		if last != before {
			t.Fatalf("%+v: before %d comes %d, want %d", runs, i, last, before)
		}
		if _, ok := touched[i]; ok {
			before = i
		}
	}
}

// TestRunsManyPieces: irregular sets go on as they began once there are too many pieces.
func TestRunsManyPieces(t *testing.T) {
	f := &finder{n: 1 << 20, from: func(i int64) (nest.Touch, bool, error) {
		k := int64(0)
		for k*k < i { // squares
			k++
		}
		return nest.Touch{Iteration: k * k}, k*k < 1<<20, nil
	}}
	runs, err := f.runs()
	if err != nil || len(runs) != mostRuns {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	for _, j := range []int64{0, 1, 4, 9, 16} {
		if k, _ := nextOf(runs, j); k != j {
			t.Errorf("%d is missing", j)
		}
	}
}

// TestRow reads rows of uses with short periods.
func TestRow(t *testing.T) {
	for _, c := range []struct {
		offsets []int64 // in a period
		step    int64
	}{
		{[]int64{0}, 4},
		{[]int64{0, 1}, 4},
		{[]int64{0, 2, 4}, 7},
		{[]int64{0, 1, 2, 9}, 30},
	} {
		const end = 400
		var uses []int64
		for b := int64(5); b < end; b += c.step {
			for _, o := range c.offsets {
				uses = append(uses, b+o)
			}
		}
		find := func(local int64) (int64, bool, error) {
			for _, u := range uses {
				if u >= local {
					return u, true, nil
				}
			}
			return 0, false, nil
		}
		u, err := row(find, 5, 1<<40)
		if err != nil {
			t.Fatal(err)
		}
		for x := int64(5); x <= u.Local+u.Step*u.Count; x++ {
			want, _, _ := find(x)
			if got := u.next(float64(x)); got != float64(want) {
				t.Fatalf("%v every %d: from %d comes %v, want %d (%+v)", c.offsets, c.step, x, got, want, u)
			}
		}
		if u.Step*u.Count < end/2 {
			t.Errorf("%v every %d: the row ends at %d", c.offsets, c.step, u.Step*u.Count)
		}
	}
}

// TestPlan compares plans with the dealing of iterations one by one.
func TestPlan(t *testing.T) {
	shapes := map[string]func(i int64) int64{
		"even": func(int64) int64 { return 12 }, "growing": func(i int64) int64 { return 3 * i }, "shrinking": func(i int64) int64 { return 500 - i },
	}
	for name, each := range shapes {
		for _, n := range []int64{1, 5, 8, 37, 400} {
			s := Shape{Iterations: n}
			total := make([]int64, n+1)
			for i := range n {
				total[i+1] = total[i] + each(i)
			}
			for k := range int64(knots) {
				s.Before = append(s.Before, total[n*k/(knots-1)])
			}
			w := newWork(&s)
			for i := range n + 1 {
				if got := w.before(i); math.Abs(got-float64(total[i])) > 1e-6 {
					t.Errorf("%s, %d: before %d are %v, want %d", name, n, i, got, total[i])
				}
			}
			for _, l := range []Loop{
				{Schedule: schedule.Static}, {Schedule: schedule.StaticChunk, Chunk: 3}, {Schedule: schedule.Dynamic}, {Schedule: schedule.Guided, Chunk: 2},
			} {
				p := newPlan(w, &l, 6)
				checkPlan(t, name, &p, l)
			}
		}
	}
}

func checkPlan(t *testing.T, name string, p *plan, l Loop) {
	t.Helper()
	n := p.work.n
	seen := make([]float64, p.threads)
	deal := schedule.NewDeal(l.rule(), n, int(p.threads))
	static := l.Schedule == schedule.Static || l.Schedule == schedule.StaticChunk
	owner := map[int64]int{}
	for thread := 0; static && thread < int(p.threads); thread++ {
		for first, end := deal.Next(thread); first < end; first, end = deal.Next(thread) {
			for i := first; i < end; i++ {
				owner[i] = thread
			}
		}
	}
	for i := range n {
		c := p.chunkOf(i)
		if i < c.first || i >= c.end {
			t.Fatalf("%s %s: %d is not in %+v", name, l.Schedule, i, c)
		}
		if static && owner[i] != c.thread {
			t.Fatalf("%s %s: %d is run by %d, want %d", name, l.Schedule, i, c.thread, owner[i])
		}
		begin := p.begins(&c, i)
		if d := begin - seen[c.thread]; d > 1e-6 || d < -1e-6 {
			t.Fatalf("%s %s: %d begins at %v, thread %d has done %v", name, l.Schedule, i, begin, c.thread, seen[c.thread])
		}
		length := p.work.before(i+1) - p.work.before(i)
		if length > 0 {
			if d, j := p.doing(c.thread, begin+length/2); j != i || d.thread != c.thread {
				t.Fatalf("%s %s: thread %d is at %d, want %d", name, l.Schedule, c.thread, j, i)
			}
		}
		seen[c.thread] += length
		everything := []Run{{First: 0, Stride: 1, Count: n, Repeat: 1}}
		if _, j, _ := p.nextOwn(c.thread, everything, i, math.Inf(1)); j != i {
			t.Fatalf("%s %s: thread %d's next from %d on is %d", name, l.Schedule, c.thread, i, j)
		}
	}
	for thread, v := range seen {
		if d := v - p.accesses(thread); d > 1e-6 || d < -1e-6 {
			t.Fatalf("%s %s: thread %d makes %v accesses, the plan says %v", name, l.Schedule, thread, v, p.accesses(thread))
		}
	}
	p.arrange()
	for _, u := range []float64{0, 1, 11.5, 60, 500, 1e9} {
		sum, live := 0.0, 0
		for thread := range seen {
			sum += min(u, p.accesses(thread))
			if p.accesses(thread) > u {
				live++
			}
		}
		if got := p.elapsed(u); math.Abs(got-sum) > 1e-9*sum || p.live(u) != live {
			t.Errorf("%s %s: after %g accesses of each, %g of all and %d live, want %g and %d", name, l.Schedule, u, got, p.live(u), sum, live)
		}
	}
	if most := p.longest(); most < slices.Max(seen)-1e-6 {
		t.Errorf("%s %s: at most %g accesses of a thread, want %g", name, l.Schedule, most, slices.Max(seen))
	}
	if all := p.elapsed(1e18); all != p.work.total && all-p.work.total > 1e-6*p.work.total {
		t.Errorf("%s %s: %v accesses, want %v", name, l.Schedule, all, p.work.total)
	}
}

// TestNextInTime wants the search for a thread's next iteration to find it whenever its chunk begins before a number of the thread's
// accesses: a thread that gives up earlier is one that could not have been first.
func TestNextInTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	found, late := 0, 0
	for range 3000 {
		n, threads := 1+rng.Int64N(500), 1+rng.IntN(7)
		w := newWork(&Shape{Iterations: n, Before: []int64{0, 3 * n}})
		l := Loop{Schedule: []schedule.Kind{schedule.Static, schedule.StaticChunk, schedule.Dynamic, schedule.Guided}[rng.IntN(4)], Chunk: 1 + rng.Int64N(5)}
		p := newPlan(w, &l, threads)
		runs := []Run{{First: rng.Int64N(n), Stride: 1 + rng.Int64N(9), Count: 1 + rng.Int64N(20), Repeat: 1}}
		thread, from, most := rng.IntN(threads), rng.Int64N(n), 3*float64(rng.Int64N(n))
		c, all, _ := p.nextOwn(thread, runs, from, math.Inf(1))
		_, some, _ := p.nextOwn(thread, runs, from, most)
		switch {
		case some == all:
			found++
		case some >= 0 || c.start < most:
			t.Fatalf("%+v, thread %d of %d, from %d: %d within %v accesses, else %d in %+v", l, thread, threads, from, some, most, all, c)
		default:
			late++
		}
	}
	if found < 500 || late < 100 {
		t.Errorf("%d found, %d late", found, late)
	}
}
