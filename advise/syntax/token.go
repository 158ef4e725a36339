package syntax

import "strings"

// TokenKind tells words of the source apart.
type TokenKind uint8

// The kinds of tokens.
const (
	Word      TokenKind = iota // identifiers and keywords
	Number                     // pp-numbers
	Literal                    // strings and characters
	Mark                       // operators and punctuation
	Directive                  // a whole line that begins with #, with those that continue it
)

// Token is a word of the source.
type Token struct {
	Kind       TokenKind
	Text       string
	Begin, End int
}

// Is tells whether a token is a mark or a word.
func (t Token) Is(text string) bool {
	return t.Text == text && (t.Kind == Mark || t.Kind == Word)
}

// marks are the operators of more than one character, the longest first.
var marks = []string{"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}

// Tokens takes a text apart, without blanks and comments.
func Tokens(text string) []Token {
	s := &scanner{text: text}
	for s.at < len(text) {
		s.next()
	}
	return s.all
}

type scanner struct {
	text string
	at   int
	all  []Token
	line int // tokens before this line
}

func (s *scanner) next() {
	c := s.text[s.at]
	switch {
	case c == '\n':
		s.line = len(s.all)
		s.at++
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		s.at++
	case strings.HasPrefix(s.text[s.at:], "//"):
		s.at += upTo(s.text[s.at:], "\n")
	case strings.HasPrefix(s.text[s.at:], "/*"):
		s.at += 2 + past(s.text[s.at+2:], "*/")
	case c == '#' && s.line == len(s.all):
		s.take(Directive, directiveLength(s.text[s.at:]))
	case c == '"' || c == '\'':
		s.take(Literal, quotedLength(s.text[s.at:]))
	case isLetter(c):
		s.take(Word, span(s.text[s.at:], func(c byte) bool { return isLetter(c) || isDigit(c) }))
	case isDigit(c) || c == '.' && s.at+1 < len(s.text) && isDigit(s.text[s.at+1]):
		s.take(Number, numberLength(s.text[s.at:]))
	default:
		s.take(Mark, markLength(s.text[s.at:]))
	}
}

func (s *scanner) take(k TokenKind, n int) {
	s.all = append(s.all, Token{k, s.text[s.at : s.at+n], s.at, s.at + n})
	s.at += n
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// upTo is how much of a text stands before an end, all where that is not there.
func upTo(text, end string) int {
	if i := strings.Index(text, end); i >= 0 {
		return i
	}
	return len(text)
}

// past is how much of a text stands before and in an end.
func past(text, end string) int { return min(upTo(text, end)+len(end), len(text)) }

func span(text string, in func(byte) bool) int {
	n := 1
	for n < len(text) && in(text[n]) {
		n++
	}
	return n
}

// directiveLength is up to the end of the line that no backslash continues.
func directiveLength(text string) int {
	n := 0
	for n < len(text) {
		end := n + upTo(text[n:], "\n")
		if !strings.HasSuffix(strings.TrimRight(text[n:end], "\r"), "\\") {
			return end
		}
		n = min(end+1, len(text))
	}
	return n
}

func quotedLength(text string) int {
	for n := 1; n < len(text); n++ {
		switch text[n] {
		case '\\':
			n++
		case text[0]:
			return n + 1
		case '\n':
			return n
		}
	}
	return len(text)
}

func numberLength(text string) int {
	n := 1
	for n < len(text) {
		c := text[n]
		sign := (c == '+' || c == '-') && strings.IndexByte("eEpP", text[n-1]) >= 0
		if !isLetter(c) && !isDigit(c) && c != '.' && !sign {
			break
		}
		n++
	}
	return n
}

func markLength(text string) int {
	for _, m := range marks {
		if strings.HasPrefix(text, m) {
			return len(m)
		}
	}
	return 1
}
