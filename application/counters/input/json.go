package input

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Member is one entry of a JSON object.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Members are the entries of a JSON object in the file's order, which Go's maps do not keep.
func Members(raw []byte) ([]Member, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	open, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	if open != json.Delim('{') {
		return nil, errors.New("an object {…} must stand here")
	}
	var all []Member
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		all = append(all, Member{name.(string), value})
	}
	_, err = decoder.Token()
	return all, err
}

// JSONFault says of an error of package encoding/json what is wrong with a file and what to do. The line is told of what is no JSON or cut off;
// of JSON with values of another type encoding/json tells the field.
func JSONFault(name string, text []byte, err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax) && int(syntax.Offset) >= len(bytes.TrimSpace(text)):
		return fmt.Errorf("%s:%d: the JSON is cut off here; write the file again: %w", name, lineOf(text, len(text)), err)
	case errors.As(err, &syntax):
		return fmt.Errorf("%s:%d: this is not JSON; mend it or write the file again: %w", name, lineOf(text, int(syntax.Offset)), err)
	}
	return fmt.Errorf("%s: the JSON has another layout than its format: write the file again: %w", name, err)
}

// lineOf is the line, from 1, that the byte before an offset lies in; newlines just before it do not begin another one.
func lineOf(text []byte, offset int) int {
	return 1 + bytes.Count(bytes.TrimRight(text[:min(offset, len(text))], "\n"), []byte("\n"))
}

// Floats reads a number or a list of numbers.
func Floats(raw json.RawMessage) ([]float64, error) {
	if len(raw) == 0 {
		return nil, errors.New("there is no value; give a number or a list of numbers")
	}
	var list []*float64
	if err := json.Unmarshal(raw, &list); err != nil || bytes.Equal(raw, []byte("null")) {
		var one *float64
		if err := json.Unmarshal(raw, &one); err != nil || one == nil {
			return nil, fmt.Errorf("%s must be a number or a list of numbers", Quote(string(raw)))
		}
		return []float64{*one}, nil
	}
	values := make([]float64, len(list))
	for i, v := range list {
		if v == nil {
			return nil, fmt.Errorf("%s must hold numbers only", Quote(string(raw)))
		}
		values[i] = *v
	}
	return values, nil
}
