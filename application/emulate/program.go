package emulate

import (
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"foresee/application/assembly"
)

// Where things lie. Chosen: far apart, below 2^47, and code and data within 31 bits, as small code models want it.
const (
	codeBegin     = 0x0040_0000
	codeSpacing   = 16 // bytes between instructions
	dataBegin     = 0x1000_0000
	heapBegin     = 0x10_0000_0000
	stackEnd      = 0x7fff_ff00_0000
	stackSpacing  = 1 << 30 // bytes between the stacks of threads
	threadData    = 0x20_0000_0000
	givenBegin    = 0x100_0000_0000
	givenBytes    = 1 << 32             // of each block of memory that is given to a function
	givenSpacing  = givenBytes + 137*64 // so that blocks do not begin at the same place of a page
	givenRows     = 1 << 13
	givenRow      = 1<<16 + 64 // bytes between rows
	threadSpacing = 1 << 24    // bytes between the data of threads
	returnAddress = 0x10       // of the functions that the program begins with
)

// Program is compiled code, laid out to be carried out.
type Program struct {
	memory    *memory
	ops       []op
	labelled  int32   // operations whose labels are known
	functions []int32 // the first operation of each
	labels    map[string]int32
	symbols   map[string]uint64 // addresses of data
	aliases   map[string]assembly.Alias
	data      uint64 // where the data of the next file begin
	starts    map[*assembly.Section]uint64
	local     uint64            // bytes of data that each thread has for itself
	initial   []initial         // what the data of each thread begin with
	own       []map[string]bool // by file, names that only it knows
	internal  uint64            // where the next block of the libraries' own begins
	given     uint64            // blocks of memory that were given to functions
	heap      heap
	threads   int             // of a team that does not say how many
	unknown   map[string]bool // functions that are called and not known

	// Output takes what the program prints.
	Output io.Writer
	// Observe is called for each operation that is carried out, with the address that it accesses, 0 for none, and whether it jumps; nil
	// for nobody.
	Observe func(thread int, at int32, address uint64, jumps bool)
	// Copied is called behind a call of memcpy, memset or the like, or rep movs or stos, that was told of, with where so many bytes went to and came from, 0 where they
	// were set; nil: nobody looks.
	Copied func(to, from, bytes uint64)
	// Called is called when a function of the program is entered and left; nil for nobody.
	Called func(name string, entered bool)
	// Most bounds the operations, to end programs that do not; 0 for none.
	Most int64
	// Halt is asked now and then where loops are cut short; its error ends the program. Nil: nobody ends it.
	Halt func() error

	watched  []bool    // operations that are looked out for; nil: none
	reached  bool      // one of them was carried out
	sampling *sampling // nil where all is carried out
	extents  []Extent  // of data with names

	done   int64 // operations so far
	status int
	random uint64
	errno  uint64 // where it lies; 0: nobody asked
}

// initial is what a thread's data hold at a place when it begins.
type initial struct {
	at    uint64
	bytes []byte
}

// arg is an operand made ready.
type arg struct {
	kind     assembly.Kind
	bytes    uint8
	high     bool
	thread   bool // in the data of the thread
	zeroing  bool
	register assembly.Register
	base     assembly.Register
	index    assembly.Register
	mask     assembly.Register
	spread   uint8
	scale    uint64
	value    int64 // of an immediate, or what is added to an address
}

// op is an instruction made ready.
type op struct {
	do     func(*thread, *op)
	args   []arg
	at     *assembly.Instruction
	bytes  uint8 // of the integers
	vex    bool
	cond   condition
	lanes  lane
	target int32 // of a jump or call within the program; −1 elsewhere
	name   string
	access int8 // the operand that is in memory; −1 for none
	number int  // of the predicate, where one is asked for
}

// ErrNoFunction says that a program has no function of a name.
var ErrNoFunction = errors.New("there is no such function")

// ErrTooLong is what a program ends with that carries out more than it may.
var ErrTooLong = errors.New("the program carries out more instructions than it may")

// Error is an instruction that cannot be carried out.
type Error struct {
	At     assembly.Place
	Source assembly.Place
	Text   string
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s: %s", e.At, e.Text, e.Reason) }

// Load lays out files as a linker would, for teams of so many threads.
func Load(threads int, files ...*assembly.File) (p *Program, err error) {
	defer ended(&err)
	p = &Program{
		memory: newMemory(), starts: map[*assembly.Section]uint64{}, labels: map[string]int32{}, symbols: map[string]uint64{}, aliases: map[string]assembly.Alias{},
		internal: heapBegin, heap: newHeap(), data: dataBegin, local: 64, threads: threads, unknown: map[string]bool{}, Output: io.Discard,
	}
	for i, f := range files {
		p.own = append(p.own, ownNames(f))
		p.place(f, i)
	}
	for i, f := range files {
		p.label(f, i)
	}
	for i, f := range files {
		p.pointers(f, i)
		if err := p.decode(f, i); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// ownNames are the names that only their file knows.
func ownNames(f *assembly.File) map[string]bool {
	own := map[string]bool{}
	add := func(name string) {
		if !f.Globals[name] {
			own[name] = true
		}
	}
	for name := range f.Symbols {
		add(name)
	}
	for name := range f.Aliases {
		add(name)
	}
	for _, fn := range f.Functions {
		for _, b := range fn.Blocks {
			for _, l := range b.Labels {
				add(l)
			}
		}
	}
	return own
}

// known is the name of something as the program has it: what only one file knows with that file's number.
func (p *Program) known(name string, file int) string {
	if file > 0 && p.own[file][name] { // the first file's names are as they are, so that its functions can be called
		return fmt.Sprintf("%d:%s", file, name)
	}
	return name
}

// label numbers the operations, and says where labels are.
func (p *Program) label(f *assembly.File, file int) {
	for _, fn := range f.Functions {
		p.functions = append(p.functions, p.labelled)
		for _, b := range fn.Blocks {
			for _, l := range b.Labels {
				p.labels[p.known(l, file)] = p.labelled
			}
			p.labelled += int32(len(b.Instructions))
		}
	}
}

// place gives data and code of a file their addresses.
func (p *Program) place(f *assembly.File, file int) {
	next := p.data
	for _, s := range f.Sections {
		align := uint64(max(s.Align, 16))
		if s.Thread {
			p.local = (p.local + align - 1) / align * align
			p.starts[s] = p.local
			p.initial = append(p.initial, initial{p.local, s.Bytes})
			p.local += uint64(s.Size)
			continue
		}
		if s.Size >= 4096 {
			align = max(align, 64) // as linkers do not, but the C library's allocator and pages often come to
		}
		next = (next + align - 1) / align * align
		p.starts[s] = next
		for i := 0; i < len(s.Bytes); i++ {
			if s.Bytes[i] != 0 {
				p.memory.store(next+uint64(i), 1, uint64(s.Bytes[i]))
			}
		}
		next += uint64(s.Size)
	}
	p.data = next
	for name, s := range f.Symbols {
		at := p.starts[s.Section] + uint64(s.Offset)
		p.symbols[p.known(name, file)] = at
		if s.Size > 0 && !s.Section.Thread {
			p.extents = append(p.extents, Extent{at, at + uint64(s.Size)})
		}
	}
	for name, a := range f.Aliases {
		p.aliases[p.known(name, file)] = assembly.Alias{Of: p.known(a.Of, file), Plus: a.Plus}
	}
}

// aliased is what a name is another name of, and how many bytes behind that.
func (p *Program) aliased(name string, file int) (of string, plus int64) {
	of = p.known(name, file)
	for range 16 { // aliases of aliases
		if a, ok := p.aliases[of]; ok {
			of, plus = a.Of, plus+a.Plus
		}
	}
	return of, plus
}

// addressOf is the address of a symbol, of data or of code.
func (p *Program) addressOf(name string, file int) (uint64, bool) {
	name, plus := p.aliased(name, file)
	if a, ok := p.symbols[name]; ok {
		return a + uint64(plus), true
	}
	if i, ok := p.labels[name]; ok {
		return codeBegin + uint64(i)*codeSpacing, true
	}
	return 0, false
}

// pointers writes addresses into data.
func (p *Program) pointers(f *assembly.File, file int) {
	for _, s := range f.Sections {
		for _, at := range s.Pointers {
			a, ok := p.addressOf(at.Symbol, file)
			if !ok {
				a = p.external(at.Symbol)
			}
			if at.Less != "" {
				less, _ := p.addressOf(at.Less, file)
				a -= less
			}
			p.memory.store(p.starts[s]+uint64(at.At), at.Bytes, a+uint64(at.Plus))
		}
	}
}

// external is the address of what is not in the program: a place of its own for each name.
func (p *Program) external(name string) uint64 {
	if a, ok := p.symbols[name]; ok {
		return a
	}
	a := uint64(0)
	if streams[name] {
		a = p.stream()
	} else {
		a = p.allocate(64)
	}
	p.symbols[name] = a
	return a
}

// decode makes the instructions of a file ready.
func (p *Program) decode(f *assembly.File, file int) error {
	for _, fn := range f.Functions {
		for _, b := range fn.Blocks {
			for _, x := range b.Instructions {
				o, err := p.prepare(x, file)
				if err != nil {
					return err
				}
				p.ops = append(p.ops, o)
			}
		}
	}
	return nil
}

// prepare makes one instruction ready.
func (p *Program) prepare(x *assembly.Instruction, file int) (op, error) {
	o := op{at: x, bytes: uint8(x.Bytes), vex: x.Vex, cond: conditionNames[x.Condition], target: -1, access: -1}
	for i := range x.Operands {
		a := &x.Operands[i]
		if a.Kind == assembly.Label {
			o.name = a.Symbol
			name, plus := p.aliased(a.Symbol, file)
			if at, ok := p.labels[name]; ok && plus == 0 {
				o.target = at
			}
			continue
		}
		ready := arg{
			kind: a.Kind, bytes: uint8(a.Bytes), high: a.High, thread: a.Thread, zeroing: a.Zeroing, register: a.Register, base: a.Base, index: a.Index,
			mask: a.Mask, spread: uint8(a.Spread), scale: uint64(a.Scale), value: a.Value,
		}
		if a.Symbol != "" {
			at, ok := p.addressOf(a.Symbol, file)
			if !ok {
				at = p.external(a.Symbol)
			}
			if a.Table { // the place that holds the address
				slot := p.allocate(8)
				p.memory.store(slot, 8, at)
				at = slot
			}
			ready.value += int64(at)
		}
		if ready.base == assembly.RIP {
			ready.base = assembly.NoRegister
		}
		if ready.kind == assembly.InMemory {
			o.access = int8(len(o.args))
		}
		o.args = append(o.args, ready)
	}
	if err := o.find(x); err != nil { // it may stand where the program does not come to
		o.do = func(*thread, *op) { panic(stop{err}) }
	}
	return o, nil
}

// fault is an instruction that cannot be carried out.
func fault(x *assembly.Instruction, reason string) error {
	return &Error{At: x.At, Source: x.Source, Text: x.Text, Reason: reason}
}

// allocate gives memory that the program did not ask for, at a multiple of 64 bytes.
func (p *Program) allocate(bytes uint64) uint64 {
	a := p.internal
	p.internal += (max(bytes, 1) + 63) &^ 63
	return a
}

// Unknown are the functions that were called and that nothing is known of, by name.
func (p *Program) Unknown() []string {
	var all []string
	for name := range p.unknown {
		all = append(all, name)
	}
	sort.Strings(all)
	return all
}

// Instruction is what an operation does.
func (p *Program) Instruction(at int32) *assembly.Instruction { return p.ops[at].at }

// LibraryCall is the function that an operation calls by name and that the program has no code for; of rep movs and rep stos, that which does the same;
// empty where it calls none. Observers are told, as the address of what copies or sets memory, how many bytes those are.
func (p *Program) LibraryCall(at int32) string {
	o := &p.ops[at]
	if o.at.Mnemonic == "call" && o.target < 0 {
		return o.name
	}
	if o.at.Prefix != "" {
		return byString[o.at.Mnemonic]
	}
	return ""
}

// Watch looks out for operations while others observe the program; Reached tells whether one was carried out.
func (p *Program) Watch(all []bool) { p.watched, p.reached = all, false }

// Reached says whether an operation that is looked out for was carried out.
func (p *Program) Reached() bool { return p.reached }

// Form is an operation's form.
func (p *Program) Form(at int32) string { return p.ops[at].at.Form() }

// Labelled are the operations that labels of the program whose names begin so stand before, in no order.
func (p *Program) Labelled(prefix string) []int32 {
	var all []int32
	for name, at := range p.labels {
		if strings.HasPrefix(name, prefix) {
			all = append(all, at)
		}
	}
	return all
}

// Operations is how many instructions the program has.
func (p *Program) Operations() int { return len(p.ops) }
