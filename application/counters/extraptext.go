package counters

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

func isExtraPText(head []byte) bool {
	return bytes.HasPrefix(firstLine(head), []byte("PARAMETER"))
}

// extraPText is the state of a reader of Extra-P's text format: PARAMETER, POINTS, REGION, METRIC and DATA lines,
// the DATA lines of a region and metric in the order of the points.
type extraPText struct {
	in             *lines
	set            Set
	points         [][]float64
	region, metric string
	row            int // DATA lines since the last REGION or METRIC
}

func readExtraPText(in *lines) (*Set, error) {
	t := &extraPText{in: in}
	for in.next() {
		text := strings.ToValidUTF8(strings.ReplaceAll(in.text(), "\t", " "), "\uFFFD")
		keyword, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
		if err := t.line(keyword, strings.TrimSpace(rest)); err != nil {
			return nil, err
		}
	}
	if err := in.failed(); err != nil {
		return nil, err
	}
	t.complete()
	return &t.set, nil
}

func (t *extraPText) line(keyword, rest string) error {
	switch {
	case keyword == "" || strings.HasPrefix(keyword, "#"):
		return nil
	case keyword == "PARAMETER":
		return t.parameters(strings.Fields(rest))
	case keyword == "POINTS":
		return t.addPoints(rest)
	case keyword == "REGION":
		t.complete()
		t.region, t.row = rest, 0
	case keyword == "METRIC":
		t.complete()
		t.metric, t.row = rest, 0
	case keyword == "DATA":
		return t.data(strings.Fields(rest))
	case keyword == "EXPERIMENT":
		return nil
	default:
		return t.in.fail("the line starts with %s; PARAMETER, POINTS, REGION, METRIC, DATA or # must stand there", quote(keyword))
	}
	return nil
}

func (t *extraPText) parameters(names []string) error {
	if len(t.points) > 0 {
		return t.in.fail("a PARAMETER line after POINTS; put the parameters first")
	}
	for _, name := range names {
		if slices.Contains(t.set.Parameters, name) {
			return t.in.fail("the parameter %s is there twice; give it another name", name)
		}
		if len(t.set.Parameters) == mostParameters {
			return t.in.fail("there are more than %d parameters; models are fitted to as many at most", mostParameters)
		}
		t.set.Parameters = append(t.set.Parameters, name)
	}
	return nil
}

// addPoints reads "( 1 2 ) ( 3 4 )", or bare numbers where there is one parameter.
func (t *extraPText) addPoints(rest string) error {
	n := len(t.set.Parameters)
	if n == 0 {
		return t.in.fail("POINTS before the first PARAMETER; name the parameters first")
	}
	if !strings.Contains(rest, "(") && n == 1 {
		rest = "(" + strings.Join(strings.Fields(rest), ")(") + ")"
	}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		inside, after, closed := strings.Cut(strings.TrimPrefix(rest, "("), ")")
		if !strings.HasPrefix(rest, "(") || !closed {
			return t.in.fail("a point must stand in parentheses: ( %s ), not %s", strings.Join(t.set.Parameters, " "), quote(rest))
		}
		point, err := numbers(strings.Fields(inside))
		if err != nil {
			return t.in.fail("%w", err)
		}
		if len(point) != n {
			return t.in.fail("the point (%s) has %d values; there are %d parameters (%s)", inside, len(point), n, strings.Join(t.set.Parameters, ", "))
		}
		if len(t.points) == mostPoints {
			return t.in.fail("there are more than %d points; give fewer measurements", mostPoints)
		}
		t.points = append(t.points, point)
		rest = after
	}
	return nil
}

func numbers(fields []string) ([]float64, error) {
	values := make([]float64, len(fields))
	for i, field := range fields {
		v, err := number(field)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return values, nil
}

// data reads the repetitions at the next point; a line without values is a point that was not measured.
func (t *extraPText) data(fields []string) error {
	if t.row >= len(t.points) {
		return t.in.fail("more DATA lines than points (%d) in region %s, metric %s; add the POINTS or start another REGION", len(t.points), quote(t.region), quote(t.metric))
	}
	at := pointMap(t.set.Parameters, t.points[t.row])
	t.row++
	values, err := parseAll(fields)
	if err != nil {
		return t.in.fail("%w", err)
	}
	if err := t.set.Add(at, t.region, t.metric, values...); err != nil {
		return t.in.fail("%w", err)
	}
	return nil
}

// complete warns of a region that ends before its points do, as in a file that was cut off.
func (t *extraPText) complete() {
	if t.row > 0 && t.row < len(t.points) {
		t.set.warn("region %s, metric %s has DATA lines for %d of %d points: the file may be cut off", quote(t.region), quote(t.metric), t.row, len(t.points))
	}
}

func pointMap(parameters []string, at []float64) map[string]float64 {
	m := make(map[string]float64, len(at))
	for i, name := range parameters {
		m[name] = at[i]
	}
	return m
}

// parseAll reads measured values; NaN is one, and Set.Add leaves it out with a warning.
func parseAll(fields []string) ([]float64, error) {
	values := make([]float64, len(fields))
	for i, field := range fields {
		v, err := measured(field)
		if err != nil {
			return nil, fmt.Errorf("the value %w", err)
		}
		values[i] = v
	}
	return values, nil
}
