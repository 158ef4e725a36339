package parse

import (
	"regexp"
	"strings"

	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// Pragma is a #pragma that matters: OpenMP's, scop and endscop.
type Pragma struct {
	Pos     nest.Pos
	Kind    string   // omp, scop, endscop
	Words   []string // of the directive: parallel, for, …
	clauses []clause
}

// clause is name(arguments) of a directive.
type clause struct {
	name string
	args string
}

// directiveWords are what the name of an OpenMP directive is made of.
var directiveWords = map[string]bool{
	"parallel": true, "for": true, "simd": true, "sections": true, "section": true, "single": true, "master": true,
	"masked": true, "critical": true, "atomic": true, "barrier": true, "taskwait": true, "taskyield": true,
	"task": true, "taskloop": true, "taskgroup": true, "target": true, "teams": true, "distribute": true,
	"ordered": true, "flush": true, "threadprivate": true, "declare": true, "cancel": true, "cancellation": true,
	"loop": true, "scan": true, "scope": true, "data": true, "enter": true, "exit": true, "update": true,
	"depobj": true, "interop": true, "requires": true, "metadirective": true, "dispatch": true, "tile": true,
	"unroll": true, "assume": true, "error": true, "nothing": true, "allocate": true, "do": true,
}

// alsoClauses are those of them that begin a directive, and are clauses behind others.
var alsoClauses = map[string]bool{"ordered": true, "allocate": true, "depobj": true}

// The parser loses the place of _Pragma("x"). On a line of its own it is written as #pragma x; elsewhere, as in macros, it gets another name, of the same
// length, which the parser takes for a macro: a declaration without effect that holds the text, and that statements of a block and what stands outside
// functions may have before them.
const (
	pragmaWord   = "_Pragm_"
	pragmaHolder = "#define " + pragmaWord + "(x) _Static_assert(1, \"" + holderMark + "\" x)\n"
	holderMark   = "_Pragma "
)

var (
	pragmaOperator = regexp.MustCompile(`(?m)^([ \t]*)_Pragma[ \t]*\([ \t]*"([^"\\\n]*)"[ \t]*\)[ \t]*$`)
	pragmaName     = regexp.MustCompile(`\b_Pragma\b`)
)

// prepare rewrites the pragma operators of a file, macros of the standard, attributes and its end: the parser does not come to one when a file ends
// with a backslash within a string.
func prepare(text string) string {
	text = onlyLayout(withStandardMacros(strings.TrimRight(text, "\\ \t\r\n") + "\n"))
	if !strings.Contains(text, "_Pragma") {
		return text
	}
	return pragmaName.ReplaceAllString(pragmaOperator.ReplaceAllString(text, "$1#pragma $2"), pragmaWord)
}

// word is a word or a sign of a pragma, and whether a blank stands before it.
type word struct {
	text  string
	apart bool
}

// wordsOf are the words of tokens.
func wordsOf(t []cc.Token) (all []word) {
	for _, x := range t {
		all = append(all, word{x.SrcStr(), len(x.Sep()) > 0})
	}
	return all
}

// wordsIn are the words of a text.
func wordsIn(text string) (all []word) {
	sc := newScanner(text)
	end := 0
	for t := sc.next(); t.text != ""; t = sc.next() {
		all = append(all, word{t.text, sc.at-len(t.text) > end})
		end = sc.at
	}
	return all
}

// newPragma reads what stands behind #pragma; nil when the pragma does not matter.
func newPragma(pos nest.Pos, t []word) *Pragma {
	if len(t) == 0 || t[0].text != "omp" && t[0].text != "scop" && t[0].text != "endscop" {
		return nil
	}
	p := &Pragma{Pos: pos, Kind: t[0].text}
	rest := t[1:]
	for len(rest) > 0 && directiveWords[rest[0].text] && (len(p.Words) == 0 || !alsoClauses[rest[0].text]) {
		p.Words = append(p.Words, rest[0].text)
		rest = rest[1:]
	}
	if len(p.Words) == 0 && len(rest) > 0 { // unknown: kept for the message
		p.Words, rest = []string{rest[0].text}, rest[1:]
	}
	p.clauses = parseClauses(rest)
	return p
}

// join writes words with blanks where the source has some.
func join(t []word) string {
	var b strings.Builder
	for i, x := range t {
		if i > 0 && x.apart {
			b.WriteByte(' ')
		}
		b.WriteString(x.text)
	}
	return b.String()
}

// parseClauses splits what follows a directive into clauses with their arguments.
func parseClauses(t []word) []clause {
	var all []clause
	for i := 0; i < len(t); i++ {
		name := t[i].text
		switch {
		case name == ",":
		case name == "(": // critical(name), flush(list)
			end := closing(t, i)
			all = append(all, clause{"", join(t[i+1 : end])})
			i = end
		case i+1 < len(t) && t[i+1].text == "(":
			end := closing(t, i+1)
			all = append(all, clause{name, join(t[i+2 : end])})
			i = end
		default:
			all = append(all, clause{name, ""})
		}
	}
	return all
}

// closing is the index of the bracket that closes the one at i, or the end.
func closing(t []word, i int) int {
	depth := 0
	for ; i < len(t); i++ {
		switch t[i].text {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(t)
}

// Is tells whether a word is among those of the directive.
func (p *Pragma) Is(word string) bool {
	for _, w := range p.Words {
		if w == word {
			return true
		}
	}
	return false
}

// Clause gives the arguments of a clause.
func (p *Pragma) Clause(name string) (string, bool) {
	for _, c := range p.clauses {
		if c.name == name {
			return c.args, true
		}
	}
	return "", false
}

// Names lists the variables in all clauses of that name: private(a, b).
func (p *Pragma) Names(name string) []string {
	var all []string
	for _, c := range p.clauses {
		if c.name != name {
			continue
		}
		for _, n := range strings.Split(c.args, ",") {
			if n = strings.TrimSpace(n); n != "" {
				all = append(all, n)
			}
		}
	}
	return all
}

// String is the directive as written, without clauses.
func (p *Pragma) String() string { return strings.Join(append([]string{p.Kind}, p.Words...), " ") }
