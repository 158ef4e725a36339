// Package parse reads a C file with the headers that it includes, and tells what the whole file says of its functions and variables.
//
// It bounds what the parser's library, modernc.org/cc/v4, does not: nesting, includes, what macros expand to, time and memory. The pragmas of
// OpenMP are kept apart and attached to their statements. Errors say the place, the cause and a way out.
package parse

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// sentinel ends the input: the parser loops for ever when the text ends within some constructs.
const sentinel = "\n;int __foresee_end;\n"

// noFile ends the names of texts that are no files, so that no #include can mean one: the parser's library looks among the names of
// all texts, with the slashes at the end of a name left out.
const noFile = "/"

// Source is a parsed file and what is known about it.
type Source struct {
	name       string
	files      folder
	text       string
	others     []part // files behind it
	AST        *cc.AST
	pragmas    []*Pragma
	packings   []packing
	packs      bool               // whether structures may be packed
	elsewhere  map[nest.Pos]bool  // members that lie elsewhere by that
	Defined    map[string]int64   // of variables, as the caller defines them
	Reals      map[string]float64 // likewise, of those that are no whole numbers
	Macros     []string           // definitions of the caller that are no variables'
	Facts      *Facts
	Region     *cc.FunctionDefinition                                                                          // that is read at present; nil before the first
	ToldTrips  func(region *cc.FunctionDefinition, it *cc.IterationStatement) (int64, bool)                    // likewise of loops
	Told       func(region *cc.FunctionDefinition, e cc.ExpressionNode, form string, aside bool) (int64, bool) // what a run tells; nil: there was none
	Tables     map[int64]*expr.Table                                                                           // arrays that a run told, by the numbers that it told for them
	Composed   map[string]*expr.Table                                                                          // tables that were made of these
	Unnumbered bool                                                                                            // what omp_get_thread_num and omp_get_num_threads give is not followed
	Guessing   bool                                                                                            // what Told gives are guesses
	Warnings   []string
	Busy       map[*cc.Declarator]bool // whose value is being found; ends circles
	Overrides  []string                // definitions of the caller that are taken instead of the files' own
	asked      []string                // definitions of the caller, without those of a build
	alone      []string                // what is taken as MPI sets it where one rank runs the program
	unused     map[string]bool         // names that the caller defines and no file read so far has
	inHeaders  map[string]bool         // names of definitions of the caller that headers of the program declare
	includes   includes
	refused    error // why an included file must not be read, of which the parser only says that there is none
	unknown    unknown
}

// TableForm makes the form by which a run is asked for an array of integers: of the bytes of an element and of all, 0 where these are not known before the
// run, and whether they have a sign.
const TableForm = "foresee_table(%%[1]s, %d, %d, %d)"

var defineName = regexp.MustCompile(`^[A-Za-z_]\w*(\([\w, .]*\))?$`)

// partName is an element of an array or a member of a structure.
var partName = regexp.MustCompile(`^([A-Za-z_]\w*)((\[\d+\])|(\.|->)[A-Za-z_]\w*)+$`)

// part is another file of the program.
type part struct{ name, text string }

// Parse reads, preprocesses, parses and type-checks a file, and others of its program behind it, as one text. What it is not given is read from
// files, or from the host where that is nil. Definitions that are asked for go before those of the files, and these before those of a build.
func Parse(files fs.FS, name string, src []byte, asked, build, includes []string, others ...string) (*Source, error) {
	defines := slices.Concat(asked, build)
	if src == nil {
		b, err := folder{files}.source(name)
		if err != nil {
			return nil, err
		}
		src = b
	}
	if len(src) > MaxFileSize {
		return nil, fmt.Errorf("%s is larger than %d MiB", name, MaxFileSize>>20)
	}
	s := &Source{name: name, files: folder{files}, Defined: map[string]int64{}, Reals: map[string]float64{}, Busy: map[*cc.Declarator]bool{}, unused: map[string]bool{}, asked: asked}
	s.includes.texts = map[string]string{}
	text, isBare := bare(prepare(Overridden(string(src), asked)))
	s.text = text
	if err := checkDepth(name, text, true); err != nil {
		return nil, err
	}
	if err := s.readOthers(others); err != nil {
		return nil, err
	}
	prefix, err := s.defines(s.all(), defines)
	if err != nil {
		return nil, err
	}
	angled, tooLong := checkExpansions(s.files, name, prefix, s.all(), includes)
	if tooLong != nil {
		return nil, tooLong
	}
	s.unknown.angled = angled
	s.noteText(s.name, text)
	for _, o := range s.others {
		s.noteText(o.name, o.text)
	}
	err = s.translateKnown(prefix, includes)
	if err != nil && s.declaredInHeaders(defines) {
		if prefix, err = s.defines(s.all(), defines); err == nil {
			err = s.translateKnown(prefix, includes)
		}
	}
	if err != nil {
		return nil, err
	}
	s.noteOverridden()
	if err := s.definedElsewhere(); err != nil {
		return nil, err
	}
	for _, n := range slices.Sorted(maps.Keys(s.unused)) {
		s.Warnings = append(s.Warnings, noEffect(n)+fmt.Sprintf("%s does not occur in %s", n, s.name))
	}
	if isBare {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s has statements and no function; they are taken as one, %s", s.name, bareFunction))
	}
	s.Facts = newFacts(s)
	for _, name := range slices.Sorted(maps.Keys(s.Defined)) {
		if m := partName.FindStringSubmatch(name); m != nil && s.Facts.ByName[m[1]] != nil {
			s.Warnings = append(s.Warnings, noEffect(name)+fmt.Sprintf("%s is a function; what is defined by its name alone holds in all functions", m[1]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Reals)) {
		if !s.Facts.isReal(name) {
			return nil, s.notWhole(name)
		}
	}
	return s, nil
}

// notWhole refuses a definition of an integer that is no whole number.
func (s *Source) notWhole(name string) *Error {
	definition := name
	for _, d := range s.asked {
		if of, _, _ := strings.Cut(d, "="); of == name {
			definition = d
		}
	}
	return &Error{Pos: nest.Pos{File: s.name}, Message: fmt.Sprintf("the definition of %s: %s is a variable or a parameter, and takes a whole number", definition, name), Remedy: fmt.Sprintf("define it, such as %s=1000", name)}
}

// TakeAlone notes what is taken as MPI sets it where one rank runs the program.
func (s *Source) TakeAlone(said string) {
	if !slices.Contains(s.alone, said) {
		s.alone = append(s.alone, said)
	}
}

// Alone says what is taken as MPI sets it where one rank runs the program; "" where nothing is.
func (s *Source) Alone() string {
	if len(s.alone) == 0 {
		return ""
	}
	return "the program is taken as run by one rank (" + strings.Join(s.alone, ", ") + "); definitions give other values"
}

// noEffect begins what is said of a definition that changes nothing.
func noEffect(name string) string { return "the definition of " + name + " has no effect: " }

// Quieten takes back what was said of definitions that change nothing, where they are those of a build for all its files.
func (s *Source) Quieten(build []string) {
	for _, d := range build {
		name, _, _ := strings.Cut(d, "=")
		s.Warnings = slices.DeleteFunc(s.Warnings, func(w string) bool { return strings.HasPrefix(w, noEffect(name)) })
	}
}

// readOthers reads the other files of the program.
func (s *Source) readOthers(names []string) error {
	for _, name := range names {
		b, err := s.files.source(name)
		if err != nil {
			return err
		}
		text := prepare(Overridden(string(b), s.asked))
		if err := checkDepth(name, text, true); err != nil {
			return err
		}
		s.others = append(s.others, part{name, text})
	}
	return nil
}

// all is the text of all files.
func (s *Source) all() string {
	text := s.text
	for _, o := range s.others {
		text += "\n" + o.text
	}
	return text
}

// noteText keeps the text of a file, and strikes the names that it has off the unused ones.
func (s *Source) noteText(name, text string) {
	s.includes.texts[name] = text
	for n := range s.unused {
		if regexp.MustCompile(`\b` + regexp.QuoteMeta(n) + `\b`).MatchString(text) {
			delete(s.unused, n)
		}
	}
}

// defines turns the definitions of the caller into macros, or into values where the file declares a variable of that name.
func (s *Source) defines(text string, defines []string) (string, error) {
	names := map[string]bool{}
	for _, d := range defines {
		name, value, given := strings.Cut(d, "=")
		if _, _, ok := integerDefine(d); ok || !given || otherNumber.MatchString(value) {
			names[name] = true
		}
	}
	declared := maps.Clone(s.inHeaders)
	if declared == nil {
		declared = map[string]bool{}
	}
	if len(names) > 0 {
		maps.Copy(declared, declaredNames(text, names))
	}
	s.Macros = nil
	var b strings.Builder
	b.WriteString(predefined)
	for _, d := range defines {
		name, value, given := strings.Cut(d, "=")
		if v, err := strconv.ParseInt(strings.TrimSpace(value), 0, 64); partName.MatchString(name) && err == nil {
			s.Defined[name] = v
			s.unused[partName.FindStringSubmatch(name)[1]] = true
			continue
		}
		if !defineName.MatchString(name) || strings.ContainsAny(value, "\n\r") {
			return "", &Error{Message: fmt.Sprintf("%q is not a definition", d), Remedy: "write it as NAME=VALUE"}
		}
		if len(value) > longestDefine {
			return "", &Error{Message: fmt.Sprintf("the definition of %s has a value of %d bytes", name, len(value)), Remedy: "define it in a header"}
		}
		if !given {
			value = "1"
		}
		word, _, _ := strings.Cut(name, "(")
		s.unused[word] = true
		if n, v, ok := integerDefine(d); ok {
			s.Defined[n] = v
			if declared[n] {
				continue
			}
		}
		if declared[name] { // as a macro it would only make the text wrong
			x, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || !given {
				return "", s.notWhole(name)
			}
			s.Reals[name] = x
			continue
		}
		s.Macros = append(s.Macros, d)
		fmt.Fprintf(&b, "#define %s %s\n", name, value)
	}
	return b.String(), nil
}

// declaredInHeaders tells whether headers of the program declare names that definitions of the caller were made macros of, as a parameter or a member of a
// structure: then they are values.
func (s *Source) declaredInHeaders(defines []string) bool {
	names := map[string]bool{}
	for _, d := range defines {
		if n, _, ok := integerDefine(d); ok {
			names[n] = true
		}
	}
	before := len(s.inHeaders)
	for name, text := range s.includes.texts {
		if len(names) > 0 && !strings.HasPrefix(name, headerDir) {
			if s.inHeaders == nil {
				s.inHeaders = map[string]bool{}
			}
			maps.Copy(s.inHeaders, declaredNames(text, names))
		}
	}
	return len(s.inHeaders) > before
}

// otherNumber begins what is meant as a number of a variable.
var otherNumber = regexp.MustCompile(`^\s*[-+]?\.?[0-9]`)

// integerDefine splits a definition whose value is an integer.
func integerDefine(d string) (string, int64, bool) {
	name, value, ok := strings.Cut(d, "=")
	if !ok {
		return "", 0, false
	}
	v, err := strconv.ParseInt(strings.Trim(strings.TrimSpace(value), "()"), 0, 64)
	return name, v, err == nil
}

// config is how the parser reads: for x86-64 Linux, files through our own layer.
func (s *Source) config(includes []string) (*cc.Config, error) {
	abi, err := cc.NewABI("linux", "amd64")
	if err != nil {
		return nil, err
	}
	cfg := &cc.Config{
		ABI: abi, FS: sources{s.files, s.noteText, func(err error) { s.refused = err }, s.unknown.takenAsEmpty}, FSOnly: true, ExpansionLimit: expansionLimit, EvalAllMacros: true,
		DefaultSizeT: cc.ULong, DefaultPtrdiffT: cc.Long, DefaultWcharT: cc.Int,
	}
	cfg.IncludePaths = append(append([]string{""}, includes...), headerDir)
	cfg.SysIncludePaths = append([]string{headerDir}, includes...)
	return cfg, nil
}

// endOfSource is the name of what is put after a source.
const endOfSource = "<end>"

// translate runs the preprocessor alone first: what it makes of the text must not nest too deeply either.
func (s *Source) translate(prefix string, includes []string) error {
	cfg, err := s.config(includes)
	if err != nil {
		return err
	}
	units, err := s.units(prefix)
	if err != nil {
		return err
	}
	input := func(more string) []cc.Source {
		all := []cc.Source{
			{Name: "<command line>" + noFile, Value: prefix + more},
			{Name: "<foresee>" + noFile, Value: "int __predefined_declarator;\n" + s.unknown.declarations()},
		}
		for _, u := range units {
			all = append(all, cc.Source{Name: u.name, Value: marked(u.text)})
		}
		return append(all, cc.Source{Name: endOfSource + noFile, Value: sentinel})
	}
	return s.limited(func() error {
		var expanded bounded
		cfg.PragmaHandler = func(t []cc.Token) error { s.includes.pragma(t); return nil }
		if err := cc.Preprocess(cfg, input(attributesNamed), &expanded); errors.Is(err, errExpanded) {
			return s.beyond(fmt.Sprintf("gives more than %d MiB of text", mostExpanded>>20))
		} else if err != nil {
			return s.parserErrors(err)
		}
		text := expanded.String()
		if err := s.check(text); err != nil {
			return err
		}
		cfg.PragmaHandler = func(t []cc.Token) error { s.notePragma(t); return nil }
		s.packs = strings.Contains(text, "__layout ")
		s.AST, err = cc.Translate(cfg, input(othersDropped+pragmaHolder))
		if err != nil && s.packs { // in a place where the parser takes none
			s.pragmas, s.packings = nil, nil
			if s.AST, err = cc.Translate(cfg, input(allDropped+pragmaHolder)); err == nil {
				s.Warnings = append(s.Warnings, s.name+": attributes aligned and packed are not taken into account, as some stand where they are not understood")
			}
		}
		if err != nil {
			if e := s.misplacedPragma(err); e != nil {
				return e
			}
			return s.parserErrors(err)
		}
		return nil
	})
}

// notePragma keeps a pragma that matters.
func (s *Source) notePragma(t []cc.Token) {
	if len(t) == 0 {
		return
	}
	at, words := PositionOf(&t[0]), wordsOf(t)
	if t[0].SrcStr() == "pack" {
		s.packings, s.packs = append(s.packings, packing{at, words[1:]}), true
	}
	if p := newPragma(at, words); p != nil {
		s.pragmas = append(s.pragmas, p)
	}
}

// check refuses what would take the parser too deep, or keep it for ever.
func (s *Source) check(expanded string) error {
	if err := checkDepth(s.name, expanded, false); err != nil {
		return err
	}
	if err := checkBalance(s.name, s.all(), expanded); err != nil {
		return err
	}
	if m := vectorType.FindStringSubmatch(expanded); m != nil {
		e := &Error{Pos: s.At(), Message: "vector types (" + m[1] + ")", Remedy: "write plain loops, or " + TraceRemedy}
		e.Pos.Line, e.Pos.Column = s.find(m[1])
		return e
	}
	if name := undefinedElement(expanded); name != "" {
		e := &Error{Pos: s.At(), Message: "an array of " + name + ", which is not defined", Remedy: "define it before"}
		e.Pos.Line, e.Pos.Column = s.find(name[strings.Index(name, " ")+1:])
		return e
	}
	return nil
}

// misplacedPragma is the error of a file in which a pragma of a macro stands where the parser can take no declaration; nil where something else is wrong.
func (s *Source) misplacedPragma(err error) *Error {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if m := messagePlace.FindStringSubmatch(line); m != nil && strings.Contains(m[4], "_Static_assert") {
			e := s.files.parserError(s.name, line)
			e.Message, e.Remedy = "a _Pragma in a macro that is not before a statement of a block", "put braces around the two, or write it as #pragma on a line of its own"
			return e
		}
	}
	return nil
}

// find is the place of a word in the file; 0 when it is not there.
func (s *Source) find(word string) (line, column int) {
	sc := newScanner(s.text)
	for t := sc.next(); t.text != ""; t = sc.next() {
		if t.text == word {
			return t.line, t.column
		}
	}
	return 0, 0
}

// parserErrors adds to the parser's messages what definitions of the caller may have to do with them.
func (s *Source) parserErrors(err error) error {
	if s.refused != nil {
		return s.refused
	}
	for _, m := range undeclared.FindAllStringSubmatch(err.Error(), -1) {
		if !slices.Contains(s.unknown.reported, m[1]) {
			s.unknown.reported = append(s.unknown.reported, m[1])
		}
	}
	joined := s.files.parserErrors(s.name, err)
	if e := s.headerError(err.Error()); e != nil {
		return e
	}
	for _, name := range slices.Sorted(maps.Keys(s.Defined)) {
		var e *Error
		if errors.As(joined, &e) && strings.Contains(e.Message, fmt.Sprint(s.Defined[name])) && e.Remedy == "" {
			e.Remedy = fmt.Sprintf("the definition %s=%d was taken for a macro", name, s.Defined[name])
			break
		}
	}
	return joined
}

var headerMessage = regexp.MustCompile(regexp.QuoteMeta(headerDir) + `/(\S+?):\d+:\d+: (.*); (.*)`)

// headerError is the error of a header that we only have to refuse, at the place of its #include.
func (s *Source) headerError(message string) *Error {
	m := headerMessage.FindStringSubmatch(message)
	if m == nil {
		return nil
	}
	e := &Error{Pos: s.At(), Message: m[2], Remedy: m[3]}
	for i, line := range strings.Split(s.text, "\n") {
		if strings.Contains(line, "include") && strings.Contains(line, m[1]) {
			e.Pos.Line, e.Pos.Column = i+1, strings.Index(line, "#")+1
			break
		}
	}
	return e
}

// Macro is the integer value of an object-like macro.
func (s *Source) Macro(name string) (int64, bool) {
	if m := s.AST.Macros[name]; m != nil {
		return IntegerValue(m.Value())
	}
	return 0, false
}

// IntegerValue is a constant that the parser found, where it is an integer.
func IntegerValue(v cc.Value) (int64, bool) {
	switch x := v.(type) {
	case cc.Int64Value:
		return int64(x), true
	case cc.UInt64Value:
		return int64(x), true
	}
	return 0, false
}

// At is a place in the main file for errors without one.
func (s *Source) At() nest.Pos { return nest.Pos{File: s.name} }
