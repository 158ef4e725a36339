package accuracy

import (
	"fmt"
	"io"
	"strings"
)

// Section is what one validation has to say.
type Section struct {
	Name   string // of the validation: cache, time, …
	Tables []*Table
	Notes  []string
}

// Markdown writes the section.
func (s *Section) Markdown(w io.Writer) error {
	for _, n := range s.Notes {
		if _, err := fmt.Fprintf(w, "%s\n\n", n); err != nil {
			return err
		}
	}
	for i, t := range s.Tables {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := t.Markdown(w); err != nil {
			return err
		}
	}
	return nil
}

// Replace puts the section into a document in place of its former self, or at the end.
func (s *Section) Replace(document string) (string, error) {
	var b strings.Builder
	begin, end := marks(s.Name)
	fmt.Fprintf(&b, "%s\n\n", begin)
	if err := s.Markdown(&b); err != nil {
		return "", err
	}
	fmt.Fprintf(&b, "\n%s\n", end)
	i, j := strings.Index(document, begin), strings.Index(document, end)
	switch {
	case i < 0 && j < 0:
		if document != "" {
			document = strings.TrimRight(document, "\n") + "\n\n"
		}
		return document + b.String(), nil
	case i < 0 || j < i:
		return "", fmt.Errorf("the marks of section %s are broken; restore the lines %q and %q", s.Name, begin, end)
	}
	return document[:i] + b.String() + strings.TrimPrefix(document[j+len(end):], "\n"), nil
}

func marks(name string) (begin, end string) {
	return fmt.Sprintf("<!-- foresee validate %s -->", name), fmt.Sprintf("<!-- end of %s -->", name)
}
