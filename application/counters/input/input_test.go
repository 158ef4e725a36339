package input_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"foresee/application/counters/input"
)

func TestMembers(t *testing.T) {
	all, err := input.Members([]byte(`{"b": 1, "a": [2, {"z": 3}], "b": null}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range all {
		got = append(got, m.Name+"="+string(m.Value))
	}
	if !slices.Equal(got, []string{"b=1", `a=[2, {"z": 3}]`, "b=null"}) {
		t.Errorf("%q", got)
	}
	for _, wrong := range []string{"", "[1]", `{"a":`, `{"a" 1}`, `{"a":1`} {
		if _, err := input.Members([]byte(wrong)); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}

func TestJSONFault(t *testing.T) {
	for text, want := range map[string]string{
		"{\n\"a\": 1,\n\"b\": x}\n": "f:3: this is not JSON",
		"{\n\"a\": [1,\n":           "f:2: the JSON is cut off here",
		"{\"a\": \"text\"}":         "f: the JSON has another layout",
	} {
		var v struct{ A []float64 }
		err := json.Unmarshal([]byte(text), &v)
		if err == nil {
			t.Fatalf("%q is read", text)
		}
		if got := input.JSONFault("f", []byte(text), err).Error(); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestFloats(t *testing.T) {
	for text, want := range map[string][]float64{"2.5": {2.5}, "[1, -2e3]": {1, -2000}, "[]": {}} {
		if got, err := input.Floats(json.RawMessage(text)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, wrong := range []string{"", "null", "[1, null]", `"2"`, `{"a":1}`, "[[1]]"} {
		if got, err := input.Floats(json.RawMessage(wrong)); err == nil {
			t.Errorf("%q is %v", wrong, got)
		}
	}
}

func TestNumbers(t *testing.T) {
	if got, err := input.Numbers([]string{"1", "2.5", "-3e2"}); err != nil || !slices.Equal(got, []float64{1, 2.5, -300}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, wrong := range []string{"", "x", "1x", "0x10p"} {
		if got, err := input.Number(wrong); err == nil {
			t.Errorf("%q is %v", wrong, got)
		}
	}
	if got, err := input.Number("1e999"); err == nil && !math.IsInf(got, 0) {
		t.Errorf("1e999 is %v", got)
	}
}

// TestLines: places are right, the last line without an end is told, and tables that grow beyond their bound end the reading.
func TestLines(t *testing.T) {
	l := input.NewLines("f", strings.NewReader("one\n\ntwo"))
	var got []string
	for l.Next() {
		got = append(got, l.Text())
	}
	if !slices.Equal(got, []string{"one", "", "two"}) || l.Number != 3 || !l.Partial || l.Failed() != nil {
		t.Errorf("%q, %d, %v, %v", got, l.Number, l.Partial, l.Failed())
	}
	if err := l.Fail("no %s", "good"); err == nil || err.Error() != "f:3: no good" {
		t.Errorf("%v", err)
	}
	l = input.NewLines("f", strings.NewReader(strings.Repeat("x\n", 1000)))
	cells := 0
	l.Watch(func() int { return cells })
	for l.Next() {
		cells += 100_000
	}
	if l.Failed() == nil || l.Number >= 1000 || l.Number < 40 {
		t.Errorf("%d lines of a table of %d values: %v", l.Number, cells, l.Failed())
	}
}
