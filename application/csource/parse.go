package csource

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"foresee/application/nest"

	"modernc.org/cc/v4"
)

const predefined = `
#define __STDC__ 1
#define __STDC_VERSION__ 201112L
#define __STDC_HOSTED__ 1
#define __x86_64__ 1
#define __linux__ 1
#define __LP64__ 1
#define _OPENMP 201511
#define __CHAR_BIT__ 8
#define __SIZE_TYPE__ unsigned long
#define __PTRDIFF_TYPE__ long
#define __WCHAR_TYPE__ int
#define __INT_MAX__ 0x7fffffff
#define __restrict restrict
#define __restrict__ restrict
#define __inline inline
#define __inline__ inline
#define __volatile__ volatile
#define __const const
#define __extension__
#define __attribute__(x)
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG__ 8
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_DOUBLE__ 8
#define __SIZEOF_FLOAT__ 4
#define __FLT_EVAL_METHOD__ 0
#define __FORESEE__ 1
`

// expansionLimit bounds the work of macro expansion, in tokens.
const expansionLimit = 20_000_000

// source is a parsed file and what is known about it.
type source struct {
	name     string
	ast      *cc.AST
	pragmas  []*pragma
	values   map[string]int64 // of variables, from -D
	facts    *facts
	warnings []string
}

var defineName = regexp.MustCompile(`^[A-Za-z_]\w*(\([\w, .]*\))?$`)

// parse reads, preprocesses, parses and type-checks a file.
func parse(name string, src []byte, o Options) (*source, error) {
	if src == nil {
		b, err := readSource(name)
		if err != nil {
			return nil, err
		}
		src = b
	}
	if len(src) > maxFileSize {
		return nil, fmt.Errorf("%s is larger than %d MiB", name, maxFileSize>>20)
	}
	s := &source{name: name, values: map[string]int64{}}
	text := standalonePragmas(string(src))
	if err := checkDepth(name, text); err != nil {
		return nil, err
	}
	prefix, err := s.defines(text, o.Defines)
	if err != nil {
		return nil, err
	}
	if err := s.translate(prefix, text, o.Includes); err != nil {
		return nil, err
	}
	s.facts = newFacts(s)
	return s, nil
}

// defines turns -D into macros, or into values where the file declares a variable of that name.
func (s *source) defines(text string, defines []string) (string, error) {
	integers := map[string]bool{}
	for _, d := range defines {
		if name, _, ok := integerDefine(d); ok {
			integers[name] = true
		}
	}
	declared := map[string]bool{}
	if len(integers) > 0 {
		declared = declaredNames(text, integers)
	}
	var b strings.Builder
	b.WriteString(predefined)
	for _, d := range defines {
		name, value, given := strings.Cut(d, "=")
		if !defineName.MatchString(name) || strings.ContainsAny(value, "\n\r") {
			return "", &Error{Message: fmt.Sprintf("-D %s is not a definition", d), Remedy: "write -D NAME=VALUE"}
		}
		if !given {
			value = "1"
		}
		if n, v, ok := integerDefine(d); ok {
			s.values[n] = v
			if declared[n] {
				continue
			}
		}
		fmt.Fprintf(&b, "#define %s %s\n", name, value)
	}
	return b.String(), nil
}

func integerDefine(d string) (string, int64, bool) {
	name, value, ok := strings.Cut(d, "=")
	if !ok {
		return "", 0, false
	}
	v, err := strconv.ParseInt(strings.Trim(strings.TrimSpace(value), "()"), 0, 64)
	return name, v, err == nil
}

func (s *source) config(includes []string) (*cc.Config, error) {
	abi, err := cc.NewABI("linux", "amd64")
	if err != nil {
		return nil, err
	}
	cfg := &cc.Config{
		ABI: abi, FS: sources{}, FSOnly: true, ExpansionLimit: expansionLimit, EvalAllMacros: true,
		DefaultSizeT: cc.ULong, DefaultPtrdiffT: cc.Long, DefaultWcharT: cc.Int,
	}
	cfg.IncludePaths = append(append([]string{""}, includes...), headerDir)
	cfg.SysIncludePaths = append([]string{headerDir}, includes...)
	return cfg, nil
}

// translate runs the preprocessor alone first: what it makes of the text must not nest too deeply either.
func (s *source) translate(prefix, text string, includes []string) error {
	cfg, err := s.config(includes)
	if err != nil {
		return err
	}
	input := func() []cc.Source {
		return []cc.Source{
			{Name: "<command line>", Value: prefix},
			{Name: "<foresee>", Value: "int __predefined_declarator;\n"},
			{Name: s.name, Value: text},
		}
	}
	return guard(s.name, func() error {
		var expanded strings.Builder
		if err := cc.Preprocess(cfg, input(), &expanded); err != nil {
			return s.parserErrors(err)
		}
		if err := checkDepth(s.name, expanded.String()); err != nil {
			return err
		}
		var bad error
		cfg.PragmaHandler = func(t []cc.Token) error {
			p, err := newPragma(s.name, t)
			if err != nil && bad == nil {
				bad = err
			}
			if p != nil {
				s.pragmas = append(s.pragmas, p)
			}
			return nil
		}
		s.ast, err = cc.Translate(cfg, input())
		if err != nil {
			return s.parserErrors(err)
		}
		return bad
	})
}

// parserErrors adds to the parser's messages what -D may have to do with them.
func (s *source) parserErrors(err error) error {
	joined := parserErrors(s.name, err)
	for _, name := range slices.Sorted(maps.Keys(s.values)) {
		var e *Error
		if errors.As(joined, &e) && strings.Contains(e.Message, fmt.Sprint(s.values[name])) && e.Remedy == "" {
			e.Remedy = fmt.Sprintf("-D %s=%d was taken for a macro", name, s.values[name])
			break
		}
	}
	return joined
}

var pragmaOperator = regexp.MustCompile(`(?m)^([ \t]*)_Pragma[ \t]*\([ \t]*"([^"\\\n]*)"[ \t]*\)[ \t]*$`)

// standalonePragmas writes _Pragma("x") on a line of its own as #pragma x, whose place the parser keeps.
func standalonePragmas(text string) string {
	if !strings.Contains(text, "_Pragma") {
		return text
	}
	return pragmaOperator.ReplaceAllStringFunc(text, func(m string) string {
		return pragmaOperator.ReplaceAllString(m, "#pragma $2")
	})
}

// macro is the integer value of an object-like macro.
func (s *source) macro(name string) (int64, bool) {
	if m := s.ast.Macros[name]; m != nil {
		return integerValue(m.Value())
	}
	return 0, false
}

// clean makes a file name as the user would write it.
func clean(file string) string { return filepath.ToSlash(file) }

func integerValue(v cc.Value) (int64, bool) {
	switch x := v.(type) {
	case cc.Int64Value:
		return int64(x), true
	case cc.UInt64Value:
		return int64(x), true
	}
	return 0, false
}

// at is a place in the main file for errors without one.
func (s *source) at() nest.Pos { return nest.Pos{File: s.name} }
