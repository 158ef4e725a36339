package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"foresee/cmd/foresee/cli"
	"foresee/cmd/foresee/remedy"
)

// libraryRooms are the folders that know nothing of this command. Package accuracy is not among them: it writes the tables of docs,
// which tell how they were made. Nor is internal/hostile, which makes command lines for scripts/reliability to try.
var libraryRooms = []string{"application", "machine", "model", "predict", "report", "internal/checksum", "internal/claims", "internal/workspace"}

// literal is a string in the source of a library.
type literal struct{ place, text string }

// libraryLiterals are all strings of the libraries, tests left out.
func libraryLiterals(t *testing.T) (all []literal) {
	t.Helper()
	for _, room := range libraryRooms {
		err := filepath.WalkDir(filepath.Join("../..", room), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			parsed, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					text, err := strconv.Unquote(lit.Value)
					if err != nil {
						t.Errorf("%s: %v", files.Position(lit.Pos()), err)
					}
					all = append(all, literal{files.Position(lit.Pos()).String(), text})
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// ofOtherTools are flags that libraries name because other programs have them.
var ofOtherTools = []struct{ pattern, why string }{
	{`^-[DIop]$`, "an argument of its own in the command line of a compiler, or of perf"},
	{`^--(version|help|static|param|print-|coverage)$`, "what compilers are asked"},
	{`^%s --version: %w$`, "a compiler did not say its version"},
	{`^--(target|gcc|emit|remap-path-prefix|crate-name)$`, "flags of clang and rustc"},
	{`--cfg=\S*`, "options of SimGrid"},
	{`^--(codegen|print|out-dir|crate-type|explain)$|^%s --print file-names: |^(-o --out-dir --crate-name| -A --allow -W) .*`, "flags of rustc"},
	{`--gdwarf-5,--no-warn|(?s)^#!/bin/sh.*`, "flags of the assembler, and a script that links"},
	{`-Wl,--unresolved-symbols=`, "the linker takes a program of several files in part"},
	{`-Wl,--wrap=`, "the linker replaces a function"},
	{`--(tool|trace-mem|basic-counts|log-fd|cache-sim|callgrind-out-file)=\S*`, "options of valgrind"},
	{`^--(show-toplevel|verify|quiet|end-of-options|format=tar)$`, "options of git"},
	{`var\(--`, "a custom property of CSS"},
}

// commandWords matches flags, and foresee with a verb. A dash with one letter is only taken for a flag of this command's.
func commandWords(root *cobra.Command) *regexp.Regexp {
	var verbs, letters []string
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Shorthand != "" && !slices.Contains(letters, f.Shorthand) {
				letters = append(letters, f.Shorthand)
			}
		})
		for _, sub := range c.Commands() {
			verbs = append(verbs, regexp.QuoteMeta(sub.Name()))
			walk(sub)
		}
	}
	walk(root)
	return regexp.MustCompile("(?:^|[^-<\\w])(--[A-Za-z][\\w-]*|-[" + strings.Join(letters, "") + `]|foresee (?:` + strings.Join(verbs, "|") + `))(?:[^\w-]|$)`)
}

// wordsOf finds words of the command line in a text, those of other tools left out.
func wordsOf(text string, command *regexp.Regexp) string {
	for _, tool := range ofOtherTools {
		text = regexp.MustCompile(tool.pattern).ReplaceAllString(text, "")
	}
	if found := command.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// TestNoWordOfTheCommandLineBelow looks for flags and verbs in what libraries say: those who import them have neither.
func TestNoWordOfTheCommandLineBelow(t *testing.T) {
	command := commandWords(newRoot(&cli.Streams{}))
	for _, l := range libraryLiterals(t) {
		if words := wordsOf(l.text, command); words != "" {
			t.Errorf("%s: %q names %s; say it in plain words, and add the flag in cmd/foresee/remedy", l.place, l.text, words)
		}
	}
}

// The search finds what it is for, and no more.
func TestWordsOf(t *testing.T) {
	command := commandWords(newRoot(&cli.Streams{}))
	for text, want := range map[string]string{
		"run and trace it instead: --trace":  "--trace",
		"give it: -D n=1000":                 "-D",
		"name another folder with -o":        "-o",
		"(see foresee trace)":                "foresee trace",
		"foresee machine measure finds them": "foresee machine",
		"this foresee reads version 2":       "",
		"run likwid-perfctr -O again":        "",
		"run valgrind with --tool=lackey":    "",
		"-o":                                 "",
		"a mid-day-old thing":                "",
	} {
		if got := wordsOf(text, command); got != want {
			t.Errorf("in %q: %q, want %q", text, got, want)
		}
	}
}

// TestSayings looks for each plain saying in the libraries, so that the table does not outlive what it translates; and no saying may
// change another one's words.
func TestSayings(t *testing.T) {
	all := libraryLiterals(t)
	command := commandWords(newRoot(&cli.Streams{}))
	for _, s := range remedy.Sayings {
		if !slices.ContainsFunc(all, func(l literal) bool { return strings.Contains(l.text, s.Plain) }) {
			t.Errorf("no library says %q", s.Plain)
		}
		if remedy.Here(s.Plain) != s.Here {
			t.Errorf("%q becomes %q", s.Plain, remedy.Here(s.Plain))
		}
		if command.FindString(s.Here) == "" {
			t.Errorf("%q names no flag and no verb", s.Here)
		}
	}
}
