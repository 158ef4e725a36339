package main

import (
	"fmt"
	"strings"
)

// section is a part of the document: a table, and what did not end as it should.
type section struct {
	title, text string
	columns     []string
	rows        [][]string
	skipped     []string
	failed      []string
}

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

// mostShown is how many failures of a section are written out.
const mostShown = 200

func (s *section) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "## %s\n\n%s\n\n", s.title, s.text)
	if len(s.rows) > 0 {
		writeRow(b, s.columns)
		b.WriteString("|---" + strings.Repeat("|--:", len(s.columns)-1) + "|\n")
		for _, row := range s.rows {
			writeRow(b, row)
		}
		b.WriteByte('\n')
	}
	writeList(b, "Not tried:", s.skipped)
	writeList(b, "Failed:", s.failed[:min(len(s.failed), mostShown)])
	if more := len(s.failed) - mostShown; more > 0 {
		fmt.Fprintf(b, "and %d more.\n\n", more)
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

// document is docs/reliability.md.
type document struct {
	brief    bool // of a small part
	sections []*section
}

func (d *document) failures() (all []string) {
	for _, s := range d.sections {
		for _, f := range s.failed {
			all = append(all, s.title+": "+plain(f))
		}
	}
	return all
}

func (d *document) markdown() string {
	var b strings.Builder
	b.WriteString("# Reliability\n\nWhat foresee was put through, and how it ended. `make reliability` tries it all again, as root on Linux, and writes this file; " +
		"it fails where a row does. Counts and seconds are of one run; the rest is the same in each.\n\n")
	if d.brief {
		b.WriteString("This is of the small part that each `make test` tries; the whole takes hours.\n\n")
	}
	switch n := len(d.failures()); n {
	case 0:
		b.WriteString("Everything ended as it should.\n\n")
	default:
		fmt.Fprintf(&b, "**%d did not end as they should**; each is listed below its table.\n\n", n)
	}
	for _, s := range d.sections {
		s.markdown(&b)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
