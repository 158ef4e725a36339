// Package interpreter runs programs the slow and obvious way: every thread's accesses straight from the tree as OpenMP
// says, interleaved round robin between barriers, next uses by looking. It knows nothing of how package nest deals,
// counts or solves, and is what that package is tested against.
package interpreter

import (
	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/model/schedule"
)

// Touch is one access.
type Touch struct {
	Object *nest.Object
	Line   int64
	Copy   int64 // which thread's copy of a private object
}

// event is an access or a barrier.
type event struct {
	Touch
	barrier bool
}

// interpreter runs a program for one thread exactly as OpenMP says, straight from the tree, knowing nothing of
// how the package deals, counts or solves.
type interpreter struct {
	env             []int64
	thread, threads int64
	line            int64
	out             []event
	inTeam          bool
}

func threadEvents(p *nest.Program, thread, threads int, line int64) []event {
	x := &interpreter{env: make([]int64, len(p.Vars)), thread: int64(thread), threads: int64(threads), line: line}
	x.nodes(p.Body)
	return x.out
}

func (x *interpreter) nodes(nodes []nest.Node) {
	for _, n := range nodes {
		x.node(n)
	}
}

func (x *interpreter) barrier() { x.out = append(x.out, event{barrier: true}) }

func (x *interpreter) node(n nest.Node) {
	switch n := n.(type) {
	case *nest.Stmt:
		if x.inTeam || x.thread == 0 {
			x.statement(n)
		}
	case *nest.If:
		if n.Cond.Eval(x.env) != 0 {
			x.nodes(n.Then)
		} else {
			x.nodes(n.Else)
		}
	case *nest.Parallel:
		if x.inTeam { // nested
			x.alone(n.Body)
			return
		}
		x.barrier() // the team begins only when the serial part is done
		x.inTeam = true
		x.nodes(n.Body)
		x.inTeam = false
		x.barrier()
	case *nest.Single:
		if x.thread == 0 {
			x.nodes(n.Body)
		}
		if x.inTeam && !n.Nowait {
			x.barrier()
		}
	case *nest.Critical:
		x.nodes(n.Body)
	case *nest.Barrier:
		x.barrier()
	case *nest.Loop:
		x.loop(n)
	}
}

// alone runs a nested region with one thread.
func (x *interpreter) alone(nodes []nest.Node) {
	y := &interpreter{env: x.env, thread: 0, threads: 1, line: x.line, inTeam: true}
	y.nodes(nodes)
	for _, e := range y.out {
		if !e.barrier {
			e.Copy = x.thread
			x.out = append(x.out, e)
		}
	}
}

func (x *interpreter) statement(s *nest.Stmt) {
	for _, a := range s.Accesses {
		t := Touch{Object: a.Object, Line: expr.FloorDiv(a.Offset.Eval(x.env), x.line)}
		if a.Object.Private {
			t.Copy = x.thread
		}
		x.out = append(x.out, event{Touch: t})
	}
}

// values lists what a loop's variable goes through.
func (x *interpreter) values(l *nest.Loop) (vs []int64) {
	lo, hi := l.Lo.Eval(x.env), l.Hi.Eval(x.env)
	for v := lo; l.Step > 0 && v <= hi || l.Step < 0 && v >= hi; v += l.Step {
		vs = append(vs, v)
	}
	return vs
}

func (x *interpreter) loop(l *nest.Loop) {
	if l.Work != nil && x.inTeam {
		x.workshare(l)
		return
	}
	holdsBarrier := x.inTeam && hasBarrier(l.Body)
	for _, v := range x.values(l) {
		x.env[l.Var] = v
		x.nodes(l.Body)
		if holdsBarrier { // documented: the end of such an iteration counts as a barrier
			x.barrier()
		}
	}
}

func hasBarrier(nodes []nest.Node) bool {
	found := false
	nest.Walk(nodes, func(n nest.Node) {
		switch n := n.(type) {
		case *nest.Barrier:
			found = true
		case *nest.Single:
			found = found || !n.Nowait
		case *nest.Loop:
			found = found || n.Work != nil && !n.Work.Nowait
		}
	})
	return found
}

// workshare runs this thread's iterations of a worksharing loop.
func (x *interpreter) workshare(l *nest.Loop) {
	loops := []*nest.Loop{l}
	for len(loops) < l.Work.Collapse {
		loops = append(loops, loops[len(loops)-1].Body[0].(*nest.Loop))
	}
	body := loops[len(loops)-1].Body
	var all [][]int64
	var rec func(i int, point []int64)
	rec = func(i int, point []int64) {
		if i == len(loops) {
			all = append(all, append([]int64{}, point...))
			return
		}
		for _, v := range x.values(loops[i]) {
			x.env[loops[i].Var] = v
			rec(i+1, append(point, v))
		}
	}
	rec(0, nil)
	for i, point := range all {
		if owner(int64(i), int64(len(all)), x.threads, l.Work) != x.thread {
			continue
		}
		for j, v := range point {
			x.env[loops[j].Var] = v
		}
		x.nodes(body)
	}
	if !l.Work.Nowait {
		x.barrier()
	}
}

// owner is the thread that runs iteration i of n.
func owner(i, n, threads int64, w *nest.Work) int64 {
	if w.Schedule == schedule.Static || w.Schedule == schedule.StaticChunk && w.Chunk == 0 {
		first := int64(0)
		for t := range threads {
			size := n / threads
			if t < n%threads {
				size++
			}
			if i < first+size {
				return t
			}
			first += size
		}
	}
	if w.Schedule == schedule.Guided {
		return guidedOwner(i, n, threads, w.Chunk)
	}
	return i / w.Chunk % threads
}

// guidedOwner hands out chunks until one holds iteration i.
func guidedOwner(i, n, threads, chunk int64) int64 {
	thread := int64(0)
	for left := n; ; thread++ {
		left -= min(max((left+threads-1)/threads, chunk), left)
		if i < n-left {
			return thread % threads
		}
	}
}

// Placed is an access in an interleaved stream.
type Placed struct {
	Touch
	Thread int
}

// interleave merges the threads round robin between barriers.
func interleave(streams [][]event, first int) (out []Placed) {
	at := make([]int, len(streams))
	for {
		progress, waiting := false, 0
		for {
			moved := false
			for i, s := range streams {
				if at[i] < len(s) && !s[at[i]].barrier {
					out = append(out, Placed{s[at[i]].Touch, first + i})
					at[i]++
					moved, progress = true, true
				}
			}
			if !moved {
				break
			}
		}
		for i, s := range streams {
			if at[i] < len(s) {
				at[i]++
				waiting++
			}
		}
		if waiting == 0 && !progress {
			return out
		}
	}
}

// Streams gives what each group of threads sees.
func Streams(p *nest.Program, o nest.Options) (out [][]Placed) {
	for first := 0; first < o.Threads; first += o.Group {
		var streams [][]event
		for t := first; t < min(first+o.Group, o.Threads); t++ {
			streams = append(streams, threadEvents(p, t, o.Threads, o.Line))
		}
		out = append(out, interleave(streams, first))
	}
	return out
}

// NextUses gives, for each position, the position of the line's next use in the group, or -1.
func NextUses(groups [][]Placed) (next []int64, all []Placed) {
	start := 0
	for _, g := range groups {
		all = append(all, g...)
		last := lastUses{}
		part := make([]int64, len(g))
		for i := len(g) - 1; i >= 0; i-- {
			part[i] = last.swap(g[i].Touch, int64(start+i))
		}
		next = append(next, part...)
		start += len(g)
	}
	return next, all
}

// lastUses remembers a position for each line.
type lastUses map[Touch][]int64 // by object and copy; then by line, 0 for none

// swap gives what was remembered for a line, or -1, and remembers position instead.
func (l lastUses) swap(t Touch, position int64) int64 {
	// Lines in front of an object, which C allows no program to touch, share the list by going to odd places.
	i := 2 * t.Line
	if t.Line < 0 {
		i = -2*t.Line - 1
	}
	t.Line = 0
	list := l[t]
	if i >= int64(len(list)) {
		list = append(list, make([]int64, 2*i+1-int64(len(list)))...)
		l[t] = list
	}
	before := list[i] - 1
	list[i] = position + 1
	return before
}
