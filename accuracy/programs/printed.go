package programs

import (
	"regexp"
	"strings"
)

// timed are lines of programs that print how long something took, or how fast it was, which no two runs agree on.
var timed = regexp.MustCompile(`(?i)time|second|elapsed|[fm]lop|mop|perf|rate|/s\b|speed|\b[mun]s\b|date|processor|\bPID\b`)

// same gives an OutputError where a program prints something else when it is recorded than in two plain runs, times aside.
func same(name, plain, again, recorded string) error {
	a, b, c := strings.Split(plain, "\n"), strings.Split(again, "\n"), strings.Split(recorded, "\n")
	if len(a) != len(b) { // it does not agree with itself
		return nil
	}
	if len(a) != len(c) {
		return &OutputError{name, plain, recorded}
	}
	for i := range a {
		if a[i] == c[i] || a[i] != b[i] || timed.MatchString(a[i]) {
			continue
		}
		return &OutputError{name, a[i], c[i]}
	}
	return nil
}
