package record

import (
	"path/filepath"
	"slices"
	"strings"
)

// rustCommand is what a compiler of Rust was asked to do.
type rustCommand struct {
	words  []string // but those of what is emitted and where to, and those that recording cannot have
	emits  []string // KIND or KIND=FILE
	types  []string // of the crate, where the command says them
	name   string
	target string
	input  string
	output string
	folder string
	asks   bool // of the compiler, or compiles nothing
}

// rustWithValue are the flags of rustc whose value may stand apart.
var rustWithValue = wordsOf("-o --out-dir --crate-name --crate-type --emit --print -C --codegen -L -l --extern --cfg --check-cfg --edition --target --sysroot --cap-lints" +
	" -A --allow -W --warn -D --deny -F --forbid --force-warn --error-format --json --color --explain -Z --remap-path-prefix --diagnostic-width --env-set")

// where are the words for the folder of what is made: of what lies in between, where the command names the file itself.
func (c *rustCommand) where(work string) []string {
	switch {
	case c.output != "":
		return []string{"--out-dir", work}
	case c.folder != "":
		return []string{"--out-dir", c.folder}
	}
	return nil
}

// parseRust takes the command line of a compiler of Rust apart.
func parseRust(args []string) *rustCommand {
	c := &rustCommand{}
	for i := 0; i < len(args); i++ {
		words, flag, value := []string{args[i]}, args[i], ""
		if name, v, ok := strings.Cut(flag, "="); ok && strings.HasPrefix(flag, "--") {
			flag, value = name, v
		} else if rustWithValue[flag] && i+1 < len(args) {
			i++
			words, value = append(words, args[i]), args[i]
		}
		c.flag(flag, value, words)
	}
	c.asks = c.asks || c.input == "" || c.input == "-"
	return c
}

// flag takes one flag, or an input.
func (c *rustCommand) flag(flag, value string, words []string) {
	switch {
	case flag == "--emit":
		c.emits = append(c.emits, strings.Split(value, ",")...)
		return
	case flag == "-o":
		c.output = value
		return
	case flag == "--crate-name":
		c.name = value
	case flag == "--crate-type":
		c.types = append(c.types, strings.Split(value, ",")...)
	case flag == "--out-dir":
		c.folder = value
		return
	case (flag == "-C" || flag == "--codegen") && unrecorded(value), strings.HasPrefix(flag, "-C") && unrecorded(flag[2:]):
		return
	case flag == "--target":
		c.target = value
	case flag == "--print", flag == "--explain", flag == "-V", flag == "-vV", flag == "--version", flag == "-h", flag == "--help":
		c.asks = true
	case !strings.HasPrefix(flag, "-") || flag == "-":
		c.input = flag
	}
	c.words = append(c.words, words...)
}

// unrecorded are options of code generation that leave no crate in one piece of machine code: of compiling parts again, and of optimising all at linking.
func unrecorded(option string) bool {
	name, _, _ := strings.Cut(option, "=")
	return name == "incremental" || name == "linker-plugin-lto" || name == "lto" || name == "save-temps"
}

// links says whether a program or library is to be made.
func (c *rustCommand) links() bool {
	return len(c.emits) == 0 || slices.ContainsFunc(c.emits, func(e string) bool { return e == "link" || strings.HasPrefix(e, "link=") })
}

// ofBuild says whether what is made runs while others are compiled: macros, and what cargo calls build scripts.
func (c *rustCommand) ofBuild() bool {
	return slices.Contains(c.types, "proc-macro") || strings.HasPrefix(c.name, "build_script_")
}

// besides are the ends of what is emitted beside a program, as the compiler names them.
var besides = map[string]string{"dep-info": ".d", "metadata": ".rmeta", "obj": ".o", "asm": ".s", "llvm-ir": ".ll", "llvm-bc": ".bc", "mir": ".mir"}

// outputs are what is emitted, each with its file where the command names one.
func (c *rustCommand) outputs() (all []string) {
	for _, e := range c.emits {
		switch {
		case c.output == "" || strings.Contains(e, "="):
		case e == "link":
			e += "=" + c.output
		default:
			e += "=" + strings.TrimSuffix(c.output, filepath.Ext(c.output)) + besides[e]
		}
		all = append(all, e)
	}
	if len(all) == 0 && c.output != "" {
		return []string{"link=" + c.output}
	}
	if len(all) == 0 {
		return []string{"link"}
	}
	return all
}

// archives are the libraries among what is made, of which the compiler gave the names.
func (c *rustCommand) archives(names []string) []string {
	for _, e := range c.outputs() {
		if file, ok := strings.CutPrefix(e, "link="); ok {
			names = []string{file}
		}
	}
	var all []string
	for _, n := range names {
		if filepath.Ext(n) != ".rlib" {
			continue
		}
		if c.folder != "" && !strings.Contains(n, "/") {
			n = filepath.Join(c.folder, n)
		}
		all = append(all, n)
	}
	return all
}
