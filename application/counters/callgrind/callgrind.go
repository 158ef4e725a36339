// Package callgrind reads the output of valgrind's tool callgrind: instructions, accesses and misses of a simulated cache, by function.
package callgrind

import (
	"bytes"
	"math"
	"path"
	"strconv"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// Is tells a file by its first line, or where that is left out by its events and functions.
func Is(head []byte) bool {
	if bytes.HasPrefix(head, []byte("# callgrind format")) {
		return true
	}
	// The line above is optional; a file must have events and functions.
	return bytes.Contains(head, []byte("\nevents: ")) && bytes.Contains(head, []byte("\nfn="))
}

// callgrind is the state of a reader of callgrind's output.
//
// Source: the format is specified in the Valgrind manual, "Callgrind Format Specification".
type callgrind struct {
	in        *input.Lines
	table     *counters.Table
	positions int               // subpositions before the costs of a line
	columns   []int             // of the part's events in the table
	names     map[int]string    // functions by the number that stands for their name
	objects   map[string]string // libraries, likewise; callgrind numbers them apart
	library   string            // of the next function
	function  int               // row of the current function; -1 before the first
	inclusive bool              // the next line of costs belongs to a call
	sums      []float64         // of the part, by event
	summary   []float64         // what the part's header says the sums are
	unchecked bool              // the part has costs that no line of totals was compared with yet
	parts     int               // that are closed by totals
}

// Read reads the exclusive costs of the functions, all parts of the file summed.
func Read(in *input.Lines) ([]counters.Profile, error) {
	c := &callgrind{in: in, table: counters.NewTableOf(in, "callgrind"), positions: 1, names: make(map[int]string), objects: make(map[string]string), function: -1}
	for in.Next() {
		if err := c.line(in.Bytes()); err != nil {
			return nil, err
		}
	}
	if err := in.Failed(); err != nil {
		return nil, err
	}
	if len(c.table.Events) == 0 {
		return nil, in.Fail("the file ends before its line of events: it is cut off; run callgrind again")
	}
	c.close()
	for i := range c.table.Functions {
		c.widen(&c.table.Functions[i])
	}
	return []counters.Profile{c.table.Done()}, nil
}

// line reads a line: costs; KEY=VALUE, which says what the next costs belong to; or KEY: VALUE of the header and the end of a part.
func (c *callgrind) line(line []byte) error {
	if len(line) == 0 || line[0] == '#' {
		return nil
	}
	if first := line[0]; first >= '0' && first <= '9' || first == '+' || first == '-' || first == '*' {
		return c.costs(line)
	}
	if i := bytes.IndexAny(line, "=:"); i > 0 && line[i] == '=' {
		return c.assign(string(line[:i]), line[i+1:])
	} else if i > 0 {
		return c.header(string(line[:i]), string(bytes.TrimSpace(line[i+1:])))
	}
	return c.in.Fail("%s is no line of callgrind's format; is the file cut off, or mixed with other output?", input.Quote(string(line)))
}

// header reads the lines KEY: VALUE before and after the costs of a part; keys that tell nothing that is needed are passed over.
func (c *callgrind) header(key, value string) (err error) {
	switch key {
	case "positions":
		c.positions = len(strings.Fields(value))
	case "events":
		c.close()
		c.columns = nil
		for _, event := range strings.Fields(value) {
			c.columns = append(c.columns, c.table.Column(event))
		}
		c.sums = make([]float64, len(c.columns))
	case "part":
		c.close()
	case "summary":
		c.summary, err = c.counts(value)
	case "totals":
		var totals []float64
		if totals, err = c.counts(value); err == nil {
			c.check("totals", totals)
			c.unchecked, c.summary = false, nil
			c.parts++
			clear(c.sums)
		}
	}
	return err
}

// counts reads the numbers of a line.
func (c *callgrind) counts(value string) ([]float64, error) {
	counts, err := input.Numbers(strings.Fields(value))
	if err != nil {
		return nil, c.in.Fail("%w; run callgrind again", err)
	}
	return counts, nil
}

// close ends a part that has no totals: older writers give a summary only, and a file may be cut off.
func (c *callgrind) close() {
	switch {
	case c.unchecked && c.summary != nil:
		c.table.Warn("there is no line of totals before line %d: the file may be cut off", c.in.Number+1)
		c.check("summary", c.summary)
	case c.unchecked || c.parts == 0 && c.in.Number > 0 && c.columns != nil:
		c.table.Warn("there is no line of totals or summary before line %d: the file may be cut off", c.in.Number+1)
	}
	c.unchecked, c.summary = false, nil
	clear(c.sums)
}

// What the costs of a part may lack of its totals, as Callgrind itself counts some instructions at the ends of threads into the totals only.
// Chosen: so many costs, or this share of the total where that is more; a file that was cut off lacks more as a rule.
const (
	lackingCosts = 100
	lackingShare = 0.001
)

// check compares the sums of a part with what its own line, of totals or of the summary, says.
func (c *callgrind) check(line string, expected []float64) {
	for i, sum := range c.sums {
		want := 0.0
		if i < len(expected) {
			want = expected[i]
		}
		if math.Abs(sum-want) > max(lackingCosts, want*lackingShare) {
			c.table.Warn("the costs of %s sum up to %.0f, but the line of %s says %.0f: the file may be cut off or edited", c.table.Events[c.columns[i]], sum, line, want)
		}
	}
}

// assign reads the lines that say what the next costs belong to. Files do not matter here: a function is known by its name, or where it has
// none by its address and library.
func (c *callgrind) assign(key string, value []byte) error {
	switch key {
	case "fn":
		name, err := c.name(value)
		if err != nil {
			return err
		}
		if strings.HasPrefix(name, "0x") && c.library != "" {
			name += " in " + c.library
		}
		c.function = c.table.Row(name)
	case "cfn":
		_, err := c.name(value)
		return err
	case "calls":
		c.inclusive = true
	case "ob":
		c.library = c.object(value)
	case "cob":
		c.object(value)
	case "fl", "fi", "fe", "cfi", "cfl", "jump", "jcnd", "jfi", "jfn", "rcalls", "frfn":
	default:
		return c.in.Fail("%s= is no key of callgrind's format; is the file cut off, or mixed with other output?", input.Quote(key))
	}
	return nil
}

// object is the name of a library, whose path does not matter: functions without a name are told apart by it.
func (c *callgrind) object(value []byte) string {
	name := string(value)
	if end := bytes.IndexByte(value, ')'); end > 1 && value[0] == '(' {
		id := string(value[1:end])
		if rest := bytes.TrimSpace(value[end+1:]); len(rest) > 0 {
			c.objects[id] = string(rest)
		}
		name = c.objects[id]
	}
	return path.Base(name)
}

// name undoes the compression of names: "(7) main" says that 7 stands for main from here on, "(7)" is main again.
func (c *callgrind) name(value []byte) (string, error) {
	end := bytes.IndexByte(value, ')')
	if end < 2 || value[0] != '(' {
		return string(value), nil
	}
	id, err := strconv.Atoi(string(value[1:end]))
	if err != nil {
		return string(value), nil // "(below main)"
	}
	if rest := bytes.TrimSpace(value[end+1:]); len(rest) > 0 {
		c.names[id] = string(rest)
	}
	name, known := c.names[id]
	if !known {
		return "", c.in.Fail("function (%d) has no name yet: a part of the file is missing; run callgrind again", id)
	}
	return name, nil
}

// costs adds a line of costs to the function, unless a calls= line before it says that the callee has them.
func (c *callgrind) costs(line []byte) error {
	if c.inclusive {
		c.inclusive = false
		return nil
	}
	if c.columns == nil {
		return c.in.Fail("costs before the line of events: the header of the file is missing; run callgrind again")
	}
	for range c.positions {
		_, line = field(line)
	}
	if c.function < 0 {
		c.function = c.table.Row("")
	}
	f := &c.table.Functions[c.function]
	c.widen(f)
	for i := 0; len(line) > 0; i++ {
		var text []byte
		text, line = field(line)
		count, err := strconv.ParseUint(string(text), 10, 64)
		if err != nil {
			return c.in.Fail("the cost %s is not a whole number; run callgrind again", input.Quote(string(text)))
		}
		if i >= len(c.columns) {
			return c.in.Fail("the line has more costs than the %d events; run callgrind again", len(c.columns))
		}
		f.Values[c.columns[i]] += float64(count)
		c.sums[i] += float64(count)
		c.unchecked = true
	}
	return nil
}

// widen adds the costs that callgrind leaves out: they are zero.
func (c *callgrind) widen(f *counters.Function) {
	for len(f.Values) < len(c.table.Events) {
		f.Values = append(f.Values, 0)
	}
}

// field splits off the first word.
func field(line []byte) (word, rest []byte) {
	i := bytes.IndexByte(line, ' ')
	if i < 0 {
		return line, nil
	}
	return line[:i], bytes.TrimLeft(line[i:], " ")
}
