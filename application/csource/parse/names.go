package parse

import (
	"maps"
	"strings"
)

// typeWords begin declarations; with them a name that the caller defines is told from a macro.
var typeWords = map[string]bool{
	"int": true, "long": true, "short": true, "unsigned": true, "signed": true, "char": true, "const": true,
	"static": true, "register": true, "volatile": true, "size_t": true, "ssize_t": true, "ptrdiff_t": true,
	"float": true, "double": true, "_Bool": true, "bool": true, "extern": true, "auto": true,
}

func isTypeWord(s string) bool { return typeWords[s] || strings.HasSuffix(s, "_t") && len(s) > 2 }

// declaredNames finds which of the names are declared as variables or parameters in the text: they cannot be
// macros, since "int 1000" is no C. Names that the text defines as macros are none of these.
func declaredNames(src string, names map[string]bool) map[string]bool {
	found := map[string]bool{}
	d := declarations{}
	sc := newScanner(src)
	directive, lineStart := "", true
	macros := map[string]bool{}
	for {
		t := sc.next()
		switch {
		case t.text == "":
			maps.DeleteFunc(found, func(name string, _ bool) bool { return macros[name] })
			return found
		case t.text == "\n":
			directive, lineStart = "", true
			continue
		case t.text == "#" && lineStart:
			directive = "#"
		case directive == "#":
			directive = t.text
		case directive == "define":
			macros[t.text], directive = true, "defines"
		}
		lineStart = false
		if directive != "" {
			continue
		}
		if d.step(t.text) && names[t.text] {
			found[t.text] = true
		}
	}
}

// declarations tells declared names from used ones: after a type word or another name, or after a comma in a statement that began so.
type declarations struct {
	previous string
	before   string // the word or sign before the previous one
	first    string // word of the statement
	typed    bool   // it is the name of a type: another name follows it
	depth    int    // of brackets since
	braces   int    // that are open
	square   int    // brackets of subscripts that are
	value    bool   // it has come to what a variable is set to
}

// parameters tells whether what comes is in the list of a function's parameters.
func (d *declarations) parameters() bool {
	return d.braces == 0 && d.depth > 0 && d.square == 0 && !d.value
}

// beforeExpressions are the words that a name may follow that is not declared there.
var beforeExpressions = map[string]bool{"return": true, "goto": true, "case": true, "else": true, "do": true, "sizeof": true, "enum": true, "struct": true, "union": true, "typedef": true}

// step takes the next token and says whether it is a name that is declared here.
func (d *declarations) step(t string) bool {
	after := d.previous != "" && isWord(d.previous[0]) && !beforeExpressions[d.previous] && t != "" && isWord(t[0])
	d.typed = d.typed || after && d.previous == d.first
	declares := after || isTypeWord(d.previous) || d.previous == "*" && (isTypeWord(d.first) && d.depth == 0 && !d.value || isTypeWord(d.before) || d.parameters() && macroName.MatchString(d.before)) ||
		d.previous == "," && d.depth == 0 && (isTypeWord(d.first) || d.typed)
	switch t {
	case "{":
		d.braces++
	case "}":
		d.braces = max(d.braces-1, 0)
	case "[":
		d.square++
	case "]":
		d.square = max(d.square-1, 0)
	case "=":
		d.value = true
	case ",":
		d.value = d.value && d.depth > 0
	}
	switch t {
	case ";", "{", "}":
		d.first, d.typed, d.depth, d.square, d.value = "", false, 0, 0, false
	case "(", "[":
		if d.first == "for" && t == "(" {
			d.first = ""
		} else {
			d.depth++
		}
	case ")", "]":
		d.depth--
	default:
		if d.first == "" {
			d.first = t
		}
	}
	d.before, d.previous = d.previous, t
	return declares && isWord(t[0]) && !isTypeWord(t)
}
