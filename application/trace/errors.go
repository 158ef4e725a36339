package trace

import (
	"fmt"
	"strings"
)

// partialRemedy is what to do about a trace that is whole only up to a place.
const partialRemedy = "what is whole before it can be taken"

// Error is what is wrong with a trace, where, and what to do about it. The name of the file is for the caller to add.
type Error struct {
	Format string // as Reader.Format gives it; empty where it is not known
	Line   int64  // from 1, in text; 0 where there is none
	Offset int64  // in bytes from 0, in binary; −1 where there is none
	Cause  string
	Remedy string // may be empty
	Err    error  // what lies below, or nil
}

// Error gives place, cause and remedy in one line.
func (e *Error) Error() string {
	var b strings.Builder
	switch {
	case e.Line > 0:
		fmt.Fprintf(&b, "line %d: ", e.Line)
	case e.Offset >= 0:
		fmt.Fprintf(&b, "byte %d: ", e.Offset)
	}
	b.WriteString(e.Cause)
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	if e.Remedy != "" {
		b.WriteString("; ")
		b.WriteString(e.Remedy)
	}
	return b.String()
}

// Unwrap gives the error below.
func (e *Error) Unwrap() error { return e.Err }

// fault is a cause and remedy whose place the caller adds.
type fault struct {
	cause, remedy string
	unlike        bool // the line has not the shape of any line of the format
}

// wrong is a fault of a line that has the shape of the format.
func wrong(cause, remedy string) *fault { return &fault{cause: cause, remedy: remedy} }

// unlike is a fault of a line that has not.
func unlike(line []byte, expected string) *fault {
	return &fault{cause: quote(line) + " is not an access", remedy: expected, unlike: true}
}

// quote shows the start of a line of a trace in an error.
func quote(line []byte) string {
	const most = 60
	text := strings.TrimRight(string(line[:min(len(line), 4*most)]), "\r\n")
	if len(text) > most {
		text = text[:most] + "…"
	}
	return fmt.Sprintf("%q", text)
}
