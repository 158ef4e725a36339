package assembly

import (
	"errors"
	"fmt"
	"strings"
)

var (
	errOperand = errors.New("an operand that is not understood")
	errX87     = errors.New("x87 (long double) is not read")
)

// splitOperands separates operands at the commas that stand in no brackets.
func splitOperands(text string) []string {
	var all []string
	depth, begin := 0, 0
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == ',' && depth == 0:
			all = append(all, strings.TrimSpace(text[begin:i]))
			begin = i + 1
		}
	}
	if last := strings.TrimSpace(text[begin:]); last != "" {
		all = append(all, last)
	}
	return all
}

// decorated takes off what AVX-512 writes behind an operand: {%k1}, {z}, {1to8}.
func (o *Operand) decorated(text string) (string, error) {
	for strings.HasSuffix(text, "}") {
		open := strings.LastIndexByte(text, '{')
		if open < 0 {
			return "", errOperand
		}
		inner := strings.TrimSpace(text[open+1 : len(text)-1])
		text = strings.TrimSpace(text[:open])
		switch {
		case inner == "z":
			o.Zeroing = true
		case strings.HasPrefix(inner, "1to"):
			if _, err := fmt.Sscanf(inner, "1to%d", &o.Spread); err != nil {
				return "", errOperand
			}
		default:
			p, ok := registerOf(inner)
			if !ok || !p.register.IsMask() {
				return "", errOperand
			}
			o.Mask = p.register
		}
	}
	return text, nil
}

// rounding says whether an operand only says how to round: AVX-512's {rn-sae}.
func rounding(text string) bool { return strings.HasPrefix(text, "{") && strings.Contains(text, "sae") }

// attOperand reads an operand of AT&T; of jumps and calls a name is a place in the code.
func attOperand(text string, jump bool) (Operand, error) {
	var o Operand
	if strings.HasPrefix(text, "*") {
		o.Through, text = true, strings.TrimSpace(text[1:])
	}
	text, err := o.decorated(text)
	if err != nil {
		return o, err
	}
	switch {
	case strings.HasPrefix(text, "$"):
		s, ok := parseSum(text[1:])
		if !ok || s.less != "" {
			return o, errOperand
		}
		o.Kind, o.Symbol, o.Value = Immediate, s.symbol, s.value
		return o, nil
	case strings.HasPrefix(text, "%st"):
		return o, errX87
	case strings.HasPrefix(text, "%") && !strings.Contains(text, ":"):
		return o, o.register(text)
	case jump && !o.Through:
		name, ok := symbolName(text)
		if !ok {
			return o, errOperand
		}
		o.Kind, o.Symbol = Label, name
		return o, nil
	}
	return o, o.attAddress(text)
}

// register makes an operand of a register's name.
func (o *Operand) register(name string) error {
	p, ok := registerOf(name)
	if !ok {
		return errOperand
	}
	o.Kind, o.Register, o.Bytes, o.High = InRegister, p.register, int(p.bytes), p.high
	return nil
}

// attAddress reads segment:displacement(base,index,scale).
func (o *Operand) attAddress(text string) error {
	o.Kind, o.Scale = InMemory, 1
	if segment, rest, ok := strings.Cut(text, ":"); ok && strings.HasPrefix(segment, "%") {
		o.Thread, text = segment == "%fs" || segment == "%gs", rest
	}
	if open := strings.IndexByte(text, '('); open >= 0 && strings.HasSuffix(text, ")") {
		inner := strings.Split(text[open+1:len(text)-1], ",")
		for i, r := range inner {
			r = strings.TrimSpace(r)
			if r == "" {
				continue
			}
			if i == 2 {
				n, ok := parseInteger(r)
				if !ok {
					return errOperand
				}
				o.Scale = n
				continue
			}
			p, ok := registerOf(r)
			if !ok || i > 2 {
				return errOperand
			}
			if i == 0 {
				o.Base = p.register
			} else {
				o.Index = p.register
			}
		}
		text = text[:open]
	}
	return o.displaced(text)
}

// displaced reads what is added to an address.
func (o *Operand) displaced(text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	s, ok := parseSum(text)
	if !ok || s.less != "" {
		return errOperand
	}
	o.Symbol, o.Value = s.symbol, s.value
	lower := strings.ToLower(text)
	o.Table = strings.Contains(lower, "@gotpcrel") || strings.Contains(lower, "@gottpoff")
	o.Thread = o.Thread || strings.Contains(lower, "tpoff")
	return nil
}

// intelSizes are the words that say how many bytes of memory are meant.
var intelSizes = map[string]int{
	"byte": 1, "word": 2, "dword": 4, "qword": 8, "tbyte": 10, "oword": 16, "xmmword": 16, "ymmword": 32, "zmmword": 64, "fword": 6, "mmword": 8,
}

// intelOperand reads an operand of Intel's syntax; of jumps and calls a name is a place in the code.
func intelOperand(text string, jump bool) (Operand, error) {
	var o Operand
	text, err := o.decorated(text)
	if err != nil {
		return o, err
	}
	if _, ok := registerOf(text); ok {
		o.Through = jump
		return o, o.register(text)
	}
	if strings.HasPrefix(strings.ToLower(text), "st") && (len(text) == 2 || text[2] == '(') {
		return o, errX87
	}
	for _, word := range []string{"offset flat:", "offset "} {
		if strings.HasPrefix(strings.ToLower(text), word) {
			s, ok := parseSum(text[len(word):])
			if !ok || s.less != "" {
				return o, errOperand
			}
			o.Kind, o.Symbol, o.Value = Immediate, s.symbol, s.value
			return o, nil
		}
	}
	sized := false
	if word, rest, ok := strings.Cut(text, " "); ok {
		if n, known := intelSizes[strings.ToLower(word)]; known {
			rest = strings.TrimSpace(rest)
			for _, ptr := range []string{"PTR", "ptr", "BCST", "bcst"} {
				rest = strings.TrimSpace(strings.TrimPrefix(rest, ptr))
			}
			o.Bytes, text, sized = n, rest, true
		}
	}
	if !sized && !strings.ContainsAny(text, "[:") {
		if n, ok := parseInteger(text); ok {
			o.Kind, o.Value = Immediate, n
			return o, nil
		}
		if name, ok := symbolName(text); ok && jump {
			o.Kind, o.Symbol = Label, name
			return o, nil
		}
	}
	o.Through = jump
	return o, o.intelAddress(text)
}

// intelAddress reads segment:symbol[base+index*scale+displacement].
func (o *Operand) intelAddress(text string) error {
	o.Kind, o.Scale = InMemory, 1
	if segment, rest, ok := strings.Cut(text, ":"); ok {
		o.Thread, text = strings.EqualFold(segment, "fs") || strings.EqualFold(segment, "gs"), rest
	}
	outside := text
	if open := strings.IndexByte(text, '['); open >= 0 {
		close := strings.IndexByte(text, ']')
		if close < open {
			return errOperand
		}
		outside = text[:open]
		if rest := text[close+1:]; rest != "" {
			outside += rest
		}
		terms := strings.ReplaceAll(text[open+1:close], "-", "+-")
		sums := ""
		for term := range strings.SplitSeq(terms, "+") {
			term = strings.TrimSpace(term)
			if term == "" {
				continue
			}
			if !o.scaled(term) {
				sums += "+" + term
			}
		}
		outside += strings.ReplaceAll(sums, "+-", "-")
	}
	return o.displaced(outside)
}

// scaled takes a register of an address in; false where the term is none.
func (o *Operand) scaled(term string) bool {
	name, by, times := strings.Cut(term, "*")
	name, by = strings.TrimSpace(name), strings.TrimSpace(by)
	if _, ok := registerOf(name); times && !ok {
		name, by = by, name
	}
	p, ok := registerOf(name)
	if !ok {
		return false
	}
	if !times && o.Base == NoRegister && !p.register.Vector() {
		o.Base = p.register
		return true
	}
	o.Index = p.register
	if times {
		o.Scale, ok = parseInteger(by)
	}
	return ok
}
