package lower

import (
	"fmt"
	"slices"
	"strings"

	"foresee/application/csource/value"
	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/model/schedule"
)

// sharing is a worksharing loop that was announced: the next loop is it.
type sharing struct {
	work  nest.Work
	loop  bool // the loop was met
	calls int  // of the runtime for its next iterations
	lo    val
	hi    val
	count *expr.Expr // iterations
}

// Schedules by their numbers in LLVM's runtime, without those bits that say in which order chunks are handed out.
var schedules = map[int64]schedule.Kind{
	33: schedule.Static, 34: schedule.Static, 35: schedule.Dynamic, 36: schedule.Guided, 37: schedule.Static, 38: schedule.Static,
	45: schedule.Static, 46: schedule.Guided,
}

// modifiers are those bits.
const modifiers = 1<<29 | 1<<30

// openmp follows a call of LLVM's OpenMP runtime; ok is false where it is none.
func (l *lowerer) openmp(f *frame, in *text.Inst, name string, args []val) (v val, ok bool) {
	base, ok := strings.CutPrefix(name, "__kmpc_")
	if !ok {
		return val{}, false
	}
	switch {
	case base == "fork_call" && len(args) >= 3:
		l.parallel(in, args)
	case strings.HasPrefix(base, "for_static_init_") && len(args) >= 9:
		l.staticLoop(in, args)
	case strings.HasPrefix(base, "dispatch_init_") && len(args) >= 7:
		l.dynamicLoop(in, args)
	case strings.HasPrefix(base, "dispatch_next_") && len(args) >= 5:
		return l.nextChunk(in, base, args), true
	case base == "for_static_fini", strings.HasPrefix(base, "dispatch_fini"), strings.HasPrefix(base, "dispatch_deinit"):
		l.shared(in)
	case base == "barrier":
		l.barrier(in)
	case base == "single", base == "master", base == "masked":
		if l.team == 0 {
			return constant(1), true
		}
		return val{kind: once, f: base}, true
	case base == "critical", base == "critical_with_hint", base == "ordered":
		l.enter()
	case base == "end_critical", base == "end_ordered":
		l.exit(in)
	case strings.HasPrefix(base, "reduce"):
		l.enter()
		return constant(1), true
	case strings.HasPrefix(base, "end_reduce"):
		l.exit(in)
	case base == "push_num_threads":
		l.notFollowed(in, "num_threads")
	case base == "threadprivate_cached" && len(args) >= 4:
		return l.ownCopy(args[2], args[3]), true
	case base == "global_thread_num":
		return unknown("it is the number of a thread"), true
	case base == "end_single", base == "end_master", base == "end_masked", base == "flush", base == "serialized_parallel", base == "end_serialized_parallel":
	case strings.HasPrefix(base, "omp_task"), strings.HasPrefix(base, "task"):
		l.fail(l.place(in), "write it with omp for, or "+traceRemedy, "which thread runs a task is decided while the program runs")
	default:
		l.fail(l.place(in), traceRemedy, "the call of OpenMP's %s is not followed", name)
	}
	return unknown("it comes from OpenMP"), true
}

// notFollowed warns of a number of threads that the source asks for.
func (l *lowerer) notFollowed(in *text.Inst, what string) {
	l.warn(l.place(in), "%s is not followed: the numbers of threads that are asked for hold", what)
}

// parallel follows the body of a parallel region, which is a function of its own.
func (l *lowerer) parallel(in *text.Inst, args []val) {
	fn := l.m.ByName[args[2].f]
	if args[2].kind != function || fn == nil {
		l.fail(l.place(in), traceRemedy, "the body of this parallel region is not known")
	}
	l.flush()
	own := append([]val{l.threadNumber(), l.threadNumber()}, args[3:]...)
	at := l.place(in)
	if l.team > 0 {
		l.warn(at, "a parallel region within another is taken to run on one thread")
		l.follow(fn, own, at, in)
		return
	}
	l.team++
	critical, work := l.critical, l.work
	l.critical, l.work = nil, nil
	body := l.collect(func() { l.follow(fn, own, at, in) })
	l.critical, l.work = critical, work
	l.team--
	if len(body) > 0 {
		l.emit(&nest.Parallel{Body: body, Pos: at})
	}
}

// threadNumber is a pointer at the number of a thread.
func (l *lowerer) threadNumber() val {
	o := l.newObject("thread number", expr.Int(4))
	o.stack, o.Elem = true, 4
	return val{kind: pointer, o: o, e: expr.Int(0)}
}

// announce notes that the next loop is dealt to the threads.
func (l *lowerer) announce(in *text.Inst, kind, chunk val) {
	n, known := kind.isConstant()
	s, there := schedules[n&^modifiers]
	if !known || !there {
		l.fail(l.place(in), traceRemedy, "how this loop is dealt to threads is not known")
	}
	if n == 37 {
		l.warn(l.place(in), "schedule(runtime) is taken as static")
	}
	w := nest.Work{Schedule: s, Collapse: 1, Nowait: true}
	if c, ok := chunk.isConstant(); ok && (n&^modifiers == 33 || s != schedule.Static) && c > 0 {
		w.Chunk = c
	}
	if s == schedule.Dynamic && w.Chunk == 0 || s == schedule.Guided && w.Chunk == 0 {
		w.Chunk = 1
	}
	l.work = &sharing{work: w}
}

// staticLoop follows the call by which a thread asks for its share: as if it were given all, in one chunk.
func (l *lowerer) staticLoop(in *text.Inst, args []val) {
	l.announce(in, args[2], args[8])
	size := int64(4)
	if strings.Contains(in.Callee.Name, "_8") {
		size = 8
	}
	lower, upper := l.cellAt(args[4], size), l.cellAt(args[5], size)
	if lower.kind != integer || upper.kind != integer || args[6].kind != pointer {
		if why, remedy := reason(upper); upper.kind != integer && remedy != traceRemedy {
			l.fail(l.place(in), remedy, "the bounds of this loop are not known: %s", why)
		}
		l.fail(l.place(in), traceRemedy, "the bounds of this loop depend on data")
	}
	l.work.count = plus(minus(upper.e, lower.e), expr.Int(1))
	l.memory.set(args[6].o, args[6].e.K, size, val{kind: integer, e: l.work.count})
	if args[3].kind == pointer && args[3].o != nil && args[3].e.Op == expr.OpConst {
		l.memory.set(args[3].o, args[3].e.K, 4, constant(0))
	}
}

// cellAt is what is known of the number at a place.
func (l *lowerer) cellAt(p val, size int64) val {
	if p.kind != pointer || p.o == nil || p.e.Op != expr.OpConst || l.memory[p.o] == nil {
		return unknown("it depends on data")
	}
	if c, ok := l.memory[p.o].cells.get(p.e.K); ok && c.size == size {
		return c.v
	}
	return unknown("it depends on data")
}

// dynamicLoop follows the call by which a loop begins that is handed out in chunks.
func (l *lowerer) dynamicLoop(in *text.Inst, args []val) {
	l.announce(in, args[2], args[6])
	if args[3].kind != integer || args[4].kind != integer {
		if why, remedy := reason(args[4]); args[4].kind != integer && remedy != traceRemedy {
			l.fail(l.place(in), remedy, "the bounds of this loop are not known: %s", why)
		}
		l.fail(l.place(in), traceRemedy, "the bounds of this loop depend on data")
	}
	l.work.lo, l.work.hi, l.work.count = args[3], args[4], plus(minus(args[4].e, args[3].e), expr.Int(1))
}

// nextChunk is whether there is another chunk: the first is the whole loop.
func (l *lowerer) nextChunk(in *text.Inst, base string, args []val) val {
	if l.work == nil || l.work.calls > 0 {
		return constant(0)
	}
	size := int64(4)
	if strings.Contains(base, "_8") {
		size = 8
	}
	for i, v := range map[int]val{3: l.work.lo, 4: l.work.hi, 5: constant(1), 2: constant(0)} {
		if i < len(args) && args[i].kind == pointer && args[i].o != nil && args[i].e.Op == expr.OpConst {
			n := size
			if i == 2 {
				n = 4
			}
			l.memory.set(args[i].o, args[i].e.K, n, v)
		}
	}
	w := *l.work
	w.calls++
	l.work = &w
	return constant(1)
}

// hold takes what was announced away while a loop is looked at, so that no loop in it takes it for its own.
func (l *lowerer) hold() *sharing {
	announced := l.work
	if announced == nil || announced.loop || l.team == 0 {
		return nil
	}
	l.work = nil
	return announced
}

// dealt is how a loop is dealt to threads whose last iteration is known, nil where it is not the one that was announced.
func (l *lowerer) dealt(announced *sharing, last *expr.Expr) *nest.Work {
	if announced == nil {
		return nil
	}
	s := *announced
	l.work = &s
	if d := minus(plus(last, expr.Int(1)), s.count); d.Op != expr.OpConst || d.K != 0 {
		return nil
	}
	s.loop = true
	made := s.work
	return &made
}

// shared ends a worksharing construct, whose loop must have been met.
func (l *lowerer) shared(in *text.Inst) {
	w := l.work
	l.work = nil
	if w == nil || w.loop || l.dry > 0 || l.team == 0 {
		return
	}
	if n, ok := value.Constant(w.count); ok && n <= 1 {
		return
	}
	l.fail(l.place(in), traceRemedy, "the loop that is dealt to threads here is not understood")
}

// barrier makes a barrier, or one of the loop before it.
func (l *lowerer) barrier(in *text.Inst) {
	if l.team == 0 {
		return
	}
	l.flush()
	if n := len(*l.out); n > 0 {
		switch last := (*l.out)[n-1].(type) {
		case *nest.Loop:
			if last.Work != nil && last.Work.Nowait {
				last.Work.Nowait = false
				return
			}
		case *nest.Single:
			if last.Nowait {
				last.Nowait = false
				return
			}
		}
	}
	l.emit(&nest.Barrier{Pos: l.place(in)})
}

// enter begins what one thread does at a time.
func (l *lowerer) enter() {
	if l.team == 0 {
		return
	}
	l.flush()
	l.critical = append(l.critical, l.out)
	l.out = new([]nest.Node)
}

// exit ends it.
func (l *lowerer) exit(in *text.Inst) {
	if l.team == 0 || len(l.critical) == 0 {
		return
	}
	l.flush()
	body := *l.out
	l.out = l.critical[len(l.critical)-1]
	l.critical = l.critical[:len(l.critical)-1]
	if len(body) > 0 {
		l.emit(&nest.Critical{Body: body, Pos: l.place(in)})
	}
}

// onceCompared is the comparison of OpenMP's answer with a number: whether the thread is the one.
func onceCompared(pred string, a, b val) val {
	if a.kind != once {
		a, b = b, a
	}
	n, ok := b.isConstant()
	if !ok || pred != "eq" && pred != "ne" || n != 0 && n != 1 {
		return unknown("it comes from OpenMP")
	}
	a.e = expr.Int(expr.Truth((pred == "ne") == (n == 0))) // 1: the one thread takes the way of "true"
	return a
}

// onceOnly follows what one thread does, and after it what all do.
func (l *lowerer) onceOnly(f *frame, b *block, in *text.Inst, c val, yes, no *block) *block {
	if c.e != nil && c.e.K == 0 {
		yes, no = no, yes
	}
	before := l.memory.clone()
	f.from = &way{pred: b}
	var arrived bool
	body := l.collect(func() { arrived = l.walk(f, yes, no) })
	if !arrived {
		l.fail(l.place(in), traceRemedy, "what one thread does does not come back to the others")
	}
	if len(body) > 0 {
		l.emit(&nest.Single{Body: body, Nowait: true, Pos: l.place(in)})
	}
	l.memory = merged(nil, l.memory, before)
	f.from = &way{cond: nil, a: f.from, b: &way{pred: b}}
	return no
}

// ofMPI tells functions of MPI by their linkage names, in C and in Fortran.
func ofMPI(name string) bool {
	return len(name) > 4 && strings.EqualFold(name[:4], "MPI_")
}

// ofOneRank is what functions of MPI set in a program that one rank runs.
var ofOneRank = map[string]int64{"comm_size": 1, "comm_rank": 0}

// messages follows a call of MPI, as one rank makes it that is alone: what it accesses is not counted, and what it receives into is not known.
func (l *lowerer) messages(args []val, name string) {
	function := strings.TrimSuffix(strings.TrimRight(strings.ToLower(name[4:]), "_"), "_f08")
	if strings.HasPrefix(function, "init") { // which leaves the arguments of main as they are
		return
	}
	if n, ok := ofOneRank[function]; ok && len(args) > 1 && l.rank(args[1], n) {
		return
	}
	for _, a := range args {
		if a.kind == pointer && a.o != nil && !a.o.fixed {
			l.memory.forget(a.o)
		}
	}
	l.warn(nest.Pos{}, "what functions of MPI access is not counted, nor is the time that they take")
}

// rank gives what MPI sets its value in a run of one rank, or that which the caller has for it.
func (l *lowerer) rank(at val, n int64) bool {
	if at.kind != pointer || at.o == nil || at.o.fixed || at.e.Op != expr.OpConst {
		return false
	}
	if given, there := l.defined[at.o.Name]; there && at.o.Name != "" {
		l.used[at.o.Name], n = true, given
	} else if said := fmt.Sprintf("%s = %d", shown(at.o), n); !slices.Contains(l.mpi, said) {
		l.mpi = append(l.mpi, said)
	}
	l.memory.set(at.o, at.e.K, 4, constant(n))
	return true
}
