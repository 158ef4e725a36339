//go:build !js

package application

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"foresee/application/csource"
	"foresee/application/csource/parse"
	"foresee/application/ir"
	"foresee/application/ir/text"
	"foresee/internal/workspace"
)

// mostModule is the longest file of LLVM IR that is read, in bytes.
const mostModule = 128 << 20

// languages are those whose compilers write LLVM IR, by the endings of their sources.
var languages = map[What]ir.Language{Cxx: ir.Cxx, Fortran: ir.Fortran, Rust: ir.Rust}

// isModule tells sources that LLVM's compilers read, and what they write.
func isModule(path string, start []byte) bool {
	return languages[languageOf(path)] != "" || text.Is(start)
}

// module reads LLVM IR, or has it made of a source.
func (in *Input) module(ctx context.Context, o Options) (*Signature, error) {
	unit, code, err := in.moduleUnit(ctx, o)
	switch {
	case err != nil:
		return nil, err
	case len(unit.Programs) == 0:
		return nil, errors.Join(noRegion(in.Name, unit)...)
	}
	if o.Skipped != nil {
		o.Skipped(in.Name, unit.Skipped, nil)
	}
	return &Signature{Name: in.Name, Kind: Module, Loops: unit.Programs, Warnings: unit.Warnings, Code: code, Asked: len(o.Source.Regions) > 0}, nil
}

// moduleUnit gives the loops, and the source that they were read from where compilers make code of it whose assembly is read.
func (in *Input) moduleUnit(ctx context.Context, o Options) (*csource.Unit, *Code, error) {
	language, known := languages[languageOf(in.Path)]
	if known && (in.file == nil || !in.again) {
		return nil, nil, &PipeError{in.Name}
	}
	data, err := io.ReadAll(io.LimitReader(in.reader, mostModule+1))
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("%s: cannot read: %w", in.Name, cause(err))
	case len(data) > mostModule:
		return nil, nil, fmt.Errorf("%s: longer than %d MiB", in.Name, mostModule>>20)
	case len(strings.TrimSpace(string(data))) == 0:
		return nil, nil, &NotSourceError{in.Name, Empty}
	}
	if !known {
		unit, err := ir.Load(in.Name, string(data), o.Source)
		return unit, nil, err
	}
	parts := []part{{in.Path, string(data)}}
	for _, other := range o.Source.Others {
		more, err := readPart(other)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: cannot read: %w", other, cause(err))
		}
		parts = append(parts, more)
		data = append(append(data, '\n'), more.text...)
	}
	macros := asMacros(string(data), o.Source.Defines)
	code := &Code{Name: in.Name, Path: in.Path, Fortran: language == ir.Fortran, Includes: o.Source.Includes}
	if text := csource.Overridden(string(data), macros); text != string(data) && language == ir.Cxx && len(parts) == 1 {
		code.Text, code.Overrides = data, macros
	} else if text != string(data) {
		return nil, nil, &OverriddenError{in.Name}
	}
	c := ir.Compilation{Language: language, Path: in.Path, Command: o.Compiler, OpenMP: directives.Match(data), Includes: o.Source.Includes, Defines: macros}
	folder, err := workspace.New("source")
	if err != nil {
		return nil, nil, err
	}
	defer folder.Remove()
	if len(parts) > 1 {
		var folders []string
		if c.Path, folders, err = joined(folder.Path, language, parts); err != nil {
			return nil, nil, err
		}
		c.Includes = append(slices.Clone(c.Includes), folders...)
		c.OpenMP = true
	} else if c.Path, c.Beside, err = code.Copied(folder.Path); err != nil {
		return nil, nil, err
	}
	c = c.Unwrapped(ctx)
	said, ownMPI, standard := "", "", ""
	var let []string
	if language == ir.Rust {
		if c.Text, let = ir.SetLets(string(data), o.Source.Defines); len(let) == 0 {
			c.Text = ""
		}
	}
	if other, dropped, ok := c.StandIn(); ok {
		c, said = other, standIn(c.Command[0], other.Command[0], dropped)
	}
	made, err := ir.Compile(ctx, c)
	if err != nil && len(macros) < len(o.Source.Defines) && errors.As(err, new(*ir.CompilerError)) { // perhaps the source lacks a macro
		all := c
		all.Defines = o.Source.Defines
		if again, e := ir.Compile(ctx, all); e == nil {
			c, macros, made, err = all, all.Defines, again, nil
		}
	}
	if errors.As(err, new(*ir.CompilerError)) && language == ir.Cxx && len(o.Compiler) == 0 { // what compilers take unasked differs
		modern := c
		modern.Standard = "-std=gnu++20"
		if again, e := ir.Compile(ctx, modern); e == nil {
			c, made, err = modern, again, nil
			standard = "read as C++20"
		}
	}
	if lacks := new(ir.CompilerError); errors.As(err, &lacks) && language == ir.Cxx && strings.Contains(lacks.Said, "'mpi.h' file not found") {
		c.OwnMPI = true
		if again, e := ir.Compile(ctx, c); e == nil {
			made, err = again, nil
			ownMPI = "mpi.h is not here; a header of foresee's own stands in for it"
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	rest := o.Source
	rest.Defines = slices.DeleteFunc(slices.Clone(rest.Defines), func(d string) bool { return slices.Contains(macros, d) || slices.Contains(let, d) })
	unit, err := ir.Load(in.Name, made, rest)
	if absent := new(parse.Error); errors.As(err, &absent) && absent.Absent && language == ir.Cxx { // perhaps it is an inline function that nothing calls
		c.Unused = true
		if all, e := ir.Compile(ctx, c); e == nil {
			if again, e := ir.Load(in.Name, all, rest); e == nil || !errors.As(e, &absent) || !absent.Absent {
				unit, err = again, e
			}
		}
	}
	notes := []string{said, ownMPI, standard}
	for _, d := range let {
		notes = append(notes, "the definition "+d+" is taken instead of what "+in.Name+" binds that name to")
	}
	for _, w := range notes {
		if err == nil && w != "" {
			unit.Warnings = append(unit.Warnings, w)
		}
	}
	if language != ir.Cxx && language != ir.Fortran || len(parts) > 1 {
		return unit, nil, err
	}
	if code.Macros, code.Values = macros, len(rest.Defines) > 0; err == nil {
		unit.Warnings = append(unit.Warnings, code.overrides()...)
	}
	return unit, code, err
}

// directives are OpenMP's in C++ and Fortran.
var directives = regexp.MustCompile(`(?mi)^[ \t]*(#[ \t]*pragma[ \t]+omp|[!c*]\$omp)\b`)

// standIn says that loops were read of another compiler's IR.
func standIn(asked, taken string, dropped []string) string {
	said := fmt.Sprintf("%s writes no LLVM IR: loops and accesses are those that %s makes with its flags", asked, filepath.Base(taken))
	if len(dropped) > 0 {
		said += "; without " + strings.Join(dropped, " ")
	}
	return said
}

// asMacros are the definitions that the directives of a source speak of; others are values of variables.
func asMacros(source string, defines []string) (macros []string) {
	for _, d := range defines {
		name, _, _ := strings.Cut(d, "=")
		name, _, _ = strings.Cut(name, "(")
		if regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|define|undef)\b.*\b` + regexp.QuoteMeta(name) + `\b`).MatchString(source) {
			macros = append(macros, d)
		}
	}
	return macros
}
