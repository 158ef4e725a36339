package record

import (
	"debug/dwarf"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"

	"foresee/application/record/instrument"
)

// frame is a place in the source that code at an address stands for, or one from which that was inlined.
type frame struct {
	inlined      bool // into the next one
	file         string
	line, column int
	function     string // that the place is in; empty where it is not known
}

// allocation gives "file:line function name" of the call of an allocator before a return address: the innermost place that is no code of the system's headers nor of a function
// that only allocates for its caller. The name is that of the variable or member which the line gives the memory to; it is left out where the line does not tell.
func (s *symbols) allocation(pc uint64) string {
	outer := s.place(pc)
	frames := s.frames(pc - s.bias - 1)
	if len(frames) == 0 {
		return outer
	}
	i := slices.IndexFunc(frames, func(f frame) bool { return !isSystem(f.file) && !isAllocator(f.function) })
	if i < 0 {
		if i = slices.IndexFunc(frames, func(f frame) bool { return !isSystem(f.file) }); i < 0 {
			return outer
		}
	}
	f := frames[i]
	_, function, _ := strings.Cut(outer, " ")
	text := fmt.Sprintf("%s:%d %s", filepath.Base(f.file), f.line, function)
	line := s.text(f.file, f.line)
	name, kind := "", strings.ToLower(filepath.Ext(f.file))
	if m := allocates.FindStringSubmatch(line); m != nil && strings.HasPrefix(kind, ".f") {
		name = allocatable(m[1])
	} else if kind == ".rs" {
		name = boundTo(line, f.column)
	} else {
		name = givenTo(line, f.column)
	}
	if all := strings.Split(name, ","); len(all) > 1 { // of a statement that allocates several: the first address met is of the first
		k := s.given[text]
		if s.given == nil {
			s.given = map[string]int{}
		}
		s.given[text] = k + 1
		name = all[min(k, len(all)-1)]
	}
	if name != "" {
		text += " " + name
	}
	return text
}

// isSystem tells headers and sources of the system from those of programs.
func isSystem(file string) bool {
	return instrument.OfSystem(file) || strings.HasPrefix(file, "/usr/") || strings.HasPrefix(file, "/opt/") || strings.Contains(file, "/include/c++/")
}

// isAllocator tells functions that allocate for whoever calls them by their names.
func isAllocator(function string) bool {
	return strings.Contains(strings.ToLower(function), "alloc")
}

// frames are the places of an address, the innermost first; the lines are read already.
func (s *symbols) frames(at uint64) []frame {
	if s.dwarf == nil {
		if s.dwarf, _ = s.file.DWARF(); s.dwarf == nil {
			return nil
		}
	}
	reader := s.dwarf.Reader()
	unit, err := reader.SeekPC(at)
	if err != nil || unit == nil {
		return nil
	}
	table, err := s.dwarf.LineReader(unit)
	if err != nil || table == nil {
		return nil
	}
	row := sort.Search(len(s.lines), func(i int) bool { return s.lines[i].address > at }) - 1
	if row < 0 || s.lines[row].line == 0 {
		return nil
	}
	files := table.Files()
	all := []frame{{file: s.lines[row].file, line: s.lines[row].line, column: s.lines[row].column}}
	chain := s.inlined(reader, at)
	for i := len(chain) - 1; i >= 0; i-- { // from the innermost one
		e := chain[i]
		all[len(all)-1].function = s.nameOf(e, 0)
		if e.Tag != dwarf.TagInlinedSubroutine {
			break
		}
		all[len(all)-1].inlined = true
		file, _ := e.Val(dwarf.AttrCallFile).(int64)
		line, _ := e.Val(dwarf.AttrCallLine).(int64)
		column, _ := e.Val(dwarf.AttrCallColumn).(int64)
		if file < 0 || int(file) >= len(files) || files[file] == nil || line <= 0 {
			break
		}
		all = append(all, frame{file: files[file].Name, line: int(line), column: int(column)})
	}
	return all
}

// inlined are the function and the inlined ones of a unit that an address lies in, the outermost first.
func (s *symbols) inlined(reader *dwarf.Reader, at uint64) (chain []*dwarf.Entry) {
	depth := 0
	for {
		e, err := reader.Next()
		if err != nil || e == nil || e.Tag == dwarf.TagCompileUnit {
			return chain
		}
		if e.Tag == 0 { // the end of what is inside
			if depth--; depth <= 0 && len(chain) > 0 || depth < 0 {
				return chain
			}
			continue
		}
		inside := false
		switch e.Tag {
		case dwarf.TagSubprogram, dwarf.TagInlinedSubroutine, dwarf.TagLexDwarfBlock:
			ranges, err := s.dwarf.Ranges(e)
			inside = err == nil && slices.ContainsFunc(ranges, func(r [2]uint64) bool { return r[0] <= at && at < r[1] })
			if inside && e.Tag != dwarf.TagLexDwarfBlock {
				chain = append(chain, e)
			}
		case dwarf.TagNamespace, dwarf.TagModule:
			inside = true
		}
		switch {
		case e.Children && inside:
			depth++
		case e.Children:
			reader.SkipChildren()
		}
	}
}

// mostOrigins bounds how far the name of an inlined function is looked for. Chosen: compilers point from its copy to what it is a copy of, and from there to its declaration.
const mostOrigins = 4

// nameOf is the name of a function.
func (s *symbols) nameOf(e *dwarf.Entry, depth int) string {
	if name, ok := e.Val(dwarf.AttrName).(string); ok {
		return name
	}
	for _, a := range []dwarf.Attr{dwarf.AttrAbstractOrigin, dwarf.AttrSpecification} {
		if at, ok := e.Val(a).(dwarf.Offset); ok && depth < mostOrigins {
			r := s.dwarf.Reader()
			r.Seek(at)
			if origin, err := r.Next(); err == nil && origin != nil {
				return s.nameOf(origin, depth+1)
			}
		}
	}
	return ""
}

// mostSource bounds a source that is read for names, in bytes. Chosen: larger ones are generated.
const mostSource = 8 << 20

// text is a line of a source; empty where it cannot be read.
func (s *symbols) text(file string, line int) string {
	lines, known := s.texts[file]
	if !known {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Size() <= mostSource {
			if data, err := os.ReadFile(file); err == nil {
				lines = strings.Split(string(data), "\n")
			}
		}
		if s.texts == nil {
			s.texts = map[string][]string{}
		}
		s.texts[file] = lines
	}
	if line < 1 || line > len(lines) {
		return ""
	}
	return lines[line-1]
}

// What a line gives memory to, in C and C++ or, by allocate, in Fortran.
var (
	object    = `[A-Za-z_]\w*(?:(?:->|\.|::|%)[A-Za-z_]\w*|\[[^\]]*\])*`
	assigned  = regexp.MustCompile(`(` + object + `)\s*=\s*[^=]`)
	grown     = regexp.MustCompile(`(` + object + `)(?:\.|->)(?:resize|assign|push_back|push|extend|emplace_back|emplace|reserve|insert|reset)\s*\(`)
	declared  = regexp.MustCompile(`[\w>*&]\s*[\s>*&]([A-Za-z_]\w*)\s*[({;,]`)
	begins    = regexp.MustCompile(`^([A-Za-z_]\w*)\s*[({]`)
	made      = regexp.MustCompile(`([A-Za-z_]\w*)\s*[({]\s*new\b`)
	held      = regexp.MustCompile(`([A-Za-z_]\w*)\s*[({]\s*$`)
	allocates = regexp.MustCompile(`(?i)\ballocate\s*\((.*)`)
	maker     = regexp.MustCompile(`(?i)^(new|delete|return|if|while|for|sizeof|malloc|calloc|realloc|posix_memalign|make_(unique|shared)|.*alloc.*)$`)
	bound     = regexp.MustCompile(`\b(?:let|static)(?:\s+mut)?\s+([A-Za-z_]\w*)\s*[:=]`)
	field     = regexp.MustCompile(`(?:^|[{,(\s])([A-Za-z_]\w*)\s*:\s*[A-Za-z_(]`)
	extents   = regexp.MustCompile(`(?i)(` + object + `)\s*\(`)
)

// boundTo is the variable or member that a line of Rust gives memory to, which is allocated at a column, counted from 1; 0: anywhere.
func boundTo(line string, column int) string {
	before := line
	if column > 0 && column < len(line) {
		before = line[:column] // with the first character of what allocates
	}
	for _, names := range []*regexp.Regexp{bound, field} {
		if all := names.FindAllStringSubmatch(before, -1); len(all) > 0 {
			return all[len(all)-1][1]
		}
	}
	return givenTo(line, 0)
}

// givenTo is the variable or member that a line of C or C++ gives memory to, which is allocated at a column, counted from 1; 0: anywhere. It is empty where the line does not tell.
func givenTo(line string, column int) string {
	if column < 0 || column > len(line) {
		column = 0
	}
	before, after := line, ""
	if column > 0 {
		before, after = line[:column-1], line[column-1:]
		member := strings.HasSuffix(before, ".") || strings.HasSuffix(before, "->")
		if m := begins.FindStringSubmatch(after); m != nil && !maker.MatchString(m[1]) && !member { // a declaration or a member that is made here
			return m[1]
		}
		if m := held.FindStringSubmatch(before); m != nil && strings.HasPrefix(after, "new") && !maker.MatchString(m[1]) { // raw(new double[n])
			return m[1]
		}
	}
	if all := assigned.FindAllStringSubmatch(before+"  ", -1); len(all) > 0 {
		return strings.ReplaceAll(all[len(all)-1][1], " ", "")
	}
	if all := made.FindAllStringSubmatch(line, -1); len(all) == 1 {
		return all[0][1]
	}
	if m := grown.FindStringSubmatch(line); m != nil {
		return strings.ReplaceAll(m[1], " ", "")
	}
	if m := assigned.FindStringSubmatch(line); m != nil {
		return strings.ReplaceAll(m[1], " ", "")
	}
	if m := declared.FindStringSubmatch(line); m != nil && !maker.MatchString(m[1]) {
		return m[1]
	}
	return ""
}

// allocatable are the arrays of an allocate statement of Fortran, from behind its parenthesis on.
func allocatable(rest string) string {
	var names []string
	depth, from := 0, 0
	for i, c := range rest + ")" {
		switch {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case (c == ',' || c == ')') && depth == 0:
			if m := extents.FindStringSubmatch(rest[from:i]); m != nil {
				names = append(names, m[1])
			}
			if from = i + 1; c == ')' {
				return strings.Join(names, ",")
			}
		}
	}
	return strings.Join(names, ",")
}
