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
}

// constantName is what headers of a system or a library call their constants.
var constantName = regexp.MustCompile(`^[A-Z][A-Z0-9]*_[A-Z0-9_]*$`)

// mostRounds bounds how often a file is translated anew with more names declared: the parser tells of ten at a time.
const mostRounds = 20

// stub says whether a header is taken as empty.
func (u *unknown) stub(name string) bool {
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

// declare takes the names over that the parser does not know and that headers may declare; false where something else is wrong.
func (u *unknown) declare(err error) bool {
	found := false
	for _, e := range joined(err) {
		m := undeclaredName.FindStringSubmatch(e.Message)
		if m == nil {
			continue
		}
		if !constantName.MatchString(m[1]) && len(u.empty) == 0 || slices.Contains(u.names, m[1]) {
			return false
		}
		u.names, found = append(u.names, m[1]), true
	}
	return found
}

// undeclaredName is how parserError says that a name is not declared.
var undeclaredName = regexp.MustCompile(`^(\w+) is not declared$`)

// joined are the errors that one is made of.
func joined(err error) (all []*Error) {
	var several interface{ Unwrap() []error }
	if errors.As(err, &several) {
		for _, e := range several.Unwrap() {
			all = append(all, joined(e)...)
		}
		return all
	}
	var e *Error
	if errors.As(err, &e) {
		all = append(all, e)
	}
	return all
}

// translateKnown translates a file, in which what the headers that are not there would declare is taken as not known.
func (s *Source) translateKnown(prefix, text string, includes []string) error {
	var first error
	for range mostRounds {
		s.pragmas, s.includes.open, s.includes.count = nil, nil, 0
		err := s.translate(prefix, text, includes)
		if err == nil {
			s.sayUnknown()
			return nil
		}
		if first == nil {
			first = err
		}
		if s.refused != nil || !s.unknown.declare(err) {
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
	names := map[string]bool{}
	for _, name := range s.unknown.names {
		names[name] = true
	}
	if len(names) > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("not declared, and taken as integers that are not known: %s", strings.Join(slices.Sorted(maps.Keys(names)), ", ")))
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
