package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxLine is the longest line of a text format, with its end.
const maxLine = 256 << 10

// A parser turns the lines of one text format into events.
type parser interface {
	// parse takes lines from the start of text, all of which are whole, until events is full or text is used up. It
	// gives how much it took and made. A fault is about the line after those it took.
	parse(text []byte, events []Event) (taken, made int, f *fault)
	// finish says what is wrong with a trace that ends here, nil where nothing.
	finish() *fault
	state() *lineState
}

// lineState is what all parsers keep.
type lineState struct {
	regionTable
	line        int64 // lines taken
	ignored     int64 // of those, lines without an access that the format does not ask for
	skipFetches bool
}

func (s *lineState) state() *lineState { return s }
func (s *lineState) finish() *fault    { return nil }

// lines feeds a parser from a reader through one large buffer.
type lines struct {
	format string
	parser parser
	r      io.Reader
	buffer []byte // [start, whole) are whole lines, [whole, end) the start of one more
	start  int
	whole  int
	end    int
	failed error // what the reader ended with
}

func newLines(format string, p parser, r io.Reader) *lines {
	// One byte is kept for the newline that a last line may lack.
	return &lines{format: format, parser: p, r: r, buffer: make([]byte, maxLine+1)}
}

func (l *lines) Names() *Names           { return &l.parser.state().names }
func (l *lines) meta() map[string]string { return nil }
func (l *lines) ignored() int64          { return l.parser.state().ignored }
func (l *lines) close()                  {}

// Read implements Source, but for giving the last events together with io.EOF.
func (l *lines) Read(events []Event) (int, error) {
	n := 0
	for n < len(events) {
		taken, made, f := l.parser.parse(l.buffer[l.start:l.whole], events[n:])
		l.start += taken
		n += made
		if f != nil {
			return n, l.at(f, nil)
		}
		if n == len(events) {
			break
		}
		if err := l.fill(); err != nil {
			return n, err
		}
	}
	return n, nil
}

// at gives a fault the place of the next line.
func (l *lines) at(f *fault, below error) *Error {
	return &Error{
		Format: l.format, Line: l.parser.state().line + 1, Offset: -1,
		Cause: f.cause, Remedy: f.remedy, Err: below,
	}
}

// fill reads until there is at least one whole line, or gives why there is none.
func (l *lines) fill() error {
	l.end = copy(l.buffer, l.buffer[l.whole:l.end])
	l.start, l.whole = 0, 0
	for idle := 0; l.failed == nil; {
		if l.end == maxLine {
			return l.at(wrong(fmt.Sprintf("a line longer than %d bytes: this is no trace", maxLine), ""), nil)
		}
		n, err := l.r.Read(l.buffer[l.end:maxLine])
		if n == 0 && err == nil {
			if idle++; idle == 100 {
				err = io.ErrNoProgress
			}
		}
		l.failed = err
		fresh := l.buffer[l.end : l.end+n]
		l.end += n
		if i := bytes.LastIndexByte(fresh, '\n'); i >= 0 {
			l.whole = l.end - n + i + 1
			return nil
		}
	}
	return l.ended()
}

// ended takes the last line, which may lack its newline, and then gives why there are no more.
func (l *lines) ended() error {
	if !errors.Is(l.failed, io.EOF) || errors.Is(l.failed, io.ErrUnexpectedEOF) {
		cause := "cannot read on"
		if errors.Is(l.failed, io.ErrUnexpectedEOF) {
			cause = "the compressed trace is cut off"
		}
		return l.at(wrong(cause, partialRemedy), l.failed)
	}
	if l.end > 0 {
		l.buffer[l.end] = '\n'
		l.end++
		l.whole = l.end
		return nil
	}
	if f := l.parser.finish(); f != nil {
		e := l.at(f, nil)
		e.Line = 0
		return e
	}
	return io.EOF
}
