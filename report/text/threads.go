package text

import (
	"fmt"

	"foresee/report"
)

// sharedText is a table of the caches that the threads need together; empty where they need none.
func sharedText(s *report.SharedCaches) string {
	if s == nil {
		return ""
	}
	t := &table{}
	t.row("threads", "cache")
	for _, r := range s.Rows {
		t.row(r...)
	}
	return fmt.Sprintf("\n%s\n\n%s\n%s\n", s.Title, t.String(), s.Level)
}
