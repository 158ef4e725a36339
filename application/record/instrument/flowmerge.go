package instrument

import (
	"slices"
	"strings"
)

// Threads put together what their iterations gave: they add up sums that began with nothing, or keep the largest. That gives the same for all numbers
// of threads. What is put together in another way, or is not what iterations gave, does not.

// merging is a way to put together.
type merging struct {
	operations map[string]bool
	neutral    []string // what it begins with
	scaled     bool     // a multiple of it does as well
}

var mergings = []*merging{
	{operations: setOf("add fadd sub fsub"), neutral: []string{"0", "0.000000e+00", "-0.000000e+00", "zeroinitializer", "null", "false"}, scaled: true},
	{operations: setOf("mul fmul"), neutral: []string{"1", "1.000000e+00"}},
	{operations: setOf("xor"), neutral: []string{"0", "zeroinitializer", "false"}},
}

// passes are instructions that give what they are given, in another form.
var passes = setOf("bitcast freeze sext zext trunc fpext fptrunc extractelement insertelement shufflevector fneg addrspacecast")

// merges says whether a value that goes to where a pointer points is what was there, with what was gathered put to it.
func (t *teamFlow) merges(p, v string) bool {
	return slices.ContainsFunc(mergings, func(m *merging) bool { return t.mergesBy(m, p, v, map[string]bool{}) })
}

func (t *teamFlow) mergesBy(m *merging, p, v string, seen map[string]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	in := t.def[v]
	name, list := callee(in.rest)
	switch {
	case passes[in.opcode]:
		return t.mergesBy(m, p, t.first(in), seen)
	case in.opcode == "load":
		return t.eachWritten(in, func(v string) bool { return t.isOld(p, v, 0) || t.mergesBy(m, p, v, seen) })
	case in.opcode == "phi":
		return !slices.ContainsFunc(t.choices(in), func(c string) bool {
			return c != "undef" && c != "poison" && !t.isOld(p, c, 0) && !t.mergesBy(m, p, c, seen)
		})
	case m.operations[in.opcode]:
		a, b := binary(in)
		old := t.isOld(p, a, 0) || t.mergesBy(m, p, a, seen)
		if old {
			return t.gives(m, b)
		}
		return !strings.HasSuffix(in.opcode, "sub") && (t.isOld(p, b, 0) || t.mergesBy(m, p, b, seen)) && t.gives(m, a)
	case m.scaled && in.isCall() && (strings.HasPrefix(name, "llvm.fmuladd.") || strings.HasPrefix(name, "llvm.fma.")):
		args := splitList(list)
		_, c, _ := takeTyped(args[2])
		return (t.isOld(p, c, 0) || t.mergesBy(m, p, c, seen)) && t.scales(m, args, nil)
	}
	return false
}

// gives says whether a value was gathered in a way, so that the threads' together are the same for all numbers of them.
func (t *teamFlow) gives(m *merging, v string) bool { return t.gathers(m, v, map[string]bool{}) }

// scales says whether one of two values was gathered, and the other is the same for all threads.
func (t *teamFlow) scales(m *merging, args []string, seen map[string]bool) bool {
	if seen == nil {
		seen = map[string]bool{}
	}
	_, a, _ := takeTyped(args[0])
	_, b, _ := takeTyped(args[1])
	return t.gathers(m, a, seen) && t.same(b) || t.gathers(m, b, seen) && t.same(a)
}

// same says whether a value is the same for all threads.
func (t *teamFlow) same(v string) bool {
	s := newSources()
	t.from(s, v)
	return !s.gathered && !s.own
}

func (t *teamFlow) gathers(m *merging, v string, seen map[string]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	if !strings.HasPrefix(v, "%") {
		return m.begins(v)
	}
	in, ok := t.def[v]
	inside := t.dealt[t.at[v]]
	each := func(all []string) bool {
		return !slices.ContainsFunc(all, func(o string) bool { return !t.gathers(m, o, seen) })
	}
	switch {
	case !ok || t.steps > mostSteps:
		return false
	case in.opcode == "phi", in.opcode == "select":
		return !(inside && t.chosenAnew(in)) && each(t.choices(in))
	case in.opcode == "insertelement" || in.opcode == "shufflevector":
		_, a, _ := takeTyped(splitList(in.rest)[0])
		_, b, _ := takeTyped(splitList(in.rest)[1])
		return each([]string{a, b})
	case passes[in.opcode], in.opcode == "sitofp", in.opcode == "uitofp":
		return t.gathers(m, t.first(in), seen)
	case m.operations[in.opcode]:
		a, b := binary(in)
		if inside {
			return t.adds(m, a, b, seen)
		}
		return each([]string{a, b})
	case m.scaled && !inside && (in.opcode == "fmul" || in.opcode == "mul" || in.opcode == "fdiv"):
		a, b := binary(in)
		return t.gathers(m, a, seen) && t.same(b) || in.opcode != "fdiv" && t.gathers(m, b, seen) && t.same(a)
	case in.opcode == "load":
		return t.eachWritten(in, func(v string) bool { return t.gathers(m, v, seen) })
	case in.isCall():
		return t.callGathers(m, in, inside, seen)
	}
	return false
}

// chosenAnew says whether an iteration begins a sum again, or an earlier one decides on what is added.
func (t *teamFlow) chosenAnew(in instruction) bool {
	if !t.tainted[in.result] {
		return false
	}
	if in.opcode == "select" {
		return slices.ContainsFunc(t.choices(in), isConstant) ||
			slices.ContainsFunc(t.operands(splitList(in.rest)[0]), func(v string) bool { return t.tainted[v] })
	}
	at := t.at[in.result].block
	under := map[int]string{} // by branch that decides: the value that it leads to
	for n, k := range t.blocks {
		if !slices.Contains(k.next, at) || !t.dealt[spot{n, len(k.lines) - 1}] {
			continue
		}
		v := t.choiceFrom(in, n)
		if isConstant(v) && leadsTo(t.blocks, at, n) {
			return true
		}
		for _, b := range append(t.control.all(n), n) {
			if !t.decidesInside(b) {
				continue
			}
			if other, there := under[b]; there && other != v {
				return true
			}
			under[b] = v
		}
	}
	return false
}

func isConstant(v string) bool { return !strings.HasPrefix(v, "%") && v != "undef" && v != "poison" }

// decidesInside tells branches that iterations take by what earlier ones left.
func (t *teamFlow) decidesInside(n int) bool {
	return t.dealt[spot{n, len(t.blocks[n].lines) - 1}] && t.branchesOnTainted(n)
}

// choiceFrom is what a phi takes where control comes from a block.
func (t *teamFlow) choiceFrom(phi instruction, block int) string {
	for _, p := range splitList(phi.rest) {
		_, pair, _ := strings.Cut(p, "[")
		v, from, _ := strings.Cut(pair, ", ")
		label, _ := takeValue(strings.TrimSpace(from))
		if n, ok := t.numbers[strings.Trim(strings.TrimPrefix(label, "%"), `"`)]; ok && n == block {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// adds says whether one of two values was gathered and the other is of this iteration, or was gathered as well.
func (t *teamFlow) adds(m *merging, a, b string, seen map[string]bool) bool {
	other := func(v string) bool { return !t.tainted[v] || t.gathers(m, v, seen) }
	return t.tainted[a] && t.gathers(m, a, seen) && other(b) || t.tainted[b] && t.gathers(m, b, seen) && other(a)
}

// eachWritten says whether something holds for all that is written where a load reads, which is memory of the thread's own.
func (t *teamFlow) eachWritten(load instruction, holds func(v string) bool) bool {
	p, _ := loadedFrom(load)
	if !t.ownMemory(p) {
		return false
	}
	found := false
	memory, _ := t.memory(p)
	for _, place := range memory {
		for _, w := range t.writes[place] {
			if calls(w.in, "llvm.lifetime.") {
				continue
			}
			_, v, _ := takeTyped(w.value)
			if found = true; place[0] == 'g' || w.value == "" || !holds(v) {
				return false
			}
		}
	}
	return found
}

// callGathers is gathers of sums of vectors, and of products that are added.
func (t *teamFlow) callGathers(m *merging, in instruction, inside bool, seen map[string]bool) bool {
	name, list := callee(in.rest)
	args := splitList(list)
	last := args[len(args)-1]
	_, v, _ := takeTyped(last)
	switch {
	case strings.HasPrefix(name, "llvm.vector.reduce.fadd") || strings.HasPrefix(name, "llvm.vector.reduce.fmul"):
		_, first, _ := takeTyped(args[0])
		return len(args) > 1 && t.gathers(m, first, seen) && (t.gathers(m, v, seen) || inside && !t.tainted[v])
	case strings.HasPrefix(name, "llvm.vector.reduce.add") || strings.HasPrefix(name, "llvm.vector.reduce.mul") || strings.HasPrefix(name, "llvm.vector.reduce.xor"):
		return t.gathers(m, v, seen) || inside && !t.tainted[v]
	case m.scaled && (strings.HasPrefix(name, "llvm.fmuladd.") || strings.HasPrefix(name, "llvm.fma.")):
		if inside {
			return t.gathers(m, v, seen) && !slices.ContainsFunc(t.operands(args[0]+args[1]), func(o string) bool { return t.tainted[o] })
		}
		return t.gathers(m, v, seen) && t.scales(m, args, seen)
	}
	return false
}

// begins says whether a sum, or whatever it is, may begin with a constant.
func (m *merging) begins(v string) bool {
	if !strings.HasPrefix(v, "<") {
		return v == "undef" || v == "poison" || slices.Contains(m.neutral, v)
	}
	return !slices.ContainsFunc(splitList(strings.Trim(v, "<>")), func(p string) bool {
		_, v, _ := takeTyped(p)
		return !m.begins(v)
	})
}

// binary gives the operands of an operation of two.
func binary(in instruction) (a, b string) {
	rest := in.rest
	for {
		word, after, _ := strings.Cut(rest, " ")
		switch word {
		case "nuw", "nsw", "exact", "fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc":
			rest = after
			continue
		}
		break
	}
	parts := splitList(rest)
	if len(parts) < 2 {
		return "", ""
	}
	_, a, _ = takeTyped(parts[0])
	b, _ = takeValue(parts[1])
	return a, b
}

// first is the first operand of an instruction that passes it on.
func (t *teamFlow) first(in instruction) string {
	_, v, _ := takeTyped(splitList(strings.TrimPrefix(in.rest, "fast "))[0])
	return v
}

// isOld says whether a value is what was where a pointer points.
func (t *teamFlow) isOld(p, v string, depth int) bool {
	const deepest = 16 // chosen: casts and the ways round a loop that tries again
	in, ok := t.def[v]
	if !ok || depth > deepest {
		return false
	}
	switch {
	case passes[in.opcode]:
		return t.isOld(p, t.first(in), depth+1)
	case in.opcode == "load":
		from, _ := loadedFrom(in)
		return t.samePointer(p, from, 0) || t.eachWritten(in, func(v string) bool { return t.isOld(p, v, depth+1) })
	case in.opcode == "extractvalue":
		_, of, _ := takeTyped(splitList(in.rest)[0])
		return t.isOld(p, of, depth+1)
	case in.opcode == "cmpxchg":
		_, from, _ := takeTyped(strings.TrimPrefix(strings.TrimPrefix(splitList(in.rest)[0], "weak "), "volatile "))
		return t.samePointer(p, from, 0)
	case in.opcode == "phi":
		return !slices.ContainsFunc(t.choices(in), func(c string) bool { return !t.isOld(p, c, depth+1) })
	}
	return false
}

// samePointer says whether two pointers are one, computed alike.
func (t *teamFlow) samePointer(a, b string, depth int) bool {
	a, b = t.withoutCasts(a), t.withoutCasts(b)
	if a == b {
		return true
	}
	x, y := t.def[a], t.def[b]
	const deepest = 8 // chosen: nested indices
	if depth > deepest || x.opcode != y.opcode || x.opcode != "getelementptr" && x.opcode != "load" && x.opcode != "sext" && x.opcode != "zext" {
		return false
	}
	of, with := t.operands(x.rest), t.operands(y.rest)
	if len(of) != len(with) {
		return false
	}
	if x.opcode == "load" {
		from, _ := loadedFrom(x)
		also, _ := loadedFrom(y)
		return t.samePointer(from, also, depth+1)
	}
	for i := range of {
		if !t.samePointer(of[i], with[i], depth+1) {
			return false
		}
	}
	return shape(x.rest) == shape(y.rest)
}

// shape is what an instruction does without the names of its operands.
func shape(rest string) string {
	rest, _, _ = strings.Cut(rest, ", !")
	words := strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == ',' })
	for i, w := range words {
		if strings.HasPrefix(w, "%") && !strings.HasPrefix(w, "%struct.") && !strings.HasPrefix(w, "%class.") {
			words[i] = "%"
		}
	}
	return strings.Join(words, " ")
}

func (t *teamFlow) withoutCasts(v string) string {
	for t.def[v].opcode == "bitcast" {
		v = t.first(t.def[v])
	}
	return v
}
