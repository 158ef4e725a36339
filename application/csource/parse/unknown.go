package parse

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// unknown is what a file uses of headers that are not there: it is read as far as it goes without them.
type unknown struct {
	angled map[string]bool // headers included as <name> that are nowhere
	empty  []string        // those of them that were taken as empty
	names  []string        // what the file uses and nothing declares, taken for integers that are not known

	reported []string // what the parser has told to be declared nowhere, the last time
}

// constantName is what headers of a system or a library call their constants.
var constantName = regexp.MustCompile(`^[A-Z][A-Z0-9]*_[A-Z0-9_]*$`)

// undeclared finds the names that the parser tells to be declared nowhere.
var undeclared = regexp.MustCompile(`\bundefined: ([A-Za-z_]\w*)`)

// mostRounds bounds how often a file is translated anew with more names declared: the parser may stop before it has seen all.
const mostRounds = 4

// takenAsEmpty says whether a header is nowhere, and notes that it was asked for.
func (u *unknown) takenAsEmpty(name string) bool {
	if !u.angled[name] || !strings.HasSuffix(name, ".h") {
		return false
	}
	if !slices.Contains(u.empty, name) {
		u.empty = append(u.empty, name)
	}
	return true
}

// declarations declares the names that nothing else does.
func (u *unknown) declarations() string {
	var b strings.Builder
	for _, name := range u.names {
		fmt.Fprintf(&b, "extern int %s;\n", name)
	}
	return b.String()
}

// declare takes the names over that the parser does not know and that headers may declare; false where there are none, or where there are others.
func (u *unknown) declare() bool {
	for _, name := range u.reported {
		if !constantName.MatchString(name) && len(u.empty) == 0 || slices.Contains(u.names, name) {
			return false
		}
	}
	u.names = append(u.names, u.reported...)
	return len(u.reported) > 0
}

// translateKnown translates a file, in which what the headers that are not there would declare is taken as not known.
func (s *Source) translateKnown(prefix string, includes []string) error {
	var first error
	for range mostRounds {
		s.pragmas, s.packings, s.includes.open, s.includes.count, s.unknown.reported = nil, nil, nil, 0, nil
		err := s.translate(prefix, includes)
		if err == nil {
			s.sayUnknown()
			return nil
		}
		if first == nil {
			first = err
		}
		if s.refused != nil || !s.unknown.declare() {
			break
		}
	}
	if len(s.unknown.empty) > 0 {
		return s.withoutHeaders(first)
	}
	return first
}

// sayUnknown warns of what the file was read without.
func (s *Source) sayUnknown() {
	for _, name := range slices.Sorted(slices.Values(s.unknown.empty)) {
		s.Warnings = append(s.Warnings, fmt.Sprintf("include file %s not found, and taken as empty; where it is there, name the folder that holds it", name))
	}
	if len(s.unknown.names) > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("not declared, and taken as integers that are not known: %s", strings.Join(slices.Sorted(slices.Values(s.unknown.names)), ", ")))
	}
}

// withoutHeaders is the error of a file that cannot be read without headers that are not there: the first of these, and what went wrong without them.
func (s *Source) withoutHeaders(err error) error {
	var all []error
	for _, name := range s.unknown.empty {
		e := &Error{Pos: s.At(), Message: fmt.Sprintf("include file %s not found", name), Remedy: "name the folder that holds it"}
		for _, file := range slices.Sorted(maps.Keys(s.includes.texts)) {
			if line, column := includeAt(s.includes.texts[file], name); line > 0 {
				e.Pos.File, e.Pos.Line, e.Pos.Column = file, line, column
				break
			}
		}
		all = append(all, e)
	}
	return errors.Join(append(all, err)...)
}

// includeAt is where a text includes <name>; 0 where it does not.
func includeAt(text, name string) (line, column int) {
	for i, l := range strings.Split(text, "\n") {
		if at := strings.Index(l, "<"+name+">"); at >= 0 && strings.Contains(l[:at], "include") {
			return i + 1, at + 1
		}
	}
	return 0, 0
}
