package counters

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// longestLine is in bytes; Caliper writes the environment of a run into one line.
const longestLine = 64 << 20

// lines reads a file by lines and knows where it is.
type lines struct {
	name    string
	reader  io.Reader
	scanner *bufio.Scanner
	number  int  // of the current line, from 1
	partial bool // the last line has no end
}

func newLines(name string, r io.Reader) *lines {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 0, 1<<16), longestLine)
	l := &lines{name: name, reader: r, scanner: scanner}
	scanner.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if atEOF && len(data) > 0 {
			l.partial = !bytes.Contains(data, []byte("\n"))
		}
		return bufio.ScanLines(data, atEOF)
	})
	return l
}

func (l *lines) next() bool {
	if !l.scanner.Scan() {
		return false
	}
	l.number++
	return true
}

// bytes is the current line, valid until the next one.
func (l *lines) bytes() []byte { return l.scanner.Bytes() }

func (l *lines) text() string { return l.scanner.Text() }

// all is the whole file, for formats that are one JSON value.
func (l *lines) all() ([]byte, error) {
	text, err := io.ReadAll(l.reader)
	if err != nil {
		return nil, fmt.Errorf("%s: reading: %w", l.name, err)
	}
	return text, nil
}

// failed is why there is no next line; nil at the end of the file.
func (l *lines) failed() error {
	err := l.scanner.Err()
	switch {
	case err == nil:
		return nil
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("%s:%d: a line is longer than %d MiB; is it a text file? %w", l.name, l.number+1, longestLine>>20, err)
	default:
		return fmt.Errorf("%s:%d: reading: %w", l.name, l.number+1, err)
	}
}

// fail is an error at the current line.
func (l *lines) fail(format string, args ...any) error {
	return fmt.Errorf("%s:%d: "+format, append([]any{l.name, l.number}, args...)...)
}

// headLines are the lines of a file's head that hold something other than a comment.
func headLines(head []byte) [][]byte {
	var kept [][]byte
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' {
			kept = append(kept, line)
		}
	}
	return kept
}

// firstLine is the first of headLines; nil where there is none.
func firstLine(head []byte) []byte {
	if kept := headLines(head); len(kept) > 0 {
		return kept[0]
	}
	return nil
}

// quote shortens text for a message.
func quote(text string) string {
	const most = 60
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return fmt.Sprintf("%q", text)
}
