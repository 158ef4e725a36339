package parse

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"foresee/application/nest"
)

// Limits on what is parsed. The parser recurses, and a Go stack overflow cannot be recovered from, so depth is
// checked on the tokens before.
const (
	MaxNesting    = 500     // brackets within brackets
	maxStatement  = 20000   // tokens of one statement or initializer element
	maxElse       = 1000    // links of an else-if chain
	maxConditions = 1000    // #if within #if
	maxPragmas    = 500     // before one statement: parallel regions nest by them alone
	maxTokens     = 3000000 // after macro expansion
)

// token is a word, number, string or punctuation mark of C, without its meaning.
type token struct {
	text         string
	line, column int
}

// scanner splits C text into tokens; it skips comments.
type scanner struct {
	src          string
	at           int
	line, column int
}

func newScanner(src string) *scanner { return &scanner{src: src, line: 1, column: 1} }

// next gives the next token, a "\n" for each line end, or "" at the end.
func (s *scanner) next() token {
	for {
		if s.at >= len(s.src) {
			return token{line: s.line, column: s.column}
		}
		rest := s.src[s.at:]
		switch c := rest[0]; {
		case strings.HasPrefix(rest, "/*"):
			s.skip(commentLength(rest))
		case strings.HasPrefix(rest, "//"):
			s.skip(lineLength(rest))
		case strings.HasPrefix(rest, "\\\n"):
			s.skip(2)
		case c == '\n':
			t := token{"\n", s.line, s.column}
			s.skip(1)
			return t
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			s.skip(1)
		default:
			t := token{rest[:tokenLength(rest)], s.line, s.column}
			s.skip(len(t.text))
			return t
		}
	}
}

// skip passes over n bytes and keeps count of lines and columns.
func (s *scanner) skip(n int) {
	for _, c := range []byte(s.src[s.at : s.at+n]) {
		s.column++
		if c == '\n' {
			s.line, s.column = s.line+1, 1
		}
	}
	s.at += n
}

func commentLength(s string) int {
	if i := strings.Index(s[2:], "*/"); i >= 0 {
		return i + 4
	}
	return len(s)
}

func lineLength(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

// tokenLength is how many bytes the token has that a text begins with.
func tokenLength(s string) int {
	switch c := s[0]; {
	case c == '"' || c == '\'':
		return quotedLength(s)
	case isWord(c):
		n := 1
		for n < len(s) && isWord(s[n]) {
			n++
		}
		return n
	}
	return 1
}

// quotedLength is how many bytes a string or a character has with its quotes, or the rest of the line where it does not end.
func quotedLength(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(s)
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// checkDepth refuses text that would nest too deeply in the parser. raw says that it is a file's own, where places mean something.
func checkDepth(file, src string, raw bool) *Error {
	d := depth{}
	sc := newScanner(src)
	for n := 0; ; n++ {
		t := sc.next()
		if t.text == "" {
			return nil
		}
		what := d.step(t.text)
		if n > maxTokens {
			what = fmt.Sprintf("the file has more than %d words and signs", maxTokens)
		}
		switch {
		case what == "":
		case raw:
			return &Error{Pos: nest.Pos{File: file, Line: t.line, Column: t.column}, Message: what, Remedy: TraceRemedy}
		default:
			return &Error{Pos: nest.Pos{File: file}, Message: what + ", once macros are expanded and headers included", Remedy: TraceRemedy}
		}
	}
}

// checkBalance refuses text whose brackets do not match: the parser would look for the missing ones without end.
// The place is found in raw, the text before macro expansion, when that does not match either.
func checkBalance(file, raw, expanded string) *Error {
	if ok, _ := unmatched(expanded); ok {
		return nil
	}
	e := &Error{Pos: nest.Pos{File: file}, Message: "brackets do not match"}
	if ok, t := unmatched(raw); !ok {
		e.Pos.Line, e.Pos.Column = t.line, t.column
		if e.Message = t.text + " is not closed"; closers[t.text] == "" {
			e.Message = t.text + " closes nothing"
		}
	}
	return e
}

// unmatched finds the first bracket without a counterpart.
func unmatched(src string) (ok bool, at token) {
	var open []token
	sc := newScanner(src)
	for t := sc.next(); t.text != ""; t = sc.next() {
		switch t.text {
		case "(", "[", "{":
			open = append(open, t)
		case ")", "]", "}":
			if len(open) == 0 {
				return false, t
			}
			last := open[len(open)-1]
			if closers[last.text] != t.text {
				return false, last
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return false, open[len(open)-1]
	}
	return true, token{}
}

var closers = map[string]string{"(": ")", "[": "]", "{": "}"}

// undefinedElement names a structure of which there is an array, but no definition: the parser does not come to
// an end on its initializer.
func undefinedElement(src string) string {
	var last [4]string
	arrays, defined := map[string]bool{}, map[string]bool{}
	attribute, depth := false, 0
	sc := newScanner(src)
	for t := sc.next(); t.text != ""; t = sc.next() {
		if t.text == "\n" {
			continue
		}
		if t.text == "__attributes" || t.text == "__layout" {
			attribute = true
		}
		if attribute {
			switch t.text {
			case "(":
				depth++
			case ")":
				depth--
				attribute = depth > 0
			}
			continue
		}
		last = [4]string{last[1], last[2], last[3], t.text}
		switch {
		case isTag(last[1]) && t.text == "{":
			defined[last[1]+" "+last[2]] = true
		case isTag(last[0]) && t.text == "[":
			arrays[last[0]+" "+last[1]] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		if !defined[name] {
			return name
		}
	}
	return ""
}

func isTag(s string) bool { return s == "struct" || s == "union" }

// depth follows brackets, the length of statements, chains of else, and the preprocessor's conditions.
type depth struct {
	open             []byte
	statement, elses int
	previous         string
	directive        bool // in a directive
	conditions       int  // #if within #if
	pragmas          int  // since the last word or sign outside of directives
}

// step takes one token in and says what is too deep, if anything.
func (d *depth) step(t string) string {
	d.statement++
	d.preprocess(t)
	switch t {
	case "(", "[", "{":
		d.open = append(d.open, t[0])
		if t == "{" {
			d.statement = 0
		}
	case ")", "]", "}":
		if len(d.open) > 0 {
			d.open = d.open[:len(d.open)-1]
		}
		if len(d.open) == 0 {
			d.elses = 0
		}
		if t == "}" {
			d.statement = 0
		}
	case ";":
		if d.within() != '(' { // loops may stand in loops without braces
			d.statement = 0
		}
	case ",":
		if d.within() == '{' {
			d.statement = 0
		}
	case "else":
		d.elses++
	}
	switch {
	case len(d.open) > MaxNesting:
		return fmt.Sprintf("brackets nest more than %d deep", MaxNesting)
	case d.statement > maxStatement:
		return fmt.Sprintf("a statement of more than %d words and signs", maxStatement)
	case d.elses > maxElse:
		return fmt.Sprintf("a function has more than %d else", maxElse)
	case d.pragmas > maxPragmas:
		return fmt.Sprintf("more than %d pragmas before one statement", maxPragmas)
	case d.conditions > maxConditions:
		return fmt.Sprintf("#if nests more than %d deep", maxConditions)
	}
	return ""
}

// within is the bracket around, 0 outside of all.
func (d *depth) within() byte {
	if len(d.open) == 0 {
		return 0
	}
	return d.open[len(d.open)-1]
}

// preprocess follows directives: each is a statement of its own line.
func (d *depth) preprocess(t string) {
	switch {
	case t == "\n":
		d.statement--
		if d.directive {
			d.statement, d.directive = 0, false
		}
	case t == "#" && (d.previous == "\n" || d.previous == ""):
		d.directive = true
	case d.directive && d.previous == "#" && (t == "if" || t == "ifdef" || t == "ifndef"):
		d.conditions++
	case d.directive && d.previous == "#" && t == "endif":
		d.conditions = max(0, d.conditions-1)
	case d.directive && d.previous == "#" && t == "pragma":
		d.pragmas++
	case !d.directive:
		d.pragmas = 0
	}
	d.previous = t
}
