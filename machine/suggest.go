package machine

import (
	"slices"
	"strings"
)

// near returns up to three of names that are close to word, nearest first.
func near(word string, names []string) []string {
	type scored struct {
		name string
		far  int
	}
	var found []scored
	for _, name := range names {
		far := distance(plain(word), plain(name))
		if far <= max(1, (len(name)+1)/3) || (len(word) > 2 && strings.HasPrefix(plain(name), plain(word))) {
			found = append(found, scored{name, far})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return a.far - b.far })
	var out []string
	for _, f := range found[:min(3, len(found))] {
		out = append(out, f.name)
	}
	return out
}

// plain drops what people mistype first: case, and the marks between words.
func plain(s string) string {
	return strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(strings.ToLower(s))
}

// distance is Levenshtein's, in bytes. Long words are far from everything.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// didYouMean ends an error message: "; did you mean ways?", or nothing.
func didYouMean(word string, names []string) string {
	if words := near(word, names); len(words) > 0 {
		return "; did you mean " + strings.Join(words, " or ") + "?"
	}
	return ""
}
