package core

import (
	"regexp"
	"strconv"
	"strings"

	"foresee/application/assembly"
)

// Costs are the costs of forms, by their names as assembly.Instruction.Form writes them.
type Costs map[string]Form

// What is usual of instructions whose form was not measured: cycles from operands to result, and of a unit of four. Chosen.
const (
	usualLatency       = 1
	usualVectorLatency = 3
	usualGather        = 20 // cycles; an element takes one
	usualUse           = 0.25
)

// Instruction makes of an instruction what the model needs. The second result is false where its form was not measured and what is usual
// was taken.
func (c Costs) Instruction(x *assembly.Instruction) (Instruction, bool) {
	e := x.Effects()
	i := Instruction{
		Reads: numbers(e.Reads), Address: numbers(e.Address), Writes: numbers(e.Writes), Load: e.Load, Store: e.Store, Branch: branchOf(x), Fuses: fuses[x.Mnemonic],
	}
	i.Slots = 1
	for _, o := range x.Operands {
		i.Vector = i.Vector || o.Kind == assembly.InRegister && !o.Register.Integer()
	}
	switch {
	case i.Branch != NoBranch:
		i.Computed = (i.Branch == Jump || i.Branch == Call) && len(x.Operands) > 0 && x.Operands[0].Kind != assembly.Label
		i.Latency = usualLatency
		i.Uses[Integer] = usualUse
		return i, true
	case e.Zero, e.Move, onlyMoves(x, &e):
		return i, true
	}
	form, ok := c.find(x)
	if !ok {
		i.Latency = usualLatency
		i.Uses[Integer] = usualUse
		switch {
		case x.Gathers():
			elements := float64(x.Gathered())
			i.Latency, i.Slots, i.Uses = usualGather, 2*elements, [Resources]float64{Divide: elements}
		case i.Vector:
			i.Latency, i.Uses = usualVectorLatency, [Resources]float64{VectorInteger: usualUse}
		}
		return i, false
	}
	i.Form = form
	if !i.Vector { // what a transfer from a vector needs is only looked for among vectors
		i.Uses[Transfer] = 0
	}
	return i, true
}

// called is what the forms of calls of library functions begin with.
const called = "call "

// copying are the functions of the C library that copy or set as many bytes as their third argument says, by the one that they cost as much as.
var copying = map[string]string{"memcpy": "memcpy", "memmove": "memcpy", "mempcpy": "memcpy", "__memcpy_chk": "memcpy", "__memmove_chk": "memcpy", "memset": "memset"}

// ofVectors is a function of the C library for vectors: so many lanes.
var ofVectors = regexp.MustCompile(`^_ZGV[bcde]N(\d+)vv?_(\w+)$`)

// Call makes of a call of a library function what the model needs, by what it is given: what was measured of the function, else what is usual. A function for vectors, where it was not measured itself, is taken to need half as
// long for each lane as the one for numbers.
func (c Costs) Call(function string, given Given) Instruction {
	function = strings.TrimSuffix(strings.TrimPrefix(function, "__builtin_"), "_finite")
	x := Instruction{Form: Form{Latency: usualLatency, Slots: 1}, Branch: Library}
	if name := copying[function]; name != "" {
		if f, ok := c[called+name]; ok {
			x.Branch, x.PerByte, x.PerCall = Measured, f.Latency, copyingCall
		}
		return x
	}
	if cycles, ok := c.service(function, given); ok {
		x.Branch, x.PerCall = Measured, cycles
		x.Latency, x.Reads, x.Writes = cycles+answering, numbers(pointersGiven), numbers(answered)
		return x
	}
	lanes := 1.0
	f, ok := c[called+function]
	if rest, long := strings.CutPrefix(function, "ll"); long && !ok {
		f, ok = c[called+"l"+rest]
	}
	if double, isFloat := strings.CutSuffix(function, "f"); isFloat && !ok {
		f, ok = c[called+double]
	}
	if m := ofVectors.FindStringSubmatch(function); m != nil && !ok {
		f, ok = c[called+m[2]]
		n, _ := strconv.ParseFloat(m[1], 64)
		lanes = max(1, n/2)
	}
	if ok {
		x.Branch, x.Latency, x.Slots, x.Instructions = Measured, f.Latency, f.Slots*lanes, f.Instructions
		if x.Instructions == 0 {
			x.Instructions = f.Slots / slotsOfLibrary
		}
		operands := []assembly.Register{assembly.V0}
		if ofTwo[strings.TrimSuffix(function, "f")] || strings.HasPrefix(function, "_ZGV") && strings.Contains(function, "vv_") {
			operands = append(operands, assembly.V0+1)
		}
		x.Reads, x.Writes = numbers(operands), numbers(operands[:1])
	}
	return x
}

// slotsOfLibrary is how many of a core's slots pass for each instruction of a function whose instructions were not counted, as they wait for one another.
// Chosen: half of the width is what such code reaches.
const slotsOfLibrary = 2

// ofTwo are the functions of the C library that take two numbers.
var ofTwo = map[string]bool{
	"pow": true, "atan2": true, "hypot": true, "fmod": true, "fmax": true, "fmin": true, "fdim": true, "copysign": true, "remainder": true, "nextafter": true, "drem": true,
}

// numbers are registers as the simulator has them.
func numbers(all []assembly.Register) []uint8 {
	var out []uint8
	for _, r := range all {
		if r != assembly.NoRegister {
			out = append(out, uint8(r))
		}
	}
	return out
}

// fuses are the instructions that go through the core as one with a conditional branch behind them.
var fuses = map[string]bool{"cmp": true, "test": true, "add": true, "sub": true, "and": true, "or": true, "xor": true, "inc": true, "dec": true}

func branchOf(x *assembly.Instruction) Branch {
	switch x.Mnemonic {
	case "j":
		return Conditional
	case "jmp":
		return Jump
	case "call":
		return Call
	case "ret":
		return Return
	}
	return NoBranch
}

// onlyMoves says whether an instruction does nothing but load or store: no unit works on what it moves.
func onlyMoves(x *assembly.Instruction, e *assembly.Effects) bool {
	name := x.Mnemonic
	if name == "nop" || name == "endbr64" || name == "zeroupper" {
		return true
	}
	if e.Load == 0 && e.Store == 0 {
		return false
	}
	if name == "push" || name == "pop" || name == "leave" {
		return true
	}
	if strings.HasPrefix(name, "movh") || strings.HasPrefix(name, "movl") {
		return false // they put a half into a vector
	}
	return strings.HasPrefix(name, "mov") || strings.HasPrefix(name, "kmov") || strings.HasPrefix(name, "broadcast") || strings.HasPrefix(name, "pbroadcast")
}

// halves are instructions that are measured as others that do the same with a register.
var halves = map[string]string{"movhpd": "unpcklpd", "movlpd": "unpcklpd", "movhps": "unpcklpd", "movlps": "unpcklpd"}

// find looks an instruction's form up, or the nearest one that was measured.
func (c Costs) find(x *assembly.Instruction) (Form, bool) {
	name := x.Form()
	if other, ok := halves[x.Mnemonic]; ok {
		name = strings.Replace(name, x.Mnemonic, other, 1)
		if len(x.Operands) == 2 { // a store of a half
			name += ",x"
		}
	}
	for _, n := range likeForms(name) {
		if f, ok := c[n]; ok {
			return f, true
		}
	}
	if alike, ok := integersAlike[x.Mnemonic]; ok {
		_, kinds, _ := strings.Cut(name, " ")
		for _, n := range likeForms(alike + " " + kinds) {
			if f, ok := c[n]; ok {
				return f, true
			}
			if f, ok := c[otherSize.Replace(n)]; ok {
				return f, true
			}
		}
	}
	return Form{}, false
}

// integersAlike are instructions of integers that cores carry out in the same units in as much time as others, of whatever size: logic is logic, and what
// is turned round is shifted (rol and ror by a number take one cycle from Nehalem and Zen on; Fog, instruction tables).
var integersAlike = map[string]string{
	"and": "and", "or": "and", "xor": "and", "add": "add", "sub": "add", "shl": "shl", "shr": "shl", "sar": "shl", "rol": "shl", "ror": "shl",
}

// otherSize writes a form as that of integers of the other size.
var otherSize = strings.NewReplacer("r8", "r4", "r4", "r8")

// likeForms are a form and those that cost the same or nearly so, the nearest first: by a number instead of a register, with AVX, with another
// order of a multiplication and addition or another sign, of numbers of the other size, of vectors of another width.
func likeForms(name string) []string {
	all := []string{name, strings.Replace(name, ",r1", ",i", 1), strings.Replace(name, ",i", ",r8", 1), "v" + name}
	if strings.Contains(name, "pinsr") || strings.Contains(name, "pextr") || strings.Contains(name, "extractps") { // with memory in place of the integer
		for _, r := range []string{"r4", "r8"} {
			all = append(all, strings.Replace(name, "x,x,x,i", "x,x,"+r+",i", 1), strings.Replace(name, " x,x,i", " "+r+",x,i", 1))
		}
	}
	if strings.Contains(name, "fm") || strings.Contains(name, "fnm") {
		all = withOrders(all)
	}
	for _, alike := range [][2]string{{"ps ", "pd "}, {"pd ", "ps "}, {"ss ", "sd "}, {"sd ", "ss "}, {"32x", "64x"}, {"64x", "32x"}, {"f32x", "i32x"}, {"f64x", "i64x"}} {
		for _, n := range all[:len(all):len(all)] {
			if strings.Contains(n, alike[0]) {
				all = append(all, strings.Replace(n, alike[0], alike[1], 1))
			}
		}
	}
	for _, widths := range [][2]string{{"y", "x"}, {"x", "y"}, {"z", "y"}, {"y", "z"}} {
		for _, n := range all[:len(all):len(all)] {
			mnemonic, kinds, _ := strings.Cut(n, " ")
			if strings.Contains(kinds, widths[0]) {
				all = append(all, mnemonic+" "+strings.ReplaceAll(kinds, widths[0], widths[1]))
			}
		}
	}
	return all
}

// withOrders adds to forms of multiplications and additions those of the other orders of operands and signs.
func withOrders(names []string) []string {
	all := names
	for _, n := range names {
		for _, order := range []string{"132", "213", "231"} {
			for _, other := range []string{"132", "213", "231"} {
				if strings.Contains(n, order) {
					m := strings.Replace(n, order, other, 1)
					all = append(all, m, strings.NewReplacer("fnmadd", "fmadd", "fnmsub", "fmadd", "fmsub", "fmadd").Replace(m))
				}
			}
		}
	}
	return all
}
