package report

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"foresee/machine"
	"foresee/predict"
)

// Schemas of the results about machines.
const (
	MachineListSchema = "foresee.machines/v1"
	MachineSchema     = "foresee.machine/v1"
)

// MachineList is the result of foresee machine list.
type MachineList struct {
	predict.Header
	Machines []MachineSummary `json:"machines"`
}

// MachineSummary is one machine in a few words; what is not known is absent.
type MachineSummary struct {
	Name              string       `json:"name"`
	Title             string       `json:"title,omitempty"`
	Vendor            string       `json:"vendor,omitempty"`
	Microarchitecture string       `json:"microarchitecture,omitempty"`
	Cores             int          `json:"cores,omitempty"` // of all sockets
	FrequencyGHz      float64      `json:"frequency_ghz,omitempty"`
	Levels            []LevelBytes `json:"levels"`
}

// LevelBytes is the size of one instance of a level.
type LevelBytes struct {
	Level string `json:"level"`
	Bytes int64  `json:"bytes"`
}

// MachineDetails is the result of foresee machine show.
type MachineDetails struct {
	predict.Header
	Name              string         `json:"name"`
	Title             string         `json:"title,omitempty"`
	Vendor            string         `json:"vendor,omitempty"`
	Microarchitecture string         `json:"microarchitecture,omitempty"`
	Notes             []string       `json:"notes"`
	Values            []MachineValue `json:"values"`
	Missing           []string       `json:"missing"` // fields that nobody knows
}

// MachineValue is one fact: its field as in the machine file, and where it comes from.
type MachineValue struct {
	Field  string `json:"field"` // "levels.L1.size"; sizes are in bytes
	Value  any    `json:"value"` // a number or a string
	Source string `json:"source"`
}

// Summarize says a machine in a few words.
func Summarize(m *machine.Machine) MachineSummary {
	s := MachineSummary{Name: m.Name, Title: m.Title, Vendor: m.Vendor, Microarchitecture: m.Microarchitecture}
	if m.Cores != nil {
		s.Cores = m.TotalCores()
	}
	s.FrequencyGHz = m.FrequencyGHz.Or(0)
	for _, l := range m.Levels {
		if size, ok := l.Size.Get(); ok {
			s.Levels = append(s.Levels, LevelBytes{l.Name, int64(size)})
		}
	}
	return s
}

// Details lists all that is known about a machine.
func Details(m *machine.Machine) MachineDetails {
	d := MachineDetails{
		Name: m.Name, Title: m.Title, Vendor: m.Vendor, Microarchitecture: m.Microarchitecture,
		Notes: append(slices.Clip(m.Notes), m.RoughFits()...), Missing: m.Missing(),
	}
	collect(reflect.ValueOf(m).Elem(), "", &d.Values)
	return d
}

// collect walks the machine's structure, which is data through and through: every *machine.Value below v becomes
// an entry, named by its YAML path.
func collect(v reflect.Value, path string, out *[]MachineValue) {
	for i := range v.NumField() {
		field := v.Field(i)
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		name = strings.TrimPrefix(path+"."+name, ".")
		switch field.Kind() {
		case reflect.Struct:
			collect(field, name, out)
		case reflect.Slice:
			for j := range field.Len() {
				if e := field.Index(j); e.Kind() == reflect.Struct {
					collect(e, name+"."+elementName(e), out)
				}
			}
		case reflect.Pointer:
			switch {
			case field.IsNil() || field.Elem().Kind() != reflect.Struct:
			case field.Elem().FieldByName("Value").IsValid():
				*out = append(*out, entry(name, field.Elem()))
			default: // what was measured
				collect(field.Elem(), name, out)
			}
		}
	}
}

// entry is a value with its source; sizes become numbers of bytes.
func entry(name string, value reflect.Value) MachineValue {
	v := value.FieldByName("Value").Interface()
	if size, ok := v.(machine.Size); ok {
		v = int64(size)
	}
	return MachineValue{Field: name, Value: v, Source: value.FieldByName("Source").String()}
}

// elementName is what stands for an item of a list in the name of a field.
func elementName(e reflect.Value) string {
	switch e := e.Interface().(type) {
	case machine.Level:
		return e.Name
	case machine.Operation:
		return e.Kind + "." + e.Type
	}
	return ""
}

// Text prints the value for people.
func (v MachineValue) Text() string {
	unit := ""
	last := v.Field[strings.LastIndexByte(v.Field, '.')+1:]
	switch {
	case last == "size" || last == "effective_size":
		if n, ok := v.Value.(int64); ok {
			return Bytes(n)
		}
	case strings.HasSuffix(last, "_cycles"), strings.HasSuffix(last, "_cycles_per_line"), last == "reciprocal_throughput":
		unit = " cycles"
	case strings.HasSuffix(last, "_ns"):
		unit = " ns"
	case strings.HasSuffix(last, "_gbs"):
		unit = " GB/s"
	case strings.HasSuffix(last, "_ghz"):
		unit = " GHz"
	case last == "line_bytes":
		unit = " B"
	case last == "prefetch_streams":
		unit = " streams"
	}
	if f, ok := v.Value.(float64); ok {
		return strconv.FormatFloat(f, 'g', 6, 64) + unit
	}
	return fmt.Sprint(v.Value) + unit
}
