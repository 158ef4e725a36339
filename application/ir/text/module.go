package text

// Module is a file of IR.
type Module struct {
	Globals   map[string]*Global
	Functions []*Func // those with a body, in order
	ByName    map[string]*Func
	types     map[string]*Type
	nodes     map[int]string // metadata by number
	places    map[int][]Frame
	files     map[int]string
	variables map[int]described
	parts     map[place]Part
}

// Global is a variable of the module.
type Global struct {
	Name     string
	Type     *Type
	Constant bool
	Initial  *Operand // nil: defined elsewhere
	Debug    int      // metadata of its variable; -1
}

// Func is a function with its body.
type Func struct {
	Name     string
	Result   *Type
	Params   []Param
	Blocks   []*Block
	Debug    int // its DISubprogram; -1
	Internal bool
}

// Param is a parameter of a function.
type Param struct {
	Name  string
	Type  *Type
	ByVal *Type // the caller's object is copied; nil else
}

// Block is a basic block. Its last instruction says where control goes.
type Block struct {
	Name  string
	Insts []*Inst
}

// Inst is an instruction. What is not understood of it is left empty.
type Inst struct {
	Name   string    // of its result; "" where it has none
	Op     string    // as written: "add", "load", "call"; "dbg.value" and "dbg.declare" of debug records
	Type   *Type     // of its result
	Elem   *Type     // what alloca makes, getelementptr counts in
	Args   []Operand // in order; of store the value, then the address; of phi what comes from Blocks
	Pred   string    // of icmp and fcmp; of atomicrmw the operation
	Blocks []string  // targets of br, switch (the default first) and invoke; of phi where its values come from
	Callee Operand   // of call and invoke
	Index  []int     // of extractvalue and insertvalue
	Flags  Flags
	Debug  int // metadata of its place; -1
}

// Flags are what is said of an instruction besides.
type Flags uint8

// Flags of instructions.
const (
	NoSignedWrap Flags = 1 << iota
	NoUnsignedWrap
	Volatile
	Fast // reassoc: sums may be taken in any order
	Disjoint
)

// OperandKind tells operands apart.
type OperandKind uint8

// Kinds of operands. Other is what is not followed: a block's address, code of assembly.
const (
	Other OperandKind = iota
	Local
	GlobalName
	Number
	Real
	Null
	Undefined
	Zero
	Expression // a constant that Op computes of Args
	Aggregate  // of Args
	Text       // bytes
	Node       // metadata: its text in Name
)

// Operand is a value that an instruction reads.
type Operand struct {
	Kind OperandKind
	Type *Type
	Name string
	Int  int64
	Op   string
	Elem *Type // of a getelementptr expression
	Args []Operand
}

// Last is the instruction that ends a block, nil where it has none.
func (b *Block) Last() *Inst {
	for i := len(b.Insts) - 1; i >= 0; i-- {
		switch b.Insts[i].Op {
		case "dbg.value", "dbg.declare", "dbg.label", "dbg.assign":
		default:
			return b.Insts[i]
		}
	}
	return nil
}

// Targets are the blocks that control may go to, each once.
func (b *Block) Targets() []string {
	last := b.Last()
	if last == nil {
		return nil
	}
	switch last.Op {
	case "br", "switch", "invoke", "indirectbr", "callbr":
		var all []string
		seen := map[string]bool{}
		for _, t := range last.Blocks {
			if !seen[t] {
				seen[t] = true
				all = append(all, t)
			}
		}
		return all
	}
	return nil
}
