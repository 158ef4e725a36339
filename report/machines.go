package report

import (
	"fmt"
	"io"
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

func entry(name string, value reflect.Value) MachineValue {
	v := value.FieldByName("Value").Interface()
	if size, ok := v.(machine.Size); ok {
		v = int64(size)
	}
	return MachineValue{Field: name, Value: v, Source: value.FieldByName("Source").String()}
}

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

// MachineListText writes a row for each machine.
func MachineListText(w io.Writer, r *MachineList) error {
	t := &table{left: map[int]bool{0: true, 6: true}}
	t.row("name", "cores", "GHz", "L1", "L2", "L3", "")
	for _, m := range r.Machines {
		cells := []string{m.Name, known(m.Cores > 0, strconv.Itoa(m.Cores)), known(m.FrequencyGHz > 0, number(m.FrequencyGHz))}
		for _, level := range []string{"L1", "L2", "L3"} {
			cells = append(cells, levelBytes(m.Levels, level))
		}
		t.row(append(cells, m.Title)...)
	}
	_, err := io.WriteString(w, t.String())
	return err
}

func levelBytes(levels []LevelBytes, name string) string {
	for _, l := range levels {
		if l.Level == name {
			return Bytes(l.Bytes)
		}
	}
	return "–"
}

// MachineText writes all values of a machine with their sources.
func MachineText(w io.Writer, m *MachineDetails) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", m.Name, strings.Join(nonEmpty(m.Title, m.Vendor, m.Microarchitecture), "; "))
	for _, note := range m.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	t := &table{left: map[int]bool{0: true, 2: true}}
	t.row("field", "value", "source")
	for _, v := range m.Values {
		t.row(v.Field, v.Text(), v.Source)
	}
	b.WriteString("\n" + t.String())
	if len(m.Missing) > 0 {
		fmt.Fprintf(&b, "\nnot known: %s\n", strings.Join(m.Missing, ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func nonEmpty(all ...string) []string {
	var kept []string
	for _, s := range all {
		if s != "" {
			kept = append(kept, s)
		}
	}
	return kept
}

// MachineListCSV writes one record for each machine.
func MachineListCSV(w io.Writer, r *MachineList) error {
	records := [][]string{{"name", "title", "cores", "frequency_ghz", "L1_bytes", "L2_bytes", "L3_bytes"}}
	for _, m := range r.Machines {
		record := []string{m.Name, m.Title, strconv.Itoa(m.Cores), number(m.FrequencyGHz), "", "", ""}
		for _, l := range m.Levels {
			for i, name := range []string{"L1", "L2", "L3"} {
				if l.Level == name {
					record[4+i] = integer(l.Bytes)
				}
			}
		}
		records = append(records, record)
	}
	return writeCSV(w, records)
}

// MachineCSV writes one record for each value.
func MachineCSV(w io.Writer, m *MachineDetails) error {
	records := [][]string{{"field", "value", "source"}}
	for _, v := range m.Values {
		value := fmt.Sprint(v.Value)
		if f, ok := v.Value.(float64); ok {
			value = number(f)
		}
		records = append(records, []string{v.Field, value, v.Source})
	}
	return writeCSV(w, records)
}
