package instrument

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A program may declare reductions of its own (declare reduction). Each thread begins with a copy that the program says, so that the result
// depends on how many there are unless that copy changes nothing: what adds and begins with 0, what multiplies and begins with 1. The
// optimised code does not show any more what came from where, so that the source is looked at.

// reduction is one that a source declares.
type reduction struct {
	types, combiner, initializer string
	given                        bool // the initializer
}

// ReductionsOf gives the graph's lines for the uses of reductions that a preprocessed source declares and that may depend on the number of
// threads; empty where there are none. All of these matter.
func ReductionsOf(source string, cxx bool) string {
	var text strings.Builder
	declared := map[string][]reduction{}
	seen := map[string]bool{}
	eachDirective(source, func(file string, line int, directive string) {
		if rest, ok := cutWords(directive, "declare", "reduction"); ok {
			if name, r, ok := parseReduction(rest); ok {
				declared[name] = append(declared[name], r)
			}
			return
		}
		for _, name := range reductionsUsed(directive) {
			at := fmt.Sprintf("%s\t%d\treduction(%s)", strings.ReplaceAll(filepath.Base(file), "\t", " "), line, name)
			if seen[at] || !slices.ContainsFunc(declared[name], func(r reduction) bool { return !r.neutral(cxx) }) {
				continue
			}
			seen[at] = true
			fmt.Fprintf(&text, "A\t%s\t%s\n", at, matters)
		}
	})
	return text.String()
}

// eachDirective gives the OpenMP directives of a preprocessed source with their places.
func eachDirective(source string, do func(file string, line int, directive string)) {
	file, line := "", 0
	for l := range strings.Lines(source) {
		line++
		if at, name, _, ok := lineMarker(l); ok {
			line, file = at-1, name
			continue
		}
		if rest, ok := strings.CutPrefix(strings.TrimSpace(l), "#"); ok {
			if directive, ok := cutWords(rest, "pragma", "omp"); ok {
				do(file, line, directive)
			}
		}
	}
}

// cutWords takes words off the beginning of a text.
func cutWords(text string, words ...string) (rest string, ok bool) {
	for _, w := range words {
		text = strings.TrimLeft(text, " \t")
		if text, ok = strings.CutPrefix(text, w); !ok || text != "" && isWordByte(text[0]) {
			return "", false
		}
	}
	return strings.TrimSpace(text), true
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// parseReduction reads (NAME : TYPES : COMBINER) initializer(INITIALIZER).
func parseReduction(text string) (name string, r reduction, ok bool) {
	body, rest, ok := bracketed(text)
	if !ok {
		return "", r, false
	}
	parts := splitColons(body)
	if len(parts) < 3 {
		return "", r, false
	}
	r.types, r.combiner = parts[1], strings.Join(parts[2:], ":")
	if _, after, there := strings.Cut(rest, "initializer"); there {
		r.initializer, _, r.given = bracketed(strings.TrimSpace(after))
	}
	return lastName(parts[0]), r, true
}

// bracketed takes what stands in the brackets that a text begins with.
func bracketed(text string) (body, rest string, ok bool) {
	if !strings.HasPrefix(text, "(") {
		return "", "", false
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return text[1:i], text[i+1:], true
			}
		}
	}
	return "", "", false
}

// splitColons splits at colons that are not of a::b.
func splitColons(text string) []string {
	const double = "\x00"
	parts := strings.Split(strings.ReplaceAll(text, "::", double), ":")
	for i := range parts {
		parts[i] = strings.TrimSpace(strings.ReplaceAll(parts[i], double, "::"))
	}
	return parts
}

// lastName is the name without the namespaces that it is in.
func lastName(name string) string {
	return withoutBlanks(name[strings.LastIndex(name, ":")+1:])
}

// reductionsUsed are the names in the clauses reduction([MODIFIER,] NAME : LIST), and those of tasks.
func reductionsUsed(directive string) (names []string) {
	for at := strings.Index(directive, "reduction"); at >= 0; {
		rest := directive[at+len("reduction"):]
		if body, _, ok := bracketed(strings.TrimSpace(rest)); ok {
			head := splitColons(body)[0]
			names = append(names, lastName(head[strings.LastIndexByte(head, ',')+1:]))
		}
		next := strings.Index(rest, "reduction")
		if next < 0 {
			break
		}
		at += len("reduction") + next
	}
	return names
}

var (
	adding      = regexp.MustCompile(`^omp_out(\S*)\+=omp_in(\S*)$`)
	multiplying = regexp.MustCompile(`^omp_out(\S*)\*=omp_in(\S*)$`)
	member      = regexp.MustCompile(`^(\.\w+|\[\w+\])*$`)
	zero        = regexp.MustCompile(`^omp_priv(=(\([\w*]+\))?\{?([0.]+[fFlLuU]*,?)*\}?|\([0.]+[fFlLuU]*\))$`)
	one         = regexp.MustCompile(`^omp_priv(=1\.?0*[fFlLuU]*|\(1\.?0*[fFlLuU]*\))$`)
	arithmetic  = regexp.MustCompile(`^((unsigned|signed|short|long|int|char|float|double|size_t|_Complex|complex|std::complex<[\w ]+>|u?int(8|16|32|64)_t)\s*,?\s*)+$`)
)

// neutral says that a copy with which a thread begins changes nothing: of sums and products, of numbers and of structures of C.
func (r *reduction) neutral(cxx bool) bool {
	if cxx && !arithmetic.MatchString(r.types) { // its operators may do anything
		return false
	}
	begin := withoutBlanks(r.initializer)
	for part := range strings.SplitSeq(withoutBlanks(r.combiner), ",") {
		form, begins := adding, !r.given || zero.MatchString(begin) // without an initializer they begin with 0
		if multiplying.MatchString(part) {
			form, begins = multiplying, r.given && one.MatchString(begin)
		}
		m := form.FindStringSubmatch(part)
		if m == nil || m[1] != m[2] || !member.MatchString(m[1]) || !begins {
			return false
		}
	}
	return true
}

func withoutBlanks(text string) string {
	return strings.Join(strings.Fields(text), "")
}
