package transform

import (
	"foresee/advise/syntax"
)

// Operators of variables that are put together from all iterations, in whatever order.
const (
	largest  = "max"
	smallest = "min"
)

// choosing are functions that give the larger or the smaller of two values.
var choosing = map[string]string{
	"fmax": largest, "fmaxf": largest, "max": largest, "MAX": largest, "fmin": smallest, "fminf": smallest, "min": smallest, "MIN": smallest,
}

// extremeOf tells whether all that words do with a variable is to keep the largest or the smallest of values in it: by if (x > s) s = x, by
// s = x > s ? x : s, or by a function. It gives max or min, "" where they do otherwise.
func extremeOf(words []syntax.Token, name string) string {
	op := ""
	for i := 0; i < len(words); i++ {
		if words[i].Kind != syntax.Word || words[i].Text != name && words[i].Text != "if" {
			continue
		}
		this, end := extremeAt(words[i:], name)
		switch {
		case this != "" && (op == "" || op == this):
			op = this
			i += end
		case this != "" || words[i].Text == name:
			return ""
		}
	}
	return op
}

// extremeAt reads one such statement, at the begin of words; end is where it ends.
func extremeAt(words []syntax.Token, name string) (op string, end int) {
	if len(words) < 6 {
		return "", 0
	}
	if words[0].Text == "if" && words[1].Is("(") {
		closed := closes(words, 1)
		if closed < 0 {
			return "", 0
		}
		op, value := compared(words[2:closed], name)
		at := closed + 1
		braced := at < len(words) && words[at].Is("{")
		if braced {
			at++
		}
		if op == "" || at+1 >= len(words) || words[at].Text != name || !words[at+1].Is("=") {
			return "", 0
		}
		end = statementEnd(words, at)
		if end < 0 || !sameWords(words[at+2:end], value) {
			return "", 0
		}
		if braced {
			if end++; end >= len(words) || !words[end].Is("}") {
				return "", 0
			}
		}
		if end+1 < len(words) && words[end+1].Text == "else" {
			return "", 0
		}
		return op, end
	}
	if words[0].Text != name || !words[1].Is("=") {
		return "", 0
	}
	if end = statementEnd(words, 0); end < 0 {
		return "", 0
	}
	value := words[2:end]
	if op := choosing[value[0].Text]; op != "" {
		if len(value) < 6 || !value[1].Is("(") || closes(value, 1) != len(value)-1 {
			return "", 0
		}
		return ofTwo(op, value[2:len(value)-1], name), end
	}
	return chosen(value, name), end
}

// ofTwo is an operator whose two operands are the variable and what does not speak of it; "" of others.
func ofTwo(op string, operands []syntax.Token, name string) string {
	comma := atDepth(operands, ",")
	if comma < 0 {
		return ""
	}
	a, b := operands[:comma], operands[comma+1:]
	if isName(a, name) && plainValue(b, name) || isName(b, name) && plainValue(a, name) {
		return op
	}
	return ""
}

// chosen reads x > s ? x : s and its like.
func chosen(words []syntax.Token, name string) string {
	question, colon := atDepth(words, "?"), atDepth(words, ":")
	if question < 0 || colon < question {
		return ""
	}
	condition := words[:question]
	if len(condition) > 1 && condition[0].Is("(") && closes(condition, 0) == len(condition)-1 {
		condition = condition[1 : len(condition)-1]
	}
	op, value := compared(condition, name)
	then, otherwise := words[question+1:colon], words[colon+1:]
	switch {
	case op == "":
	case sameWords(then, value) && isName(otherwise, name):
		return op
	case isName(then, name) && sameWords(otherwise, value):
		return opposite(op)
	}
	return ""
}

func opposite(op string) string {
	if op == largest {
		return smallest
	}
	return largest
}

// compared reads a comparison of the variable with a value: what the variable becomes where it holds and the value is taken.
func compared(words []syntax.Token, name string) (op string, value []syntax.Token) {
	for _, mark := range []string{"<", "<=", ">", ">="} {
		i := atDepth(words, mark)
		if i < 0 {
			continue
		}
		a, b := words[:i], words[i+1:]
		less := mark[0] == '<'
		switch {
		case isName(b, name) && plainValue(a, name):
			if less {
				return smallest, a
			}
			return largest, a
		case isName(a, name) && plainValue(b, name):
			if less {
				return largest, b
			}
			return smallest, b
		}
	}
	return "", nil
}

func isName(words []syntax.Token, name string) bool { return len(words) == 1 && words[0].Text == name }

// plainValue tells whether words are a value that does not speak of a variable, changes nothing, and holds no operator that binds less than a comparison.
func plainValue(words []syntax.Token, name string) bool {
	if len(words) == 0 || mentions(words, name) || len(assignedIn(words)) > 0 {
		return false
	}
	for _, mark := range []string{"?", ":", ",", "=", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "&", "|", "^", "<<", ">>"} {
		if atDepth(words, mark) >= 0 {
			return false
		}
	}
	return true
}

// sameWords tells whether two pieces of text have the same words.
func sameWords(a, b []syntax.Token) bool {
	if len(a) == 0 || len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Text != b[i].Text {
			return false
		}
	}
	return true
}

// atDepth is where a mark stands outside of all brackets; −1: nowhere.
func atDepth(words []syntax.Token, mark string) int {
	depth := 0
	for i, t := range words {
		switch {
		case t.Is("(") || t.Is("["):
			depth++
		case t.Is(")") || t.Is("]"):
			depth--
		case depth == 0 && t.Is(mark):
			return i
		}
	}
	return -1
}

// closes is where the bracket at a place is closed; −1: nowhere.
func closes(words []syntax.Token, at int) int {
	depth := 0
	for i := at; i < len(words); i++ {
		if words[i].Is("(") {
			depth++
		} else if words[i].Is(")") {
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// statementEnd is where the semicolon of a statement stands; −1: nowhere.
func statementEnd(words []syntax.Token, from int) int {
	if i := atDepth(words[from:], ";"); i >= 0 {
		return from + i
	}
	return -1
}
