package counters

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"foresee/application/counters/input"
)

//go:embed quantities.yaml
var builtInQuantities []byte

// Quantity says which events of the tools make a quantity that does not depend on the tool.
type Quantity struct {
	Quantity string `yaml:"quantity"` // "instructions"
	Unit     string `yaml:"unit"`     // "instructions", "s"
	// Events are alternatives: the first one whose events a profile has is taken. Each is a sum of events, as in
	// "Dr + Dw - D1mr - D1mw" or "A + 2 * B". A * that is no factor stands for any letters; events that match one
	// name are summed, such as those of the two kinds of cores of a processor.
	Events []string `yaml:"events"`

	sums [][]term // Events, parsed
}

// term is one event of a sum, with its factor.
type term struct {
	factor float64
	event  string // normalized, with stars
}

// Quantities map events to quantities; [LoadQuantities] makes them. Earlier entries of the same quantity come before
// later ones.
type Quantities []Quantity

// mostQuantities is the most bytes of a user's file. Chosen: nine times the built-in table.
const mostQuantities = 64 << 10

// LoadQuantities gives the built-in table, and before it the entries of extra, which may be nil.
func LoadQuantities(extra io.Reader) (Quantities, error) {
	var all Quantities
	if extra != nil {
		text, err := io.ReadAll(io.LimitReader(extra, mostQuantities+1))
		if err != nil {
			return nil, fmt.Errorf("reading the table of quantities: %w", err)
		}
		if len(text) > mostQuantities {
			return nil, fmt.Errorf("the table of quantities is larger than %d KiB; is it the right file?", mostQuantities>>10)
		}
		if all, err = parseQuantities(text); err != nil {
			return nil, err
		}
	}
	builtIn, err := parseQuantities(builtInQuantities)
	if err != nil {
		return nil, fmt.Errorf("built in: %w", err)
	}
	return append(all, builtIn...), nil
}

// mostNodes is the most keys and values of the table: the YAML library takes quadratic time for keys that repeat, and every pattern is tried on
// every event. Chosen: ten times those of the built-in table.
const mostNodes = 4000

// parseQuantities reads a table of quantities.
func parseQuantities(text []byte) (Quantities, error) {
	var root yaml.Node
	if err := yaml.Load(text, &root); err == nil && countNodes(&root) > mostNodes {
		return nil, fmt.Errorf("the table of quantities has more than %d keys and values; give the events that were measured", mostNodes)
	}
	var list Quantities
	if err := yaml.Load(text, &list, yaml.WithKnownFields()); err != nil {
		return nil, fmt.Errorf("the table of quantities must be a list of {quantity, unit, events}: %w", err)
	}
	for i := range list {
		q := &list[i]
		if q.Quantity == "" || len(q.Events) == 0 {
			return nil, fmt.Errorf("quantities[%d]: it needs a quantity and events, for instance {quantity: cycles, unit: cycles, events: [my-cycles]}", i)
		}
		for _, expression := range q.Events {
			sum, err := parseSum(expression)
			if err != nil {
				return nil, fmt.Errorf("quantities[%d] (%s): events %s: %w", i, q.Quantity, input.Quote(expression), err)
			}
			q.sums = append(q.sums, sum)
		}
	}
	return list, nil
}

// countNodes is the number of nodes of a tree.
func countNodes(n *yaml.Node) int {
	all := 1
	for _, c := range n.Content {
		all += countNodes(c)
	}
	return all
}

// parseSum reads "A + 2 * B - C". Names may hold spaces; the signs are words of their own.
func parseSum(expression string) ([]term, error) {
	var sum []term
	sign, start := 1.0, 0
	words := strings.Fields(expression)
	for i := 0; i <= len(words); i++ {
		if i < len(words) && words[i] != "+" && words[i] != "-" {
			continue
		}
		t, err := parseTerm(strings.Join(words[start:i], " "), sign)
		if err != nil {
			return nil, err
		}
		sum = append(sum, t)
		sign, start = 1, i+1
		if i < len(words) && words[i] == "-" {
			sign = -1
		}
	}
	return sum, nil
}

// parseTerm reads an event with the factor before it.
func parseTerm(text string, factor float64) (term, error) {
	name := text
	if before, after, found := strings.Cut(text, " * "); found {
		f, err := input.Number(before)
		if err != nil {
			return term{}, fmt.Errorf("a factor must stand before *: %w", err)
		}
		name, factor = after, factor*f
	}
	if name == "" {
		return term{}, errors.New("an event's name is missing beside + or -")
	}
	return term{factor, normalize(name)}, nil
}

// corePMU is an event of one kind of core, as "cpu_core/instructions/u"; modifiers are what perf may append to any, as in "cycles:u" (perf-list(1)).
var (
	corePMU   = regexp.MustCompile(`^cpu(?:_core|_atom)?/([a-z0-9_.-]+)/[a-z]*$`)
	modifiers = regexp.MustCompile(`:[ukhgpsdiweb]+$`)
)

// normalize removes what does not change an event's meaning: case, perf's modifiers and core types, and the _PS of
// Intel's precise events.
func normalize(event string) string {
	event = strings.ToLower(event)
	event = modifiers.ReplaceAllString(event, "")
	if m := corePMU.FindStringSubmatch(event); m != nil {
		event = m[1]
	}
	return strings.TrimSuffix(event, "_ps")
}

// matches compares a name with a pattern in which * stands for any letters.
func matches(pattern, name string) bool {
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == name
	}
	if !strings.HasPrefix(name, before) {
		return false
	}
	parts := strings.Split(after, "*")
	rest := name[len(before):]
	for _, part := range parts[:len(parts)-1] {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}

// column is an event of a profile, with its factor.
type column struct {
	factor float64
	event  int
}

// Map gives a profile by quantities instead of events, and the events that belong to no quantity, sorted. An
// alternative whose events have no value at all is taken only where there is no other.
func (q Quantities) Map(p *Profile) (out *Profile, unmapped []string) {
	names := make([]string, len(p.Events))
	for i, event := range p.Events {
		names[i] = normalize(event)
	}
	out = &Profile{Tool: p.Tool, Rank: p.Rank, Thread: p.Thread, Summed: p.Summed, Params: p.Params, Warnings: slices.Clone(p.Warnings)}
	var chosen [][]column
	used := make([]bool, len(p.Events))
	for _, quantity := range q {
		for _, sum := range quantity.sums {
			columns := find(sum, names)
			if columns == nil {
				continue
			}
			for _, c := range columns {
				used[c.event] = true
			}
			switch i := slices.Index(out.Events, quantity.Quantity); {
			case i < 0:
				out.Events = append(out.Events, quantity.Quantity)
				chosen = append(chosen, columns)
			case !p.measured(chosen[i]) && p.measured(columns):
				chosen[i] = columns
			}
		}
	}
	for i, columns := range chosen {
		if p.anyInclusive(columns) {
			out.Inclusive = append(out.Inclusive, out.Events[i])
		}
	}
	for _, f := range p.Functions {
		out.Functions = append(out.Functions, Function{Name: f.Name, Values: combine(f.Values, chosen)})
	}
	for i, event := range p.Events {
		if !used[i] {
			unmapped = append(unmapped, event)
		}
	}
	slices.Sort(unmapped)
	return out, unmapped
}

// measured tells that each of the events has a value somewhere.
func (p *Profile) measured(columns []column) bool {
	for _, c := range columns {
		if !slices.ContainsFunc(p.Functions, func(f Function) bool { return c.event < len(f.Values) && !math.IsNaN(f.Values[c.event]) }) {
			return false
		}
	}
	return true
}

// find gives the columns of the events of a sum among names; nil where one is missing.
func find(sum []term, names []string) []column {
	var columns []column
	for _, t := range sum {
		before := len(columns)
		for i, name := range names {
			if matches(t.event, name) {
				columns = append(columns, column{t.factor, i})
			}
		}
		if len(columns) == before {
			return nil
		}
	}
	return columns
}

// anyInclusive says whether the values of one of the events hold those of callees too.
func (p *Profile) anyInclusive(columns []column) bool {
	return slices.ContainsFunc(columns, func(c column) bool { return slices.Contains(p.Inclusive, p.Events[c.event]) })
}

// combine sums up the columns of each quantity; NaN where one of them was not measured.
func combine(values []float64, chosen [][]column) []float64 {
	out := make([]float64, len(chosen))
	for i, columns := range chosen {
		for _, c := range columns {
			if c.event >= len(values) {
				out[i] = math.NaN()
				continue
			}
			out[i] += c.factor * values[c.event]
		}
	}
	return out
}
