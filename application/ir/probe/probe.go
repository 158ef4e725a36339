// Package probe writes LLVM IR that tells, while it runs, the values that its analysis lacks and how often its regions are entered: what it computes stays
// the same, since nothing but calls that only look is added.
package probe

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"foresee/application/csource"
	"foresee/application/ir/place"
	"foresee/application/ir/text"
	"foresee/application/nest/expr"
)

// Instrument adds to the text of a module the calls that tell what a plan asks.
func Instrument(module string, m *text.Module, plan *csource.Plan) string {
	x := &instrumenter{m: m, wants: map[string]map[string][]want{}, regions: map[string]int{}, behind: map[string]map[string][]want{}, loops: map[string][]counted{}}
	x.opaque = text.Opaque(module)
	for n, p := range plan.Places {
		if array, ok := place.ArrayAt(p); ok {
			x.want(p.Function, want{place: n, name: strings.TrimPrefix(array.Pointer, "%"), array: array})
			continue
		}
		name, form := place.ValueAt(p)
		if form == place.Iterations {
			x.loops[p.Function] = append(x.loops[p.Function], counted{n, name})
			continue
		}
		x.want(p.Function, want{place: n, name: name, form: form})
	}
	for n, r := range plan.Regions {
		x.regions[r.Function] = n
	}
	for _, fn := range m.Functions {
		x.prepare(fn)
	}
	lines := strings.SplitAfter(module, "\n")
	for i, line := range lines {
		before := ""
		if i > 0 {
			before = lines[i-1]
		}
		x.line(line, before, m)
	}
	fmt.Fprintf(&x.out, "\ndeclare void @foresee_ir_table(i32, %s, i32, i32)", x.pointer())
	fmt.Fprintf(&x.out, "\ndeclare void @foresee_ir_rows(i32, %[1]s, i32, i32, i32, i32)\ndeclare void @foresee_ir_members(i32, %[1]s, i32, i32, i32, i32)", x.pointer())
	x.out.WriteString("\ndeclare void @foresee_ir_enter(i32)\ndeclare void @foresee_ir_leave(i32)\ndeclare void @foresee_ir_iteration(i32)\ndeclare void @foresee_ir_iterations(i32)\n")
	fmt.Fprintf(&x.out, "declare void @foresee_ir_span(i32, %s)\n", x.pointer())
	x.out.WriteString(x.told(max(len(plan.Places), 1)))
	return x.out.String()
}

// told is what tells a value, put into the code that calls it: a value that this thread told since it, or the first thread, entered a region last is not told
// again, nor is any value of a place that told two since then, of which foresee_ir_entries has the complement. So is where a pointer leads.
func (x *instrumenter) told(places int) string {
	text := `
@foresee_entry = external thread_local(initialexec) global i64
@foresee_entry_of_main = external global i64
@foresee_ir_entries = external thread_local(initialexec) global [PLACES x i64]
@foresee_ir_values = external thread_local(initialexec) global [PLACES x i64]
declare void @foresee_ir_slowly(i32, i64)
declare void @foresee_ir_where(i32, i64)
declare void @foresee_ir_in_order(i32, i64)
` + strings.NewReplacer("TOLD", "foresee_ir_told", "SLOWLY", "foresee_ir_slowly").Replace(unlessTold) +
		strings.NewReplacer("TOLD", "foresee_ir_where_told", "SLOWLY", "foresee_ir_where").Replace(unlessTold)
	text = strings.ReplaceAll(text, "PLACES", fmt.Sprint(places))
	if x.opaque {
		text = strings.NewReplacer(fmt.Sprintf("[%d x i64]*", places), "ptr", "i64*", "ptr").Replace(text)
	}
	return text
}

// unlessTold calls a function for a value that was not told.
const unlessTold = `define internal void @TOLD(i32 %place, i64 %value) alwaysinline {
  %own = load i64, i64* @foresee_entry
  %main = load volatile i64, i64* @foresee_entry_of_main
  %entry = add i64 %own, %main
  %at = getelementptr inbounds [PLACES x i64], [PLACES x i64]* @foresee_ir_entries, i64 0, i32 %place
  %of = getelementptr inbounds [PLACES x i64], [PLACES x i64]* @foresee_ir_values, i64 0, i32 %place
  %was = load i64, i64* %at
  %had = load i64, i64* %of
  %old = icmp ne i64 %was, %entry
  %new = icmp ne i64 %had, %value
  %either = or i1 %old, %new
  %not = xor i64 %entry, -1
  %asked = icmp ne i64 %was, %not
  %tells = and i1 %either, %asked
  br i1 %tells, label %tell, label %done, !prof !{!"branch_weights", i32 1, i32 1000}
tell:
  call void @SLOWLY(i32 %place, i64 %value)
  br label %done
done:
  ret void
}
`

// want is a value of a function that is told.
type want struct {
	place int
	name  string
	typ   *text.Type
	form  place.Form
	// array is what it leads to where that is told; of a global variable the name has its sigil.
	array place.Array
}

// counted is a loop whose iterations are told, by the name of its header.
type counted struct {
	place  int
	header string
}

type instrumenter struct {
	m       *text.Module
	out     strings.Builder
	opaque  bool // pointers have no types
	wants   map[string]map[string][]want
	behind  map[string]map[string][]want // of the function that is written: what is told at the begin of a block
	loops   map[string][]counted         // by function
	enters  map[string][]int             // of the function that is written: loops, by their places, that are entered from a block
	block   string                       // that is written
	regions map[string]int
	n       int // names given

	fn      *text.Func // that is being written
	entered bool
	phis    bool   // at the begin of a block
	due     []want // to be told as soon as no phi follows
}

// want adds what is told of a function.
func (x *instrumenter) want(function string, w want) {
	if x.wants[function] == nil {
		x.wants[function] = map[string][]want{}
	}
	x.wants[function][w.name] = append(x.wants[function][w.name], w)
}

func (x *instrumenter) pointer() string {
	if x.opaque {
		return "ptr"
	}
	return "i8*"
}

// prepare gives what is told of a function its types, and finds where results of calls that may throw are told: in the block behind, where no other leads.
func (x *instrumenter) prepare(fn *text.Func) {
	wants := x.wants[fn.Name]
	if len(wants) == 0 {
		return
	}
	for name := range wants {
		if global, ok := strings.CutPrefix(name, "@"); ok && x.m.Globals[global] != nil {
			for i := range wants[name] {
				wants[name][i].typ = &text.Type{Kind: text.Pointer, To: x.m.Globals[global].Type}
			}
		}
	}
	typed := func(name string, t *text.Type) {
		for i := range wants[name] {
			wants[name][i].typ = t
		}
	}
	for _, p := range fn.Params {
		typed(p.Name, p.Type)
	}
	leads := map[string]int{}
	for _, b := range fn.Blocks {
		for _, to := range b.Targets() {
			leads[to]++
		}
	}
	x.behind[fn.Name] = map[string][]want{}
	for _, b := range fn.Blocks {
		for _, in := range b.Insts {
			if in.Name == "" || len(wants[in.Name]) == 0 {
				continue
			}
			if typed(in.Name, in.Type); in.Op != "invoke" {
				continue
			}
			if len(in.Blocks) > 0 && leads[in.Blocks[0]] == 1 {
				x.behind[fn.Name][in.Blocks[0]] = wants[in.Name]
			}
			delete(wants, in.Name)
		}
	}
}

// line writes a line of the module, with what is told there.
func (x *instrumenter) line(line, before string, m *text.Module) {
	trimmed := strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(line, "define "):
		x.fn, x.entered, x.phis, x.due = m.ByName[text.Defined(line)], false, true, nil
		if x.fn != nil && len(x.fn.Blocks) > 0 {
			x.block, x.enters = x.fn.Blocks[0].Name, x.entering(x.fn)
		}
	case strings.HasPrefix(line, "}"):
		x.fn = nil
	case x.fn == nil || trimmed == "" || strings.HasPrefix(trimmed, ";"):
	case !strings.HasPrefix(line, " "):
		x.block = labelOf(line)
		x.phis, x.due = true, x.behind[x.fn.Name][x.block]
	case begins(line):
		x.instruction(trimmed, before)
	}
	x.out.WriteString(line)
	if x.fn != nil && begins(line) && !x.phis {
		x.tell(x.wants[x.fn.Name][resultOf(trimmed)], trimmed)
	}
}

// entering are the loops of a function that are entered from its blocks: those that control may come to without passing the loop's header.
func (x *instrumenter) entering(fn *text.Func) map[string][]int {
	out := map[string][]int{}
	blocks := map[string]*text.Block{}
	for _, b := range fn.Blocks {
		blocks[b.Name] = b
	}
	for _, l := range x.loops[fn.Name] {
		seen := map[string]bool{l.header: true}
		for next := []*text.Block{fn.Blocks[0]}; len(next) > 0; {
			b := next[len(next)-1]
			next = next[:len(next)-1]
			if seen[b.Name] {
				continue
			}
			seen[b.Name] = true
			for _, to := range b.Targets() {
				if to == l.header {
					out[b.Name] = append(out[b.Name], l.place)
				} else if blocks[to] != nil {
					next = append(next, blocks[to])
				}
			}
		}
	}
	return out
}

// ends tells lines that end a block which control leaves for another.
func ends(line string) bool {
	_, made, ok := strings.Cut(line, " = ")
	if !ok {
		made = line
	}
	return strings.HasPrefix(made, "br ") || strings.HasPrefix(made, "switch ") || strings.HasPrefix(made, "invoke ")
}

// begins tells lines that an instruction begins.
func begins(line string) bool {
	return strings.HasPrefix(line, "  ") && len(line) > 2 && line[2] != ' ' && line[2] != ']' && line[2] != ';'
}

// resultOf is the name of what an instruction gives, "" where it gives nothing.
func resultOf(line string) string {
	name, _, ok := strings.Cut(line, " = ")
	if !ok || !strings.HasPrefix(name, "%") {
		return ""
	}
	return strings.Trim(name[1:], `"`)
}

// labelOf is the name of the block that a line begins.
func labelOf(line string) string {
	if quoted, ok := strings.CutPrefix(line, `"`); ok {
		name, _, _ := strings.Cut(quoted, `"`)
		return name
	}
	name, _, _ := strings.Cut(line, ":")
	return name
}

// quoted is a name as the IR has it.
func quoted(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("-$._", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		return `"` + name + `"`
	}
	return name
}

// instruction tells what is due in front of an instruction.
func (x *instrumenter) instruction(line, before string) {
	name := resultOf(line)
	_, made, _ := strings.Cut(line, " = ")
	if strings.HasPrefix(made, "phi ") {
		x.due = append(slices.Clip(x.due), x.wants[x.fn.Name][name]...)
		return
	}
	if strings.HasPrefix(made, "landingpad ") { // which nothing may stand in front of
		x.due = nil
	}
	if !x.entered {
		x.entered = true
		if n, ok := x.regions[x.fn.Name]; ok {
			fmt.Fprintf(&x.out, "  call void @foresee_ir_enter(i32 %d)\n", n)
		}
		for _, p := range x.fn.Params {
			x.tell(x.wants[x.fn.Name][p.Name], "")
		}
		for _, name := range slices.Sorted(maps.Keys(x.wants[x.fn.Name])) {
			if strings.HasPrefix(name, "@") {
				x.tell(x.wants[x.fn.Name][name], "")
			}
		}
	}
	x.tell(x.due, "")
	if x.phis {
		for _, l := range x.loops[x.fn.Name] {
			if l.header == x.block {
				fmt.Fprintf(&x.out, "  call void @foresee_ir_iteration(i32 %d)\n", l.place)
			}
		}
	}
	x.phis, x.due = false, nil
	if ends(line) {
		for _, place := range x.enters[x.block] {
			fmt.Fprintf(&x.out, "  call void @foresee_ir_iterations(i32 %d)\n", place)
		}
	}
	returns := (strings.HasPrefix(line, "ret ") || strings.HasPrefix(line, "resume ")) && !strings.Contains(before, "musttail ")
	if returns {
		for _, l := range x.loops[x.fn.Name] {
			fmt.Fprintf(&x.out, "  call void @foresee_ir_iterations(i32 %d)\n", l.place)
		}
	}
	if n, ok := x.regions[x.fn.Name]; ok && returns {
		fmt.Fprintf(&x.out, "  call void @foresee_ir_leave(i32 %d)\n", n)
	}
}

// tell writes the calls that tell values; line is the instruction that gives them.
func (x *instrumenter) tell(all []want, line string) {
	for _, w := range all {
		x.n++
		switch {
		case w.typ == nil:
		case w.array.Size > 0:
			x.table(w)
		case w.form == place.Span:
			address := addressOf(line)
			if !x.opaque && address != "" {
				fmt.Fprintf(&x.out, "  %%foresee.%d = bitcast %s to i8*\n", x.n, address)
				address = fmt.Sprintf("i8* %%foresee.%d", x.n)
			}
			if address != "" {
				fmt.Fprintf(&x.out, "  call void @foresee_ir_span(i32 %d, %s)\n", w.place, address)
			}
		case w.form == place.Where || w.form == place.Phase:
			if typ := w.typ.String(); typ == "" || w.typ.Kind != text.Pointer {
				continue
			}
			if w.form == place.Phase {
				fmt.Fprintf(&x.out, "  %%foresee.%[1]d = ptrtoint %[2]s %[3]s to i64\n  %%foresee.%[1]d.in = and i64 %%foresee.%[1]d, %[4]d\n  call void @foresee_ir_told(i32 %[5]d, i64 %%foresee.%[1]d.in)\n", x.n, w.typ, w.operand(), place.LineBytes-1, w.place)
				continue
			}
			fmt.Fprintf(&x.out, "  %%foresee.%d = ptrtoint %s %s to i64\n  call void @foresee_ir_where_told(i32 %d, i64 %%foresee.%d)\n", x.n, w.typ, w.operand(), w.place, x.n)
		case w.typ.Kind == text.Int && w.typ.Bits == 64:
			fmt.Fprintf(&x.out, "  call void @foresee_ir_%s(i32 %d, i64 %%%s)\n", w.how(), w.place, quoted(w.name))
		case w.typ.Kind == text.Int && w.typ.Bits < 64:
			extend := "sext"
			if w.typ.Bits == 1 {
				extend = "zext"
			}
			fmt.Fprintf(&x.out, "  %%foresee.%d = %s i%d %%%s to i64\n  call void @foresee_ir_%s(i32 %d, i64 %%foresee.%d)\n", x.n, extend, w.typ.Bits, quoted(w.name), w.how(), w.place, x.n)
		}
	}
}

// how is the end of the name of the function that tells a number.
func (w want) how() string {
	if w.form == place.InOrder {
		return "in_order"
	}
	return "told"
}

// operand is what is told, as instructions name it.
func (w want) operand() string {
	if global, ok := strings.CutPrefix(w.name, "@"); ok {
		return "@" + quoted(global)
	}
	return "%" + quoted(w.name)
}

// table writes the call that tells an array. Where pointers have types, those are not told whose type is not known.
func (x *instrumenter) table(w want) {
	name := w.operand()
	if !x.opaque {
		typ := w.typ.String()
		if typ == "" || w.typ.To == nil {
			return
		}
		fmt.Fprintf(&x.out, "  %%foresee.%d = bitcast %s %s to i8*\n", x.n, typ, name)
		name = fmt.Sprintf("%%foresee.%d", x.n)
	}
	a := w.array
	if a.Step > 0 {
		how := "members"
		if a.Rows {
			how = "rows"
		}
		fmt.Fprintf(&x.out, "  call void @foresee_ir_%s(i32 %d, %s %s, i32 %d, i32 %d, i32 %d, i32 %d)\n", how, w.place, x.pointer(), name, a.First, a.Step, a.Size, expr.Truth(a.Signed))
		return
	}
	fmt.Fprintf(&x.out, "  call void @foresee_ir_table(i32 %d, %s %s, i32 %d, i32 %d)\n", w.place, x.pointer(), name, a.Size, expr.Truth(a.Signed))
}

// addressOf is the address, with its type, that a load reads; "" of another instruction.
func addressOf(line string) string {
	_, load, ok := strings.Cut(line, " = load ")
	if !ok {
		return ""
	}
	parts := Split(load)
	if len(parts) < 2 {
		return ""
	}
	return parts[1]
}
