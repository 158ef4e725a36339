package parse

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// Error says what cannot be read, where, and what to do about it.
type Error struct {
	Pos     nest.Pos
	Message string
	Remedy  string

	Data     bool // the reason is that something depends on data
	ByThread bool // the reason is that threads do different things by their numbers
	Wrap     bool // the reason is that an integer may leave its type

	Undefined bool   // the reason is a value that is not known, and that a definition can give
	Lacks     string // a definition that would do, such as n=1000; empty: none would
	Whole     bool   // it is of the function, not of a statement alone
	Absent    bool   // what was asked for is not there, or nothing is
}

// Error gives "file:line:column: message; remedy"; places that are not known are left out.
func (e *Error) Error() string {
	s := e.Message
	switch {
	case e.Pos.Line > 0:
		s = e.Pos.String() + ": " + s
	case e.Pos.File != "":
		s = e.Pos.File + ": " + s
	}
	if e.Remedy != "" {
		s += "; " + e.Remedy
	}
	return s
}

// Lacking are the definitions that would do, of all errors in one.
func Lacking(err error) []string {
	switch e := err.(type) {
	case *Error:
		if e.Lacks != "" {
			return []string{e.Lacks}
		}
	case interface{ Unwrap() error }:
		return Lacking(e.Unwrap())
	case interface{ Unwrap() []error }:
		var names []string
		for _, part := range e.Unwrap() {
			names = append(names, Lacking(part)...)
		}
		return names
	}
	return nil
}

// MaxErrors bounds how many of the parser's messages are shown.
const MaxErrors = 10

// Position is where a node begins.
func Position(n cc.Node) nest.Pos {
	p := n.Position()
	return nest.Pos{File: p.Filename, Line: p.Line, Column: p.Column}
}

// PositionOf is where a word of the source stands.
func PositionOf(t *cc.Token) nest.Pos {
	p := t.Position()
	return nest.Pos{File: p.Filename, Line: p.Line, Column: p.Column}
}

// Catch turns a panic with an *Error, the way the lowering leaves deep recursions, into an error.
func Catch(err **Error) {
	switch r := recover().(type) {
	case nil:
	case *Error:
		*err = r
	default:
		panic(r)
	}
}

var (
	messagePlace  = regexp.MustCompile(`^(.*?):(\d+):(\d+): (.*)$`)
	messageOrigin = regexp.MustCompile(`\s*\(\w+\.go:[^)]*\)`)
	undefinedName = regexp.MustCompile(`^undefined: ([A-Za-z_]\w*)$`)
	includeName   = regexp.MustCompile(`include file not found: ("[^"]*|<[^>]*)`)
)

// parserErrors makes typed errors of cc's message, which may have many lines.
func (d folder) parserErrors(file string, err error) error {
	var all []error
	message := err.Error()
	for line := range strings.SplitSeq(message, "\n") {
		line = strings.TrimSpace(messageOrigin.ReplaceAllString(line, ""))
		if line == "" || strings.HasPrefix(line, "TODO") || strings.HasPrefix(line, "goroutine") ||
			len(all) > 0 && (strings.Contains(line, "<invalid type>") || strings.Contains(line, "internal error")) {
			continue
		}
		if len(all) == MaxErrors {
			all = append(all, &Error{Pos: nest.Pos{File: file}, Message: "too many errors"})
			break
		}
		all = append(all, d.parserError(file, line))
	}
	if len(all) == 0 {
		return &Error{Pos: nest.Pos{File: file}, Message: "this C is not understood", Remedy: TraceRemedy}
	}
	return errors.Join(all...)
}

// unread says why an included file was not read, of which the parser only says that there is none.
func (d folder) unread(from, name string) (message, remedy string) {
	whole := filepath.IsAbs(name)
	path := name
	if !whole {
		path = filepath.Join(filepath.Dir(from), name)
	}
	info, err := d.stat(path)
	switch {
	case err != nil || info.IsDir():
		return fmt.Sprintf("include file %s not found", name), "name the folder that holds it"
	case !info.Mode().IsRegular():
		return fmt.Sprintf("include file %s is a device or a pipe, and no regular file", name), "copy what it gives into a file and include that"
	case d.files == nil && info.Size() == 0 && ofKernel(path):
		return fmt.Sprintf("include file %s is made by the kernel as it is read, and may never end", name), "copy what it gives into a file and include that"
	case whole:
		return fmt.Sprintf("include file %s is there, but files are not read by their whole paths", name), fmt.Sprintf("write %q, and name the folder that holds it", filepath.Base(name))
	case info.Size() > MaxFileSize:
		return fmt.Sprintf("include file %s is larger than %d MiB", name, MaxFileSize>>20), "include what is needed of it"
	}
	return fmt.Sprintf("include file %s cannot be read", name), "make it readable for this user"
}

// parserError makes an error of one line of the parser's, with the place that it names.
func (d folder) parserError(file, line string) *Error {
	e := &Error{Pos: nest.Pos{File: file}, Message: line}
	m := messagePlace.FindStringSubmatch(line)
	switch {
	case m != nil && strings.HasPrefix(m[1], endOfSource): // what stands there is not the user's
		e.Message = "the file ends before a declaration or statement does"
	case m != nil && strings.HasPrefix(m[1], "<"):
		e.Message = m[4]
	case m != nil:
		l, _ := strconv.Atoi(m[2])
		c, _ := strconv.Atoi(m[3])
		e.Pos, e.Message = nest.Pos{File: m[1], Line: l, Column: c}, strings.TrimSuffix(m[4], ":")
	}
	if m := includeName.FindStringSubmatch(e.Message); m != nil {
		e.Message, e.Remedy = d.unread(e.Pos.File, m[1][1:])
	}
	if m := undefinedName.FindStringSubmatch(e.Message); m != nil {
		e.Message, e.Remedy, e.Lacks = m[1]+" is not declared", fmt.Sprintf("define it, such as %s=1000, or declare it", m[1]), m[1]+"=1000"
	}
	if strings.Contains(e.Message, "ExpansionLimit") {
		e.Message, e.Remedy = "macros expand without end", "preprocess the file yourself: cc -E -P "+file
	}
	e.reword()
	return e
}

var (
	failedNumber = regexp.MustCompile(`strconv\.\w+: parsing (".*"): (.*)$`)
	failedType   = regexp.MustCompile(`DeclarationSpecifiers missed/failed type check: \[(.*)\]`)
	ofLibrary    = regexp.MustCompile(`\bTODO\b|\*?\bcc\.[A-Z]\w+|internal error|<invalid type>|strconv\.|runtime error|\.go:\d`)
)

// reword says in words of C what the parser's library says in its own.
func (e *Error) reword() {
	const compiler = "see what a C compiler says of it"
	if m := failedNumber.FindStringSubmatch(e.Message); m != nil {
		what := strings.Trim(m[1], `"`)
		e.Message, e.Remedy = "the number "+what+" is not one of C", compiler
		switch {
		case strings.Contains(m[2], "out of range"):
			e.Message, e.Remedy = "the number "+what+" does not fit into 64 bits", "write it with a point (as a double), or take a smaller one"
		case what == "":
			e.Message = "a number without digits"
		}
		return
	}
	if m := failedType.FindStringSubmatch(e.Message); m != nil {
		words := strings.ToLower(strings.ReplaceAll(m[1], "TypeSpecifier", ""))
		e.Message = "a declaration of the type \"" + words + "\", which is not known"
		e.Remedy = compiler + "; where it takes it, " + TraceRemedy
		return
	}
	if ofLibrary.MatchString(e.Message) {
		e.Message, e.Remedy = "the C here is not understood", TraceRemedy
	}
}

// TraceRemedy is for what only a run can tell.
const TraceRemedy = "run and trace it instead"

// RunRemedy is for values that a run can tell the analysis.
const RunRemedy = "let a run tell what it is, or " + TraceRemedy

// Attempt runs f and gives the error it left with.
func Attempt(f func()) (err *Error) {
	defer Catch(&err)
	f()
	return nil
}

// Guard runs f and turns a panic of the parser's library, or a bug of ours, into an error.
func Guard(name string, f func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			err = r
		default:
			err = &Error{Pos: nest.Pos{File: name}, Message: "this code is not understood", Remedy: TraceRemedy}
		}
	}()
	return f()
}
