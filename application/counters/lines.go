package counters

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
	longestLine  = 64 << 20  // bytes; Caliper writes the environment of a run into one line
	longestJSON  = 128 << 20 // bytes of a file that is one JSON value: it takes several times that of memory
	mostUnpacked = 512 << 20 // bytes of a file that was compressed
	longestPath  = 16 << 10  // bytes of a callpath
	deepestNodes = 1 << 10   // nodes of Caliper's tree above one another
	mostCells    = 4_000_000 // events times functions of a profile: thirteen events of 300 000 functions
)

// cellsEvery is after how many lines the cells are counted.
const cellsEvery = 64

// lines reads a file by lines and knows where it is.
type lines struct {
	name    string
	reader  io.Reader
	scanner *bufio.Scanner
	number  int  // of the current line, from 1
	partial bool // the last line has no end
	tables  []*table
	full    error // why no more lines are read
}

// newTable makes a table whose size is looked at while the file is read.
func (l *lines) newTable(tool string) *table {
	t := newTable(tool)
	l.tables = append(l.tables, t)
	return t
}

// fits says whether the tables have room for more.
func (l *lines) fits() bool {
	cells := 0
	for _, t := range l.tables {
		cells += len(t.Events) * len(t.Functions)
	}
	if cells > mostCells {
		l.full = l.fail("the file has more than %d values, events times functions; measure fewer events", mostCells)
	}
	return l.full == nil
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
	if l.number%cellsEvery == 0 && !l.fits() || !l.scanner.Scan() {
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
	text, err := io.ReadAll(io.LimitReader(l.reader, longestJSON+1))
	if err != nil {
		return nil, fmt.Errorf("%s: reading: %w", l.name, err)
	}
	if len(text) > longestJSON {
		return nil, fmt.Errorf("%s: longer than %d MiB, which is too much for one JSON value; give JSON Lines", l.name, longestJSON>>20)
	}
	return text, nil
}

// failed is why there is no next line; nil at the end of the file.
func (l *lines) failed() error {
	err := l.scanner.Err()
	switch {
	case l.full != nil:
		return l.full
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
