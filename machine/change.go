package machine

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Change is another value of one field of a machine.
type Change struct {
	// Path names the field as machine files do, with points between: frequency_ghz, memory.bandwidth_gbs, core.reorder_buffer; a level by
	// its name: L3.size.
	Path string
	// Value is the new one, or xN for N times that of the machine, such as x2 or x0.5.
	Value string
}

// ChangeError is a change that cannot be made.
type ChangeError struct {
	Change
	Why string
}

func (e *ChangeError) Error() string { return fmt.Sprintf("%s=%s: %s", e.Path, e.Value, e.Why) }

// With is the machine with changes, under another name; it is checked as a file is. The sources of changed values say so.
func (m *Machine) With(name string, changes ...Change) (*Machine, error) {
	short := *m
	short.Instructions = nil // hundreds of forms, in which nothing is changed
	data, err := short.YAML()
	if err != nil {
		return nil, err
	}
	var root yaml.Node
	if err := yaml.Load(data, &root); err != nil {
		return nil, err
	}
	top := content(&root)
	for _, c := range changes {
		if err := c.make(top); err != nil {
			return nil, err
		}
	}
	if n := child(top, "name"); n != nil {
		n.Value = name
	}
	changed, err := yaml.Dump(top, yaml.WithLineWidth(-1))
	if err != nil {
		return nil, err
	}
	out, err := Parse(m.Name+" with "+joined(changes), changed)
	if err == nil {
		out.Instructions = m.Instructions
	}
	return out, err
}

func joined(changes []Change) string {
	var all []string
	for _, c := range changes {
		all = append(all, c.Path+"="+c.Value)
	}
	return strings.Join(all, ", ")
}

// changedSource begins the source of a value that was changed.
const changedSource = "what if: "

// make puts the change into the tree of a file.
func (c Change) make(top *yaml.Node) error {
	at, kind, err := c.find(top)
	if err != nil {
		return err
	}
	value := child(at, "value")
	text, err := c.text(value, kind)
	if err != nil {
		return err
	}
	source := changedSource + c.Value
	if value == nil {
		at.Content = pairs("value", text, "source", source)
		return nil
	}
	source += " of " + value.Value + " (" + child(at, "source").Value + ")"
	value.Value, value.Tag, value.Style = text, "", 0
	child(at, "source").Value = source
	return nil
}

// find is the mapping that holds the value and its source, made where the machine lacks it, and the type of the value.
func (c Change) find(top *yaml.Node) (*yaml.Node, reflect.Type, error) {
	names := strings.Split(c.Path, ".")
	at, t := top, reflect.TypeFor[Machine]()
	for i, name := range names {
		if level := levelNode(top, name); i == 0 && level != nil {
			at, t = level, reflect.TypeFor[Level]()
			continue
		}
		field, ok := fieldNamed(t, name)
		if !ok {
			return nil, nil, &ChangeError{c, c.unknown(top, t, name)}
		}
		t = field
		if at = child(at, name); at == nil {
			at = added(top, names[:i+1])
		}
	}
	if !isValue(t) {
		return nil, nil, &ChangeError{c, "that is no single value of a machine; name one, such as L2.size, frequency_ghz or memory.bandwidth_gbs"}
	}
	return at, t.Elem().Field(0).Type, nil
}

// fieldNamed is the type of a field of a structure by its name in files.
func fieldNamed(t reflect.Type, name string) (reflect.Type, bool) {
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	_, fields := fieldsOf(t)
	field, ok := fields[name]
	return field, ok
}

// unknown says what is there instead of a name.
func (c Change) unknown(top *yaml.Node, t reflect.Type, name string) string {
	if t.Kind() != reflect.Struct {
		return fmt.Sprintf("there is nothing below to be called %s", name)
	}
	names, fields := fieldsOf(t)
	var single []string
	for _, n := range names {
		if f := fields[n]; isValue(f) || f.Kind() == reflect.Struct {
			single = append(single, n)
		}
	}
	if t == reflect.TypeFor[Machine]() {
		single = append(single, levelsIn(top)...)
	}
	return fmt.Sprintf("%s is no field of it; there are %s", name, strings.Join(single, ", "))
}

func levelsIn(top *yaml.Node) (names []string) {
	if all := child(top, "levels"); all != nil {
		for _, l := range all.Content {
			if n := child(l, "name"); n != nil {
				names = append(names, n.Value)
			}
		}
	}
	return names
}

func levelNode(top *yaml.Node, name string) *yaml.Node {
	i := slices.Index(levelsIn(top), name)
	if i < 0 {
		return nil
	}
	return child(top, "levels").Content[i]
}

// added makes the mappings of a path that is not there, below a level or the machine.
func added(top *yaml.Node, names []string) *yaml.Node {
	at := top
	for i, name := range names {
		next := child(at, name)
		if level := levelNode(top, name); i == 0 && level != nil {
			next = level
		}
		if next == nil {
			next = &yaml.Node{Kind: yaml.MappingNode}
			at.Content = append(at.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, next)
		}
		at = next
	}
	return at
}

func pairs(texts ...string) (all []*yaml.Node) {
	for _, t := range texts {
		all = append(all, &yaml.Node{Kind: yaml.ScalarNode, Value: t})
	}
	return all
}

// text is the new value as files write it.
func (c Change) text(old *yaml.Node, kind reflect.Type) (string, error) {
	factor, times := strings.CutPrefix(c.Value, "x")
	if !times || kind.Kind() == reflect.String {
		return c.Value, nil
	}
	f, ok := parseDecimal(factor)
	if !ok || f.Sign() == 0 {
		return "", &ChangeError{c, "write xN for N times the value of the machine, such as x2 or x0.5"}
	}
	if old == nil {
		return "", &ChangeError{c, "the machine lacks the value that this would be a multiple of; give a value"}
	}
	if kind == reflect.TypeFor[Size]() {
		bytes, err := ParseSize(old.Value)
		if err != nil {
			return "", err
		}
		return wholeTimes(c, new(big.Rat).SetInt64(bytes), f)
	}
	value, err := strconv.ParseFloat(old.Value, 64)
	if err != nil {
		return "", err
	}
	if kind.Kind() == reflect.Int {
		return wholeTimes(c, new(big.Rat).SetFloat64(value), f)
	}
	by, _ := f.Float64()
	if value *= by; math.IsInf(value, 0) {
		return "", &ChangeError{c, "that is too large"}
	}
	return strconv.FormatFloat(value, 'g', -1, 64), nil
}

// wholeTimes is a product that must be a whole number.
func wholeTimes(c Change, value, factor *big.Rat) (string, error) {
	product := new(big.Rat).Mul(value, factor)
	if !product.IsInt() || !product.Num().IsInt64() {
		return "", &ChangeError{c, fmt.Sprintf("%s times %s is no whole number", factor.RatString(), value.RatString())}
	}
	return product.Num().String(), nil
}
