package record

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"foresee/internal/claims"
)

// stage is when a compiler uses an argument.
type stage int

const (
	always     stage = iota // in every step
	preprocess              // before compiling
	compile                 // from source to IR, warnings
	linking
	dropped
)

// argument is one of a compiler's command line, with its value where that stands apart.
type argument struct {
	words []string
	stage stage
	input string // a file
	lang  string // of an input: c, c++, ir …; empty: told by its name
}

// commandLine is what a compiler was asked to do.
type commandLine struct {
	arguments []argument
	mode      string // "": link; -c, -S, -E, or -M and the like
	output    string
	query     bool // asks about the compiler, or compiles nothing
	openmp    bool
	pic       bool
	debug     bool
	shared    bool
	level     string // -O
}

// withValue are flags whose value may stand apart, and when they are used.
var withValue = map[string]stage{
	"-I": preprocess, "-D": preprocess, "-U": preprocess, "-include": preprocess, "-imacros": preprocess, "-isystem": preprocess,
	"-iquote": preprocess, "-idirafter": preprocess, "-iprefix": preprocess, "-iwithprefix": preprocess, "-MF": preprocess,
	"-MT": preprocess, "-MQ": preprocess, "-Xpreprocessor": preprocess, "-isysroot": preprocess,
	"-L": linking, "-l": linking, "-T": linking, "-u": linking, "-Xlinker": linking, "-z": linking, "-rpath": linking,
	"-target": always, "-Xclang": always, "-mllvm": always, "--param": always, "-arch": always, "-Xassembler": always, "-J": always,
	"-o": dropped, "-x": dropped,
}

// parseCommandLine takes a compiler's command line apart: what each argument is of, its sources, its output.
func parseCommandLine(args []string) *commandLine {
	c := &commandLine{}
	lang := ""
	for i := 0; i < len(args); i++ {
		a := args[i]
		words := []string{a}
		if _, ok := withValue[a]; ok && i+1 < len(args) {
			i++
			words = append(words, args[i])
		}
		switch {
		case a == "-o" && len(words) == 2:
			c.output = words[1]
			continue
		case strings.HasPrefix(a, "-o") && len(a) > 2 && !strings.HasPrefix(a, "-objcmt"):
			c.output = a[2:]
			continue
		case a == "-x" && len(words) == 2:
			lang = words[1]
			if lang == "none" {
				lang = ""
			}
			continue
		case !strings.HasPrefix(a, "-") || a == "-":
			c.arguments = append(c.arguments, argument{words: words, input: a, lang: lang, stage: linking})
			continue
		}
		c.flag(a)
		c.arguments = append(c.arguments, argument{words: words, stage: stageOf(a)})
	}
	if !slices.ContainsFunc(c.arguments, func(a argument) bool { return a.input != "" }) {
		c.query = true
	}
	return c
}

// flag notes what matters for what is to be done.
func (c *commandLine) flag(a string) {
	switch {
	case a == "-c" || a == "-S" || a == "-E" || a == "-fsyntax-only":
		c.mode = a
	case a == "-M" || a == "-MM":
		c.mode = "-E"
	case a == "--version" || a == "-###" || strings.HasPrefix(a, "-dump") || strings.HasPrefix(a, "-print-") || strings.HasPrefix(a, "--print-") || a == "--help":
		c.query = true
	case strings.HasPrefix(a, "-fopenmp"):
		c.openmp = a != "-fopenmp-simd"
	case a == "-fPIC" || a == "-fpic":
		c.pic = true
	case a == "-shared":
		c.shared = true
	case strings.HasPrefix(a, "-g") && a != "-g0" && !strings.HasPrefix(a, "-gcc"):
		c.debug = true
	case strings.HasPrefix(a, "-O"):
		c.level = a
	}
}

// stageOf tells when a flag without a separate value is used.
func stageOf(a string) stage {
	if s, ok := withValue[a]; ok {
		return s
	}
	for _, p := range []string{"-I", "-D", "-U", "-M", "-iquote", "-isystem", "-Wp,"} {
		if strings.HasPrefix(a, p) {
			return preprocess
		}
	}
	for _, p := range []string{"-L", "-l", "-Wl,", "-rdynamic", "-static", "-shared", "-pie", "-no-pie", "-nostartfiles", "-fuse-ld"} {
		if strings.HasPrefix(a, p) {
			return linking
		}
	}
	switch {
	case a == "-c" || a == "-S" || a == "-E" || a == "-fsyntax-only":
		return dropped
	case strings.HasPrefix(a, "-flto"), strings.HasPrefix(a, "-fsanitize"), strings.HasPrefix(a, "-save-temps"), addsCode(a):
		return dropped
	case strings.HasPrefix(a, "-W"), strings.HasPrefix(a, "-std="), a == "-pedantic", a == "-w", strings.HasPrefix(a, "-fopenmp"):
		return compile
	}
	return always
}

// refused says what a program cannot be linked with.
func (c *commandLine) refused() error {
	for _, a := range c.words(linking, always) {
		if c.mode == "" && (a == "-static" || a == "--static" || a == "-static-pie") {
			return fmt.Errorf("%s: static linking is not supported: the recorder stands before the C library's functions, which a static program has but once; leave out %s", a, a)
		}
	}
	return nil
}

// addsCode says whether a flag has compilers add code of their own to the program's, or another way to take the stack.
func addsCode(flag string) bool {
	switch flag {
	case "-pg", "-p", "-mfentry", "-coverage", "--coverage", "-ftest-coverage", "-fsplit-stack", "-fxray-instrument":
		return true
	}
	return slices.ContainsFunc([]string{"-fsanitize=", "-fprofile", "-fcoverage", "-finstrument-functions", "-fpatchable-function-entry"}, func(of string) bool {
		return strings.HasPrefix(flag, of)
	})
}

// leftOut are the flags that add code to a program which foresee cc leaves out.
func (c *commandLine) leftOut() (flags []string) {
	for _, a := range c.words(dropped) {
		if addsCode(a) {
			flags = append(flags, a)
		}
	}
	return flags
}

// words gives the arguments of the stages, in order.
func (c *commandLine) words(stages ...stage) []string {
	var all []string
	for _, a := range c.arguments {
		if a.input == "" && slices.Contains(stages, a.stage) {
			all = append(all, a.words...)
		}
	}
	return all
}

// UsesOpenMP tells whether a compiler's arguments ask for OpenMP.
func UsesOpenMP(args []string) bool { return parseCommandLine(args).openmp }

// withoutDependencies are the words that no list of headers comes of.
func (c *commandLine) withoutDependencies(stages ...stage) []string {
	return (&commandLine{arguments: slices.DeleteFunc(slices.Clone(c.arguments), func(a argument) bool {
		return strings.HasPrefix(a.words[0], "-M") || strings.HasPrefix(a.words[0], "-Wp,-M")
	})}).words(stages...)
}

// languages by the ends of names, as compilers tell them.
var languages = map[string]string{
	".c": "c", ".i": "cpp-output", ".cc": "c++", ".cp": "c++", ".cxx": "c++", ".cpp": "c++", ".c++": "c++", ".C": "c++", ".ii": "c++-cpp-output",
	".f": fortran, ".for": fortran, ".f77": fortran, ".f90": fortran, ".f95": fortran, ".f03": fortran, ".f08": fortran,
	".F": fortran, ".FOR": fortran, ".F77": fortran, ".F90": fortran, ".F95": fortran, ".F03": fortran, ".F08": fortran,
}

// IsCxx says whether compilers take a file of this name for a source of C++.
func IsCxx(name string) bool { return languages[filepath.Ext(name)] == "c++" }

// fortran is the language of those sources that gfortran, not the preprocessor of C, reads from the first.
const fortran = "f95"

// language of an input; empty where it is nothing that foresee compiles.
func (a *argument) language(cxx bool) string {
	l := a.lang
	if l == "" {
		l = languages[filepath.Ext(a.input)]
		if l == "c" && cxx {
			l = "c++"
		}
	}
	switch l {
	case "c", "c++", "cpp-output", "c++-cpp-output", fortran:
		return l
	}
	return ""
}

// Bounds of response files.
const (
	deepestFile   = 16       // within one another
	longestFile   = 16 << 20 // bytes of one
	mostFiles     = 10_000   // in all
	mostArguments = 1 << 20  // of all
)

// expandFiles puts the arguments that a file holds in the place of @FILE, as compilers do: words between blanks, with
// quotation marks and backslashes. What cannot be read stays as it is.
func expandFiles(args []string) ([]string, error) {
	var x expanded
	if err := x.take(args, 0); err != nil {
		return nil, err
	}
	return x.args, nil
}

// expanded is what command lines with response files say.
type expanded struct {
	args  []string
	files int
}

// take adds arguments, and those of response files (@FILE) in their place.
func (x *expanded) take(args []string, depth int) error {
	for _, a := range args {
		name, ok := strings.CutPrefix(a, "@")
		text, err := "", error(nil)
		if ok {
			text, err = readResponse(name)
		}
		switch {
		case !ok || errors.Is(err, errUnread):
			x.args = append(x.args, a)
			continue
		case err != nil:
			return err
		case depth == deepestFile:
			return fmt.Errorf("%s: response files within response files, %d deep; write the arguments into one", name, depth)
		}
		x.files++
		if err := x.take(splitWords(text), depth+1); err != nil {
			return err
		}
		if x.files > mostFiles || len(x.args) > mostArguments {
			return fmt.Errorf("%s: more than %d arguments or more than %d response files; see whether these name one another", name, mostArguments, mostFiles)
		}
	}
	return nil
}

var errUnread = errors.New("not a file that can be read")

// readResponse reads a response file.
func readResponse(name string) (string, error) {
	f, err := claims.Open(name)
	if err != nil {
		return "", errUnread
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, longestFile+1))
	if err != nil {
		return "", errUnread
	}
	if len(text) > longestFile {
		return "", fmt.Errorf("%s: a response file of more than %d MiB", name, longestFile>>20)
	}
	return string(text), nil
}

// splitWords splits the text of a response file, as compilers do it: at blanks outside quotes.
func splitWords(text string) []string {
	var words []string
	var word strings.Builder
	open, quote := false, byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && quote != '\'':
			i++
			word.WriteByte(text[i])
			open = true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '"' || c == '\'':
			quote, open = c, true
		case strings.IndexByte(" \t\r\n", c) >= 0:
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteByte(c)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words
}
