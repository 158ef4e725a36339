package assembly

import "fmt"

// Kind says what an operand is.
type Kind uint8

// The kinds of operands.
const (
	InRegister Kind = iota + 1
	InMemory
	Immediate
	Label // of a place in the code
)

// Operand is what an instruction works on.
type Operand struct {
	Kind     Kind
	Bytes    int      // that are read or written; 0 where the instruction has no size
	Register Register // where Kind is InRegister
	High     bool     // bits 8 to 15 of it
	Symbol   string   // of a label, an immediate, or an address relative to it
	Value    int64    // of an immediate; of an address what is added
	Base     Register // of an address
	Index    Register // of an address; one of vectors where elements are gathered
	Scale    int64    // of the index
	Thread   bool     // an address in the data of a thread: fs or gs
	Through  bool     // a jump to where the operand points
	Table    bool     // the place where the linker writes the symbol's address (GOT), not the symbol's own
	Mask     Register // elements whose bit of the mask is not set stay as they are, or become zero
	Zeroing  bool
	Spread   int    // one element is read for so many: AVX-512's {1to8}; 0 where it is not
	Text     string // as it is written
}

// Instruction is one machine instruction.
type Instruction struct {
	Text      string // as it is written
	Mnemonic  string // without the suffix of a size, and without AVX's v
	Condition string // of jumps, moves and sets: e, ne, l, …
	Vex       bool   // AVX's form: what the destination does not keep becomes zero
	Prefix    string // rep, repz, repnz or lock
	Bytes     int    // size of the integers that it works on; 0 where it is not one of integers
	Operands  []Operand
	At        Place // in the assembly
	Source    Place // that it comes from; without a line where none is said

	// What is known of a file that was read loosely.
	Opaque bool     // not understood: Text alone says what it is
	Inline bool     // people wrote it
	Joined bool     // another statement stands before it in its line
	Before []Prefix // that have lines of their own
}

// Prefix is a prefix of an instruction that stands before it in a line of its own.
type Prefix struct {
	Name string
	Line int
}

// Line is where an instruction begins, with its prefixes.
func (x *Instruction) Line() int {
	if len(x.Before) > 0 {
		return x.Before[0].Line
	}
	return x.At.Line
}

// Place is a line of a file.
type Place struct {
	File string
	Line int
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Block is a run of instructions that is only entered at its begin.
type Block struct {
	Labels       []string
	Instructions []*Instruction
}

// Function is the code between a function's label and its end.
type Function struct {
	Name   string
	Blocks []*Block
}

// Section is a run of data, in which symbols have their places.
type Section struct {
	Name     string
	Bytes    []byte // as it begins; what lies beyond them up to Size is zero
	Size     int64  // bytes
	Align    int64  // bytes
	Thread   bool   // each thread has its own
	Pointers []Pointer
}

// Symbol is the name of a place in a section.
type Symbol struct {
	Section *Section
	Offset  int64 // bytes
	Size    int64 // bytes, 0 where it is not said
}

// Pointer is an address that stands in data.
type Pointer struct {
	At     int64 // byte of the section
	Bytes  int   // 4 or 8
	Symbol string
	Less   string // whose address is taken off, as in tables of jumps; empty for none
	Plus   int64
}

// File is what a compiler wrote.
type File struct {
	Name      string
	Functions []*Function
	Sections  []*Section
	Symbols   map[string]Symbol
	Aliases   map[string]Alias
	Globals   map[string]bool // names that other files know as well
}

// Alias is what a name is another name of: so many bytes behind a symbol.
type Alias struct {
	Of   string
	Plus int64
}

// Error is a place that cannot be read, and why.
type Error struct {
	Place
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason) }
