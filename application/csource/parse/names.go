package parse

import (
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
// macros, since "int 1000" is no C. Names that preprocessor lines mention are macros.
func declaredNames(src string, names map[string]bool) map[string]bool {
	found := map[string]bool{}
	d := declarations{}
	sc := newScanner(src)
	directive, lineStart := false, true
	for {
		t := sc.next()
		switch {
		case t.text == "":
			return found
		case t.text == "\n":
			directive, lineStart = false, true
			continue
		case t.text == "#" && lineStart:
			directive = true
		}
		lineStart = false
		if directive {
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
	first    string // word of the statement
	typed    bool   // it is the name of a type: another name follows it
	depth    int    // of brackets since
}

// beforeExpressions are the words that a name may follow that is not declared there.
var beforeExpressions = map[string]bool{"return": true, "goto": true, "case": true, "else": true, "do": true, "sizeof": true, "enum": true, "struct": true, "union": true, "typedef": true}

// step takes the next token and says whether it is a name that is declared here.
func (d *declarations) step(t string) bool {
	after := d.previous != "" && isWord(d.previous[0]) && !beforeExpressions[d.previous] && t != "" && isWord(t[0])
	d.typed = d.typed || after && d.previous == d.first
	declares := after || isTypeWord(d.previous) || d.previous == "*" && isTypeWord(d.first) && d.depth == 0 ||
		d.previous == "," && d.depth == 0 && (isTypeWord(d.first) || d.typed)
	switch t {
	case ";", "{", "}":
		d.first, d.typed, d.depth = "", false, 0
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
	d.previous = t
	return declares && isWord(t[0]) && !isTypeWord(t)
}
