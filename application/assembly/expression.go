package assembly

import (
	"strconv"
	"strings"
)

// sum is symbol − less + value, as addresses are written.
type sum struct {
	symbol, less string
	value        int64
}

// parseSum reads a sum of symbols and numbers; false where it is anything else.
func parseSum(text string) (sum, bool) {
	var s sum
	rest := strings.TrimSpace(text)
	sign := int64(1)
	for first := true; rest != ""; first = false {
		switch rest[0] {
		case '+':
			rest = rest[1:]
		case '-':
			sign, rest = -sign, rest[1:]
		default:
			if !first {
				return s, false
			}
		}
		rest = strings.TrimLeft(rest, " \t+")
		for strings.HasPrefix(rest, "-") {
			sign, rest = -sign, strings.TrimLeft(rest[1:], " \t")
		}
		end := strings.IndexAny(rest, "+-")
		if strings.HasPrefix(rest, `"`) {
			if close := strings.Index(rest[1:], `"`); close >= 0 {
				end = close + 2
				if end == len(rest) {
					end = -1
				}
			}
		}
		if end < 0 {
			end = len(rest)
		}
		if !s.add(strings.TrimSpace(rest[:end]), sign) {
			return s, false
		}
		rest, sign = strings.TrimSpace(rest[end:]), 1
	}
	return s, true
}

// add takes one term in.
func (s *sum) add(term string, sign int64) bool {
	if term == "" {
		return false
	}
	if n, ok := parseInteger(term); ok {
		s.value += sign * n
		return true
	}
	name, ok := symbolName(term)
	switch {
	case !ok:
		return false
	case sign > 0 && s.symbol == "":
		s.symbol = name
	case sign < 0 && s.less == "":
		s.less = name
	default:
		return false
	}
	return true
}

// parseInteger reads a number as C writes it, up to those that only fit without a sign.
func parseInteger(text string) (int64, bool) {
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return n, true
	}
	n, err := strconv.ParseUint(text, 0, 64)
	return int64(n), err == nil
}

// symbolName is the name without its quotes and without what says how the linker finds it.
func symbolName(text string) (string, bool) {
	if len(text) >= 2 && text[0] == '"' {
		end := strings.Index(text[1:], `"`)
		return text[1 : max(end, 0)+1], end > 0
	}
	name, _, _ := strings.Cut(text, "@")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return "", false
	}
	for _, r := range name {
		if r != '_' && r != '.' && r != '$' && r < 0x80 && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return "", false
		}
	}
	return name, true
}
