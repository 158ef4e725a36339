package probe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"foresee/application/nest"
)

// edit is text that is put into a file.
type edit struct {
	offset int
	text   string
}

// Files are the files in which something is told.
func (p *Plan) Files() []string {
	var all []string
	for _, r := range p.Regions {
		all = append(all, r.body.File)
	}
	for _, place := range p.Places {
		all = append(all, place.At.File)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Rewrite is the text of a file with calls that count the entries of regions and tell values. Where the text is not what the parser saw, such as in
// what a macro makes, nothing is told.
func (p *Plan) Rewrite(name, text string) string {
	f := file{text: text}
	for i, r := range p.Regions {
		if at, ok := f.offset(r.body); r.body.File == name && ok && strings.HasPrefix(text[at:], "{") {
			f.edits = append(f.edits, edit{at + 1, fmt.Sprintf(" FORESEE_ENTER(%d)", i)})
		}
	}
	for i, place := range p.Places {
		at, ok := f.offset(place.At)
		if place.At.File != name || !ok {
			continue
		}
		if body, ok := p.loops[place]; ok {
			begin, ok := f.offset(body)
			if !ok || body.File != name || !f.before(at, fmt.Sprintf(" FORESEE_COUNT(%d)", i)) {
				continue
			}
			if strings.HasPrefix(text[begin:], "{") {
				f.edits = append(f.edits, edit{begin + 1, fmt.Sprintf(" FORESEE_COUNTED(%d)", i)})
			} else {
				f.edits = append(f.edits, edit{begin, fmt.Sprintf("FORESEE_COUNTED_IN(%d) ", i)})
			}
			continue
		}
		asked := place.Text
		if m := memberBehind.FindStringSubmatch(asked); m != nil {
			asked = fmt.Sprintf("%s ? %s : 0", m[1], asked)
		}
		told := fmt.Sprintf(" FORESEE_TELL(%d, %s)", i, asked)
		if p.begins[place] {
			if strings.HasPrefix(text[at:], "{") {
				f.edits = append(f.edits, edit{at + 1, told})
			}
			continue
		}
		f.before(at, told)
	}
	slices.SortStableFunc(f.edits, func(a, b edit) int { return cmp.Compare(a.offset, b.offset) })
	var b strings.Builder
	last := 0
	for _, e := range f.edits {
		b.WriteString(text[last:e.offset] + e.text)
		last = e.offset
	}
	b.WriteString(text[last:])
	return b.String()
}

// file is a text that is being edited.
type file struct {
	text  string
	edits []edit
}

// offset is where a place is in the text.
func (f *file) offset(p nest.Pos) (int, bool) {
	at := 0
	for range p.Line - 1 {
		n := strings.IndexByte(f.text[at:], '\n')
		if n < 0 {
			return 0, false
		}
		at += n + 1
	}
	at += p.Column - 1
	return at, p.Line > 0 && p.Column > 0 && at < len(f.text)
}

// before puts text before the statement that begins at an offset, and before the directives that belong to it.
func (f *file) before(at int, text string) bool {
	start := strings.LastIndexByte(f.text[:at], '\n') + 1
	if strings.TrimSpace(f.text[start:at]) == "" {
		if directive, ok := f.directives(start); ok {
			line := strings.Count(f.text[:directive], "\n") + 1
			return f.put(directive, fmt.Sprintf("%s\n#line %d\n", text, line))
		}
	}
	return f.put(at, text+" ")
}

// put adds an edit where a statement may begin.
func (f *file) put(at int, text string) bool {
	before := f.codeBefore(at)
	if before != '{' && before != '}' && before != ';' && before != ':' {
		return false
	}
	f.edits = append(f.edits, edit{at, text})
	return true
}

// directives are the pragmas right above a line, with empty lines and comments of a line between, and the conditions under which they stand; where the
// first begins.
func (f *file) directives(start int) (first int, ok bool) {
	inside := 0      // of how many conditions
	pragmas := false // in the outermost of them
	for start > 0 {
		above := strings.LastIndexByte(f.text[:start-1], '\n') + 1
		for above > 0 && strings.HasSuffix(strings.TrimRight(f.text[:above-1], " \t\r"), `\`) {
			above = strings.LastIndexByte(f.text[:above-1], '\n') + 1
		}
		line := strings.TrimSpace(f.text[above:start])
		switch {
		case strings.HasPrefix(line, "_Pragma"), directive(line) == "pragma":
			if pragmas = true; inside == 0 {
				first, ok = above, true
			}
		case directive(line) == "endif":
			if inside++; inside == 1 {
				pragmas = false
			}
		case inside > 0 && (directive(line) == "else" || directive(line) == "elif"):
		case inside > 0 && strings.HasPrefix(directive(line), "if"):
			if inside--; inside == 0 && pragmas {
				first, ok = above, true
			}
		case line == "", strings.HasPrefix(line, "//"), strings.HasPrefix(line, "/*") && strings.HasSuffix(line, "*/"):
		default:
			return first, ok
		}
		start = above
	}
	return first, ok
}

// directive is the word of a directive of the preprocessor; "" of another line.
func directive(line string) string {
	rest, is := strings.CutPrefix(line, "#")
	words := strings.FieldsFunc(rest, func(r rune) bool { return r < 'a' || r > 'z' })
	if !is || len(words) == 0 {
		return ""
	}
	return words[0]
}

// codeBefore is the last character of code before an offset; comments and directives are none.
func (f *file) codeBefore(at int) byte {
	var last byte
	rest := f.text[:at]
	fresh := true // nothing but space since the line began
	for i := 0; i < len(rest); {
		c := rest[i]
		n := 1
		switch {
		case c == '\n':
			fresh = true
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			i++
			continue
		case strings.HasPrefix(rest[i:], "//") || c == '#' && fresh:
			n = lineLength(rest[i:])
			i += n
			continue
		case strings.HasPrefix(rest[i:], "/*"):
			end := strings.Index(rest[i+2:], "*/")
			if end < 0 {
				return 0 // within a comment
			}
			i += end + 4
			continue
		case c == '"' || c == '\'':
			n = quotedLength(rest[i:])
		}
		last, fresh = c, false
		i += n
	}
	return last
}

// lineLength is how long a line is that may go on behind a backslash.
func lineLength(s string) int {
	for at := 0; ; {
		n := strings.IndexByte(s[at:], '\n')
		if n < 0 {
			return len(s)
		}
		if at += n + 1; !strings.HasSuffix(strings.TrimRight(s[:at-1], "\r"), `\`) {
			return at - 1
		}
	}
}

// quotedLength is how long a string or character is.
func quotedLength(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return len(s)
}
