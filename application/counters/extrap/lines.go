// Package extrap reads and writes the series of measurements of Extra-P: values of metrics at callpaths over parameters such as the number
// of processes. Its text, its JSON (nested or by identifiers), its JSON Lines and those of Talpas are read; JSON Lines are written.
package extrap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// IsLines tells JSON Lines by the first of them.
func IsLines(head []byte) bool {
	line := input.FirstLine(head)
	return bytes.HasPrefix(line, []byte("{")) && bytes.Contains(line, []byte(`"params"`))
}

// IsTalpas tells the lines of Talpas, which differ from JSON Lines in what separates them.
func IsTalpas(head []byte) bool {
	line := input.FirstLine(head)
	return bytes.HasPrefix(line, []byte("{")) && bytes.Contains(line, []byte(`"parameters"`)) && !json.Valid(line) && !bytes.Equal(line, commas(line))
}

// commas turns the semicolons of Talpas, outside of strings, into the commas of JSON.
func commas(line []byte) []byte {
	out := bytes.Clone(line)
	inString := false
	for i := 0; i < len(out); i++ {
		switch {
		case inString && out[i] == '\\':
			i++
		case out[i] == '"':
			inString = !inString
		case out[i] == ';' && !inString:
			out[i] = ','
		}
	}
	return out
}

// ReadLines reads Extra-P's JSON Lines: one object a line with params, value (a number or a list), and
// perhaps callpath and metric.
func ReadLines(in *input.Lines) (*counters.Set, error) {
	return readValueLines(in, func(line []byte) []byte { return line })
}

// ReadTalpas reads the same with "parameters" for "params" and semicolons between the entries.
func ReadTalpas(in *input.Lines) (*counters.Set, error) { return readValueLines(in, commas) }

// readValueLines reads a value a line; asJSON makes JSON of a line that is nearly that.
func readValueLines(in *input.Lines, asJSON func([]byte) []byte) (*counters.Set, error) {
	set := new(counters.Set)
	for in.Next() {
		line := bytes.TrimSpace(in.Bytes())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if err := addValueLine(set, asJSON(line)); err != nil {
			return nil, in.Fail("%w", err)
		}
	}
	return set, in.Failed()
}

// valueLine is a line.
type valueLine struct {
	Params     json.RawMessage `json:"params"`
	Parameters json.RawMessage `json:"parameters"`
	Callpath   string          `json:"callpath"`
	Metric     string          `json:"metric"`
	Value      json.RawMessage `json:"value"`
}

// addValueLine adds the value of a line.
func addValueLine(set *counters.Set, line []byte) error {
	var v valueLine
	if err := json.Unmarshal(line, &v); err != nil {
		return fmt.Errorf("the line is not a whole JSON object; mend it, or leave it out where the file is cut off: %w", err)
	}
	params := v.Params
	if len(params) == 0 {
		params = v.Parameters
	}
	if len(params) == 0 {
		return fmt.Errorf("params is missing; give the point as {\"params\":{\"p\":4},…}")
	}
	at, err := paramsOf(set, params)
	if err != nil {
		return fmt.Errorf("params: %w", err)
	}
	values, err := input.Floats(v.Value)
	if err != nil {
		return fmt.Errorf("value: %w", err)
	}
	return set.Add(at, v.Callpath, v.Metric, values...)
}

// paramsOf reads a point; the first one gives the set the order of its parameters.
func paramsOf(set *counters.Set, raw json.RawMessage) (map[string]float64, error) {
	all, err := input.Members(raw)
	if err != nil {
		return nil, err
	}
	at := make(map[string]float64, len(all))
	var names []string
	for _, m := range all {
		var value *float64
		if err := json.Unmarshal(m.Value, &value); err != nil || value == nil {
			return nil, fmt.Errorf("%s is %s; it must be a number", m.Name, input.Quote(string(m.Value)))
		}
		if _, twice := at[m.Name]; twice {
			return nil, fmt.Errorf("%s is there twice; give it once", m.Name)
		}
		at[m.Name] = *value
		names = append(names, m.Name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("there is no parameter; a series needs one at least, for instance p")
	}
	if len(set.Parameters) == 0 {
		set.Parameters = names
	}
	return at, nil
}

// Write writes a set as Extra-P's JSON Lines, which package open reads: one line for each measurement, its
// repetitions as a list. A callpath or metric without a name is left out.
func Write(w io.Writer, s *counters.Set) error {
	var out strings.Builder
	for _, series := range s.Series {
		for _, m := range series.Points {
			if err := writeMeasurement(&out, s.Parameters, series, m); err != nil {
				return fmt.Errorf("%s of %s at %s: %w", series.Metric, series.Callpath, counters.FormatPoint(s.Parameters, m.At), err)
			}
			if _, err := io.WriteString(w, out.String()); err != nil {
				return fmt.Errorf("writing: %w", err)
			}
			out.Reset()
		}
	}
	return nil
}

// writeMeasurement writes the repetitions of one point, a line each.
func writeMeasurement(out *strings.Builder, parameters []string, series counters.Series, m counters.Measurement) error {
	field := func(before string, value any) error {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false) // "main->solve" stays readable
		err := encoder.Encode(value)
		out.WriteString(before)
		out.Write(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
		return err
	}
	out.WriteString(`{"params":{`)
	before := ""
	for i, name := range parameters {
		if err := field(before, name); err != nil {
			return err
		}
		if err := field(":", m.At[i]); err != nil {
			return err
		}
		before = ","
	}
	out.WriteString("}")
	if series.Callpath != "" {
		if err := field(`,"callpath":`, series.Callpath); err != nil {
			return err
		}
	}
	if series.Metric != "" {
		if err := field(`,"metric":`, series.Metric); err != nil {
			return err
		}
	}
	if err := field(`,"value":`, m.Values); err != nil {
		return err
	}
	out.WriteString("}\n")
	return nil
}
