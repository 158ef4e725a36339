package application

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"foresee/application/csource"
	"foresee/internal/encoding"
)

// mostText is the longest source or saved signature that is read, in bytes.
const mostText = 16 << 20

// NotSourceError is an input that was taken for C source and is none.
type NotSourceError struct {
	Name string
	What What
}

// What an input is that nothing here reads.
type What string

// Inputs that are told apart, so that a remedy can be given.
const (
	Empty          What = "is empty"
	Compressed     What = "is compressed, and holds no trace; unpack it and give what is in it"
	OtherPacked    What = "is compressed in a way that is not read here; unpack it"
	UTF16          What = "is text in UTF-16, and UTF-8 is read here"
	Binary         What = "is binary data, and no C source"
	OtherResult    What = "is JSON, perhaps a result, but no signature; give the C source it came from"
	OtherJSON      What = "is JSON, but no signature (schema " + SavedSchema + "); give a C source"
	OtherYAML      What = "is YAML, and no C source"
	Numbers        What = "holds numbers, and is no C"
	Cxx            What = "is C++"
	Fortran        What = "is Fortran"
	Rust           What = "is Rust"
	UnreadableText What = "is no C source that can be read" // the error of reading it is joined
)

func (e *NotSourceError) Error() string { return e.Name + ": " + string(e.What) }

// readText reads a source or a saved signature as a whole.
func (in *Input) readText() ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in.reader, mostText+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: cannot read: %w", in.Name, cause(err))
	case len(data) > mostText:
		return nil, fmt.Errorf("%s: longer than %d MiB; that is no C source file", in.Name, mostText>>20)
	case len(bytes.TrimSpace(data)) == 0:
		return nil, &NotSourceError{in.Name, Empty}
	}
	if what := notC(in.Name, data); what != "" && in.Kind == Source {
		return nil, &NotSourceError{in.Name, what}
	}
	return data, nil
}

// notC says what data is when it is no C source.
func notC(name string, data []byte) What {
	start := bytes.TrimSpace(data)
	switch {
	case bytes.HasPrefix(data, []byte("\xfd7zXZ\x00")), bytes.HasPrefix(data, []byte("BZh")):
		return OtherPacked
	case bytes.HasPrefix(data, []byte("\x1f\x8b")), bytes.HasPrefix(data, []byte("\x28\xb5\x2f\xfd")):
		return Compressed
	case encoding.IsUTF16(data):
		return UTF16
	case bytes.IndexByte(data[:min(len(data), 4096)], 0) >= 0:
		return Binary
	case bytes.HasPrefix(start, []byte("{")) && bytes.Contains(start, []byte(`"schema"`)):
		return OtherResult
	case bytes.HasPrefix(start, []byte("{")), bytes.HasPrefix(start, []byte("[")) && !attributeFirst.Match(start):
		return OtherJSON
	case isYAML(name):
		return OtherYAML
	case hasNumbersAlone(data):
		return Numbers
	}
	return ""
}

// hasNumbersAlone tells what begins as a table of numbers, perhaps with words between: C has a sign before or after a number.
func hasNumbersAlone(data []byte) bool {
	for line := range bytes.Lines(data[:min(len(data), beginning)]) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		return numbersAlone.Match(line)
	}
	return false
}

// attributeFirst is how C begins where an attribute stands before its first declaration.
var attributeFirst = regexp.MustCompile(`^\[\[\s*[A-Za-z_]`)

var numbersAlone = regexp.MustCompile(`^(\w+[ \t,:]+)?(0[xX])?[0-9][0-9a-fA-F]*([ \t,:]|$)`)

// source reads C source.
func (in *Input) source(o Options) (*Signature, error) {
	data, err := in.readText()
	if err != nil {
		return nil, err
	}
	s, file, unit, err := ofText(in.Name, data, o.Source)
	if err != nil {
		return nil, err
	}
	if o.Skipped != nil {
		o.Skipped(in.Name, unit.Skipped, file.Lacking(o.Source, unit, nil))
	}
	if in.file != nil {
		s.Code.Folder = filepath.Dir(in.Path)
	}
	return s, nil
}

// OfText gives the signature of a C source whose text is given.
func OfText(name string, text []byte, o csource.Options) (*Signature, error) {
	s, _, _, err := ofText(name, text, o)
	return s, err
}

func ofText(name string, text []byte, o csource.Options) (*Signature, *csource.File, *csource.Unit, error) {
	file, err := csource.Open(name, text, o)
	var unit *csource.Unit
	if err == nil {
		unit, err = file.Load(o)
	}
	if err != nil && file != nil {
		if lacking := file.Lacking(o, unit, err); len(lacking) > 1 {
			err = errors.Join(err, &csource.LackingError{Definitions: lacking})
		}
	}
	switch {
	case err != nil && !slices.Contains([]string{".c", ".h", ".i"}, filepath.Ext(name)):
		return nil, nil, nil, errors.Join(err, &NotSourceError{name, UnreadableText})
	case err != nil:
		return nil, nil, nil, err
	case len(unit.Programs) == 0:
		return nil, nil, nil, errors.Join(noRegion(name, unit)...)
	}
	code := &Code{Name: name, Text: text, Macros: unit.Macros, Overrides: unit.Overrides, Includes: o.Includes, Values: len(unit.Macros) < len(o.Defines)+len(o.Build)}
	return &Signature{Name: name, Kind: Source, Loops: unit.Programs, Warnings: unit.Warnings, Code: code, Unread: unread(unit), Asked: len(o.Regions) > 0}, file, unit, nil
}

// unread are the functions of a file that have loops and cannot be read, each once.
func unread(unit *csource.Unit) (out []string) {
	for _, k := range unit.Skipped {
		if k.Refused && !slices.Contains(out, k.Function) {
			out = append(out, k.Function)
		}
	}
	return out
}

// Endings of names of sources in other languages than C, as compilers take them.
var (
	cxxEndings     = []string{".cc", ".cpp", ".cxx", ".C", ".c++", ".cp", ".hpp", ".hh"}
	fortranEndings = []string{".f", ".for", ".f77", ".f90", ".f95", ".f03", ".f08"}
)

// languageOf is the other language that a source is written in by its name, "" where it may be C.
func languageOf(name string) What {
	ending := filepath.Ext(name)
	switch {
	case slices.Contains(cxxEndings, ending):
		return Cxx
	case slices.Contains(fortranEndings, strings.ToLower(ending)):
		return Fortran
	case isRust(name):
		return Rust
	}
	return ""
}

// noRegion says why a file has no region, of every function.
func noRegion(name string, unit *csource.Unit) []error {
	all := []error{fmt.Errorf("%s: no function with loops over arrays; there is nothing to predict", name)}
	for _, k := range unit.Skipped {
		all = append(all, fmt.Errorf("%s: %s: %s", k.Pos, k.Function, strings.TrimSpace(k.Reason)))
	}
	return all
}

// rustEndings are the endings of names of sources in Rust.
var rustEndings = []string{".rs"}

// isRust tells a source in Rust by its name.
func isRust(name string) bool { return slices.Contains(rustEndings, filepath.Ext(name)) }

// PipeError is a source that a compiler is to read, and that came through a pipe.
type PipeError struct{ Name string }

func (e *PipeError) Error() string {
	return e.Name + ": what a compiler reads is named by its file"
}
