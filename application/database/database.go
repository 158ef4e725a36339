// Package database reads compilation databases, compile_commands.json as CMake, Meson, Ninja and Bear write it: for each file the command that compiles
// it, of which the macros and the folders of headers are of use to who reads the source. (Format: clang.llvm.org/docs/JSONCompilationDatabase.html.)
package database

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// Name is that of the file as build systems write it.
const Name = "compile_commands.json"

// mostBytes bounds what is read. Chosen: that of a large project has some tens of megabytes.
const mostBytes = 256 << 20

// Database lists how files are compiled.
type Database struct{ Entries []Entry }

// Entry is how one file is compiled.
type Entry struct {
	File      string   // as the folder has it
	Folder    string   // that the command runs in
	Arguments []string // of the command, the compiler first
}

// ErrTooLarge is a database of more bytes than are read.
var ErrTooLarge = fmt.Errorf("the compilation database has more than %d MiB", mostBytes>>20)

// Parse reads a database.
func Parse(r io.Reader) (*Database, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > mostBytes {
		return nil, ErrTooLarge
	}
	var all []struct {
		Directory, File, Command string
		Arguments                []string
	}
	if err := json.Unmarshal(data, &all); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("byte %d: %w", syntax.Offset, err)
		}
		return nil, err
	}
	d := &Database{}
	for i, e := range all {
		if e.File == "" {
			return nil, fmt.Errorf("entry %d names no file", i+1)
		}
		arguments := e.Arguments
		if len(arguments) == 0 {
			if arguments, err = words(e.Command); err != nil {
				return nil, fmt.Errorf("entry %d, of %s: %w", i+1, e.File, err)
			}
		}
		d.Entries = append(d.Entries, Entry{e.File, e.Directory, arguments})
	}
	return d, nil
}

// errQuote is a command whose quotes do not match.
var errQuote = errors.New("a quote of its command is not closed")

// words splits a command as a shell does: at blanks that are not quoted.
func words(command string) ([]string, error) {
	var out []string
	var word strings.Builder
	inside, quote, escaped := false, rune(0), false
	for _, c := range command {
		switch {
		case escaped:
			if quote == '"' && c != '"' && c != '\\' && c != '$' && c != '`' {
				word.WriteByte('\\')
			}
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			inside, escaped = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '"' || c == '\'':
			inside, quote = true, c
		case strings.ContainsRune(" \t\r\n", c):
			if inside {
				out = append(out, word.String())
				word.Reset()
			}
			inside = false
		default:
			inside = true
			word.WriteRune(c)
		}
	}
	if quote != 0 || escaped {
		return nil, errQuote
	}
	if inside {
		out = append(out, word.String())
	}
	return out, nil
}

// Path is where the file is, from the folder of the database where that of the command is not absolute.
func (e *Entry) Path(base string) string { return e.resolve(base, e.File) }

func (e *Entry) resolve(base, path string) string {
	for _, folder := range []string{e.Folder, base} {
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
	}
	return filepath.Clean(path)
}

// Reading is what a command says of how a source is read.
type Reading struct {
	Defines  []string // NAME or NAME=VALUE, those that are not undefined later
	Includes []string // folders of headers
}

// Reading takes the macros and the folders out of a command.
func (e *Entry) Reading(base string) Reading {
	var r Reading
	for i := 0; i < len(e.Arguments); i++ {
		flag, value, ok := option(e.Arguments[i])
		if !ok {
			continue
		}
		if value == "" {
			if i++; i == len(e.Arguments) {
				break
			}
			value = e.Arguments[i]
		}
		name, _, _ := strings.Cut(value, "=")
		switch flag {
		case "-D":
			r.Defines = append(without(r.Defines, name), value)
		case "-U":
			r.Defines = without(r.Defines, name)
		default:
			r.Includes = append(r.Includes, e.resolve(base, value))
		}
	}
	return r
}

// option splits an argument that says something of macros or headers; the value is empty where it is the next one.
func option(argument string) (flag, value string, ok bool) {
	for _, flag := range []string{"-D", "-U", "-isystem", "-iquote", "-I"} {
		if value, ok := strings.CutPrefix(argument, flag); ok {
			return flag, value, true
		}
	}
	return "", "", false
}

// without leaves out the definitions of a macro.
func without(defines []string, name string) []string {
	return slices.DeleteFunc(defines, func(d string) bool {
		other, _, _ := strings.Cut(d, "=")
		return other == name
	})
}

// Of finds how a file is compiled; nil where the database does not have it.
func (d *Database) Of(base, path string) *Entry {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil
	}
	for i := range d.Entries {
		if d.Entries[i].Path(base) == absolute {
			return &d.Entries[i]
		}
	}
	return nil
}

// Join adds what another command says.
func (r *Reading) Join(o Reading) {
	for _, d := range o.Defines {
		name, _, _ := strings.Cut(d, "=")
		r.Defines = append(without(r.Defines, name), d)
	}
	for _, i := range o.Includes {
		if !slices.Contains(r.Includes, i) {
			r.Includes = append(r.Includes, i)
		}
	}
}
