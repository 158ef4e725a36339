package transform

import (
	"slices"
	"strings"

	"foresee/advise/syntax"
)

// definitions are the macros of the file: words behind #define, the first their name.
func (s *Source) definitions() (all [][]syntax.Token) {
	for _, t := range s.Tokens {
		if t.Kind != syntax.Directive {
			continue
		}
		rest, ok := strings.CutPrefix(strings.TrimLeft(t.Text[1:], " \t"), "define")
		if !ok {
			continue
		}
		if words := syntax.Tokens(rest); len(words) > 0 {
			all = append(all, words)
		}
	}
	return all
}

// replacement is what stands for a macro, with its parameters.
func replacement(words []syntax.Token) (parameters []string, by []syntax.Token) {
	if len(words) < 2 || !words[1].Is("(") || words[1].Begin != words[0].End {
		return nil, words[1:]
	}
	end := slices.IndexFunc(words, func(t syntax.Token) bool { return t.Is(")") })
	if end < 0 {
		return nil, nil
	}
	for _, t := range words[2:end] {
		parameters = append(parameters, t.Text)
	}
	return parameters, words[end+1:]
}

// hidden tells whether a macro of the file speaks of a variable that is none of its parameters, so that the text does not show where it is used.
func (s *Source) hidden(name string) bool {
	for _, words := range s.definitions() {
		parameters, by := replacement(words)
		if !slices.Contains(parameters, name) && mentions(by, name) {
			return true
		}
	}
	return false
}

// sideEffects tells whether a word is a macro of the file that assigns something, or jumps.
func (s *Source) sideEffects(name string) bool {
	for _, words := range s.definitions() {
		if words[0].Text != name {
			continue
		}
		_, by := replacement(words)
		for _, t := range by {
			if t.Kind == syntax.Mark && (assigning[t.Text] || t.Text == ";" || t.Text == "{") || keywords[t.Text] || refusedWords[t.Text] {
				return true
			}
			if t.Kind == syntax.Word && s.chained(t.Text, name) {
				return true
			}
		}
	}
	return false
}

// chained looks into macros that a macro is made of, but not round in circles.
func (s *Source) chained(name, from string) bool {
	if name == from {
		return false
	}
	for _, words := range s.definitions() {
		if words[0].Text == name {
			_, by := replacement(words)
			return slices.ContainsFunc(by, func(t syntax.Token) bool { return t.Kind == syntax.Mark && (assigning[t.Text] || t.Text == ";") })
		}
	}
	return false
}

// includesOwn tells whether the file includes headers beside those of the system, whose macros are not seen here.
func (s *Source) includesOwn() bool {
	return slices.ContainsFunc(s.Tokens, func(t syntax.Token) bool {
		rest, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(t.Text, "#"), " \t"), "include")
		return t.Kind == syntax.Directive && ok && strings.HasPrefix(strings.TrimLeft(rest, " \t"), `"`)
	})
}

// atomic tells whether a word stays one operand wherever it is put: a number, a variable, or a macro for such, or for something in parentheses.
func (s *Source) atomic(text string) bool {
	words := syntax.Tokens(text)
	if len(words) != 1 {
		return false
	}
	if words[0].Kind == syntax.Number {
		return true
	}
	for _, d := range s.definitions() {
		if d[0].Text != text {
			continue
		}
		_, by := replacement(d)
		if !single(by) {
			return false
		}
	}
	return true
}

// single tells words that are one operand: a word, something in parentheses, or a call with words alone.
func single(words []syntax.Token) bool {
	switch {
	case len(words) == 1:
		return words[0].Kind != syntax.Mark
	case len(words) < 3 || !words[len(words)-1].Is(")"):
		return false
	}
	open := 0
	if words[0].Kind == syntax.Word {
		open = 1
	}
	if !words[open].Is("(") {
		return false
	}
	depth := 0
	for i, t := range words[open:] {
		switch {
		case t.Is("("):
			depth++
		case t.Is(")"):
			if depth--; depth == 0 && open+i != len(words)-1 {
				return false
			}
		case open == 1 && t.Kind == syntax.Mark && !t.Is(","):
			return false
		}
	}
	return true
}

// operand puts parentheses around what is not one operand.
func (s *Source) operand(text string) string {
	if s.atomic(text) {
		return text
	}
	return "(" + text + ")"
}

// shown tells whether the text of an access stands in the source as it is, no macro in its place.
func (st *study) shown(text string, at int) bool {
	want := syntax.Tokens(text)
	i, ok := slices.BinarySearchFunc(st.Tokens, at, func(t syntax.Token, at int) int { return t.Begin - at })
	return ok && i+len(want) <= len(st.Tokens) && slices.EqualFunc(st.Tokens[i:i+len(want)], want, func(a, b syntax.Token) bool { return a.Text == b.Text })
}
