package followed

import (
	"cmp"
	"slices"
	"strings"

	"foresee/application/assembly"
	"foresee/application/recording"
	"foresee/model/core"
)

// ofOpenMP are the beginnings of the names of OpenMP's functions, whose time is that of the machine's regions and barriers.
var ofOpenMP = []string{"GOMP_", "__kmpc_", "omp_", "fr_"}

// learn takes in the code of a segment that runs for the first time.
func (f *Follower) learn(code *recording.Code, number int32) {
	for int(number) >= len(f.code) {
		f.code = append(f.code, nil)
	}
	s := &segment{library: -1, copies: -1}
	coded := code.Segments[number]
	s.function = f.Function(coded.Place.Function)
	var texts []*assembly.Instruction
	for i, c := range coded.Code {
		text := assembly.ReadInstruction(c.Text)
		x, known := f.costs.Instruction(text)
		if !known {
			s.unmeasured = append(s.unmeasured, cmp.Or(text.Form(), text.Mnemonic))
		}
		x.Place = code.At(number, i)
		s.steps = append(s.steps, step{at: f.add(x), word: c.Word})
		s.words = max(s.words, c.Word+1)
		if i == len(coded.Code)-1 {
			s.ends = x.Branch
			if x.Branch == core.Call || x.Branch == core.Jump {
				s.calls(f, called(code, number, text), core.GivenBy(texts))
			}
		}
		texts = append(texts, text)
	}
	s.within = coded.Place.Function
	if number == 0 || code.Segments[number-1].Place.Function != coded.Place.Function {
		s.begins = coded.Place.Function
	}
	word := 0
	for _, a := range coded.Accesses {
		if a.Size == 0 {
			word++
			s.copies = word
		}
		word++
	}
	s.words = max(s.words, word)
	f.code[number] = s
}

// leaving are functions behind which a program goes on in another place.
var leaving = map[string]bool{"__cxa_throw": true, "__cxa_rethrow": true, "_Unwind_Resume": true, "longjmp": true, "_longjmp": true, "siglongjmp": true, "__longjmp_chk": true}

// calls prepares for a call whose function is not recorded; a jump is one at the end of a function, where it goes to one that a library is known to have.
func (s *segment) calls(f *Follower, name string, given core.Given) {
	for _, prefix := range ofOpenMP {
		if strings.HasPrefix(name, prefix) {
			return
		}
	}
	cost := f.costs.Call(name, given)
	if s.ends == core.Jump {
		if cost.Branch == core.Library {
			return
		}
		s.jumps = name
	}
	if cost.Branch == core.Library {
		s.unknown = cmp.Or(name, "others by pointers")
	}
	s.leaves = leaving[name]
	s.library = f.add(cost)
}

// called is the name of the function that a call or a jump at the end of a segment goes to; "" where it shows in no name. Compilers load where the linker
// writes a function's address into a register before a loop: the last such load before it in the function is taken, where no other value came after.
func called(code *recording.Code, number int32, x *assembly.Instruction) string {
	if len(x.Operands) != 1 {
		return ""
	}
	o := &x.Operands[0]
	if o.Kind == assembly.InRegister {
		if o = loaded(code, number, o.Register); o == nil {
			return ""
		}
	}
	if o.Kind != assembly.Label && !o.Table {
		return ""
	}
	name, _, _ := strings.Cut(o.Symbol, "@")
	return name
}

// lookedBack bounds the instructions that are looked through for what is in a register. Chosen: far more than a loop has.
const lookedBack = 1000

// loaded is what was last written to a register before the end of a segment, by the text of its function; nil where nothing was found.
func loaded(code *recording.Code, number int32, register assembly.Register) *assembly.Operand {
	function, looked := code.Segments[number].Place.Function, 0
	for ; number >= 0 && looked < lookedBack && code.Segments[number].Place.Function == function; number-- {
		looked += len(code.Segments[number].Code)
		for _, c := range slices.Backward(code.Segments[number].Code) {
			x := assembly.ReadInstruction(c.Text)
			if len(x.Operands) == 2 && x.Operands[0].Kind == assembly.InRegister && x.Operands[0].Register == register && x.Mnemonic != "cmp" && x.Mnemonic != "test" {
				return &x.Operands[1]
			}
		}
	}
	return nil
}

// add adds an instruction to the program of all simulators.
func (f *Follower) add(x core.Instruction) (at int32) {
	f.pending.program = append(f.pending.program, x)
	f.added++
	return f.added - 1
}
