package machine

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// A broken file can be wrong in a hundred thousand places: so many problems are collected, and so many shown.
// The YAML library takes quadratic time and memory for keys that repeat: it sees no larger or worse tree.
const (
	maxNodes    = 20_000
	maxProblems = 500
	maxShown    = 50
)

// problem is one thing wrong with a machine: where, by keys and indices, and what with its remedy.
type problem struct {
	path []any // "levels", 1, "ways"
	line int   // 0 where only the path is known
	col  int
	text string
}

// Parse reads a machine file. name stands in the errors, which are all reported at once, each with its place.
func Parse(name string, data []byte) (m *Machine, err error) {
	// The YAML library has panicked on broken input before.
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, fmt.Errorf("%s: not a readable YAML file (%v)", name, r)
		}
	}()
	if len(data) > MaxFile {
		return nil, fmt.Errorf("%s: larger than %s, which no machine file is", name, FormatSize(MaxFile))
	}
	var root yaml.Node
	if err := yaml.Load(data, &root); err != nil {
		return nil, report(name, nil, libraryProblems(err))
	}
	top := content(&root)
	if count(top) > maxNodes {
		return nil, fmt.Errorf("%s: holds more than %d keys and values, which no machine file does", name, maxNodes)
	}
	problems, read, whole := readMachine(top, data)
	for _, p := range read.problems() {
		if whole && !overlaps(p.path, problems) {
			problems = append(problems, p)
		}
	}
	if len(problems) > 0 {
		return nil, report(name, top, problems)
	}
	return read, nil
}

// Describes says whether a file is meant to describe a machine, sound or not: most of its fields are those of one.
func Describes(data []byte) (is bool) {
	defer func() {
		if recover() != nil { // as in Parse
			is = false
		}
	}()
	var root yaml.Node
	if len(data) > MaxFile || yaml.Load(data, &root) != nil {
		return false
	}
	top := content(&root)
	if top.Kind != yaml.MappingNode {
		return false
	}
	names, _ := fieldsOf(reflect.TypeFor[Machine]())
	known := 0
	for i := 0; i < len(top.Content); i += 2 {
		if slices.Contains(names, top.Content[i].Value) {
			known++
		}
	}
	return 2*known > len(top.Content)/2
}

// readMachine reads what can be read, and tells whether all fields that are sound have been.
func readMachine(top *yaml.Node, data []byte) (problems []problem, read *Machine, whole bool) {
	read = &Machine{}
	problems, readable := checkMachine(top)
	own := len(problems)
	if !readable || own == maxProblems {
		return problems, read, false
	}
	if err := yaml.Load(data, read, yaml.WithKnownFields()); err != nil {
		problems = addUnreported(problems, libraryProblems(err))
	}
	return problems, read, top.Kind == yaml.MappingNode && len(problems) == own
}

// content is the mapping inside a document node.
func content(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
		return n.Content[0]
	}
	return n
}

// count is the number of nodes of a tree.
func count(n *yaml.Node) int {
	all := 1
	for _, c := range n.Content {
		all += count(c)
	}
	return all
}

// libraryProblems turns what the YAML library found into ours.
func libraryProblems(err error) []problem {
	var several *yaml.LoadErrors
	if errors.As(err, &several) {
		var out []problem
		for _, e := range several.Errors[:min(maxProblems, len(several.Errors))] {
			out = append(out, problem{line: e.Mark.Line, col: e.Mark.Column, text: libraryText(e.Message)})
		}
		return out
	}
	var one *yaml.LoadError
	if errors.As(err, &one) {
		text := libraryText(one.Message)
		if one.ContextMsg != "" {
			text += ", " + one.ContextMsg
		}
		return []problem{{line: one.Mark.Line, col: one.Mark.Column, text: text}}
	}
	return []problem{{text: libraryText(err.Error())}}
}

// libraryText says in our words what the YAML library says in its own.
func libraryText(message string) string {
	switch message = strings.TrimPrefix(message, "yaml: "); {
	case strings.Contains(message, "no documents"):
		return "the file is empty; docs/machines.md shows what a machine file holds"
	case strings.Contains(message, "found multiple"):
		return "more than one YAML document; write each machine to its own file"
	}
	return "not valid YAML: " + message
}

// addUnreported adds what the library found at places where our own check found nothing.
func addUnreported(problems, more []problem) []problem {
	own := len(problems)
	for _, p := range more {
		same := func(q problem) bool { return q.line == p.line && (q.col == p.col || p.line == 0) }
		if !slices.ContainsFunc(problems[:own], same) {
			problems = append(problems, p)
		}
	}
	return problems
}

// overlaps tells whether something is already wrong at, above or below the path.
func overlaps(path []any, problems []problem) bool {
	return slices.ContainsFunc(problems, func(p problem) bool {
		n := min(len(p.path), len(path))
		return n > 0 && slices.Equal(p.path[:n], path[:n])
	})
}

// report joins the problems into one error, in the order of the file, each as file:line:column: path: text.
func report(name string, top *yaml.Node, problems []problem) error {
	for i, p := range problems {
		if p.line == 0 && top != nil {
			problems[i].line, problems[i].col = place(top, p.path)
		}
	}
	slices.SortStableFunc(problems, func(a, b problem) int {
		return cmp.Or(a.line-b.line, a.col-b.col)
	})
	var all []error
	for i, p := range problems {
		if i == maxShown {
			all = append(all, fmt.Errorf("%s: … and %d more", name, len(problems)-maxShown))
			break
		}
		text := p.text
		if len(p.path) > 0 {
			text = pathString(p.path) + ": " + text
		}
		if p.line > 0 {
			all = append(all, fmt.Errorf("%s:%d:%d: %s", name, p.line, p.col, text))
		} else {
			all = append(all, fmt.Errorf("%s: %s", name, text))
		}
	}
	return errors.Join(all...)
}

// place finds where the path leads, or the nearest thing above it that exists.
func place(n *yaml.Node, path []any) (line, col int) {
	for _, step := range path {
		next := child(n, step)
		if next == nil {
			break
		}
		n = next
	}
	return n.Line, n.Column
}

// child is the item of a list, or the value of a key; nil where there is none.
func child(n *yaml.Node, step any) *yaml.Node {
	switch s := step.(type) {
	case int:
		if n.Kind == yaml.SequenceNode && s < len(n.Content) {
			return n.Content[s]
		}
	case string:
		for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == s {
				return n.Content[i+1]
			}
		}
	}
	return nil
}

// pathString prints a path as levels[1].ways.
func pathString(path []any) string {
	var b strings.Builder
	for _, step := range path {
		switch s := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", s)
		case string:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s)
		}
	}
	return b.String()
}

// YAML writes the machine as a machine file that Parse reads back.
func (m *Machine) YAML() ([]byte, error) {
	out, err := yaml.Dump(m, yaml.WithLineWidth(-1))
	if err != nil {
		return nil, fmt.Errorf("machine %s: cannot be written as YAML: %w", m.Name, err)
	}
	return out, nil
}

// UnmarshalYAML reads a size; check has already reported a bad one with its place.
func (s *Size) UnmarshalYAML(n *yaml.Node) error {
	bytes, err := ParseSize(n.Value)
	if err != nil {
		return err
	}
	*s = Size(bytes)
	return nil
}
