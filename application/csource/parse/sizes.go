package parse

import (
	"regexp"
	"strings"
)

// Size is a macro of the file, or one that the caller defines and the file names, that stands for an integer.
type Size struct {
	Name  string
	Value int64
	Line  int  // where the file defines it, or first names it
	Given bool // the caller can define it: the file defines it only where nobody else does
}

// defining is a line that defines a macro, or asks whether it is defined.
var defining = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(ifndef|define)[ \t]+([A-Za-z_]\w*)`)

// Sizes are the macros of the file that stand for integers, in the order of the text.
func (s *Source) Sizes() (out []Size) {
	seen := map[string]int{}
	for _, m := range defining.FindAllStringSubmatchIndex(s.text, -1) {
		name, guard := s.text[m[4]:m[5]], s.text[m[2]:m[3]] == "ifndef"
		if i, ok := seen[name]; ok {
			if i >= 0 && !guard && out[i].Given { // the line of the value itself
				out[i].Line = 1 + strings.Count(s.text[:m[0]], "\n")
			}
			continue
		}
		seen[name] = -1
		if v, ok := s.Macro(name); ok {
			seen[name] = len(out)
			out = append(out, Size{Name: name, Value: v, Line: 1 + strings.Count(s.text[:m[0]], "\n"), Given: guard})
		}
	}
	return out
}
