package docs_test

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var number = regexp.MustCompile(`\d+(?:\.\d+)?`)

// TestFigures holds every row of a table that cites a table of accuracy, by a link to its section, to what stands there: mean and n on one
// line, and the worst case on that line or on one with its name.
func TestFigures(t *testing.T) {
	all := pages(t)
	rows := 0
	for name, text := range all {
		for _, row := range tableRows(text) {
			section, cited := citedSection(all, name, row.line)
			if !cited {
				continue
			}
			rows++
			for _, problem := range row.differences(section) {
				t.Errorf("%s: %s\n%s", name, problem, row.line)
			}
		}
	}
	if rows < 20 {
		t.Errorf("only %d rows were compared", rows)
	}
}

var proseMark = regexp.MustCompile(`<!--~ (\w+) -->(\d+(?:\.\d+)?)`)

// TestProse looks for figures that stand in running text, each behind a mark with the name of its page: <!--~ scaling -->27.5.
func TestProse(t *testing.T) {
	all := pages(t)
	figures := 0
	for name, text := range all {
		found := proseMark.FindAllStringSubmatch(text, -1)
		if n := strings.Count(text, "<!--~"); n != len(found) {
			t.Errorf("%s: %d of %d marks are no mark of a figure: <!--~ page -->NUMBER", name, n-len(found), n)
		}
		for _, m := range found {
			figures++
			if !hasLine(all["docs/accuracy/"+m[1]+".md"], []string{m[2]}, "") {
				t.Errorf("%s: %s is not in docs/accuracy/%s.md", name, m[2], m[1])
			}
		}
	}
	if figures < 10 {
		t.Errorf("only %d figures were looked for", figures)
	}
}

// tableRow is a row of a Markdown table, its cells by the name of their column.
type tableRow struct {
	line  string
	cells map[string]string
}

func tableRows(page string) (out []tableRow) {
	var columns []string
	for line := range strings.Lines(prose(page)) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			columns = nil
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if columns == nil {
			columns = cells
			continue
		}
		row := tableRow{line: line, cells: map[string]string{}}
		for i, c := range cells {
			if i < len(columns) {
				row.cells[strings.TrimSpace(columns[i])] = strings.TrimSpace(c)
			}
		}
		out = append(out, row)
	}
	return out
}

// citedSection is the section of a page of accuracy that a row links to.
func citedSection(all map[string]string, page, line string) (string, bool) {
	for _, found := range link.FindAllStringSubmatch(line, -1) {
		file, anchor, _ := strings.Cut(found[1], "#")
		file = path.Join(path.Dir(page), file)
		if path.Dir(file) != "docs/accuracy" || anchor == "" {
			continue
		}
		var section strings.Builder
		inside := false
		for line := range strings.Lines(all[file]) {
			if text, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
				inside = anchorOf(strings.TrimSpace(text)) == anchor
			}
			if inside {
				section.WriteString(line)
			}
		}
		return section.String(), true
	}
	return "", false
}

// differences are the figures of a row that its section does not have.
func (r *tableRow) differences(section string) (out []string) {
	mean, worst := r.cells["mean"], r.cells["worst"]
	if mean == "" {
		return []string{"a row that cites accuracy has no column named mean"}
	}
	together := number.FindAllString(mean, -1)
	if n := r.cells["n"]; number.FindString(n) == n { // not "18 sets", which a table need not print
		together = append(together, n)
	}
	if !hasLine(section, together, "") {
		out = append(out, fmt.Sprintf("no line of the section has all of %s", strings.Join(together, ", ")))
	}
	value, of, _ := strings.Cut(worst, " (")
	if of, _, _ = strings.Cut(of, ")"); number.MatchString(value) && !hasLine(section, number.FindAllString(value, -1), strings.Split(of, ",")[0]) {
		out = append(out, fmt.Sprintf("no line of the section has %s and %s", value, of))
	}
	return out
}

// hasLine says whether a line has all of some numbers, and a text.
func hasLine(section string, numbers []string, text string) bool {
	for line := range strings.Lines(section) {
		there := number.FindAllString(line, -1)
		if strings.Contains(line, text) && !slices.ContainsFunc(numbers, func(n string) bool { return !slices.Contains(there, n) }) {
			return true
		}
	}
	return false
}

func TestDifferences(t *testing.T) {
	const page = "# A\n\n| what | mean | worst | n | where |\n|---|--:|--:|--:|---|\n| x | %s | %s | %s | [table](docs/accuracy/cache.md#hit-rates) |\n"
	all := map[string]string{"docs/accuracy/cache.md": "# A\n## Other\n- x: mean 1.00, n = 3\n## Hit rates\n- x: mean 0.36, worst 8.30 (deriche, L3), n = 732\n| lu | 9.99 |\n"}
	for _, c := range []struct {
		mean, worst, n string
		problems       int
	}{{"0.36", "8.30 (deriche, L3)", "732", 0}, {"0.36", "9.99 (lu)", "732", 0}, {"0.36", "9.99 (mvt)", "732", 1}, {"1.00", "–", "3", 1}, {"0.36", "8.30 (deriche)", "733", 1}, {"0.37", "8.31 (deriche)", "732", 2}} {
		rows := tableRows(fmt.Sprintf(page, c.mean, c.worst, c.n))
		row := rows[len(rows)-1]
		section, cited := citedSection(all, "README.md", row.line)
		if !cited {
			t.Fatal("the row cites nothing")
		}
		if got := row.differences(section); len(got) != c.problems {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
