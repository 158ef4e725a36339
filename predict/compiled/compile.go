package compiled

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"foresee/application"
	"foresee/application/assembly"
	"foresee/application/csource"
	"foresee/application/emulate"
	"foresee/application/layout"
	"foresee/application/nest"
	"foresee/application/nest/unrolljam"
	"foresee/internal/workspace"
)

// Code is a source as a compiler made it.
type Code struct {
	Warnings []string
	// Reordered is what the compiler says of the order in which it put iterations.
	Reordered Reordered

	arguments []string           // that main is called with, the program's name first
	alone     []*nest.Invocation // functions that are entered by themselves, as there is no main

	file   *assembly.File
	places []place // of each instruction, by number
	of     []int32
	calls  []int32 // of each instruction that calls code of the program, the place that helpers count for which it leads to; else −1
	kept   []emulate.Extent
	// reached says that main comes to a region.
	reached bool
	// decided says that the course of the program hangs on its data.
	decided bool
	layout  map[int]uint64 // where instructions lie, by their line of the assembly
	from    origins        // of a source that the compiler reads by itself
	early   []nest.Pos     // loops that data end, of which iterations are counted
}

// place is a line of the source; marks of regions have places of their own.
type place struct {
	line    int
	regions []int  // whose functions begin here
	loops   []int  // whose iterations do, by their number in Code.early
	file    string // as the compiler calls it
	from    *origin
	once    []copyOf // functions put into others whose code it is, once for each time that they run at most
}

// CompilerError is what a compiler says.
type CompilerError struct {
	Command string
	Text    string
}

func (e *CompilerError) Error() string { return fmt.Sprintf("%s: %s", e.Command, e.Text) }

// LibraryError is a function of OpenMP's library of which nothing is known, so that loops that it deals are not entered.
type LibraryError struct{ Function string }

func (e *LibraryError) Error() string {
	return "it calls " + e.Function + " of OpenMP's library, which is not known"
}

// ofOpenMP says whether a function is one of those that compilers call for OpenMP.
func ofOpenMP(name string) bool {
	return strings.HasPrefix(name, "GOMP_") || strings.HasPrefix(name, "__kmpc_") || strings.HasPrefix(name, "omp_")
}

// ErrNoMain says that a source cannot be followed.
var ErrNoMain = errors.New("the source has no main that calls the loops, and their functions take what only a program can make")

// OpenMP says whether a compiler is told to take OpenMP's pragmas.
func OpenMP(command []string) bool {
	return slices.ContainsFunc(command, func(a string) bool { return strings.HasPrefix(a, "-fopenmp") || strings.HasPrefix(a, "-qopenmp") })
}

// mostInstructions bounds what is carried out. Chosen: some seconds.
const mostInstructions = 60_000_000

// Compile has a compiler, with its flags, make code of a source, and prepares to follow it.
func Compile(ctx context.Context, command []string, code *application.Code, programs []*nest.Program) (*Code, error) {
	c := &Code{arguments: code.Arguments, early: early(programs)}
	work, err := workspace.New("compiled")
	if err != nil {
		return nil, err
	}
	defer work.Remove()
	text, said, err := assemble(ctx, command, work.Path, code, programs)
	if err != nil {
		return nil, err
	}
	c.Reordered = reordered(said)
	if c.file, err = assembly.Read(code.Name, bytes.NewReader(text)); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(c.file.Functions, func(f *assembly.Function) bool { return f.Name == "main" }) {
		c.enterAlone(programs, "the source has no main")
	}
	if code.Values && len(c.alone) == 0 {
		c.Warnings = append(c.Warnings, "values given to variables and parameters are not those of the compiled code, which is as the source has them: give macros")
	}
	c.layout = layout.Linked(ctx, command, work.Path, text, c.file, "-lm")
	c.from = originsOf(layout.Program(work.Path), c.layout)
	p, err := c.load(ctx)
	if err != nil {
		return nil, err
	}
	c.locate(p, programs)
	if p, err = c.followed(ctx, p, programs); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(p.Unknown(), ofOpenMP); i >= 0 {
		return nil, &LibraryError{p.Unknown()[i]}
	}
	if all := p.Unknown(); len(all) > 0 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("the compiled code calls functions of which nothing is known (%s): they are taken to do nothing and to give zero", strings.Join(all, ", ")))
	}
	return c, nil
}

// enterAlone has the functions of regions entered by themselves, each once; false where there is none that can be.
func (c *Code) enterAlone(programs []*nest.Program, why string) bool {
	for _, p := range programs {
		v := p.Alone
		if v != nil && v.Function != "main" && !slices.ContainsFunc(c.alone, func(x *nest.Invocation) bool { return x.Function == v.Function }) {
			c.alone = append(c.alone, v)
		}
	}
	if len(c.alone) == 0 {
		return false
	}
	c.Warnings = append(c.Warnings, why+": each function is entered by itself, with memory of zeros behind its pointers, and 1 for numbers that are not known")
	return true
}

// watched are the operations with which regions begin.
func (c *Code) watched() []bool {
	all := make([]bool, len(c.of))
	for i, at := range c.of {
		all[i] = len(c.places[at].regions) > 0 || len(c.places[at].once) > 0
	}
	return all
}

// aloneError is why a function cannot be entered by itself.
type aloneError struct {
	of  *nest.Invocation
	err error
}

func (e *aloneError) Error() string {
	return fmt.Sprintf("%s cannot be entered by itself: %v", e.of.Function, e.err)
}

func (e *aloneError) Unwrap() error { return e.err }

// followed discovers the data of a program. Where main comes to no region, or not to its end, such as without its arguments, the functions of regions are entered by themselves; those that cannot
// be are left out, as long as there are others.
func (c *Code) followed(ctx context.Context, p *emulate.Program, programs []*nest.Program) (*emulate.Program, error) {
	for {
		out, err := c.discover(ctx, p)
		why := ""
		switch {
		case errors.Is(err, emulate.ErrNowhere):
			why = "main cannot be followed as it is started here, without files and arguments"
		case err == nil && !c.reached && !slices.ContainsFunc(out.Unknown(), ofOpenMP):
			why = "main comes to none of the loops as it is started here, without files and arguments"
		}
		if why != "" && len(c.alone) == 0 && c.enterAlone(programs, why) {
			c.kept, c.decided = nil, false
			if p, err = c.load(ctx); err != nil {
				return nil, err
			}
			continue
		}
		var failed *aloneError
		if !errors.As(err, &failed) || len(c.alone) == 1 || ctx.Err() != nil {
			return out, err
		}
		c.alone = slices.DeleteFunc(c.alone, func(v *nest.Invocation) bool { return v == failed.of })
		c.Warnings = append(c.Warnings, failed.Error())
		c.kept = nil
		if p, err = c.load(ctx); err != nil {
			return nil, err
		}
	}
}

// discoveries is how often data are looked for that others lead to. Chosen: rows of a sparse matrix, its columns, and one more.
const discoveries = 4

// discover finds the data that become parts of addresses, by runs of a program, and gives the last.
func (c *Code) discover(ctx context.Context, p *emulate.Program) (*emulate.Program, error) {
	for range discoveries {
		p.Discover(c.kept)
		p.Watch(c.watched())
		err := c.run(p)
		c.reached = c.reached || p.Reached()
		if c.decided = p.Decided(); c.decided && (err == nil || len(c.alone) == 0) {
			return p, nil // followed with all its data it may go another way, and end
		}
		found := p.Sought()
		if err != nil && len(found) <= len(c.kept) { // else iterations were left out that wrote addresses
			return nil, err
		}
		if len(found) == len(c.kept) {
			break
		}
		c.kept = found
		if p, err = c.load(ctx); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// load lays the code out.
func (c *Code) load(ctx context.Context) (*emulate.Program, error) {
	p, err := emulate.Load(1, c.file)
	if err != nil {
		return nil, err
	}
	p.Most, p.Halt = mostInstructions, ctx.Err
	return p, nil
}

// initialiser is how the names of functions begin that set objects up before main.
const initialiser = "_GLOBAL__sub_I_"

// run carries the program out from its begin.
func (c *Code) run(p *emulate.Program) error {
	for _, f := range c.file.Functions {
		if strings.HasPrefix(f.Name, initialiser) {
			if _, err := p.Run(f.Name); err != nil {
				return err
			}
		}
	}
	for _, v := range c.alone {
		if err := p.Enter(v); err != nil && !errors.Is(err, emulate.ErrNoFunction) {
			return &aloneError{v, err}
		}
	}
	if len(c.alone) > 0 {
		return nil
	}
	_, err := p.RunMain(c.arguments)
	if errors.Is(err, emulate.ErrNoFunction) {
		return ErrNoMain
	}
	return err
}

// markName is the begin of labels that stand where the functions of regions begin.
const markName = "foresee.region."

// mark writes into a source, behind the brace of each region's function, a label that reaches the assembly, with an instruction of its own, as what
// follows may be a loop; and those of loops. Lines stay as they are.
func mark(code *application.Code, programs []*nest.Program, loops []nest.Pos) []byte {
	text := markLoops([]byte(csource.Overridden(string(code.Text), code.Overrides)), code.Name, loops)
	lines := bytes.SplitAfter(text, []byte("\n"))
	type at struct{ line, column, region int }
	var all []at
	for i, p := range programs {
		e := p.Entry
		if e.File == code.Name && e.Line >= 1 && e.Line <= len(lines) && e.Column >= 1 && e.Column <= len(lines[e.Line-1]) && lines[e.Line-1][e.Column-1] == '{' {
			all = append(all, at{e.Line, e.Column, i})
		}
	}
	slices.SortStableFunc(all, func(a, b at) int { return b.column - a.column }) // from the right, so that columns hold
	for _, m := range all {
		line := lines[m.line-1]
		lines[m.line-1] = slices.Concat(line[:m.column], []byte(label(markName, m.region)), line[m.column:])
	}
	return bytes.Join(lines, nil)
}

// tellsLoops asks gcc to tell what it did to loops; other compilers refuse it.
const tellsLoops = "-fopt-info-loop-optimized"

// Reordered is the order in which a compiler puts iterations, where that is not the source's.
type Reordered struct {
	Interchanged []nest.Pos      // the lines of loops that it interchanges with loops inside
	Jammed       []unrolljam.Jam // loops of which it does several iterations at a time
}

// optimizedLoop is how gcc tells what it did to a loop.
var optimizedLoop = regexp.MustCompile(`(?m)^(.*):(\d+):(\d+): optimized: (?:(loops interchanged) in loop nest|applying unroll and jam with factor (\d+)|loop vectorized using (\d+) byte vectors)`)

// reordered reads what gcc told of loops.
func reordered(said string) (out Reordered) {
	for _, m := range optimizedLoop.FindAllStringSubmatch(said, -1) {
		number := func(s string) int {
			n, _ := strconv.Atoi(s)
			return n
		}
		at := nest.Pos{File: m[1], Line: number(m[2]), Column: number(m[3])}
		if m[4] != "" {
			out.Interchanged = append(out.Interchanged, nest.Pos{File: at.File, Line: at.Line})
			continue
		}
		out.Jammed = append(out.Jammed, unrolljam.Jam{At: at, Factor: number(m[5]), Vector: number(m[6])})
	}
	return out
}

// Order is the order in which a compiler says that it puts iterations, without following its code.
func Order(ctx context.Context, command []string, code *application.Code, programs []*nest.Program) (Reordered, error) {
	work, err := workspace.New("compiled")
	if err != nil {
		return Reordered{}, err
	}
	defer work.Remove()
	_, said, err := assemble(ctx, command, work.Path, code, programs)
	return reordered(said), err
}

// assemble runs the compiler, whose files lie in a folder, and gives what it made and what it said.
func assemble(ctx context.Context, command []string, dir string, code *application.Code, programs []*nest.Program) (text []byte, said string, err error) {
	out := filepath.Join(dir, "source.s")
	tries := [][]nest.Pos{nil}
	if loops := early(programs); len(loops) > 0 { // labels may stand where none can, as in functions that compilers evaluate
		tries = [][]nest.Pos{loops, nil}
	}
attempts:
	for _, loops := range tries {
		args, failed := arguments(command, dir, code, programs, loops)
		if failed != nil {
			return nil, "", failed
		}
		for _, more := range [][]string{{tellsLoops}, nil} {
			cmd := exec.CommandContext(ctx, command[0], slices.Concat(args, []string{"-S", "-o", out}, more)...)
			cmd.Env = append(os.Environ(), "LC_ALL=C", "TMPDIR="+dir) // so that nothing stays of a compiler that is killed
			var printed []byte
			printed, err = cmd.CombinedOutput()
			if said = string(printed); err == nil || ctx.Err() != nil {
				break attempts
			}
		}
	}
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	if err != nil {
		return nil, "", &CompilerError{strings.Join(command, " "), cmp.Or(strings.TrimSpace(said), err.Error())}
	}
	text, err = os.ReadFile(out)
	return text, said, err
}

// arguments are those of the compiler: its flags, and the source. C is given with marks; what has a path is read there, and all is asked for that
// debuggers are told, as that says which function a line was put in. Iterations of some loops are marked.
func arguments(command []string, dir string, code *application.Code, programs []*nest.Program, loops []nest.Pos) ([]string, error) {
	args := slices.Clone(command[1:])
	if code.Folder != "" {
		args = append(args, "-iquote", code.Folder)
	}
	for _, d := range code.Macros {
		args = append(args, "-D"+d)
	}
	for _, dir := range code.Includes {
		args = append(args, "-I", dir)
	}
	switch {
	case code.Path == "":
		source := filepath.Join(dir, "source.c")
		name := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", "?").Replace(code.Name)
		text := append([]byte("#line 1 \""+name+"\"\n"), mark(code, programs, loops)...)
		told := "-g1"
		if callsIntrinsics(programs) { // which their lines are in
			told = "-g"
		}
		return append(args, "-w", told, source), os.WriteFile(source, text, 0o600)
	case code.Fortran && strings.Contains(filepath.Base(command[0]), "flang"):
		return append(args, "-module-dir", dir, "-g", code.Path), nil
	case code.Fortran:
		return append(args, "-J", dir, "-w", "-g", code.Path), nil
	}
	marked := func(text []byte) []byte { return markLoops(text, code.Name, loops) }
	if filepath.Ext(code.Path) == ".rs" {
		marked = nil
	}
	path, folder, err := code.Copied(dir, marked)
	if folder != "" {
		args = append(args, "-iquote", folder)
	}
	return append(args, "-w", "-g", path), err
}

// callsIntrinsics tells whether code comes from headers whose lines the source does not have.
func callsIntrinsics(programs []*nest.Program) (found bool) {
	for _, p := range programs {
		nest.Walk(p.Body, func(n nest.Node) {
			s, ok := n.(*nest.Stmt)
			found = found || ok && s.Lane != nest.NoLane
		})
	}
	return found
}

// locate gives each instruction its place.
func (c *Code) locate(p *emulate.Program, programs []*nest.Program) {
	marks, unmarked := c.marks(p, programs)
	loops := map[int32][]int{}
	for i := range c.early {
		for _, at := range p.Labelled(fmt.Sprintf("%s%d.", loopName, i)) {
			loops[at] = append(loops[at], i)
		}
	}
	type key struct {
		assembly.Place
		from *origin
	}
	known := map[key]int32{}
	once := c.once(p, unmarked)
	before := assembly.Place{}
	c.calls = make([]int32, p.Operations())
	for i := range p.Operations() {
		at := int32(i)
		source := p.Instruction(at).Source
		if source.Line == 0 { // compilers give no line to what they put together of several: that of the instruction before it
			source = before
		}
		before = source
		from := c.from.of[p.Instruction(at).Line()]
		plain := func() int32 {
			key := key{source, from}
			n, ok := known[key]
			if !ok {
				n = int32(len(c.places))
				known[key] = n
				c.places = append(c.places, place{source.Line, nil, nil, source.File, from, nil})
			}
			return n
		}
		c.calls[at] = -1
		if p.Instruction(at).Mnemonic == "call" && p.LibraryCall(at) == "" {
			c.calls[at] = plain()
		}
		if r, l, once := marks[at], loops[at], once[at]; r != nil || l != nil || once != nil {
			c.places = append(c.places, place{source.Line, r, l, source.File, from, once})
			c.of = append(c.of, int32(len(c.places)-1))
			continue
		}
		c.of = append(c.of, plain())
	}
}

// marks are the instructions at which the functions of regions begin: those behind their labels, or the first ones of what debuggers are told. The
// second result are the regions without a label.
func (c *Code) marks(p *emulate.Program, programs []*nest.Program) (marks map[int32][]int, unmarked []*nest.Program) {
	marks = map[int32][]int{}
	labelled := make([]bool, len(programs))
	for i, region := range programs {
		at := p.Labelled(fmt.Sprintf("%s%d.", markName, i))
		if labelled[i] = len(at) > 0; !labelled[i] {
			unmarked = append(unmarked, region)
		}
		for _, at := range at {
			marks[at] = append(marks[at], i)
		}
	}
	for at := range int32(p.Operations()) {
		o := c.from.begins[p.Instruction(at).Line()]
		for i, region := range programs {
			if o != nil && !labelled[i] && o.is(region.Function) && !o.outlined {
				marks[at] = append(marks[at], i)
			}
		}
	}
	return marks, unmarked
}
