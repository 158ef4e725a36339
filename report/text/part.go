package text

import (
	"foresee/report"
)

// partLine begins texts.
func partLine(partial bool) string {
	if !partial {
		return ""
	}
	return report.PartText + "\n\n"
}

// partColumn adds a column to the records of a partial result; whole ones have none.
func partColumn(partial bool, records [][]string) [][]string {
	if !partial {
		return records
	}
	out := make([][]string, len(records))
	for i, r := range records {
		mark := "true"
		if i == 0 {
			mark = "partial"
		}
		out[i] = append(r[:len(r):len(r)], mark)
	}
	return out
}
