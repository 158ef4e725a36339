package remedy

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
)

// saying is what libraries advise in words of their own, and the same in flags and verbs of this command. Results in JSON keep the plain
// words: they are read far from here.
type saying struct{ Plain, Here string }

// Sayings are all that is said anew wherever the command prints it. A test looks for each plain one in the libraries.
var Sayings = []saying{
	// Sources.
	{"let a run tell what it is", "let a run tell what it is: --run './program arguments'"},
	{"let a run give them", "--run './program arguments'"},
	{"run and trace it instead", "run and trace it instead: --trace"},
	{"define it, such as ", "give it: -D "},
	{"; the definition ", "; -D "},
	{"the definition of ", "-D "},
	{"values given to variables and parameters are", "values given to variables and parameters (-D) are"},
	{"write it as NAME=VALUE", "write -D NAME=VALUE"},
	{"name the folder that holds it", "say where it is: -I DIR"},
	{"the numbers of threads that are asked for hold", "--threads says how many"},
	{"name some of them", "name some of them: --region NAME"},
	{"check the definitions given", "check the values given with -D"},

	// Traces and recordings.
	{"what is whole before it can be taken", "use --partial to take what is whole before it"},
	{"they can be taken", "use --partial to take them"},
	{"or let it be left out", "or use --partial to leave it out"},
	{"that number of virtual threads", "T virtual threads: --at-threads T"},
	{"record the program with ", "record the program with --at-threads "},
	{"compiled for recording", "compiled for recording (by foresee cc)"},
	{"it was not built to record its accesses", "it was not built with foresee cc"},
	{"name these numbers when it is recorded", "record with --threads"},

	{"which a call that others came before would find there", "which a call that others came before would find there: --warm"},
	{"a simulation alone keeps data in order", "--page-size 0 keeps data in order, as foresee simulate does"},

	// Counters.
	{"say what they are", "say what they are with --events"},
	{"or a recorded run of MPI", "or one of foresee mpi"},
	{"neither a recorded run of MPI", "neither a run of foresee mpi"},
	{"which a run without counters shows", "which a run without --counters shows"},
	{"name the machine", "name the machine with --machine"},
	{"the size of the problem, such as n^3", "the size of the problem: --work n^3"},
	{"say so, or give its size as a parameter", "say so with --weak, or give its size as a parameter"},
	{"or allow the change", "or predict all the same with --allow-change"},

	// Machines.
	{"which can be changed", "which --level NAME:ways=N changes"},
}

// Here puts a text of a library into words of this command.
func Here(text string) string {
	text = ofRust.ReplaceAllString(text, "${1}run and trace it instead, or give a size that it reads: -D NAME=VALUE sets let NAME")
	return inFlags.Replace(text)
}

// ofRust is an advice about a source in Rust, whose sizes can be given.
var ofRust = regexp.MustCompile(`(?m)(\.rs:\d+:.*)run and trace it instead`)

var inFlags = func() *strings.Replacer {
	var pairs []string
	for _, s := range Sayings {
		pairs = append(pairs, s.Plain, s.Here)
	}
	return strings.NewReplacer(pairs...)
}()

// Write writes a text for people in words of this command.
func Write(w io.Writer, write func(io.Writer) error) error {
	var text bytes.Buffer
	err := write(&text)
	_, failed := io.WriteString(w, Here(text.String()))
	return errors.Join(err, failed)
}

// Said is an error in words of this command, with what can be done about it; those that were joined are lines of their own.
func Said(err error) string {
	if all, ok := err.(interface{ Unwrap() []error }); ok && isJoined(err, all.Unwrap()) {
		var lines []string
		for _, e := range all.Unwrap() {
			lines = append(lines, Said(e))
		}
		return strings.Join(lines, "\n")
	}
	return Here(err.Error()) + Of(err)
}

// isJoined tells errors that errors.Join put together from one that wraps several.
func isJoined(err error, all []error) bool {
	return err.Error() == errors.Join(all...).Error()
}

var plainWord = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// CommandLine writes the command so that a shell reads it back.
func CommandLine(args []string) string {
	words := []string{"foresee"}
	for _, a := range args {
		words = append(words, quoted(a))
	}
	return strings.Join(words, " ")
}

// quoted is a word as a shell reads it.
func quoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
