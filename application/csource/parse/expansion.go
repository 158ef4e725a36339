package parse

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"foresee/application/nest"
)

// Limits on what macros expand to. The parser's library counts tokens, not how long they are, and tells no place of those that ## makes.
const (
	longestExpansion = 16 << 20  // bytes of one macro, or of one use of it
	allExpansions    = 256 << 20 // bytes of all of them
	deepestChain     = 50_000    // macros that expand to one another
	mostScanned      = 64 << 20  // bytes of files that are looked at
)

// expansions bounds how long the text is that macros expand to, before they do. Conditions are not followed: a macro with several
// definitions counts with the longest.
type expansions struct {
	macros   map[string]*expansion
	from     folder
	includes []string // directories
	seen     map[string]bool
	angled   map[string]bool // headers included as <name> that are nowhere
	files    []scanned       // in the order in which they are met
	bytes    int
	total    float64
	chain    int
}

// scanned is a file and its text.
type scanned struct{ name, text string }

// expansion is a macro: its text has fixed bytes, and so many times the bytes of each argument.
type expansion struct {
	at          nest.Pos
	definitions []definition
	function    bool
	busy, known bool
	fixed       float64
	times       []float64
}

// definition is one of the definitions that a macro has in a file.
type definition struct {
	parameters map[string]int // nil: it takes no arguments
	body       []string
}

// checkExpansions refuses a file whose macros would expand to too much, at the macro or its use. It gives the headers that files include as <name>
// and that are nowhere.
func checkExpansions(files folder, name, prefix, text string, includes []string) (map[string]bool, *Error) {
	x := &expansions{from: files, macros: map[string]*expansion{}, includes: includes, seen: map[string]bool{}, angled: map[string]bool{}}
	x.collect("", prefix)
	x.seen[filepath.Clean(name)] = true
	x.files = append(x.files, scanned{name, text})
	for i := 0; i < len(x.files); i++ {
		x.collect(x.files[i].name, x.files[i].text)
	}
	if len(x.macros) == 0 {
		return x.angled, nil
	}
	for _, f := range x.files {
		if e := x.uses(f); e != nil {
			return nil, e
		}
	}
	return x.angled, x.unused()
}

// unused checks the macros that take no arguments, used or not: the parser's library looks for the values of all.
func (x *expansions) unused() *Error {
	for _, name := range slices.Sorted(maps.Keys(x.macros)) {
		m := x.macros[name]
		if m.function {
			continue
		}
		if e := x.within(name, m.at, x.form(m).fixed); e != nil {
			return e
		}
	}
	return nil
}

// within refuses what is too long by itself, or with all before it.
func (x *expansions) within(name string, at nest.Pos, bytes float64) *Error {
	x.total += bytes
	what := ""
	switch {
	case bytes > longestExpansion:
		what = fmt.Sprintf("%s expands to more than %d MiB", name, longestExpansion>>20)
	case x.total > allExpansions:
		what = fmt.Sprintf("macros expand to more than %d MiB, with %s", allExpansions>>20, name)
	default:
		return nil
	}
	return &Error{Pos: at, Message: what, Remedy: "macros that double one another: see whether a C compiler takes the file, and preprocess it: cc -E -P " + at.File}
}

// collect takes the definitions of a text in, and the files that it includes.
func (x *expansions) collect(file, text string) {
	sc := newScanner(text)
	first := true
	for t := sc.next(); t.text != ""; t = sc.next() {
		if !first || t.text != "#" {
			first = t.text == "\n"
			continue
		}
		switch word := sc.next(); word.text {
		case "define":
			x.define(file, sc)
		case "include":
			x.include(file, lineLeft(sc))
		case "\n", "":
		default:
			first = false
			continue
		}
		first = true
	}
}

// lineLeft is the rest of a line as it stands.
func lineLeft(sc *scanner) string {
	n := lineLength(sc.src[sc.at:])
	line := sc.src[sc.at : sc.at+n]
	sc.skip(n)
	return line
}

// define takes over a #define; a macro may have several, as conditions are not looked at.
func (x *expansions) define(file string, sc *scanner) {
	name := sc.next()
	if name.text == "\n" || name.text == "" {
		return
	}
	m := x.macros[name.text]
	if m == nil {
		m = &expansion{at: nest.Pos{File: file, Line: name.line, Column: name.column}}
		x.macros[name.text] = m
	}
	var d definition
	if strings.HasPrefix(sc.src[sc.at:], "(") {
		d.parameters, m.function = readParameters(sc), true
	}
	for t := sc.next(); t.text != "\n" && t.text != ""; t = sc.next() {
		d.body = append(d.body, t.text)
	}
	m.definitions = append(m.definitions, d)
}

// readParameters reads names up to a bracket; "..." is called __VA_ARGS__ unless it has a name.
func readParameters(sc *scanner) map[string]int {
	all := map[string]int{}
	sc.next()
	for name := ""; ; {
		before := sc.at
		switch t := sc.next(); t.text {
		case "\n", "":
			sc.at = before // a list without an end; the line ends all the same
			return all
		case ",", ")":
			if name != "" {
				all[name] = len(all)
			}
			if name = ""; t.text == ")" {
				return all
			}
		case ".":
			if name == "" {
				name = "__VA_ARGS__"
			}
		default:
			name = t.text
		}
	}
}

// include adds a file that the text includes by its name, where it is found; the parser says what is wrong with the others.
func (x *expansions) include(file, line string) {
	line = strings.TrimSpace(line)
	if len(line) < 3 || line[0] != '"' && line[0] != '<' {
		return
	}
	end := strings.IndexAny(line[1:], `">`)
	if end < 1 {
		return
	}
	name := line[1 : 1+end]
	dirs := x.includes
	if line[0] == '"' {
		dirs = append([]string{filepath.Dir(file)}, dirs...)
	}
	for _, dir := range dirs {
		path := filepath.Join(dir, name)
		if filepath.IsAbs(name) {
			path = name
		}
		if x.add(path) {
			return
		}
	}
	if !x.addOwn(name) && line[0] == '<' {
		x.angled[name] = true
	}
}

// add reads a file; false: there is none.
func (x *expansions) add(path string) bool {
	if path = filepath.Clean(path); x.seen[path] {
		return true
	}
	info, err := x.from.stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	x.seen[path] = true
	if len(x.seen) > mostIncludes || x.bytes+int(min(info.Size(), MaxFileSize)) > mostScanned {
		return true
	}
	f, err := x.from.open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, MaxFileSize))
	if err == nil {
		x.bytes += len(b)
		x.files = append(x.files, scanned{path, string(b)})
	}
	return true
}

// addOwn reads one of the headers that stand in for the system's; false: there is none.
func (x *expansions) addOwn(name string) bool {
	path := headerDir + "/" + name
	if x.seen[path] {
		return true
	}
	b, err := fs.ReadFile(headers, "headers/"+name)
	if err != nil {
		return false
	}
	x.seen[path] = true
	x.files = append(x.files, scanned{path, string(b)})
	return true
}

// uses checks where a text uses macros.
func (x *expansions) uses(f scanned) *Error {
	sc := newScanner(f.text)
	first := true
	for t := sc.next(); t.text != ""; t = sc.next() {
		if first && t.text == "#" {
			if word := sc.next(); word.text == "define" {
				skipDirective(sc)
			}
			continue
		}
		first = t.text == "\n"
		m := x.macros[t.text]
		if m == nil {
			continue
		}
		bytes := x.form(m).fixed
		if m.function {
			body := append([]string{t.text}, callLeft(sc)...)
			bytes = x.walk(body, 1, nil, nil, 0)
		}
		if e := x.within(t.text, nest.Pos{File: f.name, Line: t.line, Column: t.column}, bytes); e != nil {
			return e
		}
	}
	return nil
}

func skipDirective(sc *scanner) {
	for t := sc.next(); t.text != "\n" && t.text != ""; t = sc.next() {
	}
	sc.at-- // so that a line begins after it
	sc.line--
}

// callLeft takes the arguments of a call, with their brackets; nothing where none follow.
func callLeft(sc *scanner) (all []string) {
	before := *sc
	open := 0
	for t := sc.next(); t.text != "" && len(all) < maxStatement; t = sc.next() {
		switch t.text {
		case "\n":
			continue
		case "(":
			open++
		case ")":
			open--
		}
		all = append(all, t.text)
		if open == 0 {
			break
		}
	}
	if len(all) == 0 || all[0] != "(" || open > 0 {
		*sc = before
		return nil
	}
	return all
}

// width is how many places parameters have: names that stand twice, which C does not allow, leave some without one.
func (d *definition) width() int {
	n := 0
	for _, p := range d.parameters {
		n = max(n, p+1)
	}
	return n
}

// form finds how long a macro's text is. Within itself a macro's name stands for itself.
func (x *expansions) form(m *expansion) *expansion {
	if m.known || m.busy || x.chain > deepestChain {
		return m
	}
	m.busy = true
	x.chain++
	for _, d := range m.definitions {
		times := make([]float64, d.width())
		fixed := x.walk(d.body, 1, d.parameters, times, 0)
		m.fixed = max(m.fixed, fixed)
		for i, k := range times {
			if i == len(m.times) {
				m.times = append(m.times, 0)
			}
			m.times[i] = max(m.times[i], k)
		}
	}
	x.chain--
	m.busy, m.known = false, true
	return m
}

// walk adds up the bytes of tokens, which stand in a text weight times. What parameters add goes to times.
func (x *expansions) walk(body []string, weight float64, parameters map[string]int, times []float64, depth int) (bytes float64) {
	for i := 0; i < len(body); i++ {
		t := body[i]
		if p, ok := parameters[t]; ok {
			times[p] += weight
			continue
		}
		m := x.macros[t]
		switch {
		case t == "#" && parameters != nil:
			continue
		case m == nil || m.busy:
			bytes += weight * float64(len(t)+1)
			continue
		}
		bytes += weight // it takes time even where it gives nothing
		if !m.function || i+1 < len(body) && body[i+1] == "(" && depth < MaxNesting {
			bytes += weight * x.form(m).fixed
		}
		if !m.function || i+1 == len(body) || body[i+1] != "(" || depth >= MaxNesting {
			continue
		}
		args, end := callArguments(body[i+1:])
		for n, a := range args {
			if len(m.times) == 0 {
				break
			}
			if k := m.times[min(n, len(m.times)-1)]; k > 0 {
				bytes += x.walk(a, weight*k, parameters, times, depth+1)
			}
		}
		i += end
	}
	return bytes
}

// callArguments are the tokens between the commas of a bracket; end is how many tokens there are with both brackets.
func callArguments(body []string) (all [][]string, end int) {
	open, from := 0, 1
	for i, t := range body {
		switch t {
		case "(":
			open++
		case ")":
			open--
		}
		if open == 0 || open == 1 && t == "," {
			all = append(all, body[from:i])
			from = i + 1
		}
		if open == 0 {
			return all, i + 1
		}
	}
	return append(all, body[min(from, len(body)):]), len(body)
}
