// Package runtable reads tables of runs as people keep them: a line of names, then one of numbers for each run, between commas, semicolons, tabs or spaces.
package runtable

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// name is what a column may be called.
var name = regexp.MustCompile(`^[A-Za-z_][\w .:/()\[\]%^-]*$`)

// times are what people call the column of times, in small letters; what stands before it is what was chosen for a run.
var times = regexp.MustCompile(`^(wall|run|elapsed|total|real|user|cpu|solve|compute)?[ _-]?(time|clock|runtime|seconds|secs?)([ _-]?[(\[]?(s|sec|secs|seconds|ms|us|µs|ns)[)\]]?)?$`)

// Is tells a table by its first two lines: names, and as many cells with a number among them.
func Is(head []byte) bool {
	lines := bytes.SplitN(bytes.TrimLeft(head, "\r\n"), []byte("\n"), 3)
	if len(lines) < 2 {
		return false
	}
	first := string(bytes.TrimRight(lines[0], "\r"))
	between := separator(first)
	names, cells := split(first, between), split(string(bytes.TrimRight(lines[1], "\r")), between)
	if len(names) < 2 || len(cells) != len(names) || slices.ContainsFunc(names, func(n string) bool { return !name.MatchString(n) }) {
		return false
	}
	numbers := 0
	for _, c := range cells {
		if _, err := input.Number(c); err == nil {
			numbers++
		}
	}
	return numbers >= 2
}

// separator is what stands between the cells of a line: the first of comma, semicolon and tab that it has; else spaces.
func separator(line string) rune {
	for _, c := range ",;\t" {
		if strings.ContainsRune(line, c) {
			return c
		}
	}
	return ' '
}

// split are the cells of a line, without quotes and space around them.
func split(line string, between rune) []string {
	var all []string
	if between == ' ' {
		all = strings.FieldsFunc(line, unicode.IsSpace)
	} else {
		all = strings.Split(line, string(between))
	}
	for i, c := range all {
		all[i] = strings.TrimSpace(strings.Trim(strings.TrimSpace(c), `"'`))
	}
	return all
}

// Read reads a table. A column of words names the region of a line; several are joined. Columns before the first that is called a time (time, seconds, wall
// time, …) are parameters, it and those behind it metrics; where none is called so, the last column alone is a metric. Lines of the same parameters are
// repetitions.
func Read(in *input.Lines) (*counters.Set, error) {
	set := new(counters.Set)
	var names []string
	var between rune
	var words []bool // by column
	var metrics int  // the first
	for in.Next() {
		line := strings.TrimSpace(strings.ToValidUTF8(in.Text(), "\uFFFD"))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if names == nil {
			between = separator(line)
			names = split(line, between)
			for i, n := range names {
				if slices.Contains(names[:i], n) {
					return nil, in.Fail("two columns are called %s; give each a name of its own", input.Quote(n))
				}
			}
			continue
		}
		cells := split(line, between)
		if len(cells) != len(names) {
			return nil, in.Fail("the line has %d cells, and the first line names %d; give each run a cell of each", len(cells), len(names))
		}
		if words == nil {
			words = make([]bool, len(cells))
			for i, c := range cells {
				_, err := input.Number(c)
				words[i] = err != nil
			}
			metrics = firstMetric(names, words)
			if metrics < 0 {
				return nil, in.Fail("there is no parameter before %s; give what differs between the runs, such as p for the number of processes", input.Quote(names[len(names)-1]))
			}
		}
		if err := add(set, names, cells, words, metrics); err != nil {
			return nil, in.Fail("%w", err)
		}
	}
	return set, in.Failed()
}

// firstMetric is the first column of metrics; negative where no parameter is before it.
func firstMetric(names []string, words []bool) int {
	first, last, parameters := -1, -1, 0
	for i, n := range names {
		if words[i] {
			continue
		}
		last = i
		if first < 0 && times.MatchString(strings.ToLower(n)) {
			first = i
		}
	}
	if first < 0 {
		first = last
	}
	for i := range max(first, 0) {
		if !words[i] {
			parameters++
		}
	}
	if parameters == 0 {
		return -1
	}
	return first
}

// add adds the measurements of a line.
func add(set *counters.Set, names, cells []string, words []bool, metrics int) error {
	at, values := map[string]float64{}, map[string]float64{}
	var region, measured []string
	for i, c := range cells {
		if words[i] {
			region = append(region, c)
			continue
		}
		v, err := input.Number(c)
		switch {
		case err != nil:
			return err
		case i < metrics:
			at[names[i]] = v
		default:
			measured, values[names[i]] = append(measured, names[i]), v
		}
	}
	for _, metric := range measured {
		if err := set.Add(at, strings.Join(region, "/"), metric, values[metric]); err != nil {
			return err
		}
	}
	return nil
}
