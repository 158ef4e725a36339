package extrap

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// IsText tells the text format by the keyword of its first line.
func IsText(head []byte) bool {
	return bytes.HasPrefix(input.FirstLine(head), []byte("PARAMETER"))
}

// extraPText is the state of a reader of Extra-P's text format: PARAMETER, POINTS, REGION, METRIC and DATA lines,
// the DATA lines of a region and metric in the order of the points. EXPERIMENT lines, which name a run, are passed over.
type extraPText struct {
	in             *input.Lines
	set            counters.Set
	points         [][]float64
	region, metric string
	row            int // DATA lines since the last REGION or METRIC
}

// ReadText reads the text format: keywords, points in parentheses, and a DATA line for each point.
func ReadText(in *input.Lines) (*counters.Set, error) {
	t := &extraPText{in: in}
	for in.Next() {
		text := strings.ToValidUTF8(strings.ReplaceAll(in.Text(), "\t", " "), "\uFFFD")
		keyword, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
		if err := t.line(keyword, strings.TrimSpace(rest)); err != nil {
			return nil, err
		}
	}
	if err := in.Failed(); err != nil {
		return nil, err
	}
	t.complete()
	return &t.set, nil
}

// line reads a line by its keyword.
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
		return t.in.Fail("the line starts with %s; PARAMETER, POINTS, REGION, METRIC, DATA or # must stand there", input.Quote(keyword))
	}
	return nil
}

// parameters adds the names of a PARAMETER line to the set's parameters.
func (t *extraPText) parameters(names []string) error {
	if len(t.points) > 0 {
		return t.in.Fail("a PARAMETER line after POINTS; put the parameters first")
	}
	for _, name := range names {
		if slices.Contains(t.set.Parameters, name) {
			return t.in.Fail("the parameter %s is there twice; give it another name", name)
		}
		if len(t.set.Parameters) == counters.MostParameters {
			return t.in.Fail("there are more than %d parameters; models are fitted to as many at most", counters.MostParameters)
		}
		t.set.Parameters = append(t.set.Parameters, name)
	}
	return nil
}

// addPoints reads "( 1 2 ) ( 3 4 )", or bare numbers where there is one parameter.
func (t *extraPText) addPoints(rest string) error {
	n := len(t.set.Parameters)
	if n == 0 {
		return t.in.Fail("POINTS before the first PARAMETER; name the parameters first")
	}
	if !strings.Contains(rest, "(") && n == 1 {
		rest = "(" + strings.Join(strings.Fields(rest), ")(") + ")"
	}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		inside, after, closed := strings.Cut(strings.TrimPrefix(rest, "("), ")")
		if !strings.HasPrefix(rest, "(") || !closed {
			return t.in.Fail("a point must stand in parentheses: ( %s ), not %s", strings.Join(t.set.Parameters, " "), input.Quote(rest))
		}
		point, err := input.Numbers(strings.Fields(inside))
		if err != nil {
			return t.in.Fail("%w", err)
		}
		if len(point) != n {
			return t.in.Fail("the point (%s) has %d values; there are %d parameters (%s)", inside, len(point), n, strings.Join(t.set.Parameters, ", "))
		}
		if len(t.points) == counters.MostPoints {
			return t.in.Fail("there are more than %d points; give fewer measurements", counters.MostPoints)
		}
		t.points = append(t.points, point)
		rest = after
	}
	return nil
}

// data reads the repetitions at the next point; a line without values is a point that was not measured.
func (t *extraPText) data(fields []string) error {
	if t.row >= len(t.points) {
		return t.in.Fail("more DATA lines than points (%d) in region %s, metric %s; add the POINTS or start another REGION", len(t.points), input.Quote(t.region), input.Quote(t.metric))
	}
	at := pointMap(t.set.Parameters, t.points[t.row])
	t.row++
	values, err := parseAll(fields)
	if err != nil {
		return t.in.Fail("%w", err)
	}
	if err := t.set.Add(at, t.region, t.metric, values...); err != nil {
		return t.in.Fail("%w", err)
	}
	return nil
}

// complete ends a region and metric, and warns of one that ends before its points do, as in a file that was cut off.
func (t *extraPText) complete() {
	if t.row > 0 && t.row < len(t.points) {
		t.set.Warnings = append(t.set.Warnings, fmt.Sprintf("region %s, metric %s has DATA lines for %d of %d points: the file may be cut off", input.Quote(t.region), input.Quote(t.metric), t.row, len(t.points)))
	}
}

// pointMap gives the values of a point by the names of its parameters, as a set takes them.
func pointMap(parameters []string, at []float64) map[string]float64 {
	m := make(map[string]float64, len(at))
	for i, name := range parameters {
		m[name] = at[i]
	}
	return m
}

var infinite = regexp.MustCompile(`(?i)^[+-]?inf(inity)?$`)

// parseAll reads the values of a DATA line. NaN is let through: it is a measurement that failed, which Set.Add leaves out with a warning.
func parseAll(fields []string) ([]float64, error) {
	values := make([]float64, len(fields))
	for i, field := range fields {
		if infinite.MatchString(field) {
			values[i] = math.Inf(1) // which Set.Add leaves out too, by its name
			continue
		}
		v, err := input.Measured(field)
		if err != nil {
			return nil, fmt.Errorf("the value %w", err)
		}
		values[i] = v
	}
	return values, nil
}
