package ir

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"foresee/application/ir/lower"
	"foresee/application/ir/text"
)

// mostBeside is how many files beside a source in Rust are put beside its copy, for its modules and what it includes. Chosen: a folder of more
// holds other things than one program.
const mostBeside = 1000

// plainRust has rustc write IR without vectors and unrolled copies of loops, as canonical does for clang.
var plainRust = []string{
	"-C", "opt-level=2", "-C", "debuginfo=2", "-C", "codegen-units=1", "-C", "panic=abort", "-C", "no-vectorize-loops", "-C", "no-vectorize-slp",
	"-C", "llvm-args=-unroll-allow-peeling=false -unroll-allow-partial=false -unroll-runtime=false", "--emit", "llvm-ir",
}

// rust compiles in two steps, since rustc takes no IR as its source: to IR as it is before optimisation, which tells the regions, and then a copy of
// the source in which these are not to be put into other functions.
func (b *compiler) rust(ctx context.Context) (string, error) {
	source, text := b.c.Path, b.c.Text
	if text == "" {
		data, err := os.ReadFile(b.c.Path)
		if err != nil {
			return "", err
		}
		text = string(data)
	} else if err := b.copied(&source, text); err != nil {
		return "", err
	}
	raw, out := filepath.Join(b.folder, "raw.ll"), filepath.Join(b.folder, "out.ll")
	if err := b.run(ctx, slices.Concat(b.command[1:], plainRust, []string{"-C", "no-prepopulate-passes", "-o", raw}, b.asOriginal(source))); err != nil {
		return "", err
	}
	marked, changed, err := b.marked(raw, text)
	if err != nil {
		return "", err
	}
	if changed {
		if err := b.copied(&source, marked); err != nil {
			return "", err
		}
	}
	if err := b.run(ctx, slices.Concat(b.command[1:], plainRust, []string{"-o", out}, b.asOriginal(source))); err != nil {
		return "", err
	}
	return read(out)
}

// asOriginal are the flags by which a copy of the source is compiled as the source would be, and the copy.
func (b *compiler) asOriginal(source string) []string {
	if source == b.c.Path {
		return []string{source}
	}
	return []string{"-A", "warnings", "--remap-path-prefix", filepath.Dir(source) + "=" + filepath.Dir(b.c.Path), "--crate-name", crateName(b.c.Path), source}
}

// crateName is the name that rustc gives a program by its file.
func crateName(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	return strings.ReplaceAll(name, "-", "_")
}

// marked is the text of the source in which the regions of its IR are kept apart; it tells whether there are any.
func (b *compiler) marked(raw, source string) (string, bool, error) {
	written, err := read(raw)
	if err != nil {
		return "", false, err
	}
	m, err := text.Read(written)
	if err != nil {
		return "", false, err
	}
	lines := map[int]bool{}
	for _, name := range lower.Regions(m) {
		s, ok := m.Subprogram(m.ByName[name].Debug)
		if ok && filepath.Base(s.File) == filepath.Base(b.c.Path) {
			lines[s.Line] = true
		}
	}
	marked, changed := keptApart(source, lines)
	return marked, changed, nil
}

// definition begins the definition of a function in Rust.
var definition = regexp.MustCompile(`^\s*(pub(\s*\([^)]*\))?\s+)?((const|async|unsafe|extern(\s+"[^"]*")?)\s+)*fn\s`)

// keptApart marks the functions that are defined in some lines, which keep their numbers; it tells whether there are any.
func keptApart(source string, lines map[int]bool) (string, bool) {
	changed := false
	all := strings.SplitAfter(source, "\n")
	for i, line := range all {
		if lines[i+1] && definition.MatchString(line) {
			all[i], changed = "#[inline(never)] "+line, true
		}
	}
	return strings.Join(all, ""), changed
}

// copied writes a text as the source into the folder, beside links to what lies beside the original.
func (b *compiler) copied(source *string, text string) error {
	folder := filepath.Join(b.folder, "copy")
	original, err := filepath.Abs(b.c.Path)
	if err != nil {
		return err
	}
	if *source == b.c.Path {
		if err := linked(folder, original); err != nil {
			return err
		}
	}
	*source = filepath.Join(folder, filepath.Base(original))
	return os.WriteFile(*source, []byte(text), 0o600)
}

// linked makes a folder of links to what lies beside a file.
func linked(folder, original string) error {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	beside, err := os.ReadDir(filepath.Dir(original))
	if err != nil || len(beside) > mostBeside {
		return err
	}
	for _, e := range beside {
		if e.Name() != filepath.Base(original) {
			if err := os.Symlink(filepath.Join(filepath.Dir(original), e.Name()), filepath.Join(folder, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// SetLets gives variables of a source in Rust the values that definitions have for them, in the place of what they are bound to: of several bindings of a
// name those that take it from the program's input, and of a variable that is declared without a value what sets it from there. Lines keep their numbers.
// It gives the definitions that it took.
func SetLets(source string, defines []string) (text string, taken []string) {
	for _, d := range defines {
		name, value, ok := strings.Cut(d, "=")
		if !ok || !wholeNumber.MatchString(value) {
			continue
		}
		name = regexp.QuoteMeta(name)
		bound := bindings(source, regexp.MustCompile(`\blet\s+(?:mut\s+)?`+name+`\b(?:\s*:[^=;]*)?\s*=[^=]`))
		ofInput := slices.DeleteFunc(slices.Clone(bound), func(b [2]int) bool { return !input.MatchString(source[b[0]:b[1]]) })
		if regexp.MustCompile(`\blet\s+(?:mut\s+)?` + name + `\b(?:\s*:[^=;]*)?\s*;`).MatchString(masked(source)) {
			for _, b := range bindings(source, regexp.MustCompile(`(?:^|[;{}>,(])\s*`+name+`\s*=[^=>]`)) {
				if input.MatchString(source[b[0]:b[1]]) {
					ofInput = append(ofInput, b)
				}
			}
		}
		if len(ofInput) == 0 && len(bound) == 1 {
			ofInput = bound
		}
		slices.SortFunc(ofInput, func(x, y [2]int) int { return y[0] - x[0] })
		for _, b := range ofInput {
			source = source[:b[0]] + " " + value + strings.Repeat("\n", strings.Count(source[b[0]:b[1]], "\n")) + source[b[1]:]
		}
		if len(ofInput) > 0 {
			taken = append(taken, d)
		}
	}
	return source, taken
}

// input tells expressions that take something from outside the program.
var input = regexp.MustCompile(`\b(args|env|parse|stdin|read_line|from_str)\b`)

// bindings are where values stand to which a pattern binds a name; it ends in the character behind the =.
func bindings(source string, pattern *regexp.Regexp) (all [][2]int) {
	for _, at := range pattern.FindAllStringIndex(masked(source), -1) {
		from := at[1] - 1
		if end := endOfStatement(source[from:]); end >= 0 {
			all = append(all, [2]int{from, from + end})
		}
	}
	return all
}

// masked is a source with blanks for its comments and texts, but for the ends of lines.
func masked(source string) string {
	return notCode.ReplaceAllStringFunc(source, func(s string) string {
		return strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return ' '
		}, s)
	})
}

// notCode are the comments and texts of a source in Rust.
var notCode = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'`)

var wholeNumber = regexp.MustCompile(`^-?[0-9]+$`)

// endOfStatement is where the semicolon is that ends a statement in Rust, −1 where there is none.
func endOfStatement(s string) int {
	depth := 0
	for i, c := range masked(s) {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ';':
			if depth == 0 {
				return i
			}
		}
		if depth < 0 {
			return -1
		}
	}
	return -1
}
