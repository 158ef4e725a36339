package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/application/trace"
	"foresee/files"
	"foresee/machine"
	"foresee/predict"
)

// maxInput is the longest input that is read.
const maxInput = 16 << 20

// readSource reads a C file, or what is left of an input that was looked into.
func (s *streams) readSource(input string) (string, []byte, error) {
	if s.rest == nil {
		return readInput(input, s.in)
	}
	if input == "-" {
		input = "<stdin>"
	}
	data, err := readAll(input, s.rest)
	return input, data, err
}

// readInput reads a C file, or standard input for "-", and tells by its content what else it might be.
func readInput(name string, stdin io.Reader) (string, []byte, error) {
	if name == "-" {
		name = "<stdin>"
		data, err := readAll(name, stdin)
		return name, data, err
	}
	if err := isThere(name); err != nil {
		return name, nil, err
	}
	f, err := files.Open(name)
	if err != nil {
		return name, nil, fmt.Errorf("%s: %w", name, cause(err))
	}
	defer f.Close()
	data, err := readAll(name, f)
	return name, data, err
}

// isThere refuses an input that cannot be opened for what it is called; a verb says so before it asks for a machine.
func isThere(name string) error {
	if name == "-" {
		return nil
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file", name)
	case err != nil:
		return fmt.Errorf("%s: %w", name, cause(err))
	case info.IsDir():
		return fmt.Errorf("%s: is a directory; name a file in it", name)
	}
	return nil
}

func readAll(name string, r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: cannot read: %w", name, cause(err))
	case len(data) > maxInput:
		return nil, fmt.Errorf("%s: longer than %s; that is no C source file", name, machine.FormatSize(maxInput))
	case len(bytes.TrimSpace(data)) == 0:
		return nil, fmt.Errorf("%s: is empty; give a C file, or to mrc, profile and simulate a trace", name)
	}
	if predict.IsSignature(data) {
		return data, nil
	}
	if what := notC(name, data); what != "" {
		return nil, fmt.Errorf("%s: %s", name, what)
	}
	return data, nil
}

// cause leaves out the operation and the path, which the message has already.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// notC says what data is when it is no C source, and what to do.
func notC(name string, data []byte) string {
	start := bytes.TrimSpace(data)
	switch {
	case bytes.HasPrefix(data, []byte("\x7fELF")):
		return "is a compiled program (ELF); foresee reads its C source"
	case trace.Detect(data[:min(len(data), detected)]) != "":
		return "is a trace; predict reads C source, and mrc, profile and simulate read traces"
	case bytes.HasPrefix(data, []byte("\xfd7zXZ\x00")), bytes.HasPrefix(data, []byte("BZh")):
		return "is compressed in a way that foresee does not read; unpack it, for a trace: xzcat or bzcat FILE | foresee mrc -"
	case bytes.HasPrefix(data, []byte("\x1f\x8b")), bytes.HasPrefix(data, []byte("\x28\xb5\x2f\xfd")):
		return "is compressed; unpack it and give the C source"
	case bytes.IndexByte(data[:min(len(data), 4096)], 0) >= 0:
		return "is binary data; foresee reads C source"
	case bytes.HasPrefix(start, []byte("{")) && bytes.Contains(start, []byte(`"schema"`)):
		return "is JSON, perhaps a result of foresee, but no signature; give the C source it came from"
	case bytes.HasPrefix(start, []byte("{")), bytes.HasPrefix(start, []byte("[")):
		return "is JSON, but no signature (schema " + predict.SignatureSchema + "); give a C source, or a signature that foresee profile -o NAME.sig.json made"
	case strings.HasSuffix(name, ".yaml"), strings.HasSuffix(name, ".yml"):
		return "is YAML; if it describes a machine, say --machine " + name
	case hasNumbersAlone(data):
		return "holds numbers, and is no C; if this is a trace, say --trace-format " + strings.Join(trace.Formats(), "|") +
			" to mrc, profile or simulate; mere addresses become one (text) with sed 's/^/r /'"
	}
	return ""
}

// hasNumbersAlone tells what begins as a table of numbers, perhaps with words between: C has a sign before or after a number.
func hasNumbersAlone(data []byte) bool {
	for line := range bytes.Lines(data[:min(len(data), detected)]) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		return numbersAlone.Match(line)
	}
	return false
}

var numbersAlone = regexp.MustCompile(`^(\w+[ \t,:]+)?(0[xX])?[0-9][0-9a-fA-F]*([ \t,:]|$)`)

// load reads the program.
func (c *common) load(s *streams, input string) (string, *csource.Unit, error) {
	name, data, err := s.readSource(input)
	if err != nil {
		return name, nil, err
	}
	if predict.IsSignature(data) {
		return c.loadSignature(name, data)
	}
	unit, err := csource.Load(name, data, c.sourceOptions())
	if err != nil && !slices.Contains([]string{".c", ".h", ".i"}, filepath.Ext(name)) {
		err = fmt.Errorf("%w\n%s: if this is a trace, say --trace-format %s", err, name, strings.Join(trace.Formats(), "|"))
	}
	if err != nil {
		return name, nil, err
	}
	if len(unit.Programs) == 0 {
		return name, nil, errors.Join(noRegion(name, unit)...)
	}
	s.leftOut(name, unit.Skipped, c.verbose)
	return name, unit, nil
}

// loadSignature reads a saved signature.
func (c *common) loadSignature(name string, data []byte) (string, *csource.Unit, error) {
	if len(c.defines) > 0 || len(c.includes) > 0 || c.by != "function" {
		return name, nil, usagef("-D, -I and --by are for C sources; %s is a signature, made with its own", name)
	}
	saved, err := predict.ReadSignatures(data)
	if err != nil {
		return name, nil, fmt.Errorf("%s: %w", name, err)
	}
	programs, err := ofRegions(c.regions, saved.Programs, func(p *nest.Program) string { return p.Region })
	c.known = saved.Known
	return name, &csource.Unit{Programs: programs, Warnings: saved.Warnings}, err
}

// leftOut names the functions of the file with loops that are no region, so that nobody takes a part for the whole.
func (s *streams) leftOut(name string, skipped []csource.Skipped, verbose bool) {
	var names []string
	for _, k := range skipped {
		if k.Reason != csource.NoLoops && k.Pos.File == name {
			names = append(names, k.Function)
		}
		if verbose {
			fmt.Fprintf(s.err, "foresee: %s: no region for %s: %s\n", k.Pos, k.Function, k.Reason)
		}
	}
	if len(names) > 0 && !verbose {
		fmt.Fprintf(s.err, "foresee: left out: %s (-v says why)\n", strings.Join(names, ", "))
	}
}

func noRegion(name string, unit *csource.Unit) []error {
	all := []error{fmt.Errorf("%s: no function with loops over arrays; there is nothing to predict", name)}
	for _, k := range unit.Skipped {
		all = append(all, fmt.Errorf("%s: %s: %s", k.Pos, k.Function, k.Reason))
	}
	return all
}
