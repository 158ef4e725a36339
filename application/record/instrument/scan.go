package instrument

import "strings"

// The text of LLVM IR is read only as far as needed: types, typed operands, and lists split at their own level.

// splitList splits at commas that are in no bracket and no string.
func splitList(s string) []string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth--
		case '"':
			i += max(strings.IndexByte(s[i+1:], '"'), 0) + 1
		case ',':
			if depth == 0 {
				parts = append(parts, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	return append(parts, strings.TrimSpace(s[start:]))
}

// balanced gives the length of the bracket or string that s begins with, 0 where it begins with none or it does not close.
func balanced(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth--
		case '"':
			i += max(strings.IndexByte(s[i+1:], '"'), 0) + 1
		}
		if depth == 0 {
			if i == 0 {
				return 0
			}
			return i + 1
		}
	}
	return 0
}

// takeType splits the type off that s begins with.
func takeType(s string) (typ, rest string) {
	s = strings.TrimSpace(s)
	n := 0
	switch {
	case s == "":
		return "", ""
	case strings.IndexByte("<[{", s[0]) >= 0:
		n = balanced(s)
	case strings.HasPrefix(s, `%"`):
		n = strings.IndexByte(s[2:], '"') + 3
	default:
		n = len(s)
		if i := strings.IndexAny(s, " ,*()"); i >= 0 {
			n = i
		}
	}
	for {
		after := strings.TrimLeft(s[n:], " ")
		switch {
		case strings.HasPrefix(after, "*"):
			n = len(s) - len(after) + 1
		case strings.HasPrefix(after, "addrspace("):
			n = len(s) - len(after) + len("addrspace") + balanced(after[len("addrspace"):])
		case strings.HasPrefix(after, "(") && !strings.HasPrefix(s[:n], "ptr"): // the type of a function
			k := balanced(after)
			if k == 0 {
				return s[:n], s[n:]
			}
			n = len(s) - len(after) + k
		default:
			return s[:n], after
		}
	}
}

// takeValue splits off a value: a name, a literal or a constant expression.
func takeValue(s string) (value, rest string) {
	s = strings.TrimSpace(s)
	n := 0
	switch {
	case s == "":
		return "", ""
	case s[0] == '%' || s[0] == '@':
		n = 1
		if n < len(s) && s[n] == '"' {
			n += strings.IndexByte(s[n+1:], '"') + 2
		} else {
			for n < len(s) && strings.IndexByte(" ,)]}>(", s[n]) < 0 {
				n++
			}
		}
	case strings.IndexByte("<[{", s[0]) >= 0:
		n = balanced(s)
	default:
		n = len(s)
		if i := strings.IndexAny(s, " ,)(<[{"); i >= 0 {
			n = i
		}
		if constantExpression(s[:n]) {
			if open := strings.IndexByte(s, '('); open >= 0 {
				n = open + balanced(s[open:])
			}
		}
	}
	return s[:n], strings.TrimSpace(s[n:])
}

// constantExpression says whether a word begins a constant that is computed of others.
func constantExpression(word string) bool {
	switch word {
	case "getelementptr", "inttoptr", "ptrtoint", "bitcast", "addrspacecast", "add", "sub", "mul", "select", "blockaddress", "dso_local_equivalent":
		return true
	}
	return false
}

// takeTyped splits off a type and its value, such as "double* %4", without the attributes between them.
func takeTyped(s string) (typ, value, rest string) {
	typ, rest = takeType(s)
	for rest != "" && !beginsValue(rest) {
		word := rest
		if i := strings.IndexAny(rest, " (,"); i >= 0 {
			word = rest[:i]
		}
		rest = strings.TrimSpace(rest[len(word):])
		if strings.HasPrefix(rest, "(") {
			rest = strings.TrimSpace(rest[balanced(rest):])
		} else if word == "align" {
			_, rest, _ = strings.Cut(rest, " ")
			rest = strings.TrimSpace(rest)
		}
		if word == "" {
			break
		}
	}
	value, rest = takeValue(rest)
	return typ, value, rest
}

// beginsValue tells a value from an attribute of a parameter.
func beginsValue(s string) bool {
	if strings.IndexByte("%@<[{-0123456789", s[0]) >= 0 {
		return true
	}
	word := s
	if i := strings.IndexAny(s, " (,)"); i >= 0 {
		word = s[:i]
	}
	switch word {
	case "null", "undef", "poison", "zeroinitializer", "true", "false", "none":
		return true
	}
	return constantExpression(word)
}
