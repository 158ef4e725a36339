package parse

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"strings"

	"foresee/application/nest"
)

// Overridden takes the definitions of macros without arguments away from a text that the caller defines as well, where the text does not look whether they
// are defined: they define something else. Lines stay. So a definition of the caller holds, as if the file's stood between #ifndef and #endif.
func Overridden(text string, defines []string) string {
	for _, d := range defines {
		name, _, _ := strings.Cut(d, "=")
		if macroName.MatchString(name) && !looksFor(text, name) {
			text = regexp.MustCompile(`(?m)^([ \t]*#[ \t]*define[ \t]+)(`+name+`(?:[ \t\r\\]|$))`).ReplaceAllString(text, "${1}"+instead+"$2")
		}
	}
	return text
}

// instead begins the names of the macros that a text defines where the caller's hold.
const instead = "foresee_not_"

// macroName is the name of a macro without arguments.
var macroName = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// looksFor tells whether a text looks whether a macro is defined, or takes its definition back: then what the text says holds.
func looksFor(text, name string) bool {
	return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(ifndef[ \t]+` + name + `\b|undef[ \t]+` + name + `\b|(el)?if\b.*\b` + name + `\b)`).MatchString(text)
}

// noteOverridden says which definitions of the caller are taken instead of those of the files.
func (s *Source) noteOverridden() {
	for _, d := range s.asked {
		name, _, _ := strings.Cut(d, "=")
		m := s.AST.Macros[instead+name]
		if m == nil {
			continue
		}
		var body []string
		for _, t := range m.ReplacementList() {
			body = append(body, t.SrcStr())
		}
		at := m.Name.Position()
		s.Overrides = append(s.Overrides, d)
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s:%d: the definition %s is taken instead of that of the file, %s", at.Filename, at.Line, d, cmp.Or(strings.Join(body, " "), "nothing")))
	}
}

// definedElsewhere refuses definitions of the caller that a header has by itself: what is compiled reads the header as it is.
func (s *Source) definedElsewhere() error {
	for _, d := range s.asked {
		name, _, _ := strings.Cut(d, "=")
		word, _, arguments := strings.Cut(name, "(")
		m := s.AST.Macros[word]
		if m == nil {
			continue
		}
		at := m.Name.Position()
		text, read := s.includes.texts[at.Filename]
		switch {
		case !read || looksFor(text, word) || strings.HasPrefix(at.Filename, headerDir):
		case arguments:
			s.Warnings = append(s.Warnings, noEffect(word)+fmt.Sprintf("%s:%d defines %s itself; put that between #ifndef %s and #endif", at.Filename, at.Line, word, word))
		default:
			return &Error{
				Pos: nest.Pos{File: at.Filename, Line: at.Line, Column: 1}, Message: fmt.Sprintf("the definition %s has no effect: %s defines %s itself", d, path.Base(at.Filename), word),
				Remedy: fmt.Sprintf("put that between #ifndef %s and #endif", word),
			}
		}
	}
	return nil
}
