package syntax

import "strings"

// head takes apart what stands in the parentheses of a for loop; nil where no variable is counted.
func (f *File) head(from, to int) *Head {
	parts := f.Split(from, to, ";")
	if len(parts) != 3 {
		return nil
	}
	h := &Head{}
	if !f.begins(h, parts[0]) || !f.bounded(h, parts[1]) || !f.steps(h, parts[2]) {
		return nil
	}
	return h
}

// Split parts tokens, from one up to another, at marks that stand in no bracket.
func (f *File) Split(from, to int, mark string) (all [][2]int) {
	depth, begin := 0, from
	for i := from; i < to; i++ {
		switch t := f.Tokens[i]; {
		case t.Is("(") || t.Is("[") || t.Is("{"):
			depth++
		case t.Is(")") || t.Is("]") || t.Is("}"):
			depth--
		case depth == 0 && t.Is(mark):
			all = append(all, [2]int{begin, i})
			begin = i + 1
		}
	}
	return append(all, [2]int{begin, to})
}

// between is the text of tokens.
func (f *File) between(r [2]int) string {
	if r[0] >= r[1] {
		return ""
	}
	return f.Text[f.Tokens[r[0]].Begin:f.Tokens[r[1]-1].End]
}

func (f *File) begins(h *Head, r [2]int) bool {
	if len(f.Split(r[0], r[1], ",")) > 1 {
		return false
	}
	for i := r[0]; i < r[1]; i++ {
		if !f.Tokens[i].Is("=") {
			if f.Tokens[i].Kind != Word {
				return false
			}
			continue
		}
		if i == r[0] {
			return false
		}
		h.Type, h.Var, h.Low = f.between([2]int{r[0], i - 1}), f.Tokens[i-1].Text, f.between([2]int{i + 1, r[1]})
		return h.Low != ""
	}
	return false
}

// turned is the comparison with its sides exchanged.
var turned = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<="}

// weaker are operators that bind less than comparisons.
var weaker = map[string]bool{"&&": true, "||": true, "?": true, "=": true, ",": true, "&": true, "|": true, "^": true, "==": true, "!=": true}

func (f *File) bounded(h *Head, r [2]int) bool {
	at, depth := -1, 0
	for i := r[0]; i < r[1]; i++ {
		t := f.Tokens[i]
		switch {
		case t.Is("(") || t.Is("["):
			depth++
		case t.Is(")") || t.Is("]"):
			depth--
		case depth == 0 && weaker[t.Text], depth == 0 && turned[t.Text] != "" && at >= 0:
			return false
		case depth == 0 && turned[t.Text] != "":
			at = i
		}
	}
	if at < 0 {
		return false
	}
	left, right := f.between([2]int{r[0], at}), f.between([2]int{at + 1, r[1]})
	if h.Op, h.Bound = f.Tokens[at].Text, right; left == h.Var {
		return right != ""
	}
	h.Op, h.Bound = turned[f.Tokens[at].Text], left
	return right == h.Var && left != ""
}

func (f *File) steps(h *Head, r [2]int) bool {
	h.Step = f.between(r)
	up := h.Op == "<" || h.Op == "<="
	words := f.Tokens[r[0]:max(r[0], r[1])]
	if len(words) < 2 || len(f.Split(r[0], r[1], ",")) > 1 {
		return false
	}
	switch {
	case len(words) == 2 && words[0].Text == h.Var:
		return up && words[1].Is("++") || !up && words[1].Is("--")
	case len(words) == 2 && words[1].Text == h.Var:
		return up && words[0].Is("++") || !up && words[0].Is("--")
	case words[0].Text == h.Var && words[1].Is("=") && len(words) == 5 && words[2].Text == h.Var:
		return up && words[3].Is("+") || !up && words[3].Is("-")
	case words[0].Text == h.Var:
		return up && words[1].Is("+=") || !up && words[1].Is("-=")
	}
	return false
}

// Unit tells loops that count up by one.
func (h *Head) Unit() bool {
	step := strings.Join(strings.Fields(h.Step), "")
	return step == h.Var+"++" || step == "++"+h.Var || step == h.Var+"+=1" || step == h.Var+"="+h.Var+"+1"
}

// String is the head as it stands in the source.
func (h *Head) String() string {
	begin := h.Var + " = " + h.Low
	if h.Type != "" {
		begin = h.Type + " " + begin
	}
	return "for (" + begin + "; " + h.Var + " " + h.Op + " " + h.Bound + "; " + h.Step + ")"
}

// Mentions tells whether a text has a word.
func Mentions(text, word string) bool {
	for _, t := range Tokens(text) {
		if t.Kind == Word && t.Text == word {
			return true
		}
	}
	return false
}

// Replace puts a text in the place of a word.
func Replace(text, word, by string) string {
	var b strings.Builder
	at := 0
	for _, t := range Tokens(text) {
		if t.Kind == Word && t.Text == word {
			b.WriteString(text[at:t.Begin])
			b.WriteString(by)
			at = t.End
		}
	}
	return b.String() + text[at:]
}
