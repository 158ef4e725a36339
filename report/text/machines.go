package text

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"foresee/report"
)

// MachineList writes a row for each machine.
func MachineList(w io.Writer, r *report.MachineList) error {
	t := &table{left: map[int]bool{0: true, 6: true}}
	t.row("name", "cores", "GHz", "L1", "L2", "L3", "")
	for _, m := range r.Machines {
		cells := []string{m.Name, report.Known(m.Cores > 0, strconv.Itoa(m.Cores)), report.Known(m.FrequencyGHz > 0, report.Number(m.FrequencyGHz))}
		for _, level := range []string{"L1", "L2", "L3"} {
			cells = append(cells, levelBytes(m.Levels, level))
		}
		t.row(append(cells, m.Title)...)
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// levelBytes is the size of a level, "–" where the machine has none.
func levelBytes(levels []report.LevelBytes, name string) string {
	for _, l := range levels {
		if l.Level == name {
			return report.Bytes(l.Bytes)
		}
	}
	return "–"
}

// Machine writes all values of a machine with their sources.
func Machine(w io.Writer, m *report.MachineDetails) error {
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

// nonEmpty leaves out empty texts.
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
func MachineListCSV(w io.Writer, r *report.MachineList) error {
	records := [][]string{{"name", "title", "cores", "frequency_ghz", "L1_bytes", "L2_bytes", "L3_bytes"}}
	for _, m := range r.Machines {
		record := []string{m.Name, m.Title, strconv.Itoa(m.Cores), report.Number(m.FrequencyGHz), "", "", ""}
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
func MachineCSV(w io.Writer, m *report.MachineDetails) error {
	records := [][]string{{"field", "value", "source"}}
	for _, v := range m.Values {
		value := fmt.Sprint(v.Value)
		if f, ok := v.Value.(float64); ok {
			value = report.Number(f)
		}
		records = append(records, []string{v.Field, value, v.Source})
	}
	return writeCSV(w, records)
}
