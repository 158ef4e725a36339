// Package hostile holds inputs that are made to bring foresee down: files of up to 80 MiB, most of them small, and command lines that ask for
// endless work, more memory than there is, recursion without bottom, or numbers that do not exist. For each it says how the command must end.
//
// [Cases] gives all of them, of every verb and reader. [Case.Run] runs one with a given program, in a folder of its own, under [Most]
// of time and memory, or the bound of time that the case states with its reason. The test of this package runs those that are quick; a script runs all and writes the table of docs/reliability.md.
package hostile

import (
	"slices"
	"strings"
	"time"
)

// Case is one hostile input, and how foresee must end on it.
type Case struct {
	Name  string          // area/reader/what is wrong with it; unique
	Args  []string        // the command line; files are named as in Files
	Files map[string]Text // what lies in the folder where the command runs, by name; folders are made
	Stdin Text            // nil: empty
	Exit  []int           // the exit codes that are right; for a case that is told to stop, [interrupted] is right as well
	Says  string          // what standard error must contain where the exit code is not 0, such as the place; "": nothing in particular
	// Why is, of a case that may take longer than Most, the reason. It has a bound of its own: the time of Ends, or where that is 0 it is told
	// to stop after a while, and must do so soon, with a part of its result.
	Why  string
	Ends time.Duration
}

// Text makes the content of a file; it is made when it is needed, as some are megabytes.
type Text func() []byte

// Area is the first part of the name: what of foresee is attacked.
func (c Case) Area() string {
	area, _, _ := strings.Cut(c.Name, "/")
	return area
}

// Exit codes of foresee that a case may end with.
var (
	refused = []int{1}    // the input is refused
	usage   = []int{2}    // the command line is refused
	taken   = []int{0}    // the input is unusual, and what was asked is done within the bounds
	either  = []int{0, 1} // done or refused, as more than one limit decides: that it stays within the bounds is all that matters
	wrong   = []int{1, 2} // refused, as an input or as a part of the command line
)

// Cases are all hostile inputs, in a fixed order.
func Cases() []Case {
	return slices.Concat(
		preprocessorCases(), nestingCases(), boundsCases(), sizeCases(), lexicalCases(),
		traceCases(), compressedCases(), nativeCases(),
		machineCases(), kerncraftCases(),
		measurementCases(), runFolderCases(), eventsCases(),
		flagCases(), xgraphCases(), sassCases(),
		signatureCases(), recordingCases(), moduleCases(),
		answerCases(), replayCases(),
	)
}

// text is a content that is there already.
func text(s string) Text { return func() []byte { return []byte(s) } }

// repeat is a content that repeats one piece between two others.
func repeat(before, piece string, n int, after string) Text {
	return func() []byte {
		var b strings.Builder
		b.Grow(len(before) + n*len(piece) + len(after))
		b.WriteString(before)
		for range n {
			b.WriteString(piece)
		}
		b.WriteString(after)
		return []byte(b.String())
	}
}

// numbered is a content of n pieces, each made from its number.
func numbered(before string, n int, piece func(i int) string, after string) Text {
	return func() []byte {
		var b strings.Builder
		b.WriteString(before)
		for i := range n {
			b.WriteString(piece(i))
		}
		b.WriteString(after)
		return []byte(b.String())
	}
}

// odd are numbers that few readers expect.
var odd = []string{
	"-1", "0", "-0",
	"1e308", "1e999", "-1e308", // the largest doubles, about, and one past them
	"NaN", "Inf", "-Inf",
	"5e-324",                                     // the smallest double
	"9223372036854775807", "9223372036854775808", // the largest of 64 bits with a sign, and one more
	"18446744073709551615", "18446744073709551616", // the same without a sign
	"1_000", "0x10", // as Go's sources may write 1000 and 16
	"1e18", // too many of anything
	"''",   // nothing, in YAML
}
