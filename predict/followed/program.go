package followed

import (
	"cmp"
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
	s := &segment{library: -1, copies: -1, callback: f.callback}
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
				s.calls(f, text, core.GivenBy(texts))
			}
		}
		texts = append(texts, text)
	}
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

// calls prepares for a call whose function is not recorded; a jump is one at the end of a function, where it goes to one that a library is known to have.
func (s *segment) calls(f *Follower, x *assembly.Instruction, given core.Given) {
	if len(x.Operands) != 1 {
		return
	}
	name := ""
	if o := &x.Operands[0]; o.Kind == assembly.Label || o.Table { // by name, or by where the linker writes its address
		name, _, _ = strings.Cut(o.Symbol, "@")
	}
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
	s.library = f.add(cost)
}

// add adds an instruction to the program of all simulators.
func (f *Follower) add(x core.Instruction) (at int32) {
	f.pending.program = append(f.pending.program, x)
	f.added++
	return f.added - 1
}
