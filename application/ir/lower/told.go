package lower

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"foresee/application/csource"
	"foresee/application/csource/parse"
	"foresee/application/csource/value"
	"foresee/application/ir/place"
	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// telling are the values of a module's instructions and parameters that a run tells, each the same for as long as the region that is followed runs once.
type telling struct {
	told      map[csource.Place]int64
	used      map[csource.Place]string // those that were taken, and what the source calls them; "" where it has no name for them
	tables    map[int64]*expr.Table    // arrays of integers, by the values of their places
	addresses map[[3]int64]*distances  // of them, those of addresses, as distances
	composed  map[string]*expr.Table   // of them, of one that another tells the places in
	overlap   map[csource.Place]bool   // pointers to what overlaps with what others lead to
	overlaps  []overlap                // that were met
	asks      bool                     // what is not told is asked, and taken to be guess meanwhile
	guess     int64
	places    []csource.Place // that were asked, each once
}

func newTelling(o csource.Options) *telling {
	return &telling{told: o.Told, tables: o.Tables, composed: map[string]*expr.Table{}, used: map[csource.Place]string{}}
}

// guesses stand for values that a run is to tell, each in its turn, so that what they decide is looked at both ways. Chosen as for C: small and no power
// of two; what switches things off and on; more than loops have that are followed one iteration after the other.
var guesses = []int64{24, 0, 1, 5000}

// at is what a run told of a place.
func (t *telling) at(p csource.Place, called string) (int64, bool) {
	if n, ok := t.told[p]; ok {
		t.used[p] = cmp.Or(t.used[p], called)
		return n, true
	}
	if !t.asks {
		return 0, false
	}
	if !slices.Contains(t.places, p) {
		t.places = append(t.places, p)
	}
	return t.guess, true
}

// toldOf is what a run told of a number that an instruction gives, which is not known; else v. Asked are numbers that are the same for as long as a
// region runs, as far as can be seen: those outside loops, and in loops what is loaded from one address, or what a function gives that is not followed.
func (l *lowerer) toldOf(f *frame, in *text.Inst, v val) val {
	if l.tells == nil || v.kind != data || in.Name == "" || in.Type == nil || in.Type.Kind != text.Int || in.Type.Bits > 64 {
		return v
	}
	called := ""
	switch in.Op {
	case "load":
		p := l.operand(f, in.Args[0])
		if p.kind == pointer && p.o.isRows() && l.writtenElsewhere(p.o) { // whose lines would count twice
			return v
		}
		if p.kind != pointer || p.o == nil || p.e.Op != expr.OpConst {
			if l.depth > 0 {
				return l.toldInOrder(f, in, v)
			}
		} else if names := l.namesOf(p.o, p.e.K); len(names) > 0 {
			called = names[0]
		}
	case "call", "invoke":
		if strings.HasPrefix(in.Callee.Name, "llvm.") && l.depth > 0 {
			return v
		}
	default:
		if l.depth > 0 || len(f.loops) > 1 {
			return l.toldInOrder(f, in, v)
		}
	}
	n, ok := l.tells.at(place.Of(f.f.Name, in.Name), called)
	if !ok {
		return l.toldInOrder(f, in, v)
	}
	if l.tells.asks { // it may be another number each time
		l.toldInOrder(f, in, v)
	}
	return constant(n)
}

// mostRoots bounds the pointers to an array that are tried. Chosen: it is told by one of the first, or by none.
const mostRoots = 4

// root is a pointer, by its name, to a place of an object that is the same throughout.
type root struct {
	name string
	at   int64
}

// rootsOf are the pointers of a function to an object, those that are nearest to its begin first.
func (l *lowerer) rootsOf(f *frame, o *object) (all []root) {
	if o.global != "" {
		all = append(all, root{"@" + o.global, 0})
	}
	for name, v := range f.vals {
		if v.kind != pointer || v.o != o || v.e.Op != expr.OpConst {
			continue
		}
		if in := f.makes[name]; in == nil || in.Op == "load" || in.Op == "call" || in.Op == "bitcast" || in.Op == "getelementptr" {
			all = append(all, root{"%" + name, v.e.K})
		}
	}
	slices.SortFunc(all, func(a, b root) int { return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.name, b.name)) })
	return all[:min(len(all), mostRoots)]
}

// onlyExtended tells a number that is used without its sign.
func onlyExtended(f *frame, in *text.Inst) bool {
	uses := f.graph.uses[in.Name]
	return in.Type.Bits < 64 && len(uses) > 0 && !slices.ContainsFunc(uses, func(u use) bool { return u.in.Op != "zext" && !strings.HasPrefix(u.in.Op, "dbg.") })
}

// tables gives what a run told of the array of integers that an address leads into, by the pointers to it: the number that it told for the array, and the
// place in it. Of an array of which one place alone is read nothing is asked; members of elements of which others are written are asked for each by itself, unless the array is as a whole.
func (l *lowerer) tables(f *frame, p val, size int64, signed, whole bool) iter.Seq2[toldTable, *expr.Expr] {
	return func(yield func(toldTable, *expr.Expr) bool) {
		for _, r := range l.rootsOf(f, p.o) {
			asked, behind, step := place.TableOf(f.f.Name, r.name, size, signed), minus(p.e, expr.Int(r.at)), size
			if first, apart := members(behind, size); apart > size && !whole && p.o.anyWritten() {
				asked = place.MembersOf(f.f.Name, r.name, first, apart, size, signed)
				behind, step = minus(behind, expr.Int(first)), apart
			}
			index := value.Quotient(behind, step)
			if index == nil || l.dry == 0 && l.interval(index).Lo < 0 {
				continue
			}
			if _, told := l.tells.told[asked]; p.e.Op == expr.OpConst && !told {
				continue
			}
			if n, ok := l.tells.at(asked, ""); ok && !yield(toldTable{n, r.at}, index) {
				return
			}
		}
	}
}

// toldTable is an array that was told: what stands for it, and how far behind the begin of its object the pointer leads to which it was told.
type toldTable struct{ number, at int64 }

// inTable is the value of a table at an index; nil where it may be past its end.
func (l *lowerer) inTable(table *expr.Table, index *expr.Expr) *expr.Expr {
	if table == nil || l.dry == 0 && l.interval(index).Hi >= int64(len(table.Values())) {
		return nil
	}
	return l.composed(table, index)
}

// composed is the value of a table at an index, which others may tell.
func (l *lowerer) composed(table *expr.Table, index *expr.Expr) *expr.Expr {
	return expr.Composed(table, value.Normal(index), func(v expr.Var) expr.Range { return l.ranges[v] }, l.tells.composed)
}

// toldElement is the value of an element of an array of integers that was made before the region and to which nothing that is followed writes, by all that a
// run told of the array; else v.
func (l *lowerer) toldElement(f *frame, in *text.Inst, p, v val) val {
	if l.tells == nil || v.kind != data || in.Type.Kind != text.Int || in.Type.Bits < 8 || in.Type.Bits > 64 || l.mayBeWritten(p, in.Type.Stored()) || !p.o.outside && (p.o.global == "" || l.whole) {
		return v
	}
	if held := l.toldInRows(p, v, in.Type.Stored(), !onlyExtended(f, in)); held.kind != data {
		return held
	}
	asked := v
	for told, index := range l.tables(f, p, in.Type.Stored(), !onlyExtended(f, in), false) {
		table := l.tells.tables[told.number]
		if e := l.inTable(table, index); e != nil {
			return val{kind: integer, e: e}
		}
		switch {
		case table != nil || !l.tells.asks || asked.kind == integer:
		case l.tells.guess == guesses[0]: // each element is its place: rows are not empty, so that what they hold is asked for at once
			asked = val{kind: integer, e: value.Normal(index)}
		default:
			asked = constant(told.number)
		}
	}
	return asked
}

// toldEnd is the end of a vector, as far from its begin as a run told; else v.
func (l *lowerer) toldEnd(f *frame, in *text.Inst, p, v val) val {
	if l.tells == nil || v.kind != data || in.Name == "" || in.Type.Kind != text.Pointer || p.e.Op != expr.OpConst || !endsVector(l.m.Part(p.o.debug, p.e.K).Library) {
		return v
	}
	size := in.Type.Stored()
	var begin val
	if c := l.memory[p.o]; c != nil {
		begin = c.cells.at(p.e.K - size)
	}
	if begin.kind != pointer {
		begin, _ = l.before(p.o, p.e.K-size, in.Type)
	}
	if begin.kind != pointer || begin.o == nil {
		return v
	}
	called := ""
	if names := l.namesOf(p.o, p.e.K); len(names) > 0 {
		called = "bytes of " + strings.TrimSuffix(names[0], ".size")
	}
	if n, ok := l.tells.at(place.SpanOf(f.f.Name, in.Name), called); ok {
		return val{kind: pointer, o: begin.o, e: plus(begin.e, expr.Int(n))}
	}
	return v
}

// toldIterations is how often control came to the header of a loop that data end, as a run told: in the mean, where it was entered more than once.
func (l *lowerer) toldIterations(f *frame, lp *loop) (int64, bool) {
	if l.tells == nil {
		return 0, false
	}
	n, ok := l.tells.at(place.IterationsOf(f.f.Name, lp.header.Name), "")
	if ok && l.depth > 1 {
		l.warn(l.loopPlace(lp), "how often this loop iterates depends on data; the mean of the run, %d, is taken", n)
	}
	return max(n, 1), ok
}

// stopped is the last value of the counter of a loop that data may end before its bound, last, as a run told: its last iteration is counted as a whole.
// Of a bound that is no number it is not known whether the loop came to it.
func (l *lowerer) stopped(f *frame, lp *loop, x leaving, last *expr.Expr) *expr.Expr {
	if last.Op != expr.OpConst {
		return last
	}
	n, told := l.toldIterations(f, lp)
	if !told || n-1 >= last.K {
		return last
	}
	if x.stay == lp.header {
		return expr.Int(n - 1)
	}
	return expr.Int(n)
}

// mostFollowed is how many iterations of a loop are followed one by one: few where the code is only asked what it lacks, which the first ones tell.
func (l *lowerer) mostFollowed() int {
	if l.tells != nil && l.tells.asks {
		return 40
	}
	return maxUnroll
}

// asking is what follows a module, and asks what it lacks.
func asking(name string, m *text.Module, o csource.Options, defined map[string]int64, guess int64) *lowerer {
	l := newLowerer(name, m, o, defined)
	l.tells = newTelling(o)
	l.tells.asks, l.tells.guess = true, guess
	return l
}

// Lacks tells whether a function cannot be read with the values of o.Told, and values that the plan does not ask are lacking for that.
func Lacks(name string, m *text.Module, function string, o csource.Options, plan *csource.Plan) bool {
	defined, err := definitions(o.Defines)
	fn := m.ByName[function]
	if err != nil || fn == nil {
		return false
	}
	told := newLowerer(name, m, o, defined)
	told.tells = newTelling(o)
	told.alone(fn)
	if r := told.found[function]; r != nil && r.err == nil && len(r.left) == 0 || told.steps > mostAsking {
		return false
	}
	l := asking(name, m, o, defined, guesses[0])
	l.alone(fn)
	return slices.ContainsFunc(l.tells.places, func(p csource.Place) bool { return !slices.Contains(plan.Places, p) })
}

// parts are the functions with loops of their own that are read as parts of others, and that others call: a run tells how often they are entered. They are
// added to names.
func parts(l *lowerer, names map[string]string) (all []*nesting) {
	count := map[string]int{}
	for _, fn := range l.m.Functions {
		if _, there := names[fn.Name]; there || !l.candidate(fn) || len(l.graphOf(fn).loops) == 0 || fn != l.entry() && !l.called(fn) {
			continue
		}
		all = append(all, &nesting{fn: fn, name: l.shownName(fn), pos: l.home(fn)})
		count[l.shownName(fn)]++
	}
	for _, r := range all {
		if count[r.name] > 1 {
			r.name = text.Instance(r.fn.Name)
		}
		names[r.fn.Name] = r.name
	}
	return slices.DeleteFunc(all, func(r *nesting) bool { return !l.wanted(r.name) })
}

// mostAsking is how many instructions are looked at before no further guess is tried. Chosen: about two seconds.
const mostAsking = 300_000

func byText(a, b csource.Place) int {
	return cmp.Or(strings.Compare(a.Function, b.Function), strings.Compare(a.Text, b.Text))
}

// Ask finds the regions of a module that are wanted, and the values that their analysis lacks and a run can tell. Those that are told already are asked
// again. names are those of the regions, by the names of their functions for linkers.
func Ask(name string, m *text.Module, o csource.Options) (plan *csource.Plan, names map[string]string, err error) {
	defined, err := definitions(o.Defines)
	if err != nil {
		return nil, nil, err
	}
	plan, names = &csource.Plan{}, map[string]string{}
	steps := 0
	var regions []*nesting
	for _, guess := range guesses {
		l := asking(name, m, o, defined, guess)
		_, _ = l.module() // a run may tell what it lacks
		for _, r := range l.chosen {
			if _, there := names[r.fn.Name]; !there {
				names[r.fn.Name] = r.name
				regions = append(regions, r)
			}
		}
		if steps += l.spent + l.steps; steps > mostAsking {
			break
		}
	}
	regions = append(regions, parts(newLowerer(name, m, o, defined), names)...)
	slices.SortStableFunc(regions, func(a, b *nesting) int {
		return cmp.Or(cmp.Compare(a.pos.File, b.pos.File), cmp.Compare(a.pos.Line, b.pos.Line))
	})
	asked := make([]map[csource.Place]bool, len(regions))
	steps = 0
	for _, guess := range guesses {
		if steps > mostAsking {
			break
		}
		for i, r := range regions {
			l := asking(name, m, o, defined, guess)
			l.alone(r.fn)
			if asked[i] == nil {
				asked[i] = map[csource.Place]bool{}
			}
			for p := range l.tells.used {
				asked[i][p] = true
			}
			for _, p := range l.tells.places {
				asked[i][p] = true
			}
			steps += l.steps
		}
	}
	numbers := map[csource.Place]int{}
	for i, r := range regions {
		onlyOne(asked[i])
		region := csource.Region{Function: r.fn.Name}
		for _, p := range slices.SortedFunc(maps.Keys(asked[i]), byText) {
			n, there := numbers[p]
			if !there {
				n = len(plan.Places)
				numbers[p] = n
				plan.Places = append(plan.Places, p)
			}
			region.Places = append(region.Places, n)
		}
		plan.Regions = append(plan.Regions, region)
	}
	return plan, names, nil
}

// Entered gives the region that a function is, by its name for linkers and its own, as it is entered with the values of o.Told; and those of them that it
// took. The names of definitions that stand for something are added to defines.
func Entered(name string, m *text.Module, function, region string, o csource.Options, defines map[string]bool) (unit *csource.Unit, took []csource.Place, err error) {
	defined, err := definitions(o.Defines)
	if err != nil {
		return nil, nil, err
	}
	fn := m.ByName[function]
	if fn == nil {
		return nil, nil, &parse.Error{Pos: nest.Pos{File: name}, Message: "there is no function " + function, Absent: true}
	}
	l := newLowerer(name, m, o, defined)
	l.tells = newTelling(o)
	l.alone(fn)
	if overlap := l.overlapping(l.nodesOf(function)); len(overlap) > 0 {
		l = newLowerer(name, m, o, defined)
		l.tells = newTelling(o)
		l.tells.overlap = overlap
		l.alone(fn)
	}
	var with []nest.Named
	for _, o := range l.tells.overlaps {
		with = append(with, nest.Named{Text: fmt.Sprintf("bytes from %s to %s", o.first, o.second), Value: o.apart})
	}
	if r := l.found[function]; r != nil {
		r.name, r.inLoop = region, false
		for _, o := range l.tells.overlaps {
			r.notes = append(r.notes, note{r.pos, fmt.Sprintf("%s:%d: %v", r.pos.File, r.pos.Line, o)})
		}
	}
	unit = &csource.Unit{}
	err = l.gather(unit)
	maps.Copy(defines, l.used)
	for p, called := range l.tells.used {
		took = append(took, p)
		if called != "" {
			with = append(with, nest.Named{Text: called, Value: o.Told[p]})
		}
	}
	slices.SortFunc(with, func(a, b nest.Named) int {
		return cmp.Or(strings.Compare(a.Text, b.Text), cmp.Compare(a.Value, b.Value))
	})
	for _, p := range unit.Programs {
		p.With = slices.Compact(with)
	}
	return unit, took, err
}

// Definitions says of those of the caller whether any region of a run took them, by their names.
func Definitions(o csource.Options, taken map[string]bool) (said []string) {
	defined, _ := definitions(o.Defines) // what is wrong was said
	for _, name := range slices.Sorted(maps.Keys(defined)) {
		if taken[name] {
			said = append(said, fmt.Sprintf("the definition of %s is taken instead of what the run had", name))
		} else {
			said = append(said, notTaken(name))
		}
	}
	return said
}

// alone follows a function as the only one.
func (l *lowerer) alone(fn *text.Func) {
	l.whole, l.region = fn == l.entry(), fn
	l.start(fn)
}

// nodesOf are the loops and accesses of a function that was followed; none of one that could not be.
func (l *lowerer) nodesOf(function string) []nest.Node {
	if r := l.found[function]; r != nil {
		return r.nodes
	}
	return nil
}
