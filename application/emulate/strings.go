package emulate

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode"

	"foresee/application/assembly"
)

// RunMain carries out main with a program's arguments, its name first; where there are none, with a name alone.
func (p *Program) RunMain(arguments []string) (result uint64, err error) {
	if len(arguments) == 0 {
		arguments = []string{"program"}
	}
	table := p.allocate(uint64(8 * (len(arguments) + 1))) // null ends it, as memory begins with zeros
	for i, a := range arguments {
		p.memory.store(table+uint64(8*i), 8, p.allocateText(a))
	}
	return p.Run("main", uint64(len(arguments)), table)
}

// allocateText lays a string of C's out.
func (p *Program) allocateText(text string) uint64 {
	at := p.allocate(uint64(len(text) + 1))
	for i := range len(text) {
		p.memory.store(at+uint64(i), 1, uint64(text[i]))
	}
	p.memory.store(at+uint64(len(text)), 1, 0)
	return at
}

// integerIn is the integer that a text begins with, as strtol or, without a sign, strtoul reads it, and how many bytes belong to it; 0 bytes where there
// is none. What does not fit in 64 bits becomes the nearest number that does, the largest of all without a sign.
func integerIn(text string, base int, signed bool) (v uint64, bytes int) {
	rest := strings.TrimLeftFunc(text, unicode.IsSpace)
	negative := strings.HasPrefix(rest, "-")
	if negative || strings.HasPrefix(rest, "+") {
		rest = rest[1:]
	}
	hexadecimal := len(rest) > 2 && rest[0] == '0' && rest[1]|0x20 == 'x' && digitIn(rest[2], 16)
	switch {
	case hexadecimal && (base == 0 || base == 16):
		rest, base = rest[2:], 16
	case base == 0 && strings.HasPrefix(rest, "0"):
		base = 8
	case base == 0:
		base = 10
	}
	n := 0
	for n < len(rest) && digitIn(rest[n], base) {
		n++
	}
	if n == 0 {
		return 0, 0
	}
	v, err := strconv.ParseUint(rest[:n], base, 64)
	switch {
	case !signed && err != nil:
		v = math.MaxUint64
	case signed && negative && v > 1<<63:
		v = 1 << 63
	case negative:
		v = -v
	case signed:
		v = min(v, math.MaxInt64)
	}
	return v, len(text) - len(rest) + n
}

func digitIn(c byte, base int) bool {
	_, err := strconv.ParseUint(string(rune(c)), base, 8)
	return err == nil
}

// longestNumber is as many bytes as a number is looked for in. Chosen: a double in full has some 770 digits, and nobody writes them.
const longestNumber = 400

// numberIn is the decimal number that a text begins with, as strtod reads it, and how many bytes belong to it; 0 where there is none.
func numberIn(text string) (v float64, bytes int) {
	rest := strings.TrimLeftFunc(text, unicode.IsSpace)
	longest := strings.IndexFunc(rest, func(c rune) bool {
		return !strings.ContainsRune("+-.", c) && !unicode.IsDigit(c) && !unicode.IsLetter(c)
	})
	if longest < 0 {
		longest = len(rest)
	}
	for n := min(longest, longestNumber); n > 0; n-- {
		number := rest[:n]
		if lower := strings.ToLower(number); strings.Contains(lower, "0x") && !strings.Contains(lower, "p") {
			number += "p0" // Go wants an exponent
		}
		if v, err := strconv.ParseFloat(number, 64); (err == nil || errors.Is(err, strconv.ErrRange)) && !strings.Contains(number, "_") {
			return v, len(text) - len(rest) + n
		}
	}
	return 0, 0
}

// readInteger is atoi, and with an end strtol or strtoul: a string, and where not null the place that is told where its number ends.
func readInteger(end, signed bool) func(*thread) uint64 {
	return func(t *thread) uint64 {
		base, at := 10, t.argument(0)
		if end {
			base = int(int32(t.argument(2)))
		}
		v, n := integerIn(t.memory.text(at), base, signed)
		if to := t.argument(1); end && to != 0 {
			t.memory.store(to, 8, at+uint64(n))
		}
		return v
	}
}

// readNumber is atof and strtod; single: strtof.
func readNumber(end, single bool) func(*thread) uint64 {
	return func(t *thread) uint64 {
		at := t.argument(0)
		v, n := numberIn(t.memory.text(at))
		if to := t.argument(1); end && to != 0 {
			t.memory.store(to, 8, at+uint64(n))
		}
		if t.v[0] = (vector{math.Float64bits(v)}); single {
			t.v[0] = vector{uint64(math.Float32bits(float32(v)))}
		}
		return t.r[assembly.RAX]
	}
}

// scanText is sscanf, for numbers and words.
func scanText(t *thread) uint64 {
	text, format := t.memory.text(t.argument(0)), t.memory.text(t.argument(1))
	found, next, stack := uint64(0), 2, t.r[assembly.RSP]
	for i := 0; i < len(format); i++ {
		switch c := format[i]; {
		case unicode.IsSpace(rune(c)):
			text = strings.TrimLeftFunc(text, unicode.IsSpace)
			continue
		case c != '%':
			if text == "" || text[0] != c {
				return found
			}
			text = text[1:]
			continue
		}
		i++
		skipped := i < len(format) && format[i] == '*'
		if skipped {
			i++
		}
		width := 0
		for ; i < len(format) && format[i] >= '0' && format[i] <= '9' && width < 1<<20; i++ {
			width = 10*width + int(format[i]-'0')
		}
		size := 4
		for ; i < len(format) && strings.IndexByte("lhzjt", format[i]) >= 0; i++ {
			switch {
			case format[i] != 'h':
				size = 8
			case size == 2:
				size = 1
			default:
				size = 2
			}
		}
		if i == len(format) {
			return found
		}
		if strings.IndexByte("duixfges", format[i]) < 0 {
			t.unknown["sscanf with %"+format[i:i+1]] = true
			return found
		}
		to := uint64(0) // nowhere
		switch {
		case skipped:
		case next < len(argumentRegisters):
			to = t.argument(next)
			next++
		default:
			to = t.memory.load(stack, 8)
			stack += 8
		}
		read := text
		if begin := len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace)); width > 0 && begin+width < len(text) {
			read = text[:begin+width]
		}
		n := t.scanned(format[i], read, to, size)
		switch {
		case n == 0 && found == 0 && strings.TrimSpace(text) == "":
			return masks[4] // EOF, of 32 bits
		case n == 0:
			return found
		}
		if text = text[n:]; !skipped {
			found++
		}
	}
	return found
}

// scanned stores what a text begins with, by a conversion of scanf, and says how many bytes of it that takes; to 0 nothing is stored.
func (t *thread) scanned(conversion byte, text string, to uint64, size int) (n int) {
	switch conversion {
	case 'd', 'u', 'i', 'x':
		var v uint64
		v, n = integerIn(text, map[byte]int{'d': 10, 'u': 10, 'i': 0, 'x': 16}[conversion], conversion == 'd' || conversion == 'i')
		if n > 0 && to != 0 {
			t.memory.store(to, size, v)
		}
	case 'f', 'g', 'e':
		var v float64
		v, n = numberIn(text)
		switch {
		case n == 0, to == 0:
		case size == 8:
			t.memory.store(to, 8, math.Float64bits(v))
		default:
			t.memory.store(to, 4, uint64(math.Float32bits(float32(v))))
		}
	case 's':
		word := strings.TrimLeftFunc(text, unicode.IsSpace)
		n = len(text) - len(word)
		if end := strings.IndexFunc(word, unicode.IsSpace); end >= 0 {
			word = word[:end]
		}
		if word == "" {
			return 0
		}
		if n += len(word); to == 0 {
			break
		}
		for i := range len(word) {
			t.memory.store(to+uint64(i), 1, uint64(word[i]))
		}
		t.memory.store(to+uint64(len(word)), 1, 0)
	}
	return n
}
