package core

// Resource is something that instructions need for a time: what one kind of operation can be slowed down by. A core has no more of each
// than one cycle's worth in each cycle.
type Resource uint8

// The resources, named by the operation that they were measured with, in the order of machine.InstructionResources.
const (
	Integer       Resource = iota // additions of integers
	IntegerMul                    // multiplications of integers
	FloatAdd                      // additions of floating point
	FloatMul                      // multiplications of floating point
	Shuffle                       // rearranging the elements of a vector
	VectorInteger                 // additions of integers in vectors
	Load                          // loads
	Store                         // stores
	Transfer                      // from a vector register to an integer one
	Divide                        // divisions of floating point
	Resources                     // how many there are
)

// Form is what instructions of one form cost.
type Form struct {
	Latency float64            // cycles from its last operand to its result; 0 where a register is only given another name
	Slots   float64            // of those that the core issues in a cycle, Core.Width of which there are
	Uses    [Resources]float64 // cycles of each resource

	Instructions float64 // of a function, that a call of it has; 0 where that is not known
}

// Core is a core, as it was measured.
type Core struct {
	Width   float64 // instructions issued in a cycle
	Windows         // how far it looks ahead

	LoadCycles     float64    // from an address to a value of integers in L1
	VectorLoad     float64    // the same of a vector
	Forward        float64    // from a store's value to that of a load behind it, integers
	VectorForward  float64    // the same of vectors
	ForwardBlocked float64    // from a store to a load behind it of which it has only a part
	LoadUse        [4]float64 // of Load, for a load of up to 8, 16, 32 and 64 bytes
	StoreUse       [4]float64 // of Store, likewise
	LoadCross      [4]float64 // of Load again, for one that crosses a line, by size
	StoreCross     float64    // cycles that L1 takes longer for a store that crosses a line
	StoreLine      float64    // cycles between stores to different lines, as L1 takes them
	StoreNear      float64    // the same among the few lines that were written last
	Mispredicted   float64    // cycles from a branch's condition to what it should have gone to
	Taken          float64    // cycles that pass between branches that are taken, at least
	FetchBytes     uint64     // a power of two: instructions are fetched from one block of so many bytes in a cycle; 0 where that is no bound
	Library        float64    // cycles of a call into a library whose function was not measured, all in all
	Levels         []Level    // L1 first; without any, all accesses are served by L1
	Ahead          bool       // prefetchers bring lines that follow others, from whichever level, before they are asked for
	HistoryTables  int        // tables of the branch predictor, with histories of 4, 8, 16, … branches
}

// Windows are how many instructions a core has in flight, of each kind; 0 where a kind has no bound of its own.
type Windows struct {
	Reorder      int // all that have not left
	Integers     int // that write registers of integers
	Vectors      int // that write registers of vectors
	Loads        int // loads that have not left
	Branches     int // conditional branches that have not left
	Stores       int // stores that L1 does not have yet
	IntegerQueue int // instructions of integers that wait for their operands or a resource
	AddressQueue int // loads and stores that do
	VectorQueue  int // instructions of vectors and floating point that do, of which any may begin
	VectorBuffer int // those behind them, which enter that queue in order
}

// Instruction is what a model of a core needs to know of an instruction in a program.
type Instruction struct {
	Form
	Reads, Address, Writes []uint8 // registers, below 64
	Load, Store            int     // bytes
	Vector                 bool    // works on vectors or floating point
	Fuses                  bool    // with a conditional branch behind it to one instruction
	Branch                 Branch
	Computed               bool    // a jump or call whose target is computed: Simulator.Goes says where it goes
	Place                  uint64  // in the program's code; 0 where it is not known
	PerByte                float64 // cycles for each byte that a call copies, whose address is their number
	PerCall                float64 // cycles of a call whatever it is given, for which what follows waits
}

// Branch says how an instruction leaves the order of the text.
type Branch uint8

// The kinds of branches.
const (
	NoBranch Branch = iota
	Conditional
	Jump
	Call
	Library  // a call of what the program has no code for
	Measured // one whose function was measured
	Return
)

// sizeClass is the class of the instruction's access of so many bytes. A number that goes to or from a register of vectors takes the ways that
// vectors take: a Zen 5 loads four numbers a cycle into registers of integers, and two into others, of whichever size.
func (i *Instruction) sizeClass(bytes int) int {
	switch {
	case bytes <= 8 && !i.Vector:
		return 0
	case bytes <= 16:
		return 1
	case bytes <= 32:
		return 2
	}
	return 3
}
