package instrument

import (
	"strings"
)

// flowBody follows values through one function.
type flowBody struct {
	*flow
	name     string
	params   map[string]int
	def      map[string]instruction
	memories map[string]pointed  // by pointer, as far as they were asked for
	stored   map[string][]string // by variable on the stack that is only loaded and stored: the values stored
	blocks   []flowBlock
	numbers  map[string]int // of blocks, by label
}

// flowBlock is a basic block.
type flowBlock struct {
	lines []instruction
	next  []int // blocks that may follow
}

// function follows the values of one function.
func (f *flow) function(lines []string) {
	name, _ := callee(lines[0])
	b := &flowBody{flow: f, name: name, params: map[string]int{}, def: map[string]instruction{}, stored: map[string][]string{}, memories: map[string]pointed{}, numbers: map[string]int{}}
	for i, p := range f.params[name] {
		b.params[p] = i
		f.edge(place("p", name, i), b.value(p))
		f.edge(place("i", name, i), place("q", name, i))
		f.edge(place("q", name, i), place("o", name, i))
	}
	b.read(lines[1:])
	b.findStored()
	b.environment()
	for _, k := range b.blocks {
		for _, in := range k.lines {
			b.instruction(in)
		}
	}
	for i := range b.blocks {
		b.branch(i)
	}
	b.whole()
	b.team()
}

// read divides the function into blocks.
func (b *flowBody) read(lines []string) {
	b.blocks = append(b.blocks, flowBlock{})
	for i, l := range lines {
		if isLabel(l) {
			label, _, _ := strings.Cut(l, ":")
			if i > 0 {
				b.blocks = append(b.blocks, flowBlock{})
			}
			b.numbers[strings.Trim(label, `"`)] = len(b.blocks) - 1
			continue
		}
		if !isInstruction(l) {
			b.goesOn(strings.TrimSpace(l))
			continue
		}
		in := parseInstruction(l)
		if in.result != "" {
			b.def[in.result] = in
		}
		k := &b.blocks[len(b.blocks)-1]
		k.lines = append(k.lines, in)
	}
	for i := range b.blocks {
		k := &b.blocks[i]
		if n := len(k.lines); n > 0 && terminates(k.lines[n-1].opcode) {
			k.next = b.successors(k.lines[n-1].rest)
		}
	}
}

// goesOn adds a line to the instruction before it: the cases of a switch, and where an invoke returns to. Exceptions are no way that the
// program is taken to go.
func (b *flowBody) goesOn(line string) {
	lines := b.blocks[len(b.blocks)-1].lines
	if len(lines) == 0 {
		return
	}
	in := &lines[len(lines)-1]
	switch {
	case in.opcode == "switch" && strings.HasPrefix(line, "i"):
		in.rest += " " + line
	case in.opcode == "invoke" && strings.HasPrefix(line, "to label "):
		back, _, _ := strings.Cut(line, " unwind ")
		in.rest += " " + back
	}
}

// successors are the blocks that a branch names.
func (b *flowBody) successors(rest string) []int {
	var all []int
	for _, part := range strings.Split(rest, "label %")[1:] {
		name, _ := takeValue("%" + part)
		if n, ok := b.numbers[strings.Trim(strings.TrimPrefix(name, "%"), `"`)]; ok {
			all = append(all, n)
		}
	}
	return all
}

// findStored finds variables on the stack that code without optimisation keeps pointers in.
func (b *flowBody) findStored() {
	other := map[string]bool{}
	for _, k := range b.blocks {
		for _, in := range k.lines {
			parts := splitList(in.rest)
			if name, _ := callee(in.rest); in.opcode == "call" && strings.HasPrefix(name, "llvm.dbg.") {
				continue
			}
			for i, p := range parts {
				for _, v := range b.operands(p) {
					if b.def[v].opcode == "alloca" && !(i == 1 && (in.opcode == "load" || in.opcode == "store")) {
						other[v] = true
					}
				}
			}
			if in.opcode == "store" && len(parts) > 1 {
				_, value, _ := takeTyped(parts[0])
				_, to, _ := takeTyped(parts[1])
				b.stored[to] = append(b.stored[to], value)
			}
		}
	}
	for v := range b.stored {
		if other[v] || b.def[v].opcode != "alloca" {
			delete(b.stored, v)
		}
	}
}

func (b *flowBody) value(v string) string { return place("v", b.name, v) }

// operands are the function's values in a piece of text.
func (b *flowBody) operands(text string) []string {
	var all []string
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i += max(strings.IndexByte(text[i+1:], '"'), 0) + 1
		case '%':
			v, _ := takeValue(text[i:])
			v = strings.TrimRight(v, "*")
			_, isParam := b.params[v]
			if _, ok := b.def[v]; ok || isParam {
				all = append(all, v)
			}
			i += len(v) - 1
		case '!':
			if strings.HasPrefix(text[i:], "!dbg") || strings.HasPrefix(text[i:], "!tbaa") {
				return all
			}
		}
	}
	return all
}

// memory gives the places that a pointer may point to; known is false where it may be elsewhere.
func (b *flowBody) memory(v string) (all []string, known bool) {
	if m, ok := b.memories[v]; ok {
		return m.places, m.known
	}
	known = true
	seen, found := map[string]bool{v: true}, map[string]bool{}
	for queue := []string{v}; len(queue) > 0; {
		of := queue[0]
		queue = queue[1:]
		places, pointers, ok := b.pointsTo(of)
		known = known && ok
		for _, p := range places {
			if !found[p] {
				found[p], all = true, append(all, p)
			}
		}
		for _, p := range pointers {
			if !seen[p] {
				seen[p], queue = true, append(queue, p)
			}
		}
	}
	b.memories[v] = pointed{all, known}
	return all, known
}

// pointed is what memory has found of a pointer.
type pointed struct {
	places []string
	known  bool
}

// pointsTo gives the places that a pointer points to by itself, and the pointers that it is made of or is one of.
func (b *flowBody) pointsTo(v string) (places, pointers []string, known bool) {
	if !strings.HasPrefix(v, "%") {
		for _, g := range globals(v) {
			places = append(places, "g "+g)
		}
		return places, nil, len(places) > 0 || v == "null" || v == "undef" || v == "poison"
	}
	if i, ok := b.params[v]; ok {
		return []string{place("q", b.name, i)}, nil, true
	}
	in := b.def[v]
	switch in.opcode {
	case "alloca":
		return []string{place("a", b.name, v)}, nil, true
	case "call", "invoke":
		if name, _ := callee(in.rest); allocates[name] {
			return []string{place("a", b.name, v)}, nil, true
		} else if strings.HasPrefix(name, "llvm.threadlocal.address") {
			_, list := callee(in.rest)
			_, of, _ := takeTyped(list)
			return nil, []string{of}, true
		}
	case "getelementptr", "bitcast", "addrspacecast", "freeze":
		return nil, []string{addressed(in)}, true
	case "phi", "select":
		pointers = b.choices(in)
		return nil, pointers, len(pointers) > 0
	case "load":
		if parts := splitList(in.rest); len(parts) > 1 {
			_, from, _ := takeTyped(parts[1])
			values, ok := b.stored[from]
			return nil, values, ok && len(values) > 0
		}
	}
	return nil, nil, false
}

// addressed is the pointer that a getelementptr or a cast takes.
func addressed(in instruction) string {
	parts := splitList(strings.TrimPrefix(in.rest, "inbounds "))
	at := 0
	if in.opcode == "getelementptr" {
		at = min(1, len(parts)-1)
	}
	_, of, _ := takeTyped(parts[at])
	return of
}

// choices are the values that a phi or select chooses from.
func (b *flowBody) choices(in instruction) []string {
	var all []string
	parts := splitList(in.rest)
	for i, p := range parts {
		if in.opcode == "select" && (i == 1 || i == 2) {
			_, v, _ := takeTyped(p)
			all = append(all, v)
		}
		if in.opcode != "phi" {
			continue
		}
		if _, pair, ok := strings.Cut(p, "["); ok {
			v, _, _ := strings.Cut(pair, ",")
			all = append(all, strings.TrimSpace(v))
		}
	}
	return all
}

// instruction adds what one does.
func (b *flowBody) instruction(in instruction) {
	b.askersTaken(in)
	parts := splitList(strings.TrimPrefix(strings.TrimPrefix(in.rest, "atomic "), "volatile "))
	switch in.opcode {
	case "call", "invoke":
		b.call(in)
	case "load":
		if len(parts) > 1 {
			b.load(in.result, parts[1])
		}
	case "store":
		if len(parts) > 1 {
			b.store(parts[0], parts[1])
		}
	case "atomicrmw", "cmpxchg", "callbr":
		for _, v := range b.operands(in.rest) {
			b.escapes(v)
			b.edge(b.value(v), matters)
		}
	case "ret":
		for _, v := range b.operands(in.rest) {
			b.edge(b.value(v), "r "+b.name)
		}
		if len(parts) > 0 {
			b.pointer(parts[0])
		}
	case "br", "switch", "indirectbr", "alloca", "unreachable", "resume":
		// the conditions of branches are looked at with their blocks
		if in.opcode == "alloca" {
			for _, v := range b.operands(in.rest) {
				b.edge(b.value(v), matters)
			}
		}
	default:
		b.compute(in)
	}
}

// compute passes operands on to the result.
func (b *flowBody) compute(in instruction) {
	if in.opcode == "icmp" && b.testsVariable(in) {
		return // whether there is such a variable: there always is
	}
	for _, v := range b.operands(in.rest) {
		if in.result != "" {
			b.edge(b.value(v), b.value(in.result))
		}
		if in.opcode == "ptrtoint" || in.opcode == "insertvalue" || in.opcode == "insertelement" {
			b.escapes(v)
		}
	}
	if in.opcode != "icmp" && in.opcode != "getelementptr" && in.opcode != "bitcast" && in.opcode != "phi" && in.opcode != "select" {
		for _, g := range globals(in.rest) {
			b.escape(g)
		}
	}
}

// load makes the loaded value depend on what may be stored there.
func (b *flowBody) load(result, pointer string) {
	_, p, _ := takeTyped(pointer)
	memory, _ := b.memory(p)
	for _, m := range memory {
		b.edge(m, b.value(result))
	}
	if strings.HasPrefix(p, "%") {
		b.edge(b.value(p), matters)
	}
}

// store makes what may be stored there depend on the value.
func (b *flowBody) store(typed, pointer string) {
	_, v, _ := takeTyped(typed)
	_, p, _ := takeTyped(pointer)
	if strings.HasPrefix(p, "%") {
		b.edge(b.value(p), matters)
	}
	memory, known := b.memory(p)
	if strings.HasPrefix(v, "%") {
		b.write(b.value(v), memory, known)
	}
	if _, kept := b.stored[p]; !kept {
		b.pointer(typed)
	}
}

// write says that what is at a place gets into memory.
func (b *flowBody) write(from string, memory []string, known bool) {
	for _, m := range memory {
		b.edge(from, m)
	}
	if !known {
		b.edge(from, matters)
	}
}

// pointer says that a value, if it is a pointer, gets where it cannot be followed, and with it what it points to.
func (b *flowBody) pointer(typed string) {
	typ, v, _ := takeTyped(typed)
	if strings.HasPrefix(typ, "i") || typ == "double" || typ == "float" {
		return
	}
	if strings.HasPrefix(v, "%") {
		b.escapes(v)
		return
	}
	for _, g := range globals(v) {
		b.escape(g)
	}
}

func (b *flowBody) escapes(v string) {
	memory, _ := b.memory(v)
	for _, m := range memory {
		b.edge(m, matters)
	}
}
