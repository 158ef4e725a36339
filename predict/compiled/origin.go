package compiled

import (
	"debug/dwarf"
	"debug/elf"
	"slices"
	"sort"
	"strings"

	"foresee/application/assembly"
	"foresee/application/emulate"
	"foresee/application/nest"
)

// origin is a function of the source that code comes from, and where it was put into another. Of the DWARF standard, sections 3.3.3 and 3.3.8.
type origin struct {
	within  *origin // the function that it was put into; nil of one that has code of its own
	linkage string  // as linkers know it
	name    string  // as in the source, in small letters
	call    assembly.Place
	// outlined says that it runs a parallel region of the function.
	outlined bool
}

// is says whether a region's function has this name.
func (o *origin) is(function string) bool {
	return function != "" && (function == o.linkage || function == o.name || mainPrograms[function] && mainPrograms[o.linkage])
}

// mainPrograms are the names that compilers of Fortran give the main program: flang and gfortran.
var mainPrograms = map[string]bool{"_QQmain": true, "MAIN__": true}

// chain is a function with all that it was put into.
func (o *origin) chain() (all []*origin) {
	for ; o != nil; o = o.within {
		all = append(all, o)
	}
	return all
}

// origins are where the code of a program comes from, by the line of its assembly, and the lines where functions begin that have
// code of their own.
type origins struct {
	of     map[int]*origin
	begins map[int]*origin
}

// originsOf reads what a linked program tells debuggers of the functions that its code comes from; layout is where the code lies. Without it, nothing
// is known.
func originsOf(program string, layout map[int]uint64) origins {
	out := origins{map[int]*origin{}, map[int]*origin{}}
	f, err := elf.Open(program)
	if err != nil {
		return out
	}
	defer f.Close()
	if f.Type == elf.ET_REL { // places of one section are those of another
		return out
	}
	data, err := f.DWARF()
	if err != nil {
		return out
	}
	r := &originReader{data: data, out: out}
	for line, at := range layout {
		r.at = append(r.at, codePlace{at, line})
	}
	slices.SortFunc(r.at, func(a, b codePlace) int { return int(int64(a.address) - int64(b.address)) })
	r.read()
	return out
}

// codePlace is where an instruction of a line of the assembly lies.
type codePlace struct {
	address uint64
	line    int
}

// originReader reads debugging information.
type originReader struct {
	data  *dwarf.Data
	at    []codePlace // in order
	files []*dwarf.LineFile
	out   origins
}

// read walks through all functions.
func (r *originReader) read() {
	reader := r.data.Reader()
	var within []*origin // by depth
	for {
		e, err := reader.Next()
		if e == nil || err != nil {
			return
		}
		if e.Tag == 0 {
			within = within[:max(len(within)-1, 0)]
			continue
		}
		var o *origin
		if n := len(within); n > 0 {
			o = within[n-1]
		}
		switch e.Tag {
		case dwarf.TagCompileUnit:
			r.files = nil
			if lines, err := r.data.LineReader(e); err == nil && lines != nil {
				r.files = lines.Files()
			}
		case dwarf.TagSubprogram:
			o = r.function(e, nil)
		case dwarf.TagInlinedSubroutine:
			o = r.function(e, o)
		}
		if e.Children {
			within = append(within, o)
		}
	}
}

// function notes what code a function has, as itself or within another.
func (r *originReader) function(e *dwarf.Entry, within *origin) *origin {
	ranges, err := r.data.Ranges(e)
	if err != nil || len(ranges) == 0 {
		return nil
	}
	o := &origin{within: within, call: r.called(e)}
	r.name(e, o)
	begin := ranges[0][0]
	for _, of := range ranges {
		for i := r.from(of[0]); i < len(r.at) && r.at[i].address < of[1]; i++ {
			r.out.of[r.at[i].line] = o
		}
	}
	if low, ok := e.Val(dwarf.AttrLowpc).(uint64); ok {
		begin = low
	}
	if i := r.from(begin); i < len(r.at) && within == nil {
		r.out.begins[r.at[i].line] = o
	}
	return o
}

// from is the first instruction at an address or behind it.
func (r *originReader) from(address uint64) int {
	return sort.Search(len(r.at), func(i int) bool { return r.at[i].address >= address })
}

// called is the place of the call that a function was put in.
func (r *originReader) called(e *dwarf.Entry) assembly.Place {
	line, _ := e.Val(dwarf.AttrCallLine).(int64)
	number, ok := e.Val(dwarf.AttrCallFile).(int64)
	if !ok || number < 0 || number >= int64(len(r.files)) || r.files[number] == nil {
		return assembly.Place{}
	}
	return assembly.Place{File: r.files[number].Name, Line: int(line)}
}

// mostAliases bounds how many entries of a function lead to one another. The standard has two.
const mostAliases = 8

// name gives a function its name for linkers, which is that of the source where it has no other.
func (r *originReader) name(e *dwarf.Entry, o *origin) {
	for range mostAliases {
		if s, ok := e.Val(dwarf.AttrLinkageName).(string); ok && o.linkage == "" {
			o.linkage = s
		}
		if s, ok := e.Val(dwarf.AttrName).(string); ok && o.name == "" {
			o.name = s
		}
		to, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !ok {
			to, ok = e.Val(dwarf.AttrSpecification).(dwarf.Offset)
		}
		if !ok {
			break
		}
		reader := r.data.Reader()
		reader.Seek(to)
		next, err := reader.Next()
		if err != nil || next == nil {
			break
		}
		e = next
	}
	if o.linkage == "" {
		o.linkage = o.name
	}
	o.linkage, _, o.outlined = strings.Cut(o.linkage, "._omp_fn.") // as gcc names functions that run a parallel region of another
	o.name, _, _ = strings.Cut(strings.ToLower(o.name), "._omp_fn.")
}

// frames are the places of a line and of the calls that its code was put in, innermost first, with their functions.
func frames(line assembly.Place, o *origin) (all []frame) {
	for ; o != nil; o = o.within {
		all = append(all, frame{placed(line.File, line.Line), o})
		line = o.call
	}
	return all
}

// frame is a place in a function.
type frame struct {
	assembly.Place
	function *origin
}

// copyOf is a function that was put into another, and which of several copies of that place: as many calls of others stand before it.
type copyOf struct {
	of   *origin
	copy int
	loop bool // it enters a loop
}

// once are, by instruction, the functions of regions that were put into others and for each run of which it is executed at most once: it is their
// code in none of their loops, or enters one of those from outside.
func (c *Code) once(p *emulate.Program, programs []*nest.Program) map[int32][]copyOf {
	all := map[int32][]copyOf{}
	if len(c.from.of) == 0 {
		return all
	}
	loops, around := p.Loops()
	from := func(at int32) *origin { return c.from.of[p.Instruction(at).Line()] }
	own := func(l *emulate.LoopJumps, o *origin) bool {
		return slices.ContainsFunc(l.Closing, func(at int32) bool { return slices.Contains(from(at).chain(), o) })
	}
	calls := c.callsBefore(p)
	add := func(at, within int32, o *origin, loop bool) {
		if !slices.ContainsFunc(around(at), func(l *emulate.LoopJumps) bool { return own(l, o) }) {
			all[at] = append(all[at], copyOf{o, calls(within, o), loop})
		}
	}
	for at := range int32(p.Operations()) {
		for _, o := range from(at).regions(programs) {
			add(at, at, o, false)
		}
	}
	for _, l := range loops {
		for _, at := range l.Closing {
			for _, o := range from(at).regions(programs) {
				for _, entering := range l.Entering {
					add(entering, at, o, true)
				}
			}
		}
	}
	return all
}

// callsBefore tells how many calls that are not of a function stand before an operation of it.
func (c *Code) callsBefore(p *emulate.Program) func(at int32, o *origin) int {
	var calls []int32
	for at := range int32(p.Operations()) {
		if p.Instruction(at).Mnemonic == "call" {
			calls = append(calls, at)
		}
	}
	return func(at int32, o *origin) (n int) {
		for _, call := range calls {
			if call < at && !slices.Contains(c.from.of[p.Instruction(call).Line()].chain(), o) {
				n++
			}
		}
		return n
	}
}

// regions are those of a function and all that it was put into that are functions of regions and were put into others.
func (o *origin) regions(programs []*nest.Program) []*origin {
	return slices.DeleteFunc(o.chain(), func(o *origin) bool {
		return o.within == nil || !slices.ContainsFunc(programs, func(p *nest.Program) bool { return o.is(p.Function) })
	})
}
