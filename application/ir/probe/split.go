package probe

import (
	"iter"
	"strings"
)

// Outside gives the places of a text of LLVM IR that are in no bracket and no string.
func Outside(s string) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		depth, quoted := 0, false
		for i := range len(s) {
			switch c := s[i]; {
			case c == '"':
				quoted = !quoted
			case quoted:
			case strings.IndexByte("([{<", c) >= 0:
				depth++
			case strings.IndexByte(")]}>", c) >= 0:
				depth--
			case depth == 0 && !yield(i, c):
				return
			}
		}
	}
}

// Split splits a text of LLVM IR at commas that are in no bracket and no string.
func Split(s string) (parts []string) {
	start := 0
	for i, c := range Outside(s) {
		if c == ',' {
			parts = append(parts, strings.TrimSpace(s[start:i]))
			start = i + 1
		}
	}
	return append(parts, strings.TrimSpace(s[start:]))
}
