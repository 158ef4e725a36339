// Package terminal writes text for people: what names hold never commands a terminal, progress is shown on one and nowhere else, and a standard
// stream that was closed is noticed.
package terminal

import (
	"fmt"
	"io"
	"os"
	"sync"
	"unicode/utf8"
)

// Visible writes text so that nothing in it commands a terminal: control characters, which names of files and functions may
// hold, characters that turn the direction of writing, and bytes that are no UTF-8 are written as a reader can see them.
// Line feeds and tabs stay. In JSON, where only strings can hold others, what is written is an escape.
type Visible struct {
	mu   sync.Mutex
	w    io.Writer
	rest []byte // of a character whose other bytes are still to come
	err  error  // the first that was met
}

// NewVisible writes to w.
func NewVisible(w io.Writer) *Visible { return &Visible{w: w} }

// Write implements io.Writer.
func (v *Visible) Write(p []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.err != nil {
		return 0, v.err
	}
	if len(v.rest) == 0 && plain(p) {
		_, v.err = v.w.Write(p)
		return written(p, v.err)
	}
	text := append(v.rest, p...)
	v.rest = nil
	out := make([]byte, 0, len(text)+16)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 && !utf8.FullRune(text) {
			v.rest = append(v.rest, text...)
			break
		}
		out = appendVisible(out, r, text[:size])
		text = text[size:]
	}
	_, v.err = v.w.Write(out)
	return written(p, v.err)
}

func written(p []byte, err error) (int, error) {
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// plain says whether p is text without anything to be looked at.
func plain(p []byte) bool {
	for _, b := range p {
		if b < ' ' && b != '\n' && b != '\t' || b >= 0x7f {
			return false
		}
	}
	return true
}

func appendVisible(out []byte, r rune, bytes []byte) []byte {
	switch {
	case r == utf8.RuneError && len(bytes) == 1:
		return fmt.Appendf(out, `\x%02x`, bytes[0])
	case r < ' ' && r != '\n' && r != '\t':
		return fmt.Appendf(out, `\x%02x`, r)
	case r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return fmt.Appendf(out, `\u%04x`, r)
	}
	return append(out, bytes...)
}

// Finish writes what is left, and gives the first error that was met.
func (v *Visible) Finish() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.err == nil && len(v.rest) > 0 {
		var out []byte
		for _, b := range v.rest {
			out = fmt.Appendf(out, `\x%02x`, b)
		}
		v.rest = nil
		_, v.err = v.w.Write(out)
	}
	return v.err
}

// terminal gives the file that is written to, if it is one.
func (v *Visible) terminal() (*os.File, bool) {
	f, ok := v.w.(*os.File)
	return f, ok
}

// AsText makes what is written visible.
func AsText(write func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		v := &Visible{w: w}
		if err := write(v); err != nil {
			return err
		}
		return v.Finish()
	}
}
