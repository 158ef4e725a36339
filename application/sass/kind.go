package sass

import "strings"

// Kind is what an instruction does.
type Kind int

// Kinds, in the order of tables.
const (
	Single   Kind = iota // floating point of 32 bits
	Double               // of 64 bits
	Half                 // of 16 bits, and matrices
	Integer              // with logic, shifts and addresses
	Branch               // control flow and barriers
	Global               // loads, stores and atomics of global and generic memory
	Local                // loads and stores of a thread's own memory: spills, arrays
	Texture              // textures and surfaces
	Shared               // shared memory
	Constant             // loads from constant memory
	Other                // moves, conversions, predicates, special registers
	kinds
)

// Kinds are all of them.
func Kinds() []Kind {
	all := make([]Kind, kinds)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

func (k Kind) String() string {
	return [...]string{"single", "double", "half", "integer", "branch", "global", "local", "texture", "shared", "constant", "other"}[k]
}

// OffChip says whether instructions of the kind ask off-chip memory, be it that a cache answers: global, local and texture memory.
func (k Kind) OffChip() bool { return k == Global || k == Local || k == Texture }

// Computes says whether they are arithmetic.
func (k Kind) Computes() bool { return k <= Integer }

// Floats says whether they are floating point.
func (k Kind) Floats() bool { return k <= Half }

// opcodes are those of NVIDIA's "Instruction Set Reference", from Fermi to Hopper, that are not Other.
var opcodes = map[Kind]string{
	Single: "FADD FADD32I FCHK FCMP FFMA FFMA32I FMNMX FMNMX3 FMUL FMUL32I FRND FSEL FSET FSETP FSWZ FSWZADD MUFU RRO SIN COS RCP RSQ EX2 LG2 FFMA2 FADD2 FMUL2",
	Double: "DADD DFMA DMMA DMNMX DMUL DSET DSETP",
	Half:   "HADD2 HADD2_32I HFMA2 HFMA2_32I HMMA HMNMX2 HMUL2 HMUL2_32I HSET2 HSETP2 HGMMA QGMMA QMMA BGMMA",
	Integer: "BFE BFI BMMA BMSK BREV FLO IABS IADD IADD3 IADD32I ICMP IDP IDP4A IGMMA IMAD IMAD32I IMADSP IMMA IMNMX IMUL IMUL32I ISAD ISCADD ISCADD32I ISET ISETP" +
		" LEA LOP LOP3 LOP32I POPC SAD SHF SHL SHR UBMSK UBREV UFLO UIADD3 UIMAD UIMNMX UISETP ULEA ULOP ULOP3 ULOP32I UPOPC USHF USHL USHR VABSDIFF VABSDIFF4 VADD VHMNMX VIADD VIADDMNMX" +
		" VIMNMX VIMNMX3 VMAD VMNMX VSET VSETP VSHL VSHR VSUB XMAD",
	Branch: "ACQBULK ARRIVES B2R BAR BMOV BPT BRA BREAK BRK BRX BRXU BSSY BSYNC CAL CALL CONT DEPBAR ELECT ENDCOLLECTIVE ERRBAR EXIT FENCE JCAL JMP JMX JMXU KILL LDGDEPBAR" +
		" LONGJMP MEMBAR NANOSLEEP PBK PCNT PEXIT PLONGJMP PREEXIT PRET RET RTT SSY SYNC SYNCS WARPGROUP WARPSYNC YIELD",
	Global:   "ATOM ATOMG LD LDG LDGSTS LDU RED REDG ST STG UBLKCP UTMALDG UTMAREDG UTMASTG",
	Local:    "LDL STL",
	Texture:  "SULD SULDGA SULEA SUATOM SUQ SURED SUST SUSTGA TEX TEXS TLD TLD4 TLD4S TLDS TMML TXA TXD TXQ",
	Shared:   "ATOMS LDS LDSLK LDSM LDS_LDU LDTRAM STS STSM STSUL STSCUL STAS",
	Constant: "LDC LDCU ULDC",
}

var kindOf = func() map[string]Kind {
	all := map[string]Kind{}
	for kind, names := range opcodes {
		for name := range strings.FieldsSeq(names) {
			all[name] = kind
		}
	}
	return all
}()

// Kind is that of the opcode, which its modifiers do not change: IMAD.MOV, a move, is done by the units of integers.
func (in *Instruction) Kind() Kind {
	name, _, _ := strings.Cut(in.Opcode, ".")
	if kind, ok := kindOf[name]; ok {
		return kind
	}
	return Other
}

// Bytes is what an instruction of memory moves for a thread: by its modifier 1, 2, 8 or 16, else 4.
func (in *Instruction) Bytes() int {
	for modifier := range strings.SplitSeq(in.Opcode, ".") {
		switch modifier {
		case "U8", "S8", "8":
			return 1
		case "U16", "S16", "16":
			return 2
		case "64":
			return 8
		case "128":
			return 16
		}
	}
	return 4
}

// Counts are numbers of instructions by kind.
type Counts [kinds]float64

// All is their sum.
func (c *Counts) All() float64 { return c.sum(func(Kind) bool { return true }) }

// OffChip is the sum of those that ask off-chip memory.
func (c *Counts) OffChip() float64 { return c.sum(Kind.OffChip) }

// sum adds up the kinds that are wanted.
func (c *Counts) sum(which func(Kind) bool) (sum float64) {
	for kind, n := range c {
		if which(Kind(kind)) {
			sum += n
		}
	}
	return sum
}
