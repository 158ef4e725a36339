package parse

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"foresee/application/nest"
)

// A program of several files is read as one text. What is a file's own in C is so here too: its macros end with it, and what it calls static has a name of
// its own where another file has the same.

// outer is a name that a file defines outside functions.
type outer struct {
	static, function bool
	at               nest.Pos
}

// outerNames are those of a text, declarations of what is elsewhere left out.
func outerNames(file, text string) map[string]outer {
	all := map[string]outer{}
	sc := newScanner(text)
	var words []token // of the declaration so far
	depth, directive, lineStart := 0, false, true
	note := func(function bool) {
		d := declared(words)
		for _, name := range d.names(function) {
			if known, again := all[name]; !again || !known.function {
				all[name] = outer{static: d.has("static"), function: function, at: nest.Pos{File: file, Line: words[0].line, Column: words[0].column}}
			}
		}
	}
	for t := sc.next(); t.text != ""; t = sc.next() {
		switch {
		case t.text == "\n":
			directive, lineStart = false, true
			continue
		case t.text == "#" && lineStart:
			directive = true
		}
		lineStart = false
		switch {
		case directive:
		case t.text == "{":
			if depth++; depth == 1 && len(words) > 0 {
				note(words[len(words)-1].text == ")")
			}
		case t.text == "}":
			if depth = max(depth-1, 0); depth == 0 && !declared(words).has("=") {
				words = nil
			}
		case depth > 0:
		case t.text == ";":
			note(false)
			words = nil
		default:
			words = append(words, t)
		}
	}
	return all
}

// declared are the words of a declaration, or of one up to a brace.
type declared []token

func (d declared) has(word string) bool {
	return slices.ContainsFunc(d, func(t token) bool { return t.text == word })
}

// names are that of the function, or those of the variables, which are declared; none of what is elsewhere.
func (d declared) names(function bool) (all []string) {
	if len(d) < 2 || d.has("extern") || d.has("typedef") || d.onlyType() {
		return nil
	}
	name, depth, value := "", 0, false
	for i, t := range d {
		switch {
		case t.text == "(" && depth == 0 && strings.HasPrefix(d[max(i-1, 0)].text, "__attribut"):
			depth, name = 1, ""
		case t.text == "(" && depth == 0 && name != "" && !value:
			if function {
				return []string{name}
			}
			return all // a function, or a pointer to one
		case t.text == "(" || t.text == "[":
			depth++
		case t.text == ")" || t.text == "]":
			depth--
		case depth > 0:
		case t.text == "=":
			value = true
		case t.text == "," && name != "":
			all, name, value = append(all, name), "", false
		case isWord(t.text[0]) && !value:
			name = t.text
		}
	}
	if function || name == "" {
		return nil
	}
	return append(all, name)
}

// onlyType says whether a declaration only declares a structure, a union or an enumeration.
func (d declared) onlyType() bool {
	return len(d) == 2 && (d[0].text == "struct" || d[0].text == "union" || d[0].text == "enum")
}

var definedMacro = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)`)

// units are the texts of the files of a program, each behind ends of the macros of the one before, other than those that the caller defines. What is static
// and has a name that another file has as well gets one of its own, from the first such declaration on: headers before it may have members called so. Two
// files that define the same function are no program.
func (s *Source) units(prefix string) ([]part, error) {
	files := append([]part{{s.name, s.text}}, s.others...)
	if len(files) == 1 {
		return files, nil
	}
	kept := map[string]bool{}
	for _, m := range definedMacro.FindAllStringSubmatch(prefix, -1) {
		kept[m[1]] = true
	}
	names := make([]map[string]outer, len(files))
	for i, f := range files {
		names[i] = outerNames(f.name, f.text)
	}
	if err := definedTwice(names); err != nil {
		return nil, err
	}
	ended := map[string]bool{} // macros of the file before
	for i, f := range files {
		ends := ""
		for _, m := range slices.Sorted(maps.Keys(ended)) {
			ends += "#undef " + m + "\n"
		}
		clear(ended)
		for _, m := range definedMacro.FindAllStringSubmatch(f.text, -1) {
			ended[m[1]] = !kept[m[1]]
		}
		maps.DeleteFunc(ended, func(_ string, ends bool) bool { return !ends })
		renamed, first := "", 0
		for _, n := range slices.Sorted(maps.Keys(names[i])) {
			own := names[i][n]
			if !own.static || keeperOf(n, names, files) == i {
				continue
			}
			renamed += fmt.Sprintf("#define %s %s_%s\n", n, n, stem(f.name))
			ended[n] = true
			if first == 0 || own.at.Line < first {
				first = own.at.Line
			}
		}
		files[i].text = ends + "#line 1\n" + f.text
		if renamed != "" {
			head, rest := atLine(f.text, first)
			files[i].text = ends + "#line 1\n" + head + renamed + fmt.Sprintf("#line %d\n", first) + rest
		}
	}
	return files, nil
}

// atLine parts a text before a line.
func atLine(text string, line int) (head, rest string) {
	rest = text
	for range line - 1 {
		_, after, more := strings.Cut(rest, "\n")
		if !more {
			break
		}
		rest = after
	}
	return text[:len(text)-len(rest)], rest
}

// definedTwice refuses files of which two define the same function for all to call.
func definedTwice(names []map[string]outer) error {
	for i, all := range names {
		for _, n := range slices.Sorted(maps.Keys(all)) {
			for _, before := range names[:i] {
				if own, other := all[n], before[n]; own.function && other.function && !own.static && !other.static {
					return &Error{
						Pos: own.at, Message: fmt.Sprintf("%s is defined here and at %s, so that the files are no one program", n, other.at),
						Remedy: "give the files of one program; of versions, compare tells which is faster", Whole: true,
					}
				}
			}
		}
	}
	return nil
}

// keeperOf is the file that keeps a name as it is: the one for which it is not static, else one that has members of that name, which may be those of a header,
// else the first.
func keeperOf(n string, names []map[string]outer, files []part) int {
	var all []int
	for i := range names {
		own, there := names[i][n]
		if there && !own.static {
			return i
		}
		if there {
			all = append(all, i)
		}
	}
	if len(all) > 1 {
		member := regexp.MustCompile(`(\.|->)\s*` + n + `\b`)
		if i := slices.IndexFunc(all, func(i int) bool { return member.MatchString(files[i].text) }); i >= 0 {
			return all[i]
		}
	}
	return all[0]
}

var notOfWords = regexp.MustCompile(`\W`)

// stem is the name of a file as part of a word.
func stem(name string) string {
	return notOfWords.ReplaceAllString(strings.TrimSuffix(path.Base(name), path.Ext(name)), "_")
}
