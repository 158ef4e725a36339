package text

import "strings"

// tokenKind tells tokens apart.
type tokenKind uint8

const (
	end      tokenKind = iota
	word               // keyword, type, flag
	local              // %name
	global             // @name
	number             // 12, -3, 0x7FF0, 1.5e+00
	quoted             // "text" and c"text"
	metadata           // !12, !DIExpression, !"text"
	group              // #12
	mark               // one character of punctuation
)

// token is a word of a line; text is without its sigil and quotes.
type token struct {
	kind tokenKind
	text string
}

// is tells whether a token is a punctuation mark or keyword.
func (t token) is(s string) bool { return (t.kind == mark || t.kind == word) && t.text == s }

// tokens splits a line of IR. Bytes that begin no token stand for themselves.
func tokens(line string) []token {
	all := make([]token, 0, len(line)/5+4)
	for i := 0; i < len(line); {
		c := line[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			i++
		case c == ';':
			return all
		case c == '"':
			n := quotedLength(line[i:])
			all = append(all, token{quoted, unescape(line[i:][1 : n-1])})
			i += n
		case c == 'c' && strings.HasPrefix(line[i+1:], `"`):
			n := quotedLength(line[i+1:])
			all = append(all, token{quoted, unescape(line[i+1:][1 : n-1])})
			i += n + 1
		case c == '%' || c == '@' || c == '!' || c == '#':
			t, n := sigil(line[i:])
			all = append(all, t)
			i += n
		case c >= '0' && c <= '9' || (c == '-' || c == '+') && i+1 < len(line) && isDigit(line[i+1]):
			n := 1 + span(line[i+1:], isNumeral)
			all = append(all, token{number, line[i : i+n]})
			i += n
		case isLetter(c):
			n := span(line[i:], isName)
			all = append(all, token{word, line[i : i+n]})
			i += n
		default:
			all = append(all, token{mark, line[i : i+1]})
			i++
		}
	}
	return all
}

// sigil reads a token that begins with %, @, ! or #.
func sigil(s string) (token, int) {
	kind := map[byte]tokenKind{'%': local, '@': global, '!': metadata, '#': group}[s[0]]
	if len(s) > 1 && s[1] == '"' {
		n := quotedLength(s[1:])
		return token{kind, unescape(s[2:n])}, n + 1
	}
	n := 1 + span(s[1:], isName)
	if n == 1 {
		return token{mark, s[:1]}, 1
	}
	return token{kind, s[1:n]}, n
}

// quotedLength is the length of the string in quotes that s begins with, at least 2 characters as if it were closed.
func quotedLength(s string) int {
	if i := strings.IndexByte(s[1:], '"'); i >= 0 {
		return i + 2
	}
	return max(len(s), 2)
}

func span(s string, in func(byte) bool) int {
	n := 0
	for n < len(s) && in(s[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '.' || c == '$'
}

func isName(c byte) bool { return isLetter(c) || isDigit(c) || c == '-' }

func isNumeral(c byte) bool {
	return isDigit(c) || c == '.' || c == '+' || c == '-' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' || c == 'x' || c >= 'H' && c <= 'M'
}

// unescape gives the bytes of a string, in which those that are no printable ASCII are \ and two hexadecimal digits.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && s[i+1] == '\\' {
			b.WriteByte('\\')
			i++
			continue
		}
		if s[i] == '\\' && i+2 < len(s) && hexadecimal(s[i+1]) >= 0 && hexadecimal(s[i+2]) >= 0 {
			b.WriteByte(byte(hexadecimal(s[i+1])<<4 | hexadecimal(s[i+2])))
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func hexadecimal(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
