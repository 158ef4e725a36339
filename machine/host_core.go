package machine

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"go.yaml.in/yaml/v4"

	"foresee/machine/library"
)

// setCoreFromLibrary fills what a core design fixes from the library machine with the same core.
func (m *Machine) setCoreFromLibrary(p Processor) {
	other := sameCore(p)
	if other == nil {
		m.note("no library machine has this core (%s family %d model %d); operations and latencies are not known",
			p.Vendor, p.Family, p.Model)
		return
	}
	source := fmt.Sprintf("library: %s, same core (cpuid family %d model %#x)", other.Name, p.Family, p.Model)
	m.Microarchitecture = other.Microarchitecture
	m.note("core values come from the library machine %s, which has the same core", other.Name)
	adopt(&m.Core, other.Core, source)
	for _, o := range other.Operations {
		mine := Operation{Kind: o.Kind, Type: o.Type}
		adopt(&mine, o, source)
		m.Operations = append(m.Operations, mine)
	}
	if other.Instructions != nil && m.Instructions == nil {
		costs := *other.Instructions
		costs.Source = source
		m.Instructions = &costs
	}
	for i := range m.Levels {
		adoptLevel(&m.Levels[i], other, source)
	}
}

// sameCore finds the library machine with the processor's core, or nil. It is asked by every command on this machine, and reading all files of
// the library whole would take longer than many of them: of those of other cores only what identifies the core is read.
func sameCore(p Processor) *Machine {
	for _, name := range Library() {
		data, err := library.Files.ReadFile(name + ".yaml")
		if err != nil || !coreOf(data).is(p) {
			continue // tests keep the library sound
		}
		if m, err := Load(name); err == nil {
			return m
		}
	}
	return nil
}

// is says whether a processor has the core; of nil, none.
func (c *CPUID) is(p Processor) bool {
	return c != nil && c.Vendor == p.Vendor && c.Family == p.Family && slices.Contains(c.Models, p.Model)
}

// coreOf reads what identifies the core of a machine file of the library, and nothing else; nil where that is not said. There it is a block
// whose lines are indented below its key.
func coreOf(data []byte) *CPUID {
	const key = "\ncpuid:\n"
	at := bytes.Index(data, []byte(key))
	if at < 0 {
		return nil
	}
	end := at + len(key)
	for bytes.HasPrefix(data[end:], []byte(" ")) {
		line := bytes.IndexByte(data[end:], '\n') + 1
		if line == 0 {
			line = len(data) - end
		}
		end += line
	}
	var m struct{ CPUID *CPUID }
	if yaml.Load(data[at:end], &m) != nil {
		return nil
	}
	return m.CPUID
}

// adoptLevel takes over the timing of a level that only its own core uses and that has the same shape. A shared
// level depends on the whole chip: of it only the policies are taken.
func adoptLevel(mine *Level, other *Machine, source string) {
	l := other.Level(mine.Name)
	if l == nil {
		return
	}
	same := mine.Size.Or(0) == l.Size.Or(0) && mine.Ways.Or(0) == l.Ways.Or(0)
	if private := l.SharedBy.Or(0) == 1; private && same {
		adopt(mine, *l, source)
		return
	}
	adopt(mine, Level{Inclusion: l.Inclusion, WritePolicy: l.WritePolicy}, source)
}

// adopt copies the values that mine lacks, with a new source.
func adopt[T any](mine *T, other T, source string) {
	to, from := reflect.ValueOf(mine).Elem(), reflect.ValueOf(other)
	for i := range to.NumField() {
		field := to.Type().Field(i)
		if !isValue(field.Type) || field.Name == "LineBytes" || !to.Field(i).IsNil() || from.Field(i).IsNil() {
			continue
		}
		copied := reflect.New(field.Type.Elem())
		copied.Elem().Set(from.Field(i).Elem())
		was := copied.Elem().FieldByName("Source")
		was.SetString(source)
		to.Field(i).Set(copied)
	}
}
