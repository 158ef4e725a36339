// Package input is what the readers of measurement files share: a file by lines or whole, within limits and with the place for messages;
// the members of JSON objects in their order; numbers that a tool prints.
package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Limits on a file.
const (
	longestLine = 64 << 20  // bytes; Caliper writes the environment of a run into one line
	longestJSON = 128 << 20 // bytes of a file that is one JSON value: it takes several times that of memory
	LongestPath = 16 << 10  // bytes of a callpath
	mostCells   = 4_000_000 // events times functions of a profile: thirteen events of 300 000 functions
)

// cellsEvery is after how many lines the cells are counted.
const cellsEvery = 64

// Lines reads a file by lines and knows where it is.
type Lines struct {
	Name    string
	reader  io.Reader
	scanner *bufio.Scanner
	Number  int          // of the current line, from 1
	Partial bool         // the last line has no end
	cells   []func() int // how many values the tables hold that the lines are read into
	full    error        // why no more lines are read
}

// Watch has the size of a table looked at while the file is read; cells counts its values.
func (l *Lines) Watch(cells func() int) { l.cells = append(l.cells, cells) }

// fits says whether the tables have room for more.
func (l *Lines) fits() bool {
	all := 0
	for _, cells := range l.cells {
		all += cells()
	}
	if all > mostCells {
		l.full = l.Fail("the file has more than %d values, events times functions; measure fewer events", mostCells)
	}
	return l.full == nil
}

// NewLines reads a file by lines; the name is for messages.
func NewLines(name string, r io.Reader) *Lines {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(make([]byte, 0, 1<<16), longestLine)
	l := &Lines{Name: name, reader: r, scanner: scanner}
	scanner.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		if atEOF && len(data) > 0 {
			l.Partial = !bytes.Contains(data, []byte("\n"))
		}
		return bufio.ScanLines(data, atEOF)
	})
	return l
}

// Next goes to the next line. It is false at the end, and where the file cannot be read on: see Failed.
func (l *Lines) Next() bool {
	if l.Number%cellsEvery == 0 && !l.fits() || !l.scanner.Scan() {
		return false
	}
	l.Number++
	return true
}

// Bytes is the current line, valid until the next one.
func (l *Lines) Bytes() []byte { return l.scanner.Bytes() }

// Text is a copy of the current line, without its end.
func (l *Lines) Text() string { return l.scanner.Text() }

// All is the whole file, for formats that are one JSON value.
func (l *Lines) All() ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(l.reader, longestJSON+1))
	if err != nil {
		return nil, fmt.Errorf("%s: reading: %w", l.Name, err)
	}
	if len(text) > longestJSON {
		return nil, fmt.Errorf("%s: longer than %d MiB, which is too much for one JSON value; give JSON Lines", l.Name, longestJSON>>20)
	}
	return text, nil
}

// Failed is why there is no next line; nil at the end of the file.
func (l *Lines) Failed() error {
	err := l.scanner.Err()
	switch {
	case l.full != nil:
		return l.full
	case err == nil:
		return nil
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("%s:%d: a line is longer than %d MiB; is it a text file? %w", l.Name, l.Number+1, longestLine>>20, err)
	default:
		return fmt.Errorf("%s:%d: reading: %w", l.Name, l.Number+1, err)
	}
}

// Fail is an error at the current line.
func (l *Lines) Fail(format string, args ...any) error {
	return fmt.Errorf("%s:%d: "+format, append([]any{l.Name, l.Number}, args...)...)
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

// FirstLine is the first of headLines; nil where there is none.
func FirstLine(head []byte) []byte {
	if kept := headLines(head); len(kept) > 0 {
		return kept[0]
	}
	return nil
}

// Quote shortens text for a message.
func Quote(text string) string {
	const most = 60
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return fmt.Sprintf("%q", text)
}
