package main

import (
	"fmt"
	"strings"
)

// section is a part of the document: a table, and what did not end as it should.
type section struct {
	title, text string
	part        string // what of the whole was tried, where it was not all
	columns     []string
	rows        [][]string
	skipped     []string
	failed      []string
}

// partly begins the line that says of a section that it is of a part.
const partly = "Of a part: "

// whole says that all was tried that the section is about.
func (s *section) whole() bool { return s.part == "" && len(s.skipped) == 0 }

func (s *section) add(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
	}
	s.rows = append(s.rows, row)
}

func (s *section) fail(format string, args ...any) {
	s.failed = append(s.failed, fmt.Sprintf(format, args...))
}

func (s *section) skip(format string, args ...any) {
	s.skipped = append(s.skipped, fmt.Sprintf(format, args...))
}

// Lines of a section that say what it holds.
const (
	titled   = "## "
	notTried = "Not tried:"
	notWell  = "Failed:"
	more     = "and %d more."
)

// mostShown is how many failures of a section are written out.
const mostShown = 200

func (s *section) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "%s%s\n\n%s\n\n", titled, s.title, s.text)
	if s.part != "" {
		fmt.Fprintf(b, "%s%s.\n\n", partly, s.part)
	}
	if len(s.rows) > 0 {
		writeRow(b, s.columns)
		b.WriteString("|---" + strings.Repeat("|--:", len(s.columns)-1) + "|\n")
		for _, row := range s.rows {
			writeRow(b, row)
		}
		b.WriteByte('\n')
	}
	writeList(b, notTried, s.skipped)
	writeList(b, notWell, s.failed[:min(len(s.failed), mostShown)])
	if n := len(s.failed) - mostShown; n > 0 {
		fmt.Fprintf(b, more+"\n\n", n)
	}
}

func writeRow(b *strings.Builder, cells []string) {
	for _, c := range cells {
		fmt.Fprintf(b, "| %s ", strings.ReplaceAll(c, "|", `\|`))
	}
	b.WriteString("|\n")
}

func writeList(b *strings.Builder, head string, items []string) {
	if len(items) == 0 {
		return
	}
	b.WriteString(head + "\n\n")
	for _, item := range items {
		fmt.Fprintf(b, "- %s\n", plain(item))
	}
	b.WriteByte('\n')
}

// plain is a text in one line of at most 300 characters, without what Markdown or a terminal would act upon.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < ' ' || r == 0x7f || r == '<' || r == '`':
			return -1
		}
		return r
	}, strings.TrimSpace(s))
	if r := []rune(s); len(r) > 300 {
		return string(r[:300]) + "…"
	}
	return s
}

// document is docs/reliability.md: the sections that were tried now, and those of an earlier document that were not.
type document struct {
	titles  []string // of all sections, in their order
	made    []*section
	earlier []*earlierSection
}

// head begins every document.
const head = "# Reliability\n"

func (d *document) failures() (all []string) {
	for _, s := range d.made {
		for _, f := range s.failed {
			all = append(all, s.title+": "+plain(f))
		}
	}
	return all
}

// find gives a section that was made now, or else an earlier one.
func (d *document) find(title string) (*section, *earlierSection) {
	for _, s := range d.made {
		if s.title == title {
			return s, nil
		}
	}
	for _, s := range d.earlier {
		if s.title == title {
			return nil, s
		}
	}
	return nil, nil
}

func (d *document) markdown() string {
	var b strings.Builder
	b.WriteString(head + "\nWhat foresee was put through, and how it ended. `make reliability` tries it all again, as root on Linux, and writes this file, or the sections of it that ONLY names; " +
		"it fails where a row does. Counts and seconds are of one run; the rest is the same in each.\n\n")
	if parts := d.parts(); len(parts) > 0 {
		fmt.Fprintf(&b, "This is not the whole, which takes hours. Of a part, as each says: %s.\n\n", strings.Join(parts, ", "))
	} else {
		b.WriteString("This is the whole.\n\n")
	}
	switch n := d.failed(); n {
	case 0:
		b.WriteString("Everything that was tried ended as it should.\n\n")
	default:
		fmt.Fprintf(&b, "**%d did not end as they should**; each is listed below its table.\n\n", n)
	}
	for _, title := range d.titles {
		switch made, earlier := d.find(title); {
		case made != nil:
			made.markdown(&b)
		case earlier != nil:
			b.WriteString(earlier.text + "\n\n")
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// parts are the sections that are not whole.
func (d *document) parts() (all []string) {
	for _, title := range d.titles {
		made, earlier := d.find(title)
		switch {
		case made == nil && earlier == nil:
			all = append(all, title+" (not tried)")
		case made != nil && !made.whole(), earlier != nil && !earlier.whole:
			all = append(all, title)
		}
	}
	return all
}

// failed is how many things did not end as they should, in all sections.
func (d *document) failed() (n int) {
	for _, title := range d.titles {
		switch made, earlier := d.find(title); {
		case made != nil:
			n += len(made.failed)
		case earlier != nil:
			n += earlier.failed
		}
	}
	return n
}
