package machine

import (
	"reflect"
	"slices"
	"strings"
)

// Missing returns the paths of fields that are absent. A field is named by its YAML path, with levels and operations
// by their names: "frequency_ghz", "levels.L2.latency_cycles", "memory", "operations.div.f64". A * stands for any one
// part ("levels.*.latency_cycles"), and a path stands for all below it. No fields means all.
// A field that matches nothing of this machine (such as levels.L4.size) is returned as it is; fields with a default
// (sockets, the line_bytes of a level) are missed only by name.
func (m *Machine) Missing(fields ...string) []string {
	all := m.paths()
	if len(fields) == 0 {
		fields = []string{"*"}
	}
	var out []string
	for _, field := range fields {
		pattern, matched := strings.Split(field, "."), false
		for _, p := range all {
			if !covers(pattern, strings.Split(p.name, ".")) {
				continue
			}
			matched = true
			if !p.present && !slices.Contains(out, p.name) {
				out = append(out, p.name)
			}
		}
		if !matched && !slices.Contains(out, field) {
			out = append(out, field)
		}
	}
	return out
}

// covers says whether a path begins as a pattern does, in which * stands for any part.
func covers(pattern, path []string) bool {
	if len(pattern) > len(path) {
		return false
	}
	for i, part := range pattern {
		if part != "*" && part != path[i] {
			return false
		}
	}
	return true
}

// presence is one field that may be absent.
type presence struct {
	name    string
	present bool
}

// paths lists every value that a machine can have, in the order of the YAML file.
func (m *Machine) paths() []presence {
	out := values("", reflect.ValueOf(*m))
	for i := range m.Levels {
		out = append(out, values("levels."+m.Levels[i].Name+".", reflect.ValueOf(m.Levels[i]))...)
	}
	out = slices.DeleteFunc(out, func(p presence) bool { return !p.present && dispensable(p.name) })
	out = append(out, values("memory.", reflect.ValueOf(m.Memory))...)
	out = append(out, values("core.", reflect.ValueOf(m.Core))...)
	for _, o := range operations() {
		latency, reciprocal, _ := m.Op(o.Kind, o.Type)
		name := "operations." + o.Kind + "." + o.Type
		out = append(out, presence{name + ".latency_cycles", latency != nil},
			presence{name + ".reciprocal_throughput", reciprocal != nil})
	}
	return append(out, values("parallel.", reflect.ValueOf(m.Parallel))...)
}

// dispensable tells of fields that nobody misses: those with a default, price and power, which no time turns on, and those that L1, which has no cache
// inside it, has no use for.
func dispensable(name string) bool {
	switch name {
	case "sockets", "price_eur", "watts", "levels.L1.sequential_cycles_per_line", "levels.L1.far_cycles_per_line", "levels.L1.inclusion":
		return true
	}
	return strings.HasSuffix(name, ".line_bytes") || strings.HasSuffix(name, ".effective_size")
}

// values lists the *Value fields of one struct.
func values(prefix string, v reflect.Value) []presence {
	var out []presence
	for i := range v.NumField() {
		if field := v.Type().Field(i); isValue(field.Type) {
			out = append(out, presence{prefix + yamlName(field), !v.Field(i).IsNil()})
		}
	}
	return out
}

// operations lists the kinds and types that exist: integers have no fma and no square root.
func operations() []Operation {
	var out []Operation
	for _, kind := range Kinds {
		for _, typ := range Types {
			if typ != Int || (kind != FMA && kind != Sqrt) {
				out = append(out, Operation{Kind: kind, Type: typ})
			}
		}
	}
	return out
}

// isValue tells whether t is a *Value of something.
func isValue(t reflect.Type) bool {
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct || t.Elem().NumField() != 2 {
		return false
	}
	return t.Elem().Field(0).Name == "Value" && t.Elem().Field(1).Name == "Source"
}

// yamlName is the key of a field in YAML.
func yamlName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	return name
}
