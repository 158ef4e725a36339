package nest_test

import (
	"slices"
	"testing"

	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/internal/oracle/kernels"
	"foresee/model/schedule"
)

// undealt is a kernel at MINI, and all its accesses in order.
func undealt(t *testing.T, name string) (*nest.Stream, *nest.Program, []nest.Place) {
	t.Helper()
	var s *nest.Stream
	var p *nest.Program
	var all []nest.Place
	err := kernels.With("MINI", []string{name}, func(ks []kernels.Kernel) (err error) {
		p = ks[0].Program
		s, err = nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: 64, Undealt: true})
		if err == nil {
			s.Each(func(x nest.Place) bool {
				all = append(all, x)
				return true
			})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, p, all
}

// TestExecution checks what the cursor tells of iterations against a walk over all accesses.
func TestExecution(t *testing.T) {
	for _, name := range []string{"gemm", "lu", "jacobi-2d", "heat-3d-collapse", "trmm", "deriche", "seidel-2d-tiled", "matvec-collapse", "symm"} {
		t.Run(name, func(t *testing.T) {
			s, p, all := undealt(t, name)
			checkOrder(t, p, s, all)
			k := s.Cursor()
			at := make([]nest.Touch, len(all))
			ex := make([]nest.Execution, len(all))
			for i := range all {
				k.At(int64(i))
				ex[i], at[i] = k.Execution()
			}
			step := max(1, len(all)/400)
			for i := 0; i < len(all); i += step {
				checkExecution(t, k, all, ex, at, i)
			}
		})
	}
}

// checkOrder compares with the stream of one thread.
func checkOrder(t *testing.T, p *nest.Program, s *nest.Stream, all []nest.Place) {
	t.Helper()
	one, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	one.Each(func(x nest.Place) bool {
		if i >= len(all) || one.Address(x) != s.Address(all[i]) {
			t.Fatalf("access %d differs from that of one thread", i)
		}
		i++
		return true
	})
	if i != len(all) {
		t.Fatalf("%d accesses, one thread makes %d", len(all), i)
	}
}

func checkExecution(t *testing.T, k *nest.Cursor, all []nest.Place, ex []nest.Execution, at []nest.Touch, i int) {
	t.Helper()
	same := func(a, b int) bool { return ex[a].Loop == ex[b].Loop && ex[a].Begin == ex[b].Begin }
	uses := func(j int) bool { return all[j].Object == all[i].Object && all[j].Line == all[i].Line }
	k.At(int64(i))
	if ex[i].Loop != nil {
		if got := ex[i].Begin + k.Before(at[i].Iteration) + at[i].Local; got != int64(i) {
			t.Fatalf("access %d: place in the execution gives %d", i, got)
		}
		var first nest.Touch // in an iteration after the access's own
		found, local := false, int64(-1)
		for j := range all {
			if !same(i, j) || !uses(j) {
				continue
			}
			if at[j].Iteration == at[i].Iteration && at[j].Local > at[i].Local && local < 0 {
				local = at[j].Local
			}
			if at[j].Iteration > at[i].Iteration && !found {
				first, found = at[j], true
			}
		}
		got, ok, err := k.TouchFrom(at[i].Iteration + 1)
		if err != nil || ok != found || got != first {
			t.Fatalf("access %d: next iteration that touches the line %v %v %v, want %v %v", i, got, ok, err, first, found)
		}
		x, ok, err := k.TouchIn(at[i].Iteration, at[i].Local+1)
		if err != nil || ok != (local >= 0) || ok && x != local {
			t.Fatalf("access %d: next use in the iteration %d %v %v, want %d", i, x, ok, err, local)
		}
	}
	want := -1
	for j := i + 1; j < len(all) && want < 0; j++ {
		if uses(j) && (ex[i].Loop == nil || !same(i, j)) {
			want = j
		}
	}
	ok, err := k.Leave()
	if err != nil || ok != (want >= 0) {
		t.Fatalf("access %d: leaves: %v %v, want %d", i, ok, err, want)
	}
	if e, x := k.Execution(); ok && (e != ex[want] || x != at[want]) {
		t.Fatalf("access %d: leaves to %v %v, want %v %v", i, e, x, ex[want], at[want])
	}
}

// byThread lists what each thread does.
func byThread(each func(func(nest.Place) bool), threads int) [][]int64 {
	out := make([][]int64, threads)
	each(func(p nest.Place) bool {
		out[p.Thread] = append(out[p.Thread], int64(p.Object)<<40+p.Line)
		return true
	})
	return out
}

// TestEachRandom finds each thread's accesses in order, whatever the interleaving, and differently mixed.
func TestEachRandom(t *testing.T) {
	_, p, _ := undealt(t, "jacobi-2d")
	s, err := nest.NewStream(p, nest.Options{Threads: 3, Group: 3, Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	want := byThread(s.Each, 3)
	var orders [][]int
	for seed := range uint64(3) {
		var order []int
		got := byThread(func(f func(nest.Place) bool) {
			s.EachRandom(seed/2, func(p nest.Place) bool {
				order = append(order, p.Thread)
				return f(p)
			})
		}, 3)
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("seed %d: threads do other things than in turn", seed/2)
		}
		orders = append(orders, order)
	}
	if !slices.Equal(orders[0], orders[1]) || slices.Equal(orders[0], orders[2]) {
		t.Error("equal seeds give equal interleavings, others others")
	}
}

// TestEachScheduled deals static schedules as the dealt stream does, and dynamic ones so that all is done once.
func TestEachScheduled(t *testing.T) {
	s, p, all := undealt(t, "jacobi-2d")
	for _, chunk := range []int64{0, 1, 3} {
		nest.Walk(p.Body, func(n nest.Node) {
			if l, ok := n.(*nest.Loop); ok && l.Work != nil {
				l.Work.Chunk, l.Work.Schedule = chunk, schedule.StaticChunk
				if chunk == 0 {
					l.Work.Schedule = schedule.Static
				}
			}
		})
		dealt, err := nest.NewStream(p, nest.Options{Threads: 4, Group: 4, Line: 64})
		if err != nil {
			t.Fatal(err)
		}
		got := byThread(func(f func(nest.Place) bool) { s.EachScheduled(4, 1, f) }, 4)
		if want := byThread(dealt.Each, 4); !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("chunk %d: dealt otherwise than by nest.Stream", chunk)
		}
	}
	for _, schedule := range []schedule.Kind{schedule.Dynamic, schedule.Guided} {
		nest.Walk(p.Body, func(n nest.Node) {
			if l, ok := n.(*nest.Loop); ok && l.Work != nil {
				l.Work.Chunk, l.Work.Schedule = 1, schedule
			}
		})
		got := slices.Concat(byThread(func(f func(nest.Place) bool) { s.EachScheduled(4, 1, f) }, 4)...)
		var want []int64
		for _, x := range all {
			want = append(want, int64(x.Object)<<40+x.Line)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: not every access is made once", schedule)
		}
	}
}

// TestRedundant names the code that every thread runs.
func TestRedundant(t *testing.T) {
	a := &nest.Object{Name: "A", Bytes: 800, Elem: 8}
	p := &nest.Program{Region: "r", Vars: []string{"i"}, Objects: []*nest.Object{a}, Body: []nest.Node{&nest.Parallel{Body: []nest.Node{
		&nest.Stmt{Accesses: []*nest.Access{{Object: a, Offset: expr.Int(0), Size: 8}}, Pos: nest.Pos{File: "k.c", Line: 7, Column: 3}},
	}}}}
	_, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: 64, Undealt: true})
	if err == nil || err.Error() != "k.c:7:3: every thread of the team runs this code, outside any worksharing loop: its accesses grow with the threads" {
		t.Error(err)
	}
}
