package sass

import (
	"container/heap"
	"regexp"
	"strconv"
	"strings"
)

// ends is how the code goes on behind an instruction.
type ends struct {
	targets []int // instructions that it may go to
	through bool  // it may go on with the next one
	leaves  bool  // it ends a basic block
	unknown bool  // it may go to where the text does not tell
	calls   bool
}

var (
	labelTarget   = regexp.MustCompile("`?\\((\\.L[.$\\w]*)\\)\\s*$")
	addressTarget = regexp.MustCompile(`(?:^|[\s,])0x([0-9a-fA-F]{1,16})\s*$`)
)

// places finds instructions by address and by label.
type places struct {
	addresses map[uint64]int
	labels    map[string]int
}

// places finds instructions by address and label.
func (k *Kernel) places() places {
	p := places{map[uint64]int{}, map[string]int{}}
	for i := range k.Instructions {
		p.addresses[k.Instructions[i].Address] = i
		if label := k.Instructions[i].Label; label != "" {
			p.labels[label] = i
		}
	}
	return p
}

// target is the instruction that a branch names: BRA 0x48, BRA `(.L_1). A branch to the place of a control word goes to what follows it.
func (p places) target(in *Instruction) (int, bool) {
	if m := labelTarget.FindStringSubmatch(in.Operands); m != nil {
		i, ok := p.labels[m[1]]
		return i, ok
	}
	m := addressTarget.FindStringSubmatch(in.Operands)
	if m == nil {
		return 0, false
	}
	at, err := strconv.ParseUint(m[1], 16, 64)
	if err != nil {
		return 0, false
	}
	i, ok := p.addresses[at]
	if !ok {
		i, ok = p.addresses[at+8]
	}
	return i, ok
}

// pushes are instructions that set where divergent threads go on together, and those that go there: SYNC (or any instruction with .S)
// after SSY, BRK after PBK, CONT after PCNT until Pascal, BSYNC after BSSY with the same barrier from Volta on.
var pushes = map[string]string{"SSY": "SYNC", "PBK": "BRK", "PCNT": "CONT", "BSSY": "BSYNC"}

// ends follows each instruction.
func (k *Kernel) ends() []ends {
	p := k.places()
	all := make([]ends, len(k.Instructions))
	open := reconvergence{}
	for i := range k.Instructions {
		all[i] = k.end(p, open, i)
		open.push(p, &k.Instructions[i])
	}
	return all
}

// end is where an instruction may go on.
func (k *Kernel) end(p places, open reconvergence, i int) ends {
	in := &k.Instructions[i]
	name, modifiers, _ := strings.Cut(in.Opcode, ".")
	conditional := in.Predicate != "" && in.Predicate != "PT"
	if in.Predicate == "!PT" {
		return ends{through: true}
	}
	if last := modifiers[strings.LastIndex(modifiers, ".")+1:]; last == "S" && k.Generation() <= Kepler && name != "BRA" {
		name = "SYNC"
	}
	e := ends{through: conditional, leaves: true}
	switch name {
	case "BRA", "JMP":
		e.through = conditional || strings.Contains(in.Operands, ",")
		to, ok := p.target(in)
		if e.unknown = !ok; ok {
			e.targets = []int{to}
		}
	case "SYNC", "BRK", "CONT", "BSYNC":
		to, ok := open.popped(i, name, in)
		if e.unknown = !ok; ok {
			e.targets = []int{to}
		} else {
			e.through = true
		}
	case "BRX", "BRXU", "JMX", "JMXU", "LONGJMP":
		e.unknown = true
	case "CAL", "CALL", "JCAL":
		e.through, e.calls = true, true
		if to, ok := p.target(in); ok {
			e.targets = []int{to}
		}
	case "EXIT", "RET", "RTT", "KILL":
	default:
		return ends{through: true}
	}
	return e
}

// barrier is the first operand.
func barrier(operands string) string {
	first, _, _ := strings.Cut(operands, ",")
	return strings.TrimSpace(first)
}

// reconvergence is the targets that were set, by what goes to them, and by the barrier of BSYNC. Those of CONT are in order, of the others
// the nearest is first.
type reconvergence map[string]*targets

// targets is a heap of instructions, the lowest first.
type targets []int

func (t targets) Len() int           { return len(t) }
func (t targets) Less(i, j int) bool { return t[i] < t[j] }
func (t targets) Swap(i, j int)      { t[i], t[j] = t[j], t[i] }

// Push implements heap.Interface.
func (t *targets) Push(x any) { *t = append(*t, x.(int)) }

// Pop implements heap.Interface.
func (t *targets) Pop() any {
	last := (*t)[len(*t)-1]
	*t = (*t)[:len(*t)-1]
	return last
}

func reconvergenceKey(pop string, in *Instruction) string {
	if pop == "BSYNC" {
		return pop + " " + barrier(in.Operands)
	}
	return pop
}

// push adds what an instruction sets.
func (r reconvergence) push(p places, in *Instruction) {
	name, _, _ := strings.Cut(in.Opcode, ".")
	pop, pushes := pushes[name]
	to, known := 0, false
	if pushes {
		to, known = p.target(in)
	}
	if !known {
		return
	}
	key := reconvergenceKey(pop, in)
	if r[key] == nil {
		r[key] = &targets{}
	}
	if pop == "CONT" {
		r[key].Push(to)
	} else {
		heap.Push(r[key], to)
	}
}

// popped is the target that the innermost push around instruction i set. Of PCNT it is the last one set before i; of the others it lies
// behind i, and is the first of these.
func (r reconvergence) popped(i int, pop string, in *Instruction) (to int, ok bool) {
	all := r[reconvergenceKey(pop, in)]
	if all == nil {
		return 0, false
	}
	if pop == "CONT" {
		return (*all)[len(*all)-1], true
	}
	for len(*all) > 0 && (*all)[0] <= i {
		heap.Pop(all)
	}
	if len(*all) == 0 {
		return 0, false
	}
	return (*all)[0], true
}
