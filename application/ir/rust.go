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
	raw, out := filepath.Join(b.folder, "raw.ll"), filepath.Join(b.folder, "out.ll")
	if err := b.run(ctx, slices.Concat(b.command[1:], plainRust, []string{"-C", "no-prepopulate-passes", "-o", raw, b.c.Path})); err != nil {
		return "", err
	}
	source, err := b.marked(raw)
	if err != nil {
		return "", err
	}
	flags := slices.Concat(b.command[1:], plainRust, []string{"-o", out})
	if source != b.c.Path {
		flags = append(flags, "-A", "warnings", "--remap-path-prefix", filepath.Dir(source)+"="+filepath.Dir(b.c.Path), "--crate-name", crateName(b.c.Path))
	}
	if err := b.run(ctx, append(flags, source)); err != nil {
		return "", err
	}
	return read(out)
}

// crateName is the name that rustc gives a program by its file.
func crateName(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	return strings.ReplaceAll(name, "-", "_")
}

// marked is a copy of the source in which the regions of its IR are kept apart; the source itself where there are none to mark.
func (b *compiler) marked(raw string) (string, error) {
	written, err := read(raw)
	if err != nil {
		return "", err
	}
	m, err := text.Read(written)
	if err != nil {
		return "", err
	}
	lines := map[int]bool{}
	for _, name := range lower.Regions(m) {
		s, ok := m.Subprogram(m.ByName[name].Debug)
		if ok && filepath.Base(s.File) == filepath.Base(b.c.Path) {
			lines[s.Line] = true
		}
	}
	data, err := os.ReadFile(b.c.Path)
	if err != nil {
		return "", err
	}
	source, changed := keptApart(string(data), lines)
	if !changed {
		return b.c.Path, nil
	}
	return b.copied(source)
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

// copied writes a source into the folder, beside links to what lies beside the original.
func (b *compiler) copied(source string) (string, error) {
	folder := filepath.Join(b.folder, "copy")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", err
	}
	original, err := filepath.Abs(b.c.Path)
	if err != nil {
		return "", err
	}
	beside, err := os.ReadDir(filepath.Dir(original))
	if err != nil {
		return "", err
	}
	if len(beside) <= mostBeside {
		for _, e := range beside {
			if e.Name() != filepath.Base(original) {
				if err := os.Symlink(filepath.Join(filepath.Dir(original), e.Name()), filepath.Join(folder, e.Name())); err != nil {
					return "", err
				}
			}
		}
	}
	to := filepath.Join(folder, filepath.Base(original))
	return to, os.WriteFile(to, []byte(source), 0o600)
}
