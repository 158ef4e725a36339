package machine

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// checkMachine compares the tree of a file with the shape of Machine. The YAML library reports unknown fields and
// wrong types too; this knows what to say about them, and that a value needs a source.
// It tells too whether the library may read the tree: not where keys repeat.
func checkMachine(top *yaml.Node) (problems []problem, readable bool) {
	var c checker
	c.checkRepeats(top)
	readable = len(c.problems) == 0
	c.check(top, reflect.TypeFor[Machine](), nil)
	return c.problems, readable
}

// checker gathers what is wrong with the shape of a file.
type checker struct{ problems []problem }

// add notes a problem at a node, unless there are very many already.
func (c *checker) add(n *yaml.Node, path []any, format string, args ...any) {
	if len(c.problems) == maxProblems {
		return
	}
	p := problem{path: append([]any(nil), path...), line: n.Line, col: n.Column, text: fmt.Sprintf(format, args...)}
	c.problems = append(c.problems, p)
}

// checkRepeats wants every key once, everywhere.
func (c *checker) checkRepeats(n *yaml.Node) {
	first := map[string]int{}
	for i, child := range n.Content {
		c.checkRepeats(child)
		if n.Kind != yaml.MappingNode || i%2 == 1 || child.Kind != yaml.ScalarNode {
			continue
		}
		if line, seen := first[child.Value]; seen {
			c.add(child, nil, "%q stands here a second time; the first is in line %d", short(child.Value), line)
		} else {
			first[child.Value] = child.Line
		}
	}
}

// check compares a node with the type that it is to become; path is how errors name it.
func (c *checker) check(n *yaml.Node, t reflect.Type, path []any) {
	switch {
	case n.Kind == yaml.AliasNode:
		c.add(n, path, "a machine file uses no aliases; write the value out")
	case n.Tag == "!!null":
		c.add(n, path, "empty; leave the line out where the value is not known")
	case isValue(t):
		c.checkValue(n, t.Elem(), path)
	case t.Kind() == reflect.Pointer:
		c.check(n, t.Elem(), path)
	case t.Kind() == reflect.Struct:
		c.checkStruct(n, t, path)
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array:
		c.checkSlice(n, t, path)
	default:
		c.checkScalar(n, t, path)
	}
}

// checkValue wants {value: …, source: …} with a source that says something.
func (c *checker) checkValue(n *yaml.Node, t reflect.Type, path []any) {
	if n.Kind == yaml.ScalarNode {
		c.add(n, path, "no source; write {value: %s, source: where the value comes from}", short(n.Value))
		return
	}
	if n.Kind == yaml.MappingNode {
		for i, key := range []string{"value", "source"} {
			if v := child(n, key); v == nil || (i == 1 && v.Kind == yaml.ScalarNode && strings.TrimSpace(v.Value) == "") {
				c.add(n, path, "no %s; write {value: …, source: where the value comes from}", key)
			}
		}
	}
	c.checkStruct(n, t, path)
}

// checkStruct wants fields of the type, each by its name in the file.
func (c *checker) checkStruct(n *yaml.Node, t reflect.Type, path []any) {
	if n.Kind != yaml.MappingNode {
		c.add(n, path, "must hold fields (name: value), but %s", is(n))
		return
	}
	names, fields := fieldsOf(t)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if field, ok := fields[key.Value]; ok && key.Kind == yaml.ScalarNode {
			c.check(n.Content[i+1], field, append(path, key.Value))
			continue
		}
		hint := didYouMean(key.Value, names)
		if len(path) > 1 && path[0] == "measured" && path[1] == "fits" {
			hint = ": another version of foresee measured this; measure the machine again"
		}
		c.add(key, path, "unknown field %q%s", short(key.Value), hint)
	}
}

// fieldsOf is the names that a structure's fields have in files, in their order, and their types.
func fieldsOf(t reflect.Type) (names []string, types map[string]reflect.Type) {
	types = map[string]reflect.Type{}
	for i := range t.NumField() {
		name := yamlName(t.Field(i))
		names, types[name] = append(names, name), t.Field(i).Type
	}
	return names, types
}

// checkSlice wants a list, of as many items as an array has.
func (c *checker) checkSlice(n *yaml.Node, t reflect.Type, path []any) {
	if n.Kind != yaml.SequenceNode {
		c.add(n, path, "must be a list, but %s", is(n))
		return
	}
	if t.Kind() == reflect.Array && len(n.Content) != t.Len() {
		c.add(n, path, "must be a list of %d, but it has %d", t.Len(), len(n.Content))
		return
	}
	for i, item := range n.Content {
		c.check(item, t.Elem(), append(path, i))
	}
}

// checkScalar wants a number, a size or a text.
func (c *checker) checkScalar(n *yaml.Node, t reflect.Type, path []any) {
	if n.Kind != yaml.ScalarNode {
		c.add(n, path, "must be %s, but %s", want(t), is(n))
		return
	}
	switch {
	case t == reflect.TypeFor[Size]():
		if _, err := ParseSize(n.Value); err != nil {
			c.add(n, path, "%v", err)
		}
	case t.Kind() == reflect.Int:
		if _, err := strconv.ParseInt(n.Value, 0, 64); err != nil || n.Tag != "!!int" {
			c.add(n, path, "%q is not a whole number", short(n.Value))
		}
	case t.Kind() == reflect.Float64:
		f, err := strconv.ParseFloat(n.Value, 64)
		if err != nil || math.IsInf(f, 0) || math.IsNaN(f) || (n.Tag != "!!int" && n.Tag != "!!float") {
			c.add(n, path, "%q is not a number", short(n.Value))
		}
	case n.Tag != "!!str":
		c.add(n, path, "%s is not text; put it in quotes", short(n.Value))
	}
}

// want says what is expected of a type, in a sentence.
func want(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[Size]():
		return "a size like 32KiB"
	case t.Kind() == reflect.Int:
		return "a whole number"
	case t.Kind() == reflect.Float64:
		return "a number"
	}
	return "text"
}

// is says what a node is instead, in a sentence.
func is(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "it holds fields"
	case yaml.SequenceNode:
		return "it is a list"
	}
	return fmt.Sprintf("it is %q", short(n.Value))
}

// short keeps a foreign text in one line of an error.
func short(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}
