package instrument

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A run of one thread can be dealt to any number of threads only where nothing that the program does depends on how many there are and on
// which of them runs. Flow follows what the program is told of its threads through the optimised code: values, variables in memory,
// arguments and results of functions, also between modules. What is only printed is no matter; all else – a branch, the index of an
// array, the size of an allocation, code that is not known – is. Where it is not sure, it matters.

// Places that values are in, as strings: "v" function value; "b" function block, the condition at its end; "a" function value,
// the memory of a variable or allocation; "q" function parameter, what a parameter points to. Those that other modules see: "g" variable;
// "c" function: that it is called; "p" function parameter; "r" function, its result; "i" function parameter, what it points to when the function is called; "o" the
// same when it returns; "e", "w", "k": of teams.
const matters = "!" // what gets here decides what the program does

// ask is a call that tells of threads.
type ask struct {
	what  string // the function, or variable of the environment
	place Place
}

// flow is the graph of a module.
type flow struct {
	debug       *debugInfo
	local       map[string]bool // functions and variables that other modules do not see
	params      map[string][]string
	taken       map[string]bool         // functions whose address is taken
	texts       map[string]string       // constants that are strings, by name
	threadLocal map[string]bool         // variables that each thread has
	constants   map[string]bool         // variables that nobody changes
	changesOwn  map[string][]string     // functions that may change them
	reads       map[string]map[int]bool // parameters through which a function only reads
	source      string                  // file that the module was compiled from
	to          map[string]map[string]bool
	asks        []ask
	sets        []Place // calls that ask for a number of threads
	unknowns    []unknownCall
}

// unknownCall is a call, in code that each thread may run, of a function that is not in the module.
type unknownCall struct {
	function string
	place    Place
	to       string // node that it leads to where no module has the function
}

// askers are functions that tell of threads.
var askers = map[string]bool{
	"omp_get_max_threads": true, "omp_get_num_threads": true, "omp_get_thread_num": true, "omp_get_num_procs": true, "omp_in_parallel": true,
	"omp_get_team_size": true, "omp_get_ancestor_thread_num": true, "omp_get_active_level": true, "omp_get_place_num_procs": true,
	"pthread_self": true,
}

// setters ask for a number of threads.
var setters = map[string]bool{"omp_set_num_threads": true, "__kmpc_push_num_threads": true}

// variableOfThreads is the part of the environment that says how many threads there are to be.
const variableOfThreads = "OMP_NUM_THREADS"

// readFlow builds the graph of a module.
func readFlow(lines []string, debug *debugInfo) *flow {
	f := &flow{debug: debug, local: map[string]bool{}, params: map[string][]string{}, taken: map[string]bool{}, texts: map[string]string{}, threadLocal: map[string]bool{}, constants: map[string]bool{}, changesOwn: map[string][]string{}, reads: map[string]map[int]bool{}, to: map[string]map[string]bool{}}
	for _, l := range lines {
		f.declare(l)
	}
	f.askersInTables(lines)
	f.findChanges(lines)
	for i := 0; i < len(lines); i++ {
		if !isDefinition(lines[i]) {
			continue
		}
		end := i + 1
		for end < len(lines) && lines[end] != "}" {
			end++
		}
		f.function(lines[i:end])
		i = end
	}
	for name := range f.taken {
		for i := range f.params[name] {
			f.edge(place("o", name, i), matters)
		}
		f.edge("r "+name, matters)
		f.edge("k "+name, matters)
	}
	return f
}

func isDefinition(line string) bool { return strings.HasPrefix(line, "define ") }

// declare notes what a line at the top of a module defines.
func (f *flow) declare(line string) {
	switch {
	case strings.HasPrefix(line, "source_filename"):
		_, f.source, _ = strings.Cut(strings.TrimSuffix(line, `"`), `"`)
	case strings.HasPrefix(line, "declare "):
		f.onlyRead(line)
	case isDefinition(line):
		f.onlyRead(line)
		name, arguments := callee(line)
		f.params[name] = parameters(arguments)
		f.local[name] = isLocal(line)
	case strings.HasPrefix(line, "@"):
		name, rest := takeValue(line)
		name = strings.Trim(name[1:], `"`)
		f.local[name] = isLocal(rest)
		if strings.Contains(rest, "thread_local") {
			f.threadLocal[name] = true
		}
		f.constants[name] = slices.Contains(strings.Fields(rest), "constant")
		if _, text, ok := strings.Cut(rest, ` c"`); ok && strings.Contains(rest, "constant ") {
			f.texts[name], _, _ = strings.Cut(text, `"`)
		}
		for _, g := range globals(rest) { // a table of functions, or a variable that another one points to
			f.escape(g)
		}
	}
}

// onlyRead notes through which parameters a function only reads.
func (f *flow) onlyRead(line string) {
	name, arguments := callee(line)
	f.reads[name] = map[int]bool{}
	for i, p := range splitList(arguments) {
		words := strings.Fields(p)
		f.reads[name][i] = slices.Contains(words, "readonly") || slices.Contains(words, "readnone")
	}
}

// findChanges finds functions that may change thread-local variables.
func (f *flow) findChanges(lines []string) {
	name := ""
	for _, l := range lines {
		if isDefinition(l) {
			name, _ = callee(l)
		}
		if len(f.threadLocal) == 0 || !isInstruction(l) || strings.Contains(l, "@llvm.dbg.") || parseInstruction(l).opcode == "load" {
			continue
		}
		for _, g := range globals(l) {
			if f.threadLocal[g] && !slices.Contains(f.changesOwn[g], name) {
				f.changesOwn[g] = append(f.changesOwn[g], name)
			}
		}
	}
}

// isLocal says whether a global is seen in this module alone.
func isLocal(definition string) bool {
	for word := range strings.FieldsSeq(definition) {
		switch word {
		case "internal", "private":
			return true
		}
		if strings.HasPrefix(word, "@") || word == "global" || word == "constant" {
			return false
		}
	}
	return false
}

// parameters are the names of a function's parameters.
func parameters(list string) []string {
	var all []string
	for i, p := range splitList(list) {
		if p == "" || p == "..." {
			continue
		}
		_, value, _ := takeTyped(p)
		if !strings.HasPrefix(value, "%") { // not named: numbered
			value = fmt.Sprintf("%%%d", i)
		}
		all = append(all, value)
	}
	return all
}

func place(kind, function string, index any) string {
	return fmt.Sprintf("%s %s %v", kind, function, index)
}

func (f *flow) edge(from, to string) {
	if f.to[from] == nil {
		f.to[from] = map[string]bool{}
	}
	f.to[from][to] = true
}

// escape says that code which is not known may use what a global name stands for.
func (f *flow) escape(name string) {
	f.taken[name] = true
	f.edge("g "+name, matters)
}

// globals are the names after @ in a piece of text.
func globals(text string) []string {
	var all []string
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i += max(strings.IndexByte(text[i+1:], '"'), 0) + 1
		case '@':
			v, _ := takeValue(text[i:])
			all = append(all, strings.Trim(v[1:], `"`))
			i += len(v) - 1
		}
	}
	return all
}

// shared tells the places that other modules see.
func (f *flow) shared(node string) bool {
	kind, rest, _ := strings.Cut(node, " ")
	name, _, _ := strings.Cut(rest, " ")
	own := (kind == "r" || kind == "o") && strings.HasPrefix(name, "__kmpc_") // of foresee's own, which gives away nothing
	return strings.Contains("gcprioewk", kind) && !f.local[name] && !own
}

// reached are the places of other modules, and matters, that a place leads to.
func (f *flow) reached(from string) []string {
	seen, found := map[string]bool{from: true}, map[string]bool{}
	for queue := []string{from}; len(queue) > 0; {
		node := queue[0]
		queue = queue[1:]
		for next := range f.to[node] {
			switch {
			case seen[next]:
			case next == matters || f.shared(next):
				found[next] = true
			default:
				queue = append(queue, next)
			}
			seen[next] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// text gives the graph as it is kept in the object: lines of fields between tabs. "A": file, line, function that tells, places that it
// leads to; "T": file, line of what asks for a number of threads; "X": file, line, function
// that is not in the module, places that the call leads to where no module has it; "D": function that other modules see; "N": a place and those that it leads to. Parameters from which
// something leads to what matters are left out, as are those of functions that are not there.
func (f *flow) text() string {
	var b strings.Builder
	for i, a := range f.asks {
		fmt.Fprintf(&b, "A\t%s\t%d\t%s\t%s\n", a.place.File, a.place.Line, a.what, strings.Join(f.reached(askNode(i)), "|"))
	}
	for _, u := range f.unknowns {
		fmt.Fprintf(&b, "X\t%s\t%d\t%s\t%s\n", u.place.File, u.place.Line, u.function, strings.Join(f.reached(u.to), "|"))
	}
	for _, p := range f.sets {
		fmt.Fprintf(&b, "T\t%s\t%d\n", p.File, p.Line)
	}
	for _, name := range slices.Sorted(maps.Keys(f.params)) {
		if !f.local[name] {
			fmt.Fprintf(&b, "D\t%s\n", name)
		}
		f.node(&b, "c "+name, false)
		for i := range f.params[name] {
			f.node(&b, place("p", name, i), false)
			f.node(&b, place("i", name, i), false)
		}
	}
	for _, node := range slices.Sorted(maps.Keys(f.to)) {
		if node[0] == 'g' || node[0] == 'r' || node[0] == 'o' || strings.IndexByte("ewk", node[0]) >= 0 {
			f.node(&b, node, true)
		}
	}
	return b.String()
}

// node writes where a node flows to, if other modules can ask.
func (f *flow) node(b *strings.Builder, node string, always bool) {
	if !f.shared(node) {
		return
	}
	to := f.reached(node)
	if always && len(to) == 0 || !always && slices.Contains(to, matters) {
		return
	}
	fmt.Fprintf(b, "N\t%s\t%s\n", node, strings.Join(to, "|"))
}

func askNode(i int) string { return fmt.Sprintf("ask %d", i) }
