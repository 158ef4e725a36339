// Package encoding knows the marks that some programs put before texts, to say how their characters are written: the byte order marks of
// Unicode (The Unicode Standard, section 23.8). What is read here is UTF-8, with the mark or without it.
package encoding

import (
	"bufio"
	"bytes"
)

// mark stands before texts in UTF-8.
var mark = []byte("\xef\xbb\xbf")

// WithoutMark is a text without the mark before it.
func WithoutMark(text []byte) []byte { return bytes.TrimPrefix(text, mark) }

// SkipMark leaves out the mark of what r is about to give.
func SkipMark(r *bufio.Reader) {
	if start, _ := r.Peek(len(mark)); bytes.Equal(start, mark) {
		_, _ = r.Discard(len(mark)) // which is buffered
	}
}

// IsUTF16 tells a text that begins so, by its mark.
func IsUTF16(start []byte) bool {
	return bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff"))
}
