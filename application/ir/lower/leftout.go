package lower

import (
	"slices"
	"strings"

	"foresee/application/csource/parse"
	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// passed leaves out a loop that cannot be followed, where it is no part of what was asked for.
func (l *lowerer) passed(f *frame, lp *loop, first map[string]val, err *parse.Error) *block {
	exits := lp.exits()
	if !l.soft() || len(exits) == 0 {
		panic(err)
	}
	region := l.began[len(l.began)-1]
	l.late = true
	if l.passing == 0 {
		region.left = append(region.left, leftOut(err.Pos, err, lp.count(f.graph)))
		if region.err == nil {
			region.err = err
		}
	}
	f.loops = append(f.loops, lp)
	for _, x := range exits {
		f.exits[x.at] = x.stay
	}
	steps := l.steppings(f, lp, first)
	l.settle(f, lp, first, steps, expr.Ref(l.newVar("", expr.Range{Lo: 0, Hi: endless})))
	const rounds = 4
	for range rounds {
		before := l.memory
		l.memory = before.clone()
		saved := *l
		l.passing++
		failed := attempt(func() { l.collect(func() { l.body(f, lp, leaving{}) }) }) != nil
		if failed {
			steps, memory, made := l.steps, l.memory, l.made
			*l = saved
			l.steps, l.memory, l.made = steps, memory, made
		}
		l.passing = saved.passing
		after := l.memory
		l.memory = before
		changed := l.invalidate(after)
		if failed {
			l.unsure(f, lp)
		}
		if failed || !changed {
			break
		}
	}
	for name, b := range f.home {
		v, ok := f.vals[name]
		begins := v.kind == pointer && v.e.Op == expr.OpConst && v.e.K == 0 // the object, of which each iteration may make another one
		if in := f.makes[name]; b == lp.header && in.Op == "phi" {
			d := steps[name]
			begins = begins && d != nil && d.Op == expr.OpConst && d.K == 0
		}
		if ok && lp.in[b] && !begins {
			f.vals[name] = unknown("it is made in a loop that is not followed")
		}
	}
	return behind(f, exits[0])
}

// unsure forgets what the instructions of a loop may write whose iterations cannot be followed to their end.
func (l *lowerer) unsure(f *frame, lp *loop) {
	seen := map[*object]bool{}
	for _, b := range f.graph.blocks {
		if !lp.in[b] {
			continue
		}
		for _, in := range b.Insts {
			switch name := in.Callee.Name; {
			case in.Op == "store":
				if p := l.written(f, in.Args[1]); p.o != nil && p.e.Op == expr.OpConst {
					l.memory.set(p.o, p.e.K, in.Args[0].Type.Stored(), unknown(inLeftOut))
				} else if p.o != nil {
					l.unsureOf(p.o, nil)
				}
			case in.Op != "call" && in.Op != "invoke" || strings.HasPrefix(name, "llvm.dbg") || strings.HasPrefix(name, "llvm.lifetime"):
			case strings.HasPrefix(name, "llvm.mem") && len(in.Args) > 0:
				if p := l.written(f, in.Args[0]); p.o != nil {
					l.unsureOf(p.o, nil)
				}
			default:
				for _, a := range in.Args {
					if p := l.written(f, a); p.o != nil {
						l.unsureOf(p.o, seen)
					}
				}
			}
		}
	}
}

// written is an address at which something may be written; without an object where it is none, or not known.
func (l *lowerer) written(f *frame, a text.Operand) (p val) {
	if attempt(func() { p = l.operand(f, a) }) != nil || p.kind != pointer || p.o == nil || p.o.fixed {
		return val{}
	}
	return p
}

// inLeftOut is why a value is not known that may be set in a loop which is left out.
const inLeftOut = "it may be set in a loop that is not followed"

// unsureOf forgets all that an object holds; where seen is not nil also what the objects hold that it leads to, as functions find them.
func (l *lowerer) unsureOf(o *object, seen map[*object]bool) {
	if o.fixed || seen[o] {
		return
	}
	if seen != nil {
		seen[o] = true
		if c := l.memory[o]; c != nil {
			for _, x := range c.cells.all() {
				if x.v.kind == pointer && x.v.o != nil {
					l.unsureOf(x.v.o, seen)
				}
			}
		}
	}
	l.memory.forget(o)
	for at := range o.first {
		l.memory.set(o, at, word, unknown(inLeftOut))
	}
}

// passes tells whether others can go on where a function cannot be followed.
func (r *nesting) passes(l *lowerer, err *parse.Error) bool {
	if r == nil || r.inLoop && (r.by.name != "main" || !l.optional("main")) {
		return false
	}
	for by := r.by; by != nil; by = by.by {
		by.left = append(by.left, leftOut(r.pos, err, len(l.graphOf(r.fn).loops)))
		if by.err == nil {
			by.err = err
		}
	}
	for len(l.began) > 0 && l.began[len(l.began)-1] != r {
		l.began = l.began[:len(l.began)-1]
	}
	r.err, r.broken, l.late = err, true, true
	l.dry, l.team, l.stmt, l.work, l.critical = 0, 0, nil, nil, nil
	for o := range l.memory {
		if !o.fixed {
			l.forgetNumbers(o)
		}
	}
	return true
}

// leftOut is a part of a region that cannot be followed.
func leftOut(at nest.Pos, err *parse.Error, loops int) nest.Left {
	reason := *err
	reason.Remedy = ""
	return nest.Left{Pos: at, Reason: reason.Error(), Loops: loops}
}

// partial tells a main program of which parts alone cannot be followed, and others that hold loops can.
func (r *nesting) partial() bool {
	loops := false
	nest.Walk(r.nodes, func(n nest.Node) {
		loop, ok := n.(*nest.Loop)
		loops = loops || ok && hasAccess(loop.Body)
	})
	return loops && r.name == "main" && !r.broken && len(r.left) > 0
}

// forgetNumbers drops what is known of integers in an object; pointers are taken to stay.
func (l *lowerer) forgetNumbers(o *object) {
	c := l.memory.contentsOf(o)
	c.rows = slices.DeleteFunc(slices.Clone(c.rows), func(r row) bool { return r.v.kind == integer })
	for at, x := range c.cells.all() {
		if x.v.kind == integer {
			why := "it may have been changed where the program cannot be followed"
			if names := l.namesOf(o, at); len(names) > 0 {
				why = askFor + names[0]
			}
			c.cells.put(at, cell{x.size, unknown(why)})
		}
	}
}

// soft tells whether what cannot be followed may be left out: it is in main, which was not asked for, or in what is left out as a whole.
func (l *lowerer) soft() bool {
	if l.passing > 0 {
		return true
	}
	if l.depth > 1 || len(l.began) != 1 || l.dry > 0 {
		return false
	}
	return l.began[0].name == "main" && l.optional("main")
}
