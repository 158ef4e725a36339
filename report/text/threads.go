package text

import (
	"fmt"

	"foresee/report"
)

// sharedText is what the threads' caches need together, empty where they need none: a table, or of the most threads a line.
func sharedText(s *report.SharedCaches, o Options) string {
	if s == nil {
		return ""
	}
	if !o.All && !o.Caches {
		last := s.Rows[len(s.Rows)-1]
		return fmt.Sprintf("\n%s: %s with %s threads; %s\n", s.Title, last[1], last[0], s.Level)
	}
	t := &table{}
	t.row("threads", "cache")
	for _, r := range s.Rows {
		t.row(r...)
	}
	return fmt.Sprintf("\n%s\n\n%s\n%s\n", s.Title, t.String(), s.Level)
}
