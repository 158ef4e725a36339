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
	unit, code, lacking, err := in.moduleUnit(ctx, o)
	switch {
	case err != nil:
		return nil, err
	case len(unit.Programs) == 0:
		return nil, errors.Join(noRegion(in.Name, unit)...)
	}
	if o.Skipped != nil {
		o.Skipped(in.Name, unit.Skipped, lacking)
	}
	return &Signature{Name: in.Name, Kind: Module, Loops: unit.Programs, Warnings: unit.Warnings, Code: code, Asked: len(o.Source.Regions) > 0}, nil
}

// moduleUnit gives the loops, the source that they were read from where compilers make code of it whose assembly is read, and definitions that what cannot be
// read lacks.
func (in *Input) moduleUnit(ctx context.Context, o Options) (_ *csource.Unit, _ *Code, lacking []string, _ error) {
	c, err := in.compiled(ctx, o)
	if err != nil {
		return nil, nil, nil, err
	}
	defer c.folder.Remove()
	unit, err := ir.Load(in.Name, c.made, c.rest)
	if absent := new(parse.Error); errors.As(err, &absent) && absent.Absent && c.compilation.Language == ir.Cxx { // perhaps it is an inline function that nothing calls
		all := c.compilation
		all.Unused = true
		if made, e := ir.Compile(ctx, all); e == nil {
			if again, e := ir.Load(in.Name, made, c.rest); e == nil || !errors.As(e, &absent) || !absent.Absent {
				unit, err = again, e
			}
		}
	}
	lacking = ir.Lacking(in.Name, c.made, c.rest, unit, err)
	if err != nil {
		if len(lacking) > 1 {
			err = errors.Join(err, &csource.LackingError{Definitions: lacking})
		}
		return unit, c.code, nil, err
	}
	unit.Warnings = append(unit.Warnings, c.notes...)
	if c.code != nil {
		unit.Warnings = append(unit.Warnings, c.code.overrides()...)
	}
	return unit, c.code, lacking, nil
}

// compiledSource is LLVM IR, and how it was made.
type compiledSource struct {
	made        string
	compilation ir.Compilation // of no language where the input is IR itself
	rest        csource.Options
	code        *Code // the source, where compilers make code of it whose assembly is read; nil else
	notes       []string
	folder      *workspace.Folder // of what was compiled, to be removed
}

// compiled reads LLVM IR, or has it made of a source.
func (in *Input) compiled(ctx context.Context, o Options) (_ *compiledSource, err error) {
	language, known := languages[languageOf(in.Path)]
	if known && (in.file == nil || !in.again) {
		return nil, &PipeError{in.Name}
	}
	data, err := io.ReadAll(io.LimitReader(in.reader, mostModule+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: cannot read: %w", in.Name, cause(err))
	case len(data) > mostModule:
		return nil, fmt.Errorf("%s: longer than %d MiB", in.Name, mostModule>>20)
	case len(strings.TrimSpace(string(data))) == 0:
		return nil, &NotSourceError{in.Name, Empty}
	}
	folder, err := workspace.New("source")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			folder.Remove()
		}
	}()
	out := &compiledSource{made: string(data), rest: o.Source, folder: folder}
	if !known {
		return out, nil
	}
	parts := []part{{in.Path, string(data)}}
	for _, other := range o.Source.Others {
		more, err := readPart(other)
		if err != nil {
			return nil, fmt.Errorf("%s: cannot read: %w", other, cause(err))
		}
		parts = append(parts, more)
		data = append(append(data, '\n'), more.text...)
	}
	macros := asMacros(string(data), o.Source.Defines)
	code := &Code{Name: in.Name, Path: in.Path, Fortran: language == ir.Fortran, Includes: o.Source.Includes}
	if text := csource.Overridden(string(data), macros); text != string(data) && language == ir.Cxx && len(parts) == 1 {
		code.Text, code.Overrides = data, macros
	} else if text != string(data) {
		return nil, &OverriddenError{in.Name}
	}
	c := ir.Compilation{Language: language, Path: in.Path, Command: o.Compiler, OpenMP: directives.Match(data), Includes: o.Source.Includes, Defines: macros}
	if len(parts) > 1 {
		var folders []string
		if c.Path, folders, err = joined(folder.Path, language, parts); err != nil {
			return nil, err
		}
		c.Includes = append(slices.Clone(c.Includes), folders...)
		c.OpenMP = true
	} else if c.Path, c.Beside, err = code.Copied(folder.Path, nil); err != nil {
		return nil, err
	}
	c = c.Unwrapped(ctx)
	var let []string
	if language == ir.Rust {
		if c.Text, let = ir.SetLets(string(data), o.Source.Defines); len(let) == 0 {
			c.Text = ""
		}
	}
	if other, dropped, ok := c.StandIn(); ok {
		out.notes = append(out.notes, standIn(c.Command[0], other.Command[0], dropped))
		c = other
	}
	if err := out.compile(ctx, c, o.Source.Defines); err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	for _, d := range let {
		out.notes = append(out.notes, "the definition "+d+" is taken instead of what "+in.Name+" binds that name to")
	}
	macros = out.compilation.Defines
	out.rest.Defines = slices.DeleteFunc(slices.Clone(o.Source.Defines), func(d string) bool { return slices.Contains(macros, d) || slices.Contains(let, d) })
	if (language == ir.Cxx || language == ir.Fortran) && len(parts) == 1 {
		code.Macros, code.Values = macros, len(out.rest.Defines) > 0
		out.code = code
	}
	return out, nil
}

// compile has IR made of a source; where that fails for a known reason, also in another way, which is noted. defines are all definitions that were given.
func (s *compiledSource) compile(ctx context.Context, c ir.Compilation, defines []string) (err error) {
	s.compilation = c
	s.made, err = ir.Compile(ctx, c)
	again := func(other ir.Compilation, note string) {
		if made, e := ir.Compile(ctx, other); e == nil {
			s.compilation, s.made, err = other, made, nil
			if note != "" {
				s.notes = append(s.notes, note)
			}
		}
	}
	refused := new(ir.CompilerError)
	if errors.As(err, &refused) && len(c.Defines) < len(defines) { // perhaps the source lacks a macro
		all := c
		all.Defines = defines
		again(all, "")
	}
	if errors.As(err, &refused) && c.OpenMP && len(c.Command) == 0 { // as in Fortran where lines that begin with !$ are no code
		serial := c
		serial.OpenMP = false
		again(serial, "read without OpenMP, with which it cannot be compiled")
	}
	if errors.As(err, &refused) && c.Language == ir.Cxx && len(c.Command) == 0 { // what compilers take unasked differs
		modern := c
		modern.Standard = "-std=gnu++20"
		again(modern, "read as C++20")
	}
	if errors.As(err, &refused) && c.Language == ir.Cxx && strings.Contains(refused.Said, "'mpi.h' file not found") {
		own := c
		own.OwnMPI = true
		again(own, "mpi.h is not here; a header of foresee's own stands in for it")
	}
	return err
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
