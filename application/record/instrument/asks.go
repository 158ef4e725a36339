package instrument

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Ask is a place where a program is told of its threads.
type Ask struct {
	What  string // the function that tells, or the variable of the environment
	Place string // "file:line"; without the line where it is not known
}

// Asks are what a program is told of its threads.
type Asks struct {
	Decisive []Ask    // what it does depends on it, or may
	Printed  []Ask    // it is only printed
	Sets     []string // places where it asks for a number of threads of its own
}

// FlowSection is the section of objects that says how values flow, for ReadFlow.
const FlowSection = ".foresee.flow"

// ReadFlow puts together what the modules of a program say of themselves. A program that asks for a number of threads of its own and for
// how many there are gets answers that one thread cannot give: then all are decisive.
func ReadFlow(text string) (*Asks, error) {
	g := &program{to: map[string][]string{}}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if err := g.line(strings.Split(line, "\t")); err != nil {
			return nil, fmt.Errorf("line %d of %s: %w", i+1, FlowSection, err)
		}
	}
	a := &Asks{Sets: slices.Sorted(maps.Keys(g.sets))}
	for _, q := range slices.Concat(g.asks, g.notDefined()) {
		list, decides := &a.Printed, g.matters(q.to)
		if ofTeams[q.What] && !decides { // of what is dealt
			continue
		}
		if len(g.sets) > 0 || decides {
			list = &a.Decisive
		}
		if !slices.Contains(*list, q.Ask) {
			*list = append(*list, q.Ask)
		}
	}
	return a, nil
}

// program is the graph of all modules.
type program struct {
	asks []programAsk
	sets map[string]bool
	// calls of functions by those that are not in their modules, and the functions that there are
	unknowns []programAsk
	defined  map[string]bool
	to       map[string][]string
}

// programAsk is a question about threads, and where its answer goes.
type programAsk struct {
	Ask
	to []string
}

// line reads a line of the table of questions.
func (g *program) line(f []string) error {
	switch {
	case f[0] == "" && len(f) == 1:
	case f[0] == "A" && len(f) == 5:
		at, err := placeText(f[1], f[2])
		g.asks = append(g.asks, programAsk{Ask{f[3], at}, places(f[4])})
		return err
	case f[0] == "X" && len(f) == 5:
		at, err := placeText(f[1], f[2])
		g.unknowns = append(g.unknowns, programAsk{Ask{f[3], at}, places(f[4])})
		return err
	case f[0] == "D" && len(f) == 2:
		if g.defined == nil {
			g.defined = map[string]bool{}
		}
		g.defined[f[1]] = true
	case f[0] == "T" && len(f) == 3:
		at, err := placeText(f[1], f[2])
		if g.sets == nil {
			g.sets = map[string]bool{}
		}
		g.sets[at] = true
		return err
	case f[0] == "N" && len(f) == 3:
		if g.to[f[1]] == nil {
			g.to[f[1]] = []string{}
		}
		g.to[f[1]] = append(g.to[f[1]], places(f[2])...)
	default:
		return fmt.Errorf("%q with %d fields is not known", f[0], len(f))
	}
	return nil
}

// notDefined are the calls of functions that no module has.
func (g *program) notDefined() []programAsk {
	var all []programAsk
	for _, u := range g.unknowns {
		if !g.defined[u.What] {
			u.What = CallsOthers
			all = append(all, u)
		}
	}
	return all
}

func places(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, "|")
}

// placeText writes a place as "file:line".
func placeText(file, line string) (string, error) {
	n, err := strconv.Atoi(line)
	if n == 0 {
		return filepath.Base(file), err
	}
	return fmt.Sprintf("%s:%d", filepath.Base(file), n), err
}

// matters tells whether places lead to what decides. Calls and parameters of functions that no module has do.
func (g *program) matters(from []string) bool {
	seen := map[string]bool{}
	for queue := slices.Clone(from); len(queue) > 0; {
		node := queue[0]
		queue = queue[1:]
		if seen[node] {
			continue
		}
		seen[node] = true
		next, known := g.to[node]
		if node == matters || !known && strings.Contains("cpi", node[:1]) {
			return true
		}
		queue = append(queue, next...)
	}
	return false
}

// AsksOfSource gives the graph of a preprocessed C or C++ source that is not followed: all it asks of its threads matters; empty where it
// asks nothing. More are lines of the graph to add to it.
func AsksOfSource(source string, cxx bool, more string) string {
	var text strings.Builder
	file, line, system := "", 0, false
	for l := range strings.Lines(source) {
		line++
		if at, name, flags, ok := lineMarker(l); ok {
			line, file, system = at-1, name, slices.Contains(flags, "3")
			continue
		}
		if system && filepath.Base(file) == "omp.h" {
			continue
		}
		for _, word := range wordsOf(l) {
			if system && !strings.HasPrefix(word, "omp_") { // a library of headers asks so; the C library declares the others
				continue
			}
			if askers[word] || environments[word] {
				fmt.Fprintf(&text, "A\t%s\t%d\t%s\t%s\n", filepath.Base(file), line, word, matters)
			}
			if environs[word] && asksEnvironment(l) {
				fmt.Fprintf(&text, "A\t%s\t%d\t%s\t%s\n", filepath.Base(file), line, word, matters)
			}
			if setters[word] {
				fmt.Fprintf(&text, "T\t%s\t%d\n", filepath.Base(file), line)
			}
		}
	}
	text.WriteString(ReductionsOf(source, cxx))
	text.WriteString(more)
	return text.String()
}

// AsksOfIR gives the graph of a module of IR. More are lines of the graph to add to it.
func AsksOfIR(ir, more string) string {
	lines := strings.Split(ir, "\n")
	return readFlow(lines, readDebugInfo(lines)).text() + more
}

// InSource gives code that puts a graph into the object that a compiler makes of a C or C++ source.
func InSource(graph string) string {
	assembly := ".pushsection " + FlowSection + ",\"\",@progbits\n.ascii " + assemblerString(graph) + "\n.popsection"
	return "__asm__(" + strconv.Quote(assembly) + ");\n"
}

// AsksAll says in assembly of a source that is not looked into that its threads decide what it does.
func AsksAll(source, what string) string {
	line := fmt.Sprintf("A\t%s\t%d\t%s\t%s\n", filepath.Base(source), 1, what, matters)
	return "\t.pushsection " + FlowSection + ",\"\",@progbits\n\t.ascii " + assemblerString(line) + "\n\t.popsection\n"
}

// environOf finds what reads variables of the environment whose names are not written there, or are that of the number of threads.
var environOf = regexp.MustCompile(`\b(?:secure_)?getenv\b\s*(\(\s*"(?:[^"\\]|\\.)*"\s*\))?`)

// asksEnvironment tells whether a line may read the variable that says how many threads there are to be.
func asksEnvironment(l string) bool {
	for _, m := range environOf.FindAllStringSubmatch(l, -1) {
		if m[1] == "" || strings.Contains(m[1], variableOfThreads) {
			return true
		}
	}
	return false
}

// lineMarker reads "# 12 "file.c" 2", where the flag 3 is of headers of the system.
func lineMarker(l string) (line int, file string, flags []string, ok bool) {
	rest, ok := strings.CutPrefix(l, "# ")
	if !ok {
		return 0, "", nil, false
	}
	number, name, _ := strings.Cut(rest, " ")
	line, err := strconv.Atoi(number)
	name, after, _ := strings.Cut(strings.TrimPrefix(name, `"`), `"`)
	return line, name, strings.Fields(after), err == nil
}

// wordsOf gives the names in a line, each once.
func wordsOf(l string) []string {
	all := strings.FieldsFunc(l, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	slices.Sort(all)
	return slices.Compact(all)
}
