package sass

// Listing is what was read of a file.
type Listing struct {
	Kernels []*Kernel // in the order of the file
}

// Kernel is a function.
type Kernel struct {
	Name         string
	Architecture int // 35 for sm_35
	Instructions []Instruction
	// Registers of a thread and bytes of static shared memory of a block, where the file tells them; -1: it does not.
	Registers, Shared int
	Controlled        bool // the text has control words, or instructions with their control
	Braced            bool // the text has pairs in braces
}

// Instruction is a line of code.
type Instruction struct {
	Address   uint64  // bytes from the function's start
	Label     string  // that stands before it, as nvdisasm has them; else empty
	Predicate string  // P0 or !P0; empty: always
	Opcode    string  // with its modifiers: LD.E.64
	Operands  string  // as printed
	Control   Control // what the compiler tells the scheduler
	brace     bool    // begins a pair in braces
	encoded   bool    // its code was printed
}

// Generation is a family of architectures with one form of issue control.
type Generation int

// Generations.
const (
	Fermi   Generation = iota // 2.x: no issue control in the code
	Kepler                    // 3.x: a control word before 7 instructions
	Maxwell                   // 5.x and 6.x: one before 3
	Volta                     // 7.0 and later: in each instruction of 128 bits
)

// Generation is that of the kernel's architecture.
func (k *Kernel) Generation() Generation {
	switch {
	case k.Architecture < 30:
		return Fermi
	case k.Architecture < 50:
		return Kepler
	case k.Architecture < 70:
		return Maxwell
	}
	return Volta
}

// Pairs says for each instruction whether it is issued together with the next one. No instruction is in two pairs.
func (k *Kernel) Pairs() []bool {
	pairs := make([]bool, len(k.Instructions))
	for i := range k.Instructions {
		in := &k.Instructions[i]
		pairs[i] = (in.brace || in.Control.Dual) && i+1 < len(pairs) && (i == 0 || !pairs[i-1])
	}
	return pairs
}

// Find gives the kernels of a name.
func (l *Listing) Find(name string) (found []*Kernel) {
	for _, k := range l.Kernels {
		if k.Name == name {
			found = append(found, k)
		}
	}
	return found
}
